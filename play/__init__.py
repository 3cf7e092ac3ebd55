"""The life of a table, whatever its game, independent of Discord and pictures."""
