"""The store: everything persistent, and the only package that contains SQL."""
