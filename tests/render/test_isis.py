"""The pictures of Isis show the whole position, and so do their descriptions."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from data.texts import LANGUAGES, texts
from games.engine import Fact
from games.isis import AMULETS, Isis, IsisState, dangers
from games.isis.board import SQUARES, STONES, THRONES
from render.canvas import Canvas
from render.isis import PAINTER
from render.isis.glyphs import draw_amulet
from render.isis.look import (
    STONE,
    cell,
    stand,
)
from render.isis.pieces import cobra, jar
from render.isis.ways import ChoiceHighlights
from render.isis.words import AMULET_NAMES
from render.scene import ALT_LIMIT, Scene
from render.theme import INK, LIGHT, SEATS
from scripts.matches import match_with_options, scene_at
from tests.games.isis_table import played, position
from tests.games.test_isis_matches import matches, purposeful_move, unfinished_states
from tests.render.colours import opened, pixels_of, rgb
from tests.render.test_bracket import texts_of

GAME = Isis()
NAMES = ("Anna", "Bernhard von Löwenstein", "Çağla", "Dörte")

PHONE = 34
"""How many characters a line of digits can have before a phone wraps it."""


def scene_of(
    state: IsisState,
    facts: Sequence[Fact] = (),
    focus: str = "",
    legal: bool = False,
    language: str = "en",
    **more: Any,
) -> Scene:
    """A position as a scene.

    :param legal: whether to show the moves that begin with ``focus``.
    """
    moves = [m for m in GAME.legal(state, state.turn) if m.startswith(focus)] if legal else []
    return Scene(
        view=GAME.view(state, None),
        names=NAMES[: len(state.personal)],
        say=texts(language),
        code="K7Q2",
        facts=tuple(facts),
        focus=focus,
        legal=tuple(moves),
        **more,
    )


def picture(scene: Scene) -> Image.Image:
    return opened(PAINTER.board(scene).png)


def pixel(scene: Scene, at: tuple[float, float]) -> tuple[int, ...]:
    value = picture(scene).getpixel((int(at[0]), int(at[1])))
    assert isinstance(value, tuple)
    return value


def changed(before: Scene, after: Scene) -> set[int]:
    """The squares in which two pictures differ."""
    difference = ImageChops.difference(picture(before), picture(after)).convert("L")
    return {square for square in (0, *SQUARES) if difference.crop(cell(square).inset(8)).getbbox()}


# -------------------------------------------------------------------------------- stones
def _drawn(name: str) -> Image.Image:
    canvas = Canvas(46, 46, LIGHT)
    draw_amulet(canvas, name, (23, 23), 40, INK, LIGHT)
    return pixels_of(canvas).convert("L").point(lambda level: 255 if level < 128 else 0)


@pytest.mark.parametrize(("one", "other"), list(combinations(AMULETS, 2)))
def test_amulets_differ_by_shape_alone(one: str, other: str) -> None:
    first, second = _drawn(one), _drawn(other)
    different = ImageChops.difference(first, second).histogram()[255]
    ink = first.histogram()[255] + second.histogram()[255]
    assert different > ink / 5


@pytest.mark.full
def test_every_stone_of_every_seat_is_drawn_in_its_colour() -> None:
    for seat in range(4):
        for amulet in AMULETS:
            colours = jar(seat, amulet, 60).colours.getcolors(10**5)
            assert colours
            assert rgb(SEATS[seat].colour) in [colour for _, colour in colours]


# --------------------------------------------------------------------------------- marks
@pytest.mark.full
def test_only_squares_with_stones_look_different() -> None:
    """Stones on squares change only these squares and the underworld, which they came from."""
    empty, some = position(""), position("14 23", None, 40)
    assert changed(scene_of(empty), scene_of(some)) == {0, 14, 23, 40}


def test_the_way_of_the_last_move_is_drawn() -> None:
    state = position("48 42 47")
    facts = played(state, "42-49")
    quiet, told = scene_of(state), scene_of(state, facts)
    # The stone on 48 was locked in: its ghost appears, and the serpent of the underworld awakes.
    assert changed(quiet, told) == {42, 46, 50, 49, 48, 0}
    beside_the_number = cell(49).left + 11, cell(49).top + 32
    assert min(pixel(told, beside_the_number)) > 180
    assert max(pixel(quiet, beside_the_number)) < 180


def test_the_banned_stone_wears_a_lock() -> None:
    free, banned = position("14 23 38"), position("14 23 38", ban=23)
    assert changed(scene_of(free), scene_of(banned)) == {23}
    free, banned = position("27", None, 47), position("27", None, 47, ban=0)
    assert changed(scene_of(free), scene_of(banned)) == {0}


def test_danger_is_shown_if_the_table_wants_it() -> None:
    warned, quiet = position("48 42 47"), position("48 42 47", hints=False)
    squares = {danger.square for danger in dangers(warned)}
    assert squares == {47, 48}
    assert changed(scene_of(warned), scene_of(quiet)) == squares
    assert "In danger of being locked in: 47 and 48." in PAINTER.describe(scene_of(warned))
    for words in (PAINTER.describe(scene_of(quiet)), PAINTER.text(scene_of(quiet))):
        assert "danger" not in words


def test_a_throne_within_reach_shines() -> None:
    ready, quiet = position("2 4 10", 46), position("2 4 10", 46, hints=False)
    assert {44} <= changed(scene_of(ready), scene_of(quiet)) <= {40, 43, 44, 45, 48}
    assert "Anna can take the throne 44." in PAINTER.describe(scene_of(ready))
    for other in (quiet, position("2 4 10", 46, turn=1), position("2 4 10 12", 46)):
        assert "can take" not in PAINTER.describe(scene_of(other))


def test_an_arrival_in_heaven_is_celebrated() -> None:
    """Rays light up neighbours of a stone that arrives in heaven; a move that ends elsewhere
    changes only the squares of its path.
    """
    state = position("35 21 3 40")
    came, went = (scene_of(state, played(state.clone(), move)) for move in ("35-48", "21-37"))
    quiet = scene_of(state)
    assert {43, 49} <= changed(came, quiet)
    assert changed(went, quiet) == {21, 25, 29, 33, 37}


def test_a_taken_throne_is_marked_while_the_match_continues() -> None:
    """If the match continues for places, the stone goes below, and the throne shows the winner's
    token.
    """
    state = position("2 4 10", 46, None, None, players=3, places=True)
    scene = scene_of(state, played(state, "P46-44"))
    assert not scene.view.outcome
    shown = picture(scene).crop(cell(44).inset(4))
    counts = {colour: count for count, colour in shown.getcolors(10**5) or ()}
    assert counts.get(rgb(SEATS[0].colour), 0) > 60
    assert "Anna takes the throne 44." in PAINTER.describe(scene)


def test_the_steps_are_on_every_picture() -> None:
    for squares in ("", "14", "14 23", "14 23 38"):
        alt = PAINTER.describe(scene_of(position(squares)))
        count = len(squares.split())
        assert f"Steps: {STONES - count} from the underworld, {count} for stones in play." in alt
    one, two = (picture(scene_of(position(squares))) for squares in ("14", "14 23"))
    header = (280, 28, 1168, 92)
    assert ImageChops.difference(one.crop(header), two.crop(header)).getbbox()


# -------------------------------------------------------------------------------- choices
def test_dots_lie_on_the_destinations_and_nowhere_else() -> None:
    state = position("14 23 38 1", None, 47)
    scene = scene_of(state, focus="23-", legal=True)
    image = picture(scene)
    ends = {int(move.split("-")[1]) for move in scene.legal}
    colour = rgb(SEATS[0].colour)

    def dotted(square: int) -> bool:
        x, y = map(int, stand(square))
        return all(image.getpixel((x + d, y + d)) == colour for d in (-7, 0, 7))

    assert 0 in ends
    assert {square for square in SQUARES if dotted(square)} == ends - {0}


def test_each_destination_has_one_way_that_the_stone_can_go() -> None:
    for where, state in unfinished_states(2, {"retreat": True}, 1):
        legal = GAME.legal(state, state.turn)
        focus = legal[len(legal) // 2].split("-")[0] + "-"
        if focus.startswith("turn:"):
            continue
        scene = scene_of(state, focus=focus, legal=True)
        choice = ChoiceHighlights.of(scene, state)
        assert [f"{focus}{path[-1]}" for path in choice.paths] == list(scene.legal), where
        for move, path in zip(scene.legal, choice.paths, strict=True):
            assert path in list(state.paths(move)), where


@pytest.mark.full
def test_ways_are_gathered_to_a_tree_where_that_is_possible() -> None:
    """With enough space, each square is reached from one side only; in random positions, from fewer
    sides in all than on the straightest paths.
    """
    state = position("14 23 38")
    assert (
        double_ends(ChoiceHighlights.of(scene_of(state, focus="14-", legal=True), state).paths) == 0
    )
    gathered = straightest = 0
    for _, state in unfinished_states(2, {"retreat": True}, 1):
        for focus in {m.split("-")[0] + "-" for m in GAME.legal(state, state.turn) if "-" in m}:
            scene = scene_of(state, focus=focus, legal=True)
            gathered += double_ends(ChoiceHighlights.of(scene, state).paths)
            straightest += double_ends([state.path(move) for move in scene.legal])
    assert gathered < 0.7 * straightest


def double_ends(ways: Sequence[tuple[int, ...]]) -> int:
    """The number of steps to a square that another step also leads to."""
    steps = {step for path in ways for step in pairwise(path)}
    return len(steps) - len({end for _, end in steps})


def test_all_stones_that_can_do_something_are_lit() -> None:
    state = position("40 39 12 21", ban=12)
    lit = changed(scene_of(state), scene_of(state, legal=True))
    assert lit == {0, 21, 39, 40}
    alt = PAINTER.describe(scene_of(state, legal=True))
    assert "turn over 39 or 40" in alt


# ---------------------------------------------------------------------------- description
def described(alt: str) -> tuple[set[int], int]:
    """The neutral stones that a description names: squares in play, number below."""
    found = re.search(r"Neutral stones in play: ([^;]*); in the underworld: (\d)\.", alt)
    assert found, alt
    return {int(word) for word in re.findall(r"\d+", found[1])}, int(found[2])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_description_covers_the_whole_position(players: int) -> None:
    for match in matches(players, {}, 1):
        rng = random.Random(match.setup.seed)
        while match.actors:
            match.play(match.actors[0], [purposeful_move(match.state, rng)])
            view = match.view(None)
            public = view.public
            alt = PAINTER.describe(Scene(view, NAMES[:players], texts("en"), "K7Q2"))
            assert described(alt) == (set(public["neutral"]), public["below"])
            for seat in range(players):
                assert own_stone(public, seat) in alt, alt
                assert "over yet" not in alt
            if public["ban"]:
                assert f"The stone on {public['ban']} must not be moved now." in alt
            if public["turn"] is not None:
                assert f"{NAMES[public['turn']]} is to move." in alt


def own_stone(public: Mapping[str, Any], seat: int) -> str:
    """The expected words about a seat's personal stone."""
    if seat in public["placed"]:
        return f"place {public['placed'].index(seat) + 1}"
    if not public["turned"][seat]:
        return "no stone turned over"
    name, square = AMULET_NAMES[public["amulets"][seat]], public["personal"][seat]
    return f"{name} on {square}" if square else f"{name} in the underworld"


def test_the_description_tells_what_happened() -> None:
    state = position("48 42 47")
    alt = PAINTER.describe(scene_of(state, played(state, "42-49")))
    assert "Anna moves: 42 – 46 – 50 – 49. Locked in and sent to the underworld: 48." in alt
    state = position("2 4 10", 46)
    alt = PAINTER.describe(scene_of(state, played(state, "P46-44")))
    assert "Anna takes the throne 44." in alt
    assert "Anna has won." in alt
    state = position("40 39")
    assert "turns the stone on 40 over" in PAINTER.describe(
        scene_of(state, played(state, "turn:40"))
    )
    state = position("3", None, 8, turn=1)
    assert "Anna can do nothing and passes." in PAINTER.describe(
        scene_of(state, played(state, "3-7"))
    )


def test_a_draw_is_no_shared_victory() -> None:
    state = position("14 23 38", cap=60)
    state.turns = 59
    facts = played(state, "14-21")
    alt = PAINTER.describe(scene_of(state, facts))
    assert "The match has ended in a draw." in alt
    assert "won" not in alt
    assert "victory" not in alt


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_words_fit(language: str) -> None:
    state = position("40 39 41 42", None, 1, None, 2, players=4)
    facts = [fact for _ in range(4) for fact in played(state.clone(), "39-31")]
    scene = replace(
        scene_of(state, facts, legal=True, language=language),
        names=("Wolfgang-Maximilian von Hohenlohe",) * 4,
    )
    alt = PAINTER.describe(scene)
    assert len(alt) <= ALT_LIMIT
    assert not alt.endswith("…")


# ------------------------------------------------------------------------------------ text
@pytest.mark.parametrize("players", [2, 4])
def test_the_text_draws_the_plan(players: int) -> None:
    for match in matches(players, {}, 1):
        rng = random.Random(7)
        for _ in range(40):
            if match.actors:
                match.play(match.actors[0], [purposeful_move(match.state, rng)])
        public = match.view(None).public
        text = PAINTER.text(Scene(match.view(None), NAMES[:players], texts("en")))
        plan, legend, _ = text.partition("* neutral stone")
        marks = dict(re.findall(r"(\d+)([*a-d ]|$)", plan, re.MULTILINE))
        assert set(marks) == {str(square) for square in (0, *SQUARES)}
        stars = {int(square) for square, mark in marks.items() if mark == "*"}
        assert stars == set(public["neutral"])
        letters = {mark: int(square) for square, mark in marks.items() if mark in "abcd" and mark}
        own = {"abcd"[seat]: sq for seat, sq in enumerate(public["personal"]) if sq}
        assert letters == own
        assert plan.splitlines()[1].split("16")[0].count("*") == public["below"]
        assert legend
        assert max(len(line) for line in plan.splitlines()) <= PHONE


def test_the_text_lists_moves_stone_by_stone() -> None:
    text = PAINTER.text(scene_of(position("14 23 38 1", None, 47)))
    assert "23 to underworld, 27," in text
    assert text.count(" to ") >= 4


def test_a_stone_on_a_throne_is_shown() -> None:
    state = position("2 4 10", 46)
    before = scene_of(state)
    facts = played(state, "P46-44")
    assert THRONES[0] in changed(before, scene_of(state, facts))
    shown = picture(scene_of(state, facts)).crop(cell(44).inset(4))
    counts = {colour: count for count, colour in shown.getcolors(10**5) or ()}
    assert counts.get(rgb(SEATS[0].colour), 0) > 200


def test_a_serpent_lets_see_whose_jar_it_threatens() -> None:
    """The amulet on the belly of a jar stays visible; a column has no amulet to keep free."""
    for is_jar in (True, False):
        mask = cobra(STONE, jar=is_jar).mask
        width, height = mask.size
        belly = mask.crop((width // 5, height // 2, width * 13 // 20, height * 4 // 5))
        hidden = sum(belly.histogram()[128:]) / (belly.width * belly.height)
        assert (hidden < 0.1) == is_jar, hidden


def test_all_plates_use_the_same_words() -> None:
    """The place of one stone is too long for its plate, so all plates have the short words."""
    match = match_with_options("isis", 3, seed=0)
    board = scene_at(match, round(match.ply * 0.5))
    written = texts_of(lambda: PAINTER.board(board))
    assert {"square 37", "square 29", "no stone"} <= {*written}


def test_short_words_on_plates_tell_the_place_that_was_won() -> None:
    match = match_with_options("isis", 4, seed=0)
    board = scene_at(match, round(match.ply * 0.85))
    written = texts_of(lambda: PAINTER.board(board))
    assert {"place 1", "square 32", "underworld"} <= {*written}
