"""The Discord bot: what people type and press, and what they see."""
