"""Used databases, damaged at random: whatever the damage, the bot says so or goes on.

``python -m tests.damage 2000`` damages 2000 copies and counts the outcomes.
"""
