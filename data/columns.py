"""How times and plain data stand in the columns of the database."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any


def seconds(at: datetime) -> int:
    """A time as whole seconds since 1970.

    :raises ValueError: the time has no time zone.
    """
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return int(at.timestamp())


def moment(seconds: int) -> datetime:
    """Inverse of ``seconds``."""
    return datetime.fromtimestamp(seconds, UTC)


def json_text(value: Any) -> str | None:
    """Plain data as text; None stays None."""
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
