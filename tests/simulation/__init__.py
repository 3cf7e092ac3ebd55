"""Simulates whole tables under faults, without Discord, and checks that all messages end up
right.
"""
