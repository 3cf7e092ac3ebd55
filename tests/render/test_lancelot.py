"""Lancelot's words say the whole position, and its picture marks what happened."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from data.texts import texts
from games import GAMES
from games.engine import Match, View
from render import PAINTERS
from render.lancelot import BOARD, Field
from render.scene import ALT_LIMIT, Scene
from render.theme import LIGHT
from tests.render.scenes import Case, cases, played, scene_at

PAINTER = PAINTERS["lancelot"]
LAST = [case for case in cases("lancelot") if all(on for _, on in case.options)]


def stones_in(alt: str, players: int) -> dict[str, int]:
    """Read the stones back from a description, listed square by square or gathered by column."""
    looks = ("blue triangle", "vermilion disc", "green square", "yellow diamond", "purple cross")
    board: dict[str, int] = {}
    for seat, look in enumerate(looks[:players]):
        found = re.search(rf"\({look}\): [^;]*; (?:no stones on the field|stones ([^.]*))\.", alt)
        assert found, f"{look} is missing in {alt!r}"
        for word in (found[1] or "").replace(", ", " ").split():
            board |= {f"{word[0]}{row}": seat for row in word[1:].split(",")}
    return board


@pytest.mark.parametrize("case", cases("lancelot"), ids=str)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
def test_the_description_names_every_stone(case: Case, share: float) -> None:
    """Read back, the words give the board; they also say Excalibur's square and all counts."""
    scene = scene_at(case, share)
    public = scene.view.public
    alt = PAINTER.board(scene).alt
    assert stones_in(alt, case.players) == public["board"]
    assert (f"Excalibur stands on {public['excalibur']}." in alt) == (
        public["excalibur"] is not None
    )
    for seat in range(case.players):
        assert f"{public['captured'][seat]} taken, {public['stock'][seat]} in stock" in alt
    assert alt.count("King's power unused") == sum(public["power"])


def crowded(players: int, language: str) -> Scene:
    """All stones on the field and the longest names: more words than any match needs."""
    view = played(Case("lancelot", players, (("king", True),))).view(None)
    field = Field.of(view.public)
    columns = "ABCDEFGHIJKLMN"[field.column :][: field.size]
    squares = [f"{c}{field.row + r + 1}" for r in range(field.size) for c in columns]
    board = {square: n % players for n, square in enumerate(squares[: 30 * players])}
    public = {**view.public, "board": board, "power": [True] * players, "stock": [30] * players}
    full = replace(view, public=public, outcome=None, phase="turn")
    return Scene(full, ("Wolfgang-Maximilian von Hohenlohe",) * players, texts(language), "K7Q2")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("language", ["en", "de"])
def test_even_the_fullest_board_fits_the_limit(players: int, language: str) -> None:
    """The words are gathered, not cut: each stone is still there, next to its row's number."""
    scene = crowded(players, language)
    alt = PAINTER.board(scene).alt
    assert len(alt) <= ALT_LIMIT
    assert "…." not in alt
    assert not alt.endswith("…")
    gathered = [re.findall(r"[A-N][0-9,]+", side) for side in alt.split(": ")[-players:]]
    named = {
        f"{word[0]}{row}": seat
        for seat, words in enumerate(gathered)
        for word in words
        for row in word[1:].strip(",").split(",")
    }
    assert named.items() >= scene.view.public["board"].items()


@pytest.mark.parametrize(
    ("phase", "words"),
    [("sword", "is to set Excalibur"), ("turn", "is to move"), ("stone", "is to place a stone")],
)
def test_the_description_says_what_is_due(phase: str, words: str) -> None:
    """Each phase has its own sentence, with the name of who decides."""
    scene = scene_at(Case("lancelot", 3, (("king", True),)), 0.3)
    alt = PAINTER.board(replace(scene, view=replace(scene.view, phase=phase))).alt
    sentence = next(s for s in alt.split(". ") if words in s)
    assert sentence.startswith(scene.names[scene.view.public["turn"]])


def test_the_description_names_the_winner() -> None:
    """At the end the first sentence after the table is about who has won."""
    for seed in "123456":
        scene = scene_at(Case("lancelot", 2, (), seed), 1.0)
        assert scene.view.outcome
        winners = scene.view.outcome.winners()
        alt = PAINTER.board(scene).alt
        if len(winners) == 1:
            assert f"{scene.names[winners[0]]} has won." in alt, seed
        else:
            assert "Shared victory: Anna and Bernhard von Löwenstein." in alt, seed


def test_german_words_are_german() -> None:
    """No sentence of the description stays English."""
    scene = scene_at(Case("lancelot", 2, (("king", True),)), 0.5, language="de")
    alt = PAINTER.board(scene).alt
    for word in ("stone", "taken", "stock", "move", "Field"):
        assert word not in alt, alt


def _pixel(scene: Scene, square: str, dx: float, dy: float) -> tuple[int, ...]:
    """A pixel of the picture, by its offset from the middle of a square in squares' widths."""
    image = Image.open(io.BytesIO(PAINTER.board(scene).png)).convert("RGB")
    field = Field.of(scene.view.public)
    x, y = field.centre(square)
    value = image.getpixel((int(x + dx * field.cell), int(y + dy * field.cell)))
    assert isinstance(value, tuple)
    return value


def test_the_square_of_the_last_stone_shines() -> None:
    """It is the only bright one."""
    match = Match(GAMES["lancelot"], GAMES["lancelot"].setup(2, {"starter": "1"}))
    match.play(0, ["E5"])
    match.play(1, ["H8"])
    ((_, move, facts),) = match.history(None, 1)
    scene = Scene(
        match.view(None), ("A", "B"), texts("en"), facts=tuple(facts), moves=((1, str(move)),)
    )
    light = tuple(int(LIGHT[n : n + 2], 16) for n in (1, 3, 5))
    corner = -0.44, -0.44
    assert _pixel(scene, "H8", *corner) == light
    assert _pixel(scene, "E5", *corner) != light


def test_where_excalibur_left_is_shown_while_its_stone_is_due() -> None:
    """Even without any facts a dotted way leads from the square it left."""
    match = Match(GAMES["lancelot"], GAMES["lancelot"].setup(2, {"starter": "1", "king": True}))
    match.play(1, ["X:E5"])
    match.play(0, ["X:I9"])
    scene = Scene(match.view(None), ("A", "B"), texts("en"))
    gold = (0xB8, 0x86, 0x0B)
    assert _pixel(scene, "E5", 0, 0) == gold
    assert _pixel(scene, "E9", 0, 0) != gold


def test_dots_lie_on_the_legal_squares_and_nowhere_else() -> None:
    """On demand each legal square bears a dot in the colour of the seat to move."""
    match = Match(GAMES["lancelot"], GAMES["lancelot"].setup(2, {"starter": "1"}))
    for seat, move in ((0, "E5"), (1, "H8"), (0, "E7"), (1, "J4")):
        match.play(seat, [move])
    legal = tuple(match.game.legal(match.state, 0))
    scene = Scene(match.view(None), ("A", "B"), texts("en"), legal=legal)
    blue = (0x00, 0x72, 0xB2)
    field = Field.of(scene.view.public)
    image = Image.open(io.BytesIO(PAINTER.board(scene).png)).convert("RGB")
    free = [
        f"{column}{row}"
        for column in "DEFGHIJK"
        for row in range(4, 12)
        if f"{column}{row}" not in scene.view.public["board"]
    ]
    dotted = {
        square
        for square in free
        if image.getpixel(tuple(map(int, field.centre(square)))) == blue  # type: ignore[arg-type]
    }
    assert dotted == set(legal)
    assert dotted != set(free), "the position must forbid some square"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_field_lies_on_the_board_with_a_at_the_left_and_1_below(players: int) -> None:
    """Squares do not leave the board, columns grow to the right, rows upwards."""
    public = played(Case("lancelot", players, ())).view(None).public
    field = Field.of(public)
    first, last = (field.centre(corner) for corner in public["corners"])
    assert BOARD.left < first[0] < last[0] < BOARD.right
    assert BOARD.top < last[1] < first[1] < BOARD.bottom


def test_the_text_draws_the_grid() -> None:
    """Each stone stands as its seat's number in its row and column."""
    scene = scene_at(Case("lancelot", 4, (("king", True),)), 0.6)
    lines = PAINTER.text(scene).splitlines()
    columns = lines[0].split()
    grid: dict[str, str] = {}
    for line in lines[1 : 1 + len(columns)]:
        row, *figures, again = line.split()
        assert row == again
        grid |= {f"{column}{row}": f for column, f in zip(columns, figures, strict=True)}
    assert {k: int(v) - 1 for k, v in grid.items() if v.isdigit()} == scene.view.public["board"]
    assert [k for k, v in grid.items() if v == "X"] == [scene.view.public["excalibur"]]


def test_only_the_public_part_is_read() -> None:
    """A view whose private part and viewer are anything gives the same picture."""
    scene = scene_at(LAST[0], 0.5)
    odd: Mapping[str, Any] = {"hand": ["secret"]}
    view: View = replace(scene.view, viewer=1, private=odd)
    assert PAINTER.board(replace(scene, view=view)) == PAINTER.board(scene)
