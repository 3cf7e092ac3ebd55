"""Lancelot's descriptions give the whole position, and its picture marks the last actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image

from cogs.games import WORDS
from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import Fact, Match
from render import PAINTERS
from render.canvas import Canvas
from render.lancelot.ground import FieldGeometry
from render.lancelot.marks import PENNANTS, News, led, position_from_view, takes
from render.lancelot.painter import draw_taken
from render.lancelot.pieces import THREAD, WAX
from render.lancelot.words import line_in_words
from render.scene import ALT_LIMIT, Picture, Scene
from render.theme import BRIGHT_GOLD, INK, LIGHT, SEATS
from scripts import matches
from tests.render.colours import opened, pixels_of, rgb
from tests.render.scenes import Case, cases, played, scene_at
from tests.render.test_bracket import texts_of

PAINTER = PAINTERS["lancelot"]
LAST = [case for case in cases("lancelot") if all(on for _, on in case.options)]


def stones_in(alt: str, players: int) -> dict[str, int]:
    """Read the stones back from a description listed square by square or grouped by column."""
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
    scene = scene_at(case, share)
    public = scene.view.public
    alt = PAINTER.describe(scene)
    assert stones_in(alt, case.players) == public["board"]
    assert (f"Excalibur is on {public['excalibur']}." in alt) == (public["excalibur"] is not None)
    for seat in range(case.players):
        assert f"{public['captured'][seat]} taken, {public['stock'][seat]} left to place" in alt
    assert alt.count("King's power unused") == sum(public["power"])


def crowded(players: int, language: str) -> Scene:
    """All stones on the board and the longest names: more text than any match needs."""
    view = played(Case("lancelot", players, (("king", True),))).view(None)
    squares = FieldGeometry(players, diagonals=False).lines.names
    board = {square: n % players for n, square in enumerate(squares[: 30 * players])}
    public = {**view.public, "board": board, "power": [True] * players, "stock": [30] * players}
    full = replace(view, public=public, outcome=None, phase="turn")
    return Scene(full, ("Wolfgang-Maximilian von Hohenlohe",) * players, texts(language), "K7Q2")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("language", LANGUAGES)
def test_even_the_fullest_board_fits_the_limit(players: int, language: str) -> None:
    scene = crowded(players, language)
    alt = PAINTER.describe(scene)
    assert len(alt) <= ALT_LIMIT
    assert "…." not in alt
    assert not alt.endswith("…")
    gathered = [
        re.findall(r"[A-N][0-9,]+", side) for side in re.split(r"[\d)]\W?: ", alt)[-players:]
    ]
    named = {
        f"{word[0]}{row}": seat
        for seat, words in enumerate(gathered)
        for word in words
        for row in word[1:].strip(",").split(",")
    }
    assert named.items() >= scene.view.public["board"].items()


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("sword", "has to place Excalibur"),
        ("turn", "is to move"),
        ("stone", "now has to place a stone"),
    ],
)
def test_the_description_says_what_is_due(phase: str, words: str) -> None:
    scene = scene_at(Case("lancelot", 3, (("king", True),)), 0.3)
    alt = PAINTER.describe(replace(scene, view=replace(scene.view, phase=phase)))
    sentence = next(s for s in alt.split(". ") if words in s)
    assert sentence.startswith(scene.names[scene.view.public["turn"]])


def test_the_description_names_the_winner() -> None:
    for seed in "123456":
        scene = scene_at(Case("lancelot", 2, (), seed), 1.0)
        assert scene.view.outcome
        winners = scene.view.outcome.winners()
        alt = PAINTER.describe(scene)
        if len(winners) == 1:
            assert f"{scene.names[winners[0]]} has won." in alt, seed
        else:
            assert "Shared victory: Anna and Bernhard von Löwenstein." in alt, seed


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["column K", "row 7", "the diagonal D4–K11"]),
        ("de", ["in Kolonne K", "in Reihe 7", "auf der Diagonale D4–K11"]),
    ],
)
def test_each_kind_of_line_has_its_own_words(language: str, lines: list[str]) -> None:
    """German uses a different preposition for diagonals than for rows and columns."""
    kinds = [("column", "K"), ("row", "7"), ("diagonal", "D4-K11")]
    assert [line_in_words(*kind, texts(language)) for kind in kinds] == lines
    named = [{"line": kind, "name": name} for kind, name in kinds]
    fact = Fact("captured", {"seat": 0, "squares": ["K7"], "lines": named})
    told = WORDS["lancelot"].tell(fact, ["A", "B"], texts(language))
    taken = "takes K7 in {lines}." if language == "en" else "schlägt K7 {lines}."
    assert told == f"A {taken}".format(lines=texts(language).list(lines))


EN = texts("en")


def _image(picture: Picture) -> Image.Image:
    return opened(picture.png)


def _near(pixel: Any, colour: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(pixel, colour, strict=True))


def _pixel(scene: Scene, square: str, dx: float, dy: float) -> tuple[int, ...]:
    """A pixel of the picture, by its offset from the centre of a square in square widths."""
    image = _image(PAINTER.board(scene))
    field = FieldGeometry.of(scene)
    x, y = field.centre(square)
    value = image.getpixel((int(x + dx * field.cell), int(y + dy * field.cell)))
    assert isinstance(value, tuple)
    return value


@pytest.mark.full
def test_the_square_of_the_last_stone_shines() -> None:
    match = Match(GAMES["lancelot"], GAMES["lancelot"].setup(2, {"starter": "1"}))
    match.play(0, ["E5"])
    match.play(1, ["H8"])
    ((_, move, facts),) = match.history(None, 1)
    scene = Scene(
        match.view(None), ("A", "B"), texts("en"), facts=tuple(facts), moves=((1, str(move)),)
    )
    light = tuple(int(LIGHT[n : n + 2], 16) for n in (1, 3, 5))
    gold = tuple(int(BRIGHT_GOLD[n : n + 2], 16) for n in (1, 3, 5))
    for colour, at in ((light, (-0.47, 0.1)), (gold, (-0.42, -0.46))):
        assert _pixel(scene, "H8", *at) == colour
        assert _pixel(scene, "E5", *at) != colour


def test_where_excalibur_left_is_shown_while_its_stone_is_due() -> None:
    """Even without facts, a dotted line starts at the square that Excalibur left."""
    match = Match(GAMES["lancelot"], GAMES["lancelot"].setup(2, {"starter": "1", "king": True}))
    match.play(1, ["X:E5"])
    match.play(0, ["X:I9"])
    scene = Scene(match.view(None), ("A", "B"), texts("en"))
    gold = (0xB8, 0x86, 0x0B)
    assert _pixel(scene, "E5", 0, 0) == gold
    assert _pixel(scene, "E9", 0, 0) != gold


def _forbidding(*moves: tuple[int, str]) -> tuple[Scene, list[str]]:
    """A position of two people after these moves with its legal moves, and all free squares."""
    match = Match(GAMES["lancelot"], GAMES["lancelot"].setup(2, {"starter": "1"}))
    for seat, move in moves:
        match.play(seat, [move])
    legal = tuple(match.game.legal(match.state, 0))
    scene = Scene(match.view(None), ("A", "B"), texts("en"), legal=legal)
    squares = [f"{column}{row}" for column in "DEFGHIJK" for row in range(4, 12)]
    return scene, [square for square in squares if square not in scene.view.public["board"]]


MOVES = (0, "E5"), (1, "H8"), (0, "E7"), (1, "J4")


def test_dots_lie_on_the_legal_squares_and_nowhere_else() -> None:
    scene, free = _forbidding(*MOVES)
    few = replace(scene, legal=scene.legal[::3])
    field, image = FieldGeometry.of(scene), _image(PAINTER.board(few))
    dotted = {
        square
        for square in free
        if image.getpixel(tuple(map(int, field.centre(square)))) == rgb(SEATS[0].colour)  # type: ignore[arg-type]
    }
    assert dotted == set(few.legal)


def test_where_nearly_all_is_legal_the_other_squares_are_dark() -> None:
    scene, free = _forbidding(*MOVES)
    field, image = FieldGeometry.of(scene), _image(PAINTER.board(scene))
    dark = set()
    for square in free:
        x, y = map(int, field.centre(square))
        if all(sum(image.getpixel((x + dx, y + 50))) < 450 for dx in (-40, 40)):  # type: ignore[arg-type]
            dark.add(square)
    assert dark == set(free) - set(scene.legal)
    assert dark, "the position must forbid some square"


def _matches(case: Case) -> Iterator[Match[Any]]:
    """Every seventh position of a random match."""
    match = played(case)
    for end in range(5, match.ply, 7):
        yield Match.replay(match.game, match.setup, match.log[:end])


def _scene(match: Match[Any], **more: Any) -> Scene:
    return Scene(match.view(None), ("A", "B", "C", "D", "E")[: match.setup.players], EN, **more)


@pytest.mark.parametrize("case", cases("lancelot"), ids=str)
def test_the_shown_captures_are_those_of_the_rules(case: Case) -> None:
    for match in _matches(case):
        view, (seat,) = match.view(None), match.actors
        foretold = takes(position_from_view(view), seat)
        for move in match.game.legal(match.state, seat):
            if move.startswith("X:"):
                continue
            after = match.state.clone()
            match.game.do(after, seat, move)
            left = match.game.view(after, None).public["board"]
            gone = view.public["board"].keys() - left.keys()
            assert set(foretold.get(move, ())) == gone, (match.ply, move)


def test_excalibur_also_captures_on_its_own_lines() -> None:
    """The book's sixth example: with Excalibur on G6, a stone on G8 captures four."""
    view = played(Case("lancelot", 3, (("king", True),))).view(None)
    board = dict.fromkeys(("C6", "J6", "G5", "G10", "G12"), 0)
    board |= dict.fromkeys(("E6", "G3", "G4", "G9"), 1)
    public = {**view.public, "board": board, "excalibur": "G6", "lifted": "D11", "turn": 0}
    public |= {"stock": [20, 20, 20], "captured": [0, 0, 0], "power": [False, True, True]}
    state = position_from_view(replace(view, public=public, phase="stone", outcome=None))
    assert set(takes(state, 0)["G8"]) == {"E6", "G3", "G4", "G9"}
    assert "G8" not in takes(state, 1)


@pytest.mark.parametrize("case", LAST, ids=str)
def test_pennants_mark_led_lines(case: Case) -> None:
    for match in list(_matches(case))[::4]:
        scene = _scene(match)
        image, field = _image(PAINTER.board(scene)), FieldGeometry.of(scene)
        leads = {line: (seat, lead) for line, seat, lead in led(position_from_view(scene.view))}
        for line, (kind, _) in enumerate(field.lines.labels[: 2 * field.size]):
            n = line % field.size
            square = field.square(n if kind == "column" else n * field.size)
            centre = (
                (square.centre[0], field.box.top - PENNANTS)
                if kind == "column"
                else (field.box.right + PENNANTS, square.centre[1])
            )
            across = kind == "column"
            reach = range(-14, 15)
            spots = {
                image.getpixel((int(x) + aside * across, int(y) + aside * (not across)))
                for x, y in [centre]
                for aside in reach
            }
            shown = {seat for seat in range(case.players) if rgb(SEATS[seat].colour) in spots}
            assert shown == ({leads[line][0]} if line in leads else set()), (match.ply, line)


def test_a_lead_is_counted_as_the_rules_count_it() -> None:
    """The lead is the player's own stones minus those of all others and Excalibur."""
    for match in _matches(LAST[1]):
        public, state = match.view(None).public, position_from_view(match.view(None))
        leads = {line: (seat, lead) for line, seat, lead in led(state)}
        for line, squares in enumerate(state.field.squares_of):
            names = [state.field.names[square] for square in squares]
            owners = [public["board"][name] for name in names if name in public["board"]]
            hostile = public["excalibur"] in names
            best = {s: 2 * owners.count(s) - len(owners) - hostile for s in set(owners)}
            assert leads.get(line) == next(((s, n) for s, n in best.items() if n > 0), None)


@pytest.mark.parametrize("case", LAST, ids=str)
def test_exactly_the_capturing_squares_have_a_wax_disc(case: Case) -> None:
    for match in list(_matches(case))[::5]:
        (seat,) = match.actors
        legal = tuple(match.game.legal(match.state, seat))
        scene = _scene(match, legal=legal)
        image, field = _image(PAINTER.board(scene)), FieldGeometry.of(scene)
        radius = max(38.0, field.cell * 0.56) / 2
        waxed = set()
        for move in legal:
            if not move.startswith("X:"):
                x, y = field.centre(move)
                around = [image.getpixel((int(x) + dx, int(y + radius * 0.7))) for dx in (-2, 0, 2)]
                if all(_near(each, rgb(WAX)) for each in around):
                    waxed.add(move)
        assert waxed == set(takes(position_from_view(scene.view), seat)), match.ply


@pytest.mark.parametrize("case", cases("lancelot"), ids=str)
def test_the_close_up_says_what_each_seat_could_take(case: Case) -> None:
    for share, seats in ((0.5, case.players), (1.0, 1)):  # at the end nothing can be taken
        scene = scene_at(case, share, language="de")
        for seat in range(seats):
            picture = PAINTER.close_up(scene, seat)
            assert picture is not None
            assert len(picture.png) <= 150 * 1024
            assert len(picture.alt) <= ALT_LIMIT
            ways = takes(position_from_view(scene.view), seat)
            best = max(ways, key=lambda square: len(ways[square]), default=None)
            if best:
                assert all(name in picture.alt for name in (best, *ways[best]))


@pytest.mark.parametrize("case", cases("lancelot"), ids=str)
def test_the_key_of_a_close_up_is_whole(case: Case) -> None:
    """It has more room if nothing can be taken, and then only explains the leads."""
    for share in (0.0, 0.5, 1.0):
        scene = scene_at(case, share)

        def drawn(scene: Scene = scene) -> Picture:
            picture = PAINTER.close_up(scene, 0)
            assert picture is not None
            return picture

        written = texts_of(drawn)
        assert {"leads by one", "leads by two: full"} <= {*written}


def test_nothing_is_threatened_when_a_match_is_over() -> None:
    view = played(Case("lancelot", 2, ())).view(None)
    assert [takes(position_from_view(view), seat) for seat in (0, 1)] == [{}, {}]


@pytest.mark.parametrize("case", LAST, ids=str)
def test_a_close_up_draws_the_diagonals_that_the_seat_leads(case: Case) -> None:
    seen = False
    for match in list(_matches(case))[::8]:
        scene = _scene(match)
        led_by = [(seat, line) for line, seat, _ in led(position_from_view(scene.view))]
        for seat in range(0, case.players, 2):
            picture = PAINTER.close_up(scene, seat)
            assert picture is not None
            own = {line for leader, line in led_by if leader == seat}
            shown = _drawn_diagonals(_image(picture), scene, seat)
            assert shown == own & _diagonals(scene), (match.ply, seat)
            seen = seen or bool(shown)
    assert not dict(case.options).get("diagonals") or seen


def _diagonals(scene: Scene) -> set[int]:
    """The numbers of all diagonals."""
    labels = FieldGeometry.of(scene).lines.labels
    return {line for line, (kind, _) in enumerate(labels) if kind == "diagonal"}


def _drawn_diagonals(image: Image.Image, scene: Scene, seat: int) -> set[int]:
    """The diagonals on which a seat's colour shows between stones, apart from the corners of
    squares, where other diagonals cross.
    """
    field, colour = FieldGeometry.of(scene), rgb(SEATS[seat].colour)
    found = set()
    for line in _diagonals(scene):
        squares = field.squares(*field.lines.labels[line])
        for (x, y), (to_x, to_y) in pairwise(map(field.centre, squares)):
            shares = [n / 100 for n in (*range(31, 38), *range(63, 70))]
            spots = ((x + (to_x - x) * share, y + (to_y - y) * share) for share in shares)
            if any(image.getpixel((int(left), int(top))) == colour for left, top in spots):
                found.add(line)
    return found


def test_a_board_draws_the_led_diagonals_that_the_last_turn_touched() -> None:
    """Four stones lead many diagonals; the last stone's are drawn, and no others."""
    game = GAMES["lancelot"]
    match = Match(game, game.setup(2, {"starter": "1", "diagonals": True}))
    for seat, move in MOVES:
        match.play(seat, [move])
    facts = tuple(match.history(None)[-1][2])
    scene = Scene(match.view(None), ("A", "B"), EN, facts=facts)
    image = _image(PAINTER.board(scene))
    leads = {(seat, line) for line, seat, _ in led(position_from_view(scene.view))}
    field = FieldGeometry.of(scene)
    own = {
        line
        for line in _diagonals(scene)
        if "J4" in field.squares(*field.lines.labels[line]) and (1, line) in leads
    }
    assert own
    assert _drawn_diagonals(image, scene, 1) == own
    assert not _drawn_diagonals(image, scene, 0)
    choice = replace(scene, legal=tuple(game.legal(match.state, match.actors[0])))
    assert not _drawn_diagonals(_image(PAINTER.board(choice)), choice, 1)


@pytest.mark.parametrize("seat", range(5))
def test_a_stone_that_was_taken_keeps_its_colour_on_any_ground(seat: int) -> None:
    seen = []
    for ground in (THREAD, LIGHT, INK):
        canvas = Canvas(80, 80, ground)
        draw_taken(canvas, (40, 40), seat, 66)
        seen.append(pixels_of(canvas).crop((20, 20, 60, 60)).tobytes())
    assert len(set(seen)) == 1


def test_five_plates_have_room_for_a_long_name() -> None:
    names = ("Bernhard von Löwenstein", *["Wolfgang-Maximilian"] * 2, *["Maximilian"] * 2)
    scene = replace(scene_at(Case("lancelot", 5, ()), 0.5), names=names)
    written = texts_of(lambda: PAINTER.board(scene))
    assert {"Bernhard von", "Löwenstein", "Maximilian\u00a01", "Maximilian\u00a02"} <= {*written}
    assert not [words for words in written if "…" in words]


def test_the_words_name_lines_that_are_full_for_their_leader() -> None:
    match = Match(GAMES["lancelot"], GAMES["lancelot"].setup(2, {"starter": "1"}))
    for seat, move in ((0, "E7"), (1, "H8"), (0, "G7")):
        match.play(seat, [move])
    assert "A leads row 7 by two or more." in PAINTER.describe(_scene(match))


def test_the_text_draws_the_grid() -> None:
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


def test_the_lines_of_the_last_turn_are_kept_apart_from_older_ones() -> None:
    match = matches.match_with_options("lancelot", 3, seed=0)
    news = News.of(matches.scene_at(match, round(match.ply * 0.5)))
    assert news.lines == [("row", "12")]
    assert news.older == [("column", "G")]
