"""What speaks for a move beyond what a policy weighs: what it gains, saves or keeps others from.

All of it can be seen in a position before and after the move, by the rules alone. Where something
is hidden, only what the seat knows is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.engine import Fact, Game, Move
from games.isis.board import HEAVEN, MEANING, PERSONAL, UNDERWORLD, column
from games.isis.danger import dangers
from games.isis.position import COMPANY, NOWHERE, IsisState
from games.lancelot.position import SWORD_SETTING, LancelotState
from games.players.lancelot import ripe
from games.twilight.cards import CARDS, PURGATORY, RANK
from games.twilight.position import NOBODY, TwilightState

NOTABLE = 3
"""Moves fewer that are worth a word."""

Motives = Callable[[Game[Any], Any, int, Move], Iterator[Fact]]


def lancelot(
    game: Game[LancelotState], state: LancelotState, seat: int, move: Move
) -> Iterator[Fact]:
    """``safe``: no stone of the seat's can be taken next. ``evens``: others lead lines no more.
    ``joins``: it is in line with so many own stones, where nobody else leads.
    """
    if state.phase == SWORD_SETTING:
        return
    after = state.clone()
    game.do(after, seat, move)
    others = [other for other in range(len(state.stock)) if other != seat]
    if after.turn != seat and not any(
        after.own[seat][line] for other in others for line in ripe(after, other)
    ):
        yield Fact("safe", {"seat": seat})
    for other in others:
        evened = [
            {"line": label[0], "name": label[1]}
            for line, label in enumerate(state.field.labels)
            if state.own[other][line] > 1 and state.lead(other, line) > 0 >= after.lead(other, line)
        ]
        if evened:
            yield Fact("evens", {"seat": other, "lines": evened})
    square = state.field.index.get(move)
    if square is not None:
        lines = state.field.lines_of[square]
        joined = sum(state.own[seat][line] for line in lines if state.lead(seat, line) >= 0)
        if joined:
            yield Fact("joins", {"seat": seat, "number": joined})


def isis(game: Game[IsisState], state: IsisState, seat: int, move: Move) -> Iterator[Fact]:
    """What a move does for the own stone, and against the others."""
    after = state.clone()
    game.do(after, seat, move)
    running = after.turn != NOWHERE
    before = {danger.owner for danger in dangers(state)}
    then = {danger.owner for danger in dangers(after)} if running else set()
    yield from _own_way(state, after, seat, move)
    if seat in before - then and after.personal[seat] > UNDERWORLD:
        yield Fact("shelters", {"seat": seat})
    for other in range(len(state.personal)):
        if other != seat and running:
            yield from _in_the_way(state, after, other)
            if other in then - before:
                yield Fact("endangers", {"seat": other})


def _own_way(state: IsisState, after: IsisState, seat: int, move: Move) -> Iterator[Fact]:
    """``ascends``: the own stone comes into heaven. ``onwards``: it comes so many columns nearer.
    ``lifts``: a neutral stone comes into heaven. ``frees``: the own stone has so many ways more.
    ``prepares``: the seat can turn a stone over next.
    """
    origin, square = MEANING.get(move, (NOWHERE, NOWHERE))
    if origin != NOWHERE and origin < HEAVEN.start <= square:
        yield Fact("ascends" if move.startswith(PERSONAL) else "lifts", {"seat": seat})
    elif move.startswith(PERSONAL) and UNDERWORLD < origin < square < HEAVEN.start:
        yield Fact("onwards", {"seat": seat, "number": column(square) - column(origin)})
    elif _ways(after, seat) > _ways(state, seat):
        number = _ways(after, seat) - _ways(state, seat)
        yield Fact("frees", {"seat": seat, "number": number})
    if not _may_turn(state, seat) and _may_turn(after, seat):
        yield Fact("prepares", {"seat": seat})


def _in_the_way(state: IsisState, after: IsisState, other: int) -> Iterator[Fact]:
    """``denies``: another one can no longer turn a stone over next. ``halts``: the stone of another
    one has no way, ``hampers``: or so many fewer. ``restricts``: another one has so many moves
    fewer.
    """
    if _may_turn(state, other) and not _may_turn(after, other):
        yield Fact("denies", {"seat": other})
    ways = _ways(state, other) - _ways(after, other)
    if ways > 0:
        kind = "hampers" if _ways(after, other) else "halts"
        yield Fact(kind, {"seat": other, "number": ways})
    fewer = sum(map(len, state.choices(other))) - sum(map(len, after.choices(other)))
    if fewer >= NOTABLE:
        yield Fact("restricts", {"seat": other, "number": fewer})


def _ways(state: IsisState, seat: int) -> int:
    """Where the own stone of a seat could go if it were its turn."""
    square = state.personal[seat]
    return 0 if square == NOWHERE else len(state.moves_of(square, True, state.may_descend(seat)))


def _may_turn(state: IsisState, seat: int) -> bool:
    """Whether a seat could turn a stone over if it were its turn."""
    if state.turned[seat] or (state.occupied >> HEAVEN.start).bit_count() < COMPANY:
        return False
    return any(square >= HEAVEN.start and square != state.ban for square in state.neutral)


def twilight(
    game: Game[TwilightState], state: TwilightState, seat: int, move: Move
) -> Iterator[Fact]:
    """``spares``: a partner gives the card. ``robs``: somebody of the other side has to.
    ``weakest``: the seat gives away no higher card than it must.
    """
    place = state.turn
    target = state.seating.targets.get(move)
    if target is not None:
        giver = state.seating.seats[target]
        if giver not in (seat, NOBODY):
            against = target % 2 != place % 2
            yield Fact("robs" if against else "spares", {"seat": giver})
        return
    if CARDS[move].kind == "cleric" or RANK[move] == PURGATORY:
        own = [card for card in state.choices() if card in CARDS]
        if len(own) > 1 and RANK[move] == min(RANK[card] for card in own):
            yield Fact("weakest", {"seat": seat})


MOTIVES: Mapping[str, Motives] = {"isis": isis, "lancelot": lancelot, "twilight": twilight}
"""By the game's id; for other games the policy tells enough."""
