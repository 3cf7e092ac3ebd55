"""The pictures of Die Holde Isolde show where everything stands, and their words say all of it."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from data.texts import texts
from games.engine import CHANCE, Fact, Match
from games.isolde.state import Due
from games.isolde.variants import VARIANTS
from render import PAINTERS
from render.canvas import Canvas
from render.isolde.devices import draw_device
from render.isolde.sheet import accounts
from render.isolde.standings import next_scoring, on_lap, prizes, ranking
from render.isolde.table import HEIGHT, tracks
from render.isolde.tracks import NUMBER_ROOM, Track
from render.isolde.words import BOARDS
from render.scene import ALT_LIMIT, Picture, Scene
from render.theme import INK, LIGHT, SEATS
from tests.games.isolde_table import GAME, place, table
from tests.games.isolde_twins import twin
from tests.render.scenes import NAMES

PAINTER = PAINTERS["isolde"]
KIB = 1024
TOGETHER = {v.key: True for v in VARIANTS if v.key != "galanterie"}
TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {"duo": "parzival", "galanterie": True}),
    (2, {"duo": "lancelot", "kodex": True}),
    (3, {}),
    (4, {"magie": True, "turnier": True, "koenig": True}),
    (5, TOGETHER),
]
LONG = ("Wolfgang-Maximilian von Hohenlohe",) * 5


def full_match(players: int, seed: int, **options: Any) -> Match[Any]:
    """A match of random moves to its end."""
    match = Match(GAME, GAME.setup(players, options, str(seed)))
    match.advance()
    rng = random.Random(seed)
    while match.actors:
        seat = rng.choice(match.actors)
        match.play(seat, [GAME.random_move(match.state, seat, rng)])
    return match


def moments(match: Match[Any], step: int) -> Iterator[Match[Any]]:
    """The match after every so many of its events, and at its end."""
    for ply in (*range(1, match.ply, step), match.ply):
        yield Match.replay(GAME, match.setup, match.log[:ply])


def scene_of(
    match: Match[Any],
    viewer: int | None = None,
    since: int | None = None,
    language: str = "en",
    names: tuple[str, ...] = NAMES,
) -> Scene:
    """What a viewer sees of a match, with its last event."""
    told = match.history(viewer, max(0, match.ply - 1) if since is None else since)
    return Scene(
        view=match.view(viewer),
        names=names[: match.setup.players],
        say=texts(language),
        code="K7Q2",
        facts=tuple(fact for _, _, facts in told for fact in facts),
    )


def drawn(picture: Picture | None) -> Image.Image:
    """The picture, which there must be."""
    assert picture is not None
    return Image.open(io.BytesIO(picture.png)).convert("RGB")


def still(state: Any, **more: Any) -> Scene:
    """A position set up by hand."""
    view = GAME.view(state, None)
    return Scene(view, NAMES[: view.players], texts("en"), "K7Q2", **more)


# --------------------------------------------------------------------------------- places
@pytest.mark.parametrize("boards", [list(BOARDS), [b for b in BOARDS if b != "MAGIE"]])
def test_scrolls_lie_side_by_side_in_the_picture(boards: list[str]) -> None:
    """None covers another one, and all end above the caption."""
    placed = tracks(boards)
    assert list(placed) == boards
    for one, other in combinations([track.box for track in placed.values()], 2):
        assert (
            one.right <= other.left
            or other.right <= one.left
            or one.bottom <= other.top
            or other.bottom <= one.top
        )
    assert max(track.box.bottom for track in placed.values()) < HEIGHT - 52


@pytest.mark.parametrize("board", ["ISOLDE", "GRAL"])
def test_fields_do_not_touch_the_start_or_the_ends(board: str) -> None:
    """Twenty fields of equal width, in reading order."""
    track = tracks([b for b in BOARDS if b != "MAGIE"])[board]
    cells = [track.cell(field) for field in range(1, 21)]
    assert all(cell.left >= track.start.right - 1 for cell in cells)
    assert all(cell.right <= track.box.right for cell in cells)
    assert [(c.top, c.left) for c in cells] == sorted((c.top, c.left) for c in cells)
    assert track.disc <= min(cell.height for cell in cells)


@pytest.mark.parametrize(("one", "other"), list(combinations(BOARDS, 2)))
def test_devices_differ_by_shape_alone(one: str, other: str) -> None:
    """As large as on a chip, black on white, at least a fifth of their ink is elsewhere."""
    first, second = _device(one), _device(other)
    different = ImageChops.difference(first, second).histogram()[255]
    assert different > (first.histogram()[255] + second.histogram()[255]) / 5


def _device(kind: str) -> Image.Image:
    canvas = Canvas(40, 40, LIGHT)
    draw_device(canvas, kind, (20, 20), 36, INK)
    return canvas._image.convert("L").point(lambda level: 255 if level < 128 else 0)


# --------------------------------------------------------------------------------- stacks
def colour_at(image: Image.Image, at: tuple[float, float]) -> Any:
    """One pixel."""
    return image.getpixel((round(at[0]), round(at[1])))


def rgb(colour: str) -> tuple[int, ...]:
    """A colour as a pixel has it."""
    return tuple(int(colour[n : n + 2], 16) for n in (1, 3, 5))


def test_the_first_of_a_stack_lies_on_top() -> None:
    """The last to come covers the one below, which shows underneath."""
    for first, second in ("AB", "BA"):
        state = table(4)
        place(state, "GRAL", f"{first}7 {second}7")
        image = drawn(PAINTER.board(still(state)))
        track: Track = tracks(list(GAME.view(state, None).public["boards"]))["GRAL"]
        cell = track.cell(7)
        bottom = cell.bottom - 1 - track.disc / 2
        below = colour_at(image, (cell.centre[0], bottom + track.disc * 0.31))
        step = min(track.disc / 2, cell.height - track.disc - 2)
        above = colour_at(image, (cell.centre[0], bottom - step + track.disc * 0.31))
        assert below == rgb(SEATS["AB".index(second)].colour)
        assert above == rgb(SEATS["AB".index(first)].colour)


@pytest.mark.parametrize("magie", [False, True])
@pytest.mark.parametrize("stack", ["A", "BA", "EDCBA"])
def test_numbers_of_fields_stand_free_of_pieces(stack: str, magie: bool) -> None:
    """On 5, 10, 15 and 20, however many pieces lie there, and even where one has just come to."""
    empty, full = table(5, magie=magie), table(5, magie=magie)
    for board, field in zip(("LANZE", "TURNIER", "GRAL", "BARM"), (5, 10, 15, 20), strict=True):
        place(full, board, " ".join(f"{colour}{field}" for colour in stack))
    view = GAME.view(full, None)
    come = Fact("moved", {"colour": 0, "board": "GRAL", "origin": 5, "field": 15})
    before = drawn(PAINTER.board(still(empty)))
    after = drawn(PAINTER.board(still(full, facts=(come,))))
    for board, here in view.public["boards"].items():
        for field in set(here["positions"]) - {0}:
            cell = tracks(list(view.public["boards"]))[board].cell(field)
            number = cell.left + 3, cell.top + 2, cell.right - 3, cell.top + NUMBER_ROOM
            assert not ImageChops.difference(before.crop(number), after.crop(number)).getbbox()


def test_the_order_of_a_stack_below_a_number_is_to_be_seen() -> None:
    """Whichever neighbours of five change places, at least ten pixels change plainly."""
    stack = "ABCDE"
    images = []
    for n in range(len(stack)):
        order = stack if n == 0 else stack[: n - 1] + stack[n] + stack[n - 1] + stack[n + 1 :]
        state = table(5)
        place(state, "GRAL", " ".join(f"{colour}5" for colour in order))
        boards = list(GAME.view(state, None).public["boards"])
        cell = tracks(boards)["GRAL"].cell(5)
        image = drawn(PAINTER.board(still(state)))
        images.append(image.crop((cell.left, cell.top, cell.right, cell.bottom)))
    for image in images[1:]:
        changes = ImageChops.difference(images[0], image).convert("L").histogram()
        assert sum(changes[40:]) >= 10


def test_the_text_names_the_round() -> None:
    """In its first line; and who is asked stands there once."""
    match = full_match(3, 4)
    for at in moments(match, 31):
        for viewer in (None, 0):
            lines = PAINTER.text(scene_of(at, viewer)).splitlines()
            assert lines[0] == f"K7Q2 · Fair Isolde · round {at.view(None).round} of 6"
            assert lines.count(lines[1]) == 1


def test_laps_are_counted_and_shown() -> None:
    """Field 20 ends the first lap; a piece one lap ahead looks different on the same field."""
    assert on_lap(20) == (0, 20)
    assert on_lap(21) == (1, 1)
    assert on_lap(43) == (2, 3)
    near, far = table(4), table(4)
    place(near, "GRAL", "A3")
    place(far, "GRAL", "A23")
    assert drawn(PAINTER.board(still(near))) != drawn(PAINTER.board(still(far)))
    assert "23 (1 lap + 3)" in PAINTER.text(still(far))


def test_the_last_move_is_framed() -> None:
    """Only the field that the piece has come to looks different."""
    state = table(4)
    place(state, "GRAL", "A3")
    fact = Fact("played", {"colour": 0, "card": "GRAL3", "board": "GRAL", "origin": 0, "field": 3})
    quiet, told = (
        drawn(PAINTER.board(still(state))),
        drawn(PAINTER.board(still(state, facts=(fact,)))),
    )
    difference = ImageChops.difference(quiet, told).crop((0, 0, 1200, 840)).getbbox()
    cell = tracks(list(GAME.view(state, None).public["boards"]))["GRAL"].cell(3)
    assert difference is not None
    assert cell.left - 4 <= difference[0] <= difference[2] <= cell.right + 4
    assert cell.top - 4 <= difference[1] <= difference[3] <= cell.bottom + 4


# --------------------------------------------------------------------------------- prizes
def won_by(fact: Fact) -> tuple[str, int, int]:
    """What a fact of a scoring gives: board, colour, value."""
    return fact.data["board"], fact.data["colour"], fact.data["value"]


@pytest.mark.seeds(6)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_a_place_would_bring_is_what_it_brings(players: int, seed: int) -> None:
    """The prizes shown before a board is scored are the shields that are then won."""
    match = full_match(players, seed, turnier=seed % 2 == 0, koenig=seed % 3 == 0)
    state = GAME.start(match.setup)
    for event in match.log:
        before = GAME.view(state, None)
        facts: list[Fact] = []
        GAME.do(state, event.seat, event.move, facts)
        if any(fact.kind in ("played", "moved") for fact in facts):
            continue  # what moves a piece may bring other prizes
        for board, colour, value in (won_by(f) for f in facts if f.kind == "shield"):
            due = [p for p in prizes(before, board) if colour in p.colours]
            assert [p.text.replace("−", "-") for p in due] == [str(value)], (board, seed)


def test_non_movers_share_the_last_place() -> None:
    """They come after all who have moved, with one number; there is no last but one then."""
    state = table(4)
    place(state, "STUDIEN", "A7 B5")
    view = GAME.view(state, None)
    assert ranking(view.public["boards"]["STUDIEN"]) == [(1, 0, 7), (2, 1, 5), (4, 2, 0), (4, 3, 0)]
    last, second_last = prizes(view, "STUDIEN")
    assert last.colours == (2, 3)
    assert second_last.colours == ()


def test_the_seal_tells_the_next_scoring() -> None:
    """Rounds 3 and 6 for the King, 2 and 5 for Magic, then never again."""
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
    """Six sheets; the sums of the rounds lead to the points of the result."""
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
        assert image.height <= 900
        assert len(picture.png) <= 100 * KIB
        assert picture.alt.startswith("Sheet of round")
        assert len(picture.alt) <= ALT_LIMIT


def test_a_sheet_is_complete_however_often_the_channel_was_told() -> None:
    """The facts of the last event of a round are enough for all its shields."""
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
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_words_and_pictures_of_all_moments_fit(
    players: int, options: dict[str, Any], language: str
) -> None:
    """Long names, every phase, every viewer: within the limits, and no word is cut off."""
    for at in moments(full_match(players, 5, **options), 23):
        for viewer in (None, *range(players)):
            scene = scene_of(at, viewer, language=language, names=LONG)
            pictures = [PAINTER.board(scene)] if viewer is None else [PAINTER.hand(scene)]
            for picture in filter(None, pictures):
                assert len(picture.alt) <= ALT_LIMIT
                assert not picture.alt.endswith("…"), picture.alt
                assert drawn(picture).height <= 900
                assert len(picture.png) <= 100 * KIB


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_the_description_says_where_every_piece_is(players: int, options: dict[str, Any]) -> None:
    """Each board has all fields in the order of places."""
    for at in moments(full_match(players, 6, **options), 29):
        alt = PAINTER.board(scene_of(at)).alt
        public = at.view(None).public
        for board, here in public["boards"].items():
            (pieces,) = re.findall(rf"{BOARDS[board]}(?: \([a-zIV]+\))?: ([^.]*)\.", alt)
            fields = [int(n) for n in re.findall(r" (\d+)", pieces)]
            assert fields == [here["positions"][colour] for colour in here["order"]]


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_board_can_be_shown_in_detail(players: int, options: dict[str, Any]) -> None:
    """All places with names, within the limits, in both languages."""
    at = list(moments(full_match(players, 7, **options), 37))[-4]
    for language in ("en", "de"):
        for part in range(len(at.view(None).public["boards"])):
            picture = PAINTER.close_up(scene_of(at, language=language, names=LONG), part)
            assert picture is not None
            assert 675 <= drawn(picture).height <= 900
            assert len(picture.png) <= 100 * KIB
            assert len(picture.alt) <= ALT_LIMIT


def test_german_words_are_german() -> None:
    """No sentence of any description or text stays English."""
    for players, options in TABLES:
        for at in moments(full_match(players, 8, **options), 97):
            scene = scene_of(at, 0, language="de", since=0)
            words = [PAINTER.board(scene).alt, PAINTER.text(scene)]
            words += [picture.alt for picture in PAINTER.results(scene)]
            hand = PAINTER.hand(scene)
            assert hand is not None
            for text in (*words, hand.alt):
                for english in (" moved", "Quest", "round ", "shield", "Points", "codex", "Pack"):
                    assert english not in text, text


# -------------------------------------------------------------------------------- secrets
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_nothing_depends_on_what_a_viewer_does_not_know(
    players: int, options: dict[str, Any]
) -> None:
    """Boards, hands, sheets and texts of twin matches are the same to the byte."""
    rng, compared = random.Random(players), 0
    for at in moments(full_match(players, 9, **options), 11):
        if at.outcome or any(seat == CHANCE for seat in at.actors):
            continue
        for viewer in (None, rng.randrange(players)):
            other = twin(at, viewer, rng)
            if other is not None:
                compared += 1
                assert _shown(at, viewer, compared % 4 == 0) == _shown(
                    other, viewer, compared % 4 == 0
                )
    assert compared >= 5


def _shown(match: Match[Any], viewer: int | None, in_pictures: bool) -> list[Any]:
    scene = scene_of(match, viewer)
    shown: list[Any] = [PAINTER.text(scene)]
    if in_pictures:
        shown += [PAINTER.board(scene), *PAINTER.results(scene), PAINTER.close_up(scene, 3)]
        shown += [] if viewer is None else [PAINTER.hand(scene)]
    return shown


def test_hands_differ_if_cards_do() -> None:
    """What the viewer does know is drawn: another pack is another picture and other words."""
    first, second = (Match(GAME, GAME.setup(3, {"starter": "1"}, seed)) for seed in ("one", "two"))
    for match in (first, second):
        match.advance()
    one, other = PAINTER.hand(scene_of(first, 0)), PAINTER.hand(scene_of(second, 0))
    assert one is not None
    assert other is not None
    assert one.png != other.png
    assert one.alt != other.alt
