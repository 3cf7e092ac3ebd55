"""The picture at the end of a match, for sharing: the winners, large; everyone's place; and figures
about the match. The last board is a separate picture, which nothing covers.

The layout is the same for all games; background and colours belong to the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from data.texts import N_, series
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point, placed, regular
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
HERO = Box(40, 92, 576, 784)
"""The area of the winners."""
STANDING = Box(612, 40, 1160, 784)
"""The area of everyone's places."""
ROW_HEIGHT = 216
ROW_GAP = 8
MEDAL, SHIELD = 0.68, 0.46
"""Sizes of the medal and of the shield before a name, as shares of the row's height."""
BESIDE = 10
"""Gap around the medal and the shield."""
FIGURES = Box(48, 802, 1152, 930)
"""The area of the figures about the match."""
FIGURE_GAP = 48

WREATH = 400
RAYS = 276
"""Length of the rays from the centre of the laurel."""
GLORY = Box.at((HERO.centre[0], HERO.top + WREATH / 2 + 24), 556)
"""The box of the laurel."""

NAMES = tuple(Type("title", size) for size in (60, 44, 36, 30))
OTHER_NAMES = tuple(Type("strong", size) for size in (48, 36, 30))
"""Types for the winners' names where the face for capitals lacks a letter; the largest that fits is
used.
"""
CRIES = (Type("title", 34), Type("title", 30))
SENTENCES = Type("text", 32), Type("text", 28)
SENTENCE = 37
"""Distance between two lines of a sentence."""
ROW = tuple(Type("strong", size) for size in (52, 44, 36, 30, 28))
SCORES = Type("text", 34), Type("text", 30), Type("text", 28)
LEAST_LEADING = 33
"""The least distance between two lines of a row."""
NAME_LINES, SCORE_LINES = 2, 3
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
        Material("roses", "#363B43", "#434952"),
        *("#23272D", "#FFF8E6", "#E9DFC9", "#CFC6B2", "#C9A65A", "#5C636E", "#282C32"),
    ),
}
"""The background of each game's last picture."""

EMBLEMS: dict[str, str] = {
    "lancelot": (
        "M -7 -100 L 0 -112 L 7 -100 V 44 H 44 V 58 H 9 V 90 C 18 96 18 112 0 112"
        " C -18 112 -18 96 -9 90 V 58 H -44 V 44 H -7 Z"
    ),
    "isis": (
        "M -70 110 V 66 H -28 V 22 H 14 V -110 H 70 V 110 Z M -44 92 H 48 V -84 H 36 V 44 H -6"
        " V 84 H -44 Z"
    ),
    "twilight": (
        "M 0 -112 C 30 -70 74 -36 74 26 C 74 80 40 112 0 112 C -40 112 -74 80 -74 26"
        " C -74 -6 -56 -26 -40 -48 C -38 -28 -30 -14 -18 -8 C -26 -44 -20 -84 0 -112 Z"
        " M 0 96 C 24 96 40 78 40 52 C 40 26 18 10 4 -10 C 2 18 -40 26 -40 56"
        " C -40 80 -24 96 0 96 Z"
    ),
    "donquixote": (
        "M -34 112 L -22 -14 C -20 -44 20 -44 22 -14 L 34 112 H 12 V 76 C 12 58 -12 58 -12 76"
        " V 112 Z M -8 -26 L -98 -84 L -86 -104 L 4 -38 L 62 -112 L 82 -98 L 14 -28"
        " L 98 32 L 86 52 L -2 -12 L -62 66 L -82 52 Z"
    ),
    "isolde": (
        "M -66 -104 H 66 C 66 -30 50 10 14 22 V 66 C 40 70 56 82 60 108 H -60"
        " C -56 82 -40 70 -14 66 V 22 C -50 10 -66 -30 -66 -104 Z"
    ),
}
"""The emblem behind the winners: an outline around the origin, 224 high."""

ANY_WORLD = "lancelot"
"""The game whose background and emblem other games use if they have none."""

FEW = 2
"""Up to this many winners, each name may have a line of its own."""

DRAW = N_("A draw")
SHARED = N_("Shared victory")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure about a match, as a number or two words, with its meaning."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class VictoryScene:
    """The end of a match; texts are in the language of the picture.

    :param title: the name of the game.
    :param ranks: one per seat, 1 is best; equal ranks share a place.
    :param scores: each seat's score in words; empty if the ranks say it all.
    :param how: how the match ended, as a sentence.
    :param drawn: the match is a draw.
    :param figures: up to three.
    :param verdict: a rating of a solo player's result; empty: a victory.
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
        """All seats, the best first."""
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
    canvas = card(HEIGHT, ground)
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
    """Return the part of the background that is the same at every end of a game: rays of light and
    the laurel.
    """
    ground = _world(game)
    canvas = card(HEIGHT, ground)
    x, y = GLORY.centre
    rays: list[Point] = []
    for n in range(24):
        rays += [point_at((x, y), RAYS, n / 24 + turn) for turn in (-1 / 96, 1 / 96)]
        rays.append((x, y))
    # All rays form one shape, because each alone would need a mask half as large as the whole.
    canvas.polygon(rays, ground.raised, opacity=0.16)
    canvas.stamp(laurel(WREATH), (x, y))
    part = Canvas(round(GLORY.width), round(GLORY.height), ground.rim)
    part.inlay(canvas, canvas.box.moved(-GLORY.left, -GLORY.top), part.box)
    return part


# ------------------------------------------------------------------------------ winners
_SHIELDS: dict[int, tuple[int, float]] = {
    1: (204, 0),
    2: (128, 71),
    3: (116, 75),
    4: (104, 80),
    5: (92, 84),
}
"""The size of the winners' shields, and their distance from the centre, by number of winners."""


def _draw_winners(canvas: Canvas, scene: Scene, ending: VictoryScene, ground: Ground) -> None:
    """Draw the winners' shields within the laurel, under a crown, with the texts below."""
    x, y = GLORY.centre
    seats = ending.winners
    size, reach = _SHIELDS[len(seats)]
    first = 0.75 if len(seats) == 2 else 0.125 if len(seats) == 4 else 0
    for n, seat in enumerate(seats):
        place = point_at((x, y), reach, first + n / len(seats))
        canvas.stamp(raised(token(seat, size), size / 16), place)
    if not ending.drawn:
        canvas.stamp(_crown(), (x, y - WREATH * 0.42))
    top = HERO.top + WREATH + 44
    cry = (ending.verdict or scene.say(ending.cry())).upper()
    write(canvas, (x, top), cry, CRIES, HERO.width, BRIGHT_GOLD)
    for words, kind in _called(scene, ending):
        top += 54
        canvas.text((x, top), words, kind, ground.ink)
    top += 58
    most = 1 + int((HERO.bottom - top) // SENTENCE)
    lines, kind = set_in_lines(ending.how, SENTENCES, HERO.width, most)
    for n, line in enumerate(lines):
        canvas.text((x, top + SENTENCE * n), line, kind, ground.soft)


def _called(scene: Scene, ending: VictoryScene) -> list[tuple[str, Type]]:
    """Return the winners' names on one line. If two names are too long for that, each has its own
    line; if one name is too long, it has two. Names that do not fit are only in the list of places.
    """
    names = printed_names(scene.names, scene.say)
    winners = [names[seat] for seat in ending.winners]
    together = _set(scene.say.list(winners))
    if not together[0].endswith("…"):
        return [together]
    if len(winners) == 1:
        kind = OTHER_NAMES[-1]
        return [(line, kind) for line in lines_of(winners[0], HERO.width, 2, kind)]
    return [_set(name) for name in winners] if len(winners) == FEW else []


def _set(names: str) -> tuple[str, Type]:
    """Choose the largest type that has all letters of the names and fits; otherwise cut them."""
    capitals = names.upper()
    if in_one_face(capitals, "title"):
        for kind in NAMES:
            if text_width(capitals, kind) <= HERO.width:
                return capitals, kind
    return typeset(names, OTHER_NAMES, HERO.width)


@cached
def _crown() -> Sprite:
    canvas = Canvas(124, 108)
    canvas.path(CROWN, LEAF, INK, 3, centre=(62, 56), scale=44)
    for x, y in ((18, 30), (62, 18), (106, 30)):
        canvas.circle((x, y), 7, LEAF, INK, 2.5)
    canvas.line([(31, 78), (93, 78)], LEAF_SHADE, 5)
    return raised(relief(canvas.sprite(), 4, 0.8), 5)


# ---------------------------------------------------------------------------- standing
def _draw_standing(canvas: Canvas, scene: Scene, ending: VictoryScene, ground: Ground) -> None:
    """Draw everyone's places, the winners in gold."""
    names = printed_names(scene.names, scene.say)
    height = min(ROW_HEIGHT, STANDING.height / len(names))
    room = Box.at(STANDING.centre, STANDING.width, height * len(names))
    rows = room.rows(len(names), gap=ROW_GAP)
    medal, shield = round(MEDAL * rows[0].height), round(SHIELD * rows[0].height)
    before = medal + shield + 4 * BESIDE
    space = STANDING.width - before - BESIDE, rows[0].height - 8
    for kind in ROW:
        told = [
            _row_lines(name, score, kind, space[0])
            for name, score in zip(names, ending.scores, strict=True)
        ]
        whole = all(fits_whole(name, kind, space[0], NAME_LINES) for name in names)
        if whole and all(sum(map(_height, lines)) <= space[1] for lines in told):
            break
    for row, seat in zip(rows, ending.places, strict=True):
        rank, y = ending.ranks[seat], row.centre[1]
        if rank == 1:
            canvas.rect(row, LEAF, radius=12, opacity=0.1)
            canvas.rect(row, None, LEAF, 2, radius=12)
        else:
            canvas.rect(row, ground.raised, radius=12, opacity=0.22)
        left = row.left + BESIDE
        canvas.stamp(rank_medal(rank, medal), (left + medal / 2, y))
        canvas.stamp(token(seat, shield), (left + medal + BESIDE + shield / 2, y))
        tight = min(1.0, space[1] / sum(map(_height, told[seat])))
        top = y - sum(map(_height, told[seat])) * tight / 2
        for line, kind in told[seat]:
            high = _height((line, kind)) * tight
            ink = ground.ink if kind in ROW else ground.soft
            canvas.text((row.left + before, top + high / 2), line, kind, ink, "lm")
            top += high


def _row_lines(name: str, score: str, kind: Type, wide: float) -> list[tuple[str, Type]]:
    """Return the lines of a row: the name in this type, and the score in a smaller one."""
    lines = lines_of(name, wide, NAME_LINES, kind)
    smaller = [each for each in SCORES if each.size <= 0.8 * kind.size] or SCORES[-1:]
    scored, less = set_in_lines(score, smaller, wide, SCORE_LINES)
    return [*((line, kind) for line in lines), *((line, less) for line in scored)]


def _height(line: tuple[str, Type]) -> float:
    """Return the height of a line; below a name there is room for its lowest letters."""
    return max(LEAST_LEADING, line[1].size * (1.25 if line[1] in ROW else LEADING))


def _draw_figures(canvas: Canvas, ending: VictoryScene, ground: Ground) -> None:
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
