"""Analysing a finished match: chances, turning points, accuracy, luck.

Each decision is judged by what the seat knew at the time, as for a hint. Hidden information counts
only in the curve and in luck, which are computed with all hands open. The workers of computer
players do the thinking, one decision at a time and one match after another, so that running matches
get their turns in between. The analysis is stored as a line of the match's journal. If it is
interrupted, it starts over at the next request.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import pairwise
from math import sqrt
from statistics import fmean, pvariance
from typing import Any, Final, TypeVar

from games import GAMES
from games.engine import CHANCE, Event, Fact, Game, Match, Move, Setup, State, View
from games.players import donquixote, policy_for
from games.players.advice import Advice, Budget, Proof
from games.players.policy import Policy, play_at_a_glance
from games.players.search import Search
from play.aggregate import Command
from play.computers import NoAdvice, Thinkers
from play.judgement import CLOSE, POINTS, WORTH_SAYING, Verdict, judge
from play.table import Refused, Table, refuse_if
from play.tables import Tables
from play.weighing import PRICED, Loss, Weighed, doubted, priced, settled, verified, weighed

S = TypeVar("S", bound=State)

KIND: Final = "analysis"
"""The kind of journal line that stores an analysis."""

PACE: Final = {"donquixote": 2000, "isis": 5000, "isolde": 2000, "lancelot": 12_000}
USUAL_PACE: Final = 3000
"""Iterations of the search that count as one second: roughly the number a CPU second allows.
Thinking is measured in iterations rather than seconds, so a busy machine takes longer but gets the
same result.
"""

SECONDS: Final = 60.0
"""Seconds of thinking that the decisions of a match share, within the limits for a single one."""

SHORTEST, LONGEST = 0.05, 1.0
"""The minimum and maximum thinking time for one decision, in seconds."""

AGAIN = 1.0
"""Seconds of thinking for the second look at a possible turning point."""

TURNS, TURNS_AT_MOST, LOOKED_AT = 3, 5, 20
"""How many turning points are shown; how many at most, if further ones are about as bad; and how
many candidates get a second look.
"""

PLAYOUTS = 60
"""The maximum number of playouts for estimating the value of a position. With fewer iterations,
there is one playout per iteration.
"""

SEARCHED, COMPARED = 0.3, 2
"""A decision's iterations are multiplied by these: the first gives the iterations of the search,
the second the maximum number of playouts in the comparison that follows. Most comparisons are clear
long before that limit.
"""

SEARCHED_LONGER = 2000
"""The minimum number of iterations of a second search, made if the first contradicts the
comparison.
"""

ATTENTION = 0.1
"""The minimum initial weight of the move to examine, relative to all other moves together."""

STUCK = 120.0
"""The ``longest`` of ``Thinkers.work`` for a search, which usually takes a second or two."""

PATIENCE, TRIES = 2.0, 30
"""While the workers are busy: seconds to wait before each new attempt, and the number of attempts.
"""

OFFSET: Final = {"donquixote": donquixote.MIDDLING}
"""The points that a value of 0 stands for, in games whose value is not a lead."""

BY_ROUND: Final = frozenset({"twilight"})
"""Games whose values refer to the current round, not to the whole match."""

GAIN, GAIN_IN_POINTS = 0.1, 5.0
"""The smallest gain, in chances and in points, for which a good move is shown."""

SURE = 2.0
"""Luck is reported only if it amounts to at least this many standard errors."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision between two or more moves, compared with the best one.

    :param place: the index of its event in the log.
    :param best: the best move, given what the seat knew; or the move played, if it was about as
        good.
    :param lost: the loss compared with the best move, at least 0, as ``judgement.Scale`` measures
        it.
    :param sure: whether it is clear that the move was good, or which other one was better.
    :param most: the most that the move may have lost, according to the first look; not stored.
    """

    place: int
    seat: int
    best: Move
    lost: float
    sure: bool = True
    most: float = 0.0

    @property
    def good(self) -> bool:
        """Whether the move was as good as the best one, or nearly so."""
        return self.lost < CLOSE


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The result of a second look at a decision that may have lost a lot.
    :param verdict: the verdict on the best move.
    :param reasons: why the best move is better.
    :param loss: whether the decision lost a lot.
    :param chances: the seat's chances of winning, from 0 to 1, after the best move and after the
        one played; empty where points count or, with more than two players, places do.
    """

    choice: Decision
    verdict: Verdict
    reasons: tuple[Fact, ...] = ()
    loss: Loss = Loss.CLEAR
    chances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a match.

    :param points: whether ``curve`` and ``luck`` are in points rather than chances from 0 to 1.
    :param places: the indices of the events before which the curve was measured; the last one may
        be the end.
    :param curve: a value for each seat at each of these places.
    :param choices: all decisions between two or more moves.
    :param turns: the turning points, in order.
    :param others: the places of further decisions that lost a lot, in order.
    :param unclear: the places of decisions that may have lost a lot, in order.
    :param luck: by seat, the gain from chance; empty if no draw of chance was measured.
    """

    points: bool
    places: tuple[int, ...]
    curve: tuple[tuple[float, ...], ...]
    choices: tuple[Decision, ...]
    turns: tuple[TurningPoint, ...]
    luck: tuple[float, ...] = ()
    others: tuple[int, ...] = ()
    unclear: tuple[int, ...] = ()

    def choice_at(self, place: int) -> Decision | None:
        """Return the decision at an event; None for a draw of chance or an only move."""
        return next((choice for choice in self.choices if choice.place == place), None)

    @property
    def best(self) -> tuple[Decision, float, float] | None:
        """Return the good decision that gained the most for its seat, with the seat's value before
        and after; None if no gain is worth showing. Decisions followed by a draw of chance do not
        count, because the gain may be luck.
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
        """In how many decisions it is not clear whether the move was good, or which other one was
        better.
        """
        return sum(not choice.sure for choice in self.choices)

    def accuracy(self, seat: int) -> tuple[int, int]:
        """Return how many of a seat's decisions were good, and how many there were."""
        own = [choice.good for choice in self.choices if choice.seat == seat]
        return sum(own), len(own)

    def to_json(self) -> str:
        """Return the analysis as JSON."""
        said = {
            "points": self.points,
            "places": self.places,
            "curve": [[round(value, 3) for value in at] for at in self.curve],
            "choices": [[c.place, c.seat, c.best, round(c.lost, 3), c.sure] for c in self.choices],
            "turns": [
                [t.choice.place, t.verdict, [[fact.kind, fact.data] for fact in t.reasons]]
                for t in self.turns
            ],
            "chances": [[round(value, 3) for value in t.chances] for t in self.turns],
            "luck": [round(value, 3) for value in self.luck],
            "others": self.others,
            "unclear": self.unclear,
        }
        return json.dumps(said, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Analysis:
        """Read the JSON that ``to_json`` writes."""
        said = json.loads(text)
        choices = tuple(Decision(*each) for each in said["choices"])
        by_place = {choice.place: choice for choice in choices}
        chances = said.get("chances", [()] * len(said["turns"]))
        return cls(
            said["points"],
            tuple(said["places"]),
            tuple(map(tuple, said["curve"])),
            choices,
            tuple(
                TurningPoint(
                    by_place[place],
                    Verdict(verdict),
                    tuple(Fact(*fact) for fact in reasons),
                    chances=tuple(after),
                )
                for (place, verdict, reasons), after in zip(said["turns"], chances, strict=True)
            ),
            tuple(said["luck"]),
            tuple(said.get("others", ())),
            tuple(said.get("unclear", ())),
        )


def analysis_of(table: Table) -> Analysis | None:
    """Return the stored analysis of a table; None if there is none."""
    line = next((line for line in table.journal if line.kind == KIND), None)
    return None if line is None else Analysis.from_json(line.text)


@dataclass(frozen=True, slots=True)
class KeepAnalysis(Command[Table]):
    """Store the analysis of a match that is over; the first one is kept."""

    text: str = field(repr=False)

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: whatever ``require_played`` raises."""
        require_played(table)
        if any(line.kind == KIND for line in table.journal):
            return table
        return table.add(KIND, now, text=self.text)


def require_played(table: Table) -> None:
    """Check that a match is over, and that somebody made a decision in it.

    :raises Refused: ``not_over``, ``nothing_decided``, or whatever ``Table.played`` raises.
    """
    match = table.played
    refuse_if(not table.over, "not_over")
    refuse_if(all(event.seat == CHANCE for event in match.log), "nothing_decided")


# ---------------------------------------------------------------------------- the service
@dataclass(slots=True)
class Progress:
    """An analysis in progress.

    :ivar person_id: the first person who requested it.
    :ivar of: the largest number of searches that may be needed.
    :ivar done: how many are finished; equal to ``of`` once no more are needed.
    """

    person_id: int
    of: int = 1
    done: int = 0
    task: asyncio.Task[Analysis] | None = None


class Analyses:
    """Runs analyses, one at a time. Each match and each person has at most one in progress.

    :param haste: a divisor of the thinking time.
    """

    def __init__(self, tables: Tables, thinkers: Thinkers, haste: float = 1.0) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._haste = haste
        self._under_way: dict[int, Progress] = {}
        self._one_at_a_time = asyncio.Semaphore()

    def is_new(self, table: Table, person_id: int) -> bool:
        """Return whether a person's request would start an analysis; False if one is already in
        progress.

        :raises Refused: ``analysis_under_way``: the person is waiting for the analysis of another
            match; see also ``require_played``.
        """
        require_played(table)
        if table.id in self._under_way:
            return False
        busy = any(progress.person_id == person_id for progress in self._under_way.values())
        refuse_if(busy, "analysis_under_way")
        return True

    def begin(self, table: Table, person_id: int) -> Progress:
        """Start an analysis, or return the progress of the one already running.

        :returns: the progress, whose ``task`` ends with the analysis, or with Refused:
            ``no_advice``.
        :raises Refused: whatever ``is_new`` raises.
        """
        if self.is_new(table, person_id):
            progress = self._under_way[table.id] = Progress(person_id)
            progress.task = asyncio.create_task(self._analyse(table, progress))
            progress.task.add_done_callback(lambda _: self._under_way.pop(table.id, None))
        return self._under_way[table.id]

    def close(self) -> None:
        """Cancel running analyses; they start over at the next request."""
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
            found = await self._patiently(asked, table.id, progress.person_id)
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

    async def _patiently(self, work: Callable[[], Any], table_id: int, person_id: int) -> Any:
        """Run the work as soon as a worker is free. If it does not finish, try again.

        :raises Refused: ``no_advice``: all attempts failed, usually because no worker was free.
        """
        for _ in range(TRIES):
            try:
                return await self._thinkers.work(
                    work, STUCK, table_id=table_id, person_id=person_id
                )
            except NoAdvice:
                await asyncio.sleep(PATIENCE)
        raise Refused("no_advice")


@dataclass(frozen=True, slots=True)
class AnalysisPlan:
    """The events of a match that an analysis examines.

    :param measured: the indices of the events that seats chose.
    :param lots: the indices of draws of chance; empty in games without secrets, where chance only
        decides who begins.
    """

    measured: tuple[int, ...]
    lots: tuple[int, ...]


def planned(game: Game[S], setup: Setup, log: Sequence[Event]) -> AnalysisPlan:
    """Return the events of a match that are worth analysing."""
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
    """Assemble the analysis from the results of all searches.

    :param gains: for each draw of chance, the result of ``luck_of``.
    """
    again = {turn.choice.place: turn.choice for turn in turns}
    clear = [turn for turn in turns if turn.loss is Loss.CLEAR]
    worst = worst_turns(clear)
    unclear = {turn.choice.place for turn in turns if turn.loss is Loss.UNCLEAR}
    unclear |= {choice.place for choice in choices if choice.lost >= WORTH_SAYING} - {*again}
    last = final(game, match)
    if has_perfect_information(game):
        curve = smoothed(curve, match.setup.players)
    return Analysis(
        points=game.info.id in POINTS,
        places=(*plan.measured, *([len(match.log)] if last else [])),
        curve=(*curve, *([last] if last else [])),
        choices=tuple(again.get(choice.place, choice) for choice in choices),
        turns=tuple(sorted(worst, key=lambda turn: turn.choice.place)),
        luck=tuple(map(_luck, zip(*gains, strict=True))),
        others=tuple(sorted(turn.choice.place for turn in clear if turn not in worst)),
        unclear=tuple(sorted(unclear)),
    )


def worst_turns(clear: Iterable[TurningPoint]) -> list[TurningPoint]:
    """Return the ``TURNS`` turning points that lost most, and up to ``TURNS_AT_MOST`` in all if
    others lost about as much as the last of these, because their order may be luck.
    """
    by_loss = sorted(clear, key=lambda turn: -turn.choice.lost)[:TURNS_AT_MOST]
    least = min((turn.choice.lost for turn in by_loss[:TURNS]), default=0.0)
    return [turn for turn in by_loss if turn.choice.lost > least - CLOSE]


def worst_of(choices: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that may be turning points, sorted by how much they may have lost, the
    most first.
    """
    doubtful = [choice for choice in choices if choice.most >= WORTH_SAYING]
    return sorted(doubtful, key=lambda choice: -choice.most)[:LOOKED_AT]


def has_perfect_information(game: Game[S]) -> bool:
    """Return whether everything is open and players move one after another."""
    return not game.info.has_secrets


def smoothed(curve: Sequence[tuple[float, ...]], players: int) -> list[tuple[float, ...]]:
    """Average each value with those of the turns before it, so that each average covers one turn of
    every seat. This is needed because a short search overrates the seat to move.
    """
    windows = (curve[max(0, n + 1 - players) : n + 1] for n in range(len(curve)))
    return [tuple(map(fmean, zip(*window, strict=True))) for window in windows]


def _luck(gains: Iterable[tuple[float, float]]) -> float:
    """Return a seat's total gain from chance; 0 if it may just be sampling noise."""
    brought, variances = zip(*gains, strict=True)
    luck = float(sum(brought))
    return luck if abs(luck) >= SURE * sqrt(sum(variances)) else 0.0


# ------------------------------------------------------------------------ in the workers
class Noting(Policy[S]):
    """A game's policy that records the values it returns, and makes the search consider a move that
    it might skip.

    :ivar noted: the sums of all values by seat.
    :ivar times: how many values there were.
    :param asked: the move to consider.
    :param ply: the ply of the position.
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
        """Return the game's own weights, but raise that of the move to consider to a minimum, so
        that it gets enough trials for a reliable value.
        """
        weights = self._taught.weights(state, seat, moves)
        if state.ply != self._ply or self._asked not in moves:
            return weights
        pairs = list(zip(moves, weights, strict=True))
        enough = ATTENTION * sum(weight for move, weight in pairs if move != self._asked)
        return [max(weight, enough * (move == self._asked)) for move, weight in pairs]

    def values(self, state: S) -> Sequence[float]:
        """Return the game's own values, and record them."""
        values = self._taught.values(state)
        self.noted = [a + b for a, b in zip(self.noted or [0.0] * len(values), values, strict=True)]
        self.times += 1
        return values


def looked_at(
    game_id: str, setup: Setup, log: Sequence[Event], place: int, iterations: int
) -> tuple[tuple[float, ...], Decision | None]:
    """Return each seat's value in the position before an event, and a judgement of the choice (None
    if there was no choice).
    """
    game, state = GAMES[game_id], position_before(game_id, setup, log, place)
    event, rng = log[place], random.Random(f"{setup.seed}/{place}")
    open_ = has_perfect_information(game)
    choice, noted = None, None
    if len(game.legal(state, event.seat)) > 1:
        view = game.view(state, event.seat)
        advice, found, policy = examined(game, view, event.move, rng, iterations)
        choice = Decision(place, event.seat, found.best, found.lost, found.sure, found.most)
        noted = proven(advice, event.seat, setup.players) or policy_mean(policy)
    if open_ and noted is not None:
        values = noted
    else:
        values = mean_of(played_on(policy_for(game), state, rng, iterations))
    return measured_as(game_id, values), choice


def looked_at_again(
    game_id: str, setup: Setup, log: Sequence[Event], choice: Decision, iterations: int
) -> TurningPoint:
    """Take a second, longer look at a decision that may have lost a lot.

    Search again for the best alternatives, then measure in further worlds how much was lost.
    """
    game, state = GAMES[game_id], position_before(game_id, setup, log, choice.place)
    event, rng = log[choice.place], random.Random(f"{setup.seed}/{choice.place}/again")
    view = game.view(state, event.seat)
    advice, found, _ = examined(game, view, event.move, rng, iterations)
    loss = Loss.CLEAR if found.lost >= WORTH_SAYING else Loss.NONE
    others = [each for each in found.moves if each.move != event.move]
    rivals = [each.move for each in others[:PRICED]]
    if rivals and not settled(advice, event.move):
        anew, loss = priced(game, view, event.move, rivals, rng, iterations)
        if loss is Loss.CLEAR and contradicted(game, view, advice, rng, anew.best, event.move):
            loss = Loss.UNCLEAR
        found = replace(anew, sure=found.sure, moves=(*anew.moves, *others[PRICED:]))
    elif has_perfect_information(game) and loss is Loss.CLEAR:
        searched = max(1, round(SEARCHED * iterations))
        found, loss = verified(game, view, event.move, found, rng, searched)
    again = replace(choice, best=found.best, lost=found.lost, sure=found.sure)
    judged = judge(game, view, replace(advice, moves=found.moves)).best
    if not again.good:
        again = replace(again, best=judged.move)
    chances: tuple[float, ...] = ()
    if game.info.id not in POINTS and (view.players == 2 or not game.info.places):
        values = {each.move: each.value for each in found.moves}
        chances = tuple((1 + values[each]) / 2 for each in (again.best, event.move))
    return TurningPoint(again, judged.verdict, judged.reasons, loss, chances)


def luck_of(
    game_id: str, setup: Setup, log: Sequence[Event], place: int, iterations: int
) -> tuple[tuple[float, float], ...]:
    """Return, by seat, the gain from a draw of chance compared with its expectation, and the
    variance of that gain.
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
    """Convert seconds of thinking to iterations, at least one."""
    return max(1, round(seconds * PACE.get(game_id, USUAL_PACE)))


def position_before(game_id: str, setup: Setup, log: Sequence[Event], place: int) -> Any:
    """Return the state before the event at an index."""
    return Match.replay(GAMES[game_id], setup, log[:place]).state


def examined(
    game: Game[S], view: View, move: Move, rng: random.Random, iterations: int
) -> tuple[Advice, Weighed, Noting[S]]:
    """Search with the viewer's knowledge, and weigh a given move against the best ones. The result
    counts as not sure if both this search and a longer one contradict it.
    """
    policy = Noting(policy_for(game), move, view.ply)
    searched = max(1, round(SEARCHED * iterations))
    advice = Search(policy, view, rng).run(Budget(searched))
    found = weighed(game, view, move, advice, rng, COMPARED * iterations)
    if found.sure and not settled(advice, move):
        doubt = contradicted(game, view, advice, rng, found.best)
        found = replace(found, sure=not doubt)
    return advice, found, policy


def contradicted(
    game: Game[S],
    view: View,
    advice: Advice,
    rng: random.Random,
    best: Move,
    rival: Move | None = None,
) -> bool:
    """Return whether the search and a longer one both contradict a comparison; see ``doubted``."""
    if not doubted(game.info.id, advice, best, rival):
        return False
    longer = Budget(max(SEARCHED_LONGER, 2 * advice.iterations))
    later = Search(policy_for(game), view, rng).run(longer)
    return doubted(game.info.id, later, best, rival)


def proven(advice: Advice, seat: int, players: int) -> list[float] | None:
    """Return the value for each seat if the result is certain; otherwise None."""
    proof = advice.moves[0].proof
    if proof is Proof.WIN or (proof is Proof.LOSS and players == 2):
        sign = 1.0 if proof is Proof.WIN else -1.0
        return [sign if other == seat else -sign for other in range(players)]
    return None


def policy_mean(policy: Noting[Any]) -> list[float] | None:
    """Return the average of the values in a search; None if there were no values."""
    return [total / policy.times for total in policy.noted] if policy.times else None


def played_on(policy: Policy[S], state: S, rng: random.Random, most: int) -> list[Sequence[float]]:
    """Return the values of a position for each seat, with all hands open, one entry per playout.

    :param most: the maximum number of playouts, at least 1.
    """
    last = state.round + policy.rounds - 1
    found = []
    for _ in range(min(PLAYOUTS, most)):
        after = state.clone()
        play_at_a_glance(policy, after, last, rng)
        found.append(policy.prospects(after))
    return found


def mean_of(worths: Iterable[Sequence[float]]) -> list[float]:
    """Return the mean for each seat."""
    return [fmean(values) for values in zip(*worths, strict=True)]


# ------------------------------------------------------------------------------- measures
def measured_as(game_id: str, values: Sequence[float]) -> tuple[float, ...]:
    """Convert values to points where the game counts points, otherwise to chances that add up to 1.

    Chances are proportional to strengths (Bradley and Terry 1952), chosen so that with two players
    the value is the difference of their chances.
    """
    points = POINTS.get(game_id)
    if points is not None:
        return tuple(points.of(value) + OFFSET.get(game_id, 0.0) for value in values)
    strengths = [sqrt((1.001 + value) / (1.001 - value)) for value in values]
    return tuple(strength / sum(strengths) for strength in strengths)


def final(game: Game[S], match: Match[S]) -> tuple[float, ...] | None:
    """Return the end of the curve: who won or, where points count, everyone's points or lead. None
    if the game has no such value, or the match was stopped early.
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
