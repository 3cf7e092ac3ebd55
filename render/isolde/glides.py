"""What moves on the boards of Isolde."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from render.geometry import Box, Point
from render.isolde.ground import tracks
from render.isolde.standings import Advance, BoardView, moved, on_lap, unmoved
from render.isolde.tracks import BoardTrack, piece
from render.scene import Glide, Scene


def glides(scene: Scene) -> Iterator[Glide]:
    """Pieces go around the paintings, field by field."""
    boards = scene.view.public["boards"]
    placed = tracks(tuple(boards))
    steps: dict[tuple[str, int], list[Advance]] = {}
    for step in moved(scene.facts):
        steps.setdefault((step.board, step.colour), []).append(step)
    for (board, colour), made in steps.items():
        track, here = placed[board], boards[board]
        if here["positions"][colour] == made[-1].field:  # else the board has started anew
            first = made[0].origin
            passed = chain.from_iterable(range(step.origin + 1, step.field) for step in made)
            way = [_start(track, here, colour, first)]
            way += [track.places(on_lap(field)[1], 1)[0] for field in passed]
            way.append(_end(track, here, colour))
            yield Glide(piece(colour, track.disc), way, _left(track, here, first))


def _start(track: BoardTrack, here: BoardView, colour: int, field: int) -> Point:
    """Where a piece stood."""
    if field:
        return track.places(on_lap(field)[1], 1)[0]
    before = sorted([*unmoved(here), colour])
    return track.waiting(here, len(before))[before.index(colour)]


def _end(track: BoardTrack, here: BoardView, colour: int) -> Point:
    """Where it stands on its stack."""
    field = on_lap(here["positions"][colour])[1]
    stack = _stack(here, field)
    return track.places(field, len(stack))[stack.index(colour)]


def _stack(here: BoardView, field: int) -> list[int]:
    """The colours on a field, the lowest first."""
    return [c for c in reversed(here["order"]) if on_lap(here["positions"][c])[1] == field]


def _left(track: BoardTrack, here: BoardView, field: int) -> Box:
    """A field with the stack that was on it; the lower edge of the painting."""
    if not field:
        yard = track.yard
        return Box(yard.left, yard.bottom - track.cell, yard.right, yard.bottom)
    field = on_lap(field)[1]
    cell, (x, y) = track.cell_of(field), track.inwards(field)
    reach = track.reach(1 + len(_stack(here, field)))
    beyond = cell.moved(x * reach, y * reach)
    return Box(
        min(cell.left, beyond.left),
        min(cell.top, beyond.top),
        max(cell.right, beyond.right),
        max(cell.bottom, beyond.bottom),
    )
