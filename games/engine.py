"""The engine contract: the interface that every game implements.

``Game``   the rules: stateless, one instance per game
``State``  a position: mutable, private to its engine and to searching players
``View``   knowledge: plain JSON data, everything that one viewer may know and nothing else
``Move``   a short text in canonical notation: what is stored, shown, typed and pressed
``Event``  one line of the log: a seat's move, or a draw of CHANCE
``Match``  the fold: its position is always the result of applying the log to ``start(setup)``

A game only has to define its rules: ``actors``, ``legal``, ``do`` and ``outcome``, on a
``Position`` of plain data. A game with hidden information also defines the knowledge of each seat:
``public``, ``private``, ``determinize`` and ``observed``. All other methods have defaults.

The ``repr`` of a setup, step, fact or view shows no secrets, because it could end up in a log or a
traceback. Only the setup and the log of a match are stored. The secret seed produces the draws of
chance, but the draws themselves are events too. So an old match replays on any version of Python,
and ``Match.replay(..., verify=True)`` proves that the seed produced the draws. The source of the
seed (``games.fairness``) is not the engine's concern.

The laws L1 to L12 that a game must obey are listed at ``Game``; the conformance suite tests them by
random play for every registered game.
"""

from __future__ import annotations

import json
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from math import floor
from typing import Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar

CONTRACT = 1
"""The version of the contract, that is, of everything ``tafelrunde`` offers to games from outside.
It is raised when a game that met the old version might not meet the new one.
"""

CHANCE = -1
"""The number used as the seat of draws, deals and lots."""

Move = str
"""A move or a draw, in the game's notation; see ``MOVE_PATTERN``."""

MOVE_PATTERN = re.compile(r"[A-Za-z0-9+\-:.,/>*=?!^~_|]{1,200}\Z")
"""Notation of any event: ASCII without spaces, so that it fits into ids, URLs and logs."""

PLAYER_MOVE_MAX = 40
"""The longest move of a seat, in characters: it must fit into a button's id together with the
table's id.
"""


# ---------------------------------------------------------------------------- refusals
# ruff: noqa: N818 - refusals are named after the problem, so ``except NotYourTurn`` reads well
class EngineError(Exception):
    """A refusal with a text for people: ``code`` is the stable key of the text, and ``data`` holds
    the values in it.
    """

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.data: dict[str, Any] = data

    def __str__(self) -> str:
        return f"{self.code} {self.data}" if self.data else self.code


class IllegalMove(EngineError):
    """The text is not a legal move; ``code`` says which rule forbids it."""


class NotYourTurn(EngineError):
    """The seat does not have to decide now."""


class StaleDecision(EngineError):
    """The caller saw a position from before the seat's decision opened."""


class BadSetup(EngineError):
    """A player count, option or combination of options that the rules do not allow."""


class BadRecord(EngineError):
    """A log that cannot be replayed; ``data['at']`` is the index of the first faulty event."""


# ------------------------------------------------------------------------------- setup
@dataclass(frozen=True, slots=True)
class Option:
    """A choice made before the match: a module, a variant, a number.

    Commands, the lobby's menus and the checks of values are derived from it.

    :param kind: ``bool``; ``int`` between ``lo`` and ``hi``; ``choice`` among ``choices``.
    :param default: the value unless another one is given.
    :param default_for: defaults for particular player counts.
    :param players: player counts at which the option exists (empty: all).
    """

    key: str
    kind: Literal["bool", "int", "choice"]
    default: bool | int | str
    choices: tuple[str, ...] = ()
    lo: int = 0
    hi: int = 0
    default_for: Mapping[int, bool | int | str] = field(default_factory=dict)
    players: frozenset[int] = frozenset()

    def usable(self, players: int) -> bool:
        """Return whether the option exists at this player count."""
        return not self.players or players in self.players

    def default_at(self, players: int) -> bool | int | str:
        """Return the default at this player count."""
        return self.default_for.get(players, self.default)

    def check(self, value: Any) -> bool | int | str:
        """Return ``value`` if it is allowed.

        :raises BadSetup: ``option_value`` if it is not.
        """
        if self.kind == "bool":
            ok = isinstance(value, bool)
        elif self.kind == "int":
            ok = isinstance(value, int) and not isinstance(value, bool)
            ok = ok and self.lo <= value <= self.hi
        else:
            ok = value in self.choices
        if not ok:
            raise BadSetup("option_value", option=self.key, value=value)
        allowed: bool | int | str = value
        return allowed


@dataclass(frozen=True, slots=True)
class GameInfo:
    """Static facts about a game.

    :param id: short ASCII name, never changed (``"lancelot"``).
    :param rules: version of the rules; raised when a change makes it impossible to replay old logs.
    :param players: allowed player counts, ascending.
    :param hidden: whether seats hide something other than sealed choices from each other, such as a
        hand.
    :param simultaneous: whether some position has more than one actor; their choices are sealed
        until everyone has chosen.
    :param draws: whether the rules allow matches without a winner, so that players can offer a
        draw.
    :param places: whether places behind the winners matter. False if the rulebook only names
        winners: computer players then do not care which of the lower places they get. Ratings and
        standings still use the full order in ``Outcome.ranks``.
    :param chance: ``none`` if nothing is drawn, ``enumerable`` if ``Game.chance`` lists all draws,
        otherwise ``sampled``.
    :param accounts: kinds of facts that report the end of a hand or round; the table then shows how
        it was scored.
    :param max_branching: upper bound on ``len(legal(...))``.
    :param max_events: every match ends within this many events (L11).
    """

    id: str
    rules: int
    players: tuple[int, ...]
    options: tuple[Option, ...] = ()
    hidden: bool = False
    simultaneous: bool = False
    draws: bool = False
    places: bool = True
    chance: Literal["none", "enumerable", "sampled"] = "none"
    accounts: frozenset[str] = frozenset()
    max_branching: int = 256
    max_events: int = 1000

    @property
    def has_secrets(self) -> bool:
        """Whether views may differ between seats, because of a hand or a sealed choice."""
        return self.hidden or self.simultaneous


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that fixes a match before its first event.

    :param options: resolved: every usable option is present.
    :param seed: determines all draws; secret until the match is over.
    """

    players: int
    options: Mapping[str, Any]
    seed: str = field(repr=False)


# ------------------------------------------------------------------ events and results
@dataclass(frozen=True, slots=True)
class Event:
    """A line of the log: ``seat`` (or CHANCE) and its move."""

    seat: int
    move: Move


@dataclass(frozen=True, slots=True)
class Fact:
    """A consequence of an event, for messages and highlights (``captured K9``).

    It is derived while an event is applied, and never stored.

    :param kind: key of its text.
    :param to: the seats that may know it (None: everyone, spectators included).
    :param reveals: whether it revealed something hidden; if so, neither its event nor anything
        earlier may be undone.
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    to: frozenset[int] | None = None
    reveals: bool = False

    def __repr__(self) -> str:
        told = "secret" if self.to is not None else dict(self.data)
        return f"Fact({self.kind!r}, {told})"

    def known_to(self, viewer: int | None) -> bool:
        """Return whether ``viewer`` (None: a spectator) may know it."""
        return self.to is None or viewer in self.to


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match.

    :param ranks: one per seat, 1 is best, equal ranks share a place.
    :param scores: points, or another count of the game, one per seat.
    :param reason: key of the text that says how the match ended.
    """

    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str

    def winners(self) -> tuple[int, ...]:
        """Return the seats in first place."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


@dataclass(frozen=True, slots=True)
class View:
    """The knowledge of one viewer (a seat, or None for a spectator), as plain JSON data.

    Pictures, hints and computer players get a view instead of a position: code that has only a view
    cannot cheat, not even by mistake. Views share parts, so nothing in them may be changed.

    :param public: the same for all viewers.
    :param private: this viewer's own part: a hand, a choice not yet revealed.
    """

    game: str
    players: int
    options: Mapping[str, Any]
    viewer: int | None
    ply: int
    round: int
    phase: str
    actors: tuple[int, ...]
    outcome: Outcome | None
    public: Mapping[str, Any]
    private: Mapping[str, Any] = field(repr=False)

    def to_json(self) -> str:
        """Return the view as canonical text: equal views give equal texts."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}  # asdict would copy
        return json.dumps(plain, default=asdict, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> View:
        """Read a view that ``to_json`` wrote, for instance in another process."""
        data = json.loads(text)
        data["actors"] = tuple(data["actors"])
        if data["outcome"] is not None:
            result = data["outcome"]
            data["outcome"] = Outcome(
                tuple(result["ranks"]), tuple(result["scores"]), result["reason"]
            )
        return cls(**data)


# --------------------------------------------------------------------------- the rules
class State(Protocol):
    """A position, normally ``@dataclass(slots=True)``; compared by value; can be pickled.

    ``ply`` counts the events applied so far, including those of CHANCE. ``round`` rises at the end
    of a hand or round, where a search may stop.
    """

    ply: int
    round: int

    def clone(self) -> Self:
        """Return a copy that shares nothing mutable with the original."""
        ...


@dataclass(slots=True)
class Position:
    """A position of plain data, for games that do not need a faster one. Derive from it with
    ``@dataclass(slots=True)`` and add fields with defaults. The fields may hold numbers, strings,
    booleans, None, and lists and dicts of these with string keys.

    :ivar options: as in the setup; never changed.
    """

    players: int
    options: Mapping[str, Any]
    ply: int = 0
    round: int = 1

    def clone(self) -> Self:
        """Return a copy that shares nothing mutable with the original."""
        twin = copy(self)
        for name, value in self.plain().items():
            setattr(twin, name, value)
        return twin

    def plain(self) -> dict[str, Any]:
        """Return a copy of all fields that the game has added, by name."""
        kind: Any = type(self)
        return {name: _copied(getattr(self, name)) for name in _added(kind)}


@cache
def _added(position: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields that a game has added."""
    return tuple(each.name for each in fields(position)[len(fields(Position)) :])


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied(item) if isinstance(item, (list, dict)) else item for item in value]
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return value


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """The rules of one game. Stateless: one instance serves all matches, from any thread.

    Laws, tested for every registered game:

    - L1 *determinism*: equal (setup, log) give equal states, facts and views.
    - L2 *closure*: ``do`` accepts every move that ``legal`` lists, for every actor.
    - L3 *no dead ends*: ``actors == ()`` exactly when there is an outcome; every actor has a legal
      move; CHANCE never acts together with seats. A forced pass is not a decision: the engine
      passes for the seat and reports that as a fact.
    - L4 *purity*: every method but ``do`` leaves the state unchanged.
    - L5 *clone*: a clone equals its original and is independent of it.
    - L6 *notation*: ``parse(str(move)) == move``; legal moves are unique, match MOVE_PATTERN, and
      come in an order that depends only on the actor's view. ``check_notation`` never refuses a
      move that could become legal, and ``canonical`` leaves it unchanged. ``shown`` also returns
      canonical moves.
    - L7 *commuting*: where several seats act, their moves commute, and only the seat that made a
      move sees it until everyone has moved.
    - L8 *views are data*: ``determinize`` works equally well with a view restored from JSON, and
      does not change the view; ``public`` is the same for all viewers; a spectator has no private
      part, nor does anyone where nothing is hidden, except for a sealed choice.
    - L9 *no leak*: a world sampled by ``determinize(view)`` gives the same view, and the same legal
      moves if the viewer is an actor; other seats' secrets vary between such worlds. Each world has
      the probability that follows from the odds of chance, if all choices that look the same to the
      viewer are equally likely.
    - L10 *redaction*: ``observed`` depends only on what the viewer knows.
    - L11 *termination*: random play ends within ``info.max_events``.
    - L12 *outcome*: one rank and score per seat, the best rank is 1; a reason; utilities follow the
      ranks, and somebody loses if, and only if, somebody wins.
    """

    info: ClassVar[GameInfo]
    position: ClassVar[type[Any]]
    """The class of the ``Position``, for games without a ``start`` of their own."""

    # -- the course of a match
    def start(self, setup: Setup) -> S:
        """Return the position before the first event, a new object at each call. Nothing may be
        drawn here: a lot or a deal is an event of CHANCE. An order that nobody knows yet, such as
        that of a deck, is not stored; draw each item when it is needed. The position must not
        contain ``setup.seed``, because no view may reveal it.

        By default ``self.position`` with the defaults of its fields.
        """
        begun: S = self.position(setup.players, setup.options)
        return begun

    @abstractmethod
    def actors(self, state: S) -> tuple[int, ...]:
        """Return the seats that owe a decision, ascending; ``(CHANCE,)`` if something must be
        drawn; ``()`` if the match is over. Two or more seats decide simultaneously.
        """

    @abstractmethod
    def legal(self, state: S, seat: int) -> list[Move]:
        """Return all legal moves of an acting seat in canonical notation and a fixed order, at most
        ``info.max_branching``, each with at most ``PLAYER_MOVE_MAX`` characters.

        A compound move is split into decisions of the same seat if there would be too many
        combinations. No move ends with "?".
        """

    @abstractmethod
    def do(self, state: S, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Apply a legal move or a draw in place, without checking it again. Raise ``ply`` by one.

        :param fx: receives the facts; None in playouts, to save time.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the result, or None while the match runs."""

    def utility(self, outcome: Outcome) -> tuple[float, ...]:
        """Return what a result is worth to each seat, from -1 to 1; computer players maximise it.

        The value is (seats ranked lower - seats ranked higher) / (n - 1), so a shared win is worth
        less than a sole one. If ``info.places`` is false, all who have not won count as sharing
        last place. Last place, even if shared, costs at least as much as first place gains.
        Otherwise a shared last place would look better than a bad position that can still be won.
        """
        ranks = outcome.ranks if self.info.places else [min(rank, 2) for rank in outcome.ranks]
        others, last = max(1, len(ranks) - 1), max(ranks)
        payoffs = [
            sum((mine < theirs) - (theirs < mine) for theirs in ranks) / others for mine in ranks
        ]
        most = max(payoffs)
        return tuple(
            min(payoff, -most) if rank == last > 1 else payoff
            for rank, payoff in zip(ranks, payoffs, strict=True)
        )

    # -- chance
    def chance(self, state: S) -> Sequence[tuple[Move, float]] | None:
        """Return all possible draws with their weights, or None if there are too many to list.

        Called only when ``actors(state) == (CHANCE,)``.
        """
        return None

    def sample(self, state: S, rng: random.Random) -> Move:
        """Draw an event of CHANCE, with no method of ``rng`` other than ``rng.random()``."""
        table = self.chance(state)
        if not table:
            raise TypeError(f"{self.info.id}: a game with sampled chance must override sample()")
        point = rng.random() * sum(weight for _, weight in table)
        for move, weight in table:
            point -= weight
            if point < 0:
                return move
        return table[-1][0]

    # -- knowledge
    def view(self, state: S, viewer: int | None) -> View:
        """Return everything ``viewer`` knows, built by adding known facts, never by removing
        secrets.

        By default ``phase``, ``public`` and ``private`` provide its parts, for states with the
        fields of a ``Position``.
        """
        position: Any = state
        return View(
            game=self.info.id,
            players=position.players,
            options=position.options,
            viewer=viewer,
            ply=state.ply,
            round=state.round,
            phase=self.phase(state),
            actors=self.actors(state),
            outcome=self.outcome(state),
            public=self.public(state),
            private={} if viewer is None else self.private(state, viewer),
        )

    def phase(self, state: S) -> str:
        """Return the stage of play, as one word for painters and texts. It reveals nothing
        hidden.
        """
        return "play"

    def public(self, state: S) -> Mapping[str, Any]:
        """Return what everyone knows, as plain JSON data.

        By default it consists of all fields that the game has added to ``Position``, if there are
        no secrets.
        """
        self._require_open("public")
        position: Any = state
        return dict(position.plain())

    def private(self, state: S, seat: int) -> Mapping[str, Any]:
        """Return what ``seat`` knows beyond ``public``, as plain JSON data. By default
        nothing.
        """
        return {}

    def determinize(self, view: View, rng: random.Random) -> S:
        """Return a random full position consistent with ``view`` (L9), which is left unchanged.

        Build it from the view alone, so that a computer player knows only what its seat may know.
        By default it is the one position that ``public`` describes, if there are no secrets.
        """
        self._require_open("determinize")
        frame = (view.players, view.options, view.ply, view.round)
        same: S = self.position(*frame, **{key: _copied(part) for key, part in view.public.items()})
        return same

    def _require_open(self, method: str) -> None:
        """Refuse to use a default that would reveal secrets.

        :raises TypeError: the game has secrets.
        """
        if self.info.has_secrets:
            raise TypeError(f"{self.info.id}: a game with secrets must override {method}()")

    def observed(self, state: S, event: Event, viewer: int | None) -> Move | None:
        """Return ``event`` as ``viewer`` sees it: the move, a redacted form such as ``"pick:?"``,
        or None if the viewer sees nothing of the move. Called before the event is applied. A game
        that hides something overrides this method (L10).
        """
        return event.move

    def shown(self, fact: Fact) -> tuple[int, Move] | None:
        """Return the seat and move, in canonical notation, that a fact shows to everyone who may
        know it; None if it shows no move.

        This is for facts that say more than their event does, such as a forced move that the engine
        made for a seat, or a sealed choice that is now revealed. By default None.
        """
        return None

    def covered(self, state: S) -> range:
        """Return the events of a running match that may not be shown again, as indices into the
        log: everyone saw them, but their cards are face down now. By default an empty range.
        """
        return range(0)

    # -- notation
    def typed(self, text: str, names: Sequence[str]) -> str:
        """Return a typed text in the form that ``parse``, ``check_notation`` and ``canonical``
        accept. Override it if players can be named, or if the text may mean more than the notation
        says. By default the text is unchanged.

        :param names: the names of the players, by seat.
        :raises IllegalMove: the text could mean several players.
        """
        return text

    def parse(self, state: S, seat: int, text: str) -> Move:
        """Turn a typed text into a legal move. By default case is ignored.

        Override it to accept other spellings and to say which rule forbids the move.

        :raises IllegalMove: with a code that names the reason.
        """
        wanted = text.strip().casefold()
        for move in self.legal(state, seat):
            if move.casefold() == wanted:
                return move
        raise IllegalMove("no_such_move", text=text[:PLAYER_MOVE_MAX])

    def check_notation(self, state: S, seat: int, text: str) -> None:
        """Refuse a text that no position of the match can allow for any seat, for instance because
        it names a square or card that does not exist; used to check planned moves. It depends on
        the setup alone, so it reveals no secret.

        By default it refuses only texts without a ``canonical`` notation.

        :raises IllegalMove: as ``parse`` would, with a code that says what is unknown.
        """
        if self.canonical(state, seat, text) is None:
            raise IllegalMove("no_such_move", text=text[:PLAYER_MOVE_MAX])

    def canonical(self, state: S, seat: int, text: str) -> Move | None:
        """Return the canonical notation of a typed text, which need not be legal now; None if it
        cannot be a move of this match. Texts with the same notation mean the same move.

        A legal move is its own canonical notation. By default it has no spaces and is in lower
        case, so a game whose moves have capitals overrides this.

        :param state: the position in which the text was typed; most notations need only its setup.
        :param seat: the seat whose move it would be.
        """
        spelling = "".join(text.split()).casefold()
        return spelling if MOVE_PATTERN.match(spelling) else None

    # -- rules in words
    def facts(self, players: int, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the facts that hold for all matches with this setup, by name: numbers, texts,
        booleans and tuples of them, for the pages of the rules. By default nothing.

        :param options: all options that are usable at this player count; may contain more.
        """
        return {}

    # -- speed
    def random_move(self, state: S, seat: int, rng: random.Random) -> Move:
        """Return a random legal move for playouts. The choice need not be uniform, and some moves
        may never be chosen.
        """
        moves = self.legal(state, seat)
        return moves[floor(rng.random() * len(moves))]

    # -- the same for all games
    def setup(
        self, players: int, options: Mapping[str, Any] | None = None, seed: str = "0"
    ) -> Setup:
        """Validate and complete a setup.

        :raises BadSetup: ``player_count``, ``option_players``, ``unknown_option``,
            ``option_value``, or whatever ``check_setup`` raises.
        """
        given = dict(options or {})
        if players not in self.info.players:
            raise BadSetup("player_count", players=players, allowed=self.info.players)
        resolved: dict[str, Any] = {}
        for option in self.info.options:
            if not option.usable(players):
                if option.key in given:
                    raise BadSetup("option_players", option=option.key, players=players)
            elif option.key in given:
                resolved[option.key] = option.check(given.pop(option.key))
            else:
                resolved[option.key] = option.default_at(players)
        if given:
            raise BadSetup("unknown_option", option=next(iter(given)))
        setup = Setup(players, resolved, seed)
        self.check_setup(setup)
        return setup

    def check_setup(self, setup: Setup) -> None:
        """Check rules that involve several options, or an option and the player count. A hook for
        subclasses.

        :raises BadSetup: the rules do not allow this combination.
        """


# ------------------------------------------------------------------ reproducible chance
def rng_for(seed: str, n: int | str) -> random.Random:
    """Return the generator for the n-th event of a match, or for another draw, which ``n`` names.

    It is derived from the seed and ``n`` alone, so replay, undo and cloning need no generator
    state. A player who searches a clone of the position never sees the real future.
    """
    return random.Random(f"{seed}/{n}")


def draw(rng: random.Random, n: int) -> int:
    """Return a uniform integer in 0..n-1, drawn with ``rng.random()``: the only method whose
    sequence Python guarantees.
    """
    return floor(rng.random() * n)


T = TypeVar("T")


def shuffled(rng: random.Random, items: Iterable[T]) -> list[T]:
    """Return a shuffled copy, using only ``rng.random()``."""
    deck = list(items)
    for i in range(len(deck) - 1, 0, -1):
        j = floor(rng.random() * (i + 1))
        deck[i], deck[j] = deck[j], deck[i]
    return deck


# --------------------------------------------------------------------------- the match
@dataclass(frozen=True, slots=True)
class Step:
    """An applied event.

    :param facts: all its facts, including those that only some seats may know.
    :param seen: the move as spectators saw it; if it was secret, redacted or None.
    """

    event: Event = field(repr=False)
    facts: tuple[Fact, ...]
    seen: Move | None = None


class Match(Generic[S]):
    """A running or finished match: the fold of a log. Shared by all games."""

    def __init__(self, game: Game[S], setup: Setup) -> None:
        self.game = game
        self.setup = setup
        self.log: list[Event] = []
        self.state: S = game.start(setup)
        self._opened: dict[int, int] = {}
        self._note_open_decisions()

    @classmethod
    def replay(
        cls, game: Game[S], setup: Setup, log: Iterable[Event], verify: bool = False
    ) -> Match[S]:
        """Fold a log into a match.

        :param verify: also prove that every move was legal and every draw came from the seed.
        :raises BadRecord: only with ``verify``: ``replay_illegal`` or ``replay_mismatch``, with the
            index ``at``.
        """
        match = cls(game, setup)
        for event in log:
            if verify:
                match._verify(event)
            match._apply(event, None)
        return match

    @classmethod
    def retrace(
        cls, game: Game[S], setup: Setup, log: Sequence[Event], tail: int
    ) -> tuple[Match[S], list[Step]]:
        """Fold ``log`` and return the last events with their facts.

        :param tail: the maximum number of events at the end to return as steps; earlier ones are
            folded without computing facts.
        :returns: the match, and these steps in order.
        """
        told_from = max(0, len(log) - tail)
        match = cls.replay(game, setup, log[:told_from])
        return match, [match._step(event) for event in log[told_from:]]

    def without(self, out: Collection[int]) -> Match[S]:
        """Return a new match without some of the events.

        This is meant for the last events, or for a sealed choice while others still have to choose:
        the events that remain must be possible without those removed.

        :param out: indices into the log.
        :raises BadRecord: a remaining event is not possible without those removed; see ``replay``
            with ``verify``.
        """
        first = min(out, default=len(self.log))
        match = type(self).replay(self.game, self.setup, self.log[:first])
        for place in range(first, len(self.log)):
            if place not in out:
                match._verify(self.log[place])
                match._apply(self.log[place], None)
        return match

    def verify_choices(self) -> None:
        """While others still have to choose, prove that the choices made so far are legal. This is
        a separate check, because folding a log must not look at choices until everyone has chosen.

        :raises BadRecord: a choice is not legal; see ``replay`` with ``verify``.
        """
        since = self.choosing_since
        if since < self.ply:
            match = type(self).replay(self.game, self.setup, self.log[:since])
            for event in self.log[since:]:
                match._verify(event)
                match._apply(event, None)

    def copy(self) -> Match[S]:
        """Return an independent copy of the match."""
        twin = copy(self)
        twin.state = self.state.clone()
        twin.log = list(self.log)
        twin._opened = dict(self._opened)
        return twin

    # -- reading
    @property
    def ply(self) -> int:
        """The number of events so far."""
        return len(self.log)

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that owe a decision; ``(CHANCE,)`` if something must be drawn."""
        return self.game.actors(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the match runs."""
        return self.game.outcome(self.state)

    def opened(self, seat: int) -> int:
        """Return the ply at which the seat's current decision opened. A move is stale if the person
        saw an earlier position.
        """
        return self._opened[seat]

    @property
    def choosing_since(self) -> int:
        """The ply at which the oldest pending decision opened: its seat was still deciding during
        all later events. If no decision is pending, the current ply.
        """
        return min((self._opened[seat] for seat in self.actors if seat != CHANCE), default=self.ply)

    def view(self, viewer: int | None) -> View:
        """Return the current knowledge of ``viewer``."""
        return self.game.view(self.state, viewer)

    def history(
        self, viewer: int | None, since: int = 0
    ) -> list[tuple[int, Move | None, list[Fact]]]:
        """Return the events from ply ``since`` on, as ``viewer`` saw them: seat, move (redacted or
        None if it was secret), facts. After the end everyone sees everything.
        """
        return self._told(viewer, self.game.start(self.setup), 0, since)

    # -- continuing, in a new match
    def played(
        self, seat: int, texts: Sequence[str], seen: int | None = None
    ) -> tuple[Match[S], list[Step]]:
        """Return the match after one or more moves of ``seat`` in a row and the draws that follow.
        This match stays unchanged, even on errors.

        :param texts: the moves as typed or pressed, for instance ``["X:G6", "G8"]``.
        :param seen: the ply of the position that the person saw. A press is refused if that
            position is from before this decision opened, but not if only other seats have chosen
            since. None if the caller checks this itself.
        :returns: the new match, and a step for each of these moves and draws.
        :raises NotYourTurn: the seat owes no decision.
        :raises StaleDecision: ``seen`` is older than the decision.
        :raises IllegalMove: names the rule.
        """
        if seat == CHANCE or seat not in self.actors:
            raise NotYourTurn("not_your_turn", seat=seat)
        if seen is not None and seen < self._opened[seat]:
            raise StaleDecision("stale", seat=seat)
        after = self.copy()
        steps: list[Step] = []
        for text in texts:
            if seat not in after.actors:
                raise IllegalMove("turn_is_over", text=text[:PLAYER_MOVE_MAX])
            steps.append(after._step(Event(seat, after.game.parse(after.state, seat, text))))
            steps += after.advance()
        return after, steps

    def extended(self, log: Iterable[Event]) -> tuple[Match[S], list[Step]]:
        """Return the match after further events of its log. This match stays unchanged.

        :returns: the new match, and a step for each event.
        """
        after = self.copy()
        return after, [after._step(event) for event in log]

    def advanced(self) -> tuple[Match[S], list[Step]]:
        """Return the match after the draws of CHANCE that are due, for instance at its start. This
        match stays unchanged.

        :returns: the new match, and a step for each draw.
        """
        after = self.copy()
        return after, after.advance()

    # -- writing
    def play(self, seat: int, texts: Sequence[str], seen_ply: int | None = None) -> list[Step]:
        """Play moves like ``played``, but in place: either all of them or none.

        :returns: a step for each move, and for each draw that follows.
        :raises NotYourTurn: the seat owes no decision.
        :raises StaleDecision: ``seen_ply`` is older than the decision.
        :raises IllegalMove: names the rule; nothing was changed.
        """
        after, steps = self.played(seat, texts, seen_ply)
        self.state, self.log, self._opened = after.state, after.log, after._opened
        return steps

    def advance(self) -> list[Step]:
        """Draw the events of CHANCE that are due, in place. Call it once after the start."""
        steps = []
        while self.actors == (CHANCE,):
            rng = rng_for(self.setup.seed, len(self.log))
            steps.append(self._step(Event(CHANCE, self.game.sample(self.state, rng))))
        return steps

    # -- inside
    def _told(
        self, viewer: int | None, state: S, begun: int, since: int
    ) -> list[tuple[int, Move | None, list[Fact]]]:
        """Return the events as ``history`` does.

        :param state: the position after ``begun`` events (at most ``since``); it is modified.
        """
        over = self.outcome is not None
        for event in self.log[begun:since]:
            self.game.do(state, event.seat, event.move)
        told: list[tuple[int, Move | None, list[Fact]]] = []
        for event in self.log[since:]:
            open_to_viewer = over or event.seat == viewer
            seen = event.move if open_to_viewer else self.game.observed(state, event, viewer)
            facts: list[Fact] = []
            self.game.do(state, event.seat, event.move, facts)
            told.append((event.seat, seen, [f for f in facts if over or f.known_to(viewer)]))
        return told

    def _step(self, event: Event) -> Step:
        facts: list[Fact] = []
        seen = self.game.observed(self.state, event, None)
        self._apply(event, facts)
        return Step(event, tuple(facts), seen)

    def _apply(self, event: Event, facts: list[Fact] | None) -> None:
        seat = event.seat
        self.game.do(self.state, seat, event.move, facts)
        self.log.append(event)
        self._opened.pop(seat, None)
        self._note_open_decisions()

    def _note_open_decisions(self) -> None:
        opened, now, actors = self._opened, len(self.log), self.game.actors(self.state)
        if opened:  # other seats may now owe a decision, or no longer owe one
            self._opened = opened = {seat: at for seat, at in opened.items() if seat in actors}
        for seat in actors:
            if seat not in opened:
                opened[seat] = now

    def _verify(self, event: Event) -> None:
        at = len(self.log)
        if event.seat == CHANCE:
            due = self.actors == (CHANCE,)
            if not due or self.game.sample(self.state, rng_for(self.setup.seed, at)) != event.move:
                raise BadRecord("replay_mismatch", at=at)
        elif event.seat not in self.actors or event.move not in self.game.legal(
            self.state, event.seat
        ):
            raise BadRecord("replay_illegal", at=at)
