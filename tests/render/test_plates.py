"""Plates and seats can be told apart without colour, and text stays on its plate."""

from __future__ import annotations

from itertools import combinations, groupby
from typing import Any

import pytest
from PIL import Image, ImageChops

from render.canvas import Canvas
from render.geometry import Box
from render.plates import (
    APART,
    EDGE,
    GLOW,
    HEADER,
    OAK,
    POINT,
    Plate,
    Said,
    caption,
    card,
    cut_card,
    device,
    draw_plate,
    said_of,
    token,
)
from render.theme import INK, LIGHT, MARGIN, SEATS, WIDTH
from tests.render.colours import pixels_of

SEAT_PAIRS = list(combinations(range(len(SEATS)), 2))


def _shape(seat: int) -> Image.Image:
    canvas = Canvas(24, 24, LIGHT)
    device(canvas, seat, (12, 12), 18, INK)
    grey = pixels_of(canvas).convert("L")
    return grey.point(lambda level: 255 if level < 128 else 0)


def _area(mask: Image.Image) -> int:
    return mask.histogram()[255]


@pytest.mark.parametrize(("one", "other"), SEAT_PAIRS)
def test_seats_differ_by_shape_alone(one: int, other: int) -> None:
    first, second = _shape(one), _shape(other)
    shared = _area(ImageChops.multiply(first, second))
    whole = _area(ImageChops.lighter(first, second))
    assert shared / whole <= 7 / 8


@pytest.mark.parametrize("height", [60, 256, 300, 336, 337, 811, 900, 1131, 1716, 1800])
def test_a_cut_card_looks_like_a_drawn_one(height: int) -> None:
    assert pixels_of(cut_card(height, OAK)).tobytes() == pixels_of(card(height, OAK)).tobytes()


def test_devices_are_equally_heavy() -> None:
    areas = [_area(_shape(seat)) for seat in range(len(SEATS))]
    assert max(areas) <= min(areas) * 3 / 2, areas


@pytest.mark.parametrize("seat", range(len(SEATS)))
def test_devices_stand_out_in_greyscale(seat: int) -> None:
    canvas = Canvas(44, 44, LIGHT)
    canvas.stamp(token(seat, 44), (22, 22))
    grey = pixels_of(canvas).convert("L").tobytes()
    inside, ground = grey[22 * 44 + 22], grey[6 * 44 + 22]
    assert abs(inside - ground) >= 64


@pytest.mark.parametrize("name", ["Anna", "Wolfgang-Maximilian von Hohenlohe-Langenburg", "i" * 99])
@pytest.mark.parametrize("wide", [240, 324, 560])
def test_a_name_never_leaves_its_plate(name: str, wide: int) -> None:
    box = Box(100, 100, 100 + wide, 250)
    canvas, nameless = card(400), card(400)
    room = draw_plate(canvas, box, Plate(0, name, computer=True, winner=False))
    draw_plate(nameless, box, Plate(0, "", computer=True, winner=False))
    changed = ImageChops.difference(pixels_of(canvas), pixels_of(nameless)).getbbox()
    assert changed is not None
    assert changed[0] >= box.left
    assert changed[2] <= box.right
    inside = pixels_of(canvas).crop(
        (int(room.left), int(room.top), int(room.right), int(room.bottom))
    )
    assert len(inside.getcolors() or []) == 1


@pytest.mark.parametrize("seat", [None, 0])
def test_a_plate_reaches_no_further_than_its_glow(seat: int | None) -> None:
    canvas, plain = card(400), card(400)
    draw_plate(canvas, Box(100, 100, 400, 250), Plate(seat or 0, "Anna", to_move=seat is not None))
    changed = ImageChops.difference(pixels_of(canvas), pixels_of(plain)).getbbox()
    assert changed is not None
    assert changed[0] >= 100 - GLOW
    assert changed[1] >= 100 - GLOW
    assert changed[2] <= 400 + GLOW
    assert changed[3] <= 250 + GLOW


def test_a_caption_stays_within_its_line() -> None:
    """Even very long parts end before the status, which is aligned to the right."""
    canvas, line = card(400), Box(MARGIN, 300, WIDTH - MARGIN, 340)
    plain = canvas.copy()
    status = [Said(2, "to move")]
    caption(canvas, line, ["K7Q2", Said(0, "K4 " * 99), Said(1, "X" * 99)], status)
    changed = ImageChops.difference(pixels_of(canvas), pixels_of(plain)).getbbox()
    assert changed is not None
    assert changed[0] >= line.left - 1
    assert changed[2] <= line.right + 1
    assert changed[1] >= line.top
    assert changed[3] <= line.bottom
    alone = plain.copy()
    caption(alone, line, [], status)
    right = (line.right - 160, line.top, line.right, line.bottom)
    assert pixels_of(canvas).crop(right).tobytes() == pixels_of(alone).crop(right).tobytes()


def test_a_status_stands_apart_from_the_news() -> None:
    """A row of tokens is close together and clearly separate from the preceding move."""
    canvas, line = card(400), Box(MARGIN, 300, WIDTH - MARGIN, 340)
    plain = pixels_of(canvas.copy())
    news: list[str | Said] = ["K7Q2", "same hands", *(Said(n, f"WM{n}r") for n in range(4))]
    caption(canvas, line, [*news, *news], said_of(range(4), "choose at the same time"))
    changed = ImageChops.difference(pixels_of(canvas), plain).convert("L")
    columns = [bool(changed.crop((x, 300, x + 1, 340)).getbbox()) for x in range(WIDTH)]
    gaps = [len(list(run)) for drawn, run in groupby(columns) if not drawn][1:-1]
    assert max(gaps) >= APART - 8
    assert sorted(gaps)[-2] < POINT


def test_a_crowded_caption_keeps_the_newest_moves() -> None:
    moves = [Said(n % 5, f"K{n} ×{n}") for n in range(1, 15)]
    crowded = card(400)
    line = Box(MARGIN, 300, MARGIN + 780, 340)
    caption(crowded, line, ["K7Q2", *moves])
    same = []
    for n in range(2, 7):
        short = card(400)
        caption(short, line, ["K7Q2", *moves[-n:]])
        same.append(pixels_of(short).tobytes() == pixels_of(crowded).tobytes())
    # Moves that do not fit change nothing; without the last one that fits, the picture changes.
    assert not same[0]
    assert same[-1]
    assert same == sorted(same)


@pytest.mark.parametrize(
    ("name", "wide", "lines"),
    [
        ("Bernhard von Löwenstein", 300, ["Bernhard von", "Löwenstein"]),
        ("Maximilian\u00a01", 212, ["Maximilian", "1"]),
        ("Anna", 180, ["Anna"]),
    ],
)
def test_a_long_name_takes_a_second_line_before_it_is_cut(
    name: str, wide: int, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, Box]] = []
    real = Canvas.text

    def text(canvas: Canvas, at: Any, words: str, *args: Any, **more: Any) -> Box:
        box = real(canvas, at, words, *args, **more)
        written.append((words, box))
        return box

    monkeypatch.setattr(Canvas, "text", text)
    draw_plate(card(400), Box(100, 100, 100 + wide, 250), Plate(0, name))
    assert [words for words, _ in written] == lines
    for _, box in written:
        assert box.top >= 100
        assert box.bottom <= 100 + HEADER + 2 * EDGE
