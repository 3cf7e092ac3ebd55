"""The public picture: the plates, the rounds, and all boards with their pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import attrgetter

from render.cache import cached
from render.canvas import Canvas, Sprite, write, write_lines
from render.geometry import Box, Point
from render.isolde.colours import FOIL, LIVERY, RESTING, STONE
from render.isolde.devices import (
    bold_token,
    chalice,
    face_down,
    medallion,
    parchment,
)
from render.isolde.ground import ANNEX, COURTYARD, HEIGHT, LEFT, ground, lay_sheet, tracks
from render.isolde.scenery import CHIP, chip
from render.isolde.standings import (
    ROMAN,
    Advance,
    BoardView,
    acting,
    in_roman,
    moved,
    on_lap,
    open_points,
    scored_together,
    unmoved,
    winners,
)
from render.isolde.tracks import (
    BoardTrack,
    clear_corners,
    draw_banner,
    draw_pieces,
    draw_prizes,
    first_slot,
    mark_last,
    piece_rows,
)
from render.isolde.words import TOLD, Deed, colour_names, deeds
from render.letters import fitted, lines_of, set_in_lines, text_width, typeset
from render.names import printed_names
from render.plates import CROWN, NARROW, Plate, draw_plate, title
from render.scene import Glide, Scene
from render.theme import BRIGHT_GOLD, GOLD, INK, LIGHT, LINE, MARGIN, PANEL, SOFT, WIDTH, Type

TOP = Box(MARGIN, 14, WIDTH - MARGIN, 66)
PLATES = Box(LEFT, 74, WIDTH - LEFT, 196)
GAP = 8
"""Minimum gap between plates."""
WIDEST = 330
"""Maximum width of a plate; if there are only a few plates, the castle shows between them."""
CAPTION = Box(MARGIN, HEIGHT - 56, WIDTH - MARGIN, HEIGHT - 14)

ROUND = Type("title", 42)
POINTS = Type("strong", 48), Type("strong", 40)
"""The type of points on a plate, and on a narrow one."""
DARK = 54, 46
"""Height of the face-down shield on a plate, and on a narrow one."""
WHAT = Type("strong", 38), Type("strong", 32), Type("strong", 28)
HOW = Type("text", 34), Type("text", 28)
EVENT = tuple(Type("strong", size) for size in (52, 44, 38, 32, 28))
NEWS_LINE, NEWS_STEP = 44, 34
"""Height of the first line about an event, and of each further line."""
CALENDAR_HEAD = Type("strong", 38), Type("strong", 34), Type("strong", 28)
WHEN = Type("title", 42)
DARK_ROOM = 116
"""Room for face-down shields beside the points."""
KNIGHT_AT = 27
"""Distance of the knights from the ends of the track of the chalice."""
HEADLINE, RANKED = Type("strong", 38), Type("strong", 50)
WHOSE, BRIEF = Type("text", 36), Type("text", 28)
RANK_HEAD, HIGHEST_RANK = 58, 112
"""Height of the heading above the points, and maximum height of a row below it."""


# --------------------------------------------------------------------------- the table
def draw_table(scene: Scene) -> Canvas:
    """Draw everything except the caption."""
    view = scene.view
    canvas = ground(tuple(view.public["boards"])).copy()
    _draw_top(canvas, scene)
    _draw_plates(canvas, scene)
    placed = tracks(tuple(view.public["boards"]))
    for board, track in placed.items():
        draw_banner(canvas, track, scene, board)
        clear_corners(canvas, track, board, view.public["boards"][board])
        mark_last(canvas, track, scene, board)
    for board, track in placed.items():
        draw_pieces(canvas, track, board, view.public["boards"][board])
        draw_prizes(canvas, track, scene, board)
    _draw_courtyard(canvas, scene)
    return canvas


def _draw_courtyard(canvas: Canvas, scene: Scene) -> None:
    """Draw the news in the courtyard or, if there is none, the rounds in which boards are scored.
    If the annex is free as well, draw the rounds there and, if there is no news, the points in the
    courtyard (once there are any). After the end, draw only the points.
    """
    view = scene.view
    scored = any(open_points(view, colour)[0] for colour in range(len(view.public["owners"])))
    news = [] if view.outcome else list(deeds(scene))[-TOLD:]
    annex = "MAGIE" not in view.public["boards"]
    if view.outcome:
        _draw_ranking(canvas, ANNEX if annex else COURTYARD, scene)
        return
    if news:
        _draw_news(canvas, news)
    if annex or not news:
        _draw_calendar(canvas, ANNEX if annex else COURTYARD, scene)
    if annex and not news and scored:
        _draw_ranking(canvas, COURTYARD, scene)


def _draw_calendar(canvas: Canvas, area: Box, scene: Scene) -> None:
    """Draw a row for each set of rounds in which boards are scored, with the devices of these
    boards. A row whose boards are scored in this round is golden; one whose last round is over is
    pale.
    """
    view = scene.view
    lay_sheet(canvas, area.inset(0, 4))
    sheet = area.inset(18, 20)
    words = scene.say("Scored in round")
    write(canvas, (sheet.left + 2, sheet.top + 20), words, CALENDAR_HEAD, sheet.width, INK, "lm")
    scored = scored_together(view)
    top = sheet.top + RANK_HEAD - 6
    height = min(HIGHEST_RANK, (sheet.bottom + 8 - top) / len(scored))
    for n, (rounds, boards) in enumerate(scored):
        row = Box(sheet.left, round(top + n * height), sheet.right, round(top + (n + 1) * height))
        if view.round in rounds:
            canvas.rect(row.inset(-8, 3), FOIL, INK, 2, radius=10)
        else:
            canvas.rect(Box(row.left, row.top, row.right, row.top + 2), LINE)
        y, pale = row.centre[1], bool(rounds) and max(rounds) < view.round
        left = row.left + 4
        if rounds:
            left = canvas.text((left, y), in_roman(rounds), WHEN, INK, "lm").right
        else:
            canvas.stamp(parchment(round(height * 0.6)), (left + height * 0.3, y))
            left += height * 0.6
        step = min(height - 10, 66, (row.right - left - 10) / len(boards))
        for k, board in enumerate(reversed(boards)):
            at = row.right - step * (k + 0.5), y
            canvas.stamp(medallion(board, round(step - 4)), at, RESTING if pale else 1.0)


def _draw_ranking(canvas: Canvas, area: Box, scene: Scene) -> None:
    """Draw the points on a sheet, highest first; a colour that nobody plays comes last."""
    view = scene.view
    names = colour_names(view, printed_names(scene.names, scene.say), scene.say)
    points = {colour: open_points(view, colour) for colour in range(len(names))}
    lay_sheet(canvas, area.inset(0, 4))
    sheet = area.inset(18, 20)
    canvas.text((sheet.left + 2, sheet.top + 22), scene.say("Points"), HEADLINE, INK, "lm")
    left, top = round(sheet.left), round(sheet.top) + RANK_HEAD
    height = min(HIGHEST_RANK, (sheet.bottom - top) // len(names))
    rows = Box(left, top, sheet.right, top + height * len(names)).rows(len(names))
    neutral = [owner is None for owner in view.public["owners"]]
    best = max(known for colour, (known, _) in points.items() if not neutral[colour])
    order = sorted(points, key=lambda colour: (neutral[colour], -points[colour][0]))
    for colour, row in zip(order, rows, strict=True):
        known, dark = points[colour]
        y = row.centre[1]
        if neutral[colour]:
            canvas.rect(row.inset(-8, 3), PANEL, radius=10)
        elif known == best:
            canvas.rect(row.inset(-8, 3), FOIL, INK, 2, radius=10)
        else:
            canvas.rect(Box(left, round(row.top), row.right, round(row.top) + 2), LINE)
        canvas.stamp(bold_token(colour, 48), (row.left + 24, y))
        if dark:
            back = face_down(dark)
            canvas.stamp(back, (row.right - back.size[0] / 2, y))
        end = row.right - (DARK_ROOM if any(d for _, d in points.values()) else 2)
        figure = canvas.text((end, y), scene.say.number(known), RANKED, INK, "rm")
        room = Box(row.left + 60, row.top, figure.left - 12, row.bottom)
        _draw_owner(canvas, room, names[colour])


def _draw_owner(canvas: Canvas, room: Box, name: str) -> None:
    """Write a name in one line or, if that would cut it, in two lines of smaller type."""
    y, lines, kind = room.centre[1], [name], WHOSE
    if text_width(name, WHOSE) > room.width:
        lines, kind = lines_of(name, room.width, 2, BRIEF), BRIEF
    for n, line in enumerate(lines):
        canvas.text((room.left, y + 30 * (n - (len(lines) - 1) / 2)), line, kind, INK, "lm")


def _draw_news(canvas: Canvas, told: Sequence[Deed]) -> None:
    """Draw the news on a sheet; a single event in large type."""
    lay_sheet(canvas, COURTYARD.inset(0, 4))
    if len(told) == 1:
        _draw_event(canvas, told[0])
        return
    sheet = COURTYARD.inset(18, 22)
    left, high = sheet.left + 76, sheet.height / TOLD
    wide = sheet.right - left
    kind = min((typeset(deed.what, WHAT, wide)[1] for deed in told), key=attrgetter("size"))
    for place, deed in enumerate(told):
        y = sheet.centre[1] + (place - (len(told) - 1) / 2) * high
        canvas.stamp(bold_token(deed.colour, 64), (sheet.left + 32, y))
        what = fitted(deed.what, kind, wide)
        how, less = set_in_lines(deed.how, HOW, wide, 2)
        top = y - (NEWS_LINE + NEWS_STEP * len(how)) / 2
        canvas.text((left, top + NEWS_LINE / 2), what, kind, anchor="lm")
        for n, line in enumerate(how):
            at = left, top + NEWS_LINE + NEWS_STEP * (n + 0.5)
            canvas.text(at, line, less, SOFT, "lm")


def _draw_event(canvas: Canvas, deed: Deed) -> None:
    """Draw the only event: the token above the words, as large as the sheet allows."""
    (x, y), room = COURTYARD.centre, COURTYARD.width - 36
    canvas.stamp(bold_token(deed.colour, 128), (x, y - 92))
    write_lines(canvas, (x, y + 26), deed.what, EVENT, (room, 104), INK)
    write_lines(canvas, (x, y + 118), deed.how, EVENT[1:], (room, 96), SOFT)


def _draw_top(canvas: Canvas, scene: Scene) -> None:
    """Draw the title, the cup if the knights fight for one, and the round."""
    left = _draw_rounds(canvas, scene)
    words = scene.say("Fair Isolde")
    room = text_width(words.upper(), Type("title", 40)) + 4
    title(canvas, Box(TOP.left, TOP.top, TOP.left + room, TOP.bottom), words, STONE)
    if "cup" in scene.view.public["boards"]["LANZE"]:
        _draw_cup(canvas, scene, Box(TOP.left + room + 30, TOP.top, left - 30, TOP.bottom))


def _draw_rounds(canvas: Canvas, scene: Scene) -> float:
    """Draw the sign of the round; it points the way the packs are passed. Return its left edge."""
    view = scene.view
    way = 0 if view.public["direction"] is None else (1 if view.round % 2 else -1)
    words = f"{ROMAN[view.round]} / {ROMAN[view.public['rounds']]}"
    sign = _signpost(words, way)
    left: float = TOP.right - sign.size[0]
    canvas.stamp(sign, (left + sign.size[0] / 2, TOP.centre[1]))
    return left


@cached
def _signpost(words: str, way: int) -> Sprite:
    """Return a sign that points to the right (1), to the left (-1) or nowhere (0)."""
    canvas = Canvas(text_width(words, ROUND) + 76, round(TOP.height) + 4)
    box, (x, y) = canvas.box.inset(2), canvas.box.centre
    canvas.polygon(_outline(box, way), FOIL, INK, 2)
    canvas.text((x - 5 * way, y), words, ROUND, INK)
    return canvas.sprite()


def _outline(box: Box, way: int) -> list[Point]:
    tip = 20
    right = box.right - (tip if way > 0 else 0)
    left = box.left + (tip if way < 0 else 0)
    middle = box.centre[1]
    corners = [(left, box.top), (right, box.top)]
    corners += [(box.right, middle)] if way > 0 else []
    corners += [(right, box.bottom), (left, box.bottom)]
    corners += [(box.left, middle)] if way < 0 else []
    return corners


def _draw_cup(canvas: Canvas, scene: Scene, box: Box) -> None:
    """Draw the track of the chalice between the black and the white knight."""
    here = scene.view.public["boards"]["LANZE"]
    reach, (x, y) = here["reach"], box.centre
    canvas.stamp(_cup_track(round(box.width), round(box.height), reach), (x, y))
    canvas.stamp(chalice(50), (x + here["cup"] * _cup_step(box.width, reach), y))


def _cup_step(width: float, reach: int) -> float:
    """Return the distance between two fields on the track of the chalice."""
    return (width - 2 * KNIGHT_AT - 96) / (2 * reach)


@cached
def _cup_track(width: int, height: int, reach: int) -> Sprite:
    canvas = Canvas(width + 2 * GAP, height + 2 * GAP)
    box, (x, y) = canvas.box.inset(GAP), canvas.box.centre
    canvas.shadow(box, 3, radius=26)
    canvas.rect(box, LIGHT, LINE, 2, radius=26)
    canvas.stamp(medallion("LANZE", 48), (box.left + KNIGHT_AT, y))
    canvas.stamp(medallion("TURNIER", 48), (box.right - KNIGHT_AT, y))
    step = _cup_step(width, reach)
    canvas.line([(x - reach * step, y), (x + reach * step, y)], LINE, 3)
    for n in range(-reach, reach + 1):
        canvas.circle((x + n * step, y), 5 if n else 10, SOFT)
    return canvas.sprite()


# ------------------------------------------------------------------------------- plates
def _draw_plates(canvas: Canvas, scene: Scene) -> None:
    """Draw a plate for each colour: its points, its cards of this round, and who starts the
    round.
    """
    view = scene.view
    names = colour_names(view, printed_names(scene.names, scene.say), scene.say)
    called, crowned = acting(view), winners(view)
    best = max(
        open_points(view, c)[0]
        for c, owner in enumerate(view.public["owners"])
        if owner is not None
    )
    width = min(WIDEST, (PLATES.width - GAP * (len(names) - 1)) / len(names))
    kind = POINTS[width < NARROW]
    gap = (PLATES.width - width * len(names)) / (len(names) - 1)
    for colour, box in enumerate(PLATES.columns(len(names), gap)):
        owner = view.public["owners"][colour]
        shines = colour in called or colour in crowned
        plate = Plate(colour, names[colour], shines, owner in scene.computers)
        starts = view.public["starter"] == colour and view.outcome is None
        room = draw_plate(canvas, box, plate, 0, LIVERY)
        points, dark = open_points(view, colour)
        text, at = scene.say.number(points), (room.left, room.centre[1] + 1)
        boxed = bool(points) and points == best
        if boxed:
            canvas.rect(
                Box(at[0] - 8, at[1] - 23, at[0] + text_width(text, kind) + 10, at[1] + 23),
                FOIL,
                INK,
                2,
                radius=10,
            )
        right = canvas.text(at, text, kind, SOFT if owner is None else INK, "lm").right
        # Sword and crown are below the name, because its band has hardly any room left.
        if starts:
            ring, air = (16, 6) if dark and width < NARROW else (19, 10)
            hilt = right + 12 * boxed + air + ring, at[1]
            draw_sword(canvas, hilt, ring)
        if dark:
            back = face_down(dark, DARK[width < NARROW])
            canvas.stamp(back, (room.right + 6 - back.size[0] / 2, at[1]))
        if colour in crowned:
            canvas.path(CROWN, BRIGHT_GOLD, INK, 2.5, centre=(at[0] + 106, at[1]), scale=20)
        _draw_played(canvas, box, scene, colour)


def draw_sword(canvas: Canvas, centre: Point, radius: float) -> None:
    """Draw Excalibur on a dark disc, so that it does not look like a digit. Its owner starts the
    round.
    """
    (x, y), half = centre, radius * 0.8
    canvas.circle(centre, radius, INK)
    canvas.line([(x, y - half), (x, y + half * 0.4)], GOLD, half * 0.32)
    canvas.line([(x - half * 0.5, y + half * 0.35), (x + half * 0.5, y + half * 0.35)], LIGHT, 3)
    canvas.line([(x, y + half * 0.35), (x, y + half * 0.9)], LIGHT, 3.5)


def _draw_played(canvas: Canvas, plate: Box, scene: Scene, colour: int) -> None:
    """Draw the cards played in this round below a plate, the latest on the right; a bet comes
    first.
    """
    public = scene.view.public
    if scene.view.outcome:
        return  # after the match, only the points matter
    bet = public["boards"]["ISOLDE"].get("bets", [None] * 5)[colour]
    signs = [] if bet is None else [medallion(bet, CHIP[0])]
    signs += [chip(board, card[-1]) for card, board in public["played"][colour]]
    x, y = plate.left + 4 + CHIP[0] / 2, plate.bottom + 6 + CHIP[1] / 2
    step = min(CHIP[0] + 6, (plate.width - 8 - CHIP[0]) / max(1, len(signs) - 1))
    for n, each in enumerate(signs):
        canvas.stamp(each, (x + n * step, y))


# --------------------------------------------------------------------------------------- animation
def glides(scene: Scene) -> Iterator[Glide]:
    """Yield the pieces that glide around the paintings from field to field."""
    boards = scene.view.public["boards"]
    placed = tracks(tuple(boards))
    steps: dict[tuple[str, int], list[Advance]] = {}
    for step in moved(scene.facts):
        steps.setdefault((step.board, step.colour), []).append(step)
    for (board, colour), made in steps.items():
        track, here = placed[board], boards[board]
        # otherwise the board has been reset after the move
        if here["positions"][colour] == made[-1].field:
            first = made[0].origin
            passed = chain.from_iterable(range(step.origin + 1, step.field) for step in made)
            way = [_start(track, here, colour, first)]
            way += [track.places(on_lap(field)[1], 1)[0] for field in passed]
            end, size = _end(track, here, colour)
            yield Glide(bold_token(colour, size), [*way, end], _left(track, here, first))


def _start(track: BoardTrack, here: BoardView, colour: int, field: int) -> Point:
    if field:
        return track.places(on_lap(field)[1], 1)[0]
    before = sorted([*unmoved(here), colour])
    _, spots = track.waiting(len(before), first=first_slot(here, len(before)))
    return spots[before.index(colour)]


def _end(track: BoardTrack, here: BoardView, colour: int) -> tuple[Point, int]:
    """Return the point of a piece in its row, and its diameter there."""
    row = next(row for row in piece_rows(here) if colour in row.colours)
    return row.boxes(track)[row.colours.index(colour)].centre, row.size(track)


def _left(track: BoardTrack, here: BoardView, field: int) -> Box:
    """Return the box that a piece has left: a field with its row, or the strip below the
    painting.
    """
    if not field:
        return track.start
    field = on_lap(field)[1]
    stayed = sum(len(row.colours) for row in piece_rows(here) if row.field == field)
    return track.reach(field, stayed + 1)
