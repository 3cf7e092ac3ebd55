"""The riddle of the day: what it is, how it is proven, made, kept in stock, and solved."""
