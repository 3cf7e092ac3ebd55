"""The bot's features, with their commands and buttons, and what they share."""
