"""A board as it looks on a phone, in a channel with Discord's dark theme."""

from __future__ import annotations

from collections.abc import Sequence

from render.canvas import Canvas, Sprite, write
from render.gallery import app_icon
from render.geometry import Box
from render.theme import INK, LIGHT, SEAT_COLOURS, Palette, Type, mix
from scripts.sheets import open_picture

SIZE = 780, 1640
"""Width and height; the screen is 360 points wide, at two pixels per point."""
EDGE, SCREEN_RADIUS = 30, 56
GROUND, CARD, KEY, LINE = "#313338", "#2B2D31", "#4E5058", "#3F4147"
WORDS, QUIET, ACCENT, BADGE = "#DBDEE1", "#949BA4", "#D55E00", "#5865F2"
_INKS = (LIGHT, WORDS, QUIET)
PALETTE = Palette((
    *Palette.of("lancelot").colours, *SEAT_COLOURS, *_INKS, GROUND, CARD, KEY, LINE, BADGE,
    *(mix(back, ink, share) for back in (GROUND, CARD) for ink in _INKS for share in (0.3, 0.65)),
    *(mix(back, "#FFFFFF", share) for back in (BADGE, KEY) for share in (0.3, 0.65, 1)),
    "#46413B", "#171412", "#383A40",
))  # fmt: skip
"""The colours of the board, the client and its letters."""
NAME, TEXT, SMALL = Type("strong", 32), Type("text", 30), Type("strong", 28)
AVATAR = 72
GAP = 20


def phone(board: bytes, channel: str, lines: Sequence[str], keys: Sequence[str]) -> bytes:
    """Return a picture of a phone that shows one message from the bot.

    :param board: the picture in the message.
    :param lines: the text above the board.
    :param keys: the labels of the buttons below it, two in a row.
    """
    canvas = Canvas(*SIZE, INK)
    canvas.rect(canvas.box.inset(6), "#46413B", radius=SCREEN_RADIUS + EDGE - 6)
    canvas.rect(canvas.box.inset(12), "#171412", radius=SCREEN_RADIUS + EDGE - 12)
    screen = canvas.box.inset(EDGE)
    canvas.rect(screen, GROUND, radius=SCREEN_RADIUS)
    canvas.circle((screen.centre[0], screen.top + 36), 13, "#171412")
    canvas.text((screen.left + 56, screen.top + 36), "20:14", SMALL, WORDS, "lm")
    head = screen.top + 114
    canvas.line([(screen.left + 50, head - 14), (screen.left + 36, head)], WORDS, 4)
    canvas.line([(screen.left + 36, head), (screen.left + 50, head + 14)], WORDS, 4)
    canvas.text((screen.left + 84, head), f"# {channel}", NAME, WORDS, "lm")
    canvas.rect(Box(screen.left, head + 44, screen.right, head + 46), LINE)
    _draw_message(
        canvas, Box(screen.left + 16, head + 70, screen.right - 16, 0), board, lines, keys
    )
    field = Box(screen.left + 24, screen.bottom - 116, screen.right - 24, screen.bottom - 44)
    canvas.rect(field, "#383A40", radius=36)
    canvas.text((field.left + 34, field.centre[1]), f"Message #{channel}", TEXT, QUIET, "lm")
    canvas.rect(Box.at((screen.centre[0], screen.bottom - 18), 220, 8), WORDS, radius=4)
    return canvas.png(PALETTE)


def _draw_message(
    canvas: Canvas, room: Box, board: bytes, lines: Sequence[str], keys: Sequence[str]
) -> None:
    y = room.top + AVATAR / 2
    canvas.stamp(_avatar(), (room.left + AVATAR / 2, y))
    name = canvas.text((room.left + AVATAR + GAP, y - 4), "Tafelrunde", NAME, LIGHT, "lm")
    badge = Box(name.right + 14, y - 22, name.right + 92, y + 18)
    canvas.rect(badge, BADGE, radius=8)
    canvas.text(badge.centre, "APP", SMALL, "#FFFFFF")
    canvas.text((badge.right + 16, y - 2), "20:14", SMALL, QUIET, "lm")
    picture = open_picture(board)
    wide = round(room.width) - 2 * GAP - 6
    high = round(picture.height * wide / picture.width)
    shown = Canvas(wide, high)
    shown.rect(shown.box, INK, radius=14)
    small = Sprite(picture.resize((wide, high)), shown.sprite().mask)
    rows = [keys[n : n + 2] for n in range(0, len(keys), 2)]
    top = room.top + AVATAR + GAP
    bottom = top + GAP + 46 * len(lines) + high + 16 + 84 * len(rows) + 8
    card = Box(room.left, top, room.right, bottom)
    canvas.rect(card, ACCENT, radius=14)
    canvas.rect(Box(card.left + 8, card.top, card.right, card.bottom), CARD, radius=12)
    left, y = card.left + GAP + 8, card.top + GAP + 20
    for n, line in enumerate(lines):
        kind, colour = (NAME, LIGHT) if n == 0 else (TEXT, WORDS)
        write(canvas, (left, y), line, kind, card.right - left - GAP, colour, "lm")
        y += 46
    y += high / 2 - 18
    canvas.stamp(small, (left + wide / 2, y))
    y += high / 2 + 16
    for row in rows:
        for key, box in zip(row, Box(left, y, left + wide, y + 70).columns(2, 16), strict=False):
            first = key == keys[0]
            canvas.rect(box, BADGE if first else KEY, radius=16)
            canvas.text(box.centre, key, SMALL, "#FFFFFF")
        y += 84


def _avatar() -> Sprite:
    icon = open_picture(app_icon()).resize((AVATAR, AVATAR))
    round_one = Canvas(AVATAR, AVATAR)
    round_one.circle(round_one.box.centre, AVATAR / 2, INK)
    return Sprite(icon, round_one.sprite().mask)
