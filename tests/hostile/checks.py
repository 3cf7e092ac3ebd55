"""Invariants checked after every input."""

from __future__ import annotations

from typing import Any

from cogs.present.private import ADVICE
from cogs.present.refusals import MESSAGES, OPERATOR
from data.texts import LANGUAGES, texts
from play.table import Table
from tests.hostile.house import House
from tests.hostile.inputs import Input
from tests.simulation.checks import check_step
from tests.wire.world import Interaction, Kind, Message, Permission

Json = dict[str, Any]

OUR_FAULTS = tuple(
    texts(language)(text)
    for language in LANGUAGES
    for text in (MESSAGES["our_fault"], MESSAGES["counts_all_the_same"], OPERATOR)
)
"""Texts that nobody should ever read."""

OF_STRANGERS = frozenset({"join", "follow", "take"})
"""Kinds of journal lines that a person may cause without sitting at the table."""

OF_THE_HOST = frozenset({"start", "away"})
"""Kinds of journal lines that only the host may cause; a rematch is started by whoever accepts it
last.
"""


ADVICES = tuple(texts(language)(ADVICE) for language in LANGUAGES)
"""The extra answer to a person who sits down but cannot receive direct messages."""


def faults_of(house: House, given: Input, before: set[int], told: dict[int, int]) -> list[str]:
    """Describe everything wrong after an input, and reset what was recorded.

    :param before: the messages that existed before it.
    :param told: how often each of them had been edited.
    """
    act = given.act
    faults = [f"logged: {error[-1500:]}" for error in house.heard.errors]
    faults += [f"limit: {fault}" for fault in house.faults]
    faults += [f"refused by Discord: {code}" for code in act.refusals]
    faults += [f"no such call: {call}" for call in house.discord.rest.unknown_requests]
    if given.known or act.acknowledged:
        faults += _answered(house, act, told)
    world = house.discord.world
    new = [message for number, message in world.messages.items() if number not in before]
    faults += [f"our fault: {m.text}" for m in new if any(each in m.text for each in OUR_FAULTS)]
    faults += [f"pings {m.pinged}: {m.text}" for m in new if not _may_ping(house, m)]
    for old, changed in house.tables.commits:
        faults += _permitted(given, old, changed)
    house.heard.errors.clear()
    house.faults.clear()
    house.discord.rest.unknown_requests.clear()
    house.tables.commits.clear()
    return faults


def _answered(house: House, act: Interaction, told: dict[int, int]) -> list[str]:
    """Check for one answer, in time, with words unless something visible happened."""
    if not act.acknowledged:
        return ["not answered"]
    if act.kind is Kind.AUTOCOMPLETE or act.modal is not None:
        return []
    words = [m for m in act.messages if not m.deleted and not m.text.startswith(ADVICES)]
    if any(message.is_loading for message in words):
        return ["still 'thinking'"]
    source = act.source
    edited = source is not None and (source.deleted or source.edits > told.get(source.id, 0))
    told_again = ":vote:" in str(act.data.get("custom_id"))  # the same vote again changes nothing
    if not (words or edited or told_again or house.tables.commits):
        return ["answered without a word, and nothing happened"]
    if len(words) > 1:
        return [f"answered {len(words)} times: {[message.text for message in words]}"]
    return [] if all(message.text or message.attachments for message in words) else ["empty answer"]


def _may_ping(house: House, message: Message) -> bool:
    """Return whether a message pings only players and followers of one table, and people who were
    invited to it or offered a seat, whatever the names or texts.
    """
    pinged = {user.id for user in message.pinged}
    if not pinged:
        return True
    tables = house.held.values()
    return any(
        pinged <= {*table.persons, *table.followers, *table.invitations, *_offered(table)}
        for table in tables
        if message.channel.recipient is not None
        or message.channel.id in (table.row.channel_id, table.home_id)
    )


def _offered(table: Table) -> set[int]:
    return {offer.person_id for offer in table.offers if offer.person_id is not None}


# --------------------------------------------------------------------------------- changes
def _permitted(given: Input, before: Table, after: Table) -> list[str]:
    """Check that the journal has only grown, and only by what this person may do."""
    actor = given.person.user
    faults = []
    try:
        check_step(before, after)
    except AssertionError as error:
        faults.append(f"change: {error}")
    if after.journal[: before.revision] != before.journal:
        faults.append("the journal was rewritten")
    new = after.journal[before.revision :]
    part = before.member_of(actor.id) is not None or actor.id in before.followers
    manages = Permission.MANAGE_GUILD in actor.permissions
    own = [line for line in new if line.person_id == actor.id]
    if not part and not manages and any(line.kind not in OF_STRANGERS for line in own):
        faults.append(f"a stranger caused {[line.kind for line in own]}")
    for line in new:
        if line.kind == "move" and line.seat is not None and line.person_id is not None:
            owner = after.members[line.seat].person_id
            if owner != line.person_id:
                faults.append(f"{line.person_id} moved for seat {line.seat} of {owner}")
        accepted = line.kind == "start" and before.rematch_of and actor.id in before.persons
        if line.kind in OF_THE_HOST and actor.id != before.row.host_id and not accepted:
            faults.append(f"{line.kind}, not by the host")
    if any(plan.person_id != actor.id for plan in after.plans if plan not in before.plans):
        faults.append("someone planned for another person")
    if not after.followers ^ before.followers <= {actor.id, *after.persons, *before.persons}:
        faults.append("someone else follows, or no longer does")
    return faults
