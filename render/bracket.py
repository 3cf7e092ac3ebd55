"""Pictures of tournaments: the bracket of a knock-out, the standings, the podium."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from data.texts import N_, Texts, series
from render.cache import cached
from render.canvas import Canvas, Sprite, write, write_lines
from render.emblems import GAME_COLOURS, game_emblem
from render.geometry import Box, Point
from render.honours import PALETTE, Stand, cup, draw_podium
from render.laurel import LEAF, METALS, point_at, rank_medal
from render.letters import fits_whole, fitted, text_width, typeset
from render.names import printable, printed_names, spoken, spoken_names
from render.plates import OAK, PAPER, card, title
from render.scene import Picture, first_fitting
from render.theme import INK, LIGHT, PANEL, WIDTH, Colour, Palette, Type, mix

TOP, TREE_TOP = 140, 180
"""Where a table begins, below the title and the state, and where the lanes of a bracket begin,
below the names of the rounds.
"""
BOTTOM, KEYED = 40, 76
"""Height of the rim below a bracket or table, and below a table with a key."""
SIDE = 40
STATE = Type("text", 30)
BELOW = Type("text", 34), Type("text", 28)
HEADING = Type("title", 44)
ROUND = Type("text", 32), Type("text", 28)
ROUNDS = N_("Final"), N_("Semi-finals"), N_("Quarter-finals")
"""The names of the last rounds, the final first."""

LANE_AT_MOST = 104
"""Largest height of one player's lane in the bracket; with few players, ``FINAL`` may require
taller lanes.
"""
LANES_AT_MOST = 16
"""Rounds with more players than this are left out at the start of the bracket, once the next round
has been paired; until then, only their matches are shown.
"""
TALLEST = 1440
"""Maximum height of a bracket."""
PAIR, PAIR_GAP = 166, 20
"""Height of a match in a list of matches, with the gap to the next one, and that gap."""
FIRST = 1.7
"""Width of the first column of a bracket, as a multiple of the others'."""
UNKNOWN, PROMISED = 0.7, 0.6
"""The widths of a column in which no name is known yet, and of the last one before the final is
won, as multiples of the others'.
"""
NARROW = 180
"""In columns up to this width, names begin closer to the edge of the plate."""
GAP = 24
"""Gap between two columns of a bracket, where the connecting lines run."""
PLATE_AT_MOST, CHAMPION_AT_MOST = 108, 132
"""Largest height of a player's plate, and of the champion's."""
NAMES = tuple(Type("strong", size) for size in (40, 36, 32, 30, 28))
CHAMPION = Type("strong", 52), Type("strong", 46)
"""Types for the champion's name, larger than those of all names."""
SEED = Type("text", 30)
TIGHT = 0.8
"""Maximum size of a name, as a share of the height of its plate."""
FINAL = 264
"""Approximate minimum distance between the finalists, who have the champion between them."""
CUP, LEAST_CUP, CUP_BESIDE = 148, 64, 96
"""Maximum and minimum size of the cup above the champion, and its maximum size next to the name if
there is less room.
"""

OPEN: Colour = mix(OAK.raised, PANEL, 0.78)
"""Colour of the plate of a player whose match is not over."""
TICK = 26
"""Width of the tick on the plate of a player who is through."""
WAY: Colour = mix(OAK.line, OAK.material.dark, 0.45)
"""The colour of the lines of a bracket."""
SHADED: Colour = mix(LIGHT, PANEL, 0.5)
"""Background of every second row."""
WON: Colour = "#8A5F00"
"""A gold dark enough to read on paper."""
SHEET = Palette((*PALETTE.colours, SHADED, mix(INK, LIGHT, 0.5), mix(INK, LIGHT, 0.75)))
"""The colours of a table of standings."""
TREE = Palette((*PALETTE.colours, OPEN, *(mix(OPEN, INK, share / 4) for share in (1, 2, 3))))
"""The colours of a bracket."""


# ---------------------------------------------------------------------------- bracket
@dataclass(frozen=True, slots=True)
class Duel:
    """A match of a knock-out.

    :param places: the players' places in the bracket; if there is only one, that player has a bye.
    """

    places: tuple[int, ...]
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """The current state of a knock-out.

    :param state: the state of the tournament, as a sentence.
    :param names: the names by place; the places are the seeds, from 0.
    :param rounds: the rounds paired so far, each from top to bottom of the bracket.
    :param of: the total number of rounds.
    """

    title: str
    state: str
    names: tuple[str, ...]
    rounds: tuple[tuple[Duel, ...], ...]
    of: int


def bracket_drawn(bracket: Bracket, say: Texts) -> Picture:
    """Draw a knock-out; once it is won, the winner's path is golden."""
    shown = _latest(bracket)
    lanes = sum(len(duel.places) for duel in shown.rounds[0])
    many = lanes > LANES_AT_MOST
    lane = max(min(LANE_AT_MOST, (TALLEST - TREE_TOP - BOTTOM) / lanes), 2 * FINAL / lanes)
    height = PAIR * ceil(len(shown.rounds[0]) / 2) - PAIR_GAP if many else lane * lanes
    canvas = card(round(TREE_TOP + height + BOTTOM), OAK)
    _head(canvas, bracket.title, bracket.state)
    drawn = _Drawn(canvas, shown, lane, say)
    if many:
        drawn.draw_pairs()
    else:
        drawn.draw()
    return Picture("bracket.png", canvas.png(TREE), bracket_in_words(bracket, say))


def _latest(bracket: Bracket) -> Bracket:
    """Return a bracket, leaving out finished rounds with too many players for large names."""
    rounds = bracket.rounds
    while len(rounds) > 1 and sum(len(duel.places) for duel in rounds[0]) > LANES_AT_MOST:
        rounds = rounds[1:]
    return replace(bracket, rounds=rounds, of=bracket.of - len(bracket.rounds) + len(rounds))


class _Node:
    """A match in the picture.

    :ivar lanes: for each player, the vertical position of the lane, and the place in the bracket
        (None for a player not known yet).
    :ivar y: the vertical position of the winner's lane in the next column.
    """

    def __init__(self, lanes: Sequence[tuple[float, int | None]], duel: Duel) -> None:
        self.lanes, self.duel = lanes, duel
        self.y = sum(y for y, _ in lanes) / len(lanes)


class _Drawn:
    """The layout of a bracket: a column for each round, and the champion between the finalists."""

    def __init__(self, canvas: Canvas, bracket: Bracket, lane: float, say: Texts) -> None:
        self.canvas, self.bracket, self.lane, self.say = canvas, bracket, lane, say
        self.names = printed_names(bracket.names, say, apart=False)
        self.columns = _columns(bracket.of, len(bracket.rounds) + 1)
        last = bracket.rounds[-1]
        whole = len(bracket.rounds) == bracket.of
        self.champion = last[0].winner if whole and len(last) == 1 else None

    def draw_pairs(self) -> None:
        """Draw the matches of the first round in two halves side by side, because names in a tree
        of this many players would be small. Players with a bye are through.
        """
        duels = self.bracket.rounds[0]
        half = ceil(len(duels) / 2)
        self.columns = Box(SIDE, TOP, WIDTH - SIDE, TOP).columns(2, 2 * GAP)
        self._name_round(0)
        for n, duel in enumerate(duels):
            column, y = n // half, TREE_TOP + PAIR * (n % half) + (PAIR - PAIR_GAP) / 2
            high = (PAIR - PAIR_GAP - 4) / 2
            places, bye = sorted(duel.places), len(duel.places) == 1
            for k, place in enumerate(places):
                at = y + (k - (len(places) - 1) / 2) * (high + 4)
                through = replace(duel, winner=place) if bye else duel
                self._plate(column, at, high, place, through, seeded=True)

    def draw(self) -> None:
        """Draw all rounds; plates stay empty for players not known yet."""
        nodes, top = [], float(TREE_TOP)
        for duel in self.bracket.rounds[0]:
            # in seed order, not in seat order
            lanes = [
                (top + self.lane * (n + 0.5), place) for n, place in enumerate(sorted(duel.places))
            ]
            top += self.lane * len(lanes)
            nodes.append(_Node(lanes, duel))
        columns = [nodes]
        for duels in (
            *self.bracket.rounds[1:],
            *[()] * (self.bracket.of - len(self.bracket.rounds)),
        ):
            pairs = zip(nodes[::2], nodes[1::2], strict=True)
            nodes = [
                _Node(
                    [(each.y, each.duel.winner) for each in pair], duels[n] if duels else Duel(())
                )
                for n, pair in enumerate(pairs)
            ]
            columns.append(nodes)
        for number, nodes in enumerate(columns[1:], 1):
            for n, node in enumerate(nodes):
                self._lines(number, columns[number - 1][2 * n], node.lanes[0])
                self._lines(number, columns[number - 1][2 * n + 1], node.lanes[1])
        for number, nodes in enumerate(columns):
            self._name_round(number)
            self._plates(number, nodes)
        self._champion(columns[-1][0])

    def _name_round(self, column: int) -> None:
        """Write the name of a round above its column, if it fits there."""
        left, to_come, say = self.columns[column], self.bracket.of - 1 - column, self.say
        if to_come < len(ROUNDS):
            words = say(ROUNDS[to_come])
        else:
            words = say("Last {n}", n=2 ** (to_come + 1))
        if text_width(words, ROUND[-1]) <= left.width:
            at = left.left, (TOP + TREE_TOP) / 2 - 4
            write(self.canvas, at, words, ROUND, left.width, LEAF, "lm")

    def _lines(self, number: int, before: _Node, lane: tuple[float, int | None]) -> None:
        """Draw lines from both players of a match to its winner, golden on the champion's path."""
        if len(before.lanes) < 2:
            return
        left, right = self.columns[number - 1].right, self.columns[number].left
        middle, (to, winner) = (left + right) / 2, lane
        for y, place in sorted(before.lanes, key=lambda each: each[1] == winner):
            ends: list[Point] = [(left, y), (middle, y), (middle, to), (right, to)]
            golden = place is not None and place == self.champion
            self.canvas.line(ends, LEAF if golden else WAY, 7 if golden else 4)

    def _plates(self, column: int, nodes: Sequence[_Node]) -> None:
        """Draw the plates of a round, as high as the two closest lanes allow; byes in the first
        column have none.
        """
        lanes = [(y, place, node.duel) for node in nodes for y, place in node.lanes]
        heights = sorted(y for y, _, _ in lanes)
        nearest = min((b - a for a, b in pairwise(heights)), default=self.lane)
        high = min(PLATE_AT_MOST, nearest - 6)
        for y, place, duel in lanes:
            bye = column == 0 and len(duel.places) == 1
            if not bye:
                first = self.bracket.rounds[0]
                seeded = column == 0 or any(each.places == (place,) for each in first)
                self._plate(column, y, high, place, duel, seeded=seeded)

    def _plate(
        self, column: int, y: float, high: float, place: int | None, duel: Duel, *, seeded: bool
    ) -> None:
        """Draw the plate of a player in a match.

        :param seeded: whether it shows the player's seed.
        """
        canvas, lane = self.canvas, self.columns[column]
        box = Box.at((lane.centre[0], y), lane.width, high)
        if place is None:
            canvas.rect(box, OAK.carved, radius=8, opacity=0.45)
            canvas.rect(box, None, WAY, 2, radius=8)
            return
        won, lost = place == self.champion, duel.winner not in (None, place)
        through = duel.winner == place
        fill = LEAF if won else OAK.carved if lost else LIGHT if through else OPEN
        ink = OAK.faint if lost else INK
        canvas.shadow(box, 4, radius=8)
        edge = WAY if lost else WON if through else PAPER.line
        canvas.rect(box, fill, edge, 4 if edge == WON else 2, radius=8)
        pad = 12 if lane.width > NARROW else 7
        left = box.left + pad
        if seeded:
            number = canvas.text((left + 18, y), str(place + 1), SEED, ink)
            left = max(left + 36, number.right) + 10
        kinds = [kind for kind in NAMES if kind.size <= TIGHT * high] or NAMES[-1:]
        name, right = self.names[place], box.right - pad + 2
        x = right - TICK - 8
        if through and not won and fits_whole(name, kinds[-1], x - 8 - left, 2):
            right = x - 8
            tick = [(x, y), (x + TICK * 0.35, y + TICK * 0.35), (x + TICK, y - TICK * 0.4)]
            canvas.line(tick, WON, 6)
        write_lines(canvas, (left, y), name, kinds, (right - left, high - 4), ink, "lm")

    def _champion(self, final: _Node) -> None:
        """Draw the champion's plate between the finalists, below a cup if there is room; until the
        final is won, the plate shows only a faint cup.
        """
        canvas, column = self.canvas, self.columns[-1]
        (above, _), (below, _) = final.lanes
        finalist = min(PLATE_AT_MOST, below - above - 8) / 2
        gap, (x, y) = below - above - 2 * finalist, (column.centre[0], final.y)
        high = min(CHAMPION_AT_MOST, gap - 36)
        box = Box.at((x, y), column.width, high)
        for end, (_, place) in zip((above + finalist, below - finalist), final.lanes, strict=True):
            golden = place is not None and place == self.champion
            canvas.line([(x, end), (x, y)], LEAF if golden else WAY, 7 if golden else 4)
        canvas.shadow(box, 6, radius=12)
        if self.champion is None:
            canvas.rect(box, OAK.carved, OAK.line, 4, radius=12)
            canvas.stamp(cup(1, round(min(96, high - 16))).faded(0.35), (x, y))
            return
        canvas.rect(box, LEAF, WON, 4, radius=12)
        left, size = box.left + 12, round(min(CUP, (gap - high) / 2 - 20))
        if size >= LEAST_CUP:
            canvas.stamp(cup(1, size), (x, box.top - size / 2 - 4))
        else:
            size, wide = round(min(CUP_BESIDE, high - 16)), box.width - 48
            if not fits_whole(self.names[self.champion], NAMES[-1], wide - size, 2):
                size = min(size, LEAST_CUP)
            canvas.stamp(cup(1, size), (left + size / 2, y))
            left += size + 16
        name, room = self.names[self.champion], (box.right - 16 - left, high - 12)
        write_lines(canvas, (left, y), name, (*CHAMPION, *NAMES), room, INK, "lm")


def _columns(count: int, known: int) -> list[Box]:
    """Return the positions of the columns: the first is wider, because seeds are printed before its
    names, and columns in which no name is known yet are narrow, except the last.

    :param known: the number of columns with names.
    """
    if count == 1:
        return [Box.at((WIDTH / 2, TOP), WIDTH / 2, 0)]
    shares = [FIRST] + [1.0 if n < known else UNKNOWN for n in range(1, count)]
    if known < count:
        shares[-1] = PROMISED
    part = (WIDTH - 2 * SIDE - GAP * (count - 1)) / sum(shares)
    columns, left = [], float(SIDE)
    for share in shares:
        columns.append(Box(left, TOP, left + part * share, TOP))
        left += part * share + GAP
    return columns


def bracket_in_words(bracket: Bracket, say: Texts) -> str:
    """List all matches; if there is not enough room, only those of the last rounds."""
    names = spoken_names(bracket.names, say, apart=False)

    def told(first: int) -> Iterator[str]:
        yield f"{bracket.title}. {bracket.state}"
        for number, duels in enumerate(bracket.rounds[first:], first + 1):
            matches = [_duel_in_words(duel, names, say) for duel in duels if len(duel.places) > 1]
            byes = [names[duel.places[0]] for duel in duels if len(duel.places) == 1]
            if matches:
                yield say("Round {n}: {matches}.", n=number, matches=series(matches, say))
            if byes:
                yield say("Bye in round {n}: {names}.", n=number, names=say.list(byes))

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

    :param name: the name as the person typed it.
    :param last: what happened to this player in the last round, in a word or two, with ``{names}``
        for the ``others``.
    :param points: the points, as printed.
    :param ties: the tie-break values, as printed.
    :param gone: whether the player has left the tournament.
    :param others: the opponents in the last round, as they typed their names.
    """

    rank: int
    name: str
    last: str
    points: str
    ties: tuple[str, ...]
    gone: bool = False
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The standings of a tournament.

    :param heads: column headings: name, last round, points, then each tie-break.
    :param golden: how many rows at the top are golden, because they are the winners'.
    :param key: what the abbreviations in the headings mean, printed below the table.
    """

    title: str
    state: str
    heads: tuple[str, ...]
    rows: tuple[BracketRow, ...]
    golden: int = 0
    key: str = ""


SHEET_BOX = Box(24, TOP, WIDTH - 24, TOP)
"""The place of the sheet with the table; its height depends on the number of rows."""
HEADS = 56
"""Height of the row of headings."""
FULL_ROWS = 16
"""Up to this many rows, each has two lines: the name, and below it the last round. Otherwise, the
last round is at the end of the line if there is room.
"""
FULL_ROW, LOW_ROW = 100, 48
NAMES_AT = 144
COLUMN_GAP = 32
"""Gap between two columns of numbers."""
HEAD = Type("text", 28)
ROW_NAMES = tuple(Type("strong", size) for size in (36, 32, 30, 28))
LAST = Type("text", 32), Type("text", 28)
POINTS = Type("strong", 44), Type("strong", 34)
TIES = Type("text", 34), Type("text", 30)
RANK = Type("strong", 34), Type("strong", 30)
"""Types of points, tie-breaks and ranks: in tall rows, and in short ones."""
MEDAL, DISC = 82, 42
"""Size of the medals of the first three in tall rows, and of their discs in short ones."""


def standings_drawn(table: Crosstable, say: Texts) -> Picture:
    """Return the picture of a table of standings."""
    low = len(table.rows) > FULL_ROWS
    height = LOW_ROW if low else FULL_ROW
    foot = TOP + HEADS + height * len(table.rows) + 12
    canvas = card(foot + (KEYED if table.key else BOTTOM), OAK)
    if table.key:
        write(canvas, (WIDTH / 2, foot + 38), table.key, STATE, WIDTH - 2 * SIDE, OAK.soft)
    _head(canvas, table.title, table.state)
    sheet = SHEET_BOX._replace(bottom=foot)
    canvas.shadow(sheet, 8, radius=14)
    # The sheet is plain, because this many letters on a grain would make the file too large.
    canvas.rect(sheet, LIGHT, PAPER.line, 2, radius=14)
    names = printed_names([row.name for row in table.rows], say, apart=False)
    edges, left = _edges(table, low)
    y = TOP + HEADS / 2 + 4
    name, last, *numbers = table.heads
    heads = name if low else f"{name} · {last}"
    write(canvas, (NAMES_AT, y), heads, HEAD, left - NAMES_AT - COLUMN_GAP, PAPER.faint, "lm")
    if low:
        canvas.text((left - COLUMN_GAP, y), last, HEAD, PAPER.faint, "rm")
    for edge, head in zip(edges, numbers, strict=True):
        canvas.text((edge, y), head, HEAD, PAPER.faint, "rm")
    rows = Box(sheet.left + 12, TOP + HEADS, sheet.right - 12, foot - 12).rows(len(table.rows))
    for n, (box, row, name) in enumerate(zip(rows, table.rows, names, strict=True)):
        ground = LEAF if n < table.golden else SHADED if n % 2 else None
        if ground:
            canvas.rect(box.inset(0, 1), ground, WON, 2 if ground == LEAF else 0, radius=8)
        _draw_row(canvas, box, row, name, edges, left, golden=n < table.golden)
    return Picture("standings.png", canvas.png(SHEET), standings_in_words(table, say))


def _edges(table: Crosstable, low: bool) -> tuple[list[float], float]:
    """Return the right edges of the columns of numbers, and the left edge of the first one."""
    edges, right = list[float](), SHEET_BOX.right - 32
    for n in reversed(range(len(table.heads) - 2)):
        kind = TIES[low] if n else POINTS[low]
        values = (row.ties[n - 1] if n else row.points for row in table.rows)
        edges.insert(0, right)
        wide = max(text_width(table.heads[n + 2], HEAD), *(text_width(v, kind) for v in values))
        right -= wide + COLUMN_GAP
    return edges, right + COLUMN_GAP


def _draw_row(
    canvas: Canvas,
    box: Box,
    row: BracketRow,
    name: str,
    edges: Sequence[float],
    left: float,
    *,
    golden: bool,
) -> None:
    """Draw a row; the column of points begins at ``left``."""
    low, y = box.height < FULL_ROW, box.centre[1]
    ink = PAPER.faint if row.gone else INK
    if row.rank <= len(METALS) and not row.gone and not low:
        canvas.stamp(rank_medal(row.rank, MEDAL, on_metal=golden), (box.left + 50, y))
    elif row.rank <= len(METALS) and not row.gone:
        metal, x = METALS[row.rank - 1], box.left + 62
        canvas.circle((x, y), DISC / 2, metal, mix(metal, INK, 0.6), 2.5)
        canvas.text((x, y), str(row.rank), RANK[low])
    else:
        canvas.text((box.left + 76, y), f"{row.rank}.", RANK[low], ink, "rm")
    last = _last(row)
    y -= 20 * (bool(last) and not low)
    wide = left - NAMES_AT - COLUMN_GAP
    words, kind = typeset(name, ROW_NAMES, wide)
    # If the person has left, the line drawn next is meant to cross out the name.
    written = canvas.text((NAMES_AT, y), words, kind, ink, "lm", under=row.gone)
    if row.gone:
        canvas.line([(written.left, y), (written.right, y)], ink, 2)
    for n, (edge, value) in enumerate(zip(edges, (row.points, *row.ties), strict=True)):
        canvas.text((edge, box.centre[1]), value, TIES[low] if n else POINTS[low], ink, "rm")
    if last and not low:
        write(canvas, (NAMES_AT, y + 43), last, LAST, wide, ink, "lm")
    elif text_width(last, LAST[-1]) <= wide - written.width - COLUMN_GAP:
        canvas.text((left - COLUMN_GAP, y), last, LAST[-1], ink, "rm")


def _last(row: BracketRow) -> str:
    """Return what a player did in the last round, for the picture."""
    names = (printable(name, LAST[0].face) for name in row.others)
    return row.last.format(names=", ".join(filter(None, names)))


def standings_in_words(table: Crosstable, say: Texts) -> str:
    """List all rows; if there is not enough room, leave out the last round."""
    names = spoken_names([row.name for row in table.rows], say, apart=False)
    lines = list(zip(table.rows, names, strict=True))
    points = [f"{row.rank}. {name} {row.points}" for row, name in lines]
    last = [row.last.format(names=", ".join(map(spoken, row.others))) for row in table.rows]
    full = [f"{words}, {told}" if told else words for words, told in zip(points, last, strict=True)]
    start = f"{table.title}. {table.state}"
    return first_fitting((f"{start} {series(told, say)}." for told in (full, points)), say)


# ----------------------------------------------------------------------------- podium
@dataclass(frozen=True, slots=True)
class Podium:
    """The result of a tournament.

    :param steps: the names on the first, second and third step, as people typed them; people who
        share a place share its step.
    :param below: a line about the tournament, printed below the podium.
    :param game: the id of the game, for its emblem in front of that line.
    """

    title: str
    steps: tuple[tuple[str, ...], ...]
    below: str
    game: str = ""


PODIUM_HEIGHT = 800
PODIUM_AREA = Box(48, 108, WIDTH - 48, 712)
PODIUM_CUP, PODIUM_EMBLEM = 190, 60
EDGE = 16
"""Width of the frame of a card."""


def podium_drawn(podium: Podium, say: Texts) -> Picture:
    """Draw the podium of a finished tournament."""
    canvas = card(PODIUM_HEIGHT, OAK)
    canvas.stamp(_glory(), (WIDTH / 2, (EDGE + PODIUM_AREA.bottom) / 2))
    title(canvas, Box(48, 36, WIDTH - 48, 92), fitted(podium.title, HEADING, 1000), OAK)
    names = [tuple(printed_names(step, say, apart=False)) for step in podium.steps]
    stands = [Stand(n, step) for n, step in enumerate(names, 1) if step]
    draw_podium(canvas, PODIUM_AREA, stands, PODIUM_CUP)
    floor = PODIUM_AREA.bottom
    canvas.line([(48, floor), (WIDTH - 48, floor)], OAK.line, 5)
    wide = PODIUM_EMBLEM + 16 if podium.game in GAME_COLOURS else 0
    x, y = WIDTH / 2 + wide / 2, floor + 46
    below = write(canvas, (x, y), podium.below, BELOW, WIDTH - 96 - wide, OAK.ink)
    if wide:
        canvas.stamp(game_emblem(podium.game, PODIUM_EMBLEM), (below.left - wide / 2 - 4, y))
    return Picture("podium.png", canvas.png(PALETTE), podium_in_words(podium, say))


@cached
def _glory() -> Sprite:
    """Return rays of light that spread from the winner's cup over everything above the floor."""
    canvas = Canvas(WIDTH - 2 * EDGE, round(PODIUM_AREA.bottom) - EDGE)
    x, y = canvas.width / 2, PODIUM_AREA.top + PODIUM_CUP / 2 - EDGE
    outline: list[Point] = []
    for n in range(24):
        outline += [point_at((x, y), WIDTH, n / 24 + turn) for turn in (-1 / 96, 1 / 96)]
        outline.append((x, y))
    canvas.polygon(outline, OAK.raised)
    return canvas.sprite().faded(0.45)


def podium_in_words(podium: Podium, say: Texts) -> str:
    """Name the people on each step."""
    places = [
        f"{rank}. {say.list(spoken_names(names, say, apart=False))}"
        for rank, names in enumerate(podium.steps, 1)
        if names
    ]
    return first_fitting([f"{podium.title}. {series(places, say)}. {podium.below}"], say)


# ------------------------------------------------------------------------------ inside
def _head(canvas: Canvas, words: str, state: str) -> None:
    """Draw the title between fine lines, with the state below it."""
    title(canvas, Box(SIDE, 32, WIDTH - SIDE, 84), fitted(words, HEADING, 1000), OAK)
    write(canvas, (WIDTH / 2, 108), state, STATE, WIDTH - 2 * SIDE, OAK.soft)
