"""Presentation: turns tables, occasions and statistics into cards, words and pictures. All
functions here are pure.
"""
