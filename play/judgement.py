"""Judges a seat's moves: which are best, how certain that is, and why.

A judgement depends only on advice and on the view for which it was given. Proven results are stated
as certain. A reason holds in all positions sampled from the view, and sets its move apart from most
others or from those named with it. A best move without such a reason gets others, such as what
equally good moves have in common.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from math import asin, atanh, sqrt

from games.engine import Fact, Game, Move, State, View
from games.players import Advice, Ranked, donquixote, isolde, policy_for, twilight
from games.players.advice import Proof, Stop

MOVES_AT_MOST = 3

WORLDS = 30
"""How many possible positions are sampled to decide what is certain."""

OTHERS = 24
"""The maximum number of alternatives with which a move is compared."""

EQUAL, CLOSE, WORTH_SAYING = 0.05, 0.1, 0.25
"""Gaps in value: below the first, moves are about equal; below the second, a little weaker; from
the third on, too weak to recommend.
"""

TRIED = 0.05
"""Only a move with at least this share of the best move's visits is recommended."""

JUDGED = 3
"""The value of a move counts only after at least this many visits."""

SCATTER = 0.2
"""Approximate standard deviation of a single sampled value."""

RARE, FEW = 0.5, 3
"""A reason applies to less than this share of the other moves; with fewer than three others, to
none of them.
"""

RESTATES = frozenset(
    {
        "chosen",
        "field",
        "moved",
        "ordered",
        "placed",
        "played",
        "power_used",
        "sword_moved",
        "sword_set",
    }
)
"""Kinds of facts that only repeat the move."""

SILENT = RESTATES | {"over", "round_over", "scored", "scoring"}
"""Kinds of facts that say nothing for or against a move in any game, such as an end that comes
whichever move is made. A game's ``Policy.silent`` lists further ones.
"""

MANY = 0.25
"""If at least this share of all moves loses, the judgement says how many."""

MAGNITUDES = ("points", "number", "strength", "squares", "lines", "cards")
"""Keys of a fact's data that hold its magnitude; for a list, its length."""


@dataclass(frozen=True, slots=True)
class PointScale:
    """Converts a game's values to points.

    :param of: returns the points, or the lead in points, for a value.
    :param worth: the points that a difference of 1 in value stands for while the match is even.
    """

    of: Callable[[float], float]
    worth: float


NEARLY = 0.999
"""The largest value that is converted to points; larger values count as this one."""


def _lead(steepness: float) -> PointScale:
    """Return the scale for values that are the hyperbolic tangent of a lead."""
    return PointScale(
        lambda value: atanh(max(-NEARLY, min(NEARLY, value))) / steepness, 1 / steepness
    )


DEAL = 120.0
"""The ``worth`` of Twilight's scale: a third of the most points that a side can win in a deal."""

POINTS: Mapping[str, PointScale] = {
    "donquixote": PointScale(lambda value: donquixote.SPAN * value, donquixote.SPAN),
    "isolde": _lead(isolde.STEEPNESS),
    "twilight": PointScale(lambda value: twilight.MOST * value, DEAL),
}
"""The scales of games that are played for points, by id."""


class Verdict(StrEnum):
    """How a move compares with the others.

    For the best move: ``ONLY``: there is no other. ``WINS``: it wins at once; ``FORCES``: it wins
    against any defence. ``SAVES``: all others lose, and this one is not known to. ``SURE``: the
    search was complete, and no other is better. ``CLEAR``: it is better by more than chance in the
    samples can explain; ``BETTER``: it is better as far as the search can tell. ``LOST``: all moves
    lose.

    For any move: ``EQUAL``: others are about as good. For a move behind the best: ``CLOSE``,
    ``WEAKER``.
    """

    ONLY = "only"
    WINS = "wins"
    FORCES = "forces"
    SAVES = "saves"
    SURE = "sure"
    CLEAR = "clear"
    BETTER = "better"
    EQUAL = "equal"
    CLOSE = "close"
    WEAKER = "weaker"
    LOST = "lost"


TOLD_ALONE = frozenset({Verdict.WINS, Verdict.FORCES})
"""Verdicts that are worth mentioning for a move other than the best, even if no reason sets it
apart.
"""

PROVEN = frozenset({Verdict.WINS, Verdict.FORCES, Verdict.SAVES, Verdict.SURE, Verdict.LOST})
"""The verdicts that are certain."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A move, with its verdict and reasons.

    :param reasons: facts in its favour, such as its immediate effects and other arguments for it
        (``blocks``, ``garrisons`` ...).
    """

    move: Move
    verdict: Verdict
    reasons: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Declined:
    """An obvious move that is not recommended.

    :param verdict: LOST: it is proven to lose; EQUAL, CLOSE, WEAKER: compared with the best move.
    :param brings: the effects that it is certain to have.
    :param drawbacks: its drawbacks that the best move does not have; if there are none, and the
        game counts points, how many points it is ``behind``.
    """

    move: Move
    verdict: Verdict
    brings: tuple[Fact, ...]
    drawbacks: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdicts on the moves of a seat.

    :param near: moves that are as good as the best one or not much weaker.
    :param loses: moves that are proven to lose, or to be worse than another.
    :param declined: an obvious move that is not recommended, and why.
    """

    best: Judged
    near: tuple[Judged, ...]
    loses: frozenset[Move]
    declined: Declined | None = None

    @property
    def certain(self) -> bool:
        """Whether the verdict on the best move is proven, not sampled."""
        return self.best.verdict in PROVEN

    @property
    def recommended(self) -> tuple[Judged, ...]:
        """The best move, and those near it."""
        return (self.best, *self.near)


def judge(game: Game[State], view: View, advice: Advice) -> Judgement:
    """Judge the moves of ``view.viewer``.

    :param view: the view of a seat that has to act.
    """
    reasons = Reasons(game, view)
    scale = Scale(game.info.id)
    verdict = _verdict(advice, len(reasons.moves), scale)
    if verdict is Verdict.EQUAL:
        advice = _telling_first(advice, reasons, scale)
    best = advice.moves[0]
    further = _pitfalls(advice, len(reasons.moves))
    if verdict in (Verdict.SURE, Verdict.CLEAR, Verdict.BETTER):
        further += scale.gains(advice)
    told, alike = [best.move], list[Move]()
    near = list[Judged]()
    for ranked in _near(advice, verdict, scale):
        rank = _beside(scale.gap(best, ranked), ranked)
        if rank not in TOLD_ALONE and not reasons.unlike(ranked.move, told):
            alike += [ranked.move] if rank is Verdict.EQUAL else []
            continue
        near.append(Judged(ranked.move, rank, reasons.beside(ranked.move, told)))
        told.append(ranked.move)
    because = reasons.beside(best.move, told[1:])
    if not because:
        bare = not (further or any(each.reasons for each in near))
        common = reasons.shared([best.move, *alike]) if bare else ()
        because = common or reasons.traits(best.move) or reasons.shared([best.move])
        because += (Fact("alike", {"moves": alike}),) if alike else ()
    return Judgement(
        Judged(best.move, verdict, (*further, *because)),
        tuple(near),
        frozenset(
            ranked.move for ranked in advice.moves if ranked.proof in (Proof.LOSS, Proof.WORSE)
        ),
        _declined(advice, reasons, scale, told),
    )


def _telling_first(advice: Advice, reasons: Reasons, scale: Scale) -> Advice:
    """Return the advice with another move first if needed: of the moves about as good as the best,
    the first that has a reason. Unchanged if none has one.
    """
    best = advice.moves[0]
    near = _near(advice, Verdict.EQUAL, scale)
    equal = [best, *(each for each in near if scale.gap(best, each) < EQUAL)]
    first = next((each for each in equal if reasons.of(each.move)), best)
    others = (each for each in advice.moves if each != first)
    return replace(advice, moves=(first, *others))


def _declined(
    advice: Advice, reasons: Reasons, scale: Scale, told: Sequence[Move]
) -> Declined | None:
    """Return the obvious move and what is wrong with it; None if there is no such move, the hint
    names it, or nothing is known to be wrong with it.
    """
    move = reasons.obvious
    ranked = next((ranked for ranked in advice.moves if ranked.move == move), None)
    if move is None or ranked is None or move in told or advice.moves[0].proof is Proof.WIN:
        return None
    if ranked.proof in (Proof.LOSS, Proof.WORSE):
        verdict = Verdict.LOST if ranked.proof is Proof.LOSS else Verdict.WEAKER
    elif ranked.visits < JUDGED:
        return None
    else:
        verdict = _beside(scale.gap(advice.moves[0], ranked), ranked)
    if verdict is Verdict.LOST and advice.moves[0].proof is Proof.LOSS:
        return None
    brings, drawbacks = reasons.certain(move), reasons.drawbacks(move, told[0])
    if verdict is not Verdict.LOST and not drawbacks:
        if verdict is Verdict.EQUAL or not any(reasons.speaks(fact) for fact in brings):
            return None
        drawbacks = scale.behind(advice.moves[0], ranked)
    return Declined(move, verdict, brings, drawbacks)


class Scale:
    """Measures how far apart the values of moves are in a game."""

    def __init__(self, game_id: str) -> None:
        self._points = POINTS.get(game_id)

    def gap(self, best: Ranked, other: Ranked) -> float:
        """Return how much weaker a move is than the best one: a gap in value, at least 0, to be
        compared with ``EQUAL`` and ``CLOSE``.

        If the game counts points, the gap is the difference in points, divided by the ``worth`` of
        the scale. Otherwise it is stretched near certain wins and losses, so that samples scatter
        equally everywhere (Bartlett 1947): from 1% to 5% of all matches won is a larger gap than
        from 51% to 55%.
        """
        if self._points is None:
            return max(0.0, asin(best.value) - asin(other.value))
        return max(0.0, self._between(best, other)) / self._points.worth

    def gains(self, advice: Advice) -> tuple[Fact, ...]:
        """Return the fact ``gains``: by how many points the best move is ahead of the next one, on
        average; empty if the game does not count points, or no other move was visited often enough.
        """
        rivals = [ranked for ranked in advice.moves[1:] if ranked.visits >= JUDGED]
        if self._points is None or not rivals:
            return ()
        next_ = max(rivals, key=lambda ranked: ranked.value)
        points = round(self._between(advice.moves[0], next_))
        return (Fact("gains", {"points": points, "than": next_.move}),)

    def behind(self, best: Ranked, other: Ranked) -> tuple[Fact, ...]:
        """Return the fact ``behind``: by how many points a move is behind the best one, on average;
        empty if the game does not count points, or the difference rounds to zero or less.
        """
        points = round(self._between(best, other))
        return (Fact("behind", {"points": points}),) if points > 0 else ()

    def _between(self, best: Ranked, other: Ranked) -> float:
        return (
            0.0
            if self._points is None
            else (self._points.of(best.value) - self._points.of(other.value))
        )


def _verdict(advice: Advice, choices: int, scale: Scale) -> Verdict:
    best, *others = advice.moves
    if choices == 1:
        return Verdict.ONLY
    if best.proof is Proof.WIN:
        return Verdict.WINS if best.distance == 1 else Verdict.FORCES
    if best.proof is Proof.LOSS:
        return Verdict.LOST
    if sum(ranked.proof is Proof.LOSS for ranked in others) == choices - 1:
        return Verdict.SAVES
    if best.proof is Proof.BEST:
        return Verdict.SURE
    if any(scale.gap(best, ranked) < EQUAL for ranked in _rivals(advice)):
        return Verdict.EQUAL
    judged = [ranked for ranked in others if ranked.visits >= JUDGED and ranked.proof is None]
    clear = all(scale.gap(best, ranked) >= CLOSE + scatter(advice, ranked) for ranked in judged)
    return Verdict.CLEAR if clear else Verdict.BETTER


def _rivals(advice: Advice) -> list[Ranked]:
    """Return the unproven moves with enough visits to be recommended besides the best one."""
    best, *others = advice.moves
    least = max(JUDGED, TRIED * best.visits)
    return [ranked for ranked in others if ranked.proof is None and ranked.visits >= least]


def _pitfalls(advice: Advice, choices: int) -> tuple[Fact, ...]:
    """Return the fact ``pitfalls``: how many of the other moves lose; empty if few do, if all do,
    or if something is proven about the best move.
    """
    number = sum(ranked.proof is Proof.LOSS for ranked in advice.moves[1:])
    if advice.moves[0].proof is not None or not MANY * choices <= number < choices - 1:
        return ()
    return (Fact("pitfalls", {"number": number, "of": choices - 1}),)


def scatter(advice: Advice, other: Ranked) -> float:
    """Return the standard error of the difference between the best move and another one; 0 if
    everything was searched.
    """
    if advice.stop is Stop.SOLVED:
        return 0.0
    return SCATTER * sqrt(1 / max(1, advice.moves[0].visits) + 1 / other.visits)


def _near(advice: Advice, verdict: Verdict, scale: Scale) -> list[Ranked]:
    """Return the moves worth mentioning in addition to the best one, the better ones first."""
    best, *others = advice.moves
    if verdict in (Verdict.WINS, Verdict.FORCES):
        others = [ranked for ranked in others if ranked.proof is Proof.WIN]
    elif verdict is Verdict.LOST:
        others = []
    else:
        others = _rivals(advice)
    worth = takewhile(lambda ranked: scale.gap(best, ranked) < WORTH_SAYING, others)
    told = list(worth)[: MOVES_AT_MOST - 1]  # sorted by visits, or by how soon they win
    return sorted(told, key=lambda ranked: 0.0 if ranked.proof else scale.gap(best, ranked))


def _beside(gap: float, ranked: Ranked) -> Verdict:
    if ranked.proof is Proof.WIN:
        return Verdict.WINS if ranked.distance == 1 else Verdict.FORCES
    if gap < EQUAL:
        return Verdict.EQUAL
    return Verdict.CLOSE if gap < CLOSE else Verdict.WEAKER


# ------------------------------------------------------------------------------ the reasons
class Reasons:
    """Finds the certain effects of each of a seat's moves, and those that set it apart.

    It uses only positions that the seat considers possible. The same view and positions always give
    the same result.

    :ivar moves: all legal moves.
    :ivar obvious: the obvious move, if it is the same in every position.
    """

    def __init__(
        self, game: Game[State], view: View, worlds: Sequence[State] | None = None
    ) -> None:
        """:param worlds: the positions that the seat considers possible; default: sampled ones.
        :raises ValueError: a spectator has no move.
        """
        if view.viewer is None:
            raise ValueError("a spectator has no move")
        self._game = game
        self._seat = view.viewer
        self._policy = policy_for(game)
        rng = random.Random(view.to_json())
        number = WORLDS if game.info.has_secrets else 1
        self._worlds = worlds or [game.determinize(view, rng) for _ in range(number)]
        self.moves = game.legal(self._worlds[0], self._seat)
        tempting = {self._policy.tempting(world, self._seat) for world in self._worlds}
        self.obvious = tempting.pop() if len(tempting) == 1 else None
        self._compared = rng.sample(self.moves, min(OTHERS, len(self.moves)))
        self._certain: dict[Move, tuple[Fact, ...]] = {}

    def speaks(self, fact: Fact) -> bool:
        """Return whether a fact can say anything for or against a move."""
        return fact.kind not in SILENT and fact.kind not in self._policy.silent

    def of(self, move: Move) -> tuple[Fact, ...]:
        """Return the facts in favour of a move that do not apply to most others."""
        others = [other for other in self._compared if other != move]
        known = [self._magnitudes(other) for other in others]

        def is_rare(fact: Fact) -> bool:
            as_much = sum(each.get(fact.kind, 0) >= magnitude(fact) for each in known)
            return as_much < (RARE * len(others) if len(others) >= FEW else 1)

        return tuple(fact for fact in self.certain(move) if self.speaks(fact) and is_rare(fact))

    def beside(self, move: Move, told: Sequence[Move]) -> tuple[Fact, ...]:
        """Return the reasons for a move: first those that set it apart from the moves named with
        it, then those that set it apart from most others.
        """
        rare = self.of(move)
        unlike = self.unlike(move, told) if told else ()
        return (*unlike, *(fact for fact in rare if fact not in unlike))

    def unlike(self, move: Move, told: Sequence[Move]) -> tuple[Fact, ...]:
        """Return the effects of a move that none of the given other moves has."""
        others = [self.certain(other) for other in told]
        return tuple(
            fact
            for fact in self.certain(move)
            if self.speaks(fact) and not any(fact in each for each in others)
        )

    def shared(self, moves: Sequence[Move]) -> tuple[Fact, ...]:
        """Return the effects that all these moves have, even if many others have them too."""
        first, *others = [self.certain(move) for move in moves]
        return tuple(
            fact for fact in first if self.speaks(fact) and all(fact in each for each in others)
        )

    def traits(self, move: Move) -> tuple[Fact, ...]:
        """Return the traits of a move that hold in every position."""
        first, *others = [self._policy.traits(world, self._seat, move) for world in self._worlds]
        return tuple(fact for fact in first if all(fact in each for each in others))

    def drawbacks(self, move: Move, best: Move) -> tuple[Fact, ...]:
        """Return the drawbacks that a move has in every position and the best one does not have."""
        found = [
            [
                fact
                for fact in self._policy.drawbacks(world, self._seat, move)
                if fact not in self._policy.drawbacks(world, self._seat, best)
            ]
            for world in self._worlds
        ]
        first, *others = found
        return tuple(fact for fact in first if all(fact in each for each in others))

    def certain(self, move: Move) -> tuple[Fact, ...]:
        """Return those immediate effects and motives of a move that hold in every position and that
        the seat learns about.
        """
        if move not in self._certain:
            facts = []
            for world in self._worlds:
                motives = self._policy.motives(world, self._seat, move)
                after, told = world.clone(), list[Fact]()
                self._game.do(after, self._seat, move, told)
                facts.append([*(fact for fact in told if fact.known_to(self._seat)), *motives])
            first, *others = facts
            self._certain[move] = tuple(
                fact for fact in first if all(fact in each for each in others)
            )
        return self._certain[move]

    def _magnitudes(self, move: Move) -> Mapping[str, float]:
        """Return the largest magnitude of each kind of fact."""
        found: dict[str, float] = {}
        for fact in self.certain(move):
            found[fact.kind] = max(magnitude(fact), found.get(fact.kind, 0))
        return found


def magnitude(fact: Fact) -> float:
    """Return the size of a fact, such as the number of stones taken; 1 if it has none."""
    for key in MAGNITUDES:
        if key in fact.data:
            amount = fact.data[key]
            return len(amount) if isinstance(amount, Sequence) else float(amount)
    return 1.0
