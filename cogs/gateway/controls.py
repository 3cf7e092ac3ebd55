"""The ids of buttons and menus. An id holds everything needed to handle a press, so buttons still
work after a restart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NUMBER: Final = r"[0-9]{1,18}"
"""A number in an id, limited to the length that the store accepts."""

CUSTOM_ID: Final = (
    rf"(?P<kind>[to]):(?P<number>{NUMBER})"
    rf"\.(?P<revision>{NUMBER}):(?P<verb>[a-z]+)(?::(?P<argument>.+))?"
)


@dataclass(frozen=True, slots=True)
class Control:
    """The meaning of a press.

    :param table: the table's id; 0: the control belongs to no table.
    :param revision: the revision of the table or occasion as the person saw it.
    :param verb: the name of the action.
    :param argument: input for the verb, for instance the beginning of a move.
    :param occasion: the occasion's id; 0: the control belongs to no occasion.
    """

    table: int
    revision: int
    verb: str
    argument: str = ""
    occasion: int = 0

    @classmethod
    def apart(cls, verb: str, argument: str = "") -> Control:
        """Return a control that belongs to no table and no occasion."""
        return cls(0, 0, verb, argument)

    @property
    def custom_id(self) -> str:
        """The id that Discord sends back with a press."""
        tail = f":{self.argument}" if self.argument else ""
        subject = f"o:{self.occasion}" if self.occasion else f"t:{self.table}"
        return f"{subject}.{self.revision}:{self.verb}{tail}"

    @classmethod
    def matched(cls, match: re.Match[str]) -> Control:
        """Read a control from a match of ``CUSTOM_ID``."""
        number, occasion = int(match["number"]), match["kind"] == "o"
        return cls(
            0 if occasion else number,
            int(match["revision"]),
            match["verb"],
            match["argument"] or "",
            number if occasion else 0,
        )
