"""The input and output of painters: ``Scene`` in, ``Picture`` out."""

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
"""The maximum number of characters in the description of a picture."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a painter may know.

    :param view: what the viewer knows; if its viewer is None, what a spectator knows.
    :param names: one per seat, as people typed them; painters clean and shorten them.
    :param say: translates the words in the picture and in its description.
    :param code: the code of the table, for the caption (``"K7Q2"``).
    :param facts: the events since the last picture, limited to what this viewer may know.
    :param moves: the moves since the last picture, as (seat, move as this viewer saw it).
    :param focus: the beginning of the move being chosen (``"14-"``); the picture shows how it can
        end.
    :param legal: the legal moves, if the picture should show them.
    :param computers: the seats of computer players.
    :param reasons: the reasons for an advised move, in which case ``focus`` is the whole move.
    :param shown: whether the private picture is seen by people other than its owner.
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
        """The advised move; empty if there is none."""
        return self.focus if self.legal == (self.focus,) else ""


@dataclass(frozen=True, slots=True)
class Glide:
    """A piece that has just moved, so that an animation can show it on its way.

    :param way: the path that its centre takes, with all corners. If it is a single point, the piece
        drops into place from just above.
    :param left: the box that the piece left, where the board now looks as it does without the
        piece; None: the piece came from outside.
    """

    sprite: Sprite
    way: Sequence[Point]
    left: Box | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture.

    :param name: file name in ASCII (``"lancelot.png"``).
    :param png: the file, with a palette and no transparency, as ``Canvas.png`` makes it.
    :param alt: what the picture shows, in words, at most ``ALT_LIMIT`` characters: a single line
        without formatting, whatever people's names contain.
    :param glides: on a board, the pieces that moved in the facts of its scene.
    """

    name: str
    png: bytes
    alt: str
    glides: tuple[Glide, ...] = field(default=(), repr=False, compare=False)


def first_fitting(descriptions: Iterable[str], say: Texts, limit: int = ALT_LIMIT) -> str:
    """Return the first description within the limit; pass descriptions from the longest to the
    shortest.

    If even the last one is too long, keep as many of its sentences as fit, and say where to read
    the rest.
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
    """Return a sentence that says where to read the rest of a long description."""
    return say("The rest is under “{button}”.", button=say("As text"))


class Painter(ABC):
    """Draws one game. All methods are pure and thread-safe."""

    palette: Palette
    """The colours of all pictures except the one at the end of a match."""

    kept: tuple[Colour, ...] = ()
    """The colours of large flat areas; the palette must contain them exactly."""

    @abstractmethod
    def draw(self, scene: Scene) -> Canvas:
        """Draw the board for the whole table, using nothing but ``scene.view.public``."""

    @abstractmethod
    def describe(self, scene: Scene) -> str:
        """Describe the board in words, in at most ``ALT_LIMIT`` characters."""

    def glides(self, scene: Scene) -> Iterator[Glide]:
        """Yield the pieces that moved in ``scene.facts``."""
        yield from ()

    def board(self, scene: Scene) -> Picture:
        """Return the picture for the whole table: byte for byte the same for all viewers and in
        every process. It is 1200 pixels wide, 675 to 1800 high, and at most 150 KiB.
        """
        png = self.draw(scene).png(self.palette)
        moved = tuple(self.glides(scene))
        return Picture(f"{scene.view.game}.png", png, self.describe(scene), moved)

    def hand(self, scene: Scene) -> Picture | None:
        """Return the private picture for ``scene.view.viewer``; None if the game has no secrets, or
        if the viewer has none at the moment.
        """
        return None

    def lies_open(self, view: View) -> bool:
        """Return whether the board already shows everything that the private picture would show."""
        return False

    def held(self, view: View) -> Any:
        """Return as plain data what the private picture shows. A picture that has been posted is
        drawn again only when these data, or the question to its owner, change; moves of others do
        not matter.
        """
        return view.private

    def close_up(self, scene: Scene, part: int) -> Picture | None:
        """Return a closer look at a part of the table: a seat's area, what a seat could take, or
        another part, numbered by the game; None if the board already shows everything. It is drawn
        from nothing but ``scene.view.public``.
        """
        return None

    def results(self, scene: Scene) -> list[Picture]:
        """Return extra pictures for ``scene.facts``: an account for each fact of a kind listed in
        ``GameInfo.accounts``.
        """
        return []

    @abstractmethod
    def text(self, scene: Scene) -> str:
        """Return the whole position as plain text of any length, for a monospaced font, with the
        table's code and the names of all players.
        """
