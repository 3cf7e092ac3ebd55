"""The ids of buttons and menus: all that a press needs stands in them: they survive restarts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NUMBER: Final = r"[0-9]{1,18}"
"""A number in an id; the store takes no longer ones."""

CUSTOM_ID: Final = (
    rf"(?P<kind>[to]):(?P<number>{NUMBER})"
    rf"\.(?P<revision>{NUMBER}):(?P<verb>[a-z]+)(?::(?P<argument>.+))?"
)


@dataclass(frozen=True, slots=True)
class Control:
    """What a press means.

    :param table: 0: it is about none.
    :param revision: the state of the table, or occasion, that the person looked at.
    :param verb: the name of the action.
    :param argument: for instance the beginning of a move.
    :param occasion: 0: it is about none.
    """

    table: int
    revision: int
    verb: str
    argument: str = ""
    occasion: int = 0

    @property
    def custom_id(self) -> str:
        """The id under which Discord sends the press back."""
        tail = f":{self.argument}" if self.argument else ""
        subject = f"o:{self.occasion}" if self.occasion else f"t:{self.table}"
        return f"{subject}.{self.revision}:{self.verb}{tail}"

    @classmethod
    def matched(cls, match: re.Match[str]) -> Control:
        """Read a control from its matched id."""
        number, occasion = int(match["number"]), match["kind"] == "o"
        return cls(
            0 if occasion else number,
            int(match["revision"]),
            match["verb"],
            match["argument"] or "",
            number if occasion else 0,
        )
