"""What a picture is drawn from and what comes out: ``Scene`` in, ``Picture`` out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from data.texts import Texts
from games.engine import Fact, View
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point
from render.theme import Colour, Palette

ALT_LIMIT = 1024
"""Longest description of a picture in characters."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a painter may know.

    :param view: what the one who looks may know (viewer None: a spectator).
    :param names: one per seat, as people typed them; painters clean and shorten them.
    :param say: the language of the words in the picture and of its description.
    :param code: short code of the table for the caption (``"K7Q2"``).
    :param facts: what happened since the last picture, as far as this viewer may know it.
    :param moves: the events since the last picture as (seat, move as this viewer saw it).
    :param focus: beginning of a move that is being chosen (``"14-"``): show how it may go on.
    :param legal: legal moves to be shown on demand.
    :param computers: the seats of computer players.
    :param reasons: what speaks for a move that is advised: the whole of ``focus``.
    :param shown: a private picture is looked at by others than its owner.
    """

    view: View
    names: tuple[str, ...]
    say: Texts
    code: str = ""
    facts: tuple[Fact, ...] = ()
    moves: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    focus: str = field(default="", repr=False)
    legal: tuple[str, ...] = field(default=(), repr=False)
    computers: frozenset[int] = frozenset()
    reasons: tuple[Fact, ...] = field(default=(), repr=False)
    shown: bool = False

    @property
    def advised(self) -> str:
        """The move that is advised; empty: none is."""
        return self.focus if self.legal == (self.focus,) else ""


@dataclass(frozen=True, slots=True)
class Glide:
    """A piece that has just moved: an animation shows it on its way.

    :param way: from where its middle was to where it is, corners included. A single point: the
        piece falls into its place from just above.
    :param left: what the piece has left, to be shown as it is without it; None: it came from
        outside.
    """

    sprite: Sprite
    way: Sequence[Point]
    left: Box | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture.

    :param name: file name in ASCII (``"lancelot.png"``).
    :param png: with a palette and no transparency, as ``Canvas.png`` makes it.
    :param alt: the whole position in words, at most ``ALT_LIMIT`` characters: one plain line in
        which nothing formats, whatever people are called.
    :param glides: of a board: the pieces that the facts of its scene have moved.
    """

    name: str
    png: bytes
    alt: str
    glides: tuple[Glide, ...] = field(default=(), repr=False, compare=False)


def first_fitting(descriptions: Iterable[str], say: Texts, limit: int = ALT_LIMIT) -> str:
    """The first description within the limit; give them from the fullest to the tersest.

    If even the last one is too long, as many of its sentences are left as fit, and it is said where
    the rest stands.
    """
    text = ""
    for text in descriptions:
        if len(text) <= limit:
            return text
    rest = rest_as_text(say)
    room = text[: limit - len(rest)]
    end = room.rfind(". ") + 1
    return f"{room[:end]} {rest}" if end else f"{room[:-2]}… {rest}"


def rest_as_text(say: Texts) -> str:
    """Where everything stands that a description has no room for."""
    return say("The rest stands under “{button}”.", button=say("As text"))


class Painter(ABC):
    """Draws one game. All methods are pure and may run in several threads at once."""

    palette: Palette
    """The colours of all pictures but that of the end."""

    kept: tuple[Colour, ...] = ()
    """Colours of broad flat surfaces, which the palette must have exactly."""

    @abstractmethod
    def draw(self, scene: Scene) -> Canvas:
        """The board for the whole table: drawn from ``scene.view.public`` only."""

    @abstractmethod
    def describe(self, scene: Scene) -> str:
        """The board in words, at most ``ALT_LIMIT`` characters."""

    def glides(self, scene: Scene) -> Iterator[Glide]:
        """The pieces that ``scene.facts`` have moved."""
        yield from ()

    def board(self, scene: Scene) -> Picture:
        """The picture for the whole table: the same for all viewers, to the byte, in every process.
        1200 pixels wide, 675 to 1800 high, at most 150 KiB.
        """
        png = self.draw(scene).png(self.palette)
        moved = tuple(self.glides(scene))
        return Picture(f"{scene.view.game}.png", png, self.describe(scene), moved)

    def hand(self, scene: Scene) -> Picture | None:
        """The picture for ``scene.view.viewer`` alone; None if the game has no secrets, or while
        there is nothing that only they see.
        """
        return None

    def lies_open(self, view: View) -> bool:
        """Whether the board shows all that the private picture would."""
        return False

    def held(self, view: View) -> Any:
        """What the private picture is about, as plain data: one that stands already is drawn anew
        only when this changes, or what its owner is asked, not with every move of the others.
        """
        return view.private

    def close_up(self, scene: Scene, part: int) -> Picture | None:
        """One part of the table, larger than the board shows it: what lies before a seat, or
        whatever else the game numbers; None if the board shows all there is. Drawn from
        ``scene.view.public`` only.
        """
        return None

    def results(self, scene: Scene) -> list[Picture]:
        """Further pictures that ``scene.facts`` call for: an account for each kind of fact that
        ``GameInfo.accounts`` names.
        """
        return []

    @abstractmethod
    def text(self, scene: Scene) -> str:
        """The full position as plain text of any length, for a monospaced font. It names the code
        of the table and every player.
        """
