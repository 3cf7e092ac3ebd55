"""Why a match record does not hold, in words, with the line that is at fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from data.texts import N_, Texts
from games.engine import CHANCE

MESSAGES: dict[str, str] = {
    "too_large": N_("The file is larger than a megabyte; no match record is."),
    "not_text": N_("Line {line} is not text (UTF-8)."),
    "not_a_record": N_("Line {line}: a match record begins with “Tafelrunde record 1”."),
    "other_version": N_(
        "Line {line}: the record is written in version {version}; I can read version {known}."
    ),
    "expected": N_("Line {line}: “{key}” should stand here, but there is “{text}”."),
    "missing": N_("Line {line}: “{key}” should stand here."),
    "bad_value": N_("Line {line}: for “{key}”, “{text}” is not possible."),
    "unknown_game": N_("Line {line}: I do not know the game “{text}”."),
    "other_rules": N_(
        "Line {line}: the match was played by version {version} of the rules. I play by version"
        " {known}, so I cannot replay it."
    ),
    "bad_setup": N_("Line {line}: the rules do not allow these options."),
    "seal_mismatch": N_("Line {line}: this is not the seal of the seed."),
    "seats_mismatch": N_("Line {line}: by lot or order of joining, the seats would be others."),
    "unreadable": N_("Line {line}: I cannot read “{text}”. A move looks like “1. seat 2: K4”."),
    "wrong_number": N_("Line {line} has the number {number}, but {due} is due."),
    "not_their_turn": N_("Line {line}: it is not the turn of seat {seat}."),
    "no_draw": N_("Line {line}: nothing is to be drawn here."),
    "illegal_move": N_("Line {line}: seat {seat} may not play “{text}”."),
    "draw_mismatch": N_("Line {line}: the seed does not draw “{text}”."),
    "after_the_end": N_("Line {line}: the match is over before this line."),
    "result_mismatch": N_("Line {line}: the moves lead to another result."),
    "not_over": N_("Line {line}: the record ends before the match does."),
}
"""One sentence for each fault."""


def fault_in_words(code: str, data: Mapping[str, Any], say: Texts) -> str:
    """What is wrong with a record.

    :param data: of the fault; texts in it must be harmless.
    """
    if code == "expected" and not data["text"]:
        code = "missing"
    if code == "not_their_turn" and data["seat"] == CHANCE:
        code = "no_draw"
    shown = {**data, "seat": data["seat"] + 1} if "seat" in data else data
    return say(MESSAGES[code], **shown)
