"""Pictures of tournaments: the bracket of a knock-out, the standings, the podium."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.texts import Texts
from render.canvas import Canvas, write
from render.geometry import Box, Point
from render.honours import PALETTE, Stand, draw_podium
from render.laurel import LEAF, METALS, rank_medal
from render.letters import fitted
from render.names import printable, printed_names, spoken_names
from render.plates import OAK, PAPER, card, title
from render.scene import Picture, first_fitting
from render.theme import INK, LIGHT, PANEL, WIDTH, Colour, Palette, Type, mix

TOP = 132
"""Top of a bracket or table, below the title and the state."""
BOTTOM = 36
SIDE = 40
STATE = Type("text", 28)
HEADING = Type("title", 40)
NAME = Type("strong", 28)
SMALL = Type("strong", 28)
NUMBER = Type("text", 28)
HEAD = Type("text", 28)

LANE_AT_MOST, LANE_AT_LEAST = 56, 38
"""Largest and smallest height of one player's lane in the bracket."""
TALLEST = 900
"""Height of a bracket, unless that would make its lanes too low."""
FIRST = 1.35
"""Width of the first column of a bracket, as a multiple of the others."""
GAP = 28
"""Gap between two columns of a bracket, for the connecting lines."""

SHADED: Colour = mix(LIGHT, PANEL, 0.5)
"""Background of every second row."""
WON: Colour = "#8A5F00"
"""A gold dark enough to read on paper."""
SHEET = Palette((*PALETTE.colours, PAPER.rim, SHADED, mix(INK, LIGHT, 0.5), mix(INK, LIGHT, 0.75)))
"""The colours of a table of standings."""


# ---------------------------------------------------------------------------- bracket
@dataclass(frozen=True, slots=True)
class Duel:
    """A match of a knock-out.

    :param places: the players' places in the bracket; a single one has a bye.
    :param winner: None while the match is running.
    """

    places: tuple[int, ...]
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """The current state of a knock-out.

    :param title: of the tournament.
    :param state: the state of the tournament, as a sentence.
    :param names: by place, which is the seed, from 0.
    :param rounds: the rounds paired so far, each from the top of the bracket to the bottom.
    :param of: the number of rounds in total.
    """

    title: str
    state: str
    names: tuple[str, ...]
    rounds: tuple[tuple[Duel, ...], ...]
    of: int


def bracket_drawn(bracket: Bracket, say: Texts) -> Picture:
    """Draw a knock-out; once it is won, the winner's path is golden."""
    lanes = sum(len(duel.places) for duel in bracket.rounds[0])
    lane = max(LANE_AT_LEAST, min(LANE_AT_MOST, (TALLEST - TOP - BOTTOM) / lanes))
    height = round(TOP + lane * lanes + BOTTOM)
    canvas = card(height)
    _head(canvas, bracket.title, bracket.state)
    _Drawn(canvas, bracket, lane, say).draw()
    return Picture("bracket.png", canvas.png(None), bracket_in_words(bracket, say))


class _Node:
    """A match in the picture.

    :ivar lanes: the y and the place of each player; None if the player is still unknown.
    :ivar y: the height at which its winner is drawn.
    """

    def __init__(self, lanes: Sequence[tuple[float, int | None]], duel: Duel) -> None:
        self.lanes, self.winner = lanes, duel.winner
        self.y = sum(y for y, _ in lanes) / len(lanes)


class _Drawn:
    """The layout of a bracket."""

    def __init__(self, canvas: Canvas, bracket: Bracket, lane: float, say: Texts) -> None:
        self.canvas, self.bracket, self.lane = canvas, bracket, lane
        self.names = printed_names(bracket.names, say, apart=False)
        self.columns = _columns(bracket.of + 1)
        last = bracket.rounds[-1]
        whole = len(bracket.rounds) == bracket.of
        self.champion = last[0].winner if whole and len(last) == 1 else None

    def draw(self) -> None:
        """Draw all rounds, with empty plates for players still unknown."""
        nodes, top = [], self.columns[0].top
        for duel in self.bracket.rounds[0]:
            # in seed order, not in seat order
            lanes = [
                (top + self.lane * (n + 0.5), place) for n, place in enumerate(sorted(duel.places))
            ]
            top += self.lane * len(lanes)
            nodes.append(_Node(lanes, duel))
            if len(lanes) > 1:
                for y, place in lanes:
                    self._plate(0, y, place, duel)
        for number in range(1, self.bracket.of + 1):
            nodes = self._column(number, nodes)

    def _column(self, number: int, nodes: Sequence[_Node]) -> list[_Node]:
        """Draw the winners of a round, who are the players of the next one.

        :returns: the matches of the next round.
        """
        following = self.bracket.rounds[number] if number < len(self.bracket.rounds) else ()
        for n, node in enumerate(nodes):
            self._lines(number, node)
            self._plate(number, node.y, node.winner, following[n // 2] if following else None)
        return [
            _Node([(a.y, a.winner), (b.y, b.winner)], following[n] if following else Duel(()))
            for n, (a, b) in enumerate(zip(nodes[::2], nodes[1::2], strict=False))
        ]

    def _lines(self, number: int, node: _Node) -> None:
        """Draw lines from both players of a match to its winner, golden on the winner's path."""
        if len(node.lanes) < 2:
            return
        left, right = self.columns[number - 1].right, self.columns[number].left
        middle = (left + right) / 2
        for y, place in node.lanes:
            golden = place is not None and place == self.champion
            ends: list[Point] = [(left, y), (middle, y), (middle, node.y), (right, node.y)]
            if node.winner not in (None, place):
                ends.pop()
            self.canvas.line(ends, WON if golden else PAPER.line, 6 if golden else 3)

    def _plate(self, column: int, y: float, place: int | None, duel: Duel | None) -> None:
        """Draw a player's plate in a column.

        :param duel: the match this player plays next; None: it is not paired yet.
        """
        room = self.columns[column]
        box = Box.at((room.centre[0], y), room.width, self.lane - 8)
        if place is None:
            self.canvas.rect(box, None, PAPER.line, 2, radius=6)
            return
        won = column == self.bracket.of or place == self.champion
        lost = duel is not None and duel.winner not in (None, place)
        fill = LEAF if won else PAPER.carved if lost else PAPER.raised
        self.canvas.shadow(box, 3, radius=6)
        self.canvas.rect(box, fill, WON if won else PAPER.line, 2, radius=6)
        left = box.left + 10
        after_bye = column == 1 and any(d.places == (place,) for d in self.bracket.rounds[0])
        if column == 0 or after_bye:
            seed = self.canvas.text((left, y), str(place + 1), NUMBER, PAPER.ink, "lm")
            left = seed.right + 10
        name, ink = self.names[place], PAPER.soft if lost else PAPER.ink
        write(self.canvas, (left, y), name, (NAME, SMALL), box.right - 8 - left, ink, "lm")


def _columns(count: int) -> list[Box]:
    """Return the positions of the columns: the first is wider, because its names follow their
    seeds.
    """
    width = (WIDTH - 2 * SIDE - GAP * (count - 1)) / (count - 1 + FIRST)
    lefts = [SIDE, *(WIDTH - SIDE - n * width - (n - 1) * GAP for n in range(count - 1, 0, -1))]
    widths = [width * FIRST, *[width] * (count - 1)]
    return [Box(x, TOP, x + wide, TOP) for x, wide in zip(lefts, widths, strict=True)]


def bracket_in_words(bracket: Bracket, say: Texts) -> str:
    """List all matches, or only the last rounds if there is no room for more."""
    names = spoken_names(bracket.names, say, apart=False)

    def told(first: int) -> Iterator[str]:
        yield f"{bracket.title}. {bracket.state}"
        for number, duels in enumerate(bracket.rounds[first:], first + 1):
            matches = [_duel_in_words(duel, names, say) for duel in duels if len(duel.places) > 1]
            byes = [names[duel.places[0]] for duel in duels if len(duel.places) == 1]
            if matches:
                yield say("Round {n}: {matches}.", n=number, matches="; ".join(matches))
            if byes:
                yield say("Free in round {n}: {names}.", n=number, names=say.list(byes))

    count = len(bracket.rounds)
    return first_fitting((" ".join(told(first)) for first in range(count)), say)


def _duel_in_words(duel: Duel, names: Sequence[str], say: Texts) -> str:
    one, other = duel.places
    if duel.winner is None:
        return say("{one} against {other}", one=names[one], other=names[other])
    loser = other if duel.winner == one else one
    return say("{winner} beats {loser}", winner=names[duel.winner], loser=names[loser])


# -------------------------------------------------------------------------- standings
@dataclass(frozen=True, slots=True)
class BracketRow:
    """A row of the standings.

    :param name: as the person typed it.
    :param last: this player's result in the last round, in a word or two; may name others.
    :param points: as they are printed, like ``ties``.
    :param ties: the tie-break values.
    :param gone: has left the tournament.
    """

    rank: int
    name: str
    last: str
    points: str
    ties: tuple[str, ...]
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The standings of a tournament.

    :param heads: column headings: name, last round, points, then each tie-break.
    :param podium: how many rows at the top are golden: the winners.
    """

    title: str
    state: str
    heads: tuple[str, ...]
    rows: tuple[BracketRow, ...]
    golden: int = 0


NAMES_AT, LAST_AT, POINTS_AT, TIES_AT = 108, 470, 816, 936
"""Left edges of the columns; of columns of numbers, right edges."""
TIE_WIDTH = 104
ROW_HEIGHT, LOWEST_ROW = 64, 36
LEAST_MEDAL = 56
"""Smallest height of a row that has room for a medal."""


def standings_drawn(table: Crosstable, say: Texts) -> Picture:
    """Return the picture of a table of standings."""
    height = max(LOWEST_ROW, min(ROW_HEIGHT, 980 / max(1, len(table.rows))))
    canvas = card(round(TOP + 44 + height * len(table.rows) + BOTTOM))
    _head(canvas, table.title, table.state)
    names = printed_names([row.name for row in table.rows], say, apart=False)
    y = TOP + 16
    # Flat ground below the text, because on grain this many letters would make the file too large.
    canvas.rect(canvas.box.inset(24)._replace(top=TOP - 12), PAPER.raised, radius=12)
    edges = [POINTS_AT, *(TIES_AT + TIE_WIDTH * n for n in range(len(table.heads) - 3))]
    canvas.text((NAMES_AT, y), table.heads[0], HEAD, PAPER.faint, "lm")
    canvas.text((LAST_AT, y), table.heads[1], HEAD, PAPER.faint, "lm")
    for edge, head in zip(edges, table.heads[2:], strict=True):
        canvas.text((edge, y), head, HEAD, PAPER.faint, "rm")
    canvas.line([(SIDE, y + 24), (WIDTH - SIDE, y + 24)], PAPER.line, 2)
    for n, (row, name) in enumerate(zip(table.rows, names, strict=True)):
        box = Box(SIDE, TOP + 44 + n * height, WIDTH - SIDE, TOP + 44 + (n + 1) * height)
        _draw_row(canvas, box, row, name, edges, golden=n < table.golden, shaded=bool(n % 2))
    return Picture("standings.png", canvas.png(SHEET), standings_in_words(table, say))


def _draw_row(
    canvas: Canvas,
    box: Box,
    row: BracketRow,
    name: str,
    edges: Sequence[float],
    *,
    golden: bool,
    shaded: bool,
) -> None:
    y = box.centre[1]
    if golden:
        canvas.rect(box.inset(0, 2), LEAF, WON, 2, radius=6)
    elif shaded:
        canvas.rect(box, SHADED, radius=6)
    ink = PAPER.faint if row.gone else PAPER.ink
    if row.rank <= len(METALS) and not row.gone and box.height >= LEAST_MEDAL:
        canvas.stamp(rank_medal(row.rank, round(box.height) - 6), (box.left + 38, y))
    else:
        canvas.text((box.left + 52, y), f"{row.rank}.", NAME, ink, "rm")
    write(canvas, (NAMES_AT, y), name, NAME, LAST_AT - NAMES_AT - 16, ink, "lm")
    room = POINTS_AT - 84 - LAST_AT
    write(canvas, (LAST_AT, y), printable(row.last, NUMBER.face), NUMBER, room, ink, "lm")
    for edge, value in zip(edges, (row.points, *row.ties), strict=True):
        canvas.text((edge, y), value, NAME if edge == edges[0] else NUMBER, ink, "rm")


def standings_in_words(table: Crosstable, say: Texts) -> str:
    """List all rows, each shortened step by step where room is short."""
    names = spoken_names([row.name for row in table.rows], say, apart=False)
    lines = list(zip(table.rows, names, strict=True))
    points = [f"{row.rank}. {name} {row.points}" for row, name in lines]
    full = [
        f"{words}, {row.last}" if row.last else words
        for words, (row, _) in zip(points, lines, strict=True)
    ]
    start = f"{table.title}. {table.state}"
    return first_fitting((f"{start} {'; '.join(told)}." for told in (full, points)), say)


# ----------------------------------------------------------------------------- podium
@dataclass(frozen=True, slots=True)
class Podium:
    """The result of a tournament.

    :param steps: the names on the first, second and third step, as people typed them; a step may
        have several.
    :param below: a sentence about the tournament, printed below.
    """

    title: str
    steps: tuple[tuple[str, ...], ...]
    below: str


PODIUM_HEIGHT = 760
PODIUM_AREA = Box(64, 104, WIDTH - 64, 664)
PODIUM_SCALE = 1.5


def podium_drawn(podium: Podium, say: Texts) -> Picture:
    """Draw the podium of a finished tournament."""
    canvas = card(PODIUM_HEIGHT, OAK)
    title(canvas, Box(64, 36, WIDTH - 64, 92), fitted(podium.title, HEADING, 900), OAK)
    names = [tuple(printed_names(step, say, apart=False)) for step in podium.steps]
    stands = [Stand(n, step) for n, step in enumerate(names, 1) if step]
    draw_podium(canvas, PODIUM_AREA, stands, PODIUM_SCALE)
    floor = PODIUM_AREA.bottom
    canvas.line([(64, floor), (WIDTH - 64, floor)], OAK.line, 4)
    write(canvas, (WIDTH / 2, floor + 44), podium.below, STATE, WIDTH - 128, OAK.soft)
    return Picture("podium.png", canvas.png(PALETTE), podium_in_words(podium, say))


def podium_in_words(podium: Podium, say: Texts) -> str:
    """Name the people on each step."""
    places = [
        f"{rank}. {say.list(spoken_names(names, say, apart=False))}"
        for rank, names in enumerate(podium.steps, 1)
        if names
    ]
    return first_fitting([f"{podium.title}. {'; '.join(places)}. {podium.below}"], say)


# ------------------------------------------------------------------------------ inside
def _head(canvas: Canvas, words: str, state: str) -> None:
    """Draw the title between fine lines, with the state below it."""
    title(canvas, Box(SIDE, 28, WIDTH - SIDE, 80), fitted(words, HEADING, 900))
    room = WIDTH - 2 * SIDE
    write(canvas, (WIDTH / 2, 104), state, STATE, room, PAPER.soft)
