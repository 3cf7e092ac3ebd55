"""A quiet table: each decision calls its person once, and little is left behind. Counted in whole
matches that people play by pressing what they see; ``python -m benchmarks.noise`` tells the counts
of many more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from games import GAMES
from tests.cogs.noise import Case, Noise, noise_of, party

pytestmark = [
    pytest.mark.blank,
    pytest.mark.slow("noise"),
    pytest.mark.usefixtures("no_errors"),
    pytest.mark.seeds(1),
]

WHILE_IT_RUNS: Final = 4
"""Messages in the channel: that of the lots, the board, the last account, an open question."""

AFTERWARDS: Final = 2
"""That of the lots, and the result."""

ROUNDS_A_LINE: Final = 10
"""Rounds in one message of the trail."""


def requests_a_move(game: str) -> int:
    """How many requests a move may cost the bot's own token on average."""
    return {"twilight": 4}.get(game, 3 if GAMES[game].info.hidden else 2)


def check_calls(noise: Noise) -> None:
    """Every decision has called its person once, and nothing else has sounded."""
    assert noise.wrong == []
    assert noise.decisions > 0
    assert noise.a_decision == 1.0


def check_standing(noise: Noise, running: int = WHILE_IT_RUNS, over: int = AFTERWARDS) -> None:
    """No more is there than has a purpose, and every button does something."""
    assert 0 < noise.standing <= running
    assert 0 < noise.left <= over
    assert noise.home <= 1
    assert noise.direct <= 1
    assert noise.direct_left <= 1
    assert noise.dead == []


# --------------------------------------------------------------------------- whole matches
@pytest.mark.parametrize(
    "case",
    [
        Case("lancelot"),
        Case("isis"),
        Case("donquixote", 3),
        Case("isolde"),
        Case("twilight", 3),
        Case("lancelot", place="thread"),
        Case("lancelot", place="direct"),
        Case("donquixote", place="direct"),
    ],
    ids=str,
)
async def test_a_whole_match_is_quiet(case: Case, seed: int, tmp_path: Path) -> None:
    """One call a decision; four messages while it runs and two afterwards, one by direct message;
    few requests that count for the bot's own limit. In a thread, whose lobby becomes one line, and
    in direct messages, where the table is, it is as quiet.
    """
    noise = await noise_of(tmp_path, case, seed)
    check_calls(noise)
    check_standing(noise)
    assert 0 < noise.a_move <= requests_a_move(case.game)


@pytest.mark.parametrize(
    "case",
    [
        Case("lancelot", place="chat"),
        Case("lancelot", place="abroad"),
        Case("donquixote", place="chat"),
    ],
    ids=str,
)
async def test_a_chat_is_quiet(case: Case, seed: int, tmp_path: Path) -> None:
    """There the bot can only answer: nothing costs its own limit, and the last board stays above
    the result, without buttons.
    """
    noise = await noise_of(tmp_path, case, seed)
    check_calls(noise)
    check_standing(noise, over=AFTERWARDS + 1)
    assert (noise.own, noise.direct, noise.heard["dm"]) == (0, 0, 0)


# ---------------------------------------------------------------------------------- people
@pytest.mark.parametrize(
    "case", [Case("lancelot", computers=1), Case("donquixote", computers=1)], ids=str
)
async def test_computer_players_call_people_once(case: Case, seed: int, tmp_path: Path) -> None:
    """Several of their moves in a row are one board."""
    noise = await noise_of(tmp_path, case, seed)
    check_calls(noise)
    check_standing(noise)


@pytest.mark.parametrize(
    "case",
    [
        Case("lancelot", rest="quiet hours"),
        Case("lancelot", rest="holiday"),
        Case("donquixote", rest="quiet hours"),
    ],
    ids=str,
)
async def test_who_rests_hears_nothing(case: Case, seed: int, tmp_path: Path) -> None:
    """The message is there all the same; the others are called as ever."""
    noise = await noise_of(tmp_path, case, seed)
    check_calls(noise)
    check_standing(noise)


@pytest.mark.parametrize(
    ("case", "where"),
    [
        (Case("lancelot", calls="dm"), "dm"),
        (Case("donquixote", calls="table"), "table"),
    ],
    ids=str,
)
async def test_people_choose_where_they_are_called(
    case: Case, where: str, seed: int, tmp_path: Path
) -> None:
    """There, and nowhere else."""
    noise = await noise_of(tmp_path, case, seed)
    check_calls(noise)
    check_standing(noise)
    assert noise.heard.keys() == {where}


async def test_whom_no_direct_message_reaches_is_called_at_the_table(
    seed: int, tmp_path: Path
) -> None:
    """From the beginning, or from the first call that is refused."""
    case = Case("donquixote", calls="dm", closed=True)
    noise = await noise_of(tmp_path, case, seed)
    check_calls(noise)
    check_standing(noise)
    assert noise.heard["table"] > 0


async def test_direct_messages_that_are_closed_in_mid_match(seed: int, tmp_path: Path) -> None:
    """The call that is refused comes once, at the table; so do all others."""
    async with party(tmp_path, Case("lancelot", calls="dm"), seed) as people:
        await people.play(8)
        people.stage.close_dms("Anna", "Ben")
        assert people.noise.heard["table"] == 0
        noise = await people.play()
    check_calls(noise)
    assert 0 < noise.heard["dm"] <= noise.heard["table"]


# ---------------------------------------------------------------------------------- servers
async def test_a_server_may_keep_lines(seed: int, tmp_path: Path) -> None:
    """Every ten rounds add one message to the usual ones."""
    case = Case("lancelot", boards="lines")
    noise = await noise_of(tmp_path, case, seed)
    lines = 1 + noise.moves // (ROUNDS_A_LINE * case.players)
    check_calls(noise)
    check_standing(noise, WHILE_IT_RUNS + lines, AFTERWARDS + lines)
    assert noise.a_move <= requests_a_move(case.game)


async def test_a_server_may_keep_all_boards(seed: int, tmp_path: Path) -> None:
    """A board for each call at the table, and all but the last without buttons."""
    noise = await noise_of(tmp_path, Case("lancelot", boards="keep"), seed)
    boards = noise.heard["table"]
    check_calls(noise)
    check_standing(noise, WHILE_IT_RUNS + boards, AFTERWARDS + boards)
    assert noise.a_move <= requests_a_move("lancelot")


async def test_a_board_is_deleted_by_the_token_of_its_press(seed: int, tmp_path: Path) -> None:
    """Which costs nothing of the bot's own limit."""
    noise = await noise_of(tmp_path, Case("lancelot"), seed)
    assert noise.by_token >= noise.moves - 1
    assert noise.by_bot == 0


async def test_where_tokens_have_expired_the_bot_deletes(seed: int, tmp_path: Path) -> None:
    """Between slow moves no earlier press can be used: each costs a request more at most."""
    case = Case("donquixote", calls="dm", slow=True)
    noise = await noise_of(tmp_path, case, seed)
    check_calls(noise)
    check_standing(noise)
    assert noise.by_bot > noise.by_token
    assert noise.a_move <= requests_a_move(case.game) + 1


# -------------------------------------------------------------------------------- questions
async def test_a_question_calls_those_who_have_to_answer(seed: int, tmp_path: Path) -> None:
    """Once, and it is gone when it is settled. Then those are called who are to move again."""
    async with party(tmp_path, Case("lancelot", 3), seed) as people:
        await people.play(4)
        table = await people.table()
        standing = len(people.messages(people.stage.channel.id))
        asker = table.members[table.played.log[-2].seat].name
        await people.stage.slash(asker, "table undo")
        await people.rest()
        assert len(people.messages(people.stage.channel.id)) == standing + 1
        for name in {member.name for member in table.members} - {asker}:
            await people.stage.tap(name, people.stage.question(), "Agree")
            await people.rest()
        assert (await people.table()).played.ply == table.played.ply - 2
        assert len(people.messages(people.stage.channel.id)) == standing
        noise = await people.play()
    check_calls(noise)
    check_standing(noise)


async def test_the_end_is_told_once(seed: int, tmp_path: Path) -> None:
    """Those who give up know; the others and those who follow are told, each in one place."""
    async with party(tmp_path, Case("donquixote", 3), seed) as people:
        await people.play(5)
        for name in ("Anna", "Ben", "Clara"):
            await people.stage.resign(name)
            await people.rest()
        table = await people.table()
        assert table.over
        noise = people.count(table)
    check_calls(noise)
    check_standing(noise)
