"""A clock that tests move."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.play.conftest import NOON


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
