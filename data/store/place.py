"""The location of a database: a file, or a PostgreSQL server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

SCHEMES = ("postgresql://", "postgres://")
"""The schemes that a server's URL can have."""


@dataclass(frozen=True, slots=True)
class Server:
    """A database on a PostgreSQL server.

    :param url: a libpq connection URI. ``str`` and ``repr`` hide the password that it may contain.
    """

    url: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        user, at, host = parts.netloc.rpartition("@")
        shown = f"{user.partition(':')[0]}{at}{host}"
        if not shown:  # ``urlunsplit`` would leave out the slashes
            return f"postgresql://{parts.path}"
        return urlunsplit((parts.scheme, shown, parts.path, "", ""))


Place = Path | Server


def place_of(given: str | Place) -> Place:
    """Return the place that a setting or a command-line argument names."""
    if isinstance(given, str):
        return Server(given) if given.startswith(SCHEMES) else Path(given)
    return given
