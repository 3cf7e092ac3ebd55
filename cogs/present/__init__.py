"""Presentation: turns a table into cards, words and pictures. All functions here are pure."""
