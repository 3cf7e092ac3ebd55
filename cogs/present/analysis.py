"""The pages of an analysis: the curve, accuracy and luck, and each turning point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cogs.gateway.cards import Button, Card, Gallery, Part, Row, Style, rows_of
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.board import bare_title
from cogs.present.choices import table_button
from cogs.present.drawings import Painted, advised_drawing
from cogs.present.people import figure_names, player_names, safe_names, seat_colour
from cogs.present.private import VERDICTS, recommended
from cogs.present.story import move_number
from cogs.present.words import GameWords
from data.texts import N_, Texts
from games.engine import CHANCE
from play.analysis import BY_ROUND, OFFSET, Analysis, TurningPoint, position_before
from play.judgement import POINTS, Judged, Verdict
from play.replays import Moment
from play.table import Table
from render.curve import Curves, Missed, curves_drawn, value_in_words
from render.scene import Scene

ABOUT = N_(
    "Each move is judged by what its player could know. The curve takes all hands into account."
)
ABOUT_OPEN = N_("A computer player thought about each move, usually for no more than two seconds.")

AMONG = N_("one of several moves that are about equally good")
"""What the page of a turning point says of the best move if others are about as good."""

NAMED = 6
"""The maximum number of further losses, and of doubtful ones, that are named; if there are more,
they are only counted.
"""

PROGRESS_BAR = 12
"""Number of squares in a progress bar."""


# ------------------------------------------------------------------------------- the pages
def overview_card(table: Table, words: GameWords, found: Analysis, say: Texts) -> Card:
    """Return the overview of the whole match, with buttons for its turning points."""
    head = f"{bare_title(table, words, say)} · {say('Analysis')}"
    parts: list[Part] = [head]
    if len(found.curve) > 1:
        parts.append(Gallery((Painted(curves_drawn, _curves(table, found, say), say),)))
    about = ABOUT if table.game.info.hidden else ABOUT_OPEN
    parts.append("\n".join([*_summary(table, words, found, say), f"-# {say(about)}"]))
    return Card(tuple(parts), _navigation(table, found, say))


def turn_card(table: Table, words: GameWords, found: Analysis, number: int, say: Texts) -> Card:
    """Return a turning point: the position, the move played, and which move would have been better
    and why.

    :param number: the number of the turning point, from 1.
    """
    turn = found.turns[number - 1]
    seat, place = turn.choice.seat, turn.choice.place
    match = table.played
    state = position_before(table.row.game, match.setup, match.log, place)
    view = table.game.view(state, seat)
    scene = Scene(view=view, names=table.names, say=say, code=table.row.code)
    head = say(
        "Turning point {number} · move {n}", number=number, n=move_number(table.played.log, place)
    )
    parts: list[Part] = [f"### {head}"]
    best = advised_drawing(table, words, view, turn.choice.best, turn.reasons, say)
    parts.append(Gallery((best,)))
    parts.append("\n".join(_of_turn(table, words, found, turn, scene, say)))
    return Card(tuple(parts), _navigation(table, found, say, number), seat_colour(seat))


def progress_text(done: int, of: int, say: Texts) -> str:
    """Return the progress of an analysis.

    :param done: positions analysed so far.
    :param of: number of positions to analyse.
    """
    full = PROGRESS_BAR * done // max(1, of)
    bar = "▰" * full + "▱" * (PROGRESS_BAR - full)
    told = say("I am analysing the match; this takes a minute or two.")
    return f"{bar} {say('{n}%', n=100 * done // max(1, of))}\n{told}"


def beside_move(
    found: Analysis, moment: Moment, words: GameWords, names: Sequence[str], say: Texts
) -> str:
    """Return the analysis of a move, to be shown with it in the replay; empty if the player had no
    choice.

    :param names: the names by seat, unescaped.
    """
    choice = found.choice_at(moment.ply - 1)
    if choice is None:
        return ""
    if choice.good and not choice.sure:
        return f"-# {say('Analysis: I cannot tell which move was best.')}"
    if choice.good:
        return f"-# {say('Analysis: as good as the best move, or nearly so.')}"
    best = words.move_in_words(choice.best, [escape(name) for name in names], say)
    told = say("Analysis: {move} would have been better.", move=f"**{best}**")
    return f"-# {told} {_cost(words.game, choice.lost, say)}".rstrip()


MISSED: Mapping[Verdict, Missed] = {
    Verdict.WINS: "win",
    Verdict.FORCES: "win",
    Verdict.SAVES: "rescue",
}
"""What the player missed by not choosing the best move, by the verdict on that move. For all other
verdicts, the best move was merely better.
"""


# ------------------------------------------------------------------------------- sentences
def _curves(table: Table, found: Analysis, say: Texts) -> Curves:
    log = table.played.log
    moves = [0]
    for event in log:
        moves.append(moves[-1] + (event.seat != CHANCE))
    title = say("Winning chances")
    if table.row.game in OFFSET:
        title = say("Expected points")
    elif table.row.game in BY_ROUND:
        title = say("Lead in points, deal by deal")
    elif found.points:
        title = say("Lead in points")
    return Curves(
        title,
        table.names,
        found.curve,
        tuple(moves[place] for place in found.places),
        tuple(found.places.index(turn.choice.place) for turn in found.turns),
        tuple(turn.choice.seat for turn in found.turns),
        tuple(MISSED.get(turn.verdict, "better") for turn in found.turns),
        found.points,
    )


def _summary(table: Table, words: GameWords, found: Analysis, say: Texts) -> Iterator[str]:
    names, safe, log = player_names(table), safe_names(table), table.played.log
    yield from _accuracy_and_luck(names, found, say)
    if found.best is not None:
        choice, *values = found.best
        before, after = (value_in_words(value, found.points, say) for value in values)
        message = (
            N_("Best move ({n}), {name}: {move} – from {before} to {after} points.")
            if found.points
            else N_("Best move ({n}), {name}: {move} – chances from {before} to {after}.")
        )
        yield say(
            message,
            n=move_number(log, choice.place),
            name=names[choice.seat],
            move=f"**{words.move_in_words(log[choice.place].move, safe, say)}**",
            before=before,
            after=after,
        )
    for number, turn in enumerate(found.turns, 1):
        choice = turn.choice
        yield say(
            "{number}. Move {n}, {name}: {played} – better: {best}.",
            number=number,
            n=move_number(log, choice.place),
            name=names[choice.seat],
            played=words.move_in_words(log[choice.place].move, safe, say),
            best=f"**{words.move_in_words(choice.best, safe, say)}**",
        )
    if not (found.turns or found.unclear):
        yield say("There was no turning point: nobody lost much with a single move.")
    if len(found.others) > NAMED:
        yield say("{n} other moves also gave a lot away.", n=len(found.others))
    elif found.others:
        yield say.plural(
            "Move {moves} also gave a lot away.",
            "Moves {moves} also gave a lot away.",
            len(found.others),
            moves=_moves_at(table, found.others, say),
        )
    if len(found.unclear) > NAMED:
        yield say("I cannot tell whether {n} other moves gave a lot away.", n=len(found.unclear))
    elif found.unclear:
        yield say.plural(
            "I cannot tell whether move {moves} gave a lot away.",
            "I cannot tell whether moves {moves} gave a lot away.",
            len(found.unclear),
            moves=_moves_at(table, found.unclear, say),
        )


def _moves_at(table: Table, places: Sequence[int], say: Texts) -> str:
    """List moves by their numbers.

    :param places: the indices of their events.
    """
    return say.list([str(move_number(table.played.log, place)) for place in places])


def _accuracy_and_luck(names: Sequence[str], found: Analysis, say: Texts) -> Iterator[str]:
    for seat, name in enumerate(names):
        good, of = found.accuracy(seat)
        if of:
            yield say.plural(
                "{name}: {percent}% – {good} of {n} move was as good as the best, or nearly so.",
                "{name}: {percent}% – {good} of {n} moves were as good as the best, or nearly so.",
                of,
                name=name,
                percent=round(100 * good / of),
                good=good,
            )
    if found.unsure:
        yield say.plural(
            "In {n} of {of} decisions I cannot tell which move was best; a move that may have "
            "been the best counts as good.",
            "In {n} of {of} decisions I cannot tell which move was best; a move that may have "
            "been the best counts as good.",
            found.unsure,
            of=len(found.choices),
        )
    for seat, luck in enumerate(found.luck):
        if luck:
            value = value_in_words(abs(luck), found.points, say)
            message = (
                N_("Luck favoured {name}: it was worth {value} points.")
                if luck > 0
                else N_("Luck was against {name}: it cost {value} points.")
            )
            yield say(message, name=names[seat], value=value)


def _of_turn(
    table: Table, words: GameWords, found: Analysis, turn: TurningPoint, scene: Scene, say: Texts
) -> Iterator[str]:
    choice, safe = turn.choice, safe_names(table)
    played = words.move_in_words(table.played.log[choice.place].move, safe, say)
    name = player_names(table)[choice.seat]
    yield say("{name} played: **{move}**.", name=name, move=played)
    cost = _cost(table.row.game, choice.lost, say)
    if cost:
        yield cost
    yield say("A hint at that moment would have said:")
    figures = figure_names(table.names, words.owners(scene.view), say)
    judged = Judged(choice.best, turn.verdict, turn.reasons)
    verdict = AMONG if turn.verdict is Verdict.EQUAL else VERDICTS[turn.verdict]
    yield recommended(words, judged, say(verdict), scene.view, safe, figures, say)
    if turn.chances:
        best, after = (value_in_words(value, points=False, say=say) for value in turn.chances)
        yield say(
            "{name}'s chances: about {best} after {better}, about {after} after {move}.",
            name=name,
            best=best,
            better=f"**{words.move_in_words(choice.best, safe, say)}**",
            after=after,
            move=f"**{played}**",
        )


def _cost(game: str, lost: float, say: Texts) -> str:
    """Say how many points a move gave away, in games that count points."""
    points = POINTS.get(game)
    if points is None:
        return ""
    n = round(lost * points.worth)
    if not n:
        return ""
    return say.plural("It gave away about {n} point.", "It gave away about {n} points.", n)


def _navigation(table: Table, found: Analysis, say: Texts, shown: int = 0) -> tuple[Row, ...]:
    """Return buttons for the other pages and the replay.

    :param shown: the turning point on this page; 0: the overview.
    """
    numbers = range(1, len(found.turns) + 1)
    pages = [
        Button(
            Control(table.id, 0, "analysis", str(number)),
            str(number) if number else say("Overview"),
            Style.PRIMARY,
            disabled=number == shown,
        )
        for number in ([0, *numbers] if shown else numbers)
    ]
    if not shown:
        return rows_of([*pages, table_button(table, "replay", say("Replay"))])
    place = found.turns[shown - 1].choice.place
    there = Button(Control(table.id, 0, "replay", f"{place + 1}.0.t"), say("In the replay"))
    return rows_of([*pages, there])
