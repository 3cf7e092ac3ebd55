"""The Discord layer: all calls and their failures, messages as data, ids of buttons and menus."""
