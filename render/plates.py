"""The frame that all pictures share: card, title, name plates and caption.

A painter begins with ``card``, draws its board and a ``Plate`` per seat, and ends with
``caption``::

    canvas = card(896)
    for seat, box in enumerate(side.rows(players, gap=8)):
        room = draw_plate(canvas, box, Plate(seat, names[seat], to_move=seat == turn))
        ...  # the game's own counters go into ``room``
    caption(canvas, Box(32, 824, 812, 864), [scene.code, Said(0, "K4")], [Said(1, "to move")])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from render.cache import cached
from render.canvas import Canvas, Cut, Sprite, write
from render.geometry import Box, Outline, Point, placed, regular, trace
from render.letters import letters_of, lines_of_name, text_width
from render.light import relief
from render.materials import BROAD, Material
from render.theme import (
    BRIGHT_GOLD,
    INK,
    LIGHT,
    LINE,
    PANEL,
    SEAT_SHADES,
    SEATS,
    SHADOW,
    SOFT,
    WIDTH,
    Colour,
    Shape,
    Type,
    mix,
)

TITLE = Type("title", 40)
NAMES = Type("strong", 32), Type("strong", 30), Type("strong", 28)
CAPTION = Type("text", 30)
SIGN = 36
"""Width of a token in a caption, including the gap beside it."""
POINT = 32
"""Width of the gap between two parts of a caption; there is a dot in its middle."""
BETWEEN = 24
"""Gap between two parts of a status; there is no gap between tokens without words."""
APART = 64
"""Gap between the last moves and the status; it makes clear that they are two separate parts."""
EDGE = 2
GLOW = 8
NARROW = 240
"""Bands narrower than this have a smaller token, to leave more room for the name."""
COGGED, CROWNED = 34, 42
"""Room for the cogwheel of a computer player and for the crown of a winner."""
HEADER = 60
"""Height of the band that shows the name on a plate."""
CLOSE_LEADING = 26
"""Minimum distance between the two lines of a long name."""

SIGN_SHARE = 0.47
"""Height of the device on a token, as a share of the token's diameter."""
SMALL = 60
"""Shields whose diameter is smaller than this, in pixels, are drawn flat."""

TALLEST = 1140
"""Maximum height of a card that ``cut_card`` cuts from a cached one."""
END = 40
"""Height of the lower end of a card, with the rounded corners."""

_HALF = 0.886  # a square with sides of 2 * 0.886 has the area of the unit disc
_DIAMOND = sqrt(2) * _HALF
_ARM, _REACH = 0.36, 1.06
_OUTLINES: dict[Shape, Outline] = {
    # The triangle is centred on its centroid, because this looks right in a circle.
    "triangle": [(x * 1.34, y * 1.34) for x, y in regular(3)],
    "disc": regular(48),
    "square": [(-_HALF, -_HALF), (_HALF, -_HALF), (_HALF, _HALF), (-_HALF, _HALF)],
    "diamond": [(0, -_DIAMOND), (0.9 * _DIAMOND, 0), (0, _DIAMOND), (-0.9 * _DIAMOND, 0)],
    "cross": [
        (-_ARM, -_REACH), (_ARM, -_REACH), (_ARM, -_ARM), (_REACH, -_ARM),
        (_REACH, _ARM), (_ARM, _ARM), (_ARM, _REACH), (-_ARM, _REACH),
        (-_ARM, _ARM), (-_REACH, _ARM), (-_REACH, -_ARM), (-_ARM, -_ARM),
    ],
}  # fmt: skip


def device(canvas: Canvas, seat: int, centre: Point, size: float, colour: Colour) -> None:
    """Draw the shape of a seat, about ``size`` high; all shapes look equally large."""
    canvas.path([_OUTLINES[SEATS[seat].shape]], colour, centre=centre, scale=size / 2)


@cached
def token(seat: int, size: int) -> Sprite:
    """Return a round shield, ``size`` across, in the seat's colour and with its device."""
    if size < SMALL:
        return flat_token(seat, size)
    style, shade = SEATS[seat], SEAT_SHADES[seat]
    (x, y), radius = (size / 2, size / 2), size / 2
    rim, edge = max(1.5, size / 32), size * 0.016
    canvas, sign = Canvas(size, size), Canvas(size, size)
    canvas.circle((x, y), radius, INK)
    # Draw plain discs without relief, because the palette would turn the many tones of a relief
    # into blotches.
    canvas.circle((x, y), radius - rim, mix(shade, INK, 0.35))
    canvas.circle((x - edge / 2, y - edge / 2), radius - rim - edge, mix(style.colour, LIGHT, 0.3))
    canvas.circle((x + edge / 4, y + edge / 4), radius - rim - 1.5 * edge, shade)
    canvas.circle((x, y), radius * 0.8, style.colour)
    device(sign, seat, (x, y), size * SIGN_SHARE, style.device)
    light = style.device == LIGHT
    canvas.stamp(relief(sign.sprite(), size * 0.03, 0.6) if light else sign.sprite(), (x, y))
    return canvas.sprite()


def flat_token(seat: int, size: int, share: float = SIGN_SHARE) -> Sprite:
    """Return a flat token for small sizes, at which rim and relief would hide the seat's colour: a
    disc of that colour with a dark edge.

    :param share: the height of its device, as a share of ``size``.
    """
    style, (x, y), radius = SEATS[seat], (size / 2, size / 2), size / 2
    canvas, edge = Canvas(size, size), size / 64
    canvas.circle((x, y), radius, mix(style.colour, INK, 0.6))
    canvas.circle((x - edge / 2, y - edge / 2), radius - edge - 0.2, mix(style.colour, LIGHT, 0.35))
    canvas.circle((x, y - edge / 2), radius - 1.5 * edge - 0.5, style.colour)
    canvas.circle((x - radius * 0.56, y - radius * 0.56), 1.5, LIGHT)
    device(canvas, seat, (x, y), size * share, style.device)
    return canvas.sprite()


@cached
def laid_token(seat: int, size: int, share: float = SIGN_SHARE) -> Sprite:
    """Return a token on a board, with a hard shadow, because many soft shadows would make the file
    too large.
    """
    canvas = Canvas(size + 4, size + 4)
    x, y = canvas.box.centre
    canvas.circle((x + 1, y + 2), size / 2, SHADOW, opacity=0.5)
    canvas.stamp(flat_token(seat, size, share), (x, y))
    return canvas.sprite()


TICK = 24
"""Maximum length of the arms of the corners that mark the last move, in pixels."""


@cached
def corner_ticks(width: int, height: int, weight: int = 6) -> Sprite:
    """Return the mark of the last move: the golden corners of a box of this size, which leave the
    box itself free.
    """
    canvas = Canvas(width + 12, height + 12)
    inner = canvas.box.inset(6 + weight // 2)
    reach = min(TICK, width // 3) - weight // 2
    for thickness, colour in ((weight + 5, INK), (weight, BRIGHT_GOLD)):
        for x, right in ((inner.left, 1), (inner.right, -1)):
            for y, down in ((inner.top, 1), (inner.bottom, -1)):
                canvas.line(
                    [(x + right * reach, y), (x, y), (x, y + down * reach)], colour, thickness
                )
    return canvas.sprite()


@dataclass(frozen=True, slots=True)
class Said:
    """Words about a seat in a caption, drawn after the seat's token.

    :param to: a second seat that the words are about; its token follows them.
    """

    seat: int | None
    words: str
    to: int | None = None


def said_of(seats: Sequence[int], words: str) -> list[Said]:
    """Return the tokens of seats, with words after the last one."""
    return [Said(seat, words if seat == seats[-1] else "") for seat in seats]


@dataclass(frozen=True, slots=True)
class Ground:
    """The background of a picture, and the inks for text on it.

    :param material: the surface itself.
    :param rim: the strip around the surface.
    :param ink: the colour of the most important text.
    :param soft: the colour of secondary text.
    :param faint: the colour of the least important text; its contrast with the surface is still at
        least 4.5:1.
    :param line: the colour of fine lines and ornaments.
    :param raised: the colour of ornaments where they catch the light.
    :param carved: the colour of ornaments where they are in the shade.
    """

    material: Material
    rim: Colour
    ink: Colour
    soft: Colour
    faint: Colour
    line: Colour
    raised: Colour
    carved: Colour


PAPER = Ground(
    Material("parchment", "#EEE3C9", "#F9F2E1"),
    *("#D9C79F", INK, SOFT, "#6B6156", LINE, LIGHT, PANEL),
)
"""Parchment, for dark text."""

OAK = Ground(
    Material("wood", "#2C1B10", "#4A3120"),
    *("#1E120A", "#FFF4DA", "#E8D6B2", "#C9B48F", "#C39A45", "#5C4029", "#24160C"),
)
"""Dark oak, for light text."""


def card(height: int, ground: Ground = PAPER) -> Canvas:
    """Return an empty picture: a rounded sheet with a rim that suits both Discord's light theme and
    its dark one.
    """
    canvas = Canvas(WIDTH, height, ground.rim)
    sheet = canvas.box.inset(8)
    canvas.cover(sheet, ground.material, radius=18)
    canvas.rect(sheet, None, ground.line, 2, radius=18)
    canvas.rect(sheet.inset(6), None, ground.line, 1, radius=13, opacity=0.6)
    return canvas


def cut_card(height: int, ground: Ground) -> Canvas:
    """Return a copy of a cached card, for pictures whose height varies; up to ``TALLEST``, all
    heights share one card.
    """
    if height > TALLEST:
        return _higher(height, ground).copy()
    canvas = _tallest(ground).cut(Box(0, 0, WIDTH, height))
    end = Box(0, height - END, WIDTH, height)
    canvas.inlay(_end(height, ground), end, end)
    return canvas


_higher = cached(card)


@cached
def _tallest(ground: Ground) -> Canvas:
    return card(TALLEST + END, ground)


@cached
def _end(height: int, ground: Ground) -> Canvas:
    """Return the lower end of a card, drawn on a short card whose grain is the same at that
    place.
    """
    left_out = max(0, height - 2 * END) // BROAD * BROAD
    whole, end = card(height - left_out, ground), Canvas(WIDTH, END, ground.rim)
    end.inlay(whole, whole.box.moved(0, END - whole.height), end.box)
    return end


def title(canvas: Canvas, box: Box, text: str, ground: Ground = PAPER) -> None:
    """Draw a title in capitals, between two fine lines that fill the width of ``box``."""
    x, y = box.centre
    half = canvas.text((x, y), text.upper(), TITLE, ground.ink).width / 2 + 16
    if half < box.width / 2:
        for left, right in ((box.left, x - half), (x + half, box.right)):
            canvas.line([(left, y), (right, y)], ground.line, 2)
            canvas.polygon(placed(regular(4), (left if left > x else right, y), 6), ground.line)


def caption(
    canvas: Canvas,
    line: Box,
    parts: Sequence[str | Said],
    status: Sequence[Said] = (),
    ground: Ground = PAPER,
) -> None:
    """Draw the line of text below the board.

    :param parts: the parts at the left end, separated by dots: first those that concern no seat,
        then the last moves. If there is not enough room, the oldest moves are left out.
    :param status: the parts at the right end, in full ink: whose turn it is, or who has won.
    """
    y = line.centre[1]
    right = line.right
    for n, said in enumerate(reversed(status)):
        right -= _width(said) + (BETWEEN if n and said.words else 0)
        _write(canvas, (right, y), said, ground.ink, line.right)
    right -= APART if status else 0
    x = line.left
    for said in _newest([_said(part) for part in parts if part], right - line.left):
        if x > line.left:
            canvas.circle((x + POINT / 2, y), 3, ground.line)
            x += POINT
        x = _write(canvas, (x, y), said, ground.soft, right)


def _said(part: str | Said) -> Said:
    return part if isinstance(part, Said) else Said(None, part)


def _newest(parts: list[Said], room: float) -> list[Said]:
    """Keep as many of the latest moves as fit, without cutting any."""
    head = [said for said in parts if said.seat is None]
    moves = [said for said in parts if said.seat is not None]
    while moves and sum(map(_width, [*head, *moves])) + POINT * (len(head + moves) - 1) > room:
        del moves[0]
    return [*head, *moves]


def _write(canvas: Canvas, at: Point, said: Said, colour: Colour, right: float) -> float:
    """Write one part of a caption, and return where it ends."""
    x, y = at
    if said.seat is not None:
        canvas.stamp(token(said.seat, 28), (x + 14, y))
        x += SIGN
    if said.words:
        x = write(canvas, (x, y), said.words, CAPTION, right - x, colour, "lm").right
    if said.to is not None:
        canvas.stamp(token(said.to, 28), (x + SIGN - 14, y))
        x += SIGN
    return x


def _width(said: Said) -> float:
    return text_width(said.words, CAPTION) + SIGN * len({said.seat, said.to} - {None})


@dataclass(frozen=True, slots=True)
class Livery:
    """The look of a game's name plates.

    :param band: the background of the name when it is not the seat's turn.
    :param ink: the colour of the name on it.
    :param sheet: the background of the counters; it has to be bright, because they are written in
        ink.
    :param edge: the colour of the edge around the band and the sheet.
    :param device: the width of the device on the token, as a share of the token; a token with a
        wider device than usual is flat.
    """

    band: Material
    ink: Colour
    sheet: Material
    edge: Colour
    device: float = SIGN_SHARE


PLAIN = Livery(Material("parchment", PANEL, PANEL), INK, Material("parchment", LIGHT, LIGHT), LINE)


@dataclass(frozen=True, slots=True)
class Plate:
    """The name plate of a seat.

    :param name: the name, as returned by ``printed_names``.
    :param to_move: whether the seat has to move; the band then shows the seat's colour.
    :param computer: whether a computer player has the seat; a cogwheel then follows the name.
    :param winner: whether the seat has won; the band then shows the seat's colour and a crown.
    """

    seat: int
    name: str
    to_move: bool = False
    computer: bool = False
    winner: bool = False


def draw_plate(
    canvas: Canvas, box: Box, plate: Plate, reserve: float = 0, livery: Livery = PLAIN
) -> Box:
    """Draw a plate, and return the box below the name, where the game can put its counters. A plate
    that is ``HEADER + 2 * EDGE`` high has room for the name only.

    :param reserve: how much to leave free at the right end of the band.
    """
    shines = plate.to_move or plate.winner
    body = _body(round(box.width), round(box.height), plate.seat if shines else None, livery)
    canvas.place(body, box.centre)
    band = Box(box.left + EDGE, box.top + EDGE, box.right - EDGE - reserve, box.top + HEADER)
    ink = SEATS[plate.seat].device if shines else livery.ink
    _header(canvas, band, plate, ink, livery.device)
    return Box(box.left, band.bottom + EDGE, box.right, box.bottom).inset(16, 8)


@cached
def _body(width: int, height: int, seat: int | None, livery: Livery) -> Cut:
    """Return a plate without its name: shining in the colour of ``seat``, or at rest."""
    canvas = Canvas(width + 2 * GLOW, height + 2 * GLOW)
    box = canvas.box.inset(GLOW)
    canvas.shadow(box, GLOW / 2, radius=12)
    if seat is not None:
        canvas.halo(box, SEATS[seat].colour, radius=12, reach=GLOW)
    edge = livery.edge if seat is None else INK
    canvas.rect(box, edge, radius=12)
    inner = box.inset(EDGE)
    if seat is None:
        canvas.cover(inner, livery.band, radius=10)
    else:
        canvas.rect(inner, band_of(seat), radius=10)
    lower = Box(inner.left, box.top + HEADER + EDGE, inner.right, inner.bottom)
    if lower.height > 0:
        canvas.cover(lower, livery.sheet, radius=10)
        canvas.cover(Box(lower.left, lower.top, lower.right, lower.top + 10), livery.sheet)
        canvas.rect(Box(lower.left, lower.top - EDGE, lower.right, lower.top), edge)
    return Cut.of(canvas.sprite())


def band_of(seat: int) -> Colour:
    """Return the colour of the band of a seat that has to move: the seat's colour, darker if the
    name on it is light.
    """
    return SEAT_SHADES[seat] if SEATS[seat].device == LIGHT else SEATS[seat].colour


def _header(canvas: Canvas, band: Box, plate: Plate, ink: Colour, device: float) -> None:
    """Draw the token with its device, the name and the signs in a plate's band."""
    y = band.centre[1]
    narrow = band.width < NARROW
    size, pad, air = (34 if narrow else 40), 8, 8
    signs = COGGED * plate.computer + CROWNED * plate.winner
    if narrow and text_width(plate.name, NAMES[-1]) > band.width - size - signs - 3 * pad:
        size, pad, air = 30, 3, 6
    token_at = band.left + pad + size / 2, y
    canvas.circle(token_at, size / 2 + 1, LIGHT)
    wide = device > SIGN_SHARE
    canvas.stamp(
        laid_token(plate.seat, size, device) if wide else token(plate.seat, size), token_at
    )
    right = band.right - pad
    if plate.computer:
        canvas.path([_COG, _HUB], ink, centre=(right - 12, y), scale=13)
        right -= COGGED
    if plate.winner:
        canvas.path(CROWN, BRIGHT_GOLD, INK, 2.5, centre=(right - 20, y), scale=15)
        right -= CROWNED
    left = band.left + pad + size + air
    _write_name(canvas, (left, y), plate.name, right - left, ink)


def _write_name(canvas: Canvas, at: Point, name: str, width: float, ink: Colour) -> None:
    """Write a name on one line or, if it would be cut, on two lines as close as their letters
    allow.
    """
    (x, y), kind = at, NAMES[-1]
    lines = lines_of_name(name, width, 2, kind)
    if len(lines) == 2 and text_width(name, kind) > width:
        upper, lower = (letters_of(line, kind) for line in lines)
        leading = max(CLOSE_LEADING, upper.bottom - lower.top + 1)
        height = lower.bottom + leading - upper.top
        if height <= HEADER - EDGE:
            base = y - height / 2 - upper.top - upper.capital / 2
            for n, line in enumerate(lines):
                canvas.text((x, base + n * leading), line, kind, ink, "lm")
            return
    write(canvas, at, name, NAMES, width, ink, "lm")


_COG: Outline = [
    (x, y) if k % 4 in (0, 3) else (x * 0.74, y * 0.74) for k, (x, y) in enumerate(regular(32))
]
_HUB: Outline = [(x * 0.32, y * 0.32) for x, y in regular(24)]
CROWN = trace("M -1 -0.55 L -0.5 0 L 0 -0.8 L 0.5 0 L 1 -0.55 L 0.78 0.7 L -0.78 0.7 Z")
