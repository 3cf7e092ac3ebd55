"""Pictures as data, and descriptions of positions in words."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cogs.games import WORDS
from cogs.present import story
from cogs.present.drawings import (
    Drawing,
    advised_drawing,
    board_drawing,
    close_up_drawing,
    focus_drawing,
    hand_drawing,
    position_text,
    results_drawing,
)
from cogs.present.story import log_text, since_call
from data.texts import texts
from games import GAMES
from play.decide import decide
from play.ending import EndTable
from play.moves import PlayMoves
from play.table import Table, swapped
from play.undo import TakeBack
from play.votes import YES, Answer
from tests.cogs.present.tables import ANNA, BEN, NOON, any_move, one_move, started

pytestmark = pytest.mark.blank

SAY = texts("en")


def played(game: str, people: int, moves: int, seed: int = 1) -> Table:
    """A table after some random moves."""
    rng = random.Random(seed)
    table = started(game, people)
    for _ in range(moves):
        if table.awaited:
            table = decide(table, any_move(table, rng), NOON)
    return table


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_drawing_can_be_drawn(game: str) -> None:
    """Covers board, hand, choices and close-up; equal drawings compare equal before they are
    drawn.
    """
    table = played(game, 4 if game == "twilight" else 3, 12)
    seat = table.awaited[0]
    view = table.played.view(seat)
    drawings = [
        board_drawing(table, SAY, 0),
        focus_drawing(table, view, table.game.legal(table.played.state, seat), "", SAY),
        close_up_drawing(table, 0, SAY),
    ]
    if table.game.info.has_secrets:
        drawings.append(hand_drawing(table, seat, SAY))
    for drawing in drawings:
        pictures = drawing.pictures()
        assert all(picture.png and picture.alt for picture in pictures)
    assert len({drawing.fingerprint for drawing in drawings}) == len(drawings)
    assert board_drawing(table, SAY, 0) == drawings[0]
    assert hash(board_drawing(table, SAY, 0)) == hash(drawings[0])
    assert position_text(table, None, SAY)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_advice_is_named_above_its_picture(game: str) -> None:
    """It is named in full; a tile of Don Quixote by its number in the hand and its field."""
    table = played(game, 4 if game == "twilight" else 3, 12)
    seat = table.awaited[0]
    view = table.played.view(seat)
    move = table.game.legal(table.played.state, seat)[0]
    drawing = advised_drawing(table, WORDS[game], view, move, (), SAY)
    assert drawing.head.startswith("Best: ")
    if game == "donquixote":
        number = view.public["hands"][seat].index(move.removesuffix("r")) + 1
        assert drawing.head.startswith(f"Best: tile {number} (")
        assert drawing.head.endswith(f") on {view.public['field']}")
    else:
        assert WORDS[game].move_in_words(move, table.names, SAY) in drawing.head
    assert all(picture.alt.startswith(f"{drawing.head}. ") for picture in drawing.pictures())


def test_for_one_player_the_hand_is_part_of_the_board() -> None:
    for moves in range(6):
        table = played("donquixote", 1, moves)
        assert hand_drawing(table, 0, SAY) == board_drawing(table, SAY, since_call(table))
    table = played("donquixote", 2, 3)
    assert hand_drawing(table, 0, SAY).what == "hand"


@pytest.mark.parametrize("change", ["language", "name", "computer", "since"])
def test_drawings_differ_in_whatever_the_board_shows(change: str) -> None:
    table = played("twilight", 4, 3)
    other, say, since = table, SAY, 0
    if change == "language":
        say = texts("de")
    elif change == "name":
        other = replace(table, members=swapped(table.members, table.members[0], name="Ida"))
    elif change == "computer":
        other = replace(table, members=swapped(table.members, table.members[0], level="novice"))
    else:
        since = table.revision
    assert board_drawing(table, SAY, 0) != board_drawing(other, say, since)


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.info.simultaneous])
def test_a_sealed_choice_leaves_the_board_as_it_is(game: str, rng: random.Random) -> None:
    table = started(game, 3)
    shown, sealed, opened = board_drawing(table, SAY, 0), 0, 0
    for _ in range(40):
        before, table = table, decide(table, any_move(table, rng), NOON)
        if set(table.awaited) < set(before.awaited):
            sealed += 1
            assert board_drawing(table, SAY, 0) == shown
        else:
            opened += len(before.sealed_choices)
            assert board_drawing(table, SAY, 0) != shown
            shown = board_drawing(table, SAY, 0)
    assert sealed > 8
    assert opened > 8


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.info.simultaneous])
def test_a_hand_shows_no_sealed_choice_but_its_own(game: str) -> None:
    """Everybody else is shown as still choosing, whether they have chosen or not."""
    table = started(game, 4)
    while len(table.awaited) < 4:
        table = decide(table, any_move(table, random.Random(1)), NOON)
    for seat in range(3):
        table = decide(table, one_move(table, seat), NOON)
        actors = [hand_drawing(table, each, SAY).scene.view.actors for each in range(4)]
        everyone = set(range(4))
        own = [everyone - {each} if each <= seat else everyone for each in range(4)]
        assert [set(each) for each in actors] == own


def test_after_the_end_nobody_is_shown_as_choosing() -> None:
    """If a match ends during a placement, the picture shows the position, not who is choosing."""
    table = started("donquixote", 3)
    table = decide(table, one_move(table, 0), NOON)
    assert board_drawing(table, SAY).scene.view.actors == (0, 1, 2)
    table = decide(table, EndTable(ANNA), NOON)
    table = decide(table, Answer(table.votes[0].asked, BEN, YES), NOON)
    assert table.over
    assert board_drawing(table, SAY).scene.view.actors == ()
    assert hand_drawing(table, 1, SAY).scene.view.actors == ()


@pytest.mark.full
def test_each_deal_has_its_own_account(rng: random.Random) -> None:
    table = started("twilight", 4)
    while table.awaited:
        table = decide(table, any_move(table, rng), NOON)
    kinds = table.game.info.accounts
    closed = [t.line for t in table.told_since(0) if any(f.kind in kinds for f in t.facts)]
    drawings = [results_drawing(table, SAY, line) for line in closed]
    assert len(set(drawings)) == len(closed) > 1
    assert len(drawings[0].pictures()) == 1


def test_a_drawing_without_a_picture() -> None:
    """Isis has neither hands nor a close-up, so nothing is drawn."""
    table = played("isis", 2, 2)
    scene = board_drawing(table, SAY).scene
    assert Drawing("isis", "hand", scene).pictures() == []
    assert Drawing("isis", "close_up", scene).pictures() == []


# --------------------------------------------------------------------------------- the log
def log(table: Table, seat: int | None = None) -> list[str]:
    return log_text(table, WORDS[table.row.game], seat, SAY).split("\n")


def test_a_choice_is_listed_as_sealed_until_everyone_has_chosen(rng: random.Random) -> None:
    table = started("donquixote", 3)
    for _ in range(40):
        lines = log(table)
        sealed = [n for n, line in enumerate(lines) if "a sealed choice" in line]
        waiting = table.game.info.players and len(table.awaited)
        chosen = 3 - waiting if waiting else 0
        assert len(sealed) == chosen
        assert all(n >= len(lines) - chosen for n in sealed)
        if not table.awaited:
            break
        table = decide(table, any_move(table, rng), NOON)


def test_choices_that_are_never_revealed_stay_sealed() -> None:
    """A card kept in the draft of Fair Isolde is named only to its owner."""
    table = started("isolde", 3)
    for seat in range(3):
        table = decide(table, one_move(table, seat), NOON)
    hidden = [line for line in log(table) if "face down" in line or "sealed" in line]
    assert len(hidden) == 3
    for seat in range(3):
        own = [line for line in log(table, seat) if "face down" in line or "sealed" in line]
        assert len(own) == 2


def test_names_in_the_log_cannot_turn_its_lines_around() -> None:
    table = started("lancelot", 2, starter="1")
    anna = swapped(table.members, table.members[0], name="\u202eAnna")
    table = replace(table, members=anna)
    for command in (PlayMoves(ANNA, ("K4",)), TakeBack(ANNA), PlayMoves(ANNA, ("D4",))):
        table = decide(table, command, NOON)
    assert log(table)[-2:] == ["  ↶  Anna takes back K4.", "  1  Anna: D4"]


def test_undone_moves_stand_in_their_place() -> None:
    table = started("lancelot", 2, starter="1")
    for command in (PlayMoves(ANNA, ("K4",)), PlayMoves(BEN, ("D4",)), TakeBack(ANNA)):
        table = decide(table, command, NOON)
    table = decide(table, Answer(table.votes[0].asked, BEN, "yes"), NOON)
    table = decide(table, PlayMoves(ANNA, ("E5",)), NOON)
    lines = log(table)
    assert lines[-2] == "  ↶  Anna takes back K4, and with it Ben: D4. Agreed: Ben."
    assert lines[-1].endswith("Anna: E5")
    assert not any(line.endswith("Anna: K4") for line in lines)


def test_a_story_that_is_too_long_leaves_out_its_oldest_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = played("lancelot", 3, 9)
    whole = story.story(table, WORDS["lancelot"], SAY, table.begun)
    monkeypatch.setattr(story, "LINE_LIMIT", 0)
    lines = story.story(table, WORDS["lancelot"], SAY, table.begun).split("\n")
    assert len(lines) == story.LINES
    assert lines[0].startswith("… ")
    assert whole.replace("\n", " ").endswith(" ".join(lines[1:]))


def test_a_log_without_moves_says_that_nothing_has_happened_yet() -> None:
    assert log(started("lancelot", 2, starter="1")) == ["Nothing has happened yet."]
