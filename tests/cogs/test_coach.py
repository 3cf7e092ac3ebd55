"""The coach, as people see it."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import Fact
from play import coach
from play.coach import Caution
from tests.stage import Stage, answer_to, controls, private, texts_of

pytestmark = pytest.mark.usefixtures("no_errors")

TAKES = Fact("captured", {"seat": 1, "squares": ["E5"], "lines": [{"line": "row", "name": "5"}]})


@pytest.fixture(autouse=True)
def anxious(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a coach that considers E5 a mistake, even in matches between people."""

    def look(view_json: str, move: str) -> Caution | None:
        return Caution(0, move, 0.5, False, (1, "H5", (TAKES,))) if move == "E5" else None

    monkeypatch.setattr(coach, "looked_over", look)
    monkeypatch.setattr(coach, "is_rated", lambda _: False)


async def place(stage: Stage, square: str) -> Any:
    """Type a move as Anna."""
    return await stage.slash("Anna", "lancelot place", square=square)


async def open_with_coach(stage: Stage) -> None:
    told = answer_to(await stage.slash("Anna", "preferences coach", wanted=True))
    assert "Coach that asks before you play a clearly losing move: yes" in told
    await stage.lancelot()


async def test_a_move_that_loses_is_asked_about_once(stage: Stage) -> None:
    """The question counts as a hint, and the move may still be played."""
    await open_with_coach(stage)
    asked = private(await place(stage, "E5"))
    assert asked.ephemeral
    assert "**E5** gives away a lot of your chances" in texts_of(asked)
    assert "could then play **H5**. ● **Ben** takes E5 in row 5." in texts_of(asked)
    table = await stage.table()
    assert (table.played.log, dict(table.hints)) == ([], {0: 1})
    anyway = next(c for c in controls(asked) if c.label == "Play it anyway")
    await stage.people["Anna"].click(asked, custom_id=anyway.custom_id)
    assert (await stage.table()).played.log[-1].move == "E5"


async def test_another_move_counts_after_the_question(stage: Stage) -> None:
    await open_with_coach(stage)
    asked = private(await place(stage, "E5"))
    assert "Choose again" in {control.label for control in controls(asked)}
    anyway = next(c for c in controls(asked) if c.label == "Play it anyway")
    await place(stage, "H8")
    assert (await stage.table()).played.log[-1].move == "H8"
    refused = await stage.people["Anna"].click(asked, custom_id=anyway.custom_id)
    assert "not your turn" in answer_to(refused)
    assert (await stage.table()).hints[0] == 1


async def test_a_good_move_or_one_of_a_player_without_a_coach_counts_at_once(stage: Stage) -> None:
    await open_with_coach(stage)
    await place(stage, "H8")
    assert (await stage.table()).played.log[-1].move == "H8"
    ben = stage.people["Ben"]
    await ben.slash(stage.channel, "lancelot place", square="E5")
    assert (await stage.table()).played.log[-1].move == "E5"
