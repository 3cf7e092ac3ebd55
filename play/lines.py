"""The kinds of lines in the journals of tables and occasions, with their meaning.

A table or an occasion refuses to add a line of any other kind, so these lists are complete;
``scripts.inventory`` writes them to ``docs/inventory.md``. Each kind of occasion adds lines of its
own (``OccasionKind.LINES``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

COMMON_LINES: Final[Mapping[str, str]] = {
    "open": "It was opened; the person is its host.",
    "clock": "Something changed that no other line records, such as when it is due next.",
    "forget": "The store removed a person's traces; it says nothing else.",
}
"""Lines of both tables and occasions. The store itself writes ``open`` and ``forget``, and a
table's ``rematch``.
"""

TABLE_LINES: Final[Mapping[str, str]] = {
    **COMMON_LINES,
    # the lobby
    "rematch": "It was opened as a rematch; the text has the code of the previous match, and lists"
    " the members who are asked by DM.",
    "join": "A person, or a computer player, joined; a person may have had a seat kept for them."
    " The text is the member's number.",
    "lapse": "A person did not answer the offer of a rematch in time, and their seat is"
    " free; the text is the member's number.",
    "leave": "A member left, or a member removed a computer player.",
    "away": "The host sent a member away; they may not come back.",
    "invite": "A person was invited; the text is the number of the inviting member, and `unheard`"
    " if the person has blocked that member and is not notified.",
    "options": "The host changed options; the text has the new values.",
    "word": "A member added, changed or removed a lucky word.",
    "lots": "The start was requested; the lots are drawn once their message is posted.",
    "start": "The match began; the text has the seating and the id of the message from which the"
    " lots were drawn.",
    "close": "The table was closed before it started; the text may have a reason.",
    # the match
    "move": "A seat moved; the text is the move.",
    "draw": "Chance drew; the text is the draw.",
    "undo": "Moves were taken back; the text lists their lines and whose decisions reopened.",
    "finish": "The match is over and has a result.",
    "end": "The match was stopped without a result; the text may have a reason.",
    "resign": "A person resigned; the text says what that does to the match.",
    "call": "People were called to decide; the text lists the seats called at the table and by DM.",
    "account": "A hand or round was closed; the text is the line that closed it.",
    "quick": "A computer player moved without a full search, for the first time at this table.",
    "hint": "A person got a hint or the coach's warning; the text is the decision it was about.",
    "analysis": "The match was analysed; the text is the analysis.",
    # clocks
    "remind": "A person was reminded; the text has the alarm, the decision, and whether by DM.",
    "miss": "A person's time was up; the text has the count, and the step if the table is not"
    " asked.",
    "extend": "A person was given more time.",
    "helped": "A computer player plays the turn of a person whose time was up.",
    "holiday": "A person's holiday began, changed or ended; the text is its end.",
    "hurry": "A person turned automatic play of their only legal move on or off.",
    # plans
    "plan": "A person planned a move.",
    "unplan": "A person dropped their planned moves.",
    "drop": "Planned moves were dropped because one did not fit; the text says which, and why.",
    "void": "Planned moves were dropped because moves were taken back.",
    # votes
    "ask": "A vote was opened; the text is its kind.",
    "answer": "A person answered a vote; the text has its line and the choice.",
    "settle": "A vote was decided; the text has its line and the decision.",
    # seats
    "offer": "A seat was offered, to a person or to everyone.",
    "take": "A person took a seat on offer; the text is the line of the offer.",
    "keep": "A computer player keeps the seat of a person whose time was up.",
    "back": "A person returned to a seat that a computer player kept.",
    # people and places
    "follow": "A person began to follow the table.",
    "unfollow": "A person stopped following it.",
    "mute": "A person muted the table, or unmuted it.",
    "park": "The channel is lost; the table waits to be moved.",
    "unpark": "The table was moved to another channel, or its own channel is back.",
}

HINDERED: Final = "hindered"

OCCASION_LINES: Final[Mapping[str, str]] = {
    **COMMON_LINES,
    HINDERED: "The bot could not post in the channel; the person who began the occasion, or last"
    " chose its channel, is notified.",
}
"""Lines of occasions of every kind."""


def require_kind(kind: str, kinds: Mapping[str, str]) -> None:
    """Refuse to add a line of an undeclared kind.

    :raises ValueError: the kind is not one of these.
    """
    if kind not in kinds:
        raise ValueError(f"unknown kind of journal line: {kind!r}")
