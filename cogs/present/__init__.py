"""What people are shown, as data: a table becomes cards, words, pictures. All is pure."""
