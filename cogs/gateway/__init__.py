"""The Discord layer: every call and its failures, messages as data, ids of buttons and menus."""
