"""Simulates whole tables in memory under faults, and checks that all messages end up right."""
