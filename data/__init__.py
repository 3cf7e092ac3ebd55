"""What lasts: the store, the texts, the fonts."""
