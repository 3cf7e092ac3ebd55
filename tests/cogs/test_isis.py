"""Isis as people see it: the controls, the commands, the texts, and whole games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from cogs.games.isis import WORDS
from data.store.rows import Status
from data.texts import LANGUAGES, texts
from games.engine import Move
from games.isis import Isis, IsisState
from render import icons
from tests import limits
from tests.games.isis_table import GAME, legal, position
from tests.games.test_isis_matches import purposeful_move
from tests.games.test_isis_refusals import REFUSED
from tests.stage import Stage, alts_of, answer_to, controls, private, stage_on, texts_of, verb_of

pytestmark = [pytest.mark.usefixtures("no_errors"), pytest.mark.blank]


async def isis(stage: Stage, players: int = 2, **options: Any) -> None:
    """Start a table of Isis, with seats in order of joining and Anna to begin."""
    await stage.open("isis", players, seating="joined", starter=1, **options)


async def move(stage: Stage, name: str, stone: str, to: str) -> Any:
    return await stage.slash(name, "isis move", stone=stone, to=to)


async def turn(stage: Stage, name: str, stone: str) -> Any:
    return await stage.slash(name, "isis turn", stone=stone)


async def type_move(stage: Stage, name: str, played: Move) -> Any:
    """Type a move using the command for its kind."""
    if played.startswith("turn:"):
        return await turn(stage, name, played.removeprefix("turn:"))
    return await move(stage, name, *played.split("-"))


async def press_move(stage: Stage, name: str, played: Move) -> Any:
    """Choose a move in two steps: the first below the board, the second in private."""
    person = stage.people[name]
    first = "turn:" if played.startswith("turn:") else played.split("-")[0] + "-"
    board = await stage.message("board")
    step = await person.click(board, custom_id=choosing(board, first))
    assert step.acknowledged
    menu = private(step)
    for control in controls(menu):
        if played in dict(control.options):
            return await person.select(menu, [played], custom_id=control.custom_id)
    return await person.click(menu, custom_id=choosing(menu, played))


def choosing(message: Any, argument: str) -> str:
    """The id of the button that chooses a move or the beginning of one."""
    ids = [control.custom_id for control in controls(message)]
    return next(each for each in ids if verb_of(each) == ("go", argument))


async def play_on(stage: Stage, rng: random.Random, most: int = 500) -> None:
    """Make purposeful moves, at random by command or by buttons, until the match is over or for
    ``most`` moves.
    """
    for _ in range(most):
        table = await stage.table()
        if not table.awaited:
            return
        name, before = await stage.decider(), table.played.ply
        chosen = purposeful_move(table.played.state, rng)
        act = rng.choice((type_move, press_move))
        result = await act(stage, name, chosen)
        assert result.acknowledged
        assert (await stage.table()).played.log[before].move == chosen


# ---------------------------------------------------------------------------- whole games
@pytest.mark.slow("whole match")
@pytest.mark.parametrize(
    ("players", "options"),
    [
        pytest.param(2, {}, id="2", marks=pytest.mark.long),
        pytest.param(3, {"places": True}, id="3 on to the last place"),
        pytest.param(4, {"retreat": True}, id="4", marks=pytest.mark.long),
    ],
)
async def test_a_game_is_played_to_the_throne_across_a_restart(
    players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    language = ("de", "en")[players % 2]
    async with stage_on(tmp_path / "house.sqlite3", language) as stage:
        rng = random.Random(players)
        await isis(stage, players, **options)
        await play_on(stage, rng, most=10)
        await stage.restart()
        await play_on(stage, rng)
        table = await stage.table()
        assert table.row.status is Status.FINISHED
        outcome = table.played.outcome
        assert outcome
        assert outcome.reason == ("places" if options.get("places") else "throne")
        result = texts_of(stage.channel.last_message)
        for seat, rank in enumerate(outcome.ranks):
            line = next(row for row in result.splitlines() if table.members[seat].name in row)
            assert line.startswith(rf"{rank}\. ")
        assert table.row.secret in await stage.proof()
        assert limits.check_requests(stage.env) == []


# --------------------------------------------------------------------------------- moving
async def test_a_move_takes_two_presses(stage: Stage) -> None:
    await isis(stage)
    board = await stage.message("board")
    assert "underworld" in [control.label for control in controls(board)]
    anna = stage.people["Anna"]
    step = await anna.click(board, custom_id=choosing(board, "0-"))
    menu = private(step)
    assert menu.ephemeral
    assert "7 steps" in texts_of(menu)
    assert [c.label for c in controls(menu) if c.label.isdigit()] == ["13", "14"]
    assert "Possible: underworld to 13 or 14." in alts_of(menu)[0]
    await anna.click(menu, custom_id=choosing(menu, "0-14"))
    assert (await stage.table()).played.view(None).public["neutral"] == [14]
    assert "brings a stone up to 14" in texts_of(await stage.message("board"))


def test_more_than_fifteen_destinations_become_a_menu() -> None:
    for squares, count in (("40 2 4 6 8", 14), ("40 1 2 3 4 5 6", 17)):
        state = position(squares)
        view, legal = Isis().view(state, 0), Isis().legal(state, 0)
        (group,) = WORDS.menu(view, legal, "40-", ("A", "B"), texts("en")).groups
        assert [choice.value for choice in group.choices] == [
            chosen for chosen in legal if chosen.startswith("40-")
        ]
        assert len(group.choices) == count
        assert group.as_buttons == (count <= 15)


def test_the_first_menu_names_stones_and_turning_over() -> None:
    state = position("40 39 12", None, 0)
    state.turn = 1
    view, legal = Isis().view(state, 1), Isis().legal(state, 1)
    (stones,) = WORDS.menu(view, legal, "", ("A", "B"), texts("en")).groups
    labels = [(choice.value, choice.label) for choice in stones.choices]
    assert labels == [
        ("0-", "underworld"),
        ("12-", "12"),
        ("39-", "39"),
        ("40-", "40"),
        ("P0-", "own 0"),
    ]
    lotus, own = icons.LOTUS, icons.isis_stone(1, state.amulets[1])
    assert [choice.icon for choice in stones.choices] == [lotus, lotus, lotus, lotus, own]
    assert stones.as_buttons
    state.turned[1] = False
    legal = Isis().legal(state, 1)
    groups = WORDS.menu(view, legal, "", ("A", "B"), texts("de")).groups
    assert [choice.value for choice in groups[1].choices] == ["turn:"]
    assert all(group.as_buttons for group in groups)


async def test_a_stone_is_turned_over_by_presses(stage: Stage) -> None:
    await to_heaven(stage)
    table = await stage.table()
    name = await stage.decider()
    person = stage.people[name]
    board = await stage.message("board")
    step = await person.click(board, custom_id=choosing(board, "turn:"))
    menu = private(step)
    assert "only once" in texts_of(menu)
    legal = [m for m in table.game.legal(table.played.state, table.awaited[0]) if "turn" in m]
    pressed = await person.click(menu, custom_id=choosing(menu, legal[0]))
    assert pressed.acknowledged
    seat = table.awaited[0]
    assert (await stage.table()).played.view(None).public["turned"][seat]
    assert "Its amulet:" in texts_of(await stage.message("board"))


async def to_heaven(stage: Stage) -> None:
    """Play until a stone may be turned over."""
    await isis(stage)
    for _ in range(60):
        table = await stage.table()
        legal = table.game.legal(table.played.state, table.awaited[0])
        if any(m.startswith("turn:") for m in legal):
            return
        await type_move(stage, await stage.decider(), max(legal, key=_forward))
    raise AssertionError("no stone reached heaven")


def _forward(played: Move) -> int:
    return int(played.split("-")[1])


async def test_where_can_i_go_names_all_moves_in_words(stage: Stage) -> None:
    await isis(stage)
    await move(stage, "Anna", "0", "13")
    result = await stage.press("Ben", "where")
    assert result.ephemeral
    assert "Possible: underworld to 11 or 12." in alts_of(result.response)[0]
    assert "The stone on 13 must not be moved now." in alts_of(result.response)[0]


# ------------------------------------------------------------------------- typing a move
async def test_autocompletion_offers_stones_then_destinations(stage: Stage) -> None:
    await isis(stage)
    await move(stage, "Anna", "0", "13")
    await move(stage, "Ben", "0", "12")
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    stones = await anna.autocomplete(stage.channel, "isis move", "stone", "")
    assert [(c["name"], c["value"]) for c in stones] == [("underworld", "0"), ("13", "13")]
    assert await anna.autocomplete(stage.channel, "isis move", "stone", "under") == stones[:1]
    ends = await anna.autocomplete(stage.channel, "isis move", "to", "", stone="13")
    assert [c["value"] for c in ends] == ["16", "19"]
    assert await anna.autocomplete(stage.channel, "isis move", "to", "2", stone="13") == []
    assert await ben.autocomplete(stage.channel, "isis move", "stone", "") == []
    assert await anna.autocomplete(stage.channel, "isis turn", "stone", "") == []
    unknown = await anna.autocomplete(stage.channel, "isis move", "stone", "", table="NOPE")
    assert unknown == []


async def test_ones_own_stone_may_be_typed_by_its_square(stage: Stage) -> None:
    await to_heaven(stage)
    table = await stage.table()
    name = await stage.decider()
    legal = table.game.legal(table.played.state, table.awaited[0])
    square = next(m for m in legal if m.startswith("turn:")).removeprefix("turn:")
    person = stage.people[name]
    offered = await person.autocomplete(stage.channel, "isis turn", "stone", "")
    assert square in [c["value"] for c in offered]
    await turn(stage, name, square)
    other = await stage.decider()
    table = await stage.table()
    elsewhere = [
        m
        for m in table.game.legal(table.played.state, table.awaited[0])
        if "-" in m and not m.endswith(("-44", "-45"))
    ]
    await type_move(stage, other, elsewhere[0])
    stones = await person.autocomplete(stage.channel, "isis move", "stone", "own")
    assert [c["value"] for c in stones] == [f"P{square}"]
    ends = await person.autocomplete(stage.channel, "isis move", "to", "", stone=square)
    assert ends == await person.autocomplete(
        stage.channel, "isis move", "to", "", stone=f"P{square}"
    )
    answer = answer_to(await move(stage, name, square, ends[0]["value"]))
    assert f"own {square} →" in answer


async def test_a_refused_move_names_the_rule(stage: Stage) -> None:
    await isis(stage)
    await move(stage, "Anna", "0", "13")
    before = len(stage.channel.history())
    for stone, to, told in (
        ("13", "19", "The player before you moved the stone"),
        ("0", "12 hours", "do not understand"),
        ("0", "9", "must move exactly 6 squares"),
        ("0", "13", "already a stone on 13"),
        ("51", "3", "no square 51"),
        ("20", "21", "no stone on 20"),
        ("P46", "44", "no stone of your own yet"),
        ("**@everyone**", "3", "do not understand"),
    ):
        answer = answer_to(await move(stage, "Ben", stone, to))
        assert told in answer
        assert "Possible: underworld → 11 or underworld → 12." in answer
        assert "@everyone" not in answer
    assert "not in heaven" in answer_to(await turn(stage, "Ben", "13"))
    assert len(stage.channel.history()) == before
    assert (await stage.table()).played.ply == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("state", "text", "code", "data"), REFUSED)
def test_every_refusal_has_its_sentence(
    state: IsisState, text: str, code: str, data: dict[str, Any], language: str
) -> None:
    told = WORDS.refusal(code, data, texts(language))
    assert told
    assert "{" not in told
    for value in data.values():
        assert str(value) in told or value in (0, data.get("owner")), told


@pytest.mark.speaks("de")
async def test_everything_is_german(stage: Stage) -> None:
    await isis(stage)
    await move(stage, "Anna", "0", "13")
    board = await stage.message("board")
    assert "führt einen Stein aus der Unterwelt auf 13" in texts_of(board)
    assert "Unterwelt" in [control.label for control in controls(board)]
    assert "Ben" in alts_of(board)[0]
    assert "ist am Zug" in alts_of(board)[0]
    told = answer_to(await move(stage, "Ben", "13", "19"))
    assert "wurde im Zug vor dir bewegt" in told
    assert "einen der beiden Isis-Throne" in answer_to(await stage.press_more("Ben", "rules"))


@pytest.mark.parametrize(
    ("language", "told"), [("en", "no stone turned over"), ("de", "kein Stein umgedreht")]
)
def test_a_finished_match_expects_no_stone(language: str, told: str) -> None:
    """The words never say *not yet*: a match may have ended by a resignation, which the position
    does not record.
    """
    state = position("14", cap=60)
    state.turns = 59
    assert WORDS.score(GAME.view(state, None), 0, texts(language)) == told
    GAME.do(state, 0, legal(state)[0])
    view = GAME.view(state, None)
    assert view.outcome is not None
    assert view.outcome.reason == "cap"
    assert [WORDS.score(view, seat, texts(language)) for seat in (0, 1)] == [told, told]


async def test_the_lobby_shows_the_options(stage: Stage) -> None:
    await stage.slash(
        "Anna", "isis new", players=3, places=True, retreat=True, warnings=False, turns=80
    )
    lobby = texts_of(await stage.message("lobby"))
    for line in (
        "Play on for places: After the first throne, the others play on",
        "Turning back in heaven: A stone that enters heaven may turn back there",
        "Warnings: no",
        "Maximum turns: 80",
        "Starting player: by lot",
    ):
        assert line in lobby, lobby
