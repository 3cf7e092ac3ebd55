"""All persistent data: the store, the texts and the fonts."""
