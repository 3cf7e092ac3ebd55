"""Tools for developers of the bot."""
