"""Benchmarks, which print figures for people to read."""
