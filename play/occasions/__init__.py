"""What goes on beside the tables: tournaments, seeks, seasons, daily posts."""
