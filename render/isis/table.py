"""The table: the board with its stones, what has happened, what may happen, the players."""

from __future__ import annotations

from collections.abc import Iterator

from data.texts import N_, Texts
from games.engine import CHANCE, Fact
from games.isis import Isis, IsisState, position_of
from games.isis.board import PERSONAL, STONES, TURN, UNDERWORLD
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point, rounded
from render.isis.ground import ground
from render.isis.look import CAPTION, STONE, TABLE, TALL, berth, cell, stand
from render.isis.moments import draw_dangers, draw_moment, draw_victory
from render.isis.pieces import cobra, jar, lock, lotus
from render.isis.players import draw_players, draw_steps
from render.isis.ways import (
    ROUND,
    ChoiceHighlights,
    News,
    draw_ends,
    draw_news,
    draw_ways,
    path_points,
)
from render.isis.words import in_danger, is_drawn, thrones_of, within_reach
from render.names import printed_names
from render.plates import Said, caption
from render.scene import Glide, Scene
from render.theme import LIGHT, SEATS
from render.words import TO_MOVE, VICTORY, seat_to_move


def draw_table(scene: Scene) -> Canvas:
    """The whole picture."""
    position = position_of(scene.view)
    news, choice = News.of(scene), ChoiceHighlights.of(scene, position)
    canvas = ground(awake=bool(news.locked)).copy()
    draw_steps(canvas, position, scene.say)
    threatened = in_danger(scene, position)
    draw_moment(canvas, news, within_reach(scene, position))
    draw_dangers(canvas, threatened)
    draw_news(canvas, position, news)
    draw_ways(canvas, position, choice)
    _draw_stones(canvas, position, threatened)
    draw_ends(canvas, position, choice)
    draw_reasons(canvas, scene, position)
    if scene.view.outcome and position.placed:
        winner = position.placed[0]
        name = printed_names(scene.names, scene.say)[winner]
        draw_victory(canvas, winner, position.amulets[winner], name)
    draw_players(canvas, position, scene)
    caption(canvas, CAPTION, _caption(scene, position, threatened), _status(scene), TABLE)
    return canvas


# -------------------------------------------------------------------------- stones and marks
def _draw_stones(canvas: Canvas, position: IsisState, threatened: list[int]) -> None:
    """All stones, serpents round those in danger, locks on those that are banned."""
    for square in position.neutral:
        canvas.stamp(lotus(STONE), stand(square))
    for seat, square in enumerate(position.personal):
        if square > UNDERWORLD:
            canvas.stamp(jar(seat, position.amulets[seat], STONE), stand(square))
    deck = _deck(position)
    for n, owner in enumerate(deck):
        canvas.stamp(_stone(position, owner), berth(n, len(deck)))
    for square in threatened:
        canvas.stamp(cobra(STONE), stand(square))
    for x, y in _banned(position):
        canvas.stamp(lock(32), (x - 17, y + 26))


def _stone(position: IsisState, owner: int | None) -> Sprite:
    """A neutral stone, or the personal stone of a seat."""
    return lotus(STONE) if owner is None else jar(owner, position.amulets[owner], STONE)


def _deck(position: IsisState) -> list[int | None]:
    """The owners of the stones in the underworld, from left to right."""
    own = [seat for seat, square in enumerate(position.personal) if square == UNDERWORLD]
    return [*own, *[None] * position.below]


def _banned(position: IsisState) -> list[Point]:
    """Where the stones stand that may not be moved now."""
    if position.ban != UNDERWORLD:
        return [stand(position.ban)] if position.ban in position.neutral else []
    deck = _deck(position)
    return [berth(n, len(deck)) for n, owner in enumerate(deck) if owner is None]


# ----------------------------------------------------------------------------- the caption
def _caption(scene: Scene, position: IsisState, threatened: list[int]) -> list[str | Said]:
    """Code, turn, a warning, and the last moves in notation."""
    say, parts = scene.say, [scene.code]
    if scene.view.actors:
        cap = scene.view.options["cap"]
        parts.append(say("turn {n} of {cap}", n=position.turns + 1, cap=cap))
    if threatened:
        parts.append(say("in danger: {squares}", squares=", ".join(map(str, threatened))))
    moves = [Said(seat, notation(move, say)) for seat, move in scene.moves if seat != CHANCE]
    return [*parts, *moves]


def notation(move: str, say: Texts) -> str:
    """A move as people read it: ``14 → 21``."""
    if move.startswith(TURN):
        return say("turns {square} over", square=move.removeprefix(TURN))
    return move.removeprefix(PERSONAL).replace("-", " → ")


def _status(scene: Scene) -> list[Said]:
    """Who is to move, who has won, or that no one has."""
    view, say = scene.view, scene.say
    if view.outcome:
        if is_drawn(view):
            return [Said(None, say(DRAW))]
        return [Said(view.outcome.winners()[0], say(VICTORY))]
    seat = seat_to_move(view)
    return [] if seat is None else [Said(seat, say(TO_MOVE))]


DRAW = N_("draw")
"""Stands in the caption when no one has won."""


# ----------------------------------------------------------------------------------------- reasons
TROUBLED = frozenset({"endangers", "halts", "hampers"})
"""Reasons that are about the own stone of another seat."""


def draw_reasons(canvas: Canvas, scene: Scene, position: IsisState) -> None:
    """A cross on each stone that the move locks in; frames around the stones of others that it
    troubles, and around the thrones that it opens or bars.
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
    """The squares that the reasons of the move are about."""
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
    """A stone walks its way, through the doors of the underworld as well."""
    position = position_of(scene.view)
    for fact in scene.facts:
        if fact.kind == "moved":
            seat, path = fact.data["seat"], fact.data["path"]
            own = fact.data["personal"]
            sprite = jar(seat, position.amulets[seat], STONE) if own else lotus(STONE)
            left = deck() if path[0] == UNDERWORLD else cell(path[0])
            yield Glide(sprite, rounded(path_points(path), ROUND), left)


def deck() -> Box:
    """Where the stones in the underworld stand."""
    (left, y), (right, _) = berth(0, STONES), berth(STONES - 1, STONES)
    return Box.at(((left + right) / 2, y), right - left + STONE + 12, STONE * TALL + 12)
