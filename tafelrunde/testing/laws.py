"""The laws of ``games.engine.Game`` as checks, one function per law and aspect.

``check_match`` plays one random match and checks its positions against the laws.
``check_secrets_vary`` needs many matches. ``fingerprint`` is a digest of a game's behaviour, for
comparison with another process. ``odds.check_odds`` completes L9.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import random
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from typing import Any

from cogs.games.outside import load_rules
from games import GAMES
from games.engine import (
    CHANCE,
    MOVE_PATTERN,
    PLAYER_MOVE_MAX,
    BadRecord,
    BadSetup,
    Event,
    Fact,
    Game,
    IllegalMove,
    Match,
    Move,
    Setup,
    View,
    rng_for,
)

NONSENSE = ("", "?", "zz-no-such-move", "0" * 300)
"""Texts that are not moves in any game."""

MOVES_TRIED = 40
"""The maximum number of legal moves to try per seat and position."""

WORLDS_FOR_VARIETY = 30
"""If this many sampled worlds all have the same secrets, the game has a fault."""


REMEDIES = {
    "info": "Let GameInfo say what the rules do.",
    "L1": "Draw only from the generator that sample is given, keep no state in the game itself, and"
    " go through no set whose order depends on the process.",
    "L2": "Let legal() list only moves that do() accepts, and let do() raise ply by one at each"
    " event.",
    "L3": "Let actors() be empty exactly when outcome() gives a result, and pass without asking for"
    " a seat that could only pass.",
    "L4": "Change the state in do() alone: elsewhere, work on state.clone() or build new lists.",
    "L5": "Let clone() copy every list and dict, the inner ones too.",
    "L6": "Write moves in lower case, or override canonical(); list each move once, in an order"
    " that follows from the actor's view.",
    "L7": "Keep a choice in a seat's private part until all are in, and settle it only then.",
    "L8": "Build views of numbers, strings, lists and dicts with string keys; put what only one"
    " seat knows into private.",
    "L9": "Let determinize() use the view alone and make a world that gives the same view; draw the"
    " rest at random, with the probabilities that chance and hidden choices give each world.",
    "L10": "In observed() and in Fact.to, hide what the viewer's own view does not show.",
    "L11": "Raise GameInfo.max_events, or end the match by a rule.",
    "L12": "Give one rank and one score for each seat; the best rank is 1.",
}
"""For each law, how to fix a game that breaks it."""


class LawBroken(AssertionError):  # noqa: N818 (the name says enough)
    """A game breaks a law; the text says which one, where, and how to fix it."""

    def __init__(self, law: str, what: str, where: str) -> None:
        super().__init__(f"{law}: {what} ({where}). {REMEDIES[law]}")
        self.law = law


# ------------------------------------------------------------------------ random matches
@dataclass
class VisitedPosition:
    """A position of a random match.

    :param state: the state of the match; the next event changes it in place.
    :param seed: the seed of ``rng``, to reproduce the match.
    :param seen: all moves that were legal for someone earlier in the match.
    """

    game: Game[Any]
    setup: Setup
    state: Any
    log: list[Event]
    seed: int
    rng: random.Random
    seen: set[Move] = field(default_factory=set)

    @property
    def viewers(self) -> list[int | None]:
        """All seats, and None for spectators."""
        return [*range(self.setup.players), None]

    @cached_property
    def _frozen(self) -> bytes:
        return pickle.dumps(self.state)

    def copy(self) -> Any:
        """Return a deep copy of the state as it was when this was first called."""
        return pickle.loads(self._frozen)  # noqa: S301 (our own bytes)

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """The actors in this position."""
        return self.game.actors(self.state)

    @property
    def seats(self) -> tuple[int, ...]:
        """The acting seats; empty if CHANCE acts."""
        return () if self.actors == (CHANCE,) else self.actors

    @cached_property
    def moves(self) -> dict[int, list[Move]]:
        """The legal moves of each acting seat."""
        return {seat: self.game.legal(self.state, seat) for seat in self.seats}

    def some(self, seat: int) -> list[Move]:
        """Return at most MOVES_TRIED different legal moves of an acting seat."""
        moves = self.moves[seat]
        return moves if len(moves) <= MOVES_TRIED else self.rng.sample(moves, MOVES_TRIED)

    def draw(self) -> Move:
        """Return the draw that the match's seed determines here."""
        return self.game.sample(self.state, rng_for(self.setup.seed, len(self.log)))

    def random_event(self) -> Event:
        """Return the next event: the draw that is due, or a random move of a random actor."""
        if self.actors == (CHANCE,):
            return Event(CHANCE, self.draw())
        seat = self.rng.choice(self.actors)
        return Event(seat, self.rng.choice(self.moves[seat]))

    def alternatives(self) -> list[Event]:
        """Return two different events that could happen here; only one if no other is found."""
        if self.actors == (CHANCE,):
            table = self.game.chance(self.state)
            if table is not None:
                moves = [move for move, _ in table]
            else:
                moves = sorted({self.game.sample(self.state, self.rng) for _ in range(4)})
            seat = CHANCE
        else:
            seat = self.rng.choice(self.actors)
            moves = self.moves[seat]
        return [Event(seat, move) for move in self.rng.sample(moves, min(2, len(moves)))]

    def after(self, *events: Event, fx: list[Fact] | None = None) -> Any:
        """Return the state after some events, which are applied to a copy.

        :param fx: receives the facts that the events produce.
        """
        state = self.copy()
        for event in events:
            self.game.do(state, event.seat, event.move, fx)
        return state

    def played(self, event: Event) -> VisitedPosition:
        """Return the position after an event, which is applied to this state in place.

        :raises LawBroken: L2: the engine fails at this legal event.
        """
        try:
            self.game.do(self.state, event.seat, event.move)
        except Exception as error:
            raise self.broken("L2", f"do() fails at {event}: {error!r}") from error
        return VisitedPosition(
            self.game,
            self.setup,
            self.state,
            [*self.log, event],
            self.seed,
            self.rng,
            self.seen.union(*self.moves.values()),
        )

    def require(self, kept: bool, law: str, what: str) -> None:
        """Fail if a law is broken.

        :param kept: whether the law is kept.
        :param law: a key of ``REMEDIES``.
        :param what: the fault, for the error text.
        :raises LawBroken: ``kept`` is false.
        """
        if not kept:
            raise self.broken(law, what)

    def broken(self, law: str, what: str) -> LawBroken:
        """Make an error that says which law is broken and how to reproduce it.

        :param law: a key of ``REMEDIES``.
        :param what: the fault.
        """
        options = dict(self.setup.options)
        setup = f"game.setup({self.setup.players}, {options}, {self.setup.seed!r})"
        where = (
            f"{self.game.info.id}, {self.setup.players} players, {options}, seed {self.seed}, ply"
            f" {len(self.log)}; again: check_match(game, {setup}, {self.seed})"
        )
        return LawBroken(law, what, where)


def copied(state: Any) -> Any:
    """Return a deep copy, made without ``clone``."""
    return pickle.loads(pickle.dumps(state))  # noqa: S301 (our own bytes)


def random_setup(game: Game[Any], players: int, rng: random.Random) -> Setup:
    """Return a setup with random options that the game accepts together."""
    while True:
        options: dict[str, Any] = {}
        for option in game.info.options:
            if not option.usable(players):
                continue
            if option.kind == "bool":
                options[option.key] = rng.random() < 0.5
            elif option.kind == "int":
                options[option.key] = rng.randint(option.lo, option.hi)
            else:
                options[option.key] = rng.choice(option.choices)
        try:
            return game.setup(players, options, seed=str(rng.random()))
        except BadSetup:
            continue


def random_positions(game: Game[Any], setup: Setup, seed: int) -> Iterator[VisitedPosition]:
    """Play one match at random and yield every position, including the last.

    :raises LawBroken: L2: the engine fails at a legal event; L11: the match does not end in time.
    """
    position = VisitedPosition(game, setup, game.start(setup), [], seed, random.Random(seed))
    yield position
    while position.actors:
        law_11_ends_in_time(position)
        position = position.played(position.random_event())
        yield position


def play_randomly(at: VisitedPosition, state: Any, events: int) -> None:
    """Play up to ``events`` random events on a state, in place.

    :raises LawBroken: L2 or L3.
    """
    position = replace(at, state=state)
    for _ in range(events):
        law_3_actors(position)
        law_3_no_dead_end(position)
        if not position.actors:
            return
        position = position.played(position.random_event())


# ----------------------------------------------------------------- what info promises
def info_is_true(at: VisitedPosition) -> None:
    """Check that the game keeps the promises ``chance``, ``simultaneous`` and ``max_branching`` in
    its ``info``.
    """
    info = at.game.info
    if info.chance == "none":
        at.require(CHANCE not in at.actors, "info", "CHANCE acts though chance is none")
    if not info.simultaneous:
        at.require(len(at.actors) <= 1, "info", "several actors though not simultaneous")
    for seat, moves in at.moves.items():
        at.require(len(moves) <= info.max_branching, "info", f"{len(moves)} moves of seat {seat}")


def info_chance_table(at: VisitedPosition) -> None:
    """Check that listed draws are unique and have positive weights, and that ``sample`` draws one
    of them.
    """
    if at.actors != (CHANCE,):
        return
    table = at.game.chance(at.state)
    if at.game.info.chance == "enumerable":
        at.require(bool(table), "info", "no draws listed though chance is enumerable")
    if table is not None:
        draws = [move for move, _ in table]
        at.require(len(set(draws)) == len(draws), "info", "a draw is listed twice")
        at.require(all(weight > 0 for _, weight in table), "info", "a weight is not positive")
        at.require(at.draw() in draws, "info", "sample draws what chance does not list")


# ---------------------------------------------------------------------------- the laws
def law_1_same_start(at: VisitedPosition) -> None:
    """Check that ``start``, called again, returns an equal position, as a new object."""
    if at.log:
        return
    again = at.game.start(at.setup)
    at.require(again == at.state, "L1", "start gives different positions")
    at.require(again is not at.state, "L1", "start gives the same object again")


def law_1_same_consequences(at: VisitedPosition) -> None:
    """Check that an event leads to the same state, facts and views when it is applied again."""
    if not at.actors:
        return
    if at.actors == (CHANCE,):
        at.require(at.draw() == at.draw(), "L1", "sample uses more than its generator")
    event = at.random_event()
    told: list[Fact] = []
    told_again: list[Fact] = []
    state, again = at.after(event, fx=told), at.after(event, fx=told_again)
    at.require(state == again, "L1", f"{event} leads to different positions")
    at.require(told == told_again, "L1", f"{event} tells different facts")
    at.require(at.after(event) == state, "L1", f"{event} depends on whether facts are wanted")
    for viewer in at.viewers:
        same = at.game.view(state, viewer) == at.game.view(again, viewer)
        at.require(same, "L1", f"viewer {viewer} sees equal positions differently")


def law_1_replay(at: VisitedPosition) -> None:
    """Check that the finished log passes verification and leads to the same position, and that a
    viewer is told the same history each time.
    """
    if at.actors:
        return
    try:
        match = Match.replay(at.game, at.setup, at.log, verify=True)
    except BadRecord as error:
        raise at.broken("L1", f"the log does not replay: {error}") from error
    at.require(match.state == at.state, "L1", "a replay of the log leads to another position")
    for viewer in at.viewers:
        same = match.history(viewer) == match.history(viewer)
        at.require(same, "L1", f"viewer {viewer} is told different histories")


def law_2_closure(at: VisitedPosition) -> None:
    """Check that ``do`` accepts legal moves, up to MOVES_TRIED of each seat, and counts one ply for
    each.
    """
    for seat in at.seats:
        for move in at.some(seat):
            after = replace(at, state=at.copy()).played(Event(seat, move))
            counted = after.state.ply == at.state.ply + 1
            at.require(counted, "L2", f"{move} does not count one ply")


def law_2_random_move(at: VisitedPosition) -> None:
    """Check that ``random_move`` returns a legal move."""
    for seat in at.seats:
        move = at.game.random_move(at.state, seat, at.rng)
        at.require(move in at.moves[seat], "L2", f"random_move {move!r} is not legal")


def law_3_actors(at: VisitedPosition) -> None:
    """Check that the match is over exactly when nobody acts, and that no seat acts when CHANCE
    does.
    """
    over = at.game.outcome(at.state) is not None
    at.require(over == (at.actors == ()), "L3", f"actors {at.actors}, but over is {over}")
    at.require(at.actors == tuple(sorted(set(at.actors))), "L3", f"actors {at.actors}")
    at.require(
        CHANCE not in at.actors or len(at.actors) == 1, "L3", "CHANCE acts together with seats"
    )
    strangers = set(at.seats) - set(range(at.setup.players))
    at.require(not strangers, "L3", f"actors {strangers} are not seats")


def law_3_no_dead_end(at: VisitedPosition) -> None:
    """Check that every acting seat has a legal move."""
    for seat, moves in at.moves.items():
        at.require(bool(moves), "L3", f"seat {seat} acts but has no move")


def law_4_purity(at: VisitedPosition) -> None:
    """Check that nothing but ``do`` changes a state, or has changed it since its first copy."""
    game, state = at.game, at.state
    before = at.copy()

    def unchanged(by: str) -> None:
        at.require(state == before, "L4", f"{by} changes the state")

    game.actors(state)
    unchanged("actors")
    game.outcome(state)
    unchanged("outcome")
    state.clone()
    unchanged("clone")
    for viewer in at.viewers:
        view = game.view(state, viewer)
        unchanged("view")
        game.determinize(view, at.rng)
        unchanged("determinize")
        if at.actors:
            game.observed(state, at.random_event(), viewer)
            unchanged("observed")
    if at.actors == (CHANCE,):
        game.chance(state)
        unchanged("chance")
        game.sample(state, at.rng)
        unchanged("sample")
    for seat in at.seats:
        game.parse(state, seat, game.legal(state, seat)[0])
        unchanged("legal or parse")
        refused(game, state, seat, NONSENSE[-1])
        unchanged("a refusal")
        game.random_move(state, seat, at.rng)
        unchanged("random_move")


def law_5_clone(at: VisitedPosition) -> None:
    """Check that a clone equals its original, and that changing it does not change the original."""
    before = copied(at.state)
    clone = at.state.clone()
    at.require(clone == at.state, "L5", "a clone differs from its original")
    at.require(clone is not at.state, "L5", "a clone is its original")
    play_randomly(at, clone, events=20)
    at.require(at.state == before, "L5", "playing on with a clone changes the original")


def law_6_notation(at: VisitedPosition) -> None:
    """Check that moves are unique, short, well formed and always listed in the same order."""
    for seat, moves in at.moves.items():
        at.require(len(set(moves)) == len(moves), "L6", f"a move of seat {seat} is listed twice")
        for move in moves:
            well_formed = MOVE_PATTERN.match(move) and len(move) <= PLAYER_MOVE_MAX
            at.require(bool(well_formed), "L6", f"notation of {move!r}")
            same = at.game.canonical(at.state, seat, move) == move
            at.require(same, "L6", f"{move!r} is not canonical")
        again = at.game.legal(at.copy(), seat)
        at.require(again == moves, "L6", f"moves of seat {seat} are listed in another order")
    if at.actors == (CHANCE,):
        draw = at.draw()
        at.require(bool(MOVE_PATTERN.match(draw)), "L6", f"notation of the draw {draw!r}")


def law_6_parse(at: VisitedPosition) -> None:
    """Check that ``parse`` understands legal moves, and refuses nonsense and moves that were legal
    earlier in the match but are not now.
    """
    for seat in at.seats:
        for move in at.some(seat):
            at.require(at.game.parse(at.state, seat, move) == move, "L6", f"parse({move!r})")
        illegal = sorted(at.seen - set(at.moves[seat]))
        tried = at.rng.sample(illegal, min(MOVES_TRIED, len(illegal)))
        for text in (*NONSENSE, *tried):
            at.require(
                refused(at.game, at.state, seat, text),
                "L6",
                f"parse accepts {text[:PLAYER_MOVE_MAX]!r} of seat {seat}, which is not legal",
            )


def law_6_at_any_time(at: VisitedPosition) -> None:
    """Check that every move that was legal at some time in the match is accepted as canonical
    notation before the first event.
    """
    if at.actors:
        return
    start = at.game.start(at.setup)
    for move in sorted(at.seen):
        for seat in range(at.setup.players):
            try:
                at.game.check_notation(start, seat, move)
            except IllegalMove as error:
                raise at.broken("L6", f"check_notation refuses {move!r}: {error}") from error
            same = at.game.canonical(start, seat, move) == move
            at.require(same, "L6", f"at the start {move!r} is not canonical")


def law_6_shown(at: VisitedPosition) -> None:
    """Check that each move shown by a fact belongs to a seat and is in canonical notation."""
    if not at.actors:
        return
    facts: list[Fact] = []
    state = at.after(at.random_event(), fx=facts)
    for fact in facts:
        shown = at.game.shown(fact)
        if shown is None:
            continue
        seat, move = shown
        at.require(seat in range(at.setup.players), "L6", f"{fact} shows a move of {seat}")
        same = at.game.canonical(state, seat, move) == move
        at.require(same, "L6", f"{fact} shows {move!r}, which is not canonical")


def refused(game: Game[Any], state: Any, seat: int, text: str) -> bool:
    """Return whether ``parse`` refuses a text with ``IllegalMove``."""
    try:
        game.parse(state, seat, text)
    except IllegalMove:
        return True
    return False


def law_7_commuting(at: VisitedPosition) -> None:
    """Check that moves of seats that act together lead to the same position in either order."""
    if len(at.seats) < 2:
        return
    one, other = (Event(seat, at.rng.choice(at.moves[seat])) for seat in at.rng.sample(at.seats, 2))
    same = at.after(one, other) == at.after(other, one)
    at.require(same, "L7", f"{one} and {other} do not commute")


def law_7_secrecy(at: VisitedPosition) -> None:
    """Check that a seat's committed choice stays hidden while others still owe their decision."""
    if len(at.seats) < 2:
        return
    one, *rest = at.alternatives()
    for other in rest:
        states = at.after(one), at.after(other)
        for viewer in at.viewers:
            if viewer != one.seat:
                seen, seen_other = (at.game.view(state, viewer) for state in states)
                at.require(seen == seen_other, "L7", f"viewer {viewer} sees {one} committed")


def law_8_views(at: VisitedPosition) -> None:
    """Check that views are plain JSON data, and that all viewers share the same public part."""
    game, state = at.game, at.state
    views = [game.view(state, viewer) for viewer in at.viewers]
    for viewer, view in zip(at.viewers, views, strict=True):
        at.require(view.viewer == viewer, "L8", f"view {view.viewer} for viewer {viewer}")
        at.require(
            view.public == views[-1].public, "L8", f"the public part of viewer {viewer} differs"
        )
        at.require(
            (view.game, view.players, view.options, view.ply, view.actors, view.outcome)
            == (
                game.info.id,
                at.setup.players,
                at.setup.options,
                len(at.log),
                at.actors,
                game.outcome(state),
            ),
            "L8",
            f"the frame of the view of {viewer} is wrong",
        )
        law_8_json(at, view)
        sealed = game.info.simultaneous and bool(at.seats) and viewer not in at.seats
        if viewer is None or not (game.info.hidden or sealed):
            why = "has a private part, but no secret that could be in it"
            at.require(not view.private, "L8", f"viewer {viewer} {why}")


def law_8_json(at: VisitedPosition, view: View) -> None:
    """Check that a view survives JSON unchanged, and that ``determinize`` works from it."""
    try:
        text = view.to_json()
    except TypeError as error:
        raise at.broken("L8", f"the view of {view.viewer} is not JSON: {error}") from error
    back = View.from_json(text)
    at.require(back == view, "L8", f"the view of {view.viewer} is changed by JSON")
    seed = at.rng.random()
    world = at.game.determinize(view, random.Random(seed))
    at.require(view.to_json() == text, "L8", "determinize changes the view")
    world_from_json = at.game.determinize(back, random.Random(seed))
    at.require(world == world_from_json, "L8", "determinize depends on more than the data")


def law_9_no_leak(at: VisitedPosition) -> None:
    """Check that a sampled world looks the same to its viewer as the real one, and that play can
    continue in it.
    """
    game = at.game
    views = [game.view(at.state, viewer) for viewer in at.viewers]
    is_open = not game.info.hidden and not any(view.private for view in views)
    for viewer, view in zip(at.viewers, views, strict=True):
        world = game.determinize(view, at.rng)
        at.require(game.view(world, viewer) == view, "L9", f"viewer {viewer} sees another world")
        at.require(game.actors(world) == at.actors, "L9", "other actors in a sampled world")
        if viewer in at.seats:
            same = game.legal(world, viewer) == at.moves[viewer]
            at.require(same, "L9", f"seat {viewer} has other moves in a sampled world")
        if is_open:
            at.require(world == at.state, "L9", "nothing is hidden, but the world differs")
        play_randomly(at, world, events=5)


def law_10_redaction(at: VisitedPosition) -> None:
    """Check that if two events lead to the same view, the viewer also sees the same event and
    facts.
    """
    if not at.actors:
        return
    one, *rest = at.alternatives()
    for other in rest:
        facts: tuple[list[Fact], list[Fact]] = ([], [])
        state, state_other = at.after(one, fx=facts[0]), at.after(other, fx=facts[1])
        for viewer in at.viewers:
            alike = at.game.view(state, viewer) == at.game.view(state_other, viewer)
            if not alike or viewer == one.seat:
                continue
            shown, shown_other = (at.game.observed(at.state, e, viewer) for e in (one, other))
            at.require(shown == shown_other, "L10", f"viewer {viewer} is shown {shown!r}")
            told, told_other = ([f for f in fx if f.known_to(viewer)] for fx in facts)
            at.require(told == told_other, "L10", f"viewer {viewer} is told {told}")


def law_11_ends_in_time(at: VisitedPosition) -> None:
    """Check that a match ends within ``info.max_events``."""
    at.require(len(at.log) < at.game.info.max_events, "L11", "the match does not end")


def law_12_outcome(at: VisitedPosition) -> None:
    """Check that the outcome ranks and scores every seat and gives a reason, and that the utilities
    fit the ranks.
    """
    outcome = at.game.outcome(at.state)
    if outcome is None:
        return
    players = at.setup.players
    at.require(len(outcome.ranks) == len(outcome.scores) == players, "L12", f"{outcome}")
    at.require(min(outcome.ranks) == 1, "L12", f"nobody is first: {outcome}")
    at.require(max(outcome.ranks) <= players, "L12", f"ranks beyond the seats: {outcome}")
    pairs = sorted(zip(outcome.ranks, at.game.utility(outcome), strict=True))
    payoffs = [payoff for _, payoff in pairs]
    at.require(payoffs == sorted(payoffs, reverse=True), "L12", f"utilities and ranks: {pairs}")
    at.require((payoffs[0] > 0) == (payoffs[-1] < 0), "L12", f"nobody wins or loses: {pairs}")
    at.require(all(-1 <= payoff <= 1 for payoff in payoffs), "L12", f"utilities: {pairs}")
    at.require(bool(outcome.reason), "L12", "no reason is given")


Law = Callable[[VisitedPosition], None]

LAWS: tuple[Law, ...] = (
    law_3_actors,
    law_3_no_dead_end,
    law_4_purity,
    law_1_same_start,
    law_1_same_consequences,
    law_1_replay,
    law_2_closure,
    law_2_random_move,
    law_5_clone,
    law_6_notation,
    law_6_parse,
    law_6_at_any_time,
    law_6_shown,
    law_7_commuting,
    law_7_secrecy,
    law_8_views,
    law_9_no_leak,
    law_10_redaction,
    law_12_outcome,
    info_is_true,
    info_chance_table,
)
"""The checks that ``check_match`` makes in positions, ordered so that each relies only on laws that
earlier ones have checked.
"""

THOROUGH: frozenset[Law] = frozenset(
    {
        law_4_purity,
        law_1_same_consequences,
        law_2_closure,
        law_5_clone,
        law_6_notation,
        law_6_parse,
        law_8_views,
        law_9_no_leak,
    }
)
"""Checks that are too slow for every position. They run every few plies and at the end of a
match.
"""


def check_match(game: Game[Any], setup: Setup, seed: int, every: int = 5) -> None:
    """Play one random match and check the laws at its positions.

    :param seed: the seed of the random moves.
    :param every: run the ``THOROUGH`` checks once per this many plies.
    :raises LawBroken: the game breaks a law.
    """
    for position in random_positions(game, setup, seed):
        position.copy()  # freezes the state before any method of the game could change it
        thorough = len(position.log) % every == 0 or not position.actors
        for law in LAWS:
            if thorough or law not in THOROUGH:
                law(position)


# ------------------------------------------------------------------ over many matches
def check_secrets_vary(game: Game[Any], setups: Iterable[Setup], seed: int) -> None:
    """Check that the secrets of other seats vary in worlds sampled from one seat's view (L9).

    If the sampled secrets are always the true ones, both the view and ``determinize`` leak them; no
    other check finds that. If all worlds sampled from a view are the same, ``determinize`` does not
    draw at random.

    :param setups: the matches to play at random.
    :param seed: the seed of the random moves.
    :raises LawBroken: L9.
    """
    worlds, untrue, varied = Counter[Pair](), Counter[Pair](), Counter[Pair]()
    position = None
    for setup in setups:
        for position in random_positions(game, setup, seed):
            for pair, true, one, other in compared_secrets(position, untrue.keys() & varied.keys()):
                worlds[pair] += 1
                untrue.update([pair] * (one != true))
                varied.update([pair] * (one != other))
    for (viewer, other), count in worlds.items():
        if position and count >= WORLDS_FOR_VARIETY:
            knows = f"seat {viewer} seems to know the secrets of seat {other}"
            position.require((viewer, other) in untrue, "L9", knows)
            repeats = f"all worlds of seat {viewer} have the same secrets of seat {other}"
            position.require((viewer, other) in varied, "L9", repeats)


Pair = tuple[int, int]
"""A viewer, and another seat that has secrets."""


def compared_secrets(
    at: VisitedPosition, settled: Collection[Pair]
) -> Iterator[tuple[Pair, Any, Any, Any]]:
    """Yield, for each pair, the true secrets, and those in two worlds sampled from the viewer's
    view.

    :param settled: pairs that need no comparison.
    """
    views = [at.game.view(at.state, seat) for seat in range(at.setup.players)]
    for viewer, view in enumerate(views):
        others = {seat: other.private for seat, other in enumerate(views) if other.private}
        wanted = [seat for seat in others if seat != viewer and (viewer, seat) not in settled]
        if wanted:
            worlds = [at.game.determinize(view, at.rng) for _ in range(2)]
            for seat in wanted:
                one, two = (at.game.view(world, seat).private for world in worlds)
                yield (viewer, seat), others[seat], one, two


def fingerprint(game: Game[Any], seed: int = 0) -> str:
    """Return a digest of all legal moves, all views, whose public parts are the same (L8), and the
    facts told to spectators, in one random match per number of players.
    """
    digest = hashlib.sha256()
    for players in game.info.players:
        setup = game.setup(players, seed=str(seed))
        for position in random_positions(game, setup, seed):
            *views, public = (game.view(position.state, viewer) for viewer in position.viewers)
            private = json.dumps([view.private for view in views], sort_keys=True)
            digest.update(repr((position.moves, public.to_json(), private)).encode())
        match = Match.replay(game, setup, position.log)
        history = [(seat, seen, [*map(astuple, told)]) for seat, seen, told in match.history(None)]
        digest.update(repr(history).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    load_rules()
    print(json.dumps({name: fingerprint(GAMES[name]) for name in sys.argv[1:] or GAMES}))
