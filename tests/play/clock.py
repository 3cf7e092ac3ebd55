"""A clock that tests advance by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that stays at one time until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        """The current time."""
        return self.now

    def move(self, by: timedelta) -> None:
        """Advance the clock."""
        self.now += by
