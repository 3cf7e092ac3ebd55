"""A tournament as a value: its announcement, its participants, its rounds so far."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from games import GAMES
from games.engine import rng_for, shuffled
from games.fairness import sealed, seed_of
from play.lobby import check_options, said
from play.occasions.occasion import OccasionState
from play.pairings import groups, knockout, robin, swiss
from play.pairings.meetings import Meeting, Round
from play.pairings.standings import Standing, lots, standings
from play.table import PACE, refuse_if

FEWEST: Final = 3
"""The fewest people for a tournament; with fewer, it would be just a match."""

MOST: Final = 32

ROUNDS_AT_TABLES: Final = 4
"""Rounds at tables of three or more, unless the plan says otherwise."""


class Format(StrEnum):
    """The format of a tournament."""

    KNOCKOUT = "knockout"
    ROBIN = "robin"
    SWISS = "swiss"
    """Also used at tables of three or more, where people with equal scores play together."""


class Seeding(StrEnum):
    """The order in which people are seeded."""

    RATING = "rating"
    """By rating; equal ratings by lot."""
    LOT = "lot"


class Dropouts(StrEnum):
    """The rule for the place of someone who leaves after the start."""

    REPLACE = "replace"
    """The person who has waited longest takes over the place and its results so far; if nobody is
    waiting, ``COUNT`` applies.
    """
    COUNT = "count"
    """The opponents win the remaining meetings; in a Swiss tournament there are no such
    meetings.
    """


class Phase(StrEnum):
    """The phase of a tournament."""

    OPEN = "open"
    """People sign up."""
    DRAWING = "drawing"
    """The lots will be drawn from a message that is not posted yet."""
    RUNNING = "running"
    OVER = "over"
    OFF = "off"
    """It was called off."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """The announcement of a tournament.

    :param seats: the seats at a full table: two, or more in a Swiss tournament.
    :param rounds: the rounds of a Swiss tournament; 0: as many as it takes to separate the field,
        or ``ROUNDS_AT_TABLES`` at larger tables.
    :param pace: the pace of all matches, as ``play.clock`` reads it.
    :param least: the fewest people with which the tournament starts.
    :param most: the maximum number of people who take part; any others wait for a place.
    :param closes_at: when sign-up ends; None: when the field is full, or an organiser starts it.
    """

    title: str
    game: str
    format: Format
    seats: int = 2
    rounds: int = 0
    pace: str = "1d"
    options: dict[str, bool | int | str] = field(default_factory=dict)
    least: int = FEWEST
    most: int = MOST
    closes_at: datetime | None = None
    seeding: Seeding = Seeding.RATING
    dropouts: Dropouts = Dropouts.REPLACE

    def check(self) -> None:
        """Check that the plan can be played.

        :raises Refused: ``tournament_seats``, ``tournament_people``, or whatever ``read_pace``
            raises.
        :raises RefusedByRules: options that are not allowed at a table of some size.
        """
        allowed = GAMES[self.game].info.players
        larger = self.format is not Format.SWISS and self.seats > 2
        refuse_if(self.seats < 2 or larger or self.seats not in allowed, "tournament_seats")
        people = max(FEWEST, self.seats) <= self.least <= self.most <= MOST
        refuse_if(not people, "tournament_people", least=max(FEWEST, self.seats), most=MOST)
        for size in self.sizes:
            check_options(GAMES[self.game], {**self.options_at(size), PACE: self.pace}, size)

    def choosing(self, changes: Mapping[str, Any]) -> TournamentPlan:
        """Return the plan with changed options of the game; None resets an option to its
        default.
        """
        return replace(self, options=said(GAMES[self.game], {**self.options, **changes}))

    def options_at(self, size: int) -> dict[str, bool | int | str]:
        """Return the options at a table of some size. A table that is not full leaves out the
        options that need more players.
        """
        here = {option.key: option.usable(size) for option in GAMES[self.game].info.options}
        full = size == self.seats
        return {k: v for k, v in self.options.items() if full or here.get(k, True)}

    @property
    def sizes(self) -> tuple[int, ...]:
        """The possible numbers of people at a table."""
        return tuple(n for n in GAMES[self.game].info.players if 2 <= n <= self.seats)

    def rounds_for(self, places: int) -> int:
        """Return the number of rounds for this many places."""
        if self.format is Format.KNOCKOUT:
            return knockout.knockout_rounds(places)
        if self.format is Format.ROBIN:
            return robin.robin_rounds(places)
        if self.seats > 2:
            return self.rounds or ROUNDS_AT_TABLES
        # More rounds than opponents would mean meeting someone twice.
        return min(
            self.rounds or max(3, knockout.knockout_rounds(places)), robin.robin_rounds(places)
        )


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who has signed up.

    :param rating: the rating on the server at sign-up; 0: hidden, or there is none.
    """

    person_id: int
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Participant:
    """A person who takes part.

    :param gone: whether the person has left the tournament.
    """

    person_id: int
    gone: bool = False


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """The table of a tournament match."""

    code: str
    channel_id: int


@dataclass(frozen=True, kw_only=True)
class Tournament(OccasionState):
    """A tournament at one moment.

    :param secret: the secret behind the lots; published when the tournament is over.
    :param message: the id of the message from which the lots were drawn; 0: not drawn yet.
    :param signed: the people who have signed up, in order; those beyond ``TournamentPlan.most`` are
        waiting for a place. Once the tournament runs, this lists only the people who are waiting.
    :param places: the participants by seed, once the tournament runs.
    :param rounds: all rounds so far; the last one may still be in progress.
    :param tables: the tables opened so far, by slot.
    """

    plan: TournamentPlan
    secret: str = field(repr=False)
    phase: Phase = Phase.OPEN
    paused: bool = False
    message: int = 0
    signed: tuple[Entrant, ...] = ()
    places: tuple[Participant, ...] = ()
    rounds: tuple[Round, ...] = ()
    tables: Mapping[str, TournamentMatch] = field(default_factory=dict)

    # -- what it is
    @property
    def seal(self) -> str:
        """The hash that commits the bot to its secret before anyone signs up."""
        return sealed(self.secret)

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Those who would take part if it started now."""
        return self.signed[: self.plan.most]

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        """Those who are waiting for a place, in order."""
        return self.signed if self.places else self.signed[self.plan.most :]

    @property
    def last_round(self) -> Round:
        """The current round, or the last one played."""
        return self.rounds[-1] if self.rounds else ()

    @property
    def round_over(self) -> bool:
        """Whether all tables of the round have a result."""
        return all(meeting.over for meeting in self.last_round)

    @property
    def rounds_in_all(self) -> int:
        """How many rounds there will be."""
        return self.plan.rounds_for(len(self.places) or len(self.entrants))

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        if not self.rounds or not self.round_over:
            return False
        left = sum(not place.gone for place in self.places)
        pairs = self.plan.format is not Format.SWISS or left >= min(self.plan.sizes)
        return len(self.rounds) >= self.rounds_in_all or not pairs

    @property
    def ready(self) -> bool:
        """Whether the next round can be paired."""
        going = self.phase is Phase.RUNNING and not self.paused
        return going and self.round_over and not self.complete

    @property
    def slots(self) -> Iterator[tuple[str, Meeting]]:
        """All meetings so far, each with the slot of its table."""
        for number, meetings in enumerate(self.rounds):
            for at, meeting in enumerate(meetings):
                yield slot_of(number, at), meeting

    def place_of(self, person_id: int) -> int | None:
        """Return the place of a person who is still playing; None if the person has none."""
        there = (n for n, p in enumerate(self.places) if p.person_id == person_id and not p.gone)
        return next(there, None)

    def still_in(self, place: int) -> bool:
        """Return whether a place may still have matches to play or finish."""
        if self.phase is not Phase.RUNNING or self.places[place].gone:
            return False
        return (
            self.plan.format is not Format.KNOCKOUT
            or knockout.places_after(self.rounds)[place] == 1
        )

    def signed_up(self, person_id: int) -> bool:
        """Return whether a person has signed up or is waiting for a place."""
        return any(entrant.person_id == person_id for entrant in self.signed)

    def name(self, place: int) -> str:
        """Return the name of the person at a place."""
        return self.names.get(self.places[place].person_id, "")

    # -- standings
    def seed(self) -> str:
        """Return the seed of all lots; empty before they are drawn."""
        if not self.message:
            return ""
        return seed_of(self.secret, self.message, [""] * len(self.places or self.entrants))

    def standings(self) -> list[Standing]:
        """Return the standings of all places, the best first; for a knock-out, ``ranks`` says
        more.
        """
        drawn = lots(self.seed(), len(self.places))
        return standings(range(len(self.places)), self.rounds, self.plan.seats, drawn.__getitem__)

    def ranks(self) -> list[tuple[int, int]]:
        """Return (rank, place), the best first; losers of the same knock-out round share a rank."""
        if self.plan.format is Format.KNOCKOUT:
            after = knockout.places_after(self.rounds)
            return sorted((rank, place) for place, rank in after.items())
        return [(row.rank, row.place) for row in self.standings()]

    def meeting(self, slot: str) -> tuple[int, int, Meeting] | None:
        """Return the index of a slot's round, the index of its meeting in the round (both from 0),
        and the meeting; None if there is no such slot.
        """
        for number, meetings in enumerate(self.rounds):
            for at, meeting in enumerate(meetings):
                if slot_of(number, at) == slot:
                    return number, at, meeting
        return None

    # -- the next value
    def joined(self, person_id: int, name: str, rating: int) -> Tournament:
        """Return the tournament after somebody has signed up."""
        signed = (*self.signed, Entrant(person_id, rating))
        return replace(self, signed=signed, names={**self.names, person_id: name})

    def drawn(self, message: int) -> Tournament:
        """Return the tournament with its places, after the lots are drawn. If seeding is by rating,
        the lots only order equal ratings.
        """
        begun = replace(self, message=message)
        order = shuffled(rng_for(begun.seed(), "seeds"), begun.entrants)
        if self.plan.seeding is Seeding.RATING:
            order.sort(key=lambda entrant: -entrant.rating)
        places = tuple(Participant(entrant.person_id) for entrant in order)
        return replace(begun, phase=Phase.RUNNING, places=places, signed=self.waiting)

    def paired(self, apart: Collection[frozenset[int]] = ()) -> Tournament:
        """Return the tournament with its next round.

        :param apart: pairs of people to keep apart, as far as the format allows.
        """
        return replace(self, rounds=(*self.rounds, self._next_round(apart)))

    def _next_round(self, apart: Collection[frozenset[int]]) -> Round:
        past, count = self.rounds, len(self.places)
        if self.plan.format is Format.KNOCKOUT:
            meetings = (
                knockout.next_round(past, self._gone) if past else knockout.first_round(count)
            )
            return tuple(knockout.walkover(meeting, self._gone) for meeting in meetings)
        if self.plan.format is Format.ROBIN:
            meetings = robin.berger(count, len(past))
            return tuple(knockout.walkover(meeting, self._gone) for meeting in meetings)
        playing = [n for n in range(count) if not self._gone(n)]
        number = {self.places[n].person_id: n for n in playing}
        parted = {frozenset(number[p] for p in pair) for pair in apart if pair <= {*number}}
        if self.plan.seats == 2:
            return swiss.swiss_round(playing, past, parted)
        return groups.grouped_round(playing, past, self.plan.sizes, parted)

    def _without_gone(self, meeting: Meeting) -> Meeting:
        """Return a meeting whose table is not open yet, with only the people who have not left;
        decided at once if they are too few for the game.
        """
        left = tuple(place for place in meeting.players if not self._gone(place))
        if len(left) == len(meeting.players) or len(left) not in self.plan.sizes:
            return knockout.walkover(meeting, self._gone)
        return Meeting(left)

    def _gone(self, place: int) -> bool:
        return self.places[place].gone

    def with_result(
        self, number: int, at: int, ranks: Sequence[int], *, played: bool
    ) -> Tournament:
        """Return the tournament with a new result of a meeting.

        :param number: the index of the round, from 0.
        :param at: the index of the meeting in it, from 0.
        """
        meetings = list(self.rounds[number])
        meetings[at] = Meeting(meetings[at].players, tuple(ranks), played)
        rounds = list(self.rounds)
        rounds[number] = tuple(meetings)
        return replace(self, rounds=tuple(rounds))

    def without(self, place: int) -> Tournament:
        """Return the tournament after somebody has left. If the plan says so, the person who has
        waited longest takes over the place.
        """
        left = self.places[place]
        places, signed = list(self.places), self.signed
        places[place] = replace(left, gone=True)
        if self.plan.dropouts is Dropouts.REPLACE and signed and self.still_in(place):
            newcomer, *signed_left = signed
            places[place], signed = Participant(newcomer.person_id), tuple(signed_left)
        after = replace(self, places=tuple(places), signed=signed)
        # Meetings without a table have not started.
        meetings = tuple(
            meeting
            if meeting.over or slot_of(len(self.rounds) - 1, at) in self.tables
            else after._without_gone(meeting)
            for at, meeting in enumerate(self.last_round)
        )
        return replace(after, rounds=(*self.rounds[:-1], meetings))


def slot_of(number: int, at: int) -> str:
    """Return the slot of a meeting: the numbers of its round and of the meeting in it, both
    from 1.
    """
    return f"{number + 1}.{at + 1}"


def table_result(
    ranks: Sequence[int] | None, resigned: Collection[int], seats: int
) -> tuple[tuple[int, ...], bool]:
    """Return the ranks that count for a finished table, and whether it was played to a result.

    A match without a result counts as a draw. Anyone who resigned comes last, however well a
    computer player then did in their seat.

    :param ranks: the ranks by seat; None if there is no result.
    :param resigned: the seats of people who resigned.
    """
    if ranks is None:
        return (1,) * seats, False
    order = [(seat in resigned, rank) for seat, rank in enumerate(ranks)]
    return tuple(1 + sum(other < own for other in order) for own in order), True
