"""The local table: the bot in a simulated Discord, to play with in the browser without an account.

``python -m scripts.local_table`` starts the real bot inside SimCord: a server with three channels
and four people, any of whom you can play in the browser. Commands, buttons, menus and pictures are
the bot's own; only Discord is simulated.

``world``   the simulated Discord: its people, clock and languages
``front``   the server in front of SimCord's own pages
"""
