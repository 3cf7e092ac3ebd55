"""Whole tables in memory, through all kinds of trouble: in the end all messages are right."""
