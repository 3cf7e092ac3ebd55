"""The pictures of Lancelot: a tournament field of woven cloth on an oak table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from data.texts import N_
from games.lancelot.field import SWORD
from games.lancelot.position import LEAD_MAX, LancelotState
from render.cache import cached
from render.canvas import Canvas, Sprite, write, write_lines
from render.geometry import Box, Point
from render.lancelot.ground import (
    BURGUNDY,
    CAPTION,
    EMBROIDERY,
    LIVERY,
    FieldGeometry,
    ground,
)
from render.lancelot.marks import (
    LARGE,
    News,
    diagonal_of,
    draw_diagonal,
    draw_leads,
    draw_prize,
    led,
    position_from_view,
    takes,
)
from render.lancelot.pieces import (
    HILL,
    MEADOW,
    MEADOW_SHADE,
    SKY,
    THREAD,
    barrier,
    excalibur,
    pennant,
    stone,
)
from render.lancelot.sides import GAP, draw_side, plates
from render.lancelot.words import description, listing, warning
from render.names import printed_names
from render.plates import (
    OAK,
    Plate,
    Said,
    caption,
    corner_ticks,
    draw_plate,
    said_of,
    token,
)
from render.scene import Glide, Painter, Picture, Scene
from render.theme import GOLD, INK, LIGHT, SEATS, Palette, Type, mix
from render.words import TO_MOVE, VICTORY, seat_to_move

# ---------------------------------------------------------------------------------------- close-up
LEGEND = Type("text", 32), Type("text", 28)
COUNTS = Type("strong", 40), Type("strong", 32)
MARKS = 300
"""Width of the meaning of the marks on squares; that of the marks of lines is to its right."""
QUIET = 0.4
"""Opacity of other seats' stones that are not in danger, and of stones that were taken."""
PALE = tuple(mix(LIGHT, seat.colour, QUIET) for seat in SEATS)
"""The colours that stones have when drawn on paper with the opacity ``QUIET``, by seat."""


def threats(scene: Scene, seat: int) -> Canvas:
    """Draw the field with marks on the stones that ``seat`` could take, and on the squares from
    which it could take them.
    """
    view, field, state = scene.view, FieldGeometry.of(scene), position_from_view(scene.view)
    public, taking = view.public, takes(state, seat)
    endangered = {square for taken in taking.values() for square in taken}
    canvas = ground(view.players).copy()
    draw_leads(canvas, field, state, of=seat)
    for square, owner in public["board"].items():
        danger = square in endangered
        centre, sprite = field.centre(square), stone(owner, field.stone)
        own = owner == seat or not endangered
        if not (danger or own):  # otherwise the weave of the field would show through
            canvas.circle(centre, field.stone / 2, LIGHT)
        canvas.stamp(sprite, centre, 1.0 if danger or own else QUIET)
        if danger:
            canvas.ring(centre, field.stone / 2 - 1)
    if public["excalibur"]:
        canvas.stamp(excalibur(round(field.cell * 0.94)), field.centre(public["excalibur"]))
    for square, taken in taking.items():
        draw_prize(canvas, field, field.centre(square), len(taken))
    _draw_side(canvas, scene, seat, len(endangered))
    caption(canvas, CAPTION, [scene.code], ground=OAK)
    return canvas


def _draw_side(canvas: Canvas, scene: Scene, seat: int, endangered: int) -> None:
    """Draw the plate of the seat that could take stones, and the meaning of the marks."""
    say = scene.say
    box, *_, last = plates(3)
    name = printed_names(scene.names, say)[seat]
    plate = Plate(seat, name, to_move=True, computer=seat in scene.computers)
    room = draw_plate(canvas, box, plate, livery=LIVERY)
    words = say.plural("threatens {n} stone", "threatens {n} stones", endangered)
    if not endangered:
        words = say("takes nothing")
    write_lines(canvas, room.centre, words, COUNTS, (room.width, room.height))
    room = Box(box.right + GAP, box.top, last.right, box.bottom)
    _draw_legend(canvas, scene, seat, room, taking=endangered > 0)


def _draw_legend(canvas: Canvas, scene: Scene, seat: int, room: Box, *, taking: bool) -> None:
    """Draw the meaning of the marks on the field, in two columns; only those of leads if nothing
    can be taken.
    """
    say, other = scene.say, (seat + 1) % scene.view.players
    lines = (
        say("takes that many"),
        say("in danger"),
        say("leads by one"),
        say("leads by two: full"),
    )
    middle = room.left + MARKS
    columns = [Box(room.left, room.top, middle, room.bottom), Box(middle + GAP, *room[1:])]
    if not taking:
        columns = [room]
    places = [cell for column in columns for cell in column.rows(2)]
    shown = range(4) if taking else (2, 3)
    for n, place in zip(shown, places, strict=False):
        x, y, words = place.left + 34, place.centre[1], lines[n]
        if n == 0:
            draw_prize(canvas, FieldGeometry(5, diagonals=False), (x, y), 2)
        elif n == 1:
            canvas.stamp(stone(other, 48), (x, y))
            canvas.ring((x, y), 23)
        else:
            closed = barrier(seat, 60, LARGE, across=True)
            canvas.stamp(pennant(seat, LARGE, down=True) if n == 2 else closed, (x, y))
            if scene.view.options["diagonals"]:
                line = (x + 44, y + 29), (x + 102, y - 29)
                draw_diagonal(canvas, line, seat, 46, closed=n == 3)
                x += 76
        write(canvas, (x + 44, y), words, LEGEND, place.right - x - 44, OAK.ink, "lm")


# --------------------------------------------------------------------------------------- animation
def glides(scene: Scene) -> Iterator[Glide]:
    """Yield the stones that drop into place, and Excalibur if it was placed or moved."""
    field = FieldGeometry.of(scene)
    for fact in scene.facts:
        if fact.kind == "placed":
            at = field.centre(fact.data["square"])
            yield Glide(stone(fact.data["seat"], field.stone), (at,))
        elif fact.kind == "sword_set":
            yield Glide(excalibur(field.sword), (field.centre(fact.data["square"]),))
        elif fact.kind == "sword_moved":
            origin, square = fact.data["origin"], fact.data["square"]
            way = field.centre(origin), field.centre(square)
            yield Glide(excalibur(field.sword), way, field.named(origin))


class LancelotPainter(Painter):
    """Draws the table; there are no hands, because nothing in Lancelot is hidden."""

    kept = (SKY, HILL, MEADOW, MEADOW_SHADE, EMBROIDERY, *PALE)
    palette = Palette.of("lancelot")
    describe = staticmethod(description)
    glides = staticmethod(glides)
    text = staticmethod(listing)

    def draw(self, scene: Scene) -> Canvas:
        """Draw the field, the plates and the last moves; without the lines of these moves while
        squares to choose from are marked.
        """
        view = scene.view
        field = FieldGeometry.of(scene)
        state, news = position_from_view(view), News.of(scene)
        canvas = ground(view.players).copy()
        choosing = bool(scene.legal) and not scene.advised
        if not choosing:
            _draw_captures(canvas, field, news)
        if _many(scene):
            _close(canvas, field, state, scene)
        for square in news.latest:
            canvas.stamp(_bright(field.cell), field.centre(square))
        draw_leads(canvas, field, state, () if choosing else news.latest)
        _draw_pieces(canvas, field, view.public, news)
        _draw_targets(canvas, field, state, scene)
        draw_side(canvas, scene, news)
        caption(canvas, CAPTION, _caption(scene), _status(scene), OAK)
        return canvas

    def close_up(self, scene: Scene, part: int) -> Picture:
        """Draw which stones the seat ``part`` could take with one more stone."""
        png = threats(scene, part).png(self.palette)
        return Picture("lancelot-threats.png", png, warning(scene, part))


def _draw_captures(canvas: Canvas, field: FieldGeometry, news: News) -> None:
    """Gild the lines on which stones were taken, those of earlier turns paler."""
    older = [line for line in news.older if line not in news.lines]
    for line in (*older, *news.lines):
        kind, name = line
        gilt = 0.34 if line in older else 0.55
        if lane := field.lane(kind, name):
            canvas.rect(lane.inset(1), THREAD, opacity=gilt)
            canvas.rect(lane.inset(1), None, GOLD, 2 if line in older else 3)
        else:
            canvas.line(field.line(kind, name), THREAD, field.cell * 0.5, opacity=gilt)


def _draw_pieces(
    canvas: Canvas, field: FieldGeometry, public: Mapping[str, Any], news: News
) -> None:
    board = public["board"]
    for square in news.latest:
        canvas.stamp(corner_ticks(field.cell, field.cell), field.centre(square))
    for square, owner in news.taken.items():
        draw_taken(canvas, field.centre(square), owner, field.stone)
    if news.sword_way:
        canvas.dots([field.centre(square) for square in news.sword_way], GOLD, 4, spacing=14)
    for square, seat in board.items():
        canvas.stamp(stone(seat, field.stone), field.centre(square))
        if square in news.placed:
            weight = 6 if square in news.latest else 4
            canvas.ring(field.centre(square), field.stone / 2 - 1, weight)
    if public["excalibur"]:
        canvas.stamp(excalibur(field.sword), field.centre(public["excalibur"]))


def draw_taken(canvas: Canvas, centre: Point, owner: int, size: int) -> None:
    """Draw a stone that has been taken: pale, with a cross over it. It is on plain paper, because
    on a gilded line its colour would look like another seat's.
    """
    canvas.circle(centre, size / 2 - 1, LIGHT)
    canvas.stamp(token(owner, size), centre, QUIET)
    canvas.cross(centre, size * 0.7, INK, 7)


@cached
def _bright(cell: int) -> Sprite:
    """Return a bright patch for a square of ``cell`` pixels; the cloth shows through it."""
    canvas = Canvas(cell - 2, cell - 2)
    canvas.rect(canvas.box, LIGHT, opacity=0.6)
    canvas.rect(canvas.box, None, LIGHT, 5)
    return canvas.sprite()


def _draw_targets(canvas: Canvas, field: FieldGeometry, state: LancelotState, scene: Scene) -> None:
    """Draw a dot on each legal square or, if a stone there would take others, their number. If many
    squares are legal, draw no dots, because ``_close`` has marked the others. For an advised move,
    draw its stone and the stones that it would take, and everything else pale.
    """
    seat = seat_to_move(scene.view)
    if seat is None or not scene.legal:
        return
    stones, squares = _targets(scene)
    taking = takes(state, seat) if stones else {}
    if scene.advised:
        canvas.rect(field.box, LIGHT, opacity=1 - QUIET)
        _draw_reasons(canvas, field, scene, seat)
        for square in squares:
            _draw_advised(canvas, field, field.centre(square), seat if stones else None)
            for place in taking.get(square, ()):
                at, owner = field.centre(place), scene.view.public["board"][place]
                canvas.stamp(stone(owner, field.stone), at)
                _ring(canvas, at, field.cell * 0.44, seat)
        return
    dots = not _many(scene)
    for square in squares:
        centre = field.centre(square)
        if square in taking:
            draw_prize(canvas, field, centre, len(taking[square]))
        elif dots:
            canvas.circle(centre, max(9.0, field.cell * 0.17), SEATS[seat].colour, LIGHT, 3)


DOTS_AT_MOST = 40
"""If there are more legal squares than this, those that are not legal are marked instead."""


def _many(scene: Scene) -> bool:
    """Return whether the squares that are not legal are marked."""
    return bool(scene.legal) and not scene.advised and len(_targets(scene)[1]) > DOTS_AT_MOST


def _close(canvas: Canvas, field: FieldGeometry, state: LancelotState, scene: Scene) -> None:
    """Cover the squares that are not legal with the cloth of the hem: the empty ones, and all on
    lines that are closed to the seat that has to move.
    """
    legal, public = _targets(scene)[1], scene.view.public
    closed = set(field.lines.names) - {*public["board"], public["excalibur"]}
    for line, seat, lead in led(state):
        if seat == seat_to_move(scene.view) and lead >= LEAD_MAX:
            closed |= {field.lines.names[square] for square in field.lines.squares_of[line]}
    for square in closed - {*legal}:
        canvas.rect(field.named(square).inset(1), BURGUNDY.light, opacity=VEIL)


VEIL = 0.8
"""Opacity of the cloth over a square that is not legal."""


def _draw_advised(canvas: Canvas, field: FieldGeometry, centre: Point, seat: int | None) -> None:
    """Draw the stone of an advised move, or pale Excalibur, on a bright square; a stone also gets a
    golden frame.
    """
    canvas.stamp(_bright(field.cell), centre)
    if seat is None:
        canvas.stamp(excalibur(field.sword), centre, ADVISED)
        return
    canvas.stamp(stone(seat, round(field.stone * 0.9)), centre)
    canvas.frame(Box.at(centre, field.cell + 8), radius=8, weight=8)


ADVISED = 0.75
"""Opacity of Excalibur on the square of an advised move."""


def _draw_reasons(canvas: Canvas, field: FieldGeometry, scene: Scene, seat: int) -> None:
    """Draw, in the seat's colour, the lines that are reasons for an advised move, and the stones it
    threatens on them.
    """
    board = scene.view.public["board"]
    for fact in scene.reasons:
        for each in fact.data.get("lines", ()):
            kind, name = each["line"], each["name"]
            if lane := field.lane(kind, name):
                canvas.rect(lane.inset(1), None, LIGHT, 9)
                canvas.rect(lane.inset(3), None, SEATS[seat].colour, 4)
                continue
            draw_diagonal(canvas, diagonal_of(field, name), seat, field.cell, closed=False)
            for square in board.keys() & set(field.squares(kind, name)):
                canvas.circle(field.centre(square), field.stone / 2, LIGHT)
                canvas.stamp(stone(board[square], field.stone), field.centre(square), QUIET)
    for fact in scene.reasons:
        for each in fact.data.get("lines", ()) if fact.kind == "ripens" else ():
            for square in field.squares(each["line"], each["name"]):
                if board.get(square, seat) != seat:
                    _ring(canvas, field.centre(square), field.cell * 0.44, seat)


def _ring(canvas: Canvas, centre: Point, radius: float, seat: int) -> None:
    """Draw a ring of the seat's colour between two light ones."""
    canvas.circle(centre, radius + 3, outline=LIGHT, width=11)
    canvas.circle(centre, radius, outline=SEATS[seat].colour, width=5)


def _targets(scene: Scene) -> tuple[bool, list[str]]:
    """Return whether the legal moves place stones, and their squares; moves of Excalibur count only
    if there are no others.
    """
    wanted = [move for move in scene.legal if move.startswith(scene.focus)]
    stones = [move for move in wanted if move in FieldGeometry.of(scene).lines.index]
    swords = [move.removeprefix(SWORD) for move in wanted if move.startswith(SWORD)]
    return bool(stones), stones or swords


def _caption(scene: Scene) -> list[str | Said]:
    """Return the table's code, whether diagonals count, and the last moves, with how many stones
    each seat took.
    """
    moves: list[Said] = []
    for seat, events in groupby((event for event in scene.moves if event[0] >= 0), itemgetter(0)):
        taken = sum(
            len(fact.data["squares"])
            for fact in scene.facts
            if fact.kind == "captured" and fact.data["seat"] == seat
        )
        notation = " ".join(move for _, move in events)
        moves.append(Said(seat, notation + (f" ×{taken}" if taken else "")))
    module = scene.say("diagonals") if scene.view.options["diagonals"] else ""
    if not _many(scene):
        return [scene.code, module, *moves]
    return [scene.code, scene.say("dark: not allowed"), scene.say("number: stones taken"), *moves]


def _status(scene: Scene) -> list[Said]:
    """Return who has to move and what to do, or who has won."""
    view, say = scene.view, scene.say
    if view.outcome:
        most = max(view.public["captured"])
        early = most < view.public["goal"]
        words = say.plural("{n} stone taken is the most", "{n} stones taken are the most", most)
        return said_of(view.outcome.winners(), words if early else say(VICTORY))
    seat = seat_to_move(view)
    return [] if seat is None else [Said(seat, say(_STATUS[view.phase]))]


_STATUS = {"turn": TO_MOVE, "sword": N_("places Excalibur"), "stone": N_("places a stone")}


PAINTER = LancelotPainter()
