"""Isolde for computer players: the value of places and fields, now and in later rounds.

The search looks ahead to the end of the round. The value of a position is then the points won so
far and, for each board, the points its pieces can expect from the scorings before it is reset. The
value of a card is what it adds to that sum. The sooner a scoring comes, the more certain it is that
a leader still leads.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import erf, sqrt, tanh
from statistics import fmean
from typing import Any, NamedTuple

from games.engine import Fact, Move
from games.house import NOBODY
from games.isolde.boards import Barmherzigkeit, IsoldeBoard, Koenig, Studien
from games.isolde.cards import CARD, VALUE, Card, cards_named, less
from games.isolde.draft import DraftCard
from games.isolde.piles import Assign, Pile, Split, colours_of
from games.isolde.rounds import Route, Turn, totals
from games.isolde.state import Board, Due, IsoldeState, Rules
from games.isolde.steps import DECLINE
from games.isolde.variants.barmherzigkeit import Claim, Exchange, Partner
from games.isolde.variants.galanterie import FAVOURS, FIFTH_CARD, NEXT_STARTER, Galanterie
from games.isolde.variants.gralssuche import Reckoning
from games.isolde.variants.herausforderung import Bet, Herausforderung
from games.isolde.variants.kodex import CodexPlace, Kodex, Look, Take
from games.isolde.variants.koenig import Scrolls
from games.isolde.variants.magie import Magie
from games.isolde.variants.turnier import Knight
from games.players.policy import Policy

FIELD = 2.0
"""The value of moving one field on another board, in points. It is high, because the board can be
chosen at the last moment.
"""

BONUSES = (5.0, 3.0, 1.0)
"""Galanterie: the value of the bonuses left to each place, in fields."""

CARDS_BET = 1.3
"""Herausforderung: how many cards are played on the board of a bet, on average."""

POSITIVE_SHIELDS = 7
"""The variant Gralssuche: a colour's positive shields at the end, on average."""

SWAPPED = 2.0
"""The variant Barmherzigkeit: the value of each shield that changes hands."""

LUCK_OF_CODEX = 0.7
"""Kodex: the share of a shield's penalty that counts for a place, because no place is certain to
get that shield.
"""

SCROLL_TAKEN = 1.5
"""The variant Koenig: how many rounds pass until a scroll is taken, on average."""

DRIFT = 4.0
"""By how many fields one piece's lead over another typically changes in a round."""

PROGRESS = 2.0
"""How many fields a piece moves in a round, on average."""

BRINK = 0.1
"""How much of a round is left, as a fraction, once a colour has played all its cards."""

STEEPNESS = 1 / 12
"""How steeply the chance of winning rises with each point of the lead."""

INTEREST = 0.3
"""The basic weight of any move; each point that the move adds raises the weight by 1."""

FIELDS_BET = 2
"""Herausforderung: the fields that a bet moves for each card, on average."""

HESITATION = 0.6
"""A quick choice may be worse than the best move by up to this many points."""

REACH = 300
"""The largest distance between two pieces on a board, in fields."""

WORTHS_REMEMBERED = 30_000
"""How many results of ``_worths`` are cached, and about as many values in ``Worths``."""

Advance = tuple[int, int]
"""The slot of a board, and the number of fields that a piece may be moved there."""


class IsoldePolicy(Policy[IsoldeState]):
    """Judges moves by the places and fields that they gain on the boards, with any variants."""

    rounds = 1
    worlds = 200
    boldness = 1.0
    silent = frozenset(
        {"passed_on", "reset", "shield"}  # follow whichever move is made
        | {"assigned", "bet", "bonus", "claimed", "declined", "looked", "partner", "pile_taken"}
        | {"codex_open", "codex_seen", "codex_taken", "nothing_to_give"}
        | {"cup", "forced", "scroll", "turned_up"}
    )

    def weights(self, state: IsoldeState, seat: int, moves: Sequence[Move]) -> list[float]:
        """Weight moves by the points that they are expected to gain."""
        return [INTEREST + gain for gain in _gains(state, seat, moves)]

    def pick(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Return the move that adds the most points, or nearly the most."""
        moves = self.game.legal(state, seat)
        best, most = moves[0], -1.0
        for move, gain in zip(moves, _gains(state, seat, moves), strict=True):
            promise = gain + HESITATION * rng.random()
            if promise > most:
                best, most = move, promise
        return best

    def values(self, state: IsoldeState) -> Sequence[float]:
        """Return each seat's value, computed from its lead in points over the best of the others,
        including expected points.
        """
        points = [0.0] * state.rules.players
        won = totals(state)
        expected = _expected(state) if state.agenda else [0.0] * len(won)
        for colour, owner in enumerate(state.rules.seating.owners):
            if owner is not None:
                points[owner] += won[colour] + expected[colour]
        return [
            tanh(STEEPNESS * (mine - max(points[:seat] + points[seat + 1 :])))
            for seat, mine in enumerate(points)
        ]

    def motives(self, state: IsoldeState, seat: int, move: Move) -> list[Fact]:
        """Return the motives for a move. ``leads``: the card or bonus is enough for first place on
        a board. ``escapes``: it is enough to leave a last place that costs points. ``climbs``: it
        is enough for some other, better place. ``pays``: how many points the field on the King's
        board is then worth, if that is more than before. ``fits``: how many of the cards dealt can
        be played on the board of a bet. ``harmless``: a shield of the codex that certainly costs
        nothing is taken. ``claims``: the value of the shields that are claimed.
        """
        verb, _, argument = move.partition(":")
        if verb == Claim.verb:
            return [Fact("claims", {"points": _value_claimed(move)})]
        colour = _mover(state, seat)
        if state.rules.seating.owners[colour] != seat:
            return []
        if verb == Bet.verb:
            fitting = _fitting(state, seat, colour, argument)
            return [fitting] if fitting.data["number"] else []
        if verb == Take.verb:
            shield = _shield_at(state, seat, argument)
            return [shield] if shield.kind == "harmless" else []
        told = []
        for slot, fields in _advances(state, colour, move):
            told += _motives(state, state.rules.boards[slot], colour, fields)
        return told

    def traits(self, state: IsoldeState, seat: int, move: Move) -> list[Fact]:
        """Return the traits of a move: where a piece would be on a board if only this card or bonus
        moved it. ``ahead``, ``behind_first``: by how many fields it is ahead of the best other
        piece, or behind it. ``level``: it is level with the best. ``neutral``: how many fields a
        piece that belongs to nobody moves.

        Moves that advance no piece have traits of their own. ``divides``: the total values of the
        cards that the move lists or takes, and of the others. ``fits``: how many of the cards dealt
        can be played on the board of the bet. ``stands``: where a piece that belongs to nobody
        stands on the board of its bet. ``harmless``, ``costs``, ``unseen``: what the seat knows
        about a shield of the codex. ``claimable``: the value of the shields that can be claimed
        from a partner. ``still``: no piece moves.
        """
        verb, _, argument = move.partition(":")
        colour = _mover(state, seat)
        if verb in _TRAITS:
            return [_TRAITS[verb](state, seat, colour, argument)]
        if argument == DECLINE or argument.startswith(f"{NEXT_STARTER}>"):
            return [Fact("still", {})]
        if state.rules.seating.owners[colour] is None:
            return [
                Fact(
                    "neutral",
                    {"colour": colour, "board": state.rules.boards[slot].id, "number": fields},
                )
                for slot, fields in _advances(state, colour, move)
            ]
        if state.rules.seating.owners[colour] != seat:
            return []
        told = []
        for slot, fields in _advances(state, colour, move):
            row = state.positions[slot]
            lead = row[colour] + fields - max(row[:colour] + row[colour + 1 :])
            kind = "ahead" if lead > 0 else "behind_first" if lead else "level"
            data = {"colour": colour, "board": state.rules.boards[slot].id, "number": abs(lead)}
            told.append(Fact(kind, data))
        return told

    def drawbacks(self, state: IsoldeState, seat: int, move: Move) -> list[Fact]:
        """Return the drawbacks of a move. ``lags``: the seat's piece stays in last place on a board
        where that costs points in this round.
        """
        colour = _mover(state, seat)
        if state.rules.seating.owners[colour] != seat or move not in state.rules.plays:
            return []
        after = state.clone()
        self.game.do(after, seat, move)
        if after.round != state.round:
            return []
        return [
            Fact("lags", {"colour": colour, "board": board.id})
            for board in state.rules.boards
            if board.due(after) and (places := _stakes(board).places) and places[-1] < 0
            if _is_last(state, board, colour) and _is_last(after, board, colour)
        ]


# ------------------------------------------------------- traits of moves that advance no piece
def _fitting(state: IsoldeState, seat: int, colour: int, board: str) -> Fact:
    """Return how many of the cards dealt can be played on the board of a bet; for a colour that
    belongs to nobody, where its piece stands there.
    """
    rules, slot = state.rules, state.rules.board[board].slot
    data = {"colour": colour, "board": board}
    if rules.seating.owners[colour] is None:
        return Fact("stands", data | {"field": state.positions[slot][colour]})
    return Fact("fits", data | {"number": sum(slot in rules.routes[c] for c in state.packs[seat])})


def _shield_at(state: IsoldeState, seat: int, place: str) -> Fact:
    """Return what a seat knows about a shield of the codex: that it costs nothing, how many points
    it costs, or how many of the shields that the seat has not seen cost points.
    """
    places: Sequence[CodexPlace] = state.notes[state.rules.board[Kodex.id].slot]
    unseen = [each.value for each in places if seat not in each.known]
    there = places[int(place) - 1]
    possible = {there.value} if seat in there.known else set(unseen)
    if len(possible) > 1:
        return Fact("unseen", {"number": sum(value < 0 for value in unseen), "of": len(unseen)})
    (value,) = possible
    return Fact("costs", {"points": -value}) if value else Fact("harmless", {})


def _divided(state: IsoldeState, seat: int, listed: str) -> Fact:
    cards, all_ = cards_named(listed.split(",")), state.packs[seat]
    return _totals(cards, less(all_, cards))


def _pile_taken(state: IsoldeState, seat: int, pile: str) -> Fact:
    piles = state.piles[1 - seat]
    taken = int(pile) - 1
    return _totals(piles[taken], piles[1 - taken])


def _totals(cards: Iterable[Card], others: Iterable[Card]) -> Fact:
    these, rest = (sum(VALUE[card] for card in each) for each in (cards, others))
    return Fact("divides", {"these": these, "rest": rest})


def _claimable(state: IsoldeState, seat: int, colour: int, partner: str) -> Fact:
    """Return the value of the best shields that can be claimed from a partner."""
    claims, *_ = state.agenda[-1].data
    other, after = int(partner) - 1, state.clone()
    after.then(Due(Claim.name, colour, (other, claims)))
    moves = state.rules.steps[Claim.name].legal(after, seat)
    points = max(map(_value_claimed, moves), default=0)
    return Fact("claimable", {"colour": colour, "partner": other, "points": points})


def _value_claimed(move: Move) -> int:
    return sum(map(int, move.partition(":")[2].split("+")))


_TRAITS: Mapping[str, Callable[[IsoldeState, int, int, str], Fact]] = {
    Assign.verb: lambda state, seat, _, listed: _divided(state, seat, listed),
    Bet.verb: _fitting,
    Look.verb: lambda state, seat, _, place: _shield_at(state, seat, place),
    Partner.verb: _claimable,
    Pile.verb: lambda state, seat, _, pile: _pile_taken(state, seat, pile),
    Split.verb: lambda state, seat, _, listed: _divided(state, seat, listed),
    Take.verb: lambda state, seat, _, place: _shield_at(state, seat, place),
}
"""The functions that find the trait of a move, by its verb."""


# ----------------------------------------------------------------- what moves may bring about
def _mover(state: IsoldeState, seat: int) -> int:
    """Return the colour for which the seat decides."""
    colour = state.agenda[-1].colour
    return seat if colour == NOBODY else colour


def _advances(state: IsoldeState, colour: int, move: Move) -> Sequence[Advance]:
    """Return where a move advances a piece, or may do so later in the round."""
    rules = state.rules
    play = rules.plays.get(move)
    if play is not None:
        card, slot = play
        return [(slot, VALUE[card])]
    verb, _, argument = move.partition(":")
    if verb == "keep":
        return _advances_by_card(rules, CARD[argument])
    if argument == DECLINE:
        return []
    if verb == "magic":
        target, _, fields = argument.partition("+")
        return [(rules.board[target].slot, int(fields))]
    if verb == "bonus":
        return _advances_by_bonus(state, colour, argument)
    return []


@cache
def _advances_by_card(rules: Rules, card: Card) -> Sequence[Advance]:
    return [(slot, VALUE[card]) for slot in rules.routes[card]]


def _advances_by_bonus(state: IsoldeState, colour: int, bonus: str) -> Sequence[Advance]:
    """Return where a bonus from the Isolde board moves a piece, with or without Galanterie."""
    rules = state.rules
    if bonus in rules.board:
        (fields,) = state.agenda[-1].data
        return [(rules.board[bonus].slot, fields)]
    name, _, target = bonus.partition(">")
    if name == FIFTH_CARD:
        return _advances_by_card(rules, state.hands[colour][0])
    fields_of = FAVOURS[name].fields
    if fields_of is None:
        return []
    return [(rules.board[target or Koenig.id].slot, fields_of(rules.numbers))]


def _gains(state: IsoldeState, seat: int, moves: Sequence[Move]) -> list[float]:
    """Return the expected points of each move, never below zero."""
    colour = _mover(state, seat)
    if state.rules.seating.owners[colour] != seat:
        return [0.0] * len(moves)  # no seat benefits if the neutral colour gains something
    judge = _JUDGES.get(state.agenda[-1].step, _advancing)
    return judge(state, seat, colour, moves)


def _advancing(state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]) -> list[float]:
    """Return the gain from moving a piece, on the best of the boards that each move allows."""
    gain = _gain_of(state, colour)
    gains = []
    for move in moves:
        most = 0.0
        for advance in _advances(state, colour, move):
            brought = gain(advance)
            if brought > most:
                most = brought
        gains.append(most)
    return gains


def _gain_of(state: IsoldeState, colour: int) -> Callable[[Advance], float]:
    """Return a function that gives the gain from moving the colour's piece; it is valid only while
    the position stays the same.
    """
    rules, round_ = state.rules, state.round
    left = _cards_left(state, colour)
    start = [row[colour] for row in state.positions]
    if state.agenda[-1].step == DraftCard.name:
        _add_kept(state, colour, start)

    by_slot: dict[int, Worths] = {}

    def gain(advance: Advance) -> float:
        slot, fields = advance
        worths = by_slot.get(slot)
        if worths is None:
            rivals = _rivals(state.positions[slot], colour)
            worths = by_slot[slot] = _worths_for(rules, slot, round_, left, rivals)
        at = start[slot]
        return max(0.0, worths[at + fields] - worths[at])

    return gain


def _betting(state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]) -> list[float]:
    """Herausforderung: return the gain from winning a bet on a board, estimated from how many of
    the cards dealt can be played there.
    """
    rules, gain = state.rules, _gain_of(state, colour)
    routes = [rules.routes[card] for card in state.packs[seat]]
    gains = []
    for move in moves:
        slot = rules.board[move.partition(":")[2]].slot
        cards = sum(1 / len(slots) for slots in routes if slot in slots)
        gains.append(gain((slot, round(FIELDS_BET * cards))))
    return gains


def _worths_of_cards(state: IsoldeState, colour: int) -> Callable[[Iterable[Card]], float]:
    """Return a function that gives a colour's gain from cards, as the sum of what each would gain
    alone.
    """
    gain = _gain_of(state, colour)

    @cache
    def worth(card: Card) -> float:
        return max(map(gain, _advances_by_card(state.rules, card)))

    return lambda cards: sum(map(worth, cards))


def _splitting(state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]) -> list[float]:
    """The Lancelot game: return the value of the worse pile, because the opponent may take the
    better one.
    """
    worth = _worths_of_cards(state, colour)
    whole = worth(state.packs[seat])
    first = [worth(cards_named(move.partition(":")[2].split(","))) for move in moves]
    return [min(pile, whole - pile) for pile in first]


def _taking_a_pile(
    state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]
) -> list[float]:
    worth, piles = _worths_of_cards(state, colour), state.piles[1 - seat]
    return [worth(piles[int(move.partition(":")[2]) - 1]) for move in moves]


def _assigning(state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]) -> list[float]:
    """Return the value of one half for the first colour, plus that of the other half for the
    second.
    """
    first, second = (_worths_of_cards(state, own) for own in colours_of(seat))
    pack = state.packs[seat]
    halves = [cards_named(move.partition(":")[2].split(",")) for move in moves]
    return [first(half) + second(less(pack, half)) for half in halves]


def _codex(state: IsoldeState, seat: int) -> Sequence[float]:
    """Return how much better the shield at each place is than the worst on the codex. A shield that
    the seat has not seen counts as the average of the unseen ones.
    """
    board = state.rules.board[Kodex.id]
    places: Sequence[CodexPlace] = state.notes[board.slot]
    unseen = [place.value for place in places if seat not in place.known]
    average = fmean(unseen) if unseen else 0.0
    worst = min(board.numbers.codex)
    return [(place.value if seat in place.known else average) - worst for place in places]


def _taking_a_shield(
    state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]
) -> list[float]:
    """Kodex: return how much better each shield is than the worst on the codex; an unknown one
    counts as the average of all unknown shields.
    """
    codex = _codex(state, seat)
    return [codex[int(move.partition(":")[2]) - 1] for move in moves]


def _looking(state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]) -> list[float]:
    """Kodex: return the value of looking at a shield; it is zero if the seat has seen it
    already.
    """
    places: Sequence[CodexPlace] = state.notes[state.rules.board[Kodex.id].slot]
    seen = [seat in places[int(move.partition(":")[2]) - 1].known for move in moves]
    return [0.0 if known else 1.0 for known in seen]


def _claiming(state: IsoldeState, seat: int, colour: int, moves: Sequence[Move]) -> list[float]:
    return [float(_value_claimed(move)) for move in moves]


_JUDGES: Mapping[str, Callable[[IsoldeState, int, int, Sequence[Move]], list[float]]] = {
    Bet.name: _betting,
    Split.name: _splitting,
    Pile.name: _taking_a_pile,
    Assign.name: _assigning,
    Take.name: _taking_a_shield,
    Look.name: _looking,
    Claim.name: _claiming,
}
"""The functions that judge the moves of these steps; ``_advancing`` judges all others."""


def _cards_left(state: IsoldeState, colour: int) -> int:
    """Return how many cards the colour will still play in this round after the present move."""
    left = state.rules.seating.plays - len(state.played[colour])
    return max(0, left - (state.agenda[-1].step in {Turn.name, Route.name}))


def _add_kept(state: IsoldeState, colour: int, start: list[int]) -> None:
    """Add the fields that the cards kept so far will move pieces; the fields of a card that fits
    more than one board are divided among them.
    """
    for card in state.kept[colour]:
        slots = state.rules.routes[card]
        for slot in slots:
            start[slot] += VALUE[card] // len(slots)


def _motives(state: IsoldeState, board: Board, colour: int, fields: int) -> list[Fact]:
    if not _scorings(state.rules, board.slot, state.round, 0):
        return []
    after = state.clone()
    after.move_piece(board.slot, colour, fields)
    stakes = _stakes(board)
    data: dict[str, Any] = {"colour": colour, "board": board.id}
    if stakes.fields:
        points = [
            sum(points for field, points in stakes.fields if field <= position)
            for position in (row[board.slot][colour] for row in (state.positions, after.positions))
        ]
        return [Fact("pays", data | {"points": points[1]})] if points[1] > points[0] else []
    told = []
    if stakes.places[0] > 0 and _is_first(after, board, colour) > _is_first(state, board, colour):
        told.append(Fact("leads", data))
    if stakes.places[-1] < 0 and _is_last(state, board, colour) > _is_last(after, board, colour):
        told.append(Fact("escapes", data))
    gained = _prize(after, board, colour) - _prize(state, board, colour)
    if not told and gained > 0:
        place = after.order[board.slot].index(colour) + 1
        told.append(Fact("climbs", data | {"place": place}))
    return told


def _prize(state: IsoldeState, board: Board, colour: int) -> float:
    """Return the points for the place of a piece on a board where places count."""
    places, order = _stakes(board).places, state.order[board.slot]
    return places[order.index(colour)] if colour in order else min(0.0, places[-1])


def _is_first(state: IsoldeState, board: Board, colour: int) -> bool:
    return state.order[board.slot][:1] == [colour]


def _is_last(state: IsoldeState, board: Board, colour: int) -> bool:
    """Return whether the piece is last, alone or with all others that have not moved."""
    return colour in (board.unmoved(state) or state.order[board.slot][-1:])


# ------------------------------------------------------------------ what positions are worth
Scoring = tuple[int, Sequence[float], int]
"""A future scoring of a board, or all later ones treated as one: the number of scorings; the chance
of being ahead at that time, indexed by lead plus REACH; and the fields that a piece moves until
then.
"""


def _expected(state: IsoldeState) -> list[float]:
    """Return the points that each colour can expect on all boards before they are reset, seen from
    the start of a round.
    """
    rules, round_ = state.rules, state.round
    boards = [_worths(rules, slot, round_, tuple(row)) for slot, row in enumerate(state.positions)]
    return list(map(sum, zip(*boards, strict=True)))


@lru_cache(maxsize=WORTHS_REMEMBERED)
def _worths(rules: Rules, slot: int, round_: int, row: tuple[int, ...]) -> tuple[float, ...]:
    """Return the points that each colour can expect on a board, seen from the start of a round."""
    left = rules.seating.plays
    return tuple(
        _worths_for(rules, slot, round_, left, _rivals(row, colour))[position]
        for colour, position in enumerate(row)
    )


def _rivals(row: Sequence[int], colour: int) -> tuple[int, ...]:
    """Return the positions of the other pieces on a board, sorted."""
    others = list(row)
    del others[colour]
    others.sort()
    return tuple(others)


class Worths(dict[int, float]):
    """The points that a colour can expect on a board, by the position of its piece. Each is
    computed when it is first needed.

    :param left: the cards that the colour still has to play in this round.
    :param rivals: the positions of the other pieces, sorted.
    """

    def __init__(
        self, rules: Rules, slot: int, round_: int, left: int, rivals: tuple[int, ...]
    ) -> None:
        super().__init__()
        self._stakes = _stakes(rules.boards[slot])
        self._scorings = _scorings(rules, slot, round_, left)
        self._rivals = rivals

    def __missing__(self, position: int) -> float:
        places, fields = self._stakes
        worth = 0.0
        for times, chances, progress in self._scorings:
            if fields:
                at = REACH + position + progress
                for field, points in fields:
                    worth += times * points * (chances[at - field] + chances[at - field + 1]) / 2
                continue
            points_by_place = places
            for rival in self._rivals:
                chance = chances[REACH + rival - position]
                points_by_place = [
                    better + chance * (worse - better)
                    for better, worse in pairwise(points_by_place)
                ]
            worth += times * points_by_place[0]
        self[position] = worth
        return worth


_worths_for = lru_cache(maxsize=WORTHS_REMEMBERED // 10)(Worths)  # each holds about ten positions


@cache
def _scorings(rules: Rules, slot: int, round_: int, left: int) -> tuple[Scoring, ...]:
    """Return the next scoring of a board before it is reset, and all later ones combined."""
    board = rules.boards[slot]
    now = BRINK + (1 - BRINK) * left / rules.seating.plays
    if isinstance(board, Scrolls):
        return (_scoring([SCROLL_TAKEN]),)
    last = min([reset for reset in board.resets if reset >= round_], default=rules.numbers.rounds)
    times = [now + due - round_ for due in board.rounds if round_ <= due <= last]
    return tuple(_scoring(part) for part in (times[:1], times[1:]) if part)


def _scoring(times: Sequence[float]) -> Scoring:
    mean = sum(times) / len(times)
    return len(times), _chances(mean), round(PROGRESS * mean)


@cache
def _chances(time: float) -> tuple[float, ...]:
    """Return how likely a piece is to be ahead after some rounds, by its lead plus REACH."""
    spread = DRIFT * sqrt(2 * time)
    return tuple((1 + erf(lead / spread)) / 2 for lead in range(-REACH, REACH + 1))


# ---------------------------------------------------------------------- what is to be won
class Stakes(NamedTuple):
    """The points at stake in a scoring of a board, by place or by field.

    :param places: points by place.
    :param fields: fields, each with the additional points from there on.
    """

    places: Sequence[float]
    fields: Sequence[tuple[int, int]] = ()


def _stakes(board: Board) -> Stakes:
    """Return the stakes of a board, which depend on its kind."""
    kind = next((kind for kind in type(board).__mro__ if kind in _STAKES), Board)
    return _STAKES[kind](board)


def _by_place(board: Board, prizes: Sequence[float], penalties: Sequence[float] = ()) -> Stakes:
    """Return prizes from the first place down, and penalties from the last place up."""
    places = [0.0] * board.colours
    for place, points in enumerate(prizes):
        places[place] += points
    for place, points in enumerate(penalties[: 2 if board.large else 1], 1):
        places[-place] += points
    return Stakes(tuple(places))


def _exchanged(board: Board, swapped: Sequence[float]) -> Stakes:
    swapped = swapped if board.large else swapped[:1]
    return _by_place(board, swapped, [-points for points in swapped])


def _by_field(points: Sequence[tuple[int, int]]) -> Stakes:
    """Return, for each field, how many points more it is worth than the previous field."""
    fields, values = zip(*reversed(points), strict=True)
    steps = [value - less for value, less in zip(values, (0, *values), strict=False)]
    return Stakes((), tuple(zip(fields, steps, strict=True)))


_STAKES: Mapping[type[Any], Callable[[Any], Stakes]] = {
    Board: lambda board: _by_place(board, board.prizes),
    IsoldeBoard: lambda board: _by_place(board, [FIELD * fields for fields in board.prizes]),
    Magie: lambda board: _by_place(board, [FIELD * fields for fields in board.prizes]),
    Galanterie: lambda board: _by_place(board, [FIELD * n for n in BONUSES[: len(board.prizes)]]),
    Herausforderung: lambda board: _by_place(board, [FIELD * CARDS_BET * n for n in board.prizes]),
    Knight: lambda board: _by_place(
        board,
        [
            (most + least) / 2
            for most, least in zip(
                board.awarded(board.numbers.knights_won), board.prizes, strict=True
            )
        ],
    ),
    Studien: lambda board: _by_place(
        board, (), (board.numbers.studien_last, board.numbers.studien_second_last)
    ),
    Kodex: lambda board: _by_place(board, (), [LUCK_OF_CODEX * n for n in board.numbers.codex]),
    Koenig: lambda board: _by_field(board.numbers.koenig_points),
    Scrolls: lambda board: _by_field(board.numbers.scroll_points),
    Reckoning: lambda board: _by_place(
        board,
        [POSITIVE_SHIELDS / shields for shields in board.numbers.grail_shields],
        [-POSITIVE_SHIELDS / board.numbers.grail_last, 0.0],
    ),
    Barmherzigkeit: lambda board: _by_place(
        board, (), (board.numbers.barm_last, board.numbers.barm_second_last)
    ),
    Exchange: lambda board: _exchanged(
        board, [SWAPPED * (claims + 1) for claims in board.numbers.charity_claims]
    ),
}
"""By class of board, the function that returns the stakes; the most specific class that is listed
counts.
"""
