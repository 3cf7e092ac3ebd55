"""What speaks for a move beyond what a policy weighs: what it gains, saves or keeps others from.

All of it can be seen in a position before and after the move, by the rules alone. Where something
is hidden, only what the seat knows is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.engine import Fact, Game, Move
from games.isis.board import HEAVEN, PERSONAL, column
from games.isis.danger import dangers
from games.isis.position import COMPANY, NOWHERE, IsisState
from games.lancelot.position import SWORD_SETTING, LancelotState
from games.players.lancelot import ripe
from games.twilight.cards import CARDS, PURGATORY, RANK
from games.twilight.position import NOBODY, TwilightState

Motives = Callable[[Game[Any], Any, int, Move], Iterator[Fact]]


def lancelot(
    game: Game[LancelotState], state: LancelotState, seat: int, move: Move
) -> Iterator[Fact]:
    """``safe``: no stone of the seat's can be taken next. ``evens``: others lead lines no more."""
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


def isis(game: Game[IsisState], state: IsisState, seat: int, move: Move) -> Iterator[Fact]:
    """``ascends``: the own stone comes into heaven. ``onwards``: it comes so many columns nearer.
    ``prepares``: the seat can turn a stone over next. ``denies``: another one no longer can.
    ``shelters``: the own stone is in danger of being locked in no more. ``endangers``: somebody
    else's is.
    """
    after = state.clone()
    game.do(after, seat, move)
    own, then = state.personal[seat], after.personal[seat]
    if move.startswith(PERSONAL) and then > own:
        if own < HEAVEN.start <= then:
            yield Fact("ascends", {"seat": seat})
        elif own > 0 and column(then) > column(own) and then < HEAVEN.start:
            yield Fact("onwards", {"seat": seat, "number": column(then) - column(own)})
    if not _may_turn(state, seat) and _may_turn(after, seat):
        yield Fact("prepares", {"seat": seat})
    in_danger = {danger.owner for danger in dangers(state)}
    endangered = {danger.owner for danger in dangers(after)} if after.turn != NOWHERE else set()
    for other in range(len(state.personal)):
        if other == seat:
            if seat in in_danger and seat not in endangered and then > 0:
                yield Fact("shelters", {"seat": seat})
            continue
        if _may_turn(state, other) and not _may_turn(after, other):
            yield Fact("denies", {"seat": other})
        if other in endangered and other not in in_danger:
            yield Fact("endangers", {"seat": other})


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
