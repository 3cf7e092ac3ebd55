"""A clock that tests move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        """The present time."""
        return self.now

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self.now += by
