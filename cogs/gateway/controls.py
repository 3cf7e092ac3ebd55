"""The ids of buttons and menus: all that a press needs stands in them: they survive restarts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NUMBER: Final = r"[0-9]{1,18}"
"""A number in an id; the store takes no longer ones."""

CUSTOM_ID: Final = (
    rf"t:(?P<table>{NUMBER})"
    rf"(?:\.(?P<revision>{NUMBER})|:(?P<ply>{NUMBER})(?:u(?P<undos>{NUMBER}))?)"
    r":(?P<verb>[a-z]+)(?::(?P<argument>.+))?"
)


@dataclass(frozen=True, slots=True)
class Control:
    """What a press means.

    :param revision: the state of the table that the person looked at.
    :param verb: the name of the action.
    :param argument: for instance the beginning of a move.
    :param legacy: (ply, undos) of a control from before tables had revisions; None: it has one.
    """

    table: int
    revision: int
    verb: str
    argument: str = ""
    legacy: tuple[int, int] | None = None

    @property
    def custom_id(self) -> str:
        """The id under which Discord sends the press back."""
        tail = f":{self.argument}" if self.argument else ""
        return f"t:{self.table}.{self.revision}:{self.verb}{tail}"

    @classmethod
    def matched(cls, match: re.Match[str]) -> Control:
        """Read a control from its matched id."""
        legacy = None
        if match["ply"] is not None:
            legacy = (int(match["ply"]), int(match["undos"] or 0))
        return cls(
            int(match["table"]),
            int(match["revision"] or 0),
            match["verb"],
            match["argument"] or "",
            legacy,
        )
