"""Cards stay within Discord's limits and offer only what can be done."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from cogs.games import WORDS
from cogs.gateway.cards import Attachment, Button, Card, Gallery, PersonSelect, Row, Select
from cogs.gateway.controls import Control
from cogs.gateway.layouts import files_of, layout
from cogs.present import private
from cogs.present.board import CONTROLS, board_card, result_in_words, turn_line
from cogs.present.drawings import Drawing, close_up_drawing
from cogs.present.lobby import lobby_card
from cogs.present.private import hand_card
from cogs.present.setup import draft_of, options_menu, values_card
from cogs.present.surfaces import Surface
from cogs.present.times import deadline
from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import Fact
from play.decide import decide
from play.ending import Ending, Resign
from play.hints import Hint
from play.judgement import Judged, Judgement, Verdict
from play.lessons import LessonStep
from play.moves import PlayForComputer, PlayMoves
from play.plans import Plan
from play.table import Table, swapped
from render import PAINTERS
from render.scene import Scene
from scripts.matches import all_modules
from tests.cogs.present.tables import (
    ANNA,
    BEN,
    CODE,
    NAMES,
    NOON,
    Channel,
    any_move,
    one_move,
    opened,
    started,
)
from tests.limits import COMPONENTS_V2, check_message

SETUPS = [
    pytest.param(
        game,
        players,
        everything,
        id=f"{game}-{players}-{'all' if everything else 'bare'}",
        marks=[] if players in (min(counts), max(counts)) else pytest.mark.long,
    )
    for game in sorted(GAMES)
    for counts in [GAMES[game].info.players]
    for players in counts
    for everything in (False, True)
    if everything or players == max(counts)
]
"""Games, numbers of players, and whether all compatible options are on."""


def faults_of(card: Card) -> list[str]:
    """Discord's objections to a card, if each drawing becomes one picture."""
    parts = tuple(
        replace(part, files=(Attachment(f"{n}.png", b"-", "alt"),))
        if isinstance(part, Gallery)
        else part
        for n, part in enumerate(card.parts)
    )
    card = replace(card, parts=parts)
    message = {
        "components": layout(card).to_components(),
        "flags": COMPONENTS_V2,
        "allowed_mentions": {"parse": []},
        "attachments": [
            {"filename": file.filename, "description": "alt"} for file in files_of(card)
        ],
    }
    return check_message(message)


def private_cards(table: Table, language: str) -> list[Card]:
    """Cards that a person can be shown in private at a running table."""
    words, say = WORDS[table.row.game], texts(language)
    seat = table.awaited[0]
    cards = [
        private.menu_card(table, words, say, seat, "", drawn=False),
        private.news_card(table, words, say, seat),
        private.news_card(table, words, say, None),
        private.more_card(table, ANNA, say),
        private.more_card(table, 99, say),
        private.resign_card(table, ANNA, say),
        private.plans_card(table, ANNA, say),
    ]
    if words.close_up is not None:
        parts = words.parts(table.played.view(None), table.names, say)
        drawing = close_up_drawing(table, 0, say)
        cards.append(private.close_up_card(table, words, say, parts, 0, drawing))
    if table.game.info.has_secrets:
        cards += [hand_card(table, words, say, each) for each in range(len(table.members))]
    return cards


@pytest.mark.parametrize(("game", "players", "everything"), SETUPS)
def test_every_moment_of_a_match(
    game: str, players: int, everything: bool, rng: random.Random
) -> None:
    """All surfaces after some moves, and the private cards after fewer, stay within Discord's
    limits, whatever names people have. Matches with all options are in German, the longer language.

    A board has at most eight controls, in the channel or in direct messages. The name of a move is
    unique and not a code, on buttons too.
    """
    language = "de" if everything else "en"
    options = all_modules(GAMES[game], players) if everything else {}
    channel = Channel(opened(game, players, language=language, **options))
    for member in channel.table.members:
        name = "W" * 32 if member.number else "@everyone *_`|<>#[]().-:~"
        members = swapped(channel.table.members, member, name=name)
        channel.table = channel.table.changed(members=members)
    channel.hear()
    channel.start()
    counts = []

    def look(wanted: Sequence[Surface]) -> None:
        for surface in wanted:
            assert faults_of(surface.card) == [], surface.key
        counts.append(check_board(channel.table, language))
        if channel.table.awaited and len(counts) % 4 == 1:
            for card in private_cards(channel.table, language):
                assert faults_of(card) == []

    channel.play_out(rng, look, share=0.15 if players > 1 else 1)  # a match alone is short
    assert 2 < max(counts) <= CONTROLS


def check_board(table: Table, language: str) -> int:
    """Fail if possible moves are named by codes or share a name; return the largest number of
    controls on a board.
    """
    words, say = WORDS[table.row.game], texts(language)
    for seat in table.awaited[:1]:
        legal = table.legal(seat)
        menu = words.menu(table.played.view(seat), legal, "", NAMES, say)
        named = [words.move_in_words(move, NAMES, say) for move in legal]
        labels = [choice.label for group in menu.groups for choice in group.choices]
        assert [text for text in (*named, *labels, menu.prompt) if CODE.search(text)] == []
        assert len({*named}) == len(named), sorted(named)
    viewers = (None, *table.awaited[:1])
    return max(controls_of(board_card(table, words, say, table.revision, own)) for own in viewers)


def controls_of(card: Card) -> int:
    """How many buttons and menus a message has."""
    return sum(1 if isinstance(row, Select | PersonSelect) else len(row) for row in card.rows)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_lobby_in_every_language(game: str, language: str) -> None:
    """The lobby is tested with its computer players and options, the values of each option, and
    every number of players.
    """
    words, say = WORDS[game], texts(language)
    for players in GAMES[game].info.players:
        table = opened(game, 1, players - 1, language=language)
        assert faults_of(lobby_card(table, words, say)) == []
        draft = draft_of(table)
        for entry in options_menu(draft, words, say).entries:
            if "=" not in entry.value:
                assert faults_of(values_card(draft, words, entry.value, say)) == []


def test_a_choice_that_would_certainly_be_refused_is_not_offered() -> None:
    """A host who sits alone cannot send anyone away; computer players do not agree to draws."""
    for others, offered in ((0, False), (1, True)):
        alone = opened("isis", 1 + others)
        lobby = private.more_card(alone, ANNA, texts("en"))
        assert ("Send away…" in labels_of(lobby)) == offered
        table = started("isis", 1 + others, 1 - others)
        assert ("Offer a draw" in labels_of(private.more_card(table, ANNA, texts("en")))) == offered


@pytest.mark.parametrize(
    ("language", "told"), [("en", "is not rated"), ("de", "wird nicht gewertet")]
)
def test_the_result_says_that_a_match_was_too_short_to_be_rated(language: str, told: str) -> None:
    """A match is too short if somebody resigns after one move of their own, but not after two."""
    table, say = started("lancelot", 2, starter="1"), texts(language)
    for person, square in ((ANNA, "K4"), (BEN, "D4"), (ANNA, "E8"), (BEN, "F8")):
        table = decide(table, PlayMoves(person, (square,)), NOON)
        over = decide(table, Resign(BEN, "novice"), NOON)
        assert (told in result_in_words(over, WORDS["lancelot"], say)) == (square != "F8")


def test_take_back_waits_for_a_persons_move() -> None:
    """A computer player's move cannot be taken back."""
    table = started("lancelot", 1, 1, starter="2", seating="joined")
    words, say = WORDS["lancelot"], texts("en")
    computer = table.awaited[0]
    assert table.computer_at(computer) is not None
    table = decide(table, PlayForComputer(computer, "D4", table.opened(computer)), NOON)
    assert "Take back" not in labels_of(board_card(table, words, say, 0))
    table = decide(table, PlayMoves(ANNA, ("K4",)), NOON)
    assert "Take back" in labels_of(board_card(table, words, say, 0))


def test_take_back_is_offered_only_while_it_is_possible() -> None:
    """An open card cannot be taken back, whoever played it; an order can."""
    table = started("twilight", 3, seating="joined")
    words, say, offered = WORDS["twilight"], texts("en"), set[tuple[str, bool]]()
    while len(offered) < 2:
        (seat,) = table.awaited
        legal = table.game.legal(table.played.state, seat)
        move = next((m for m in legal if m.startswith("order:")), legal[0])
        table = decide(table, PlayMoves(table.members[seat].person_id or 0, (move,)), NOON)
        possible = "Take back" in labels_of(board_card(table, words, say, 0))
        offered.add((table.tail[-1].facts[0].kind, possible))
    assert offered == {("ordered", True), ("played", False)}


def test_a_common_deadline_is_shown_once() -> None:
    """If deadlines differ, each player's is shown."""
    table, say = started("donquixote", 3, pace="2d"), texts("en")
    until = table.until(0)
    assert until is not None
    assert turn_line(table, say).endswith(f"are to move by {deadline(until)}.")
    assert turn_line(table, say).count(deadline(until)) == 1
    first, *others = table.turns
    later = until + timedelta(hours=1)
    table = table.changed(turns=(replace(first, ends_at=later), *others))
    assert turn_line(table, say).count(deadline(until)) == 2
    assert turn_line(table, say).count(deadline(later)) == 1


def test_a_lobby_is_closed_by_a_button_of_that_name() -> None:
    """For a match, the button says “End the table”."""
    say = texts("en")
    card = private.end_card(opened("lancelot", 2), ANNA, Ending.CLOSES, say)
    assert labels_of(card) == ["Close the table"]
    card = private.end_card(started("lancelot", 1, 1), ANNA, Ending.ALONE, say)
    assert labels_of(card) == ["End the table"]


def labels_of(card: Card) -> list[str]:
    rows = [row for row in card.rows if isinstance(row, tuple)]
    return [each.label for row in rows for each in row if isinstance(each, Button)]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_menu_leads_to_all_moves(game: str, rng: random.Random) -> None:
    """Menus lead from the first choice to every legal move, and every card on the way is valid.
    Only prefixes that are reached this way have a menu.
    """
    table = started(game, max(GAMES[game].info.players))
    words, say = WORDS[game], texts("de")
    for _ in range(25):
        if not table.awaited:
            break
        seat = table.awaited[0]
        legal = table.legal(seat)
        reached: set[str] = set()
        waiting, asked = [""], {""}
        while waiting:
            asked.add(waiting[-1])
            card = private.menu_card(table, words, say, seat, waiting.pop(), drawn=False)
            assert faults_of(card) == []
            for value in values_of(card):
                if value in legal:
                    reached.add(value)
                else:
                    waiting.append(value.removesuffix("?"))
        assert reached == set(legal)
        view, begun = table.played.view(seat), rng.choice(legal)
        for prefix in {begun[:length] for length in range(len(begun))}:
            assert words.asks_on(view, legal, prefix) == (prefix in asked)
        table = decide(table, any_move(table, rng), NOON)


def values_of(card: Card) -> list[str]:
    values: list[str] = []
    for row in card.rows:
        if isinstance(row, Select):
            values += [entry.value for entry in row.entries]
            continue
        values += [c.argument for c in _controls(row) if c.verb == "go" and c.argument]
    return values


def test_a_hint_names_its_moves() -> None:
    table = started("lancelot", 2, starter="1")
    moves = table.game.legal(table.played.state, 0)[:3]
    verdicts = (Verdict.EQUAL, Verdict.EQUAL, Verdict.WEAKER)
    best, *near = (Judged(*each) for each in zip(moves, verdicts, strict=True))
    hint = Hint(0, Judgement(best, tuple(near), frozenset()), 1)
    card = private.hint_card(table, WORDS["lancelot"], texts("en"), hint)
    assert faults_of(card) == []
    assert f"**{moves[0]}** – about as good as others." in str(card.parts[0])
    assert f"**{moves[1]}** – about as good." in str(card.parts[0])
    assert "Your first hint" in str(card.parts[0])


@pytest.mark.pixels
@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_drawn(game: str) -> None:
    """The plain picture and the pictures of two suggested moves all differ."""
    table = started(game, 3)
    seat = table.awaited[0]
    moves = table.game.legal(table.played.state, seat)
    shown = [hinted(table, seat, move) for move in (moves[0], moves[-1])]
    plain = replace(shown[0], scene=replace(shown[0].scene, focus="", legal=()))
    assert len({drawing.draw()[0].data for drawing in (plain, *shown)}) == 3


def hinted(table: Table, seat: int, move: str, *reasons: Fact) -> Drawing:
    hint = Hint(seat, Judgement(Judged(move, Verdict.CLEAR, reasons), (), frozenset()), 1)
    card = private.hint_card(table, WORDS[table.row.game], texts("en"), hint)
    (gallery,) = (part for part in card.parts if isinstance(part, Gallery))
    (drawing,) = gallery.drawings
    assert isinstance(drawing, Drawing)
    return drawing


REASONS = {
    "lancelot": (
        "start:1 D4 E5 G7 E7 K9 F9",
        "F5",
        [Fact("ripens", {"seat": 0, "lines": [{"line": "row", "name": "5"}]})],
    ),
    "isis": (
        "start:2 0-14 0-12 0-9 0-8 9-16 14-30 16-27 30-46 27-43 turn:46 turn:43",
        "12-16",
        [Fact("hampers", {"seat": 1, "number": 2})],
    ),
}
"""For each game: a log, a move, and the reasons for the move."""


@pytest.mark.pixels
@pytest.mark.parametrize("game", REASONS)
def test_threats_of_an_advised_move_are_marked(game: str) -> None:
    log, move, reasons = REASONS[game]
    step = LessonStep(game, "x", "", "", "", log)
    scene = Scene(view=step.view(), names=("Anna", "Ben"), say=texts("en"))
    advised = replace(scene, focus=move, legal=(move,))
    painter = PAINTERS[game]
    before = painter.board(advised).png
    assert painter.board(replace(advised, reasons=tuple(reasons))).png != before


def test_plans_are_listed_with_what_can_be_done() -> None:
    table = decide(started("lancelot", 2, starter="1"), Plan(BEN, "D4", "K4"), NOON)
    card = private.plans_card(table, BEN, texts("en"))
    assert "1. D4, if somebody plays K4" in str(card.parts[0])
    assert faults_of(card) == []


def test_a_spectator_sees_the_last_move_alone() -> None:
    table, played = started("lancelot", 2, starter="1"), list[str]()
    for seat in (0, 1, 0):
        played.append(table.legal(seat)[0])
        table = decide(table, one_move(table, seat), NOON)
        told = str(private.news_card(table, WORDS["lancelot"], texts("en"), None).parts)
        shown = [f"places a stone on {move}" in told for move in played]
        assert shown == [move == played[-1] for move in played]


def test_a_board_asks_only_people() -> None:
    """While computer players think, there is nothing to answer."""
    words, say, asked = WORDS["twilight"], texts("en"), set[bool]()
    table, rng = started("twilight", 2, 2), random.Random(1)
    for _ in range(20):
        told = str(board_card(table, words, say, table.revision).parts)
        asked.add(bool(table.awaited_persons))
        assert (say(words.question) in told) == bool(table.awaited_persons)
        table = decide(table, any_move(table, rng), NOON)
    assert asked == {True, False}


def test_the_hand_is_below_a_board_in_direct_messages_all_the_time() -> None:
    """The only reader sees the hand out of turn, too."""
    table = started("twilight", 4)
    for seat in range(4):
        card = board_card(table, WORDS["twilight"], texts("en"), table.revision, own=seat)
        shown = [each for part in card.parts if isinstance(part, Gallery) for each in part.drawings]
        assert [each.what for each in shown if isinstance(each, Drawing)] == ["board", "hand"]


def test_only_other_people_are_named_before_a_table_ends() -> None:
    """Neither the reader nor computer players lose anything by surprise."""
    for table in (opened("isis", 3, computers=1), started("isis", 3, computers=1)):
        card = private.end_card(table, ANNA, Ending.CLOSES, texts("en"))
        assert "for Ben and Clara too. Are you sure?" in str(card.parts[0])


def test_sending_away_is_offered_only_if_others_sit_there() -> None:
    say = texts("en")
    card = private.send_away_card(opened("lancelot", 2, 1), say)
    assert card is not None
    assert faults_of(card) == []
    assert private.send_away_card(opened("lancelot", 1), say) is None


def test_controls_of_an_earlier_decision_have_an_earlier_revision() -> None:
    table = started("lancelot", 2, starter="1")
    before = private.menu_card(table, WORDS["lancelot"], texts("en"), 0, "", drawn=False)
    row = before.rows[0]
    control = next(_controls(row))
    assert control.revision == table.opened(0)
    table = decide(table, PlayMoves(ANNA, ("K4",)), NOON)
    assert control.revision < table.opened(1)


def _controls(row: Row) -> Iterator[Control]:
    if isinstance(row, Select | PersonSelect):
        yield row.control
        return
    yield from (button.control for button in row if isinstance(button, Button))
