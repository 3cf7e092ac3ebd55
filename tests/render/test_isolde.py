"""The pictures of Fair Isolde show every piece, and so do their descriptions."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise, product
from math import dist
from typing import Any
from unittest.mock import patch

import pytest
from PIL import Image, ImageChops, ImageColor, ImageDraw

from data.texts import LANGUAGES, texts
from games.engine import CHANCE, Fact, Match
from games.isolde import NUMBERS
from games.isolde.state import Due
from games.isolde.variants import VARIANTS
from games.isolde.variants.galanterie import FAVOURS
from play.lessons import LessonStep, lessons
from render import PAINTERS
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point
from render.isolde import hand, sheet
from render.isolde import table as isolde_table
from render.isolde.colours import BOARDS as BOARD_COLOURS
from render.isolde.colours import FOIL, INKS, SHIELDS
from render.isolde.descriptions import detail_sentences
from render.isolde.devices import draw_device, shield
from render.isolde.ground import ANNEX, COURTYARD, tracks
from render.isolde.scenery import chip
from render.isolde.sheet import accounts, draw_sheet
from render.isolde.standings import (
    in_roman,
    next_scoring,
    on_lap,
    open_points,
    prizes,
    ranking,
    scored_together,
)
from render.isolde.tracks import (
    BoardTrack,
    clear_corners,
    draw_board,
    draw_pieces,
    draw_prizes,
    piece_rows,
)
from render.isolde.words import BOARDS, CARDS, board_name, board_rule, deeds, named_cards
from render.letters import text_width
from render.scene import ALT_LIMIT, Picture, Scene, rest_as_text
from render.theme import INK, LIGHT, MIN_TEXT, SEATS, WIDTH, Type
from scripts import matches
from tafelrunde.testing.pictures import HEIGHTS
from tests.games.isolde_table import GAME, place, table, two_face_down
from tests.games.isolde_twins import twin
from tests.render.colours import opened, pixels_of, rgb
from tests.render.scenes import NAMES

PAINTER = PAINTERS["isolde"]
KIB = 1024
TOGETHER: dict[str, Any] = {v.key: True for v in VARIANTS if v.key != "galanterie"}
TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {"duo": "parzival", "galanterie": True}),
    (2, {"duo": "lancelot", "kodex": True}),
    (3, {}),
    (4, {"magie": True, "turnier": True, "koenig": True}),
    (5, TOGETHER),
]
IN_LANGUAGES = [
    (*table, language)
    for table in TABLES
    for language in LANGUAGES
    if language == "de" or table == TABLES[-1]
]
LONG = ("Wolfgang-Maximilian von Hohenlohe",) * 5


def full_match(players: int, seed: int, **options: Any) -> Match[Any]:
    """A finished match of random moves."""
    match = Match(GAME, GAME.setup(players, options, str(seed)))
    match.advance()
    rng = random.Random(seed)
    while match.actors:
        seat = rng.choice(match.actors)
        moves = GAME.legal(match.state, seat)
        match.play(seat, [moves[int(rng.random() * len(moves))]])
    return match


def moments(match: Match[Any], step: int) -> Iterator[Match[Any]]:
    """The match after every nth event and at its end."""
    at = Match.replay(GAME, match.setup, ())
    for ply in (*range(1, match.ply, step), match.ply):
        at, _ = at.extended(match.log[at.ply : ply])
        yield at


def scene_of(
    match: Match[Any],
    viewer: int | None = None,
    since: int | None = None,
    language: str = "en",
    names: tuple[str, ...] = NAMES,
) -> Scene:
    """A viewer's scene of a match with its last event."""
    told = match.history(viewer, max(0, match.ply - 1) if since is None else since)
    return Scene(
        view=match.view(viewer),
        names=names[: match.setup.players],
        say=texts(language),
        code="K7Q2",
        facts=tuple(fact for _, _, facts in told for fact in facts),
    )


def drawn(picture: Picture | None) -> Image.Image:
    """The picture, which must exist."""
    assert picture is not None
    return opened(picture.png)


def still(state: Any, **more: Any) -> Scene:
    """A position set up by hand."""
    view = GAME.view(state, None)
    return Scene(view, NAMES[: view.players], texts("en"), "K7Q2", **more)


# --------------------------------------------------------------------------------- places
ALL_BOARDS = list(BOARDS)


@pytest.mark.parametrize(("one", "other"), list(combinations(BOARDS, 2)))
def test_devices_differ_by_shape_alone(one: str, other: str) -> None:
    first, second = _device(one), _device(other)
    different = ImageChops.difference(first, second).histogram()[255]
    assert different > (first.histogram()[255] + second.histogram()[255]) / 5


def _device(kind: str) -> Image.Image:
    canvas = Canvas(40, 40, LIGHT)
    draw_device(canvas, kind, (20, 20), 36, INK)
    return pixels_of(canvas).convert("L").point(lambda level: 255 if level < 128 else 0)


# --------------------------------------------------------------------------------- stacks
def colour_at(image: Image.Image, at: tuple[float, float]) -> Any:
    return image.getpixel((round(at[0]), round(at[1])))


@pytest.mark.full
@pytest.mark.parametrize("field", [3, 7, 12, 18])
def test_the_first_of_a_stack_lies_on_top(field: int) -> None:
    for first, second in ("AB", "BA"):
        state = table(4)
        place(state, "GRAL", f"{first}{field} {second}{field}")
        image = drawn(PAINTER.board(still(state)))
        track: BoardTrack = tracks(list(GAME.view(state, None).public["boards"]))["GRAL"]
        low, high = track.places(field, 2)
        share = 0.34 * track.cell / dist(low, high)  # between the sign of a piece and its edge
        aside = (low[0] - high[0]) * share, (low[1] - high[1]) * share
        below = colour_at(image, (low[0] + aside[0], low[1] + aside[1]))
        above = colour_at(image, (high[0] + aside[0], high[1] + aside[1]))  # on both pieces
        assert nearest_seat(below) == "AB".index(second)
        assert nearest_seat(above) == "AB".index(first)


def nearest_seat(pixel: tuple[int, int, int]) -> int:
    return min(
        range(len(SEATS)),
        key=lambda seat: sum(
            (a - b) ** 2 for a, b in zip(pixel, rgb(SEATS[seat].colour), strict=True)
        ),
    )


def test_a_corner_with_a_piece_shows_no_number() -> None:
    state = table(4)
    place(state, "GRAL", "A5 B5 C30")
    here = GAME.view(state, None).public["boards"]["GRAL"]
    track, canvas = BoardTrack(0, 0, 62), Canvas(380, 430)
    draw_board(canvas, track, "GRAL")
    clear_corners(canvas, track, "GRAL", here)
    image = pixels_of(canvas)
    for field in (5, 10, 15, 20):
        colours = {pixel for _, pixel in image.crop(track.cell_of(field)).getcolors(4000) or ()}
        assert (ImageColor.getrgb(INK) in colours) == (field in (15, 20))


def test_pieces_on_a_corner_have_its_number_beside_them() -> None:
    PAINTER.board(still(table(4)))  # the empty boards with their numbers are kept
    for pieces, times in (("A10", 1), ("A10 B10", 1), ("A9", 0)):
        state = table(4)
        place(state, "GRAL", pieces)
        PAINTER.board(still(state))  # its prizes are kept, too
        with patch.object(Canvas, "text", autospec=True, side_effect=Canvas.text) as written:
            PAINTER.board(still(state))
        assert [call.args[2] for call in written.call_args_list].count("10") == times


@pytest.mark.full
@pytest.mark.parametrize("field", [3, 5, 8])
def test_every_piece_of_a_stack_is_to_be_seen(field: int) -> None:
    """Swapping any two neighbours in a stack of five clearly changes at least a thousand pixels."""
    stack = "ABCDE"
    images = []
    for n in range(len(stack)):
        order = stack if n == 0 else stack[: n - 1] + stack[n] + stack[n - 1] + stack[n + 1 :]
        state = table(5)
        place(state, "GRAL", " ".join(f"{colour}{field}" for colour in order))
        images.append(drawn(PAINTER.board(still(state))))
    for image in images[1:]:
        changes = ImageChops.difference(images[0], image).convert("L").histogram()
        assert sum(changes[40:]) >= 1000


def test_the_text_names_the_round() -> None:
    match = full_match(3, 4)
    for at in moments(match, 31):
        for viewer in (None, 0):
            lines = PAINTER.text(scene_of(at, viewer)).splitlines()
            assert lines[0] == f"K7Q2 · Fair Isolde · round {at.view(None).round} of 6"
            assert lines.count(lines[1]) == 1


GRAIL_TRACK = tracks(list(GAME.view(table(4), None).public["boards"]))["GRAL"]


@pytest.mark.parametrize("tagged", [False, True], ids=["", "a lap ahead"])
def test_pieces_on_a_field_are_large_and_hardly_hide_each_other(tagged: bool) -> None:
    """The leading piece is on its field, all pieces are on the board."""
    track = GRAIL_TRACK
    for field, pieces in product(range(1, 21), range(1, 6)):
        is_tagged = tagged or field % 5 == 0
        size = track.size(pieces, tagged=is_tagged)
        places = track.places(field, pieces, tagged=is_tagged)
        assert size >= 0.75 * track.cell
        assert all(dist(one, other) >= 0.75 * size for one, other in combinations(places, 2))
        for x, y in places:
            assert inside(Box.at((x, y), size), track.square), (field, pieces)
        assert inside(Box.at(places[-1], 1), track.cell_of(field)), (field, pieces)


def inside(box: Box, other: Box) -> bool:
    return (
        other.left <= box.left
        and other.top <= box.top
        and box.right <= other.right
        and box.bottom <= other.bottom
    )


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_a_tag_is_clear_of_pieces_on_other_fields(pieces: int) -> None:
    """Its number is not read as that of a piece beside it."""
    track = GRAIL_TRACK
    for field, other in product(range(1, 21), repeat=2):
        if field != other:
            tag = track.tag_of(field, track.cell * 0.73)
            tagged = other % 5 == 0
            radius = track.size(pieces, tagged=tagged) / 2
            for at in track.places(other, pieces, tagged=tagged):
                assert distance(tag, at) >= radius + 1, (field, other)


def distance(box: Box, at: Point) -> float:
    """How far a point is from a box."""
    x, y = min(max(at[0], box.left), box.right), min(max(at[1], box.top), box.bottom)
    return dist((x, y), at)


@pytest.mark.parametrize(
    "pieces",
    [
        "A10 B10 C9 D11",
        "A5 B5 C5",
        "A12 B12 C12",
        "A8 B8 C8 D9",
        "A3 B3 C3 D8",
        "A12 B12 C12 D12",
        "A32 B31 C29 D15",
    ],
)
@pytest.mark.parametrize("options", [{}, TOGETHER], ids=["", "variants"])
def test_prizes_are_clear_of_pieces(pieces: str, options: dict[str, Any]) -> None:
    state = table(4, **options)
    for board in GAME.view(state, None).public["boards"]:
        place(state, board, pieces)
    scene = still(state)
    boards = scene.view.public["boards"]
    for board, track in tracks(list(boards)).items():
        canvas = Canvas(WIDTH, HEIGHTS[1])
        with patch.object(Canvas, "stamp", autospec=True, side_effect=Canvas.stamp) as stamped:
            draw_prizes(canvas, track, scene, board)
        stamps = [call.args[1:] for call in stamped.call_args_list if call.args[0] is canvas]
        rows = piece_rows(boards[board])
        assert len(stamps) >= len(prizes(scene.view, board))
        shown, under = (Image.new("L", (WIDTH, HEIGHTS[1])) for _ in range(2))
        for sprite, (x, y) in stamps:
            solid = sprite.mask.point(lambda level: 255 * (level > 200))  # without its shadow
            shown.paste(solid, (round(x - solid.width / 2), round(y - solid.height / 2)), solid)
        for row in rows:
            for disc in (box.inset(1) for box in row.boxes(track)):
                ImageDraw.Draw(under).ellipse(disc, 255)
        assert not ImageChops.multiply(shown, under).getbbox(), board


@pytest.mark.parametrize("pieces", ["", "A6 B6 D2 C9", "A9 B9"])
def test_points_for_a_field_have_a_lead_from_it(pieces: str) -> None:
    state = table(4, **TOGETHER)
    place(state, "KOENIG", pieces or "A1")
    scene = still(state)
    boards = scene.view.public["boards"]
    track = tracks(list(boards))["KOENIG"]
    canvas = Canvas(WIDTH, HEIGHTS[1])
    with patch.object(Canvas, "line", autospec=True, side_effect=Canvas.line) as lined:
        draw_prizes(canvas, track, scene, "KOENIG")
    leads = {call.args[1][1] for call in lined.call_args_list if call.args[0] is canvas}
    for prize in prizes(scene.view, "KOENIG"):
        assert prize.field is not None
        edge = track.edge(prize.field)
        rows = [
            box
            for row in piece_rows(scene.view.public["boards"]["KOENIG"])
            for box in row.boxes(track)
        ]
        hidden = any(distance(box, edge) < 6 for box in rows)
        assert hidden or edge in leads, prize.field


def middles_of_points(pieces: str) -> tuple[BoardTrack, list[Point], list[Point]]:
    """The King's board for five, and the middles of its pieces and of the points for its fields."""
    state = table(5, **TOGETHER)
    place(state, "KOENIG", pieces)
    scene = still(state)
    boards = scene.view.public["boards"]
    track = tracks(list(boards))["KOENIG"]
    canvas = Canvas(WIDTH, HEIGHTS[1])
    with patch.object(Canvas, "stamp", autospec=True, side_effect=Canvas.stamp) as stamped:
        draw_pieces(canvas, track, "KOENIG", boards["KOENIG"])
        shown = [call.args[2] for call in stamped.call_args_list if call.args[0] is canvas]
        stamped.reset_mock()
        draw_prizes(canvas, track, scene, "KOENIG")
    return track, shown, [c.args[2] for c in stamped.call_args_list if c.args[0] is canvas]


@pytest.mark.parametrize("waiting", range(6))
def test_points_for_the_first_field_are_beside_it(waiting: int) -> None:
    """The pieces that wait make room for them unless there are five."""
    track, _, points = middles_of_points(" ".join(f"{colour}9" for colour in "ABCDE"[waiting:]))
    low, start = max(y for _, y in points), track.cell_of(1).centre[1]
    assert abs(low - start) < (5 if waiting < 5 else track.cell * 1.2)


@pytest.mark.parametrize(
    "pieces", ["", "A9", "A20", "A1 B1", "A1 B1 C1", "A20 B20", "A2 B20 C20", "A20 B20 C20 D20"]
)
def test_points_for_fields_are_clear_of_pieces_that_wait(pieces: str) -> None:
    track, shown, points = middles_of_points(pieces)
    assert all(dist(one, other) > 0.72 * track.cell for one, other in product(shown, points))


def test_pieces_that_wait_make_room_for_a_row() -> None:
    track = GRAIL_TRACK
    row = [Box.at(at, track.size(3)) for at in track.places(18, 3)]
    size, places = track.waiting(2, row)
    assert len(places) == 2
    for at in places:
        assert all(distance(box, at) >= size / 2 for box in row)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_whoever_has_not_moved_stands_in_a_row_below_the_painting(players: int) -> None:
    track = GRAIL_TRACK
    size, places = track.waiting(players)
    assert len({y for _, y in places}) == 1
    for (x, y), (beyond, _) in pairwise([*places, (track.start.right + size / 2, 0)]):
        assert track.start.left <= x - size / 2
        assert x + size <= beyond
        assert track.start.top <= y - size / 2 < y + size / 2 <= track.start.bottom


def test_laps_are_counted_and_shown() -> None:
    assert on_lap(20) == (0, 20)
    assert on_lap(21) == (1, 1)
    assert on_lap(43) == (2, 3)
    near, far, at_corner = table(4), table(4), table(4)
    place(near, "GRAL", "A3")
    place(far, "GRAL", "A23")
    place(at_corner, "GRAL", "A25 B5")
    assert drawn(PAINTER.board(still(near))) != drawn(PAINTER.board(still(far)))
    for state, number, times in ((far, "23", 1), (at_corner, "25", 1), (near, "23", 0)):
        with patch.object(Canvas, "text", autospec=True, side_effect=Canvas.text) as written:
            PAINTER.board(still(state))
        assert [call.args[2] for call in written.call_args_list].count(number) == times
    assert "23 (1 lap + 3)" in PAINTER.text(still(far))


def test_the_last_move_is_framed() -> None:
    """Above the courtyard, the piece's destination and its path change, and nothing else does."""
    state = table(4)
    place(state, "GRAL", "A4")
    data = {"colour": 0, "card": "GRAL3", "board": "GRAL", "origin": 1, "field": 4}
    quiet, told = (
        drawn(PAINTER.board(still(state))),
        drawn(PAINTER.board(still(state, facts=(Fact("played", data),)))),
    )
    difference = ImageChops.difference(quiet, told).crop((0, 0, 1200, round(COURTYARD.top)))
    track = tracks(list(GAME.view(state, None).public["boards"]))["GRAL"]
    first, last = track.cell_of(2), track.cell_of(4)
    left, top, right, bottom = difference.getbbox() or (0, 0, 0, 0)
    assert last.left - 5 <= left < right <= last.right + 5
    assert last.top - 5 <= top < bottom <= first.bottom
    for field in (2, 3):
        assert difference.crop(track.cell_of(field)).getbbox()


TOLD_OF = ("played", "moved", "looked", "codex_taken", "bonus")


@pytest.mark.full
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_the_courtyard_shows_what_has_happened(players: int, options: dict[str, Any]) -> None:
    """While the match runs, the courtyard shows every action, even one that moves no piece; the
    description always tells it.
    """
    quiet, kinds = 0, set[str]()
    for at in moments(full_match(players, 5, **options), 3):
        scene = scene_of(at)
        done = [fact for fact in scene.facts if fact.kind in TOLD_OF]
        new = {fact.kind for fact in done} - kinds
        kinds |= new
        if new or not (done or quiet):
            shown, bare = (drawn(PAINTER.board(each)) for each in (scene, replace(scene, facts=())))
            told = ImageChops.difference(shown.crop(YARD), bare.crop(YARD)).getbbox()
            assert (told is not None) == bool(done and at.view(None).outcome is None)
        assert ("Just now: " in PAINTER.describe(scene)) == bool(done)
        quiet += not done
    assert quiet
    assert {"played", "moved"} <= kinds
    assert not options.get("kodex") or "codex_taken" in kinds
    assert not options.get("galanterie") or "bonus" in kinds


@pytest.mark.parametrize("name", FAVOURS)
def test_a_bonus_is_told_once(name: str) -> None:
    """If it moves a piece, the move tells it."""
    done = {"bonus": Fact("bonus", {"colour": 0, "bonus": name, "target": None})}
    if FAVOURS[name].fields is not None:
        advance = {"board": "KOENIG", "colour": 0, "origin": 0, "field": 2}
        done["moved"] = Fact("moved", advance)
    scene = scene_of(full_match(2, 1, galanterie=True))
    assert len(list(deeds(replace(scene, facts=tuple(done.values()))))) == 1


@pytest.mark.parametrize("magie", [False, True])
def test_the_scorings_to_come_are_next_to_the_boards(magie: bool) -> None:
    """Without news, the courtyard or the place of Magic says which boards are scored in which
    rounds; a row that is scored in this round is golden.
    """
    open_ = replace(GAME.view(table(4, magie=magie), None), outcome=None)
    views = open_, replace(open_, round=NUMBERS.rounds)
    early, late = (
        drawn(PAINTER.board(Scene(view, NAMES[:4], texts("en"), "K7Q2"))) for view in views
    )
    own, other = (YARD, ANNEX.inset(1)) if magie else (ANNEX.inset(1), YARD)
    golden = [_share_of(FOIL, image.crop(own)) for image in (early, late)]
    assert 0.02 < golden[0] < golden[1] - 0.02
    if not magie:  # otherwise a board is there, whose seal changes
        assert not ImageChops.difference(early.crop(other), late.crop(other)).getbbox()


def _share_of(colour: str, image: Image.Image) -> float:
    whole = image.width * image.height
    return sum(n for n, each in image.getcolors(whole) or () if each == rgb(colour)) / whole


def test_every_board_is_in_the_calendar_once() -> None:
    for players, options in TABLES:
        view = GAME.view(full_match(players, 1, **options).state, None)
        told = scored_together(view)
        boards = [board for _, row in told for board in row]
        assert sorted(boards) == sorted(view.public["boards"])
        for rounds, row in told:
            for board in row:
                assert list(rounds) in ([], list(view.public["boards"][board]["rounds"]))
    assert in_roman((1, 2, 3)) == "I–III"
    assert in_roman((2, 4, 6)) == "II IV VI"
    assert in_roman((5, 6)) == "V VI"


def test_the_sword_is_clear_of_the_points() -> None:
    """Beside face-down shields, too, where there is little room."""
    beside_shields, text = 0, Canvas.text
    written: list[Box] = []

    def wrote(*args: Any, **kinds: Any) -> Box:
        written.append(text(*args, **kinds))
        return written[-1]

    for at in moments(full_match(5, 5, **TOGETHER), 83):
        written.clear()
        with (
            patch.object(Canvas, "text", wrote),
            patch.object(isolde_table, "draw_sword") as sword,
        ):
            PAINTER.board(scene_of(at))
        for call in sword.call_args_list:
            _, (x, y), radius = call.args
            points = max(box.right for box in written if box.right < x and box.top < y < box.bottom)
            assert x - radius - points >= 6
            beside_shields += radius < 19
    assert beside_shields


def test_at_the_end_a_colour_without_a_person_does_not_lead() -> None:
    """The neutral colour has the most points of the three, yet a person is at the top."""
    match = next(each for each in map(_duel, range(1, 40)) if _neutral_is_best(each))
    view = match.view(None)
    place_of_points = YARD if "MAGIE" in view.public["boards"] else ANNEX.inset(1)
    top = Box(*place_of_points[:3], place_of_points.top + 140)
    first = drawn(PAINTER.board(still(match.state))).crop(top)
    seen = {colour for _, colour in first.getcolors(first.width * first.height) or ()}
    people = [n for n, owner in enumerate(view.public["owners"]) if owner is not None]
    best = max(people, key=lambda colour: open_points(view, colour)[0])
    assert rgb(SEATS[best].colour) in seen
    assert rgb(SEATS[view.public["owners"].index(None)].colour) not in seen


def _duel(seed: int) -> Match[Any]:
    """A finished match of two people with a neutral colour."""
    return full_match(2, seed, duo="parzival")


def _neutral_is_best(match: Match[Any]) -> bool:
    view = match.view(None)
    points = [open_points(view, colour)[0] for colour in range(3)]
    neutral: int = view.public["owners"].index(None)
    return points.index(max(points)) == neutral


YARD = COURTYARD.inset(1)


# --------------------------------------------------------------------------------- prizes
def won_by(fact: Fact) -> tuple[str, int, int]:
    """The board, colour and value of the shield in a fact."""
    return fact.data["board"], fact.data["colour"], fact.data["value"]


@pytest.mark.seeds(6)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_shown_prizes_are_those_that_are_won(players: int, seed: int) -> None:
    match = full_match(players, seed, turnier=seed % 2 == 0, koenig=seed % 3 == 0)
    state = GAME.start(match.setup)
    for event in match.log:
        before = GAME.view(state, None)
        facts: list[Fact] = []
        GAME.do(state, event.seat, event.move, facts)
        if any(fact.kind in ("played", "moved") for fact in facts):
            continue  # an action that moves a piece may lead to other prizes
        for board, colour, value in (won_by(f) for f in facts if f.kind == "shield"):
            due = [p for p in prizes(before, board) if colour in p.colours]
            assert [p.text.replace("−", "-") for p in due] == [str(value)], (board, seed)


def test_a_board_that_will_not_be_scored_again_promises_nothing() -> None:
    """Magic is scored in the second and the fifth round."""
    state = table(4, **TOGETHER)
    place(state, "MAGIE", "A12 B11 C9")
    said = {}
    for state.round in (5, 6):
        scene = still(state)
        track = tracks(list(scene.view.public["boards"]))["MAGIE"]
        canvas = Canvas(WIDTH, HEIGHTS[1])
        draw_prizes(canvas, track, scene, "MAGIE")
        shown = canvas.sprite().mask.getbbox() is not None
        said[state.round] = shown, "→" in " ".join(detail_sentences(scene, "MAGIE"))
    assert said == {5: (True, True), 6: (False, False)}


def test_non_movers_share_last_place() -> None:
    state = table(4)
    place(state, "STUDIEN", "A7 B5")
    view = GAME.view(state, None)
    assert ranking(view.public["boards"]["STUDIEN"]) == [(1, 0, 7), (2, 1, 5), (4, 2, 0), (4, 3, 0)]
    last, second_last = prizes(view, "STUDIEN")
    assert last.colours == (2, 3)
    assert second_last.colours == ()


def test_the_seal_tells_the_next_scoring() -> None:
    for round_, king, magic in ((1, 3, 2), (3, 3, 5), (4, 6, 5), (6, 6, None)):
        state = table(4, round_=round_, magie=True)
        state.agenda.append(Due("close"))
        view = GAME.view(state, None)
        assert next_scoring(view, "KOENIG") == king
        assert next_scoring(view, "MAGIE") == magic
        assert next_scoring(view, "GRAL") == 6


# --------------------------------------------------------------------------------- sheets
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_each_round_has_a_sheet_that_adds_up(players: int, options: dict[str, Any]) -> None:
    match = full_match(players, 3, **options)
    state, facts = GAME.start(match.setup), list[Fact]()
    for event in match.log:
        GAME.do(state, event.seat, event.move, facts)
    scene = scene_of(match, since=0)
    sheets = list(accounts(scene))
    assert [account.round for account in sheets] == [1, 2, 3, 4, 5, 6]
    (over,) = [fact for fact in facts if fact.kind == "over"]
    assert [points for points, _ in sheets[-1].totals] == over.data["totals"]
    for colour in range(len(over.data["totals"])):
        assert sum(a.sums[colour][0] for a in sheets) == over.data["totals"][colour]
    for picture in PAINTER.results(scene):
        image = drawn(picture)
        assert image.width == 1200
        assert image.height <= 940
        assert len(picture.png) <= 150 * KIB
        assert picture.alt.startswith("Sheet of round")
        assert len(picture.alt) <= ALT_LIMIT


@pytest.mark.parametrize("players", [3, 5])
def test_shields_stay_in_the_column_of_their_colour(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_at: list[tuple[float, float]] = []
    stamp = Canvas.stamp

    def recorded(canvas: Canvas, sprite: Sprite, centre: Point, *args: Any) -> None:
        if any(sprite is each for each in shields):
            half = sprite.size[0] / 2
            drawn_at.append((centre[0] - half, centre[0] + half - sheet.SHADE))
        stamp(canvas, sprite, centre, *args)

    worth = ["−3", "−2", "−1", "?", *"123456789", "10", "12", "17"]
    shields = [shield(b, text, h) for b in SHIELDS for text in worth for h in sheet.SHIELDS]
    monkeypatch.setattr(Canvas, "stamp", recorded)
    match = matches.match_with_options("isolde", players, seed=1)
    PAINTER.results(replace(scene_of(match, since=0), names=LONG[:players]))
    left = sheet.EDGES + sheet.LABELS
    width = (WIDTH - sheet.EDGES - left) / players
    assert drawn_at
    for start, end in drawn_at:
        assert (start - left) // width == (end - left) // width, (start, end)


@pytest.mark.parametrize("value", [3, -3])
def test_equal_shields_in_a_narrow_column_are_one_large_shield_with_their_number(
    value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: dict[str, Box] = {}
    stamped: list[Sprite] = []
    words = str(value).replace("-", "−")
    shields = [shield("BARM", words, height) for height in sheet.SHIELDS]
    text, stamp = Canvas.text, Canvas.stamp

    def wrote(canvas: Canvas, at: Point, words: str, *args: Any) -> Box:
        written[words] = text(canvas, at, words, *args)
        return written[words]

    def stamps(canvas: Canvas, sprite: Sprite, centre: Point, *args: Any) -> None:
        stamped.append(sprite)
        stamp(canvas, sprite, centre, *args)

    monkeypatch.setattr(Canvas, "text", wrote)
    monkeypatch.setattr(Canvas, "stamp", stamps)
    cell = Box(0, 0, (WIDTH - 2 * sheet.EDGES - sheet.LABELS) / 5, sheet.ROWS[0])
    entry = sheet.BoardEntry((value, value), "1. · 9")
    sheet._draw_entry(Canvas(200, 80), cell, "BARM", entry)
    assert stamped == [shields[1]]
    assert written["2×"].left >= cell.left + 3
    assert written["1."].right <= cell.right - 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_and_banners_have_room_for_the_names_of_boards(language: str) -> None:
    for board in BOARDS:
        name = board_name(board, texts(language))
        assert text_width(name, sheet.BOARD) <= sheet.NAMES - 2
        banner = tracks(ALL_BOARDS)[board].banner
        assert text_width(name, Type("strong", MIN_TEXT)) <= banner.width - 2 * banner.height - 24


@pytest.mark.full
def test_a_sheet_is_complete_however_many_events_were_reported() -> None:
    """The facts of a round's last event contain all its shields."""
    match = full_match(4, 3, kodex=True)
    for at in moments(match, 1):
        scene = scene_of(at)
        for fact in scene.facts:
            if fact.kind == "round_over":
                (account,) = accounts(scene)
                shown = [
                    (board, colour, value)
                    for board, entries in account.rows.items()
                    for colour, entry in enumerate(entries)
                    for value in entry.values
                ]
                won = [(s["board"], s["colour"], s["value"]) for s in fact.data["won"]]
                if at.outcome is None:
                    assert sorted(map(str, shown)) == sorted(map(str, won))
                else:
                    assert len(shown) == len(won)


# ---------------------------------------------------------------------------------- words
@pytest.mark.full
@pytest.mark.parametrize(("players", "options", "language"), IN_LANGUAGES)
def test_words_and_pictures_of_all_moments_fit(
    players: int, options: dict[str, Any], language: str
) -> None:
    """All tables are in German, and one is in every language. At each moment one hand is drawn."""
    for n, at in enumerate(moments(full_match(players, 5, **options), 89)):
        for viewer in (None, n % players):
            scene = scene_of(at, viewer, language=language, names=LONG)
            pictures = [PAINTER.board(scene)] if viewer is None else [PAINTER.hand(scene)]
            for picture in filter(None, pictures):
                assert len(picture.alt) <= ALT_LIMIT
                assert not picture.alt.endswith(rest_as_text(texts(language))), picture.alt
                assert drawn(picture).height <= (HEIGHTS[1] if viewer is None else 940)
                assert len(picture.png) <= 150 * KIB


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_the_description_says_where_every_piece_is(players: int, options: dict[str, Any]) -> None:
    for at in moments(full_match(players, 6, **options), 29):
        alt = PAINTER.describe(scene_of(at))
        public = at.view(None).public
        for board, here in public["boards"].items():
            (pieces,) = re.findall(rf"{BOARDS[board]}(?: \([a-zIV]+\))?: ([^.]*)\.", alt)
            fields = [int(n) for n in re.findall(r" (\d+)", pieces)]
            assert fields == [here["positions"][colour] for colour in here["order"]]


@pytest.mark.full
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_board_can_be_shown_in_detail(players: int, options: dict[str, Any]) -> None:
    """Each table has its boards in all languages in turn."""
    at = list(moments(full_match(players, 7, **options), 37))[-4]
    for part in range(len(at.view(None).public["boards"])):
        language = list(LANGUAGES)[(part + players) % len(LANGUAGES)]
        picture = PAINTER.close_up(scene_of(at, language=language, names=LONG), part)
        assert picture is not None
        assert 675 <= drawn(picture).height <= 1000
        assert len(picture.png) <= 150 * KIB
        assert len(picture.alt) <= ALT_LIMIT


# -------------------------------------------------------------------------------- secrets
@pytest.mark.slow("twin tables")
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_nothing_depends_on_what_a_viewer_does_not_know(
    players: int, options: dict[str, Any]
) -> None:
    """Texts of twin matches are the same, and so are pictures, which are compared for one pair in
    twelve.
    """
    rng, compared = random.Random(players), 0
    for at in moments(full_match(players, 9, **options), 11):
        if at.outcome or any(seat == CHANCE for seat in at.actors):
            continue
        for viewer in (None, rng.randrange(players)):
            other = twin(at, viewer, rng)
            if other is not None:
                compared += 1
                drawn_too = compared % 12 == 1
                assert _shown(at, viewer, drawn_too) == _shown(other, viewer, drawn_too)
    assert compared >= 8


def _shown(match: Match[Any], viewer: int | None, in_pictures: bool) -> list[Any]:
    scene = scene_of(match, viewer)
    shown: list[Any] = [PAINTER.text(scene)]
    if in_pictures:
        shown += [PAINTER.board(scene), *PAINTER.results(scene), PAINTER.close_up(scene, 3)]
        shown += [] if viewer is None else [PAINTER.hand(scene)]
    return shown


def test_known_face_down_shields_are_in_the_private_picture() -> None:
    one, other = two_face_down(first="-3,-1,0,0"), two_face_down(first="-1,-3,0,0")
    for viewer, differ in ((0, True), (1, False)):
        pictures = []
        for state in (one, other):
            view = GAME.view(state, viewer)
            picture = PAINTER.hand(Scene(view, NAMES[:4], texts("en"), "K7Q2"))
            assert picture is not None
            pictures.append(picture.png)
        assert (pictures[0] != pictures[1]) == differ
    spectators = [PAINTER.board(still(state)) for state in (one, other)]
    assert spectators[0] == spectators[1]


@pytest.mark.full
def test_the_description_tells_the_cards_played() -> None:
    """With short and with long names, the description has everyone's cards of this round; for a
    card that may be played on two boards, it names the one chosen.
    """
    for players, options in TABLES:
        for at in moments(full_match(players, 6, **options), 17):
            public = at.view(None).public
            for names in (NAMES, LONG):
                alt = PAINTER.describe(scene_of(at, names=names))
                assert ("Played: " in alt) == any(public["played"])
                for card, board in (each for played in public["played"] for each in played):
                    shown = BOARDS[board] if card[:-1] != board else CARDS[board]
                    assert f"{shown} {card[-1]}" in alt


def test_played_cards_differ_without_colour() -> None:
    faces = {
        kind: chip(kind, "3").colours.convert("L").crop((6, 4, 30, 24)).point(_ink_of(kind))
        for kind in BOARDS
    }
    for one, other in combinations(faces, 2):
        unlike = ImageChops.difference(faces[one], faces[other]).histogram()[255]
        assert unlike > 0.1 * 24 * 20, (one, other)


def _ink_of(kind: str) -> list[int]:
    """For each grey level, 255 if it is closer to the ink of a card than to its background."""
    ink, ground = (ImageColor.getcolor(c, "L") for c in (INKS[kind], BOARD_COLOURS[kind]))
    assert isinstance(ink, int)
    assert isinstance(ground, int)
    return [255 * (abs(level - ink) < abs(level - ground)) for level in range(256)]


@pytest.mark.parametrize("cards", [1, 5, 6])
def test_a_row_of_cards_is_as_large_as_there_is_room(cards: int) -> None:
    match = Match(GAME, GAME.setup(5, {}, "1"))
    match.advance()
    view = match.view(0)
    pack = [*view.private["pack"], *view.private["pack"]][:cards]
    scene = Scene(replace(view, private={**view.private, "pack": pack}), NAMES, texts("en"))
    (row,) = hand.fitting(scene, 600)
    assert row.width <= hand.ROOM + hand.INDENT
    assert (row.sprites[0].size[0] > 176) == (cards < 6)


def test_a_row_alone_is_in_the_middle() -> None:
    row = hand.HandRow("Hand", (Canvas(200, 300).sprite(),))
    ((placed, left, _, _),), _ = hand.arranged([row])
    assert left + placed.width / 2 == WIDTH / 2


def test_what_may_be_chosen_is_marked() -> None:
    seen = Counter[str]()
    for match in moments(full_match(3, 4, **TOGETHER), 5):
        for seat in filter(lambda seat: seat >= 0, match.actors):
            moves = GAME.legal(match.state, seat)
            scene = replace(scene_of(match, seat), legal=tuple(moves))
            marked = sum(len(row.offered) for row in hand.hand_rows(scene, 200, 100))
            cards = {card for move in moves for card in named_cards(move)}
            if scene.view.phase in ("draft", "play") and len(cards) > 1:
                assert marked >= len(cards)
            elif scene.view.phase in ("look", "take"):
                assert marked == len(moves)
            seen[scene.view.phase] += 1
            begun = replace(scene, focus=moves[0])
            assert not any(row.offered for row in hand.hand_rows(begun, 200, 100))
    assert {"draft", "play", "look"} <= seen.keys()


def test_frames_around_what_may_be_chosen_are_explained() -> None:
    seen = Counter[bool]()
    for match in moments(full_match(3, 4, **TOGETHER), 5):
        scene = scene_of(match, 0)
        legal = tuple(GAME.legal(match.state, 0)) if 0 in match.actors else ()
        with (
            patch.object(Canvas, "text", autospec=True, side_effect=Canvas.text) as written,
            patch.object(Canvas, "frame", autospec=True) as framed,
        ):
            hand.draw_hand(replace(scene, legal=legal))
        told = "framed: your choice" in [call.args[2] for call in written.call_args_list]
        assert told == bool(framed.called and not scene.view.private["sealed"])
        seen[told] += 1
    assert min(seen[True], seen[False]) > 0


@pytest.mark.parametrize("name", ["Bernhard von Löwenstein", "Maximilian\u00a01"])
def test_names_that_fit_are_whole_with_five_players(name: str) -> None:
    written = Canvas.text
    scene = replace(
        scene_of(full_match(5, 1), since=0), names=(name, "Anna", "Ben", "Çağla", "David")
    )
    said: list[str] = []

    def text(canvas: Canvas, at: Any, words: str, *args: Any, **kinds: Any) -> Box:
        said.append(words)
        return written(canvas, at, words, *args, **kinds)

    with patch.object(Canvas, "text", text):
        PAINTER.draw(scene)
        PAINTER.results(scene)
    assert not [words for words in said if "…" in words]


def test_hands_differ_if_cards_do() -> None:
    first, second = (Match(GAME, GAME.setup(3, {"starter": "1"}, seed)) for seed in ("one", "two"))
    for match in (first, second):
        match.advance()
    one, other = PAINTER.hand(scene_of(first, 0)), PAINTER.hand(scene_of(second, 0))
    assert one is not None
    assert other is not None
    assert one.png != other.png
    assert one.alt != other.alt


def test_a_players_own_sealed_choice_is_shown() -> None:
    match = Match(GAME, GAME.setup(3, {"starter": "1"}, "one"))
    match.advance()
    pack = match.view(0).private["pack"]
    seen = []
    for card in pack[:2]:
        chosen = Match.replay(GAME, match.setup, match.log)
        chosen.play(0, [f"keep:{card}"])
        picture = PAINTER.hand(scene_of(chosen, 0))
        assert picture is not None
        assert picture.alt.startswith("You have chosen ")
        seen.append(picture)
        other = PAINTER.hand(scene_of(chosen, 1))
        assert other is not None
        assert "chosen" not in other.alt
    first, second = seen
    assert first.alt != second.alt
    assert first.png != second.png


@pytest.mark.parametrize("options", [{"magie": True}, TOGETHER])
def test_advice_frames_the_board_that_the_move_is_about(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move names this board after the ``>``; the card may belong to another board."""
    framed: list[Box] = []
    monkeypatch.setattr(Canvas, "frame", lambda _, box, **__: framed.append(box))
    seen = Counter[str]()
    for match in moments(full_match(3, 5, **options), 7):
        scene = scene_of(match, 0)
        boards = scene.view.public["boards"]
        for move in GAME.legal(match.state, 0) if 0 in match.actors else ():
            verb, _, argument = move.partition(":")
            name, _, board = argument.partition(">")
            if verb not in ("play", "route", "bonus") or board not in boards:
                continue
            framed.clear()
            canvas = Canvas(960, 800)
            hand.draw_positions(canvas, canvas.box, replace(scene, focus=move, legal=(move,)))
            column = Box(hand.WHO, 0, 960, 800).columns(len(boards))[list(boards).index(board)]
            assert framed == [column.inset(6, 2)]
            seen[verb] += name.rstrip("0123456789") in boards
    assert seen["play"]


def test_a_card_that_is_being_played_is_framed_with_its_boards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    framed: list[Box] = []
    monkeypatch.setattr(Canvas, "frame", lambda _, box, **__: framed.append(box))
    for match in moments(full_match(3, 5), 3):
        ways = [each for each in GAME.legal(match.state, 0) if each.startswith("play:KAMPF")]
        if 0 in match.actors and ways:
            break
    begun = ways[0].partition(">")[0] + ">"
    legal = tuple(way for way in ways if way.startswith(begun))
    PAINTER.hand(replace(scene_of(match, 0), focus=begun, legal=legal))
    assert len(framed) == 1 + len(legal) * hand.shows_positions(scene_of(match, 0)) > 1


@pytest.mark.full
def test_a_sheet_has_room_for_names_and_for_the_reasons_of_all_shields() -> None:
    names = ("Anna", "Bernhard von Löwenstein", "Çağla", "Wolfgang-Maximilian", "Šárka")
    match = matches.match_with_options("isolde", 5, seed=1)
    written = Canvas.text
    sheets = 0
    for ply, (_, _, facts) in enumerate(match.history(None), 1):
        if not any(fact.kind == "round_over" for fact in facts):
            continue
        scene = replace(matches.scene_at(match, ply), names=names)
        for account in accounts(scene):
            said: list[str] = []

            def text(canvas: Canvas, at: Any, words: str, *args: Any, **kinds: Any) -> Box:
                said.append(words)  # noqa: B023  # called before the next turn
                return written(canvas, at, words, *args, **kinds)

            with patch.object(Canvas, "text", text):
                draw_sheet(scene, account)
            for name in ("Anna", "Bernhard", "Çağla", "Wolfgang", "Šárka"):
                assert any(words.startswith(name) for words in said), name
            for entry in (entry for row in account.rows.values() for entry in row):
                if not entry.values or entry.why != sheet.UNMOVED:
                    assert entry.place in said, entry
            sheets += 1
    assert sheets


@pytest.mark.parametrize(("players", "points"), [(3, "17 and 10 points"), (4, "17, 10 and 4")])
def test_rules_of_boards_hold_for_the_colours_of_this_table(players: int, points: str) -> None:
    view = full_match(players, 1).view(None)
    assert points in board_rule("GRAL", view, texts("en"))
    for board in view.public["boards"]:
        assert ("third" in board_rule(board, view, texts("en"))) <= (players > 3)


@pytest.mark.parametrize(
    "step",
    [step for each in lessons() for step in each.steps if step.part is not None],
    ids=lambda step: step.key,
)
def test_the_board_shown_in_a_lesson_is_the_one_that_changes(step: LessonStep) -> None:
    right = step.judge(tuple(step.answers[0].split()))
    changing = Scene(step.view(), NAMES[: step.players], texts("en"))
    seen = [
        PAINTER.close_up(scene, step.part or 0)
        for scene in (changing, replace(changing, view=right.view))
    ]
    assert drawn(seen[0]) != drawn(seen[1])
