"""A quiet table: each decision calls its person once, and few messages remain. The counts are from
whole matches that people play by pressing the controls they see; ``python -m benchmarks.noise``
counts many more.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from data.store.rows import Boards
from tests.cogs.noise import Case, Noise, noise_of, party

pytestmark = [
    pytest.mark.blank,
    pytest.mark.slow("noise"),
    pytest.mark.usefixtures("no_errors"),
    pytest.mark.seeds(1),
]

WHILE_IT_RUNS: Final = 4
"""Messages in the channel: the drawing message, the board, the last account, an open question."""

AFTERWARDS: Final = 2
"""The drawing message, and the result."""

IN_ALL: Final = {"channel": 4.5, "thread": 5.5, "direct": 6.5}
"""The maximum number of requests per move, by place, including answers to presses. In a thread, one
line in the parent channel says whose turn it is; in direct messages, each player has a board.
"""

BY_WAY_OF_THE_BOARD: Final = 0.5
"""How many more requests a move takes in Fair Isolde, where half of the hands are opened from the
board.
"""

LANCELOT: Final = Case("lancelot", goal=2)
"""A short match."""

LONGER: Final = replace(LANCELOT, goal=3)
"""A match of more than ten rounds."""

QUIXOTE: Final = Case("donquixote", most=12)
"""The beginning of a match."""

AT_THE_END: Final = 1
"""The number of additional requests when a match ends: the message to the follower."""

ROUNDS_A_LINE: Final = 10
"""Rounds in one message of the trail."""


def check(noise: Noise, running: int = WHILE_IT_RUNS, over: int = AFTERWARDS) -> None:
    """Check that every decision called its person once, nothing else made a sound, no message is
    left without a purpose, and every button works.
    """
    assert noise.wrong == []
    assert noise.decisions > 0
    assert noise.a_decision == 1.0
    assert 0 < noise.standing <= running
    assert 0 < noise.left <= over
    assert noise.home <= 1
    assert noise.direct <= 1
    assert noise.direct_left <= 1
    assert noise.dead == []


# --------------------------------------------------------------------------- whole matches
@pytest.mark.parametrize(
    ("case", "requests"),
    [
        (LANCELOT, 2),
        (Case("isis", most=14), 2),
        (Case("donquixote", 3, most=24), 2),
        (Case("isolde", most=24), 3),
        (Case("twilight", 3, most=15), 4),
        pytest.param(Case("isolde"), 3, marks=pytest.mark.long),
        pytest.param(Case("twilight", 3), 4, marks=pytest.mark.long),
        (replace(LANCELOT, place="thread"), 2),
        (replace(QUIXOTE, place="direct"), 2),
        # Consecutive moves of computer players share one board.
        (replace(LANCELOT, computers=1), None),
        pytest.param(replace(QUIXOTE, computers=1), None, marks=pytest.mark.long),
        # People at rest get silent messages; the others are called as usual.
        (replace(LANCELOT, rest="holiday"), None),
        (replace(QUIXOTE, rest="quiet hours"), None),
    ],
    ids=str,
)
async def test_a_whole_match_is_quiet(
    case: Case, requests: int | None, seed: int, tmp_path: Path
) -> None:
    """There is one call per decision. The channel has at most four messages during the match and
    two afterwards, anyone's direct messages at most one. Few requests count towards the bot's own
    limit. The same holds for a match in direct messages or in a thread, whose lobby shrinks to one
    line.

    :param requests: the maximum number of requests with the bot's own token, on average per move;
        None: no limit.
    """
    noise = await noise_of(tmp_path, case, seed)
    check(noise)
    if requests is not None:
        assert 0 < noise.own <= requests * noise.moves + AT_THE_END
        assert noise.in_all <= IN_ALL[case.place] + BY_WAY_OF_THE_BOARD * (case.game == "isolde")


@pytest.mark.parametrize(
    "case",
    [
        replace(LANCELOT, place="abroad"),
        replace(QUIXOTE, place="chat"),
    ],
    ids=str,
)
async def test_a_chat_is_quiet(case: Case, seed: int, tmp_path: Path) -> None:
    """In a chat the bot can only answer: nothing counts towards its own limit, and the last board
    stays above the result, without buttons.
    """
    noise = await noise_of(tmp_path, case, seed)
    check(noise, over=AFTERWARDS + 1)
    assert (noise.own, noise.direct, noise.heard["dm"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("case", "where"),
    [
        (replace(QUIXOTE, calls="table"), ("table",)),
        (replace(QUIXOTE, calls="dm", closed=True), ("dm", "table")),
    ],
    ids=str,
)
async def test_people_choose_where_they_are_called(
    case: Case, where: tuple[str, ...], seed: int, tmp_path: Path
) -> None:
    noise = await noise_of(tmp_path, case, seed)
    check(noise)
    assert noise.heard.keys() == {*where}


async def test_with_direct_messages_closed_during_a_match_people_are_called_at_the_table(
    seed: int, tmp_path: Path
) -> None:
    async with party(tmp_path, replace(LONGER, calls="dm"), seed) as people:
        await people.play(8)
        people.stage.close_dms("Anna", "Ben")
        assert people.noise.heard["table"] == 0
        noise = await people.play()
    check(noise)
    assert 0 < noise.heard["dm"] <= noise.heard["table"]


# ---------------------------------------------------------------------------------- servers
@pytest.mark.parametrize("boards", ["lines", "keep"])
async def test_a_server_may_keep_more(boards: Boards, seed: int, tmp_path: Path) -> None:
    """The server may keep one message for every ten rounds, or every board that called somebody."""
    case = replace(LONGER, boards=boards)
    noise = await noise_of(tmp_path, case, seed)
    lines = 1 + noise.moves // (ROUNDS_A_LINE * case.players)
    more = lines if boards == "lines" else noise.heard["table"]
    check(noise, WHILE_IT_RUNS + more, AFTERWARDS + more)
    requests = 3 if boards == "lines" else 2
    assert noise.own <= requests * noise.moves + AT_THE_END


async def test_with_expired_tokens_the_bot_deletes(seed: int, tmp_path: Path) -> None:
    """Tokens expire between slow moves: the bot then deletes messages with its own token, and a
    move costs at most three requests on average. People are called where they chose.
    """
    case = replace(QUIXOTE, calls="dm", slow=True)
    noise = await noise_of(tmp_path, case, seed)
    check(noise)
    assert noise.heard.keys() == {"dm"}
    assert noise.by_bot > noise.by_token
    assert noise.a_move <= 3


# -------------------------------------------------------------------------------- questions
async def test_a_question_calls_those_who_have_to_answer(seed: int, tmp_path: Path) -> None:
    async with party(tmp_path, replace(LANCELOT, players=3), seed) as people:
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
    check(noise)
