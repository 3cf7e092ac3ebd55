"""Twilight's pictures and descriptions have all public information, and not a card more."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import dist
from typing import Any
from unittest.mock import patch

import pytest
from PIL import Image

from data.texts import LANGUAGES, texts
from games.engine import Match
from games.twilight import CARDS, TwilightState
from games.twilight.position import ORDER
from render import PAINTERS
from render.canvas import Canvas
from render.geometry import Box, Point
from render.letters import lines_of, text_width
from render.names import printed_names
from render.scene import ALT_LIMIT, Picture, Scene
from render.theme import MARGIN, WIDTH, Type
from render.twilight.account import DEALS_SHOWN, OWNER, _rooms, deals, draw_account, sheet
from render.twilight.cards import height_of, turned
from render.twilight.colours import DIM, PALETTE
from render.twilight.hand import (
    LONE_CARD,
    NEW_MOON_CARD,
    PAIRED,
    PAIRED_GAP,
    QUESTIONS,
    SCARCE,
    SEVENTH,
)
from render.twilight.signs import CRESCENT
from render.twilight.words import (
    A_CARD,
    NEW_MOONS_TURN,
    YOUR_TURN,
    heading,
    is_lone,
    new_moon,
    playable,
    request,
)
from tests.games.twilight_twins import GAME, after_each_event, positions, random_match, twin
from tests.render.colours import opened
from tests.render.scenes import NAMES

PAINTER = PAINTERS["twilight"]


def scene(
    match: Match[TwilightState], viewer: int | None, language: str = "en", since: int | None = None
) -> Scene:
    """A viewer's scene of a match with its last event."""
    told = match.history(viewer, match.ply - 1 if since is None else since)
    return Scene(
        view=match.view(viewer),
        names=NAMES[: match.setup.players],
        say=texts(language),
        code="K7Q2",
        facts=tuple(fact for _, _, facts in told for fact in facts),
        moves=tuple((seat, move) for seat, move, _ in told if move is not None),
    )


def drawn(at: Scene) -> Picture:
    """The private picture, which must exist."""
    picture = PAINTER.hand(at)
    assert picture is not None
    return picture


def some_positions(players: int, step: int, seed: int = 1) -> Iterator[Match[TwilightState]]:
    """Every nth position of a random match."""
    for n, at in enumerate(positions(random_match(players, seed))):
        if n % step == 0:
            yield at


# ----------------------------------------------------------------------------- secrets
@pytest.mark.slow("twin tables")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.seeds(2, always=1)
def test_scenes_do_not_depend_on_what_a_viewer_does_not_know(players: int, seed: int) -> None:
    """Pictures and words are made from scenes alone, so nothing hidden shows if a match and its
    twin have equal scenes.
    """
    rng = random.Random(seed)
    compared = 0
    for at in positions(random_match(players, seed)):
        for viewer in (*range(players), None):
            other = twin(at, viewer, rng)
            if other is None:
                continue
            compared += 1
            assert at.state != other.state
            assert scene(at, viewer) == scene(other, viewer), (seed, at.ply, viewer)
    assert compared > 500


@pytest.mark.full
@pytest.mark.parametrize("players", [3, 4])
def test_hands_are_different_if_the_cards_are(players: int) -> None:
    rng = random.Random(1)
    at = next(some_positions(players, step=1))
    other = twin(at, None, rng)
    assert other is not None
    changed = [
        seat
        for seat in range(players)
        if PAINTER.hand(scene(at, seat)) != PAINTER.hand(scene(other, seat))
    ]
    assert len(changed) == 2


@pytest.mark.parametrize("players", [3, 4])
def test_the_description_names_no_hidden_card(players: int) -> None:
    """The public words name the cards in the trick, those left lying, those of the last trick and
    of New Moon's hand, and no others.
    """
    for at in some_positions(players, step=3):
        public = at.view(None).public
        shown = {each["card"] for each in public["table"]}
        shown |= {*public["pending"], *(public["open"] or ())}
        if public["tricks"]:
            shown |= {each["card"] for each in public["last"]["laid"]}
        alt = PAINTER.describe(scene(at, None))
        assert {card for card in CARDS if card in alt} == shown, at.ply


@pytest.mark.full
def test_remembered_tricks_are_not_drawn() -> None:
    """A view includes the tricks already taken, for the search; they do not change the picture."""
    at = next(at for at in positions(random_match(4, 1)) if len(at.state.winners) == 3)
    mine = scene(at, 0)
    forgetful = replace(mine, view=replace(mine.view, private={"hand": mine.view.private["hand"]}))
    assert PAINTER.hand(mine) == PAINTER.hand(forgetful)
    assert PAINTER.text(mine) == PAINTER.text(forgetful)


# ------------------------------------------------------------------------ the table's words
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [3, 4])
def test_the_description_covers_the_whole_position(players: int, language: str) -> None:
    for at in some_positions(players, step=7):
        view = at.view(None)
        alt = PAINTER.describe(scene(at, None, language))
        assert len(alt) <= ALT_LIMIT
        say = texts(language)
        for place, seat in enumerate(view.public["places"]):
            if seat is not None:
                told = say(
                    "{name} ({look}, {cult}): {points}; in hand {moon} Moon, {sun} Sun.",
                    name="",
                    look="",
                    cult="",
                    points=say.plural("{n} point", "{n} points", view.public["totals"][seat]),
                    moon=view.public["moon"][place],
                    sun=view.public["sun"][place],
                )
                assert told.partition(")")[2] in alt, at.ply
        assert NAMES[view.actors[0]] in alt


def test_the_description_tells_for_whom_a_card_was_given() -> None:
    at = next(
        at
        for at in positions(random_match(4, 1))
        if any(each["giver"] != each["place"] for each in at.view(None).public["table"])
    )
    each = next(e for e in at.view(None).public["table"] if e["giver"] != e["place"])
    alt = PAINTER.describe(scene(at, None))
    assert f"for {NAMES[each['place']]} from {NAMES[each['giver']]}" in alt
    assert each["card"] in alt


def test_the_description_says_who_has_to_give_for_whom() -> None:
    for at in positions(random_match(4, 2)):
        public = at.view(None).public
        if public["ordered"] is not None:
            cult = ("a Moon card", "a Sun card")[public["turn"] % 2]
            giver, receiver = NAMES[public["ordered"]], NAMES[public["turn"]]
            alt = PAINTER.describe(scene(at, None))
            assert f"{giver} is to give {cult} for {receiver}." in alt


@pytest.mark.parametrize("players", [3, 4])
def test_the_text_says_nothing_twice(players: int) -> None:
    """Together, the texts of the table and of a player's hand repeat no line and no card of that
    hand.
    """
    for at in some_positions(players, step=5):
        seat = at.actors[0]
        lines = PAINTER.text(scene(at, seat)).split("\n")
        assert len(lines) == len(set(lines))
        for name in at.view(seat).private["hand"]:
            assert sum(line.count(f"{name} (") for line in lines) == 1


@pytest.mark.parametrize("players", [3, 4])
def test_no_card_on_the_table_is_named_twice(players: int) -> None:
    """A card left lying is not listed again in the last trick."""
    lying = [at for at in positions(random_match(players, 1)) if at.view(None).public["pending"]]
    assert lying
    for at in lying[:12]:
        text = PAINTER.text(scene(at, None))
        assert all(text.count(f"{card} (") <= 1 for card in CARDS), at.ply


def test_the_text_names_exact_goals() -> None:
    for exact in (False, True):
        match = Match(GAME, GAME.setup(4, {"exact": exact}, "1"))
        assert ("333, 666 or 999" in PAINTER.text(scene(match, None, since=0))) is exact


def test_the_last_trick_of_a_deal_is_not_shown_in_the_next() -> None:
    """All cards are back in people's hands."""
    at = next(
        at
        for at in positions(random_match(4, 1))
        if at.state.round == 2 and not at.state.winners and not at.state.table
    )
    assert at.view(None).public["last"] is not None
    alt = PAINTER.describe(scene(at, None))
    assert "Last trick" not in alt
    assert not [card for card in CARDS if card in alt]


# ---------------------------------------------------------------------------- the hand
def hands_of_those_who_decide(players: int, step: int) -> Iterator[Scene]:
    for at in some_positions(players, step):
        yield scene(at, at.actors[0])


@pytest.mark.full
@pytest.mark.blank
@pytest.mark.parametrize("players", [3, 4])
def test_the_hand_is_described_in_full(players: int) -> None:
    """Without cards there is no picture, except for the lone player."""
    for at in hands_of_those_who_decide(players, step=13):
        if not at.view.private["hand"] and not is_lone(at.view):
            assert PAINTER.hand(at) is None
            continue
        alt = drawn(at).alt
        assert len(alt) <= ALT_LIMIT
        assert all(card in alt for card in at.view.private["hand"])
        first = alt.split(":")[0].split(".")[0]
        assert "It is your turn" in first or "orders" in first or "New Moon" in first


@pytest.mark.parametrize("players", [3, 4])
def test_playable_cards_are_marked(players: int) -> None:
    for at in positions(random_match(players, 4)):
        (seat,) = at.actors
        legal = GAME.legal(at.state, seat)
        assert playable(at.view(seat)) == {move for move in legal if move in CARDS}, at.ply
        for other in set(range(players)) - {seat}:
            assert playable(at.view(other)) == frozenset()


@pytest.mark.parametrize("players", [3, 4])
def test_the_question_asks_for_a_possible_move(players: int) -> None:
    """Players without a suitable card are asked to order one, and never one that nobody has."""
    asked = set()
    for at in (each for seed in range(3) for each in positions(random_match(players, seed))):
        (seat,) = at.actors
        if at.view(seat).public["ordered"] is None:
            words = request(at.view(seat), NAMES, texts("en"))
            legal = GAME.legal(at.state, seat)
            can = any(move in CARDS for move in legal), not set(legal) <= set(CARDS)
            assert (": play" in words, "order" in words) == can, (words, legal)
            asked.add(can)
    assert asked == {(True, True), (True, False), (False, True)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_is_cut(language: str) -> None:
    """Each question fits next to the cult's sign in the smallest size; one with long names takes up
    to two lines. New Moon plays for the Moon.
    """
    say, room = texts(language), WIDTH - 2 * MARGIN - 82
    asked = [say(each, card=say(A_CARD["moon"])) for each in NEW_MOONS_TURN.values()]
    asked += [say(each, card=say(card)) for each in YOUR_TURN.values() for card in A_CARD.values()]
    for question in asked:
        assert text_width(question, QUESTIONS[-1]) <= room, question
    names = ("Wolfgang-Maximilian zu Hohenlohe",) * 4
    ordered = 0
    for players in (3, 4):
        for at in hands_of_those_who_decide(players, step=3):
            question = heading(replace(at, say=say), names)
            assert " ".join(lines_of(question, room, 2, QUESTIONS[-1])) == question
            ordered += text_width(question, QUESTIONS[-1]) > room
    assert ordered


@pytest.mark.full
def test_a_question_in_two_lines_is_as_high_as_a_short_one() -> None:
    """Neither line slips into the trick below."""
    written: list[tuple[str, float]] = []
    real = Canvas.text

    def text(canvas: Canvas, at: Point, words: str, *args: Any, **more: Any) -> Box:
        written.append((words, at[1]))
        return real(canvas, at, words, *args, **more)

    def heights(shown: Scene) -> list[float]:
        question = heading(shown, printed_names(shown.names, shown.say))
        written.clear()
        drawn(shown)
        return [y for words, y in written if len(words) > len(long[0]) and words in question]

    long = ("Wolfgang-Maximilian zu Hohenlohe",) * 4
    with patch.object(Canvas, "text", text), patch.object(Canvas, "png", lambda *_: b""):
        for at in hands_of_those_who_decide(4, step=3):
            (short,), both = heights(at), heights(replace(at, names=long))
            assert sum(both) / len(both) == short
            if len(both) == 2:
                return
    raise AssertionError("no question takes two lines")


def test_the_edges_of_the_crescent_meet_at_its_horns() -> None:
    gaps = [dist(a, b) for a, b in pairwise((*CRESCENT, CRESCENT[0]))]
    assert sorted(gaps)[1] == pytest.approx(0)


@pytest.mark.full
def test_the_lone_players_picture_has_room_for_both_hands() -> None:
    """The soloist's picture is taller than the others' pictures, which are equally tall."""
    at = next(some_positions(3, step=1))
    lone = at.view(None).public["lone"]
    heights = {seat: Image.open(io.BytesIO(drawn(scene(at, seat)).png)).height for seat in range(3)}
    others = {height for seat, height in heights.items() if seat != lone}
    assert len(others) == 1
    assert heights[lone] > max(others)


@pytest.mark.parametrize("cards", range(1, PAIRED + 1))
def test_the_lone_players_last_cards_fit_beside_new_moons(cards: int) -> None:
    width = SEVENTH if cards == PAIRED else LONE_CARD
    gaps = WIDTH - 2 * MARGIN - cards * width - PAIRED_GAP * max(0, cards - 2)
    assert gaps > 2 * PAIRED_GAP


@pytest.mark.full
@pytest.mark.parametrize("lone", ["", "fixed", "rotating"])
def test_no_score_is_touched(lone: str) -> None:
    """In the short picture of a player who has no cards and is advised to order one, nothing
    touches a text.
    """
    match = random_match(3, 1, lone=lone) if lone else random_match(4, 1)
    pictures = 0
    for at in positions(match):
        (seat,) = at.actors
        if not at.view(seat).private["hand"]:
            for order in [move for move in GAME.legal(at.state, seat) if move.startswith(ORDER)]:
                assert drawn(replace(scene(at, seat), focus=order, legal=(order,)))
                pictures += 1
    assert pictures


def seen(canvas: Canvas) -> Image.Image:
    return opened(canvas.png(PALETTE))


def test_there_is_no_hand_without_cards() -> None:
    match = random_match(4, 1)
    assert PAINTER.hand(scene(match, 0)) is None
    assert PAINTER.hand(scene(next(positions(match)), None)) is None


def test_turned_cards_of_a_shape_share_their_mask() -> None:
    plain, other = (turned(name, 110, 12.0) for name in list(CARDS)[:2])
    faint = turned(next(iter(CARDS)), 110, 12.0, DIM)
    assert plain.mask is other.mask is faint.mask
    assert plain.colours.tobytes() != other.colours.tobytes()


@pytest.mark.full
@pytest.mark.parametrize("players", [3, 4])
def test_hands_are_wide_and_small_in_bytes(players: int) -> None:
    for at in hands_of_those_who_decide(players, step=120):
        picture = drawn(at)
        image = Image.open(io.BytesIO(picture.png))
        assert image.width == 1200
        assert image.height < 1000
        assert len(picture.png) <= 100 * 1024


def noted_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which every text written on a canvas from now on is added."""
    written: list[str] = []
    write = Canvas.text

    def noted(canvas: Canvas, at: Point, text: str, *more: Any, **named: Any) -> Box:
        written.append(text)
        return write(canvas, at, text, *more, **named)

    monkeypatch.setattr(Canvas, "text", noted)
    return written


@pytest.mark.full
@pytest.mark.parametrize("players", [3, 4])
def test_the_hand_names_the_partner_once(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    written = noted_texts(monkeypatch)
    for at in hands_of_those_who_decide(players, step=90):
        written.clear()
        drawn(at)
        assert written.count("plays with you") == 1
        assert written.count("New Moon") == (players == 3)


def test_whom_the_partner_plays_with_is_not_said_beside_new_moon() -> None:
    at = next(
        at
        for at in hands_of_those_who_decide(3, step=30)
        if len(at.view.private["hand"]) > SCARCE and not is_lone(at.view)
    )
    written: dict[str, tuple[Box, str]] = {}
    real = Canvas.text

    def text(canvas: Canvas, where: Point, words: str, kind: Type, ink: str, *more: Any) -> Box:
        box = real(canvas, where, words, kind, ink, *more)
        written[words] = box, ink
        return box

    with patch.object(Canvas, "text", text):
        PAINTER.hand(at)
    (said, ink), (name, bright) = written["plays with you"], written["New Moon"]
    assert ink != bright
    assert name.centre[1] - height_of(NEW_MOON_CARD) / 2 - said.bottom >= 16


# ------------------------------------------------------------------------------ moments
@pytest.mark.full
@pytest.mark.parametrize("kind", ["trick_won", "trick_lies"])
def test_a_trick_that_has_just_ended_is_shown(kind: str) -> None:
    at = next(
        at
        for at in positions(random_match(4, 1))
        if not at.state.table
        and at.actors
        and any(fact.kind == kind for fact in scene(at, None).facts)
    )
    mine = scene(at, None)
    assert PAINTER.board(mine).png != PAINTER.board(replace(mine, facts=())).png


# -------------------------------------------------------------------------- the accounts
@pytest.mark.full
def test_equal_sides_are_drawn_alike() -> None:
    """A side is drawn larger only if it has more points, whichever side it is."""
    at = next(accounted(4))
    (deal,) = deals(at.facts)
    moon, sun = ({**side, "points": 60} for side in deal.sides)

    def height(*sides: dict[str, object]) -> int:
        return draw_account(at, replace(deal, sides=sides)).height

    assert height(moon, sun) < height({**moon, "points": 61}, sun)
    assert height({**moon, "points": 61}, sun) == height(moon, {**sun, "points": 61})


def accounted(players: int, **options: str) -> Iterator[Scene]:
    """A scene for the end of each deal."""
    for at in after_each_event(random_match(players, 3, **options)):
        told = scene(at, None)
        if any(fact.kind == "totals" for fact in told.facts):
            yield told


@pytest.mark.full
@pytest.mark.parametrize("players", [3, 4])
def test_after_each_deal_there_is_an_account(players: int) -> None:
    for n, at in [*enumerate(accounted(players), 1)][::-3]:
        (picture,) = PAINTER.results(at)
        assert picture.name == f"twilight_deal_{n}.png"
        assert len(picture.png) <= 100 * 1024
        (deal,) = deals(at.facts)
        for side in deal.sides:
            words = f"{side['souls']} souls × {side['factor']} = {side['points']} point"
            assert words in picture.alt
        image = Image.open(io.BytesIO(picture.png))
        assert image.width == 1200
        assert image.height <= image.width


def test_between_deals_there_is_no_account() -> None:
    at = next(at for at in positions(random_match(4, 1)) if len(at.state.winners) == 3)
    assert PAINTER.results(scene(at, None)) == []


@pytest.mark.parametrize("lone", ["rotating", "fixed"])
def test_the_score_sheet_adds_up_to_the_totals(lone: str) -> None:
    for n, at in enumerate(accounted(3, lone=lone), 1):
        public = at.view.public
        for line in sheet(at.view, n):
            expected = public["totals"][line.seats[0]] if line.seats else public["neumond"]
            assert line.totals[-1] == expected
            assert len(line.totals) == n


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_sheet_has_room_for_new_moon(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    *_, last = accounted(3)
    written = noted_texts(monkeypatch)
    say = texts(language)
    PAINTER.results(replace(last, say=say))
    assert last.view.round > DEALS_SHOWN
    name = new_moon(say)
    assert name in written
    assert not [text for text in written if text.startswith(name[:4]) and text.endswith("…")]


def test_the_account_of_four_is_that_of_two_teams() -> None:
    *_, last = accounted(4)
    rows = list(sheet(last.view, last.view.round))
    assert [row.seats for row in rows] == [(0, 2), (1, 3)]
    assert [row.totals[-1] for row in rows] == last.view.public["totals"][:2]


def test_a_long_name_on_an_account_gets_the_room_that_others_leave() -> None:
    names = ["Bernhard von Löwenstein", "Anna"]
    widths = [text_width(name, OWNER) for name in names]
    assert _rooms(names, sum(widths)) == widths
    assert _rooms(names, 100 + widths[1]) == [100, widths[1]]
    assert _rooms([names[0]] * 2, 300) == [150, 150]
