"""The cost of a move: requests, hops to the database and replays of the journal, counted rather
than timed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from data.store.access import Access
from games.engine import Match
from tests.stage import Stage, controls, private

pytestmark = pytest.mark.usefixtures("no_errors")

HOPS = 4
"""How often a move may cross to a database thread: to store it, to record the messages about to be
posted, to record those that were posted and, if it is typed, to find its table.
"""


class Cost:
    """Counts calls while active."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.active = False

    def of(self, owner: type, name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count the calls of a method."""
        real: Any = getattr(owner, name)

        def counted(*args: Any, **options: Any) -> Any:
            self.counts[kind] += self.active
            return real(*args, **options)

        monkeypatch.setattr(owner, name, counted)

    @contextmanager
    def counting(self) -> Iterator[None]:
        self.active = True
        try:
            yield
        finally:
            self.active = False


@pytest.fixture
def cost(monkeypatch: pytest.MonkeyPatch) -> Cost:
    """A counter of hops to the database and of replays of whole journals."""
    cost = Cost()
    cost.of(Access, "read", "hops", monkeypatch)
    cost.of(Access, "write", "hops", monkeypatch)
    cost.of(Match, "replay", "folds", monkeypatch)
    cost.of(Match, "retrace", "folds", monkeypatch)
    return cost


async def next_person(stage: Stage) -> Any:
    table = await stage.table()
    return stage.people[table.members[table.awaited[0]].name]


async def test_a_typed_move_costs_little(stage: Stage, cost: Cost) -> None:
    """Once caches are warm, a move takes few hops and no replay of the journal."""
    await stage.open("lancelot", 2)
    for square in ("E5", "J5", "H5", "D10", "K6"):
        person = await next_person(stage)
        cost.counts.clear()
        with cost.counting():
            await person.slash(stage.channel, "lancelot place", square=square)
            await stage.env.settle()
    assert 0 < cost.counts["hops"] <= HOPS
    assert cost.counts["folds"] == 0


@pytest.mark.parametrize(("game", "players"), [("isis", 2), ("twilight", 4), ("donquixote", 2)])
async def test_a_move_by_buttons_costs_little(
    stage: Stage, cost: Cost, rng: random.Random, game: str, players: int
) -> None:
    """The count includes all menus, on the board or on a hand that was sent or shown."""
    await stage.open(game, players)
    for _ in range(4):
        await stage.move_by_buttons(await next_person(stage), rng)
    for _ in range(6):
        person = await next_person(stage)
        place = await stage.message("board")
        if game == "twilight":
            place = await stage.message("hand", person.id)
        elif game == "donquixote":
            place = private(await stage.press(person.user.name, "hand", "board"))
        here = person.user if game == "twilight" else person
        before = (await stage.table()).played.ply
        cost.counts.clear()
        while (await stage.table()).played.ply == before:
            control = rng.choice([c for c in controls(place) if c.chooses and not c.disabled])
            with cost.counting():
                if control.options:
                    value = rng.choice(control.options)[0]
                    result = await here.select(place, [value], custom_id=control.custom_id)
                else:
                    result = await here.click(place, custom_id=control.custom_id)
                await stage.env.settle()
            if (await stage.table()).played.ply == before:
                place = private(result)
        assert 0 < cost.counts["hops"] <= HOPS
        assert cost.counts["folds"] == 0


@pytest.mark.parametrize(("patience", "kinds"), [(None, [7]), (0.0, [6])])
async def test_a_press_on_a_hand_is_answered_with_the_hand(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, patience: float | None, kinds: list[int]
) -> None:
    """The press's only answer is the hand after the move, before the board changes. If that is
    slow, the press is acknowledged first, and its token changes the hand.

    :param kinds: the kinds of answers: 6 acknowledges the press, 7 changes its message.
    """
    if patience is not None:
        monkeypatch.setattr("cogs.gateway.replies.PATIENCE", patience)
    await stage.open("twilight", 3)
    person = await next_person(stage)
    hand = await stage.message("hand", person.id)
    card = next(c for c in controls(hand) if c.chooses and not c.disabled)
    before = len(stage.env.http_requests)
    if card.options:
        await person.user.select(hand, [card.options[0][0]], custom_id=card.custom_id)
    else:
        await person.user.click(hand, custom_id=card.custom_id)
    await stage.env.settle()
    assert (await stage.table()).played.ply > 0
    made = stage.env.http_requests[before:]
    answers = [each for each in made if each.path.startswith("/interactions/")]
    assert [(each.json or {})["type"] for each in answers] == kinds
    by_token = [each for each in made if each.path.startswith("/webhooks/")]
    edits = [each for each in by_token if each.method == "PATCH"]
    assert len(edits) == (kinds == [6])
    assert made[0] is answers[0]


async def test_a_move_by_two_presses_takes_four_requests(stage: Stage) -> None:
    """The menu and the move each answer a press; the new board is posted, the old one deleted."""
    await stage.lancelot()
    board, anna = await stage.message("board"), stage.people["Anna"]
    before = len(stage.env.http_requests)
    menu = private(await stage.go("Anna", board, "K"))
    square = next(c for c in controls(menu) if c.label == "K4")
    await anna.click(menu, custom_id=square.custom_id)
    await stage.env.settle()
    made = [(each.method, each.path.split("/")[1]) for each in stage.env.http_requests[before:]]
    assert sorted(made) == [
        ("DELETE", "channels"),
        ("POST", "channels"),
        ("POST", "interactions"),
        ("POST", "interactions"),
    ]
