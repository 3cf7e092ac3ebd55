"""The life of a table, for any game, independent of Discord and pictures."""
