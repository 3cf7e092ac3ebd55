"""Used databases, damaged at random: the bot must report the damage or carry on.

``python -m tests.damage 2000`` damages 2000 copies and counts the outcomes.
"""
