"""Whole tables in memory, through all kinds of trouble: after quiet, what stands is what should."""
