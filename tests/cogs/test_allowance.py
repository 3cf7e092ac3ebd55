"""What one person may do in a while, and at a time."""

from __future__ import annotations

import asyncio

import pytest

from cogs.features import allowance
from cogs.features.allowance import A_SECOND, FULL, Allowance, Cost
from play.table import Refused
from tests.stage import Stage, answer_to

pytestmark = pytest.mark.usefixtures("no_errors")


async def test_points_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal says when there are enough, and costs nothing; nobody pays for another."""
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    points = Allowance()
    for _ in range(int(FULL // Cost.TOURNAMENT)):
        points.spend(1, Cost.TOURNAMENT)
    for _ in range(2):
        with pytest.raises(Refused, match="too_much_at_once") as refusal:
            points.spend(1, Cost.TOURNAMENT)
        assert refusal.value.data == {"seconds": 20}
    points.spend(2, Cost.TOURNAMENT)
    now = Cost.TOURNAMENT / A_SECOND
    points.spend(1, Cost.TOURNAMENT)


async def test_one_person_opens_only_so_many_tables(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor any number of them at once, or of invitations; codes are not guessed for ever."""
    monkeypatch.setattr(allowance, "A_SECOND", 1e-9)
    refused = {}
    for what, options in (
        ("invite", {"person": stage.people["Ben"]}),
        ("lancelot new", {}),
        ("table show", {"table": "CDFG"}),
    ):
        stage.bot.acting.allowance = Allowance()
        if what == "invite":
            await stage.slash("Anna", "lancelot new")
            stage.bot.acting.allowance = Allowance()
        told = [answer_to(await stage.slash("Anna", what, **options)) for _ in range(14)]
        refused[what] = sum("That was a lot at once" in each for each in told)
    assert refused == {"invite": 9, "lancelot new": 4, "table show": 2}
    monkeypatch.setattr("cogs.features.lobby.TABLES", 11)
    stage.bot.acting.allowance = Allowance()
    assert "You play at 11 open tables already" in answer_to(
        await stage.slash("Anna", "lancelot new")
    )
