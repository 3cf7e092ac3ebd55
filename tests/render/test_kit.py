"""The drawing kit: positions of places, descriptions of pieces, and legible text."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

import pytest
from PIL import Image

from data.texts import LANGUAGES, texts
from games.engine import Outcome, View
from render.animation import AS_BEFORE
from render.geometry import Box
from render.kit import (
    BoardSurface,
    Grid,
    Hexes,
    KitPainter,
    Laid,
    Piece,
    PlayingCard,
    Sheet,
    Spread,
    Track,
)
from render.kit.painter import ends_at
from render.plates import PAPER
from render.scene import ALT_LIMIT, Scene
from tafelrunde.testing.pictures import NASTY, check_board, check_description, check_text
from tests.render.test_contrast import all_is_read

BOX = Box(32, 92, 800, 784)
NAMES = ("Anna", "Ben", "Clara", "Dörte", "Emil")
SURFACES = {
    "small grid": Grid(3, 3),
    "large grid": Grid(19, 19),
    "wide grid": Grid(26, 2),
    "hexes": Hexes(9, 7),
    "one hex": Hexes(1, 1),
    "track": Track(tuple(str(n) for n in range(1, 64))),
    "short track": Track(("A", "B")),
}


@dataclass
class Drawn(KitPainter):
    """Draws the given items."""

    lies: Spread
    cards: list[PlayingCard] = field(default_factory=list)
    sheet: Sheet | None = None
    title: ClassVar[str] = "Quire"  # type: ignore[misc]

    def spread(self, scene: Scene) -> Spread:
        return self.lies

    def held_cards(self, scene: Scene) -> list[PlayingCard] | None:
        return self.cards or None

    def account(self, scene: Scene) -> Sheet | None:
        return self.sheet

    __hash__ = KitPainter.__hash__


def scene(players: int = 2, **changes: Any) -> Scene:
    """A scene in which the first seat moves next."""
    view = View("quire", players, {}, None, 4, 1, "play", (0,), None, {}, {})
    return replace(Scene(view, NAMES[:players], texts("en"), "K7Q2"), **changes)


@pytest.mark.parametrize("name", SURFACES)
def test_every_place_has_room_of_its_own(name: str) -> None:
    surface = SURFACES[name]
    room = surface.room(BOX)
    centres = [surface.centre(place, BOX) for place in surface.places]
    assert len(set(surface.places)) == len(centres)
    for n, (x, y) in enumerate(centres):
        assert BOX.left <= x - room / 2 <= x + room / 2 <= BOX.right
        assert BOX.top <= y - room / 2 <= y + room / 2 <= BOX.bottom
        for u, v in centres[:n]:
            assert (x - u) ** 2 + (y - v) ** 2 >= room**2


@pytest.mark.parametrize("name", SURFACES)
def test_a_surface_is_drawn_and_described(name: str) -> None:
    surface = SURFACES[name]
    pieces = [
        Piece(place, n % 3) if n % 4 else Piece(place, label=str(n % 100))
        for n, place in enumerate(surface.places)
    ]
    painter = Drawn(Spread(surface, pieces, notes={0: ["7 points"]}))
    with all_is_read():
        picture = check_board(painter, scene(3))
    assert "Anna (blue triangle): " in picture.alt
    assert "7 points" in picture.alt
    written = painter.text(scene(3))
    for piece in pieces:
        assert piece.character in written
    check_text(painter, scene(3))


def test_rows_of_a_grid_are_in_reading_order() -> None:
    lines = Grid(3, 2).text({"a1": "x", "c2": "o"})
    assert lines == [" 2 · · o", " 1 x · ·", "   A B C"]


def test_consecutive_fields_of_a_track_are_adjacent() -> None:
    track = Track(tuple(str(n) for n in range(40)))
    side = track.room(BOX) / 0.56
    way = [track.centre(place, BOX) for place in track.places]
    for (x, y), (u, v) in pairwise(way):
        assert abs(x - u) + abs(y - v) == pytest.approx(side)


@pytest.mark.parametrize(
    ("move", "place", "ends"),
    [("b2", "b2", True), ("a1-b2", "b2", True), ("a1-b2", "a1", False), ("12", "2", False)],
)
def test_where_a_move_ends(move: str, place: str, ends: bool) -> None:
    assert ends_at(move, place) is ends


def test_the_last_and_the_legal_moves_are_marked() -> None:
    painter = Drawn(Spread(Grid(3, 3), [Piece("b2", 0)]))
    plain = painter.board(scene())
    assert painter.board(scene(moves=((0, "b2"),))).png != plain.png
    assert painter.board(scene(legal=("a1",))).png != plain.png
    assert painter.board(scene(legal=("a1",), focus="b")).png == plain.png


@pytest.mark.parametrize("count", [1, 5, 12, 30])
def test_cards_in_rows_and_hands_are_described(count: int) -> None:
    cards = [PlayingCard(str(n), seat=n % 2) for n in range(count)]
    painter = Drawn(Spread(rows=[Laid("Trick", cards), Laid("Stock", [PlayingCard()])]), cards)
    alt = check_board(painter, scene()).alt
    assert f"{count - 1} ({NAMES[(count - 1) % 2]})" in alt
    assert "Stock: face down." in alt
    hand = painter.hand(scene())
    assert hand is not None
    check_description(hand)
    assert "You hold: 0 (Anna)" in hand.alt
    assert Image.open(io.BytesIO(hand.png)).width == 1200


def test_an_account_names_everyone() -> None:
    sheet = Sheet("Tricks", ["Now", "In all"], [["1", "3"], ["0", "5"]])
    painter = Drawn(Spread(), sheet=sheet)
    (account,) = painter.results(scene())
    assert account.alt == "Tricks: Anna: Now 1, In all 3. Ben: Now 0, In all 5."
    assert Drawn(Spread()).results(scene()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_and_no_number_of_pieces_breaks_a_description(language: str) -> None:
    """If the words for all pieces do not fit, the description does without them and keeps within
    the limit.
    """
    pieces = [Piece(place, 0, words="a very large dragon") for place in Grid(9, 9).places]
    over = replace(scene(5).view, actors=(), outcome=Outcome((1, 2, 2, 2, 2), (1.0,) * 5, "x"))
    told = scene(5, names=NASTY, say=texts(language), view=over)
    picture = check_board(Drawn(Spread(Grid(9, 9), pieces)), told)
    assert "dragon" not in picture.alt
    assert len(picture.alt) < ALT_LIMIT


def test_a_painter_has_a_ground_of_its_own() -> None:
    painter = Drawn(Spread(Grid(3, 3)))
    painter.ground = PAPER
    assert check_board(painter, scene()).png != Drawn(Spread(Grid(3, 3))).board(scene()).png


def test_colours_of_a_game_leave_room_for_unchanged_pixels() -> None:
    """Animations need an index that no colour has."""
    painter = Drawn(Spread(Grid(3, 3)))
    painter.kept = tuple(f"#40{n:02x}80" for n in range(60))
    assert len(painter.palette.colours) <= AS_BEFORE
    assert {*painter.kept} <= {*painter.palette.colours}


def test_a_surface_is_abstract() -> None:
    with pytest.raises(TypeError):
        BoardSurface()  # type: ignore[abstract]


def test_a_hand_is_written_for_its_owner_alone() -> None:
    painter = Drawn(Spread(), [PlayingCard("7"), PlayingCard("12")])
    shown = scene()
    assert "You hold" not in painter.text(shown)
    own = replace(shown, view=replace(shown.view, viewer=0))
    assert painter.text(own) == f"{painter.text(shown)}\nYou hold: 7, 12."
