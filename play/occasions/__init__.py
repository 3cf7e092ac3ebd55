"""Tournaments, seeks, seasons and daily posts: like tables, but without a match."""
