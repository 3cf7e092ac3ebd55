"""The list of people someone has blocked, and the notice that a blocked person is at the table."""

from __future__ import annotations

from cogs.gateway.texts import escape
from data.store.rows import PersonRow
from data.texts import Texts
from play.table import Table
from play.together import blocks


def blocked_in_words(person: PersonRow, say: Texts) -> str:
    """List the people a person has blocked, as mentions. Only that person reads the list, so it
    pings nobody.
    """
    known = [each for each in person.blocked_ids if each > 0]
    unknown = len(person.blocked_ids) - len(known)
    lines = [f"### {say('Blocked')}", *(f"- <@{each}>" for each in known)]
    if unknown:
        lines.append(
            "- "
            + say.plural(
                "{n} person I no longer know anything about",
                "{n} people I no longer know anything about",
                unknown,
            )
        )
    if not person.blocked_ids:
        lines.append(say("Nobody."))
    lines.append(
        "-# "
        + say(
            "They cannot sit down at a table where you play, and I never tell them why. If you sit"
            " down where they are playing, I will warn you."
        )
    )
    return "\n".join(lines)


def here_in_words(table: Table, person_id: int, say: Texts) -> str:
    """Warn that people this person has blocked sit at the table; empty if nobody does."""
    person = table.settings(person_id)
    names = [
        f"**{escape(member.name)}**"
        for member in table.members
        if member.person_id is not None and blocks(person, member.person_id)
    ]
    if not names:
        return ""
    return say.plural(
        "{names}, whom you have blocked, sits at this table.",
        "{names}, whom you have blocked, sit at this table.",
        len(names),
        names=say.list(names),
    )
