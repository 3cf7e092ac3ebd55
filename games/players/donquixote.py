"""Don Quixote for computer players: how a tile affects the roads around its field, now and later.

No seat can affect another principality, so each seat plays for points as if it were alone.
Connections remain, and score in every later round. How much they can grow depends on how many of
their roads lead to empty fields. Without a search, the policy picks the tile that adds most to
their points and growth together.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from typing import NamedTuple

from games.donquixote import QuixoteState
from games.donquixote.position import HAND_SIZES, ROUNDS
from games.donquixote.principality import (
    ALL_HALVES,
    CASTLE_4,
    CASTLE_6,
    CHURCHES,
    DEFENCE_POINTS,
    GROUP_POINTS,
    KNIGHTS,
    KNIGHTS_NEEDED,
    LAST_ROUND,
    STRENGTH_NEEDED,
    STRETCH,
    STRONGER,
    STRONGEST,
    WINDMILLS,
    Principality,
    laid,
)
from games.donquixote.tiles import CASTLES, CHURCH, FIELDS, PORTS, SANCHO, WAY_TILES, WINDMILL
from games.engine import Fact, Move, View
from games.players.policy import Policy

MIDDLING, SPAN = 50.0, 40.0
"""The total that has the value 0, and how many points more it takes for the value 1."""

DOUBT = 6.0
"""A move whose estimate is this many points lower has about a third of the best move's weight."""

BY_SEAT = ("boards", "hands", "locked", "stacks", "sancho", "left_over", "totals", "scored")
"""The keys of a view's lists that are indexed by seat."""


class DonQuixotePolicy(Policy[QuixoteState]):
    """Knows the value of the seat's connections, and ignores the other seats."""

    boldness = 2.0
    silent = frozenset({"left_over"})

    def view(self, view: View) -> View:
        """Return the view as it would be if the seat played alone: with the same tiles and fields,
        and the same chances.
        """
        seat = view.viewer
        if view.players == 1 or seat is None or seat not in view.actors:
            return view
        public = {**view.public, **{name: [view.public[name][seat]] for name in BY_SEAT}}
        return replace(view, players=1, viewer=0, actors=(0,), public=public)

    def weights(self, state: QuixoteState, seat: int, moves: Sequence[Move]) -> list[float]:
        """Weight moves by their estimates without a search."""
        worths = Site(state.lands[seat], state.field).worths(moves)
        most = max(worths)
        return [exp((worth - most) / DOUBT) for worth in worths]

    def pick(self, state: QuixoteState, seat: int, rng: random.Random) -> Move:
        """Return the move with the best estimate without a search."""
        moves = self.game.legal(state, seat)
        worths = Site(state.lands[seat], state.field).worths(moves)
        return moves[worths.index(max(worths))]

    def glance(self, state: QuixoteState, seat: int, move: Move) -> float:
        """Return the share of the tile's ports where its roads meet other roads."""
        faced = sum(faced for _, faced in laid(move, state.field).roads)
        return (faced & state.lands[seat].exits).bit_count() / len(PORTS)

    def values(self, state: QuixoteState) -> Sequence[float]:
        """Return each player's value, computed from the points so far."""
        totals = map(state.total, range(len(state.lands)))
        return [max(-1.0, min(1.0, (total - MIDDLING) / SPAN)) for total in totals]

    def motives(self, state: QuixoteState, seat: int, move: Move) -> list[Fact]:
        """Return the motives for a move. ``connects``: churches or windmills become connected.
        ``garrisons``: knights reach a castle. ``guards``: a knight defends the country. ``meets``:
        how many of the new tile's roads connect.
        """
        before = state.lands[seat]
        after = before.clone()
        after.lay(move, state.field)
        return [
            *_connected(before, after, seat),
            *_garrisoned(before, after, seat, state.round),
            *_guarded(before, after, seat, state.round),
            *_met(before, move, state.field, seat),
        ]

    def traits(self, state: QuixoteState, seat: int, move: Move) -> list[Fact]:
        """Return the traits of a move. ``opens``: how many of its roads lead to empty fields."""
        lies = laid(move, state.field)
        inside = sum(faced.bit_count() for _, faced in lies.roads)
        number = inside - (lies.exits & state.lands[seat].covered).bit_count()
        return [Fact("opens", {"seat": seat, "number": number})]

    def tempting(self, state: QuixoteState, seat: int) -> Move | None:
        """Return the tile with the most roads that connect; among several, the first one dealt.
        None if no road connects.
        """
        moves = self.game.legal(state, seat)
        met = [self.glance(state, seat, move) for move in moves]
        most = max(met)
        return moves[met.index(most)] if most > 0 else None

    def drawbacks(self, state: QuixoteState, seat: int, move: Move) -> list[Fact]:
        """Return the drawbacks of a move. ``ends``: how many of its roads run into a tile that has
        no road there. ``seals``: how many of the seat's open roads it cuts off.
        """
        land, where = state.lands[seat], state.field
        lies = laid(move, where)
        faced = sum(faced for _, faced in lies.roads)
        ended = (lies.exits & land.covered).bit_count() - (faced & land.exits).bit_count()
        sealed = (land.exits & ports_at(where) & ~faced).bit_count()
        found = (("ends", ended), ("seals", sealed))
        return [Fact(kind, {"seat": seat, "number": number}) for kind, number in found if number]


# ---------------------------------------------------------------------------- the motives
def _connected(before: Principality, after: Principality, seat: int) -> Iterator[Fact]:
    for mark, symbol in ((CHURCHES, CHURCH), (WINDMILLS, WINDMILL)):
        buildings = after.marks[mark]
        for network in after.networks:
            number = (network & buildings).bit_count()
            parts = (old for old in before.networks if old & network)
            if number > max(1, *((part & before.marks[mark]).bit_count() for part in parts), 0):
                yield Fact("connects", {"seat": seat, "symbol": symbol, "number": number})


def _garrisoned(
    before: Principality, after: Principality, seat: int, round_: int
) -> Iterator[Fact]:
    for castle in (CASTLE_6, CASTLE_4):
        number = _garrison(after, castle)
        if number > _garrison(before, castle):
            value, need = CASTLES[castle - CASTLE_6].worth, KNIGHTS_NEEDED[round_ - 1]
            yield Fact("garrisons", {"seat": seat, "value": value, "number": number, "need": need})


def _garrison(land: Principality, castle: int) -> int:
    """Return how many knights are connected to a castle."""
    return (land.halves_at_castle(castle) & land.marks[KNIGHTS]).bit_count()


def _guarded(before: Principality, after: Principality, seat: int, round_: int) -> Iterator[Fact]:
    if after.guard > before.guard:
        need = STRENGTH_NEEDED[round_ - 1]
        yield Fact("guards", {"seat": seat, "strength": after.guard, "need": need})


def _met(before: Principality, move: Move, where: str, seat: int) -> Iterator[Fact]:
    number = sum((faced & before.exits).bit_count() for _, faced in laid(move, where).roads)
    if number:
        yield Fact("meets", {"seat": seat, "number": number})


# --------------------------------------------------------------------------- what is hoped
@dataclass(frozen=True, slots=True)
class Hopes:
    """The points that pieces may still earn in addition to what they are certain to score.

    They were tuned by letting players with different hopes play against each other.

    :param single: points for a single church or windmill.
    :param pair: for two that are connected.
    :param more: for three or more.
    :param knight: for each knight.
    :param castle: for a castle with no knight, with one and with two, as a share of its value.
    :param guard: for each point of strength that defends the country.
    :param met: for each exit of a tile that connects to another exit.
    :param missed: for each exit that faces a tile without a road there.
    """

    single: float
    pair: float
    more: float
    knight: float
    castle: tuple[float, float, float]
    guard: float
    met: float
    missed: float


HOPES = (
    Hopes(1.58, 4.16, 2.22, 0.35, (0.01, 1.15, 0.77), 0.60, 0.18, -0.23),
    Hopes(0.64, 3.89, 2.63, 0.27, (0.06, 0.84, 0.88), 0.34, -0.03, -0.22),
    Hopes(1.74, 2.78, 1.28, 0.88, (0.12, 0.57, 1.37), 0.55, 0.14, -0.93),
)
"""The hopes in each round, for connections with two exits to empty fields."""

CHANCES = (0.0, 0.67, 1.0, 1.64)
"""Factors for connections with no exit to an empty field, with one, with two, and with more."""

MANY = len(CHANCES) - 1
"""Exits beyond this number make no difference."""

FADING = 4.1
"""With this many empty fields left, hopes count only half."""


class Prospects(NamedTuple):
    """Tables of the total value of pieces in points: their certain score plus the hopes.

    The lists are indexed by the number of connected buildings or knights, or by the strength of the
    guard; the inner lists by the number of exits to empty fields.

    :param castle: in shares of the castle's value rather than points.
    :param group: whether the strongest group of knights is scored in this round.
    """

    buildings: list[list[float]]
    knights: list[list[float]]
    castle: list[list[float]]
    guard: list[float]
    group: bool
    met: float
    missed: float


@cache
def prospects(left: int) -> Prospects:
    """Return the prospects after a placement that leaves this many fields empty."""
    round_ = next(number for number in range(1, ROUNDS + 1) if left >= sum(HAND_SIZES[number:]))
    hopes, later = HOPES[round_ - 1], slice(round_ - 1, ROUNDS)
    fade = left / (left + FADING)
    chances = [fade * chance for chance in CHANCES]
    amounts = range(1 + sum(tile.worth for tile in WAY_TILES))

    def scorings(amount: int, needed: Sequence[int]) -> int:
        return sum(amount >= need for need in needed[later])

    def hoping(sure: float, hope: float) -> list[float]:
        return [sure + chance * hope for chance in chances]

    growth = (0.0, hopes.single, hopes.pair, *[hopes.more] * (len(GROUP_POINTS) - 3))
    siege = (*hopes.castle, *[0.0] * len(amounts))
    return Prospects(
        buildings=[
            hoping(points * (ROUNDS + 1 - round_), hope)
            for points, hope in zip(GROUP_POINTS, growth, strict=True)
        ],
        knights=[hoping(0.0, number * hopes.knight) for number in amounts],
        castle=[hoping(scorings(number, KNIGHTS_NEEDED), siege[number]) for number in amounts],
        guard=[
            DEFENCE_POINTS * scorings(strength, STRENGTH_NEEDED)
            + fade * hopes.guard * min(strength, STRENGTH_NEEDED[-1])
            for strength in amounts
        ],
        group=round_ == LAST_ROUND,
        met=fade * hopes.met,
        missed=fade * hopes.missed,
    )


# --------------------------------------------------------------------- a field to be filled
class Road(NamedTuple):
    """A separate road of a piece on a field.

    :param exits: its ports.
    :param faced: the ports that the exits face.
    :param inland: the number of these ports.
    :param strength: the strength of the knight on it.
    """

    exits: int
    faced: int
    inland: int
    churches: int
    windmills: int
    knights: int
    strength: int


Trait = tuple[int, int, int, int, int]
"""The symbols on connected halves: churches, windmills, knights and their strength; and the number
of exits to empty fields. A plain tuple, because a playout makes thousands of them.
"""

Junction = tuple[int, Trait, float]
"""The networks that meet at certain ports, treated as one: their halves, their symbols, and their
value while they are still separate.
"""

NO_JUNCTION: Junction = (0, (0, 0, 0, 0, 0), 0)


@cache
def lying(piece: str, where: str) -> tuple[tuple[Road, ...], int]:
    """Return the roads of a piece on a field, and the strength that it adds to the defence of the
    country.
    """
    lies = laid(piece, where)
    marks = dict(lies.marks)
    found = []
    for halves, faced in lies.roads:
        church, windmill, *knight = (
            (halves & marks.get(mark, 0)).bit_count()
            for mark in (CHURCHES, WINDMILLS, KNIGHTS, STRONGER, STRONGEST)
        )
        exits = lies.exits & _ports(halves)
        inland = faced.bit_count()
        found.append(Road(exits, faced, inland, church, windmill, knight[0], sum(knight)))
    return tuple(found), lies.guard


def ports_at(where: str) -> int:
    """Return the ports that face a field, whatever piece is on it."""
    return laid(SANCHO.name, where).around


ALL_PORTS = sum(map(ports_at, FIELDS))
"""All ports that face a field."""


def _ports(halves: int) -> int:
    return halves | halves << STRETCH | halves << 2 * STRETCH


def _halves(ports: int) -> int:
    return (ports | ports >> STRETCH | ports >> 2 * STRETCH) & ALL_HALVES


class Site:
    """A field to be filled, and the value of each piece there."""

    def __init__(self, land: Principality, where: str) -> None:
        self._land, self._where = land, where
        self._prospects = prospects(len(FIELDS) - 1 - len(land.board))
        self._empty = empty = ALL_PORTS & ~(land.covered | ports_at(where))
        self._exits = land.exits
        self._ends = land.exits & empty
        touched, near = _halves(land.exits & ports_at(where)), 0
        self._near = [network for network in land.networks if network & touched]
        for network in self._near:
            near |= network
        self._strongest = land.largest_group() if self._prospects.group else 0
        self._junctions = {0: NO_JUNCTION}
        self._traits: dict[int, Trait] = {}
        self._castles: list[tuple[int, int, int, float]] = []
        for castle in (CASTLE_6, CASTLE_4):
            gates = land.marks[castle]
            if near & gates:
                value, reach = CASTLES[castle - CASTLE_6].worth, land.halves_at_castle(castle)
                self._castles.append((value, gates, reach, self._siege(reach, ())))

    def worths(self, pieces: Sequence[Move]) -> list[float]:
        """Return the value that each piece would add here, in points. An amount that is the same
        for all pieces is left out.
        """
        buildings, knights_worth, _, guards, group, met_worth, missed_worth = self._prospects
        open_exits, empty, junctions, where = self._exits, self._empty, self._junctions, self._where
        gains = []
        for piece in pieces:
            roads, guard = lying(piece, where)
            if len(roads) > 1:
                roads = self._joined(*roads)
            gain = guards[self._land.guard + guard]
            for exits, faced, inland, churches, windmills, knights, _ in roads:
                # the value of the networks once connected, minus their value while separate
                meeting = faced & open_exits
                _, (churches_met, windmills_met, knights_met, _, ends_met), parts = junctions.get(
                    meeting
                ) or self._junction(meeting)
                ends = (exits & empty).bit_count()
                met = meeting.bit_count()
                chance = ends_met + ends
                if chance > MANY:
                    chance = MANY
                gain += (
                    met_worth * met
                    + missed_worth * (inland - met - ends)
                    + buildings[churches_met + churches][chance]
                    + buildings[windmills_met + windmills][chance]
                    + knights_worth[knights_met + knights][chance]
                    - parts
                )
            if group:
                strengths = [road.strength + self._met_by(road)[1][3] for road in roads]
                gain += max(self._strongest, *strengths)
            for value, gates, reach, before in self._castles:
                arriving = [road for road in roads if self._met_by(road)[0] & gates]
                if arriving:
                    gain += value * (self._siege(reach, arriving) - before)
            gains.append(gain)
        return gains

    def _joined(self, one: Road, other: Road) -> tuple[Road, ...]:
        """Return the two roads of a tile, merged into one if a network connects them outside the
        tile.
        """
        if not self._met_by(one)[0] & self._met_by(other)[0]:
            return one, other
        return (Road(*(mine + others for mine, others in zip(one, other, strict=True))),)

    def _siege(self, reach: int, arriving: Sequence[Road]) -> float:
        """Return how much a castle is worth, as a share of its full value, after roads have added
        to its connections.
        """
        knights = ends = 0
        for road in arriving:
            reach |= self._met_by(road)[0]
            knights += road.knights
            ends += (road.exits & self._empty).bit_count()
        _, _, knights_there, _, ends_there = self._trait(reach)
        return self._prospects.castle[knights_there + knights][min(MANY, ends_there + ends)]

    def _met_by(self, road: Road) -> Junction:
        meeting = road.faced & self._exits
        return self._junctions.get(meeting) or self._junction(meeting)

    def _junction(self, met: int) -> Junction:
        touched, halves, parts = _halves(met), 0, 0.0
        for network in self._near:
            if network & touched:
                halves |= network
                parts += self._alone(network)
        known = self._junctions[met] = halves, self._trait(halves), parts
        return known

    def _alone(self, network: int) -> float:
        """Return the value of a network while the field is empty."""
        buildings, knights_worth, *_ = self._prospects
        churches, windmills, knights, _, ends = self._trait(network)
        chance = min(MANY, ends)
        return (
            buildings[churches][chance]
            + buildings[windmills][chance]
            + knights_worth[knights][chance]
        )

    def _trait(self, halves: int) -> Trait:
        known = self._traits.get(halves)
        if known is None:
            churches, windmills, knights, *_ = self._land.marks
            known = self._traits[halves] = (
                (halves & churches).bit_count(),
                (halves & windmills).bit_count(),
                (halves & knights).bit_count(),
                self._land.strength(halves) if self._prospects.group else 0,
                (_ports(halves) & self._ends).bit_count(),
            )
        return known
