"""What a match was like, worked out after its end: chances, turning points, accuracy, luck.

Each decision is judged by what the seat knew when it was made, as a hint would have been; what
lay hidden speaks only in the curve, for which all hands are open. An analysis is thought by the
workers of computer players, a decision at a time and one match after the other, so that whoever
plays goes before. It is kept with the match, as a line of its journal; one that was cut short
begins anew when it is asked for again.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import pairwise
from math import sqrt
from statistics import fmean, pvariance
from typing import Any, Final, TypeVar

from games import GAMES
from games.engine import CHANCE, Event, Fact, Game, Match, Move, Setup, State, View
from games.players import donquixote, policy_for
from games.players.advice import Advice, Budget, Proof, Ranked
from games.players.policy import Policy
from games.players.search import Search
from play.aggregate import Command
from play.computers import NoAdvice, Thinkers
from play.judgement import CLOSE, JUDGED, POINTS, WORTH_SAYING, Scale, Verdict, judge, scatter
from play.table import Refused, Table, refuse_if
from play.tables import Tables

S = TypeVar("S", bound=State)

KIND: Final = "analysis"
"""The kind of journal line that keeps an analysis."""

PACE: Final = {"donquixote": 2000, "isis": 5000, "isolde": 2000, "lancelot": 12_000}
USUAL_PACE: Final = 3000
"""Iterations of the search that are taken for a second: about what a CPU second allows. Thoughts
are measured by them, not by the clock, so that a busy machine takes longer and comes to the same.
"""

SECONDS: Final = 60.0
"""Seconds for the decisions of a match, all together."""

SHORTEST, LONGEST = 0.05, 1.0
"""Seconds for a decision."""

AGAIN = 2.0
"""Seconds for what may be a turning point, looked at once more."""

TURNS, LOOKED_AT = 3, 6
"""So many turning points are told, of so many that are looked at once more."""

PLAYOUTS = 60
"""Matches played on from a position to tell what it is worth; not more than its iterations."""

ATTENTION = 0.1
"""The part of the trials that a move asked about may have at first, beside all others together."""

STUCK = 120.0
"""Seconds on the wall after which a thought of a second or two is taken for one that never ends."""

PATIENCE, TRIES = 2.0, 30
"""Seconds to wait, and how often, while there is no time to think."""

OFFSET: Final = {"donquixote": donquixote.MIDDLING}
"""The points that a value of 0 stands for, where a value is no lead."""

BY_ROUND: Final = frozenset({"twilight"})
"""Games whose values are of the round, not of the match."""

GAIN, GAIN_IN_POINTS = 0.1, 5.0
"""So much a good move has to win to be told: of the chances, or points."""

SURE = 2.0
"""Standard errors from which on it is said that the lots have favoured somebody."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that had two moves or more, beside what would have been best.

    :param place: of its event in the log.
    :param best: the best move, as far as the seat could know; the one that was played, if it was
        as good or nearly.
    :param lost: what the move gave away, in steps of value, 0 at least (see ``judgement.Scale``).
    :param sure: whether it can be told which move was best; not where several are about as good.
    """

    place: int
    seat: int
    best: Move
    lost: float
    sure: bool = True

    @property
    def good(self) -> bool:
        """Whether the move was as good as the best one, or almost."""
        return self.lost < CLOSE


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turning point: a decision that gave away much.

    :param verdict: on the best move.
    :param reasons: what spoke for it.
    """

    choice: Decision
    verdict: Verdict
    reasons: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a match was like.

    :param points: whether ``curve`` and ``luck`` are in points, else in chances from 0 to 1.
    :param places: of the events before which the curve was measured; the last is the end.
    :param curve: at each of these places, a number for each seat.
    :param choices: all decisions that were one.
    :param turns: the turning points, the earliest first.
    :param luck: by seat, what the lots have brought; empty where there are none to speak of.
    """

    points: bool
    places: tuple[int, ...]
    curve: tuple[tuple[float, ...], ...]
    choices: tuple[Decision, ...]
    turns: tuple[TurningPoint, ...]
    luck: tuple[float, ...] = ()

    def choice_at(self, place: int) -> Decision | None:
        """The decision that led to an event, if it was one."""
        return next((choice for choice in self.choices if choice.place == place), None)

    @property
    def best(self) -> tuple[Decision, float, float] | None:
        """The good choice by which its seat won most, with what the seat had before and after;
        None where no gain is worth a word. Where a lot was drawn next, it might be luck.
        """
        least = GAIN_IN_POINTS if self.points else GAIN
        found = [
            (choice, before[choice.seat], after[choice.seat])
            for (place, following), (before, after) in zip(
                pairwise(self.places), pairwise(self.curve), strict=True
            )
            if (choice := self.choice_at(place)) is not None
            if choice.good and following == place + 1
        ]
        gains = [each for each in found if each[2] - each[1] >= least]
        return max(gains, key=lambda each: each[2] - each[1], default=None)

    @property
    def unsure(self) -> int:
        """In how many decisions it cannot be told which move was best."""
        return sum(not choice.sure for choice in self.choices)

    def accuracy(self, seat: int) -> tuple[int, int]:
        """How many decisions of a seat were good, and how many there were."""
        own = [choice.good for choice in self.choices if choice.seat == seat]
        return sum(own), len(own)

    def to_json(self) -> str:
        """As text, to be kept."""
        said = {
            "points": self.points,
            "places": self.places,
            "curve": [[round(value, 3) for value in at] for at in self.curve],
            "choices": [[c.place, c.seat, c.best, round(c.lost, 3), c.sure] for c in self.choices],
            "turns": [
                [t.choice.place, t.verdict, [[fact.kind, fact.data] for fact in t.reasons]]
                for t in self.turns
            ],
            "luck": [round(value, 3) for value in self.luck],
        }
        return json.dumps(said, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Analysis:
        """Inverse of ``to_json``."""
        said = json.loads(text)
        choices = tuple(Decision(*each) for each in said["choices"])
        by_place = {choice.place: choice for choice in choices}
        return cls(
            said["points"],
            tuple(said["places"]),
            tuple(map(tuple, said["curve"])),
            choices,
            tuple(
                TurningPoint(
                    by_place[place], Verdict(verdict), tuple(Fact(*fact) for fact in reasons)
                )
                for place, verdict, reasons in said["turns"]
            ),
            tuple(said["luck"]),
        )


def analysis_of(table: Table) -> Analysis | None:
    """The analysis that is kept with a table, if there is one."""
    line = next((line for line in table.journal if line.kind == KIND), None)
    return None if line is None else Analysis.from_json(line.text)


@dataclass(frozen=True, slots=True)
class KeepAnalysis(Command[Table]):
    """Keep the analysis of a match that is over; the first one stays."""

    text: str = field(repr=False)

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: as ``require_played``."""
        require_played(table)
        if any(line.kind == KIND for line in table.journal):
            return table
        return table.add(KIND, now, text=self.text)


def require_played(table: Table) -> None:
    """Go on only with a match that is over and in which something was decided.

    :raises Refused: ``not_started``, ``not_over``, ``nothing_decided``.
    """
    match = table.played
    refuse_if(not table.over, "not_over")
    refuse_if(all(event.seat == CHANCE for event in match.log), "nothing_decided")


# ---------------------------------------------------------------------------- the service
@dataclass(slots=True)
class Progress:
    """An analysis under way.

    :ivar done: thoughts that have been thought, ``of`` so many.
    """

    of: int = 1
    done: int = 0
    task: asyncio.Task[Analysis] | None = None


class Analyses:
    """Analyses matches, each once, and one after the other.

    :param haste: so many times less is thought than usual.
    """

    def __init__(self, tables: Tables, thinkers: Thinkers, haste: float = 1.0) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._haste = haste
        self._under_way: dict[int, Progress] = {}
        self._one_at_a_time = asyncio.Semaphore()

    def begin(self, table: Table) -> Progress:
        """Analyse a match, or join whoever asked for the same one.

        :return: its ``task`` ends with the analysis, or with Refused: ``no_advice``.
        :raises Refused: as ``require_played``.
        """
        require_played(table)
        progress = self._under_way.get(table.id)
        if progress is None:
            progress = self._under_way[table.id] = Progress()
            progress.task = asyncio.create_task(self._analyse(table, progress))
            progress.task.add_done_callback(lambda _: self._under_way.pop(table.id, None))
        return progress

    def close(self) -> None:
        """Drop what is under way; asked for again, it begins anew."""
        for progress in self._under_way.values():
            if progress.task is not None:
                progress.task.cancel()

    async def _analyse(self, table: Table, progress: Progress) -> Analysis:
        async with self._one_at_a_time:
            found = await self._thought(table, progress)
        await self._tables.act(table.id, KeepAnalysis(found.to_json()))
        return found

    async def _thought(self, table: Table, progress: Progress) -> Analysis:
        match, game = table.played, table.game
        setup, log = match.setup, tuple(match.log)
        plan = await asyncio.to_thread(planned, game, setup, log)
        progress.of = len(plan.measured) + len(plan.lots) + LOOKED_AT
        share = SECONDS / max(1, len(plan.measured))
        seconds = max(SHORTEST, min(LONGEST, share)) / self._haste
        again = AGAIN / self._haste

        async def think(work: Callable[..., Any], given: object, seconds: float) -> Any:
            iterations = iterations_in(table.row.game, seconds)
            asked = partial(work, table.row.game, setup, log, given, iterations)
            found = await self._patiently(asked, table.id)
            progress.done += 1
            return found

        curve, choices = [], []
        for place in plan.measured:
            worth, choice = await think(looked_at, place, seconds)
            curve.append(worth)
            choices += [] if choice is None else [choice]
        gains = [await think(luck_of, place, seconds) for place in plan.lots]
        turns = [await think(looked_at_again, choice, again) for choice in worst_of(choices)]
        progress.done = progress.of
        return told(game, match, plan, curve, choices, turns, gains)

    async def _patiently(self, work: Callable[[], Any], table_id: int) -> Any:
        """Think as soon as there is time.

        :raises Refused: ``no_advice``: there has been none for long.
        """
        for _ in range(TRIES):
            try:
                return await self._thinkers.work(work, STUCK, table_id=table_id)
            except NoAdvice:
                await asyncio.sleep(PATIENCE)
        raise Refused("no_advice")


@dataclass(frozen=True, slots=True)
class AnalysisPlan:
    """What is to be looked at in a match.

    :param measured: the places of the events that seats have chosen.
    :param lots: and of those that chance has, where more than who begins is left to it.
    """

    measured: tuple[int, ...]
    lots: tuple[int, ...]


def planned(game: Game[S], setup: Setup, log: Sequence[Event]) -> AnalysisPlan:
    """What is worth a thought in a match."""
    measured = tuple(place for place, event in enumerate(log) if event.seat != CHANCE)
    lots = [place for place, event in enumerate(log) if event.seat == CHANCE]
    return AnalysisPlan(measured, tuple(lots) if game.info.has_secrets else ())


def told(
    game: Game[S],
    match: Match[S],
    plan: AnalysisPlan,
    curve: Sequence[tuple[float, ...]],
    choices: Sequence[Decision],
    turns: Sequence[TurningPoint],
    gains: Sequence[Sequence[tuple[float, float]]],
) -> Analysis:
    """All that was thought about, put together.

    :param gains: by lots, as ``luck_of``.
    """
    again = {turn.choice.place: turn.choice for turn in turns}
    worth_telling = [turn for turn in turns if turn.choice.lost >= WORTH_SAYING]
    last = final(game, match)
    if has_perfect_information(game):
        curve = smoothed(curve, match.setup.players)
    return Analysis(
        points=game.info.id in POINTS,
        places=(*plan.measured, *([len(match.log)] if last else [])),
        curve=(*curve, *([last] if last else [])),
        choices=tuple(again.get(choice.place, choice) for choice in choices),
        turns=tuple(
            sorted(
                sorted(worth_telling, key=lambda turn: -turn.choice.lost)[:TURNS],
                key=lambda turn: turn.choice.place,
            )
        ),
        luck=tuple(map(_luck, zip(*gains, strict=True))),
    )


def worst_of(choices: Iterable[Decision]) -> list[Decision]:
    """The decisions that may be turning points, the worst first."""
    worst = sorted(choices, key=lambda choice: -choice.lost)[:LOOKED_AT]
    return [choice for choice in worst if not choice.good]


def has_perfect_information(game: Game[S]) -> bool:
    """Whether all see all, and one moves after the other."""
    return not game.info.has_secrets


def smoothed(curve: Sequence[tuple[float, ...]], players: int) -> list[tuple[float, ...]]:
    """Each number with those of the turns before it, so that each seat was to move once: whoever
    is to move seems to be better off to a search that ends soon.
    """
    windows = (curve[max(0, n + 1 - players) : n + 1] for n in range(len(curve)))
    return [tuple(map(fmean, zip(*window, strict=True))) for window in windows]


def _luck(gains: Iterable[tuple[float, float]]) -> float:
    """What all lots have brought a seat; 0 if that may be the scatter of the samples."""
    brought, variances = zip(*gains, strict=True)
    luck = float(sum(brought))
    return luck if abs(luck) >= SURE * sqrt(sum(variances)) else 0.0


# ------------------------------------------------------------------------ in the workers
class Noting(Policy[S]):
    """The policy of a game, which notes the values that it gives, and has one move of a position
    looked at that it might pass over.

    :ivar noted: sums of all values by seat; ``times``: how many there were.
    :param asked: the move; ``ply``: of the position.
    """

    def __init__(self, taught: Policy[S], asked: Move, ply: int) -> None:
        super().__init__(taught.game)
        self.playout = taught.playout
        self.rounds = taught.rounds
        self.worlds = taught.worlds
        self.boldness = taught.boldness
        self.view = taught.view  # type: ignore[method-assign]
        self.decisive = taught.decisive  # type: ignore[method-assign]
        self.pick = taught.pick  # type: ignore[method-assign]
        self.motives = taught.motives  # type: ignore[method-assign]
        self.noted: list[float] = []
        self.times = 0
        self._taught = taught
        self._asked = asked
        self._ply = ply

    def weights(self, state: S, seat: int, moves: Sequence[Move]) -> Sequence[float]:
        """As it was taught, but the move that is asked about gets enough trials to be judged by
        more than a few unlucky ones.
        """
        weights = self._taught.weights(state, seat, moves)
        if state.ply != self._ply or self._asked not in moves:
            return weights
        pairs = list(zip(moves, weights, strict=True))
        enough = ATTENTION * sum(weight for move, weight in pairs if move != self._asked)
        return [max(weight, enough * (move == self._asked)) for move, weight in pairs]

    def values(self, state: S) -> Sequence[float]:
        """As it was taught."""
        values = self._taught.values(state)
        self.noted = [a + b for a, b in zip(self.noted or [0.0] * len(values), values, strict=True)]
        self.times += 1
        return values


def looked_at(
    game_id: str, setup: Setup, log: Sequence[Event], place: int, iterations: int
) -> tuple[tuple[float, ...], Decision | None]:
    """What the position before an event was worth to each seat, and how good the choice was; None
    if there was none.
    """
    game, state = GAMES[game_id], position_before(game_id, setup, log, place)
    event, rng = log[place], random.Random(f"{setup.seed}/{place}")
    open_ = has_perfect_information(game)
    choice, noted = None, None
    if len(game.legal(state, event.seat)) > 1:
        part = iterations if open_ else max(1, iterations // 2)
        view = game.view(state, event.seat)
        advice, policy = advised(game, view, event.move, rng, Budget(part))
        choice = _decision(game, view, place, event.move, advice, rng)
        noted = proven(advice, event.seat, setup.players) or policy_mean(policy)
    if open_ and noted is not None:
        values = noted
    else:
        values = mean_of(played_on(policy_for(game), state, rng, iterations))
    return measured_as(game_id, values), choice


def looked_at_again(
    game_id: str, setup: Setup, log: Sequence[Event], choice: Decision, iterations: int
) -> TurningPoint:
    """A decision that seems to have given away much, looked at for longer."""
    game, state = GAMES[game_id], position_before(game_id, setup, log, choice.place)
    event, rng = log[choice.place], random.Random(f"{setup.seed}/{choice.place}/again")
    view = game.view(state, event.seat)
    advice, _ = advised(game, view, event.move, rng, Budget(iterations))
    again = _decision(game, view, choice.place, event.move, advice, rng)
    judged = judge(game, view, advice).best
    return TurningPoint(again, judged.verdict, judged.reasons)


def _decision(
    game: Game[S], view: View, place: int, move: Move, advice: Advice, rng: random.Random
) -> Decision:
    """How good a choice was. A better move is only named if it is better by more than a little; and
    which one is best can be told if no other comes near it, or if it was played.
    """
    seat, scale = view.viewer or 0, Scale(game.info.id)
    lost = given_away(game, view, move, advice, rng)
    best, *others = advice.moves
    contested = best.proof is None and any(
        scale.gap(best, other) < CLOSE
        for other in others
        if other.proof is None and other.visits >= JUDGED
    )
    named = move if lost < CLOSE else best.move
    return Decision(place, seat, named, lost, not contested)


def luck_of(
    game_id: str, setup: Setup, log: Sequence[Event], place: int, iterations: int
) -> tuple[tuple[float, float], ...]:
    """What a lot has brought each seat beside what was to be expected of it, and the variance of
    that number.
    """
    game, state = GAMES[game_id], position_before(game_id, setup, log, place)
    policy = policy_for(game)
    rng = random.Random(f"{setup.seed}/{place}")
    expected = played_on(policy, state, rng, iterations)
    game.do(state, CHANCE, log[place].move)
    came = played_on(policy, state, rng, iterations)
    gains = []
    for before, after in zip(_by_seat(game_id, expected), _by_seat(game_id, came), strict=True):
        variance = sum(pvariance(values) / len(values) for values in (before, after))
        gains.append((fmean(after) - fmean(before), variance))
    return tuple(gains)


def _by_seat(game_id: str, worths: Iterable[Sequence[float]]) -> list[tuple[float, ...]]:
    return list(zip(*(measured_as(game_id, values) for values in worths), strict=True))


def iterations_in(game_id: str, seconds: float) -> int:
    """How many iterations stand for this many seconds of thought, at least one."""
    return max(1, round(seconds * PACE.get(game_id, USUAL_PACE)))


def position_before(game_id: str, setup: Setup, log: Sequence[Event], place: int) -> Any:
    """The state before an event."""
    return Match.replay(GAMES[game_id], setup, log[:place]).state


def advised(
    game: Game[S], view: View, move: Move, rng: random.Random, budget: Budget
) -> tuple[Advice, Noting[S]]:
    """What the viewer can think, with a move that it may not have thought of."""
    policy = Noting(policy_for(game), move, view.ply)
    advice = Search(policy, view, rng).run(budget)
    return advice, policy


def given_away(game: Game[S], view: View, move: Move, advice: Advice, rng: random.Random) -> float:
    """What a move is weaker than the best one, in steps of value, as far as the viewer knows; only
    what is beyond the scatter of the samples.
    """
    best, seat = advice.moves[0], view.viewer or 0
    if move == best.move:
        return 0.0
    played = next((ranked for ranked in advice.moves if ranked.move == move), None)
    if played is None or (played.visits < JUDGED and played.proof is None):
        after = game.determinize(view, rng)
        game.do(after, seat, move)
        values = mean_of(played_on(policy_for(game), after, rng, PLAYOUTS))
        played = Ranked(move, values[seat], PLAYOUTS)
    if played.proof is best.proof is Proof.WIN:
        return 0.0
    gap = Scale(game.info.id).gap(best, played)
    return gap if played.proof or best.proof else max(0.0, gap - scatter(advice, played))


def proven(advice: Advice, seat: int, players: int) -> list[float] | None:
    """What is sure for each seat, if the result is."""
    proof = advice.moves[0].proof
    if proof is Proof.WIN or (proof is Proof.LOSS and players == 2):
        sign = 1.0 if proof is Proof.WIN else -1.0
        return [sign if other == seat else -sign for other in range(players)]
    return None


def policy_mean(policy: Noting[Any]) -> list[float] | None:
    """The values that a search has come to, on average."""
    return [total / policy.times for total in policy.noted] if policy.times else None


def played_on(policy: Policy[S], state: S, rng: random.Random, most: int) -> list[Sequence[float]]:
    """What a position is worth to each seat, all hands open, in matches that go on from it.

    :param most: how many matches at most, at least 1.
    """
    last = state.round + policy.rounds - 1
    return [
        policy.prospects(_gone_on(policy, state.clone(), rng, last))
        for _ in range(min(PLAYOUTS, most))
    ]


def mean_of(worths: Iterable[Sequence[float]]) -> list[float]:
    """The mean for each seat."""
    return [fmean(values) for values in zip(*worths, strict=True)]


def _gone_on(policy: Policy[S], state: S, rng: random.Random, last: int) -> S:
    game, end = policy.game, state.ply + policy.playout
    while state.ply < end and state.round <= last and (actors := game.actors(state)):
        seat = actors[0]
        move = game.sample(state, rng) if seat == CHANCE else policy.pick(state, seat, rng)
        game.do(state, seat, move)
    return state


# ------------------------------------------------------------------------------- measures
def measured_as(game_id: str, values: Sequence[float]) -> tuple[float, ...]:
    """Values as points where the game counts them, else as chances that add up to 1.

    Chances go by strengths (Bradley and Terry 1952) that make a value of two players the difference
    of their chances.
    """
    points = POINTS.get(game_id)
    if points is not None:
        return tuple(points.of(value) + OFFSET.get(game_id, 0.0) for value in values)
    strengths = [sqrt((1.001 + value) / (1.001 - value)) for value in values]
    return tuple(strength / sum(strengths) for strength in strengths)


def final(game: Game[S], match: Match[S]) -> tuple[float, ...] | None:
    """The end of the curve: who has won, or with how many points; None: there is nothing to be
    said of it, or the match was broken off.
    """
    outcome = match.outcome
    if outcome is None:
        return None
    if game.info.id not in POINTS:
        winners = outcome.winners()
        seats = range(len(outcome.ranks))
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in seats)
    if game.info.id in OFFSET:
        return tuple(map(float, outcome.scores))
    if game.info.id in BY_ROUND:
        return None
    scores = outcome.scores
    others = [max(scores[:seat] + scores[seat + 1 :]) for seat in range(len(scores))]
    return tuple(float(mine - best) for mine, best in zip(scores, others, strict=True))
