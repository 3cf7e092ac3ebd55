"""Hostile inputs sent to the real bot: nothing that people send may break it."""
