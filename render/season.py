"""The table of a season: a podium, and below it the people in the next places, with their ratings
over time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.texts import Texts
from render.canvas import Canvas, write, write_lines
from render.course import draw_level, draw_small, plot_for
from render.emblems import GAME_COLOURS, game_emblem
from render.geometry import Box
from render.honours import PALETTE, Stand, draw_podium, parchment_sheet
from render.laurel import LEAF, METALS, rank_medal
from render.names import printable, spoken
from render.plates import OAK, PAPER, card
from render.scene import Picture, first_fitting
from render.theme import LIGHT, Type

ROWS_AT_MOST = 8
PODIUM = Box(32, 96, 1168, 592)
CUP = 130
EMBLEM = 76
PLAQUE, PLAQUE_GAP = 70, 12
"""Height of the plaque with a person's curve at the foot of a step, and the gap around it."""
ROW = 66
TABLE = Box(40, PODIUM.bottom + 16, 1160, PODIUM.bottom + 16)
"""The table of people who are not on the podium; its height varies."""
FOOT = 60
NAMES_AT, COURSE_AT = 100, 726
"""Where a row's name begins, from the row's left edge, and its curve, from the picture's left edge.
"""

TITLE = tuple(Type("title", size) for size in (52, 44, 36))
SEASON = Type("text", 32), Type("text", 28)
NAME = tuple(Type("strong", size) for size in (38, 34, 30, 28))
RATING = Type("strong", 46)
NOTE = Type("text", 28)


@dataclass(frozen=True, slots=True)
class SeasonPlayer:
    """A person in the table.

    :param name: the name as typed.
    :param place: the place, from 1; equal ratings share a place.
    :param course: the rating at the start, then the rating after each rated match; if there are
        many, a selection.
    :param longest: the most matches won in a row.
    """

    name: str
    place: int
    rating: int
    matches: int
    won: int
    longest: int
    course: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season of one game.

    :param game: the title of the game.
    :param season: the season, in words.
    :param ranked: the people in the table, best first; at least one, at most ``ROWS_AT_MOST``.
    :param people: how many people have played.
    :param emblem: the id of the game, for its emblem; empty: none is shown.
    """

    game: str
    season: str
    ranked: tuple[SeasonPlayer, ...]
    people: int
    emblem: str = ""


def season_picture(table: SeasonTable, say: Texts) -> Picture:
    """Draw the podium and, below it, a table of the others."""
    names = [printable(each.name) or say("Someone") for each in table.ranked]
    first = [n for n, each in enumerate(table.ranked) if each.place <= len(METALS)][: len(METALS)]
    rest = range(len(first), len(table.ranked))
    height = TABLE.top + ROW * len(rest) + FOOT - (0 if rest else TABLE.top - PODIUM.bottom)
    canvas = card(round(height), OAK)
    season = write(canvas, (1152, 64), table.season, SEASON, 460, OAK.soft, "rm")
    left = 48.0
    if table.emblem in GAME_COLOURS:
        canvas.stamp(game_emblem(table.emblem, EMBLEM), (left + EMBLEM / 2 - 8, 64))
        left += EMBLEM + 8
    room = season.left - 40 - left
    write(canvas, (left, 64), table.game.upper(), TITLE, room, LEAF, "lm")
    _draw_podium(canvas, [(table.ranked[n], names[n]) for n in first], say)
    if rest:
        area = TABLE._replace(bottom=TABLE.top + ROW * len(rest))
        parchment_sheet(canvas, area)
        for n, row in zip(rest, area.rows(len(rest)), strict=True):
            if n > rest[0]:
                canvas.line([(row.left + 20, row.top), (row.right - 20, row.top)], PAPER.line, 2)
            _draw_row(canvas, row, table, names[n], table.ranked[n], say)
        _draw_scale(canvas, height - 36, table, say)
    canvas.text((1152, height - 36), _size(table, say), NOTE, OAK.soft, "rm")
    return Picture("season.png", canvas.png(PALETTE), _described(table, say))


def _draw_podium(canvas: Canvas, first: Sequence[tuple[SeasonPlayer, str]], say: Texts) -> None:
    """Draw the first three, each with their rating and its curve."""
    stands = [Stand(each.place, (name,), say.number(each.rating)) for each, name in first]
    fronts = draw_podium(canvas, PODIUM, stands, CUP, PLAQUE + 2 * PLAQUE_GAP)
    best = [each for each, _ in first]
    for front, each in zip(fronts, best, strict=True):
        if len(each.course) > 1:
            low = front.inset(PLAQUE_GAP)
            plaque = low._replace(top=low.bottom - PLAQUE)
            canvas.rect(plaque, LIGHT, PAPER.line, 2, radius=8)
            _draw_course(canvas, plaque.inset(20, 17), best, each)


def _draw_row(
    canvas: Canvas, row: Box, table: SeasonTable, name: str, each: SeasonPlayer, say: Texts
) -> None:
    y = row.centre[1]
    canvas.stamp(rank_medal(each.place, ROW - 6), (row.left + 50, y))
    left = row.left + NAMES_AT
    write_lines(canvas, (left, y), name, NAME, (COURSE_AT - 24 - left, row.height), anchor="lm")
    others = table.ranked[len(METALS) :]
    _draw_course(canvas, Box(COURSE_AT, y - 18, COURSE_AT + 240, y + 18), others, each)
    canvas.text((row.right - 20, y), say.number(each.rating), RATING, anchor="rm")


def _draw_course(
    canvas: Canvas, box: Box, together: Sequence[SeasonPlayer], each: SeasonPlayer
) -> None:
    """Draw a person's ratings over time, on one scale for everybody in ``together``."""
    if len(each.course) > 1:
        ratings = [rating for other in together for rating in other.course]
        draw_small(canvas, plot_for(ratings, box, len(each.course) - 1), each.course)


def _draw_scale(canvas: Canvas, y: float, table: SeasonTable, say: Texts) -> None:
    """Draw the legend for the line behind the curves, which marks the rating of a newcomer."""
    started = [each.course[0] for each in table.ranked if each.course]
    if started:
        draw_level(canvas, 48, 112, y)
        canvas.text((128, y), say.number(started[0]), NOTE, OAK.soft, "lm")


# --------------------------------------------------------------------------- in words
def _counts(each: SeasonPlayer, say: Texts) -> str:
    matches = say.plural("{n} match", "{n} matches", each.matches)
    return say("{matches}, {won} won", matches=matches, won=each.won)


def _size(table: SeasonTable, say: Texts) -> str:
    """Say how many people have played and, if not all of them are shown, how many are."""
    people = say.plural("{n} person played", "{n} people played", table.people)
    more = table.people - len(table.ranked)
    return f"{people} · {say('top {n}', n=len(table.ranked))}" if more else people


def _described(table: SeasonTable, say: Texts) -> str:
    names = [spoken(each.name) or say("Someone") for each in table.ranked]
    head = f"{table.season}. {table.game}. {_size(table, say)}."
    attempts = []
    for full in (True, False):
        told = (", ".join(_parts(each, say, full)) for each in table.ranked)
        lines = zip(table.ranked, names, told, strict=True)
        attempts.append([head, *(f"{each.place}. {name}: {words}." for each, name, words in lines)])
    return first_fitting(map(" ".join, attempts), say)


def _parts(each: SeasonPlayer, say: Texts, full: bool) -> Iterator[str]:
    """Yield the description of one person.

    :param full: whether to include the ratings over time and the longest streak.
    """
    yield say("rating {rating}", rating=each.rating)
    yield _counts(each, say)
    if full:
        if each.longest > 1:
            yield say("{n} in a row", n=each.longest)
        if len(each.course) > 1:
            yield say("began at {rating}", rating=each.course[0])
