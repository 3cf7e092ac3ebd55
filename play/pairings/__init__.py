"""Pairings and standings of tournaments: pure functions, with the same results in every process.

A participant has a *place*, a number from 0 in order of seeding. A round is a tuple of meetings;
the past is a tuple of rounds.
"""
