"""The local table, as somebody sees it who has just started it for the first time."""
