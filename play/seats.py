"""Seats that change hands: people hand over a seat, take one, or come back to their own.

A seat is handed over in two steps. First, more than half of those who play in person have to agree;
the person who asks counts as agreeing. Then the seat is offered until someone takes it over, with
its position, its rights and, at the end, its result. Until then nothing changes. A person whose
seat a computer player keeps may come back to it at any time.

In games with hidden hands, nobody may take a second seat of the same match, even after giving up
the first one, because they would know two hands. In open games, a person who has handed over a seat
may take another.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from data.store.rows import OfferRow, VoteRow
from play.table import Arrival, PersonCommand, Refused, Table, refuse_if, swapped
from play.together import may_sit_down
from play.votes import Question, Rule, ask


@dataclass(frozen=True, slots=True)
class HandOver(PersonCommand):
    """Offer the person's own seat, or a computer player's; if others play in person, ask them
    first.

    :param seat: None: the person's own.
    :param newcomer: the only person who may take it; None: anyone may.
    """

    seat: int | None = None
    newcomer: int | None = None

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``no_such_member``, ``plays_in_person``, ``already_member``,
        ``seat_offered``, or whatever ``Table.seat_to_move`` or ``votes.ask`` raises.
        """
        own = table.seat_to_move(self.person_id)
        seat = own if self.seat is None else self.seat
        refuse_if(not 0 <= seat < len(table.members), "no_such_member")
        if seat != own and table.computer_at(seat) is None:
            raise Refused("plays_in_person", name=table.names[seat])
        if self.newcomer is not None and table.member_of(self.newcomer) is not None:
            raise Refused("already_member")
        invited = {offer.person_id for offer in table.offers} - {None}
        refuse_if(self.newcomer in invited, "seat_offered")
        others = table.others(self.person_id)
        if not others:
            return offered(table, seat, self.newcomer, now)
        owner = table.members[seat].person_id
        subject = {"position": table.position, "from": owner, "to": self.newcomer}
        question = Question("replace", others, Rule.MAJORITY, seat=seat, subject=subject)
        return ask(table, question, self.person_id, now)


def replacement_is_overtaken(table: Table, vote: VoteRow) -> bool:
    """Return whether the seat has changed hands, or its owner has returned, since the vote was
    opened.
    """
    member = table.members[vote.seat or 0]
    owner: int | None = vote.subject["from"]
    came_back = member.level is None and vote.asked_by != owner
    return came_back or member.person_id != owner


def offered(table: Table, seat: int, newcomer: int | None, now: datetime) -> Table:
    """Return the table with a seat on offer; this replaces an earlier offer of the seat."""
    offer = OfferRow(seat, table.revision + 1, newcomer)
    offers = tuple(sorted((*_without_offer(table, seat), offer), key=lambda offer: offer.seat))
    return table.add("offer", now, seat, newcomer, offers=offers)


def without_late_offer(table: Table, seat: int) -> Table:
    """Return the table after a person's move without the offer of their seat that the others made
    because this person was late; an offer that the person asked for stands.
    """
    offer = next((offer for offer in table.offers if offer.seat == seat), None)
    if offer is None:
        return table
    before = table.journal[offer.number - 2]  # the others' offer comes with more time
    late = (before.kind, before.seat) == ("extend", seat)
    return table.changed(offers=_without_offer(table, seat)) if late else table


@dataclass(frozen=True, slots=True)
class TakeSeat(Arrival):
    """Take an offered seat, and the host's rights if the host gave it up."""

    seat: int
    name: str

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``barred_seat``, ``not_offered``, ``already_member``, ``resigned``,
        ``knows_hand``, or whatever ``Table.require_running`` raises.
        """
        table.require_running()
        refuse_if(not may_sit_down(table, self.person_id), "barred_seat")
        offer = next((offer for offer in table.offers if offer.seat == self.seat), None)
        if offer is None or offer.person_id not in (None, self.person_id):
            raise Refused("not_offered")
        before, newcomer = table.members[self.seat], self.person_id
        if newcomer != before.person_id and table.member_of(newcomer) is not None:
            raise Refused("already_member")
        refuse_if(newcomer == before.person_id and before.resigned, "resigned")
        known = seats_held(table, newcomer) - {self.seat}
        refuse_if(table.game.info.hidden and known, "knows_hand")
        changes = {"person_id": newcomer, "name": self.name, "level": None, "resigned": False}
        # An owner who takes back the offered seat keeps everything.
        after = table.changed(
            members=swapped(table.members, before, **changes),
            offers=_without_offer(table, self.seat),
            people=self.people_with(table),
        ).add("take", now, self.seat, newcomer, str(offer.number))
        return after if before.person_id is None else _left(after, before.person_id, newcomer)


def seats_held(table: Table, person_id: int) -> frozenset[int]:
    """Return the seats that a person holds or has held in a table's match."""
    people: dict[int, int | None] = {}  # by member number
    held: set[int | None] = set()
    for line in table.journal:
        if line.kind in ("open", "join"):
            people[int(line.text or 0)] = line.person_id
        elif line.kind == "start":
            seating = json.loads(line.text)["seating"]
            held |= {seat for seat, n in enumerate(seating) if people.get(n) == person_id}
        elif line.kind in ("take", "move") and line.person_id == person_id:
            held.add(line.seat)
    return frozenset(seat for seat in held if seat is not None)


def is_called(table: Table, offer: OfferRow) -> bool:
    """Return whether an offer made to one person notifies that person: the first such offer does,
    and a later one only if they have taken a seat in the meantime.
    """
    called = False
    for line in table.journal[: offer.number - 1]:
        if line.person_id == offer.person_id and line.kind in ("offer", "take"):
            called = line.kind == "offer"
    return offer.person_id is not None and not called


def _left(table: Table, person_id: int, newcomer: int) -> Table:
    """Return the table without the plans and rights of someone who has handed over the seat."""
    if person_id == newcomer:
        return table
    plans = tuple(plan for plan in table.plans if plan.person_id != person_id)
    host = newcomer if table.row.host_id == person_id else table.row.host_id
    place, letters = table.row.channel_id, table.settings(newcomer).dm_channel
    if table.settings(person_id).dm_channel == place and letters is not None:
        place = letters  # the table moves to the direct messages of the person who plays now
    return table.changed(
        host_id=host, plans=plans, hurried=table.hurried - {person_id}, channel_id=place
    )


@dataclass(frozen=True, slots=True)
class ComeBack(PersonCommand):
    """Return to a seat that a computer player kept; offers of it are withdrawn."""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, ``never_left``, ``resigned``, or whatever
        ``Table.require_running`` raises.
        """
        table.require_running()
        member = table.member(self.person_id)
        refuse_if(member.level is None, "never_left")
        refuse_if(member.resigned, "resigned")
        seat = member.seat or 0
        members, offers = swapped(table.members, member, level=None), _without_offer(table, seat)
        return table.add("back", now, seat, self.person_id, members=members, offers=offers)


def kept(table: Table, seat: int, level: str, now: datetime) -> Table:
    """Return the table with a computer player that keeps a person's seat until the person
    returns.
    """
    member = table.members[seat]
    members = swapped(table.members, member, level=level)
    return table.add("keep", now, seat, member.person_id, members=members)


def _without_offer(table: Table, seat: int) -> tuple[OfferRow, ...]:
    return tuple(offer for offer in table.offers if offer.seat != seat)
