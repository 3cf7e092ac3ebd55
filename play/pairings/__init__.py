"""Who meets whom in a tournament, and who stands where: pure, and the same in every process.

Whoever takes part has a *place*, a number from 0 in order of seeding. A round is a tuple of
meetings; the past is a tuple of rounds.
"""
