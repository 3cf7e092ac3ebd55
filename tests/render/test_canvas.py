"""The canvas: soft edges, sprites without fringes, letters that fit, the fixed palette."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from render.canvas import Canvas, Sprite
from render.geometry import Box, regular, trace
from render.letters import fitted, text_width
from render.light import relief
from render.materials import Material
from render.plates import OAK
from render.theme import (
    FONT_FILES,
    FONTS,
    INK,
    LIGHT,
    MIN_TEXT,
    PARCHMENT,
    Face,
    Palette,
    Type,
    has_glyph,
    mix,
)
from tests.render.colours import opened, pixels_of, rgb

PALETTE = Palette(
    mix(PARCHMENT, ink, share) for ink in (INK, "#0072B2") for share in (0, 0.25, 0.5, 0.75, 1)
)
TEXT = Type("text", 28)


def seen(canvas: Canvas) -> Image.Image:
    """The picture as people see it."""
    return opened(canvas.png(PALETTE))


def inked(canvas: Canvas) -> tuple[int, int, int, int] | None:
    """The bounding box of everything except parchment; None if nothing is drawn."""
    ground = Image.new("RGB", (canvas.width, canvas.height), PARCHMENT)
    return ImageChops.difference(seen(canvas), ground).getbbox()


DRAWINGS: list[Callable[[Canvas], None]] = [
    lambda c: c.rect(Box(10, 10, 50, 30), INK),
    lambda c: c.rect(Box(10.3, 10.7, 49.5, 29.5), INK, radius=6),
    lambda c: c.circle((30, 20), 10, INK),
    lambda c: c.polygon([(10, 10), (50, 10), (30, 30)], INK),
    lambda c: c.line([(12, 12), (48, 28)], INK, 4),
    lambda c: c.dots([(13, 13), (47, 27)], INK),
    lambda c: c.dashes([(12, 20), (40, 20)], INK, 3, 6),
    lambda c: c.arrow((12, 20), (50, 20), INK, 4),
    lambda c: c.cross((30, 20), 20),
    lambda c: c.path(trace("M 10 10 H 50 V 30 Q 30 20 10 30 Z"), INK),
]


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_shapes_stay_in_their_box(drawing: Callable[[Canvas], None]) -> None:
    """Something is drawn, and it extends at most one pixel beyond the given box."""
    canvas = Canvas(60, 40, PARCHMENT)
    drawing(canvas)
    box = inked(canvas)
    assert box is not None
    assert box[0] >= 9
    assert box[1] >= 9
    assert box[2] <= 51
    assert box[3] <= 31


def test_edges_are_soft_and_the_inside_is_exact() -> None:
    canvas = Canvas(60, 60, PARCHMENT)
    canvas.circle((30, 30), 20, INK)
    image = seen(canvas)
    assert image.getpixel((30, 30)) == rgb(INK)
    assert image.getpixel((2, 2)) == rgb(PARCHMENT)
    colours = {colour for _, colour in image.getcolors() or []}
    assert rgb(mix(INK, PARCHMENT, 0.5)) in colours


def test_overlapping_outlines_cut_a_hole() -> None:
    canvas = Canvas(60, 60, PARCHMENT)
    outer = [(x * 25, y * 25) for x, y in regular(4)]
    inner = [(x * 10, y * 10) for x, y in regular(4)]
    canvas.path([outer, inner], INK, centre=(30, 30))
    image = seen(canvas)
    assert image.getpixel((30, 30)) == rgb(PARCHMENT)
    assert image.getpixel((30, 12)) == rgb(INK)


def test_a_stamped_sprite_looks_as_if_drawn_in_place() -> None:
    direct, stamped, sheet = Canvas(60, 60, LIGHT), Canvas(60, 60, LIGHT), Canvas(40, 40)
    for canvas, centre in ((direct, (30.0, 30.0)), (sheet, (20.0, 20.0))):
        canvas.circle(centre, 18, INK)
        canvas.circle(centre, 15, "#0072B2")
        canvas.text(centre, "W", TEXT, LIGHT)
    stamped.stamp(sheet.sprite(), (30, 30))
    levels = zip(pixels_of(direct).tobytes(), pixels_of(stamped).tobytes(), strict=True)
    assert max(abs(one - two) for one, two in levels) <= 3


def test_a_turned_sprite_has_no_fringe() -> None:
    sheet = Canvas(40, 20)
    sheet.rect(Box(0, 0, 40, 20), "#0072B2", radius=4)
    sprite = sheet.sprite()
    assert sprite.turned(90).size == (20, 40)
    askew = Canvas(60, 60, LIGHT)
    askew.stamp(sprite.turned(30), (30, 30))
    _, green, blue = pixels_of(askew).split()
    assert min(green.tobytes()) >= 0x72 - 3
    assert min(blue.tobytes()) >= 0xB2 - 3


def tall_card(colour: str, degrees: float) -> Sprite:
    """A rotated card with round corners."""
    sheet = Canvas(200, 300)
    sheet.rect(sheet.box.inset(2), colour, INK, 3, radius=20)
    return sheet.sprite().turned(degrees)


@pytest.mark.parametrize("degrees", [-23.1, -4.2, 0, 12.6])
def test_most_of_a_turned_card_is_solid(degrees: float) -> None:
    sprite = tall_card("#0072B2", degrees)
    assert sprite.solid
    left, top, right, bottom = sprite.solid
    assert (right - left) * (bottom - top) > 200 * 300 * (0.8 if abs(degrees) < 5 else 0.4)
    assert sprite.mask.crop(sprite.solid).getextrema() == (255, 255)


def test_no_part_of_a_card_with_a_hole_is_solid() -> None:
    sheet = tall_card("#0072B2", 0)
    sheet.mask.paste(0, (90, 100, 95, 105))
    assert Sprite(sheet.colours, sheet.mask).solid == ()


def test_a_stack_looks_as_if_stamped_one_by_one() -> None:
    frame = Canvas(200, 300)
    frame.frame(frame.box.inset(12), radius=9)
    sprites = [
        (tall_card(PARCHMENT, -8.4), (120.0, 190.0)),
        (tall_card("#0072B2", -4.2), (190.3, 150.0)),
        (frame.sprite().turned(-4.2), (190.3, 150.0)),
        (tall_card("#D55E00", 4.2), (251.0, 184.5)),
        (tall_card(LIGHT, 0), (700.0, 210.0)),
    ]
    stacked, stamped = (Canvas(820, 400, "#009E73") for _ in range(2))
    stacked.stack(sprites)
    for sprite, centre in sprites:
        stamped.stamp(sprite, centre)
    assert pixels_of(stacked).tobytes() == pixels_of(stamped).tobytes()


def test_a_ghost_is_fainter_than_the_thing() -> None:
    """Beside its cross, the sprite has about a third of its strength."""
    sheet = Canvas(40, 40)
    sheet.circle((20, 20), 20, INK)
    ghostly = Canvas(60, 60, PARCHMENT)
    ghostly.ghost(sheet.sprite(), (30, 30))
    value = pixels_of(ghostly).getpixel((30, 15))
    assert isinstance(value, tuple)
    expected = rgb(mix(PARCHMENT, INK, 0.35))
    assert max(abs(a - b) for a, b in zip(value, expected, strict=True)) <= 2


def test_letters_are_centred_on_their_ink() -> None:
    for letter in "AHNO1478":
        canvas = Canvas(80, 80, PARCHMENT)
        canvas.text((40, 40), letter, TEXT)
        box = inked(canvas)
        assert box is not None
        assert abs((box[0] + box[2]) / 2 - 40) <= 1, letter
        assert abs((box[1] + box[3]) / 2 - 40) <= 1, letter


def test_digits_are_equally_wide() -> None:
    """Numbers must not jump when they change."""
    assert {text_width(f"H{digit}H", TEXT) for digit in "0123456789"} == {text_width("H0H", TEXT)}


def test_nothing_can_be_written_too_small() -> None:
    Type("text", MIN_TEXT)
    with pytest.raises(ValueError, match="smaller"):
        Type("text", MIN_TEXT - 1)


@pytest.mark.parametrize("width", [0, 30, 90, 200, 1000])
def test_long_texts_are_cut_to_the_pixel(width: int) -> None:
    text = "Bernhard von Löwenstein"
    shown = fitted(text, TEXT, width)
    if text_width(text, TEXT) <= width:
        assert shown == text
    else:
        assert shown.endswith("…")
        assert text_width(shown, TEXT) <= max(width, text_width("…", TEXT))


def test_a_palette_keeps_its_colours_and_its_size() -> None:
    assert Palette([INK, PARCHMENT, INK]).colours == (INK, PARCHMENT)
    with pytest.raises(ValueError, match="257"):
        Palette(f"#{n:06X}" for n in range(257))


FIRST_AT_ONCE = """
import sys, threading
from PIL import Image
from render.theme import Palette

sys.setswitchinterval(1e-5)
pictures = [Image.new("RGB", (60, 60), (9 * n, n, 200)) for n in range(8)]
for n in range(200):
    palette = Palette([f"#{c:02X}{c * 7 % 256:02X}{n:02X}" for c in range(200)])
    start = threading.Barrier(len(pictures))
    threads = [
        threading.Thread(target=lambda p: (start.wait(), palette.apply(p)), args=(picture,))
        for picture in pictures
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
"""Eight threads at once use a new palette for the first time; this happens 200 times."""


def test_large_files_are_packed_closer() -> None:
    palette = Palette.of("lancelot")
    picture = Canvas(300, 300)
    picture.cover(picture.box, OAK.material)
    light = picture.png(palette)
    closer = picture.png(palette, len(light) - 1)
    assert len(closer) < len(light)
    assert pixels(closer) == pixels(light)


def pixels(png: bytes) -> bytes:
    return opened(png).tobytes()


@pytest.mark.full
def test_threads_may_be_the_first_to_use_a_palette_together() -> None:
    """The process would crash if a palette were finished only at its first use."""
    drawing = subprocess.run(
        [sys.executable, "-c", FIRST_AT_ONCE],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (drawing.returncode, drawing.stderr) == (0, "")


@pytest.mark.parametrize("face", list(FONT_FILES))
def test_fonts_are_bundled_with_their_licence(face: Face) -> None:
    file = FONTS / FONT_FILES[face]
    assert file.is_file()
    licence = FONTS / f"OFL-{file.name.split('-')[0]}.txt"
    assert "SIL OPEN FONT LICENSE" in licence.read_text(encoding="utf-8")


@pytest.mark.parametrize("face", ["text", "strong"])
def test_fonts_cover_the_names_of_europe(face: Face) -> None:
    letters = "ÄÖÜäöüßẞéèêëçñåæøÅÆØłŁśźżčďěňřšťůžąęėįųūőűșțăâîğışİĞŞþðÐŒœΑΩλюЖЯїєљђ×…–„“’"
    assert [c for c in letters if not has_glyph(FONT_FILES[face], c)] == []


def test_missing_glyphs_are_known() -> None:
    assert not any(has_glyph(FONT_FILES["strong"], c) for c in "🦄李بअ")
    assert has_glyph(FONT_FILES["strong"], " ")


@pytest.mark.parametrize("end", [(430.0, 310.0), (430.0, 25.0), (90.0, 310.0)])
def test_a_large_slanted_line_has_no_seams(end: tuple[float, float]) -> None:
    """It is drawn in bands, each of which must begin where the one above it ends."""
    canvas = Canvas(460, 340, "#FFFFFF")
    start = (30.0, 335.0 - end[1])
    canvas.line([start, end], "#0072B2", 24, opacity=0.5)
    image = seen(canvas).convert("RGB")
    (x, y), (to_x, to_y) = start, end
    points = [(x + (to_x - x) * n / 400, y + (to_y - y) * n / 400) for n in range(401)]
    assert len({image.getpixel((round(x), round(y))) for x, y in points}) == 1


def test_a_fine_line_may_end_where_a_band_begins() -> None:
    """The last band has only the margin of its end."""
    canvas = Canvas(320, 240, "#FFFFFF")
    canvas.line([(10, 30), (300, 219)], "#0072B2", 0.5)
    assert seen(canvas).convert("RGB").getpixel((155, 124)) != (255, 255, 255)


@pytest.mark.parametrize("radius", [0.0, 9.5])
@pytest.mark.parametrize("kind", ["fill", "outline", "faint", "cover", "shadow", "sink"])
def test_a_large_rectangle_has_the_edges_of_a_small_one(kind: str, radius: float) -> None:
    linen = Material("linen", "#DCC793", "#DCC793")

    def drawn(grow: int) -> Image.Image:
        canvas = Canvas(160 + grow, 140 + grow, "#FFFFFF")
        box = Box(30.3, 30.6, 130.4 + grow, 110.2 + grow)
        match kind:
            case "fill" | "outline":
                fill, line = ("#0072B2", None) if kind == "fill" else (None, "#2B2622")
                canvas.rect(box, fill, line, 3, radius)
            case "faint":
                canvas.rect(box, "#0072B2", radius=radius, opacity=0.3)
            case "cover":
                canvas.cover(box, linen, radius)
            case "shadow":
                canvas.shadow(box, 6, radius)
            case _:
                canvas.sink(box, 5, radius)
        return pixels_of(canvas)

    small, large = drawn(0), drawn(500)
    width, height = small.size
    for dx in (0, 500):
        for dy in (0, 500):
            x, y = (width - 52, 0)[dx == 0], (height - 52, 0)[dy == 0]
            corner = small.crop((x, y, x + 52, y + 52)).tobytes()
            assert large.crop((x + dx, y + dy, x + dx + 52, y + dy + 52)).tobytes() == corner
    edge = small.crop((60, 0, 61, 52))
    for x in (100, 300, 550):
        assert large.crop((x, 0, x + 1, 52)).tobytes() == edge.tobytes()


def test_equal_forms_look_equal_wherever_they_stand() -> None:
    def drawn(x: float, y: float) -> Image.Image:
        canvas = Canvas(1200, 900, PARCHMENT)
        canvas.circle((x + 20, y + 20), 8.4, INK, LIGHT, 2.3)
        canvas.rect(Box(x + 30.1, y + 3.3, x + 50.7, y + 17.9), "#0072B2", INK, 2.85)
        canvas.shadow(Box(x + 30.1, y + 23.3, x + 50.7, y + 37.9), 3, radius=2)
        canvas.sink(Box(x + 60.1, y + 3.3, x + 70.7, y + 37.9), 3)
        left, top = int(x), int(y)
        return pixels_of(canvas).crop((left, top, left + 80, top + 50))

    first = drawn(0.7, 0.1).tobytes()
    assert all(drawn(x + 0.7, y + 0.1).tobytes() == first for x in (7, 1023) for y in (7, 250, 800))


@pytest.mark.parametrize("degrees", [-23.1, 0, 12.6])
def test_a_packed_sprite_looks_as_it_did(degrees: float) -> None:
    sheet = Canvas(60, 84)
    sheet.rect(sheet.box.inset(3), "#0072B2", INK, 4, radius=8)
    sheet.circle((20, 50), 14, PARCHMENT)
    sprite = sheet.sprite().turned(degrees)
    packed = sprite.packed(PALETTE)
    drawn = []
    for each in (sprite, packed.sprite()):
        canvas = Canvas(120, 120, PARCHMENT)
        canvas.stamp(each, (60.5, 60))
        drawn.append(seen(canvas))
    different = ImageChops.difference(*drawn).convert("L").point(lambda level: 255 * (level > 0))
    assert sum(different.histogram()[1:]) <= 120 * 120 / 100
    assert packed.sprite().mask.tobytes() == sprite.mask.tobytes()


def test_packed_sprites_are_small() -> None:
    sheet = Canvas(200, 300)
    sheet.rect(sheet.box, "#0072B2", radius=9)
    sprite = sheet.sprite()
    packed = sprite.packed(PALETTE)
    assert packed.mask is sprite.mask
    assert len(packed.pixels) <= 200 * 300 / 20


def test_the_light_comes_from_the_upper_left() -> None:
    canvas, disc = Canvas(100, 100, LIGHT), Canvas(100, 100)
    disc.circle((50, 50), 40, "#808080")
    canvas.stamp(relief(disc.sprite(), 6), (50, 50))
    grey = canvas.sprite().colours.convert("L")
    corners = {
        (x, y): grey.crop((x - 4, y - 4, x + 4, y + 4)).resize((1, 1)).tobytes()[0]
        for x in (25, 75)
        for y in (25, 75)
    }
    assert max(corners, key=corners.__getitem__) == (25, 25)
    assert min(corners, key=corners.__getitem__) == (75, 75)
