"""The bot's features, one module each, with their commands and buttons."""
