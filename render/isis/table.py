"""The table: the board with its stones, what has happened, what may happen, the players."""

from __future__ import annotations

from data.texts import N_, Texts
from games.engine import CHANCE
from games.isis import IsisState, position_of
from games.isis.board import PERSONAL, TURN, UNDERWORLD
from render.canvas import Canvas, Sprite
from render.geometry import Point
from render.isis.choice import ChoiceHighlights
from render.isis.ground import ground
from render.isis.look import CAPTION, STONE, TABLE, berth, stand
from render.isis.moments import draw_dangers, draw_moment, draw_victory
from render.isis.news import News
from render.isis.pieces import cobra, jar, lock, lotus
from render.isis.players import draw_players, draw_steps
from render.isis.reasons import draw_reasons
from render.isis.ways import draw_ends, draw_news, draw_ways
from render.isis.words import in_danger, is_drawn, within_reach
from render.names import printed_names
from render.plates import Said, caption
from render.scene import Scene
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
