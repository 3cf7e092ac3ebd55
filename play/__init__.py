"""What people do with a table, whatever the game. Nothing here knows Discord or pictures."""
