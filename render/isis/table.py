"""The table: the board with its stones, the last and the possible moves, the players' plates, and,
at the top, how far stones move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from data.texts import N_, Texts
from games.engine import CHANCE, Fact
from games.isis import Isis, IsisState, position_of
from games.isis.board import HEAVEN, PERSONAL, STONES, TURN, UNDERWORLD
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point, rounded
from render.isis.ground import ground
from render.isis.look import (
    CAPTION,
    GILT_SHADE,
    HEADER,
    LIMESTONE,
    LIVERY,
    NIGHT,
    PLATES,
    SMALL_WORDS,
    STAR,
    STEPS,
    STONE,
    TABLE,
    TALL,
    WORDS,
    berth,
    cell,
    stand,
)
from render.isis.moments import draw_dangers, draw_moment
from render.isis.pieces import STAGES, cobra, jar, lock, lotus, stage_sign, throne
from render.isis.ways import (
    ROUND,
    ChoiceHighlights,
    News,
    draw_ends,
    draw_news,
    draw_ways,
    path_points,
)
from render.isis.words import in_danger, is_drawn, personal, thrones_of, within_reach
from render.letters import text_width
from render.names import printed_names
from render.plates import GLOW, Plate, Said, caption, draw_plate
from render.scene import Glide, Scene
from render.theme import INK, LIGHT, LINE, SEAT_SHADES, SEATS, WIDTH, Colour, Type
from render.words import TO_MOVE, VICTORY, seat_to_move


def draw_table(scene: Scene) -> Canvas:
    """Draw the whole picture."""
    position = position_of(scene.view)
    news, choice = News.of(scene), ChoiceHighlights.of(scene, position)
    canvas = ground(awake=bool(news.locked)).copy()
    draw_steps(canvas, position, scene.say)
    threatened = in_danger(scene, position)
    draw_moment(canvas, news, within_reach(scene, position))
    draw_dangers(canvas, threatened)
    if not choice.stones:
        draw_news(canvas, position, news)
    draw_ways(canvas, position, choice)
    _draw_stones(canvas, position, threatened)
    draw_ends(canvas, position, choice)
    draw_reasons(canvas, scene, position)
    draw_players(canvas, position, scene)
    caption(canvas, CAPTION, _caption(scene, position, threatened), _status(scene), TABLE)
    return canvas


# -------------------------------------------------------------------------- stones and marks
def _draw_stones(canvas: Canvas, position: IsisState, threatened: list[int]) -> None:
    """Draw all stones, with serpents around those in danger and locks on those that may not
    move.
    """
    for square in position.neutral:
        canvas.stamp(lotus(STONE), stand(square))
    for seat, square in enumerate(position.personal):
        if square > UNDERWORLD:
            canvas.stamp(jar(seat, position.amulets[seat], STONE), stand(square))
    deck = _deck(position)
    for n, owner in enumerate(deck):
        canvas.stamp(_stone(position, owner), berth(n, len(deck)))
    for square in threatened:
        canvas.stamp(cobra(STONE, jar=square in position.personal), stand(square))
    for x, y in _banned(position):
        canvas.stamp(lock(32), (x - 17, y + 26))


def _stone(position: IsisState, owner: int | None) -> Sprite:
    """Return a seat's own stone; if ``owner`` is None, return a neutral one."""
    return lotus(STONE) if owner is None else jar(owner, position.amulets[owner], STONE)


def _deck(position: IsisState) -> list[int | None]:
    """Return the owners of the stones in the underworld, from left to right; None for a neutral
    stone.
    """
    own = [seat for seat, square in enumerate(position.personal) if square == UNDERWORLD]
    return [*own, *[None] * position.below]


def _banned(position: IsisState) -> list[Point]:
    """Return the centres of the stones that may not be moved now."""
    if position.ban != UNDERWORLD:
        return [stand(position.ban)] if position.ban in position.neutral else []
    deck = _deck(position)
    return [berth(n, len(deck)) for n, owner in enumerate(deck) if owner is None]


# ----------------------------------------------------------------------------- the caption
def _caption(scene: Scene, position: IsisState, threatened: list[int]) -> list[str | Said]:
    """Return the code, the turn, a warning, and the last moves in notation."""
    say, parts = scene.say, [scene.code]
    if scene.legal and not scene.focus:
        parts.append(say("framed: may move"))
    elif scene.view.actors:
        cap = scene.view.options["cap"]
        parts.append(say("turn {n} of {cap}", n=position.turns + 1, cap=cap))
    if threatened:
        parts.append(say("in danger: {squares}", squares=", ".join(map(str, threatened))))
    moves = [Said(seat, notation(move, say)) for seat, move in scene.moves if seat != CHANCE]
    return [*parts, *moves]


def notation(move: str, say: Texts) -> str:
    """Return a move in the form people read: ``14 → 21``."""
    if move.startswith(TURN):
        return say("turns {square} over", square=move.removeprefix(TURN))
    return move.removeprefix(PERSONAL).replace("-", " → ")


def _status(scene: Scene) -> list[Said]:
    """Return who has to move, who has won, or that the match is drawn."""
    view, say = scene.view, scene.say
    if view.outcome:
        if is_drawn(view):
            return [Said(None, say(DRAW))]
        return [Said(view.outcome.winners()[0], say(VICTORY))]
    seat = seat_to_move(view)
    return [] if seat is None else [Said(seat, say(TO_MOVE))]


DRAW = N_("draw")
"""The word in the caption when nobody has won."""


# ----------------------------------------------------------------------------------------- reasons
TROUBLED = frozenset({"endangers", "halts", "hampers"})
"""The kinds of reasons that concern another player's own stone."""


def draw_reasons(canvas: Canvas, scene: Scene, position: IsisState) -> None:
    """Draw a cross on each stone that the advised move locks in; draw a frame around these stones,
    each opponent's own stone that the move hinders, and each throne that it opens or blocks.
    """
    if not scene.advised:
        return
    after, facts = position.clone(), list[Fact]()
    Isis().do(after, position.turn, scene.advised, facts)
    locked = [square for fact in facts if fact.kind == "locked" for square in fact.data["squares"]]
    colour = SEATS[position.turn].colour
    for square in sorted({*locked, *_troubled(scene, position, after)}):
        canvas.rect(cell(square).inset(1), None, LIGHT, 10, radius=10)
        canvas.rect(cell(square).inset(3), None, colour, 6, radius=8)
    for square in locked:
        canvas.cross(stand(square), 48, LIGHT, 10)
        canvas.cross(stand(square), 48, colour, 6)


def _troubled(scene: Scene, position: IsisState, after: IsisState) -> Iterator[int]:
    """Yield the squares that the reasons for the move concern."""
    for fact in scene.reasons:
        seat: int = fact.data.get("seat", position.turn)
        if fact.kind in TROUBLED and position.personal[seat] > UNDERWORLD:
            yield position.personal[seat]
        elif fact.kind == "aims":
            yield from thrones_of(after, seat)
        elif fact.kind == "parries":
            yield from thrones_of(position, seat)


# --------------------------------------------------------------------------------------- animation
def glides(scene: Scene) -> Iterator[Glide]:
    """Yield the stones that glide along their paths, which may lead through the doors of the
    underworld.
    """
    position = position_of(scene.view)
    for fact in scene.facts:
        if fact.kind == "moved":
            seat, path = fact.data["seat"], fact.data["path"]
            own = fact.data["personal"]
            sprite = jar(seat, position.amulets[seat], STONE) if own else lotus(STONE)
            left = deck() if path[0] == UNDERWORLD else cell(path[0])
            yield Glide(sprite, rounded(path_points(path), ROUND), left)


def deck() -> Box:
    """Return the box that all stones together would fill in the underworld."""
    (left, y), (right, _) = berth(0, STONES), berth(STONES - 1, STONES)
    return Box.at(((left + right) / 2, y), right - left + STONE + 12, STONE * TALL + 12)


# ------------------------------------------------------------------------------------------- steps
STAND_WORDS = Type("text", 40)
"""The type for where a stone is, if a plate has more room than ``AMPLE``."""
AMPLE = 300, 100
"""Width and height below the name that a large jar and large words need."""
JAR = 58
"""Width of the jar on a plate with less room."""

HEAD = Box(0, 0, WIDTH, HEADER.bottom + 12)
"""The area above the board: the cartouches with their shadows."""

FOOT = Box(0, PLATES.top - GLOW, WIDTH, PLATES.bottom + GLOW)
"""The area from the board to the caption: the plates with their glow."""


def draw_steps(canvas: Canvas, position: IsisState, say: Texts) -> None:
    """At the top of the picture, draw how far stones move from the underworld and how far in
    play.
    """
    below, in_play = position.steps(UNDERWORLD), position.in_play
    told = (
        (below, say.plural("step from the underworld", "steps from the underworld", below)),
        (in_play, say.plural("step for stones in play", "steps for stones in play", in_play)),
    )
    canvas.inlay(_head(told), HEAD, HEAD)


@cached
def _head(told: tuple[tuple[int, str], ...]) -> Canvas:
    """Return the top of the picture with two cartouches, each with a number and its words."""
    canvas = ground(awake=False).cut(HEAD)
    room = Box(HEADER.left + 148, HEADER.top, HEADER.right, HEADER.bottom)
    words, between = [each for _, each in told], 20
    space = room.width - between - 2 * BESIDE_WORDS
    kind = next(
        (kind for kind in STEP_WORDS if sum(text_width(each, kind) for each in words) <= space),
        STEP_WORDS[-1],
    )
    spare = (space - sum(text_width(each, kind) for each in words)) / 2
    middle = round(room.left + BESIDE_WORDS + text_width(words[0], kind) + spare)
    boxes = Box(*room[:2], middle, room.bottom), Box(middle + between, *room[1:])
    for box, (steps, each), (colour, ink) in zip(
        boxes, told, ((NIGHT, LIGHT), (LIMESTONE, INK)), strict=True
    ):
        _cartouche(canvas, box, str(steps), (each, kind), colour, ink)
    return canvas


BESIDE_WORDS = 106
"""Width of everything in a cartouche besides its words."""
STEP_WORDS = tuple(Type("text", size) for size in (34, 32, 30, 28))


def _cartouche(
    canvas: Canvas, box: Box, steps: str, words: tuple[str, Type], colour: Colour, ink: Colour
) -> None:
    """Draw a ring of gold rope around a number and its words; it is tied at its ends like the
    rings around kings' names.
    """
    canvas.stamp(_rope(round(box.width), round(box.height), colour), box.centre)
    y = box.centre[1]
    canvas.text((box.left + 46, y), steps, STEPS, ink)
    write(canvas, (box.left + 84, y), *words, box.width - BESIDE_WORDS + 4, ink, "lm")


def _rope(width: int, height: int, colour: Colour) -> Sprite:
    """Return a cartouche without words."""
    canvas = Canvas(width + 24, height + 24)
    box, radius = canvas.box.inset(12), height / 2
    canvas.shadow(box, 5, radius=radius, opacity=0.6)
    canvas.rect(box, INK, radius=radius)
    canvas.rect(box.inset(2), STAR, radius=radius - 2)
    canvas.rect(box.inset(5.5), GILT_SHADE, radius=radius - 5.5)
    canvas.rect(box.inset(7), colour, radius=radius - 7)
    for x in (box.left, box.right - 8):
        canvas.rect(Box(x, box.top + 2, x + 8, box.bottom - 2), STAR, INK, 2, radius=2)
    return canvas.sprite()


# ----------------------------------------------------------------------------- the players
@dataclass(frozen=True, slots=True)
class StoneStatus:
    """The status of a seat's own stone, as its plate shows it.

    :param amulet: its amulet; empty if the seat has no stone yet, or no longer has one.
    :param stage: how far it has got, as an index of ``STAGES``; None if the seat does not have a
        stone yet.
    :param words: where it is, or the place it has won, in words.
    :param short: the same in fewer words, for a plate with less room.
    """

    amulet: str
    stage: int | None
    words: str
    short: str


def draw_players(canvas: Canvas, position: IsisState, scene: Scene) -> None:
    """Draw a plate for each seat, with its jar and how far its stone has got."""
    view = scene.view
    names = printed_names(scene.names, scene.say)
    drawn = view.outcome is not None and is_drawn(view)
    winners = () if view.outcome is None or drawn else view.outcome.winners()
    lit = range(view.players) if drawn else view.actors
    told = tuple(
        (
            Plate(seat, names[seat], seat in lit, seat in scene.computers, seat in winners),
            _standing(position, seat, scene.say),
        )
        for seat in range(view.players)
    )
    canvas.inlay(_plates(told), FOOT, FOOT)


@cached
def _plates(told: tuple[tuple[Plate, StoneStatus], ...]) -> Canvas:
    """Return the strip below the board with all plates. It is cached, because a picture of a choice
    shows the same strip as the board before it.
    """
    canvas = ground(awake=False).cut(FOOT)
    row = PLATES.moved(0, -FOOT.top)
    columns = row.columns(len(told), gap=14)
    rooms = [
        draw_plate(canvas, box, plate, livery=LIVERY)
        for (plate, _), box in zip(told, columns, strict=True)
    ]
    # If one stone needs the short words, all have them.
    short = any(
        text_width(standing.words, WORDS) > room.width - _stone_size(room) - BESIDE_STONE
        for (_, standing), room in zip(told, rooms, strict=True)
    )
    for (plate, standing), room in zip(told, rooms, strict=True):
        _draw_standing(canvas, room, plate.seat, standing, short=short)
    return canvas


BESIDE_STONE = 18
"""Distance between a stone on a plate and its words."""


def _ample(room: Box) -> bool:
    """Return whether a plate has room for a large stone and large words."""
    return room.height > AMPLE[1] and room.width > AMPLE[0]


def _stone_size(room: Box) -> int:
    """Return the size of the stone on a plate."""
    return round(room.height / TALL) if _ample(room) else JAR


def _draw_standing(
    canvas: Canvas, room: Box, seat: int, standing: StoneStatus, *, short: bool
) -> None:
    """Draw the seat's own stone, unpainted until it has been won, and how far it has got. Once it
    has taken a throne and become neutral, draw a throne in its place.
    """
    size, amulet = _stone_size(room), standing.amulet
    at = room.left + size / 2, room.centre[1]
    on_throne = standing.stage == STAGES.index("throne") and not amulet
    canvas.stamp(throne(size) if on_throne else jar(seat, amulet, size, bare=not amulet), at)
    left = room.left + size + BESIDE_STONE
    width = room.right - left
    kinds = [STAND_WORDS, WORDS, SMALL_WORDS][not _ample(room) :]
    said = standing.short if short else standing.words
    upper, lower = Box(left, *room[1:]).rows(2)
    write(canvas, (left, upper.centre[1]), said, kinds, width, INK, "lm")
    _draw_journey(canvas, lower, seat, standing.stage)


def _standing(position: IsisState, seat: int, say: Texts) -> StoneStatus:
    square, words = position.personal[seat], personal(position, seat, say)
    short = say("no stone")
    if seat in position.placed:
        short = words
    elif position.turned[seat]:
        short = say("underworld") if square == UNDERWORLD else say("square {n}", n=square)
    return StoneStatus(position.amulets[seat], _stage(position, seat), words, short)


def _draw_journey(canvas: Canvas, room: Box, seat: int, stage: int | None) -> None:
    """Draw a road through four stages (underworld, earth, heaven, throne), in the seat's colour as
    far as its stone has got, with the sign of the stage it has reached.
    """
    step = min(136.0, (room.width - 48) / 3)
    left, y = room.left + 24, room.centre[1]
    canvas.line([(left, y), (left + 3 * step, y)], LINE, 10)
    for n in range(len(STAGES)):
        canvas.circle((left + n * step, y), 9, LINE)
    if stage is not None:
        end = left + stage * step, y
        canvas.line([(left, y), end], SEAT_SHADES[seat], 10)
        canvas.stamp(stage_sign(STAGES[stage]), end)


def _stage(position: IsisState, seat: int) -> int | None:
    """Return how far a seat's stone has got, as an index of ``STAGES``; None if the seat does not
    have one yet.
    """
    if seat in position.placed:
        return 3
    if not position.turned[seat]:
        return None
    square = position.personal[seat]
    return 0 if square == UNDERWORLD else 2 if square in HEAVEN else 1
