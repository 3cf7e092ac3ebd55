"""The store: everything that lasts, and the only place where SQL is written."""
