"""What lasts: the store, its migrations, the texts, the fonts."""
