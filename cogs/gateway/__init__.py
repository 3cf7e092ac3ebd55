"""Discord: every call and its failures, messages as data, and the ids of buttons and menus."""
