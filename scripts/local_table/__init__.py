"""The local table: the bot in a simulated Discord, played in the browser, without an account.

``python -m scripts.local_table`` starts the very bot that Discord would see, inside SimCord: a
server with one channel and four people, any of whom the person at the browser can be. Commands,
buttons, menus and pictures are the bot's own; only Discord is simulated.

``world``   the simulated Discord: who is there, what time it is, what language is spoken
``front``   the page that stands before SimCord's own page
"""
