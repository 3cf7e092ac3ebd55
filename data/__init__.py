"""Everything persistent: the store, the texts and the fonts."""
