"""Keeps the messages in Discord in line with the stored state."""
