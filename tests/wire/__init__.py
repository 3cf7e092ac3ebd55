"""The stand-in Discord over real sockets, and the bot as a process connected to it."""
