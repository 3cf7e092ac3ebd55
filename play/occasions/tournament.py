"""A tournament as a value: what was announced, who takes part, the rounds so far."""

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
"""With fewer people it is a match, and no tournament."""

MOST: Final = 32

ROUNDS_AT_TABLES: Final = 4
"""Rounds at larger tables, unless it was said otherwise."""


class Format(StrEnum):
    """How a tournament is played."""

    KNOCKOUT = "knockout"
    ROBIN = "robin"
    SWISS = "swiss"
    """At tables of three and more, too: whoever stands alike sits together."""


class Seeding(StrEnum):
    """In what order people are seeded."""

    RATING = "rating"
    """Those with the same rating by lot."""
    LOT = "lot"


class Dropouts(StrEnum):
    """What becomes of the place of whoever leaves after the start."""

    REPLACE = "replace"
    """Whoever has waited longest takes it over as it stands; if nobody waits, as ``COUNT``."""
    COUNT = "count"
    """Meetings still to come count as won for the others; in a Swiss tournament there are none."""


class Phase(StrEnum):
    """Where a tournament stands."""

    OPEN = "open"
    """People sign up."""
    DRAWING = "drawing"
    """The message is awaited by which the lots are drawn."""
    RUNNING = "running"
    OVER = "over"
    OFF = "off"
    """It was called off."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What is announced.

    :param seats: at a full table; two, or in a Swiss tournament more.
    :param rounds: of a Swiss tournament; 0: as many as part the field.
    :param pace: of all matches, as ``play.clock`` reads it.
    :param options: of the game.
    :param most: so many take part; others wait.
    :param closes_at: when sign-up ends; None: when it is full, or somebody begins it.
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
        """Go on only if this can be played.

        :raises Refused: ``tournament_seats``, ``tournament_people``, or a pace as in ``read_pace``.
        :raises RefusedByRules: options that a table of some size does not allow.
        """
        allowed = GAMES[self.game].info.players
        larger = self.format is not Format.SWISS and self.seats > 2
        refuse_if(self.seats < 2 or larger or self.seats not in allowed, "tournament_seats")
        people = max(FEWEST, self.seats) <= self.least <= self.most <= MOST
        refuse_if(not people, "tournament_people", least=max(FEWEST, self.seats), most=MOST)
        for size in self.sizes:
            check_options(GAMES[self.game], {**self.options_at(size), PACE: self.pace}, size)

    def choosing(self, changes: Mapping[str, Any]) -> TournamentPlan:
        """The plan with other options of the game; None: as if nothing had been said."""
        return replace(self, options=said(GAMES[self.game], {**self.options, **changes}))

    def options_at(self, size: int) -> dict[str, bool | int | str]:
        """The options at a table of so many: one that is not full is without those that there are
        not for so few.
        """
        here = {option.key: option.usable(size) for option in GAMES[self.game].info.options}
        full = size == self.seats
        return {k: v for k, v in self.options.items() if full or here.get(k, True)}

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of people that may sit at a table."""
        return tuple(n for n in GAMES[self.game].info.players if 2 <= n <= self.seats)

    def rounds_for(self, places: int) -> int:
        """How many rounds are played by so many."""
        if self.format is Format.KNOCKOUT:
            return knockout.knockout_rounds(places)
        if self.format is Format.ROBIN:
            return robin.robin_rounds(places)
        if self.seats > 2:
            return self.rounds or ROUNDS_AT_TABLES
        # More rounds than others to meet would bring meetings again.
        return min(
            self.rounds or max(3, knockout.knockout_rounds(places)), robin.robin_rounds(places)
        )


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who has signed up.

    :param rating: on the server, at that moment; 0: nobody may see it, or there is none.
    """

    person_id: int
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody who takes part.

    :param gone: plays no more.
    """

    person_id: int
    gone: bool = False


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """Where a match of a tournament is played."""

    code: str
    channel_id: int


@dataclass(frozen=True, kw_only=True)
class Tournament(OccasionState):
    """A tournament at one moment.

    :param secret: what the lots are made from; told when it is over.
    :param message: the id of the message by which they were drawn; 0: they are not.
    :param signed: who has signed up, in that order; those beyond ``TournamentPlan.most`` wait. Once
        it runs, only those are left who wait.
    :param places: by seed, once it runs.
    :param rounds: all rounds so far, the last one may be under way.
    :param tables: by slot, those that are known.
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
        """Binds the bot to its lots before anyone signs up."""
        return sealed(self.secret)

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Those who take part if it begins now."""
        return self.signed[: self.plan.most]

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        """Those who wait for a place, the first one first."""
        return self.signed if self.places else self.signed[self.plan.most :]

    @property
    def last_round(self) -> Round:
        """The round that is played, or was played last."""
        return self.rounds[-1] if self.rounds else ()

    @property
    def round_over(self) -> bool:
        """Whether all tables of the round have a result."""
        return all(meeting.over for meeting in self.last_round)

    @property
    def rounds_in_all(self) -> int:
        """How many rounds there are to be."""
        return self.plan.rounds_for(len(self.places) or len(self.entrants))

    @property
    def complete(self) -> bool:
        """Whether nothing is left to be played."""
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
        """All meetings with what their tables are called here."""
        for number, meetings in enumerate(self.rounds):
            for at, meeting in enumerate(meetings):
                yield slot_of(number, at), meeting

    def place_of(self, person_id: int) -> int | None:
        """The place that a person has and plays on."""
        there = (n for n, p in enumerate(self.places) if p.person_id == person_id and not p.gone)
        return next(there, None)

    def still_in(self, place: int) -> bool:
        """Whether a place has matches to come or under way."""
        if self.phase is not Phase.RUNNING or self.places[place].gone:
            return False
        return (
            self.plan.format is not Format.KNOCKOUT
            or knockout.places_after(self.rounds)[place] == 1
        )

    def signed_up(self, person_id: int) -> bool:
        """Whether a person has signed up, or waits."""
        return any(entrant.person_id == person_id for entrant in self.signed)

    def name(self, place: int) -> str:
        """Of whoever has a place."""
        return self.names.get(self.places[place].person_id, "")

    # -- how all stand
    def seed(self) -> str:
        """What all lots follow from; empty before they are drawn."""
        if not self.message:
            return ""
        return seed_of(self.secret, self.message, [""] * len(self.places or self.entrants))

    def standings(self) -> list[Standing]:
        """How all places stand, the best first; in a knock-out, too, where ``ranks`` says more."""
        drawn = lots(self.seed(), len(self.places))
        return standings(range(len(self.places)), self.rounds, self.plan.seats, drawn.__getitem__)

    def ranks(self) -> list[tuple[int, int]]:
        """(rank, place), the best first; who lost in the same round of a knock-out share a rank."""
        if self.plan.format is Format.KNOCKOUT:
            after = knockout.places_after(self.rounds)
            return sorted((rank, place) for place, rank in after.items())
        return [(row.rank, row.place) for row in self.standings()]

    def meeting(self, slot: str) -> tuple[int, int, Meeting] | None:
        """The round and the number in it, from 0, of a meeting, and the meeting itself."""
        for number, meetings in enumerate(self.rounds):
            for at, meeting in enumerate(meetings):
                if slot_of(number, at) == slot:
                    return number, at, meeting
        return None

    # -- the next value
    def joined(self, person_id: int, name: str, rating: int) -> Tournament:
        """The tournament with somebody who has signed up."""
        signed = (*self.signed, Entrant(person_id, rating))
        return replace(self, signed=signed, names={**self.names, person_id: name})

    def drawn(self, message: int) -> Tournament:
        """The tournament with its places: lots are drawn, and ratings put before them if that was
        announced.
        """
        begun = replace(self, message=message)
        order = shuffled(rng_for(begun.seed(), "seeds"), begun.entrants)
        if self.plan.seeding is Seeding.RATING:
            order.sort(key=lambda entrant: -entrant.rating)
        places = tuple(Participant(entrant.person_id) for entrant in order)
        return replace(begun, phase=Phase.RUNNING, places=places, signed=self.waiting)

    def paired(self, apart: Collection[frozenset[int]] = ()) -> Tournament:
        """The tournament with its next round.

        :param apart: pairs of people who do not meet, as far as the format leaves a choice.
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
        """A meeting whose table is not open yet: those who are left play, if the game can be played
        by so many.
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
        """The tournament with another result of a meeting.

        :param number: of the round, from 0.
        :param at: of the meeting in it, from 0.
        """
        meetings = list(self.rounds[number])
        meetings[at] = Meeting(meetings[at].players, tuple(ranks), played)
        rounds = list(self.rounds)
        rounds[number] = tuple(meetings)
        return replace(self, rounds=tuple(rounds))

    def without(self, place: int) -> Tournament:
        """The tournament after somebody has left it: whoever has waited longest takes over the
        place if that was announced.
        """
        left = self.places[place]
        places, signed = list(self.places), self.signed
        places[place] = replace(left, gone=True)
        if self.plan.dropouts is Dropouts.REPLACE and signed and self.still_in(place):
            newcomer, *signed_left = signed
            places[place], signed = Participant(newcomer.person_id), tuple(signed_left)
        after = replace(self, places=tuple(places), signed=signed)
        # A match whose table is not open yet is not under way.
        meetings = tuple(
            meeting
            if meeting.over or slot_of(len(self.rounds) - 1, at) in self.tables
            else after._without_gone(meeting)
            for at, meeting in enumerate(self.last_round)
        )
        return replace(after, rounds=(*self.rounds[:-1], meetings))


def slot_of(number: int, at: int) -> str:
    """What the table of a meeting is called: its round and its number in it, from 1."""
    return f"{number + 1}.{at + 1}"


def table_result(
    ranks: Sequence[int] | None, resigned: Collection[int], seats: int
) -> tuple[tuple[int, ...], bool]:
    """What a table counts that has ended, and whether it was played to a result.

    A match without a result counts as a draw. Whoever has resigned is last, whatever a computer
    player has made of the seat.

    :param ranks: by seat; None: there is no result.
    :param resigned: the seats of those who have.
    """
    if ranks is None:
        return (1,) * seats, False
    order = [(seat in resigned, rank) for seat, rank in enumerate(ranks)]
    return tuple(1 + sum(other < own for other in order) for own in order), True
