"""Twin matches of Fair Isolde: equal in everything that one viewer knows, otherwise different.

The twin may have two cards of the last deal swapped and other people's sealed choices changed. If
the rest of the match can be played unchanged and looks the same to the viewer, then everything that
the bot shows, says or refuses to the viewer must be identical, too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from games.engine import CHANCE, Event, Match
from games.isolde import Isolde, IsoldeState

GAME = Isolde()
SEALED = ("keep:", "split:", "assign:")
TRIES = 40
VARIED = 0.2
"""The probability of replacing a sealed choice that still fits."""


def twin(
    match: Match[IsoldeState], viewer: int | None, rng: random.Random
) -> Match[IsoldeState] | None:
    """Another match that the viewer cannot tell from this one; None if no attempt succeeded."""
    dealt = max(
        (n for n, event in enumerate(match.log) if event.move.startswith("deal:")), default=0
    )
    before = Match.replay(GAME, match.setup, match.log[:dealt])
    seen = _seen(match, viewer)
    for _ in range(TRIES):
        log = _varied(match, before, viewer, rng)
        if log is None or log == match.log:
            continue
        other = Match.replay(GAME, match.setup, log)
        if other.view(viewer) == seen[0] and _seen(other, viewer) == seen:
            return other
    return None


def _seen(match: Match[IsoldeState], viewer: int | None) -> tuple[Any, list[Any]]:
    return match.view(viewer), list(match.history(viewer))


def _varied(
    match: Match[IsoldeState],
    before: Match[IsoldeState],
    viewer: int | None,
    rng: random.Random,
) -> list[Event] | None:
    """The log with its last deal and others' sealed choices varied; None if the rest does
    not fit.

    :param before: the match before the last deal.
    """
    deal = match.log[before.ply].move
    log = [*before.log, Event(CHANCE, rng.choice((deal, _swapped(deal, rng))))]
    state = before.state.clone()
    GAME.do(state, CHANCE, log[-1].move)
    for event in match.log[before.ply + 1 :]:
        fitting = _fitting(state, event, viewer, rng)
        if fitting is None:
            return None
        GAME.do(state, fitting.seat, fitting.move)
        log.append(fitting)
    return log


def _swapped(deal: str, rng: random.Random) -> str:
    """The deal with two cards of two packs swapped; each card has three characters."""
    packs = [_cards(pack) for pack in deal.removeprefix("deal:").split("/")]
    one, other = rng.sample(range(len(packs)), 2)
    first, second = rng.randrange(len(packs[one])), rng.randrange(len(packs[other]))
    packs[one][first], packs[other][second] = packs[other][second], packs[one][first]
    return "deal:" + "/".join("".join(pack) for pack in packs)


def _cards(pack: str) -> list[str]:
    return [pack[n : n + 3] for n in range(0, len(pack), 3)]


def _fitting(
    state: IsoldeState, event: Event, viewer: int | None, rng: random.Random
) -> Event | None:
    """The event or, in place of another person's sealed choice, a random legal one: sometimes if
    the event is legal, always if it is not. None if nothing fits.
    """
    if event.seat == CHANCE:
        draws = GAME.chance(state)
        return event if draws is None or event.move in dict(draws) else None
    legal: Sequence[str] = GAME.legal(state, event.seat)
    sealed = event.seat != viewer and event.move.startswith(SEALED)
    if event.move in legal and not (sealed and rng.random() < VARIED):
        return event
    return Event(event.seat, rng.choice(legal)) if sealed else None
