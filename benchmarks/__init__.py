"""Benchmarks: figures for people to read, never asserted by tests."""
