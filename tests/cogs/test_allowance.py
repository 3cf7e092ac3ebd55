"""How much one person may do at once and per period."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cogs.features import allowance
from cogs.features.allowance import A_SECOND, FULL, Allowance, Cost
from play.table import Refused
from tests.cogs.matches import won_by_anna
from tests.stage import Stage, answer_to, private, use

pytestmark = pytest.mark.usefixtures("no_errors")


class Spent(Allowance):
    """An allowance that is always spent.

    :ivar costs: the costs of everything that was tried.
    """

    def __init__(self) -> None:
        super().__init__(0)
        self.costs: list[int] = []

    def spend(self, person_id: int, cost: Cost) -> None:
        """:raises Refused: ``too_much_at_once``, always."""
        self.costs.append(cost)
        super().spend(person_id, cost)


async def test_points_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal is free and says when there will be enough points; nobody pays for others."""
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    points = Allowance()
    for _ in range(int(FULL // Cost.TOURNAMENT)):
        points.spend(1, Cost.TOURNAMENT)
    for _ in range(2):
        with pytest.raises(Refused, match="too_much_at_once") as refusal:
            points.spend(1, Cost.TOURNAMENT)
        assert refusal.value.data == {"seconds": 18}
    points.spend(2, Cost.TOURNAMENT)
    now = Cost.TOURNAMENT / A_SECOND
    points.spend(1, Cost.TOURNAMENT)


@pytest.mark.full
async def test_tables_invitations_and_guessed_codes_are_limited_per_person(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert refused == {"invite": 9, "lancelot new": 4, "table show": 1}
    monkeypatch.setattr("cogs.features.lobby.TABLES", 11)
    stage.bot.acting.allowance = Allowance()
    assert "You are already at 11 open tables" in answer_to(
        await stage.slash("Anna", "lancelot new")
    )


@pytest.mark.full
async def test_a_costly_action_is_refused_without_points(stage: Stage) -> None:
    """A costly action is refused whether typed or pressed; without points a person can still move
    and look on.
    """
    await won_by_anna(stage)
    result = stage.channel.last_message
    page = private(await stage.slash("Anna", "table replay"))
    seeking = private(await stage.slash("Anna", "seek"))
    await stage.lancelot()
    anna = stage.people["Anna"]
    stage.bot.acting.allowance = spent = Spent()

    async def refused(act: Any) -> int:
        assert "That was a lot at once" in answer_to(await act)
        return spent.costs.pop()

    assert [
        await refused(stage.slash("Anna", "table hint")),
        await refused(stage.press_more("Anna", "hint")),
        await refused(use(anna, result, "replay")),
        await refused(use(anna, page, "replay", "1")),
        await refused(use(anna, page, "animation")),
        await refused(use(anna, result, "analysis")),
        await refused(use(anna, result, "rematch")),
        await refused(use(anna, seeking, "seekgo")),
        await refused(stage.slash("Anna", "join", code="CDFG")),
        await refused(stage.slash("Anna", "invite", person=stage.people["Clara"])),
        await refused(stage.slash("Anna", "tournament new", title="Cup", game="lancelot")),
    ] == [5, 5, 1, 1, 29, 39, 11, 11, 9, 23, 39]
    assert "Done" in answer_to(await stage.place("Anna", "K4"))
    await stage.press("Ben", "where")
    await stage.slash("Anna", "table show")
    assert spent.costs == []


@pytest.mark.usefixtures("hurried")
async def test_an_analysis_costs_only_the_first_person_who_asks(stage: Stage) -> None:
    await won_by_anna(stage)
    result = stage.channel.last_message
    stage.bot.acting.allowance = Allowance(Cost.ANALYSIS)
    assert "Analysis" in answer_to(await use(stage.people["Anna"], result, "analysis"))
    stage.bot.acting.allowance = Allowance(0)
    assert "Analysis" in answer_to(await use(stage.people["Ben"], result, "analysis"))
