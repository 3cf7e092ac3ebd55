"""The local table, as seen at the first start."""
