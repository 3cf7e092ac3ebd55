"""People at a table: names that are safe in messages, and the signs and colours of seats."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.gateway.texts import escape
from data.store.rows import MemberRow
from data.texts import N_, Texts
from play.table import Table
from render.theme import SEATS

LEVEL_WORDS = {
    "novice": (
        N_("novice"),
        N_(
            "Sees the immediate effect of a move, but rarely what comes next. Good for a first"
            " match."
        ),
    ),
    "learner": (N_("learner"), N_("Often sees what comes next, but makes no plans.")),
    "skilled": (N_("skilled"), N_("Plays soundly and punishes big mistakes.")),
    "expert": (N_("expert"), N_("Thinks ahead and forgives little.")),
    "master": (N_("master"), N_("Plans ahead and rarely errs.")),
    "grandmaster": (N_("grandmaster"), N_("Thinks for up to ten seconds. Take your time, too.")),
}
"""The name of each level, and a sentence about it."""

COLOURS = "🟦🟧🟩🟪🟨🟥🟫"
"""These colours, together with codes, tell the tables of a channel apart."""


def colour_of(table: Table) -> str:
    """Return a table's colour, which differs from that of the table opened just before."""
    return COLOURS[table.id % len(COLOURS)]


def code_of(table: Table) -> str:
    """Return the colour and code that people recognise a table by."""
    return f"{colour_of(table)} `{table.row.code}`"


def place_in_words(table: Table, say: Texts) -> str:
    """Say where a table is played."""
    if table.chat == "@me":
        return say("in your chat")
    if table.direct:
        return say("in your direct messages with me")
    return f"<#{table.row.channel_id}>"


def safe_names(table: Table) -> tuple[str, ...]:
    """Return the names by seat, escaped so that they can neither ping nor format text."""
    return tuple(escape(name) for name in table.names)


def player_name(table: Table, seat: int) -> str:
    """Return a seat's sign and name: ``▲ **Anna**``."""
    return f"{SEATS[seat].sign} **{escape(table.members[seat].name)}**"


def player_names(table: Table) -> tuple[str, ...]:
    """Return the sign and name of each player, by seat."""
    return tuple(player_name(table, seat) for seat in range(len(table.members)))


def player_mention(table: Table, seat: int) -> str:
    """Return the sign and a mention that can ping the person; for a computer player, the sign and
    the name.
    """
    member = table.members[seat]
    if member.person_id is None or member.level is not None:
        return player_name(table, seat)
    return f"{SEATS[seat].sign} <@{member.person_id}>"


def figure_names(names: Sequence[str], owners: Sequence[int | None], say: Texts) -> list[str]:
    """Return the names of figures, each with its own sign and its owner's name: ``■ **Anna**``.

    :param names: the names by seat, as people typed them.
    :param owners: the owner's seat, by figure; None: neutral. See ``GameWords.owners``.
    """
    neutral = say("neutral player")
    return [
        f"{SEATS[figure].sign} **{neutral if owner is None else escape(names[owner])}**"
        for figure, owner in enumerate(owners)
    ]


def seat_colour(seat: int) -> int:
    """Return a seat's accent colour, as 0xRRGGBB."""
    return int(SEATS[seat].colour.removeprefix("#"), 16)


def member_in_words(member: MemberRow, say: Texts) -> str:
    """Return a member's name; a computer player's includes its level: ``Merlin 🤖 (master)``."""
    name = escape(member.name)
    return name if member.level is None else f"{name} 🤖 ({level_in_words(member.level, say)})"


def level_in_words(level: str, say: Texts) -> str:
    """Return the name of a computer player's level."""
    name, _ = LEVEL_WORDS[level]
    return say(name)


def level_sentence(level: str, say: Texts) -> str:
    """Say what to expect from a computer player of this level."""
    _, sentence = LEVEL_WORDS[level]
    return say(sentence)
