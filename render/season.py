"""The table of a season: a podium, and everyone's rating over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.texts import Texts
from render.canvas import Canvas, write
from render.course import Plot, draw_way
from render.geometry import Box
from render.honours import PALETTE, STEP_GAP, Stand, draw_podium, parchment_sheet
from render.laurel import LEAF, LEAF_SHADE, rank_medal
from render.names import printable, spoken
from render.plates import OAK, PAPER, card
from render.scene import Picture, first_fitting
from render.theme import Type

ROWS_AT_MOST = 8
ROW = 72
LEAST_ROWS = 5
"""The smallest height of the table, in rows: the podium needs it."""
TOP = 128
FOOT = 72
TABLE = 540
"""Left edge of the table, to the right of the podium."""

STEP_WIDTH = 152

TITLE = Type("title", 44)
SEASON = Type("title", 28)
NAME = Type("strong", 28)
DETAIL = Type("text", 28)
RATING = Type("strong", 32)
NOTE = Type("text", 28)


@dataclass(frozen=True, slots=True)
class SeasonPlayer:
    """A row of the table.

    :param name: as typed.
    :param place: from 1; equal ratings share it.
    :param course: the rating at the beginning and after each rated match.
    :param longest: the longest winning streak.
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

    :param game: its title.
    :param season: in words.
    :param ranked: the best first, at most ``ROWS_AT_MOST``, at least one.
    :param people: how many have played.
    """

    game: str
    season: str
    ranked: tuple[SeasonPlayer, ...]
    people: int


def season_picture(table: SeasonTable, say: Texts) -> Picture:
    """Draw the table."""
    names = [printable(each.name) or say("Someone") for each in table.ranked]
    height = TOP + ROW * max(LEAST_ROWS, len(table.ranked)) + FOOT
    canvas = card(height, OAK)
    write(canvas, (48, 72), table.game.upper(), TITLE, 640, LEAF, "lm")
    write(canvas, (1152, 72), table.season, SEASON, 420, OAK.soft, "rm")
    canvas.line([(48, 108), (1152, 108)], OAK.line, 2, opacity=0.7)
    podium = Box(48, TOP, 48 + 3 * STEP_WIDTH + 2 * STEP_GAP, height - FOOT)
    draw_podium(canvas, podium, _stands(table.ranked, names), 1)
    _draw_table(canvas, table.ranked, names, say)
    canvas.text((1152, height - 40), _size(table, say), NOTE, OAK.soft, "rm")
    return Picture("season.png", canvas.png(PALETTE), _described(table, say))


def _stands(ranked: Sequence[SeasonPlayer], names: Sequence[str]) -> list[Stand]:
    """Return the first three places, for the podium."""
    first = [n for n, each in enumerate(ranked) if each.place <= 3]
    return [Stand(ranked[n].place, (names[n],)) for n in first[:3]]


def _draw_table(
    canvas: Canvas, ranked: Sequence[SeasonPlayer], names: Sequence[str], say: Texts
) -> None:
    area = Box(TABLE, TOP, 1160, TOP + ROW * len(ranked))
    parchment_sheet(canvas, area)
    ratings = [rating for each in ranked for rating in each.course]
    low, high = min(ratings, default=0), max(ratings, default=1)
    for n, (row, each) in enumerate(zip(area.rows(len(ranked)), ranked, strict=True)):
        y = row.centre[1]
        if n:
            canvas.line([(row.left + 20, row.top), (row.right - 20, row.top)], PAPER.line, 2)
        canvas.stamp(rank_medal(each.place, ROW - 8), (row.left + 50, y))
        left, spark = row.left + 96, Box(row.right - 184, row.top + 18, row.right - 128, y + 18)
        wide = spark.left - left - 14
        write(canvas, (left, y - 15), names[n], NAME, wide, anchor="lm")
        write(canvas, (left, y + 18), _counts(each, say), DETAIL, wide, PAPER.soft, "lm")
        if len(each.course) > 1:
            plot = Plot(spark, low, max(high, low + 1), len(each.course) - 1)
            draw_way(canvas, plot.way(each.course), LEAF_SHADE, 5)
        canvas.text((row.right - 24, y), say.number(each.rating), RATING, anchor="rm")


# --------------------------------------------------------------------------- in words
def _counts(each: SeasonPlayer, say: Texts) -> str:
    matches = say.plural("{n} match", "{n} matches", each.matches)
    return say("{matches}, {won} won", matches=matches, won=each.won)


def _size(table: SeasonTable, say: Texts) -> str:
    """How many people have played, and how many of them the table leaves out."""
    people = say.plural("{n} person played", "{n} people played", table.people)
    more = table.people - len(table.ranked)
    return f"{people} · {say('the first {n}', n=len(table.ranked))}" if more else people


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

    :param full: include the ratings over time and the longest streak.
    """
    yield say("rating {rating}", rating=each.rating)
    yield _counts(each, say)
    if full:
        if each.longest > 1:
            yield say("{n} in a row", n=each.longest)
        if len(each.course) > 1:
            yield say("began at {rating}", rating=each.course[0])
