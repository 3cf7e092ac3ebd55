"""Every kind of picture of a game, from matches that are the same everywhere; boards at several
stages.

``scripts/pictures`` puts them on sheets, or accepts them for tests to compare with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from cogs.games import WORDS
from data.texts import texts
from games import GAMES
from games.engine import CHANCE, Match
from games.players import policy_for
from render import PAINTERS
from render.scene import Picture, Scene
from render.victory import Figure, VictoryScene, victory
from scripts.matches import match_with_options, scene_at

STAGES = {"opening": 0.06, "middle": 0.5, "late": 0.85, "end": 1.0}
"""How far into the match each board is taken, as a share of its events."""

NAMES = ("Anna", "Bernhard von Löwenstein", "Çağla", "Wolfgang-Maximilian zu Hohenlohe", "Šárka")


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture, and its name in file names (``"3-middle"``, ``"4-hand1"``)."""

    name: str
    picture: Picture


def shown(game_id: str, *, all_counts: bool = True) -> Iterator[Shown]:
    """Yield the pictures of a game. The largest table uses German and long names.

    :param all_counts: whether to show every number of players, not just the smallest and largest.
    """
    counts = GAMES[game_id].info.players
    for players in counts if all_counts else dict.fromkeys((counts[0], counts[-1])):
        yield from _of_table(game_id, players, german=players == counts[-1])


def _of_table(game_id: str, players: int, german: bool) -> Iterator[Shown]:
    painter, match = PAINTERS[game_id], match_with_options(game_id, players, seed=0)

    def scene(end: int, viewer: int | None = None) -> Scene:
        plain = scene_at(match, end, viewer)
        return replace(plain, say=texts("de"), names=NAMES[:players]) if german else plain

    def named(what: str, picture: Picture | None) -> Iterator[Shown]:
        if picture is not None:
            yield Shown(f"{players}-{what}", picture)

    for stage, share in STAGES.items():
        yield from named(stage, painter.board(scene(_moment(match, share))))
    middle = _moment(match, STAGES["middle"])
    for seat in (0, players - 1) if players > 1 else (0,):
        yield from named(f"hand{seat + 1}", painter.hand(scene(middle, seat)))
    yield from named("close-up", painter.close_up(scene(middle), 0))
    if not german:
        for what, marked in _marked(match, middle):
            yield from named(what, painter.hand(marked) or painter.board(marked))
    for n, end in enumerate(_accounts(match)):
        for picture in painter.results(scene(end)):
            yield from named(f"results{n + 1}", picture)
    last = scene(match.ply)
    yield from named("victory", victory(last, _ending(match, last)))


def _moment(match: Match[Any], share: float) -> int:
    """Return a ply at which somebody has to decide, or the last one, at least this far into a
    match.

    :param share: a share of its events.
    """
    later = range(round(match.ply * share), match.ply)
    return next((ply for ply in later if match.log[ply].seat != CHANCE), match.ply)


def _marked(match: Match[Any], end: int) -> Iterator[tuple[str, Scene]]:
    """Yield what a player sees before the next move after ``end`` events: with all legal moves
    marked, and with the one that has the most motives advised.
    """
    at, seat = Match.replay(match.game, match.setup, match.log[:end]), match.log[end].seat
    plain, legal = scene_at(match, end, seat), match.game.legal(at.state, seat)
    yield "choices", replace(plain, legal=tuple(legal))
    policy = policy_for(match.game)
    motives = {move: policy.motives(at.state, seat, move) for move in legal}
    best = max(legal, key=lambda move: len(motives[move]))
    yield "advice", replace(plain, focus=best, legal=(best,), reasons=tuple(motives[best]))


def _accounts(match: Match[Any]) -> list[int]:
    """Return the plies after the first and the last event that ended a deal or round."""
    kinds = match.game.info.accounts
    told = match.history(None)
    closed = [n + 1 for n, (_, _, facts) in enumerate(told) if any(f.kind in kinds for f in facts)]
    return list(dict.fromkeys([*closed[:1], *closed[-1:]]))


def _ending(match: Match[Any], scene: Scene) -> VictoryScene:
    words, say, outcome = WORDS[match.game.info.id], scene.say, match.outcome
    if outcome is None:
        raise ValueError("the match is not over")
    scores = (words.score(scene.view, seat, say) or "" for seat in range(len(outcome.ranks)))
    moves = sum(event.seat != CHANCE for event in match.log)
    figure = Figure(say.number(moves), say.plural("move", "moves", moves))
    reason = words.reason(outcome.reason, say)
    return VictoryScene(
        say(words.title),
        outcome.ranks,
        tuple(scores),
        reason,
        drawn=len(outcome.ranks) > 1 and set(outcome.ranks) == {1},
        figures=(figure,),
        verdict=words.verdict(scene.view, say),
    )
