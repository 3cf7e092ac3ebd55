"""The parts of Camelot that never change during a match: sky, skyline, walls and empty boards."""

from __future__ import annotations

from collections.abc import Sequence

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, trace
from render.isolde.colours import BOARDS, DEEP, FOIL, LAKE, STONE
from render.isolde.devices import emblem
from render.isolde.tracks import BoardTrack, draw_board
from render.light import raised, relief
from render.theme import LIGHT, LINE, WIDTH, mix

HEIGHT = 1680
LEFT, TOP = 14, 266
CELL = 64
GAP = 8
MOAT = 1616
"""Top of the moat; the caption is written on the moat."""
HORIZON, WALL = 184, 258
"""Top of the wall: in the coordinates of the skyline's outlines, and in the public picture."""

STONES = (92, 34)
"""Width and height of the stones of the wall."""

_ROWS = (("LANZE", "ISOLDE", "TURNIER"), ("STUDIEN", "KOENIG", "GRAL"), ("BARM", "MAGIE"))

_NIGHT, _EVENING, _GLOW = "#23446C", "#426A93", "#EBCFA4"
_MIST, _FAR, _FAR_SHADE, _FAR_ROOF = "#8EA6B0", "#6F8FAB", "#5C7B98", "#54718F"
_WORN = tuple(mix(STONE.material.light, STONE.line, share) for share in (0.0, 0.06, 0.13))
"""The tones of stones in the wall."""
_RIDGE = mix(STONE.material.light, STONE.line, 0.45)
_POLE, _LAMP = "#5B3A20", "#F7D98C"


def tracks(boards: Sequence[str]) -> dict[str, BoardTrack]:
    """Return the layout of each board, in the order of ``boards``: the knights' boards to the left
    and right of the princess's, and the others in two rows below.
    """
    places = {
        name: _place(row, n) for row, names in enumerate(_ROWS) for n, name in enumerate(names)
    }
    return {board: places[board] for board in boards}


def _place(row: int, column: int) -> BoardTrack:
    box = BoardTrack(0, 0, CELL).box
    step = (WIDTH - 2 * LEFT - box.width) / 2
    return BoardTrack(round(LEFT + column * step), round(TOP + row * (box.height + GAP)), CELL)


COURTYARD = _place(2, 2).box
"""The area without a board. While the match runs, it shows the news; if there is none, the points
(once there are any) or, with the board Magic, the rounds in which boards are scored. After the end,
it shows the points unless they are in the annex.
"""

ANNEX = _place(2, 1).box
"""The place of the board Magic; in matches without that board, it shows the rounds in which boards
are scored and, after the end, the points.
"""


@cached
def ground(boards: tuple[str, ...]) -> Canvas:
    """Return everything that never changes during a match."""
    canvas = outside(HEIGHT, WALL)
    placed, bricks = tracks(boards), canvas.copy()
    canvas.rect(Box(10, TOP, WIDTH - 10, MOAT), _WORN[0])  # bare: the gaps are narrow
    _moat(canvas)
    for yard in [COURTYARD] if "MAGIE" in boards else [ANNEX, COURTYARD]:
        canvas.inlay(bricks, bricks.box, yard)
        _banner(canvas, yard.centre[0], yard.top + 40)
    for board, track in placed.items():
        draw_board(canvas, track, board)
    return canvas


def _moat(canvas: Canvas) -> None:
    water = Box(10, MOAT, WIDTH - 10, HEIGHT - 10)
    canvas.cover(water, LAKE.material, radius=16)
    canvas.rect(Box(water.left, water.top, water.right, water.top + 20), LAKE.material.dark)
    canvas.rect(Box(water.left, water.top, water.right, water.top + 3), LAKE.raised)


def outside(height: int, wall: int) -> Canvas:
    """Return a picture of the castle from outside: the sky, and the wall from ``wall``
    downwards.
    """
    canvas = Canvas(WIDTH, height, STONE.rim)
    return _framed(canvas, _painted(canvas.box.inset(8), wall))


def walls(height: int) -> Canvas:
    """Return a picture from inside the castle: nothing but stone. It is laid from a lower picture,
    whose stones repeat, and gets the bottom edge of that picture.
    """
    low, canvas = _low_walls(), Canvas(WIDTH, height, STONE.rim)
    for top in range(0, height - REPEAT, REPEAT):
        bottom = min(height, top + low.height) - END
        part = Box(0, top + (REPEAT - END if top else 0), WIDTH, bottom)
        canvas.inlay(low, low.box.moved(0, top), part)
    end = low.box.moved(0, height - low.height)
    canvas.inlay(low, end, end._replace(top=height - END))
    return canvas


REPEAT, END = 6 * STONES[1], 26
"""Height after which the stones repeat, and height of either end of the picture."""


@cached
def _low_walls() -> Canvas:
    height = 2 * REPEAT
    canvas, inside = Canvas(WIDTH, height, STONE.rim), Canvas(WIDTH - 16, height - 16)
    _masonry(inside, inside.box)
    return _framed(canvas, inside)


def lay_sheet(canvas: Canvas, box: Box) -> None:
    """Draw a sheet of paper on the wall, to write on."""
    box = Box(*map(round, box))
    canvas.rect(box.moved(3, 5), STONE.rim)
    canvas.rect(box, LINE)
    canvas.rect(box.inset(2), LIGHT)


def _framed(canvas: Canvas, inside: Canvas) -> Canvas:
    """Draw a picture with rounded corners in the middle of a canvas, and return the canvas."""
    mask = Canvas(inside.width, inside.height)
    mask.rect(mask.box, "#FFFFFF", radius=18)
    canvas.stamp(Sprite(inside.sprite().colours, mask.sprite().mask), canvas.box.centre)
    canvas.rect(canvas.box.inset(8), None, STONE.line, 2, radius=18)
    return canvas


def _painted(sheet: Box, top: int) -> Canvas:
    """Return the part of the whole picture that ``sheet`` covers: sky, skyline and wall."""
    canvas = Canvas(round(sheet.width), round(sheet.height))
    x0, y0 = sheet.left, sheet.top
    night = Canvas(canvas.width, canvas.height, STONE.rim)
    night.fade(Box(0, 0, canvas.width, 66), _NIGHT, _EVENING, 4)
    if top > 80:
        night.fade(Box(0, 66, canvas.width, top - y0), _EVENING, _GLOW, 7)
    _skyline(night, -x0, max(0, top - HORIZON) - y0)
    wall = Box(0, top - y0, canvas.width, canvas.height)
    _masonry(night, wall)
    for n in range(0, canvas.width, 56):
        merlon = Box(n - 6, top - y0 - 18, n + 26, top - y0 + 2)
        night.cover(merlon, STONE.material)
        night.rect(Box(merlon.left, merlon.top, merlon.right, merlon.top + 3), STONE.raised)
    night.rect(Box(0, wall.top, canvas.width, wall.top + 3), STONE.raised)
    return night


def _masonry(canvas: Canvas, wall: Box) -> None:
    """Draw rows of equal stones and the joints between them."""
    canvas.rect(wall, STONE.carved)
    wide, high = STONES
    for n, y in enumerate(range(round(wall.top), round(wall.bottom), high)):
        for x in range(-(n % 2) * wide // 2, round(wall.right), wide):
            canvas.rect(Box(x, y, x + wide - 2, y + high - 2), _WORN[(n + x // wide) % 3])
            canvas.rect(Box(x, y, x + wide - 2, y + 1), _RIDGE)


_HILLS = (
    "M 0 150 C 120 110 260 140 400 120 C 600 96 800 140 960 116 C 1060 104 1140 120 1200 112"
    " V 190 H 0 Z"
)
_TOWERS = (
    (346, 96, 26), (402, 66, 30), (456, 100, 34), (520, 44, 34), (574, 84, 44),
    (636, 30, 38), (694, 76, 40), (752, 60, 30), (806, 98, 28),
)  # fmt: skip
"""Left edge, top and width of the towers on the skyline."""


def _skyline(canvas: Canvas, dx: float, dy: float) -> None:
    """Draw hills and the towers of the castle against the evening sky."""
    base = 190 + dy
    canvas.path(trace(_HILLS), _MIST, centre=(dx, dy), opacity=0.7)
    for x, top, width in _TOWERS:
        left, right, eaves = x + dx, x + dx + width, top + dy
        middle, peak = (left + right) / 2, eaves - width * 0.9
        canvas.rect(Box(left, eaves, right, base), _FAR)
        canvas.rect(Box(right - width * 0.3, eaves, right, base), _FAR_SHADE)
        canvas.polygon([(middle, peak), (right + 4, eaves), (left - 4, eaves)], _FAR_ROOF)
        canvas.line([(middle, peak), (middle, peak - 8)], _FAR_ROOF, 1.5)
        canvas.rect(Box(middle - 2, eaves + 10, middle + 3, eaves + 20), _LAMP)
    wall = base - 50  # its battlements are seen between the plates and the wall in front
    for x in range(350, 834, 22):
        canvas.rect(Box(x + dx, wall - 8, x + dx + 12, wall + 2), _FAR)
    canvas.rect(Box(350 + dx, wall, 834 + dx, base), _FAR)
    for x in range(376, 826, 48):
        canvas.rect(Box(x + dx - 4, wall + 6, x + dx + 12, wall + 26), _FAR_SHADE, radius=8)
        canvas.rect(Box(x + dx, wall + 10, x + dx + 8, wall + 24), _LAMP, radius=4)


def _banner(canvas: Canvas, middle: float, top: float) -> None:
    """Draw a long banner with a heart on it."""
    cloth, share = Canvas(160, 350), 2.5
    for path, colour in (
        ("M 2 0 H 62 V 138 L 32 118 L 2 138 Z", DEEP["ISOLDE"]),
        ("M 5 0 H 59 V 131 L 32 113 L 5 131 Z", FOIL),
        ("M 7 0 H 57 V 128 L 32 110 L 7 128 Z", BOARDS["ISOLDE"]),
    ):
        cloth.path(trace(path), colour, scale=share)
    canvas.stamp(raised(relief(cloth.sprite(), 3, 0.7), 4), (middle, top + 175))
    canvas.stamp(emblem("ISOLDE", 104), (middle, top + 130))
    canvas.line([(middle - 100, top), (middle + 100, top)], _POLE, 10)
    for x in (middle - 100, middle + 100):
        canvas.circle((x, top), 8, FOIL)
