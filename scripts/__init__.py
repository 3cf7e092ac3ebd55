"""Tools for those who develop, run or try the bot."""
