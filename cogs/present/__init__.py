"""Presentation: turns a table into cards, words and pictures. Everything here is pure."""
