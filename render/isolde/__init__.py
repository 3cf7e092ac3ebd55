"""The pictures and words of Die Holde Isolde."""
