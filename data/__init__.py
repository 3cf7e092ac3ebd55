"""The store, and the files that come with the bot: texts, fonts, rules, lessons and riddles."""
