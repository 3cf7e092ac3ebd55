"""Don Quixote's pictures: clear roads, hidden secrets, and accounts that explain the score."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from inspect import unwrap
from itertools import combinations, product
from typing import Any
from unittest.mock import patch

import pytest
from PIL import Image

from data.texts import LANGUAGES, texts
from games import GAMES
from games.donquixote import scoring_account
from games.donquixote.position import HAND_SIZES
from games.donquixote.tiles import CHURCH, FIELDS, PIECES, neighbour
from games.engine import Fact, Match
from render import PAINTERS
from render.canvas import Canvas, Sprite
from render.donquixote import hand as hand_picture
from render.donquixote import sheet
from render.donquixote.accounts import GAP, MEDAL, PAD, group_medal
from render.donquixote.accounts import LAND as ACCOUNT
from render.donquixote.board import LAND, LEGEND, lands, sheet_area
from render.donquixote.colours import (
    FALLOW,
    MEADOW,
    QUIET_ROAD,
    ROAD,
    TINTS,
    VERGE,
)
from render.donquixote.country import PLAY
from render.donquixote.land import Land, Marks, draw_bare, draw_land
from render.donquixote.sheet import (
    APART,
    CATEGORY_NAMES,
    DEFENCE,
    SMALL,
    category_icon,
    conditions,
    draw_conditions,
)
from render.donquixote.situation import Situation
from render.donquixote.tiles import OUTWARDS, port_at, road_width, tile, tile_height
from render.donquixote.words import WHY_NOT, account_lines
from render.geometry import Box, Point
from render.letters import text_width
from render.plates import CROWN
from render.scene import ALT_LIMIT, Scene
from render.theme import BRIGHT_GOLD, INK, LIGHT, PARCHMENT, SEATS, WIDTH, Palette
from scripts import matches
from scripts.sheets import DEUTERANOPIA, PROTANOPIA, TRITANOPIA, Matrix, seen_by
from tests.render.colours import Pixel, contrast, distance, opened, pixels_of, rgb
from tests.render.scenes import NAMES, Case, cases, played, scene_at

PAINTER = PAINTERS["donquixote"]
GAME = GAMES["donquixote"]
FULL = [case for case in cases("donquixote") if all(on for _, on in case.options)]
SIZES = (66, 76, 102, 128)
"""Widths of tiles, small and large."""


def pixel(image: Image.Image, x: float, y: float) -> Pixel:
    value = image.getpixel((int(x), int(y)))
    assert isinstance(value, tuple)
    return value


def near(seen: Pixel, colour: str) -> bool:
    """Return whether a pixel has nearly this colour, allowing for the palette and a trace of
    shadow.
    """
    return max(abs(a - b) for a, b in zip(seen, rgb(colour), strict=True)) <= 8


def scene_of(
    match: Match[Any], viewer: int | None = None, since: int | None = None, **changes: Any
) -> Scene:
    """The current state of a match as ``viewer`` sees it."""
    told = match.history(viewer, match.ply if since is None else since)
    scene = Scene(
        view=match.view(viewer),
        names=NAMES[: match.setup.players],
        say=texts("en"),
        code="K7Q2",
        facts=tuple(fact for _, _, facts in told for fact in facts),
        moves=tuple((seat, move) for seat, move, _ in told if move is not None),
    )
    return replace(scene, **changes)


def started(players: int, seed: str = "1", **options: Any) -> Match[Any]:
    match = Match(GAME, GAME.setup(players, options, seed))
    match.advance()
    return match


@cache
def scored(players: int, seed: str = "1") -> list[tuple[Scene, int]]:
    """The scenes after each of the three rounds, with the number of events up to then."""
    whole = played(Case("donquixote", players, (), seed))
    found = []
    match = Match(GAME, whole.setup)
    for ply, event in enumerate(whole.log):
        match, _ = match.extended([event])
        told = match.history(None, ply)
        facts = tuple(fact for _, _, facts in told for fact in facts)
        if any(fact.kind == "scored" for fact in facts):
            found.append((scene_of(match, facts=facts), ply + 1))
    return found


# --------------------------------------------------------------------------------- roads
@pytest.mark.parametrize("width", SIZES)
def test_a_road_leaves_a_tile_exactly_at_its_exits(width: int) -> None:
    for name, piece in PIECES.items():
        image = tile(name, width).colours
        for port in OUTWARDS:
            x, y = port_at(port, width)
            at = min(x, width - 2), min(y, tile_height(width) - 2)
            inside = max(at[0], 1), max(at[1], 1)
            road = pixel(image, *inside) == rgb(ROAD)
            assert road == (port in piece.exits), (name, port)


@pytest.mark.parametrize("width", SIZES)
def test_halves_are_joined_only_where_they_are_linked(width: int) -> None:
    """On tiles without a castle, a road continues below the symbol of an upper half, or above that
    of a lower one, if and only if it joins the two halves.
    """
    for name, piece in PIECES.items():
        if piece.tile.symbol == "castle":
            continue
        middle = tile_height(width) * (0.56 if piece.symbol_up else 0.44)
        seen = pixel(tile(name, width).colours, width / 2, middle)
        assert (seen == rgb(ROAD)) == piece.tile.linked, name


def test_roads_stand_out_from_the_meadow_without_colour() -> None:
    assert contrast(ROAD, MEADOW.light) >= 2.4
    assert contrast(VERGE, ROAD) >= 7
    assert contrast(VERGE, MEADOW.dark) >= 2.4


def test_roads_are_four_pixels_wide_on_a_phone() -> None:
    for width in SIZES:
        assert (road_width(width) + 4) * 360 / WIDTH >= 4.0, width


def drawn(board: dict[str, str], tried: str | None = None) -> tuple[Image.Image, Land]:
    """A principality on its own."""
    land = Land(8, 8, 66)
    canvas = Canvas(544, 314, PARCHMENT)
    draw_bare(canvas, land)
    draw_land(canvas, land, board, Marks(tried=tried), 0)
    return opened(canvas.png(EXACT)), land


EXACT = Palette([ROAD, VERGE, MEADOW.light, FALLOW.light, INK])
"""A palette that keeps these colours exact."""


def beside(land: Land, field: str, port: str, out: int) -> tuple[float, float]:
    """A point on the road of a port, ``out`` pixels beyond the edge of the field."""
    (x, y), (right, down) = port_at(port, land.tile), OUTWARDS[port]
    box = land.field(field)
    return box.left + x + right * out - (right > 0), box.top + y + down * out - (down > 0)


@pytest.mark.full
def test_a_road_continues_into_the_next_tile_or_ends_at_a_bar() -> None:
    for name, piece in PIECES.items():
        for port in piece.exits:
            there = neighbour("D2", port)
            assert there is not None
            for other, laid in PIECES.items():
                if other not in ("CH1", "KN01", "KN08r"):
                    continue
                image, land = drawn({"D2": name, there[0]: other})
                edge = [pixel(image, *beside(land, "D2", port, out)) for out in (-2, -1, 1, 2)]
                if there[1] in laid.exits:
                    assert set(edge) == {rgb(ROAD)}, (name, port, other)
                else:
                    assert edge[1] == rgb(VERGE), (name, port, other)


def test_a_road_towards_an_empty_field_stays_open() -> None:
    """The next tile may continue the road."""
    image, land = drawn({"D2": "SANCHO"})
    for port in OUTWARDS:
        assert pixel(image, *beside(land, "D2", port, -1)) == rgb(ROAD), port
        assert pixel(image, *beside(land, "D2", port, 3)) == rgb(ROAD), port


def test_a_road_out_of_the_land_opens_a_gate_in_the_wall() -> None:
    for field in FIELDS:
        for name in ("SANCHO", "CH3"):
            image, land = drawn({field: name})
            for port in OUTWARDS:
                if neighbour(field, port) is None:
                    gate = pixel(image, *beside(land, field, port, 4)) == rgb(ROAD)
                    assert gate == (port in PIECES[name].exits), (field, name, port)


def test_a_principality_looks_the_same_however_it_grew(rng: random.Random) -> None:
    laid = [*zip(FIELDS, rng.sample([*PIECES], len(FIELDS)), strict=True)][::2]
    laid += [(there[0], "SANCHO") for there in [neighbour(laid[3][0], "S")] if there]
    for count in range(len(laid)):
        drawn(dict(laid[:count]))
    grown, tried = drawn(dict(laid))[0], drawn(dict(laid), tried=laid[2][0])[0]
    rng.shuffle(laid)
    assert grown.tobytes() == drawn(dict(laid))[0].tobytes() == tried.tobytes()


# ------------------------------------------------------------------------------ the field
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_field_to_fill_is_the_only_bright_one(players: int) -> None:
    """In the viewer's own picture, the field of the position card is bright; other empty fields are
    dull.
    """
    match = started(players)
    scene = scene_of(match, 0)
    picture = PAINTER.hand(scene)
    assert picture is not None
    image = opened(picture.png)
    for field in FIELDS:
        box = LAND.field(field)
        if field not in match.view(None).public["boards"][0]:
            bright = near(pixel(image, box.left + 14, box.top + 20), LIGHT)
            assert bright == (field == scene.view.public["field"]), field


def test_alone_only_the_last_tile_is_marked() -> None:
    match = started(1)
    while match.ply < 16:
        match.play(0, match.game.legal(match.state, 0)[:1])
    told = scene_of(match, since=0)
    *earlier, last = [fact for fact in told.facts if fact.kind == "placed"]
    pictures = [
        PAINTER.board(replace(told, facts=facts)).png for facts in (told.facts, (last,), ())
    ]
    assert earlier
    assert len(set(pictures)) == 1
    image = opened(pictures[0])
    gold = {fact.data["field"]: _golden(image, fact.data["field"]) for fact in (*earlier, last)}
    assert [field for field, pixels in gold.items() if pixels] == [last.data["field"]]


def _golden(image: Image.Image, field: str) -> int:
    """How many pixels in a field's upper left corner have the gold of the last move's mark."""
    x, y, *_ = map(round, LAND.field(field))
    corner = image.crop((x, y, x + 10, y + 10))
    return sum(n for n, each in corner.getcolors() or () if each == rgb(BRIGHT_GOLD))


def test_tiles_are_as_large_in_the_hand_as_on_the_board() -> None:
    """Tiles in a hand are at least as large as on the board, and any number of them fits into the
    picture, with gaps.
    """
    for tiles in range(1, max(HAND_SIZES) + 2):
        width = hand_picture.tile_width(tiles)
        assert width >= LAND.tile
        across = 2 * tiles if tiles <= hand_picture.FEW else tiles
        rows = 1 if tiles <= hand_picture.ONE_ROW else 2
        assert -(-across // rows) * (width + 12) <= PLAY.width


@pytest.mark.full
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_boards_can_be_read_on_a_phone_held_upright(players: int) -> None:
    match = matches.match_with_options("donquixote", players, seed=0)
    for share in (0.0, 0.5, 0.9, 1.0):
        png = PAINTER.board(matches.scene_at(match, round(match.ply * share))).png
        assert opened(png).height <= 1.5 * WIDTH
        assert len(png) <= 150 * 1024, share
    assert all(land.tile * 360 >= 24 * WIDTH for land in lands(players))


def test_a_tile_that_was_chosen_is_a_back_in_the_colour_of_its_seat() -> None:
    match = started(3)
    match.play(1, [match.game.random_move(match.state, 1, random.Random(0))])
    picture = opened(PAINTER.board(scene_of(match)).png)
    for seat, land in enumerate(lands(3)):
        box = land.field(match.view(None).public["field"])
        x, y = round(box.left + box.width * 0.3), round(box.top + box.height * 0.2)
        wanted = SEATS[seat].colour if seat == 1 else LIGHT
        assert distance(pixel(picture, x, y), rgb(wanted)) < 3, seat


@pytest.mark.full
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_no_road_sticks_into_the_field_to_fill(players: int) -> None:
    match, seen = matches.match_with_options("donquixote", players, seed=0), 0
    for share in (0.2, 0.3, 0.5, 0.7, 0.8):
        scene = matches.scene_at(match, round(match.ply * share))
        due = scene.view.public["field"]
        picture = opened(PAINTER.board(scene).png).convert("RGB")
        for seat in scene.view.actors:
            if seat < 0 or due is None or due in scene.view.public["boards"][seat]:
                continue
            box = lands(players)[seat].field(due)
            left, top, right, bottom = (round(edge) for edge in box.inset(11))
            rim = [(x, y) for x in range(left, right) for y in (top, bottom)]
            rim += [(x, y) for y in range(top, bottom) for x in (left, right)]
            assert all(distance(pixel(picture, *at), rgb(LIGHT)) < 3 for at in rim)
            seen += 1
    assert seen


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_sheet_lists_every_category_and_the_sum(players: int) -> None:
    """At the end, each principality's sheet has three counts with the numbers needed, the total,
    and, if earlier rounds gave points, the addition that leads to it; nothing is cut.
    """
    match = matches.match_with_options("donquixote", players, seed=0)
    scene = matches.scene_at(match, match.ply)
    game = Situation(scene)
    earned = [game.total(seat) - game.account(seat)["points"] for seat in range(players)]
    written = patch.object(Canvas, "text", autospec=True, side_effect=Canvas.text)
    with written as text, patch.object(sheet, "_entry", unwrap(sheet._entry)):
        PAINTER.board(scene)
    lines = [call.args[2] for call in text.call_args_list]
    assert sum("/" in words for words in lines) == 3 * players
    assert [words for words in lines if words.endswith(" =")] == [
        f"{before} + {game.total(seat) - before} =" for seat, before in enumerate(earned) if before
    ]
    assert all(str(game.total(seat)) in lines for seat in range(players))
    assert not any("…" in words for words in lines)


@pytest.mark.full
@pytest.mark.parametrize("winners", [(0,), (0, 1, 2, 3)])
def test_winners_of_four_have_crowns_beside_the_sum(winners: tuple[int, ...]) -> None:
    match = matches.match_with_options("donquixote", 4, seed=0)
    scene = matches.scene_at(match, match.ply)
    ranks = tuple(1 if seat in winners else 2 for seat in range(4))
    assert scene.view.outcome is not None
    outcome = replace(scene.view.outcome, ranks=ranks)
    with patch.object(Canvas, "path", autospec=True, side_effect=Canvas.path) as drawn:
        PAINTER.board(replace(scene, view=replace(scene.view, outcome=outcome)))
    crowns = [call for call in drawn.call_args_list if call.args[1] is CROWN]
    assert len(crowns) == len(winners)
    for seat, call in zip(winners, crowns, strict=True):
        area = sheet_area(lands(4)[seat])
        assert call.kwargs["centre"][1] > area.bottom - 60


def test_a_solo_match_ends_without_a_crown() -> None:
    scene, _ = scored(1)[-1]
    assert scene.view.outcome is not None
    with patch.object(Canvas, "path", autospec=True, side_effect=Canvas.path) as drawn:
        PAINTER.board(scene)
    assert not [call for call in drawn.call_args_list if call.args[1] is CROWN]


def test_in_an_account_points_stand_apart_from_what_they_are_for() -> None:
    """A strength of ``12/12`` and its five points do not look like one number."""
    (scene, _), written = scored(1)[-1], dict[str, Box]()
    real = Canvas.text

    def text(canvas: Canvas, at: Point, words: str, *args: Any, **more: Any) -> Box:
        box = real(canvas, at, words, *args, **more)
        if box.top > ACCOUNT.walled.bottom:
            written[words] = box
        return box

    (fact,) = (fact for fact in scene.facts if fact.kind == "scored")
    need = fact.data["defence"]["need"]
    defence = {**fact.data["defence"], "strength": need, "points": 5}
    fact = replace(fact, data={**fact.data, "defence": defence})
    with patch.object(Canvas, "text", text):
        PAINTER.results(replace(scene, facts=(fact,)))
    assert written["5"].left - written[f"{need}/{need}"].right >= 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_account_has_room_for_the_names_of_its_categories(language: str) -> None:
    column = PLAY.columns(len(CATEGORY_NAMES), GAP)[0]
    for name in CATEGORY_NAMES.values():
        assert text_width(texts(language)(name), SMALL) <= column.width - 2 * PAD


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sky_has_room_for_what_a_round_asks_for(language: str) -> None:
    for number in (1, 2, 3):
        canvas = Canvas(WIDTH + 400, 130, PARCHMENT)
        draw_conditions(canvas, LEGEND, conditions(number, texts(language)))
        beyond = pixels_of(canvas).crop((round(LEGEND.right), 0, WIDTH + 400, 130))
        assert beyond.getcolors() == [(beyond.width * beyond.height, rgb(PARCHMENT))]


@pytest.mark.parametrize("buildings", [2, 3, 4])
def test_the_sky_tells_what_a_group_of_buildings_brings(buildings: int) -> None:
    told = next(each for row in conditions(1, texts("en")) for each in row if CHURCH in each)
    joined = {"A1": "CH1", "A2": "CH1", "A3": "CH4", "B3": "CH2"}
    account = scoring_account(dict([*joined.items()][:buildings]), 1)
    place = told.index(str(buildings))
    assert told[place - 1] == APART
    assert told[place + 1] == account["churches"]["points"]


# ------------------------------------------------------------------------------- secrets
def worlds(players: int, seed: int) -> Iterator[tuple[Match[Any], random.Random]]:
    """Positions of a random match in which at least one seat has chosen."""
    rng = random.Random(seed)
    match = started(players, str(seed))
    while match.actors:
        seat = match.actors[int(rng.random() * len(match.actors))]
        match.play(seat, [GAME.random_move(match.state, seat, rng)])
        if match.state.choices:
            yield match, rng


def other_world(match: Match[Any], knower: int | None, rng: random.Random) -> Match[Any]:
    """The same match, except that everyone other than ``knower`` has chosen differently where
    possible.
    """
    first = match.ply - len(match.state.choices)
    twin = Match.replay(GAME, match.setup, match.log[:first])
    for event in match.log[first:]:
        others = [m for m in GAME.legal(twin.state, event.seat) if m != event.move]
        known = event.seat == knower or not others
        twin.play(event.seat, [event.move if known else others[int(rng.random() * len(others))]])
    return twin


@pytest.mark.seeds(8, always=1)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_words_reveal_no_sealed_choice(players: int, seed: int) -> None:
    """Of the pictures, only a sample is compared."""
    compared = 0
    for match, rng in worlds(players, seed):
        knower = rng.choice([None, *range(players)])
        twin = other_world(match, knower, rng)
        since = max(0, match.ply - 5)
        here, there = (scene_of(m, knower, since) for m in (match, twin))
        assert PAINTER.text(here) == PAINTER.text(there), match.ply
        compared += 1
        if compared % 25 == 0:
            assert PAINTER.board(here) == PAINTER.board(there), match.ply
            assert PAINTER.hand(here) == PAINTER.hand(there), match.ply
            assert PAINTER.close_up(here, 0) == PAINTER.close_up(there, 0), match.ply
    assert compared > 20


def test_the_board_says_who_is_awaited_and_nothing_else_about_a_choice() -> None:
    match = started(2)
    match.play(0, [GAME.legal(match.state, 0)[0]])
    alt = PAINTER.describe(scene_of(match, None, 0))
    assert "Bernhard von Löwenstein is to move." in alt
    assert "lays" not in alt


def test_my_own_choice_lies_on_my_field() -> None:
    match = started(2)
    before = PAINTER.hand(scene_of(match, 0))
    choice = GAME.legal(match.state, 0)[-1]
    match.play(0, [choice])
    picture = PAINTER.hand(scene_of(match, 0))
    assert picture is not None
    assert before is not None
    assert f"You have chosen {choice}; nobody else sees it yet." in picture.alt
    assert f"{match.state.field} {choice}" in picture.alt
    box = LAND.field(match.view(0).public["field"])
    shown, empty = (opened(p.png).crop(box) for p in (picture, before))
    assert shown != empty
    other = PAINTER.hand(scene_of(match, 1))
    assert other is not None
    assert choice not in other.alt.split("Hand:")[0]


def test_tiles_that_may_be_chosen_have_frames() -> None:
    match = started(2)
    hand, legal = match.view(0).public["hands"][0], GAME.legal(match.state, 0)

    def frames(*ways: str) -> int:
        with patch.object(Canvas, "frame", autospec=True, side_effect=Canvas.frame) as frame:
            PAINTER.hand(replace(scene_of(match, 0), legal=ways))
        return frame.call_count

    assert frames() == 0
    assert frames(*legal) == len(hand) + match.view(0).public["sancho"][0]
    assert frames(hand[0], hand[0] + "r") == 1


@pytest.mark.full
# -------------------------------------------------------------------------------- advice
def test_advice_says_what_the_tile_would_bring() -> None:
    rng = random.Random(5)
    for seed in range(6):
        match = started(2, str(seed))
        for _ in range(int(rng.random() * 30)):
            seat = match.actors[0]
            match.play(seat, [GAME.random_move(match.state, seat, rng)])
        seat = match.actors[0]
        view = match.view(seat)
        for name in view.public["hands"][seat][:3]:
            for turning, piece in (("Unturned", name), ("Turned", name + "r")):
                advised = replace(scene_of(match, seat, focus=piece), legal=(piece,))
                picture = PAINTER.hand(advised)
                assert picture is not None
                assert len(picture.alt) <= ALT_LIMIT
                board = {**view.public["boards"][seat], view.public["field"]: piece}
                n = scoring_account(board, view.round)["points"]
                points = f"{n} point" + "s" * (n != 1)
                words = f"{turning}, it would be worth {points} if scored now."
                assert words in picture.alt, f"seed {seed}"


def test_sancho_is_advised_in_the_one_way_he_lies() -> None:
    match = started(2, sancho=True)
    picture = PAINTER.hand(replace(scene_of(match, 0, focus="SANCHO"), legal=("SANCHO",)))
    assert picture is not None
    assert "Turned," not in picture.alt
    assert "SANCHO (crossroads)" in picture.alt


# ------------------------------------------------------------------------------ accounts
@pytest.mark.full
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_each_round_is_accounted_for_once_by_every_principality(players: int) -> None:
    accounts = [PAINTER.results(scene) for scene, _ in scored(players)]
    assert [len(pictures) for pictures in accounts] == [players] * 3
    names = [picture.name for pictures in accounts for picture in pictures]
    assert len(set(names)) == 3 * players
    for pictures in accounts:
        for picture in pictures:
            assert opened(picture.png).size == (WIDTH, 914)
            assert len(picture.png) <= 150 * 1024
            assert len(picture.alt) <= ALT_LIMIT


def test_the_points_of_a_group_hide_no_other_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[Canvas, Sprite, Box]] = []
    stamp = Canvas.stamp

    def recorded(canvas: Canvas, sprite: Sprite, centre: Point, *args: Any) -> None:
        if canvas.width == WIDTH:
            drawn.append((canvas, sprite, Box.at(centre, *sprite.size)))
        stamp(canvas, sprite, centre, *args)

    signs = [category_icon("CA6", 44), category_icon("CA4", 44), category_icon(DEFENCE, 38)]
    size = group_medal(CHURCH, "2", TINTS[0]).size
    monkeypatch.setattr(Canvas, "stamp", recorded)
    for players, seed in product((1, 2, 3, 4), "123"):
        for scene, _ in scored(players, seed):
            PAINTER.results(scene)
    marks = [(at, box) for at, sprite, box in drawn if any(sprite is sign for sign in signs)]
    medals = [(at, Box.at(box.centre, *MEDAL)) for at, sprite, box in drawn if sprite.size == size]
    assert len(medals) > 20
    for at, points in medals:
        for box in (box for other, box in marks if other is at):
            apart = box.left >= points.right or points.left >= box.right
            assert apart or box.top >= points.bottom or points.top >= box.bottom


@pytest.mark.full
def test_an_account_gives_every_reason_in_words() -> None:
    for scene, _ in scored(3):
        pictures = PAINTER.results(scene)
        facts = [fact.data for fact in scene.facts if fact.kind == "scored"]
        for picture, data in zip(pictures, facts, strict=True):
            alt = picture.alt
            name = scene.names[data["seat"]]
            assert f"Scoring {data['round']}: {name} gets {data['points']} point" in alt
            for castle in data["castles"]:
                knights = "knight" if castle["need"] == 1 else "knights"
                present = f"{len(castle['knights'])} of {castle['need']} {knights} ("
                assert f"Castle {castle['value']} on {castle['field']}: {present}" in alt
            for kind in ("churches", "windmills"):
                for group in data[kind]["groups"]:
                    counted = f"{' '.join(group['fields'])} ({group['points']})"
                    assert (counted in alt) == bool(group["points"])
            defence = data["defence"]
            assert f"National defence {defence['strength']} of {defence['need']}:" in alt
            for status, why in WHY_NOT.items():
                fields = [k["field"] for k in defence["knights"] if k["status"] == status]
                assert (f"{why}: {' '.join(fields)}." in alt) == bool(fields)
            assert ("Largest group of knights" in alt) == (data["round"] == 3)


def test_a_late_account_shows_the_position_at_its_time() -> None:
    whole = played(Case("donquixote", 2, ()))
    for scene, ply in scored(2)[:2]:
        later = Match.replay(GAME, whole.setup, whole.log[: ply + 9])
        assert len(later.state.lands[0].board) > len(scene.view.public["boards"][0])
        late = replace(scene, view=later.view(None))
        assert PAINTER.results(late) == PAINTER.results(scene)


def test_more_networks_than_colours_can_be_accounted_for() -> None:
    board = {
        "A1": "CH1", "A2": "CH1r", "B1": "WM1", "B2": "WM1r", "C1": "CH1", "C2": "CH1r",
        "D1": "WM1", "D2": "WM1r", "E1": "CH1", "E2": "CH1r", "F1": "WM1", "F2": "WM1r",
        "G2": "CA6", "G1": "KN04", "G3": "KN04", "A3": "KN09", "H1": "KN08r", "H3": "KN10r",
    }  # fmt: skip
    reasons = scoring_account(board, 3)
    match = played(Case("donquixote", 1, ()))
    view = replace(match.view(None), public={**match.view(None).public, "boards": [board]})
    counted = {g["network"] for kind in ("churches", "windmills") for g in reasons[kind]["groups"]}
    assert len(counted) == 6
    for round_ in (1, 2, 3):
        data = {"seat": 0, "total": 40, **scoring_account(board, round_)}
        scene = replace(scene_of(match), view=view, facts=(Fact("scored", data),))
        (picture,) = PAINTER.results(scene)
        assert len(picture.png) <= 150 * 1024


def test_in_an_account_only_roads_that_count_have_a_colour() -> None:
    match = started(1)
    board = {"A1": "CH1", "A2": "CH1r", "D1": "WM1"}
    public = {**match.view(None).public, "boards": [board]}
    data = {"seat": 0, "total": 2, **scoring_account(board, 1)}
    view = replace(match.view(None), public=public)
    (picture,) = PAINTER.results(replace(scene_of(match), view=view, facts=(Fact("scored", data),)))
    image = opened(picture.png)
    for field, colour in (("A1", TINTS[1]), ("A2", TINTS[1]), ("D1", QUIET_ROAD)):
        box = ACCOUNT.field(field)
        seen = pixel(image, box.left + box.width / 2, box.top + box.height * 0.58)
        assert near(seen, colour), field


@pytest.mark.parametrize("eyes", [None, PROTANOPIA, DEUTERANOPIA, TRITANOPIA])
def test_everybody_can_tell_roads_that_count_apart(eyes: Matrix | None) -> None:
    colours = [*map(rgb, TINTS), rgb(QUIET_ROAD)]
    row = Image.new("RGB", (len(colours), 1))
    row.putdata(colours)
    seen = row if eyes is None else row.filter(seen_by(eyes))
    for one, other in combinations(range(len(colours)), 2):
        assert distance(pixel(seen, one, 0), pixel(seen, other, 0)) > 12, (one, other)


# -------------------------------------------------------------------------------- words
def boards_in(alt: str) -> list[dict[str, str]]:
    """Read the principalities back from a description listed field by field or row by row."""
    boards = []
    for sentence in re.findall(r"(?:;|\d:) ((?:[A-H][1-3] |1 )[^.]*)\.", alt):
        if sentence.startswith("1 "):
            rows = [row.split()[1:] for row in sentence.split("; ")]
            pieces = [piece for row in rows for piece in row]
            board = {f: p for f, p in zip(FIELDS, pieces, strict=True) if p != "–"}
        else:
            board = dict(pair.split() for pair in sentence.split(", "))
        boards.append(board)
    return boards


@pytest.mark.parametrize("case", FULL, ids=str)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.9, 1.0])
def test_the_description_names_every_tile(case: Case, share: float) -> None:
    scene = scene_at(case, share)
    alt = PAINTER.describe(scene)
    assert boards_in(alt) == scene.view.public["boards"]
    for total in scene.view.public["totals"]:
        assert re.search(rf"\b{total}(?: points?|:)", alt)


def test_the_description_says_which_roads_lead_to_the_field() -> None:
    """Roads are named by their side of the field and their origin; the viewer's own picture also
    lists the fields that roads join.
    """
    match = started(2)
    view = match.view(0)
    board = {"B1": "CH1", "A2": "KN01", "C2": "WM2", "B3": "KN08", "E2": "CH1", "E3": "CH4"}
    public = {**view.public, "boards": [board, {}], "field": "B2"}
    scene = replace(scene_of(match, 0), view=replace(view, public=public))
    roads = "above (B1), upper right (C2), below (B3), lower left (A2), upper left (A2)"
    hand = PAINTER.hand(scene)
    assert hand is not None
    for alt in (hand.alt, PAINTER.describe(scene)):
        assert f"Roads lead to B2: {roads}." in alt
    assert "Joined by roads: E2-E3." in hand.alt
    assert "No road leads to B2." in PAINTER.describe(scene)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [3, 4])
def test_the_fullest_board_with_the_longest_names_fits(players: int, language: str) -> None:
    names = tuple("ÄWüM" * 8 for _ in range(players))
    said = texts(language)
    for share in (0.3, 0.6, 0.8, 0.97, 1.0):
        scene = scene_at(Case("donquixote", players, ()), share, language=language, names=names)
        alt, public = PAINTER.describe(scene), scene.view.public
        assert len(alt) <= ALT_LIMIT
        assert boards_in(alt) == public["boards"]
        if public["field"]:
            roads = [said("Roads lead to {field}: {places}.", field=public["field"], places="")]
            roads.append(said("No road leads to {field}.", field=public["field"]))
            assert sum(alt.count(each.rstrip(". ")) for each in roads) == players


@pytest.mark.parametrize("case", FULL, ids=str)
def test_the_text_gives_principalities_hands_and_tiles(case: Case) -> None:
    scene = scene_at(case, 0.5)
    lines = PAINTER.text(scene).splitlines()
    grids = [
        {
            f"{column}{row.split()[0]}": piece
            for row in lines[start + 1 : start + 4]
            for column, piece in zip("ABCDEFGH", row.split()[1:], strict=True)
            if piece != "–"
        }
        for start, line in enumerate(lines)
        if line.split() == list("ABCDEFGH")
    ]
    assert grids == scene.view.public["boards"]
    hands = [line.removeprefix("Hand: ") for line in lines if line.startswith("Hand: ")]
    assert hands == [f"{' '.join(hand)}." for hand in scene.view.public["hands"] if hand]
    explained = dict(re.findall(r"(\w+) ([↑↗↖↓↘↙–]+[+/][↑↗↖↓↘↙–]+)", "\n".join(lines)))
    assert {piece.tile.name for piece in PIECES.values()} == set(explained)
    assert explained["CH1"] == "↑+↓"
    assert explained["CH3"] == "↑↖/–"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_of_four_principalities_is_short(language: str) -> None:
    names = tuple("ÄWüM" * 8 for _ in range(4))
    for share in (0.1, 0.6, 0.97, 1.0):
        scene = scene_at(Case("donquixote", 4, ()), share, language=language, names=names)
        text = PAINTER.text(scene)
        assert len(text) <= 2600, (share, len(text))


def test_one_needed_knight_is_in_the_singular() -> None:
    scene = scene_at(Case("donquixote", 2, ()), 0.5)
    board = scene.view.public["boards"][0]
    for language, one, many in (
        ("en", "1 knight ", "2 knights "),
        ("de", "1 Ritter ", "2 Rittern "),
    ):
        first, second = (
            next(account_lines(scoring_account(board, round_), texts(language)))
            for round_ in (1, 2)
        )
        assert one in first
        assert many in second


def test_playing_alone_ends_with_a_verdict() -> None:
    scene, _ = scored(1)[-1]
    alt = PAINTER.describe(scene)
    assert "has won" not in alt
    total = scene.view.public["totals"][0]
    verdict = "a fight against windmills" if total < 30 else "fair"
    assert f"The game is over: {verdict}." in alt, total
