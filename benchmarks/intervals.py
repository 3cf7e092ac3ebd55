"""Confidence intervals of measured means."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import fmean, stdev

CERTAINTY = 1.96
"""Standard errors on either side of a mean in a 95% interval."""


def wilson(share: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95% interval for a proportion; it stays within 0 and 1."""
    z = CERTAINTY**2 / matches
    centre = (share + z / 2) / (1 + z)
    half = (share * (1 - share) * z + z**2 / 4) ** 0.5 / (1 + z)
    return centre - half, centre + half


def share_won(scores: Sequence[float], matches: int) -> str:
    """Return a mean score with its 95% interval, as text.

    :param scores: the scores of pairs of matches, from 0 to 1.
    :param matches: the number of matches in a pair.
    """
    mean = fmean(scores)
    low, high = wilson(mean, matches * len(scores))
    return f"{mean:.0%} ({low:.0%} to {high:.0%})"


def around_mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95% interval for a mean; infinite for a single value."""
    half = CERTAINTY * stdev(values) / len(values) ** 0.5 if len(values) > 1 else inf
    return fmean(values) - half, fmean(values) + half
