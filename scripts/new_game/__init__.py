"""A package with a small game that passes the suite, ready to be changed."""
