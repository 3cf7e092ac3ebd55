"""The picture at the end of a match. Its text comes only from the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from cogs.gateway.cards import canonical_text
from cogs.present.drawings import Drawing, end_scene
from cogs.present.story import move_number
from cogs.present.times import about
from cogs.present.words import GameWords
from data.texts import N_, Texts
from games.engine import CHANCE, Event
from play.analysis import Analysis, analysis_of
from play.table import Table
from render.names import printed_names, spoken_names
from render.scene import Picture
from render.victory import Figure, VictoryScene, victory

FIGURES = 3
"""How many figures fit in the picture."""

DRAWN = N_("Everybody has agreed to a draw.")


@dataclass(frozen=True, eq=False)
class Finale(Drawing):
    """The picture at the end of a match. Its text is collected only when the picture is drawn,
    because collecting it means replaying the journal.

    :param told: the table and its words; ``about`` identifies them when drawings are compared.
    """

    told: tuple[Table, GameWords] | None = None

    def pictures(self) -> list[Picture]:
        """Return the picture; none if ``told`` is missing."""
        if self.told is None:
            return []
        return [victory(self.scene, ending_of(*self.told, self.scene.say))]


def finale_drawing(table: Table, words: GameWords, say: Texts) -> Finale:
    """Return the final picture for a table that has a match and a result."""
    found = analysis_of(table)
    about = canonical_text([table.row.result, None if found is None else found.to_json()])
    return Finale(table.row.game, "end", end_scene(table, say), about=about, told=(table, words))


def ending_of(table: Table, words: GameWords, say: Texts) -> VictoryScene:
    """Collect everything the picture says."""
    result, view = table.row.result or {}, table.public_view
    seats = range(len(table.members))
    names = printed_names(spoken_names(table.names, say), say)
    figures = islice(_figures(table, words, names, say), FIGURES)
    return VictoryScene(
        title=say(words.title),
        ranks=tuple(result["ranks"]),
        scores=tuple(words.score(view, seat, say) or "" for seat in seats),
        how=how_it_ended(table, words, say, names),
        drawn=len(seats) > 1 and set(result["ranks"]) == {1},
        figures=tuple(figures),
        verdict=words.verdict(view, say),
    )


def how_it_ended(table: Table, words: GameWords, say: Texts, names: Sequence[str]) -> str:
    """Say in a sentence what ended the match; empty if its result gives no reason.

    :param names: the names by seat, as they should appear.
    """
    match table.row.result:
        case {"how": "resigned", "by": seat}:
            return say("{name} has resigned.", name=names[seat])
        case {"how": "drawn"}:
            return say(DRAWN)
        case {"reason": reason}:
            return words.reason(reason, say)
    return ""


# ------------------------------------------------------------------------------ figures
def _figures(table: Table, words: GameWords, names: Sequence[str], say: Texts) -> Iterator[Figure]:
    """Yield figures about the match; the picture shows the first ``FIGURES`` of them."""
    log = table.played.log
    moves = sum(event.seat != CHANCE for event in log)
    yield Figure(say.number(moves), say.plural("move", "moves", moves))
    found = analysis_of(table)
    if found is not None:
        yield from _analysed(table, found, words, names, say)
    standings = _standings(table, words)
    if standings:
        yield from _lead(table, log, standings, say)
        yield from _leap(table, words, names, standings, say)
    first, last = table.journal[table.begun - 1].at, table.row.moved_at
    length = about(int((last - first).total_seconds()), say)
    yield Figure(length, say("from the start to the end"))
    final = next((event for event in reversed(log) if event.seat != CHANCE), None)
    if final is not None:
        move = words.move_in_words(final.move, names, say)
        yield Figure(move, say("last move: {name}", name=names[final.seat]))


def _analysed(
    table: Table, found: Analysis, words: GameWords, names: Sequence[str], say: Texts
) -> Iterator[Figure]:
    """Yield the costliest decision and the best one."""
    told = []
    if found.turns:
        worst = max(found.turns, key=lambda turn: turn.choice.lost).choice
        told.append((worst, N_("turning point ({n}): {name}")))
    if found.best is not None:
        told.append((found.best[0], N_("best move ({n}): {name}")))
    for choice, label in told:
        move = words.move_in_words(table.played.log[choice.place].move, names, say)
        number = move_number(table.played.log, choice.place)
        yield Figure(move, say(label, n=number, name=names[choice.seat]))


def _standings(table: Table, words: GameWords) -> list[tuple[float, ...]]:
    """Return everyone's standing at the start and after each event; empty if the game keeps no
    score during play.
    """
    match = table.played
    state = match.game.start(match.setup)
    standings: list[tuple[float, ...]] = []
    for event in (None, *match.log):
        if event is not None:
            match.game.do(state, event.seat, event.move)
        standing = words.standing(match.game.view(state, None))
        if standing is None:
            return []
        standings.append(tuple(standing))
    return standings


def _lead(
    table: Table, log: Sequence[Event], standings: Sequence[tuple[float, ...]], say: Texts
) -> Iterator[Figure]:
    """Yield the number of the move that put the winners in the lead for good, if there is one."""
    ranks = (table.row.result or {})["ranks"]
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    others = [seat for seat, rank in enumerate(ranks) if rank != 1]
    if not others:
        return
    ahead = [min(s[w] for w in winners) > max(s[o] for o in others) for s in standings]
    if not ahead[-1]:
        return
    behind = max((n for n, leads in enumerate(ahead) if not leads), default=0)
    move = say("move {n}", n=move_number(log, behind))
    yield Figure(move, say("in the lead from then on"))


def _leap(
    table: Table,
    words: GameWords,
    names: Sequence[str],
    standings: Sequence[tuple[float, ...]],
    say: Texts,
) -> Iterator[Figure]:
    """Yield the largest gain from a single event. If that event was the gainer's own move and
    nobody else gained by it, name the move, except in solo play.
    """
    best, found = 0.0, None
    for n, (before, after) in enumerate(pairwise(standings)):
        gains = [b - a for a, b in zip(before, after, strict=True)]
        if max(gains) > best:
            best, found = max(gains), (n, gains.index(max(gains)), sum(gain > 0 for gain in gains))
    if found is None:
        return
    n, seat, gainers = found
    event = table.played.log[n]
    gain = f"+{say.number(best)}"
    if event.seat == seat and gainers == 1 < len(table.members):
        gain = f"{words.move_in_words(event.move, names, say)}{say.colon} {gain}"
    yield Figure(gain, say("biggest gain: {name}", name=names[seat]))
