"""Hostile inputs through the real bot: nothing that people send may break it."""
