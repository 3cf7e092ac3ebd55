"""The store: all persistent data, in the only package that contains SQL."""
