"""The picture at the end of a match, for sharing: the winners in large type, everyone's place, and
figures about the match. The last board is a separate picture, which nothing covers.

All games share the layout; each has its own background and colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from data.texts import N_, Texts, series
from render.cache import cached
from render.canvas import Canvas, Sprite, write, write_lines
from render.geometry import Box, Point, placed, regular
from render.heroes import hero, partners
from render.laurel import LEAF, LEAF_SHADE, laurel, point_at, rank_medal
from render.letters import LEADING, fits_whole, lines_of, set_in_lines, text_width, typeset
from render.light import raised, relief
from render.materials import Material
from render.names import in_one_face, printed_names, spoken_names
from render.plates import CROWN, OAK, Ground, card, title, token
from render.scene import Picture, Scene, first_fitting
from render.theme import BRIGHT_GOLD, INK, Palette, Type
from render.words import VICTORY, title_words

HEIGHT = 960
LOW = HEIGHT - 64
"""Height of the picture if there are no figures about the match, or only one, on a single line."""
HERO = Box(30, 92, 522, 784)
"""The area of the winners."""
STANDING = Box(546, 40, 1168, 784)
"""The area for everyone's places."""
ROW_HEIGHT = 272
ROW_GAP = 8
BESIDE = 10
"""Gap around the medal and the shield before a name."""
FIGURES = Box(48, 802, 1152, 930)
"""The area for the figures about the match."""
FIGURE_GAP = 48

WREATH = 400
RAYS = 228
"""Length of the rays, from the centre of the laurel."""
GLORY = Box.at((HERO.centre[0], HERO.top + WREATH / 2 + 24), 460)
"""The box of the laurel and its rays."""

NAMES = tuple(Type("title", size) for size in (60, 56, 50, 44, 36, 30))
OTHER_NAMES = tuple(Type("strong", size) for size in (52, 44, 36, 30, 28))
"""Types for the winners' names if the face for capitals lacks a letter or is too wide; the largest
that fits is used.
"""
CRIES = (Type("title", 34), Type("title", 30))
SENTENCES = Type("text", 32), Type("text", 28)
SENTENCE = 37
"""Distance between the lines of a sentence."""
ROW = tuple(Type("strong", size) for size in (56, 48, 44, 40, 36, 32, 30, 28))
READ_WELL = 44
"""One long name never makes the other names smaller than this."""
SCORES = Type("text", 40), Type("text", 34), Type("text", 30), Type("text", 28)
NUMBERS = tuple(Type("strong", size) for size in (76, 68, 60, 52, 46))
NUMBER_SHARE = 0.42
"""Maximum size of the number in a score, as a share of the row's height."""
COUNTED, NARROW_COUNTED = 140, 132
"""Maximum width of the number in a score next to a name, in spacious rows and in others."""
SPACIOUS = 200
SIGNS = ((SPACIOUS, 104, 68), (150, 84, 56), (0, 72, 52))
"""Sizes of medals and tokens, by the minimum height of a row."""
NOUN, NOUN_LEADING = Type("text", 28), 33
NOUN_WIDTHS = (100, 120, 140, 160, 180, 200)
"""Widths tried for a noun on two lines; if it fits in none, the score is printed as words."""
NOUN_HEAD = 44
"""Height of the noun above the column of numbers."""
NOUNS = Type("text", 36), Type("text", 32), NOUN
ALONE = Type("strong", 184)
ALONE_BOX = Box.at(STANDING.centre, STANDING.width - 40, 480)
VERDICTS, VERDICT = ROW[1:], 130
"""Types for the verdict on somebody who played alone, and its maximum height."""
LEAST_LEADING = 33
"""The minimum distance between two lines of a row, unless they would not all fit."""
NAME_LINES, SCORE_LINES = {1: 1.34, 2: 1.0, 3: 0.8}, 3
"""How many lines a name may have, and what each of them weighs: a name on fewer lines may be that
much smaller.
"""
FIGURE_TYPES = tuple(Type("strong", size) for size in (52, 44, 36, 28))
"""Types for a figure; the largest that fits is used."""
LABEL = Type("text", 28)
LABEL_LINES = 2

WORLDS: dict[str, Ground] = {
    "lancelot": OAK,
    "isis": Ground(
        Material("stars", "#162944", "#1D3452"),
        *("#0D1A2C", "#FFF4DA", "#E3D6B4", "#C2B794", "#C39A45", "#37557C", "#0F1D31"),
    ),
    "twilight": Ground(
        Material("moons", "#241F3F", "#352E59"),
        *("#17132B", "#FFF4DA", "#E4DAE6", "#C3B8CC", "#D9A441", "#4C437B", "#191530"),
    ),
    "donquixote": Ground(
        Material("sails", "#63331F", "#743D26"),
        *("#43200F", "#FFF6E2", "#F5DDBE", "#E8C9A4", "#E0A95A", "#8F5334", "#47210F"),
    ),
    "isolde": Ground(
        Material("roses", "#47162F", "#571F3B"),
        *("#2C0D1D", "#FFF8E6", "#F0DDCF", "#DCC3B8", "#D0A55A", "#7C3A58", "#330F22"),
    ),
}
"""The background of each game's final picture."""

ANY_WORLD = "lancelot"
"""The game whose background and palette are used for games that have none."""

FEW = 2
"""If there are at most this many winners, each name may have a line of its own."""

DRAW = N_("A draw")
SHARED = N_("Shared victory")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure about a match: a value, such as a number or a move, and what it means."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class VictoryScene:
    """The end of a match; texts are in the language of the picture.

    :param title: the name of the game.
    :param ranks: one per seat, 1 is best; equal ranks share a place.
    :param scores: each seat's score in words; empty if the ranks say it all.
    :param how: how the match ended, as a sentence; may be empty.
    :param figures: up to three figures about the match.
    :param verdict: the verdict on a solo player's result; empty in all other matches.
    """

    title: str
    ranks: tuple[int, ...]
    scores: tuple[str, ...]
    how: str
    drawn: bool = False
    figures: tuple[Figure, ...] = ()
    verdict: str = ""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def places(self) -> list[int]:
        """All seats, best place first."""
        return sorted(range(len(self.ranks)), key=lambda seat: self.ranks[seat])

    def cry(self) -> str:
        """Return the headline, as a msgid."""
        if self.drawn:
            return DRAW
        return VICTORY if len(self.winners) == 1 else SHARED


def victory(scene: Scene, ending: VictoryScene) -> Picture:
    """Draw the end of a match.

    :param scene: the last position.
    """
    game = scene.view.game
    ground = _world(game)
    canvas = card(HEIGHT if len(ending.figures) > 1 else LOW, ground)
    canvas.inlay(_glory(game), GLORY, GLORY)
    canvas.line([(48, FIGURES.top), (1152, FIGURES.top)], ground.line, 2, opacity=0.7)
    title(canvas, Box(HERO.left, 40, HERO.right, 88), ending.title, ground)
    _draw_winners(canvas, scene, ending, ground)
    _draw_standing(canvas, scene, ending, ground)
    _draw_figures(canvas, ending, ground)
    words = _words(scene, ending)
    palette = Palette.of(f"{game if game in WORLDS else ANY_WORLD}-end")
    return Picture(f"{game}-end.png", canvas.png(palette), words)


def _world(game: str) -> Ground:
    return WORLDS[game if game in WORLDS else ANY_WORLD]


# ------------------------------------------------------------------------------- ground
@cached
def _glory(game: str) -> Canvas:
    """Return the part of the background that all matches of a game share: rays of light and the
    laurel.
    """
    ground = _world(game)
    canvas = card(HEIGHT, ground)
    x, y = GLORY.centre
    rays: list[Point] = []
    for n in range(24):
        rays += [point_at((x, y), RAYS, n / 24 + turn) for turn in (-1 / 96, 1 / 96)]
        rays.append((x, y))
    # All rays form a single shape, because the mask for one ray would be half as large as the
    # mask for all.
    canvas.polygon(rays, ground.raised, opacity=0.16)
    canvas.stamp(laurel(WREATH), (x, y))
    part = Canvas(round(GLORY.width), round(GLORY.height), ground.rim)
    part.inlay(canvas, canvas.box.moved(-GLORY.left, -GLORY.top), part.box)
    return part


# ------------------------------------------------------------------------------ winners
def _draw_winners(canvas: Canvas, scene: Scene, ending: VictoryScene, ground: Ground) -> None:
    """Draw the winner as a figure of the game, or the shields of several winners, inside the
    laurel, with the texts below. Draw a crown on top, except for a draw or a solo result.
    """
    x, y = GLORY.centre
    game, seats = scene.view.game, ending.winners
    canvas.stamp(hero(game, seats[0]) if len(seats) == 1 else partners(game, seats), (x, y))
    if not ending.drawn and not ending.verdict:
        canvas.stamp(_crown(), (x, y - WREATH * 0.42))
    top = HERO.top + WREATH + 44
    if ending.verdict:  # the verdict is shown below the score of the person who played alone
        top -= 44
    else:
        write(canvas, (x, top), scene.say(ending.cry()).upper(), CRIES, HERO.width, BRIGHT_GOLD)
    sentences: tuple[Type, ...] = SENTENCES
    for words, kind in _called(scene, ending):
        top += max(54, kind.size)
        sentences = tuple(each for each in SENTENCES if each.size <= kind.size)
        canvas.text((x, top), words, kind, ground.ink)
    top += 58
    most = 1 + int((HERO.bottom - top) // SENTENCE)
    lines, kind = set_in_lines(ending.how, sentences, HERO.width, most)
    for n, line in enumerate(lines):
        canvas.text((x, top + SENTENCE * n), line, kind, ground.soft)


def _called(scene: Scene, ending: VictoryScene) -> list[tuple[str, Type]]:
    """Return the winners' names on one line. If two names are too long for that, each gets its own
    line; a single name gets two lines if it can then be larger. Names that do not fit appear only
    in the list of places.
    """
    names = printed_names(scene.names, scene.say)
    winners = [names[seat] for seat in ending.winners]
    together = _set(scene.say.list(winners))
    if len(winners) == 1:
        return _set_large(winners[0])
    if not together[0].endswith("…"):
        return [together]
    return _set_pair(winners, scene.say) if len(winners) == FEW else []


def _set(names: str) -> tuple[str, Type]:
    """Set names in capitals of the title face, as large as possible. If that face lacks a letter,
    or the names do not fit, set them in the other face, and cut them if necessary.
    """
    capitals = names.upper()
    if in_one_face(capitals, "title"):
        for kind in NAMES:
            if text_width(capitals, kind) <= HERO.width:
                return capitals, kind
    return typeset(names, OTHER_NAMES, HERO.width)


def _set_pair(names: Sequence[str], say: Texts) -> list[tuple[str, Type]]:
    """Set two names on one line each, in the same type, with "and" before the second one if there
    is room.
    """
    first, _ = names
    lines = [first, say.list(names).removeprefix(first).strip()]
    if any(text_width(line, OTHER_NAMES[-1]) > HERO.width for line in lines):
        lines = [*names]
    capitals, kinds = [line.upper() for line in lines], NAMES
    if not all(in_one_face(line, "title") for line in capitals):
        capitals, kinds = lines, OTHER_NAMES
    kind = min((_fitting(line, kinds) for line in capitals), key=lambda each: each.size)
    return [typeset(line, (kind,), HERO.width) for line in capitals]


def _fitting(words: str, kinds: Sequence[Type]) -> Type:
    """Return the largest type in which the words fit; if there is none, the smallest."""
    return next((kind for kind in kinds if text_width(words, kind) <= HERO.width), kinds[-1])


def _set_large(name: str) -> list[tuple[str, Type]]:
    """Set a name on one or two lines, as large as possible: in capitals of the title face, unless
    that face lacks a letter or the name does not fit.
    """
    capitals = name.upper()
    if in_one_face(capitals, "title"):
        lines, kind = set_in_lines(capitals, NAMES, HERO.width, 2)
        if fits_whole(capitals, kind, HERO.width, 2):
            return [(line, kind) for line in lines]
    lines, kind = set_in_lines(name, OTHER_NAMES, HERO.width, 2)
    return [(line, kind) for line in lines]


@cached
def _crown() -> Sprite:
    size, at = (124, 108), (62, 56)
    metal, canvas = Canvas(*size), Canvas(*size)
    metal.path(CROWN, LEAF, centre=at, scale=44)
    metal.line([(31, 78), (93, 78)], LEAF_SHADE, 5)
    canvas.stamp(relief(metal.sprite(), 4, 0.8), metal.box.centre)
    # The outline is drawn after the relief, so it stays dark.
    canvas.path(CROWN, None, INK, 3, centre=at, scale=44)
    for x, y in ((18, 30), (62, 18), (106, 30)):
        canvas.circle((x, y), 7, LEAF, INK, 2.5)
    return raised(canvas.sprite(), 5)


# ---------------------------------------------------------------------------- standing
@dataclass(frozen=True, slots=True)
class _Score:
    """A score as it is printed: a number with its noun, if it has one, and a comment."""

    figure: str
    noun: tuple[str, ...]
    words: str

    @classmethod
    def in_words(cls, score: str) -> _Score:
        """Return a score that stays in words; a number at its end keeps the word before it."""
        return cls("", (), _LAST_NUMBER.sub("\u00a0", score))

    @classmethod
    def of(cls, score: str, verdict: str) -> _Score:
        """Split a score: ``8 + 2 + 5 = 15 points`` is the number 15 and its noun, with the sum as
        comment.
        """
        if verdict:
            score = score.removesuffix(verdict).rstrip(" \u00a0\u202f:")
        found = _COUNTED.fullmatch(score)
        if found is None:
            return cls.in_words(score)
        width = next((w for w in NOUN_WIDTHS if fits_whole(found["noun"], NOUN, w, 2)), None)
        if width is None:
            return cls("", (), score)
        return cls(
            found["figure"], tuple(lines_of(found["noun"], width, 2, NOUN)), found["sum"] or ""
        )


_COUNTED = re.compile(
    r"(?:(?P<sum>\S[^=]*\S) = )?"
    r"(?P<figure>[-\u2212]?\d[\d.,\u00a0\u202f]*)[ \u00a0\u202f](?P<noun>\D+)"
)
"""A number, perhaps preceded by the sum that yields it, and the noun that says what it counts."""
_LAST_NUMBER = re.compile(r" (?=\d+$)")
"""The space before a final number, where a line must not be broken."""


def _draw_standing(canvas: Canvas, scene: Scene, ending: VictoryScene, ground: Ground) -> None:
    """Draw everyone's places, with the winners in gold."""
    names = printed_names(scene.names, scene.say)
    scores = [_Score.of(score, ending.verdict) for score in ending.scores]
    if not all(score.figure for score in scores):
        scores = [_Score.in_words(score) for score in ending.scores]
    if len(names) == 1:
        _draw_alone(canvas, scores[0], ending.verdict, ground)
        return
    area = STANDING
    height = min(ROW_HEIGHT, area.height / len(names))
    noun = _noun_of_all(scores)
    if noun:
        at = area.right - 2 * BESIDE, area.top + NOUN_HEAD / 2 - 4
        write(canvas, at, noun, NOUNS, area.width - 4 * BESIDE, ground.soft, "rm")
        scores = [replace(score, noun=()) for score in scores]
        area = area._replace(top=area.top + NOUN_HEAD)
        height = min(height, area.height / len(names))
    rows = Box.at(area.centre, area.width, height * len(names)).rows(len(names), ROW_GAP)
    layout = _RowLayout.of(names, scores, rows[0].height)
    for row, seat in zip(rows, ending.places, strict=True):
        rank = ending.ranks[seat]
        if rank == 1:
            canvas.rect(row, LEAF, radius=12, opacity=0.1)
            canvas.rect(row, None, LEAF, 2, radius=12)
        else:
            canvas.rect(row, ground.raised, radius=12, opacity=0.22)
        layout.draw_signs(canvas, row, rank, seat)
        layout.draw_words(canvas, row, names[seat], scores[seat], ground)


def _noun_of_all(scores: Sequence[_Score]) -> str:
    """Return the noun to write above the column of numbers: the noun of the largest number, because
    that is a plural if any is. Return an empty text if there are no numbers.
    """
    if not any(score.noun for score in scores):
        return ""
    figures = [score.figure.lstrip("-\u2212") for score in scores]
    most = max(range(len(scores)), key=lambda n: (len(figures[n]), figures[n]))
    return " ".join(scores[most].noun)


@dataclass(frozen=True, slots=True)
class _RowLayout:
    """The layout that all rows of the standing share.

    :ivar medal: the width of a medal.
    :ivar shield: width of a seat's token.
    :ivar number: the type of the numbers.
    :ivar counted: the width of the column of numbers; 0 if there are none.
    :ivar left: the distance from the left edge of the row to the words.
    :ivar wide: the maximum width of the words.
    :ivar high: the maximum height of the name with the comment below it.
    :ivar most: the maximum size of a name.
    :ivar said: the maximum size of a comment, so that all comments are equally large.
    """

    medal: int
    shield: int
    number: Type
    counted: int
    left: float
    wide: float
    high: float
    most: int
    said: int

    @classmethod
    def of(cls, names: Sequence[str], scores: Sequence[_Score], height: float) -> _RowLayout:
        """Choose sizes at which every row fits.

        :param height: the height of a row, in pixels.
        """
        medal, shield = next(sizes for least, *sizes in SIGNS if height >= least)
        number, counted = _number(scores, height)
        left = medal + shield + 4 * BESIDE
        wide = STANDING.width - left - 2 * BESIDE - (counted + 2 * BESIDE if counted else 0)
        high = height - 2 * BESIDE
        entries = [
            _entry(name, score.words, wide, high) for name, score in zip(names, scores, strict=True)
        ]
        # A long name makes the others smaller, but never so small that they are hard to read.
        most = max(READ_WELL, min(kind.size for _, kind, _ in entries))
        if counted:
            most = min(most, number.size)
        comments = [kind.size for _, _, said in entries for _, kind in said]
        least = min(comments, default=SCORES[0].size)
        return cls(medal, shield, number, counted, left, wide, high, most, least)

    def draw_signs(self, canvas: Canvas, row: Box, rank: int, seat: int) -> None:
        """Draw a medal and the seat's token at the left end of a row."""
        x, y = row.left + BESIDE, row.centre[1]
        canvas.stamp(rank_medal(rank, self.medal), (x + self.medal / 2, y))
        canvas.stamp(token(seat, self.shield), (x + self.medal + BESIDE + self.shield / 2, y))

    def draw_words(
        self, canvas: Canvas, row: Box, name: str, score: _Score, ground: Ground
    ) -> None:
        """Write a name, and the comment and the number of a score."""
        y = row.centre[1]
        kinds = [kind for kind in ROW if kind.size <= self.most]
        comments = [kind for kind in SCORES if kind.size <= self.said]
        lines, kind, said = _entry(name, score.words, self.wide, self.high, kinds, comments)
        told = [*((line, kind) for line in lines), *said]
        tall = sum(map(_height, told))
        tight = min(1.0, self.high / tall)
        x, top = row.left + self.left, y - tall * tight / 2
        for line, each in told:
            step = _height((line, each)) * tight
            ink = ground.ink if each in ROW else ground.soft
            canvas.text((x, top + step / 2), line, each, ink, "lm")
            top += step
        if self.counted:
            canvas.text((row.right - 2 * BESIDE, y), score.figure, self.number, ground.ink, "rm")


def _number(scores: Sequence[_Score], height: float) -> tuple[Type, int]:
    """Return the type for the numbers in scores, and the width of their column next to names; 0 if
    there are none.
    """
    figures = [score.figure for score in scores if score.figure]
    if not figures:
        return NUMBERS[-1], 0
    kinds = [kind for kind in NUMBERS if kind.size <= NUMBER_SHARE * height] or NUMBERS[-1:]
    widths = [max(text_width(figure, kind) for figure in figures) for kind in kinds]
    most = COUNTED if height >= SPACIOUS else NARROW_COUNTED
    n = next((n for n, width in enumerate(widths) if width <= most), len(kinds) - 1)
    return kinds[n], widths[n]


def _entry(
    name: str,
    words: str,
    wide: float,
    high: float,
    kinds: Sequence[Type] = ROW,
    comments: Sequence[Type] = SCORES,
) -> tuple[list[str], Type, list[tuple[str, Type]]]:
    """Return the lines of a name, their type, and the lines of the comment below it."""
    tries = sorted(product(kinds, NAME_LINES), key=lambda t: -t[0].size * NAME_LINES[t[1]])
    for kind, lines_at_most in tries:
        smaller = [each for each in comments if each.size <= 0.8 * kind.size] or comments[-1:]
        lines, less = _comment(words, smaller, wide)
        said = [(line, less) for line in lines]
        space = high - sum(map(_height, said))
        most = min(lines_at_most, int(space / _height((name, kind))))
        if most and fits_whole(name, kind, wide, most):
            break
    return lines_of(name, wide, max(1, most), kind), kind, said


def _comment(words: str, kinds: Sequence[Type], wide: float) -> tuple[list[str], Type]:
    """Set a comment on one line if that takes no more than one step to a smaller type; otherwise,
    on several lines.
    """
    one = next((kind for kind in kinds[:2] if text_width(words, kind) <= wide), None)
    return ([words], one) if words and one else set_in_lines(words, kinds, wide, SCORE_LINES)


def _draw_alone(canvas: Canvas, score: _Score, verdict: str, ground: Ground) -> None:
    """Draw the result of somebody who played alone: a large number, and how good it is."""
    (x, y), box = ALONE_BOX.centre, ALONE_BOX
    canvas.rect(box, LEAF, radius=12, opacity=0.1)
    canvas.rect(box, None, LEAF, 2, radius=12)
    wide = box.width - 4 * BESIDE
    if score.figure:
        canvas.text((x, y - 136), score.figure, ALONE, ground.ink)
        write(canvas, (x, y - 20), " ".join(score.noun), ROW[1:], wide, ground.soft)
        write(canvas, (x, y + 40), score.words, SCORES, wide, ground.soft)
    elif score.words:
        write_lines(canvas, (x, y - 80), score.words, ROW, (wide, 260), ground.ink)
    if verdict:
        write_lines(canvas, (x, y + 146), verdict, VERDICTS, (wide, VERDICT), BRIGHT_GOLD)


def _height(line: tuple[str, Type]) -> float:
    """Return the height of a line, with room for descenders."""
    return max(LEAST_LEADING, line[1].size * (1.18 if line[1] in ROW else LEADING))


def _draw_figures(canvas: Canvas, ending: VictoryScene, ground: Ground) -> None:
    if len(ending.figures) == 1:
        _draw_figure(canvas, ending.figures[0], ground)
        return
    columns = FIGURES.columns(max(1, len(ending.figures)), gap=FIGURE_GAP)[: len(ending.figures)]
    for n, (column, figure) in enumerate(zip(columns, ending.figures, strict=True)):
        x = column.centre[0]
        value, wide = figure.value, column.width
        write(canvas, (x, column.top + 40), value, FIGURE_TYPES, wide, ground.ink)
        for line, words in enumerate(lines_of(figure.label, wide, LABEL_LINES, LABEL)):
            canvas.text((x, column.top + 88 + 32 * line), words, LABEL, ground.soft)
        if n:
            edge = column.left - FIGURE_GAP / 2
            canvas.polygon(placed(regular(4), (edge, column.centre[1] + 8), 7), ground.line)


def _draw_figure(canvas: Canvas, figure: Figure, ground: Ground) -> None:
    """Write the only figure and its meaning on one line."""
    kind = FIGURE_TYPES[1]
    words = typeset(figure.label, NOUNS, FIGURES.width - text_width(figure.value, kind) - 14)
    wide = text_width(figure.value, kind) + 14 + text_width(*words)
    x, y = FIGURES.centre[0] - wide / 2, (FIGURES.top + LOW) / 2 - 2
    right = canvas.text((x, y), figure.value, kind, ground.ink, "lm").right
    canvas.text((right + 14, y + 2), *words, ground.soft, "lm")


# ------------------------------------------------------------------------- in words
def _words(scene: Scene, ending: VictoryScene) -> str:
    told = list(_sentences(scene, ending))
    return first_fitting(map(" ".join, (told, told[:2])), scene.say)


def _sentences(scene: Scene, ending: VictoryScene) -> Iterator[str]:
    say, names = scene.say, spoken_names(scene.names, scene.say)
    yield title_words(ending.title, scene)
    winners = say.list([names[seat] for seat in ending.winners])
    if ending.verdict:
        yield f"{ending.verdict[:1].upper()}{ending.verdict[1:]}."
    elif ending.drawn:
        yield f"{say(DRAW)}."
    elif len(ending.winners) == 1:
        yield say("{name} has won.", name=winners)
    else:
        yield say("Shared victory: {names}.", names=winners)
    if ending.how:
        yield ending.how
    rows = (
        f"{ending.ranks[seat]}. {names[seat]}"
        + (f" ({ending.scores[seat]})" if ending.scores[seat] else "")
        for seat in ending.places
    )
    yield say("Places: {places}.", places=series(rows, say))
    for figure in ending.figures:
        yield f"{figure.label[:1].upper()}{figure.label[1:]}{say.colon} {figure.value}."
