"""Two hundred random hostile inputs in every run, and individual ones that once did harm.

``python -m tests.hostile`` sends any number.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import structlog

from tests.hostile.checks import faults_of
from tests.hostile.episodes import EPISODE, Episode, Report, play
from tests.hostile.house import House, house
from tests.hostile.inputs import Input, Scene
from tests.hostile.words import hostile, mutated, short
from tests.limits import BUTTON
from tests.wire.world import Kind, Message

pytestmark = pytest.mark.slow("hostile")

INPUTS = 2 * EPISODE


@pytest.mark.seeds(2)
async def test_no_input_does_harm(seed: int) -> None:
    """Each input that has to be answered is answered once, visibly and within the limits, and
    nobody exceeds their rights.
    """
    report = await play(seed * 1000, INPUTS)
    assert report.failures == []
    assert report.kinds.total() > INPUTS / 2


# --------------------------------------------------------------------------------- by name
class Sender:
    """A person at a running table who sends what Discord's own client would not."""

    def __init__(self, home: House) -> None:
        self.home = home
        self.episode = Episode(home, 7, Report())
        self.scene: Scene = self.episode.scene
        self.anna = self.scene.people[0]
        self.room = self.scene.rooms[0]

    @property
    def board(self) -> Message:
        """The last message with controls."""
        return [message for message in self.room.messages if message.control_ids][-1]

    async def check(self, act: Any) -> str:
        """The text of the answer; fails if anything is wrong with it."""
        given = Input("by name", self.anna, act)
        told = {number: m.edits for number, m in self.home.discord.world.messages.items()}
        await self.home.quiet(act, known=True)
        assert faults_of(self.home, given, set(told), told) == []
        return "\n".join(message.text for message in act.messages)

    async def press(self, custom_id: str, values: list[str] | None = None) -> str:
        """Use a button or menu with this id on the board."""
        board, true = self.board, self.board.components
        control = board.buttons[-1]
        kind = 2 if values is None else 3
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": kind, "id": 99}
        if values is not None:
            data["values"] = values
        row = {"type": 1, "id": 98, "components": [_control(control, custom_id, kind)]}
        board.components = [*true, row]
        try:
            act = self.anna.act(Kind.COMPONENT, self.room, data, source=board)
        finally:
            board.components = true
        return await self.check(act)


def _control(like: dict[str, Any], custom_id: str, kind: int) -> dict[str, Any]:
    if kind == BUTTON:
        return {**like, "custom_id": custom_id, "id": 99}
    options = [{"label": "x", "value": "x"}]
    return {"type": kind, "custom_id": custom_id, "id": 99, "options": options}


@pytest.fixture
async def sender(tmp_path: Path) -> AsyncIterator[Sender]:
    """A person at a running table; logging is restored afterwards."""
    before = structlog.get_config()
    async with house(tmp_path, "0") as home:
        sender = Sender(home)
        await sender.episode.open()
        yield sender
    assert structlog.get_config() == before


async def test_a_control_that_leads_nowhere_is_answered(sender: Sender) -> None:
    for custom_id in (
        *("t:1.0:vote:x.yes", "t:1.0:vote:½.no", "t:1.0:look:x", "t:1.0:look:99", "t:1.0:take"),
        *("t:1.0:kick:٣", "t:0.0:learn:chess", "t:0.0:learn:lancelot.gone"),
        *("t:0.0:solve:lancelot", "t:0.0:solve:lancelot.taking.Z9", "t:0.0:firstmatch:chess"),
        *("t:0.0:solve:lancelot.taking.K4 K5", "t:0.0:solve:lancelot.power.Z9 K5"),
    ):
        assert await sender.press(custom_id), custom_id


async def test_a_menu_sent_with_any_values_is_answered(sender: Sender) -> None:
    values: list[list[str]] = [[], ["x", "x"], ["\ud800"], ["x" * 5000]]
    for chosen in values:
        assert await sender.press("st:1.1:go", chosen), chosen


async def test_private_cards_never_replace_a_board(sender: Sender) -> None:
    before = [(message.id, message.text, message.edits) for message in sender.room.messages]
    for verb in ("remember", "unlist:yes", "askforget"):
        assert await sender.press(f"t:0.0:{verb}"), verb
    assert [(m.id, m.text, m.edits) for m in sender.room.messages] == before
    assert await sender.press("t:0.0:forget"), "changes names on the board"


async def test_a_form_without_its_fields_is_answered(sender: Sender) -> None:
    """Another version of the bot may have made the form."""
    row: dict[str, Any] = {"type": 1, "components": []}
    for parts in ([], [{"type": 18, "id": 1}], [row]):
        data = {"custom_id": "t:1.1:planned", "components": parts}
        act = sender.anna.act(Kind.MODAL, sender.room, data, source=sender.board)
        assert await sender.check(act), parts


async def test_any_text_in_place_of_a_code_is_answered(sender: Sender) -> None:
    for code in ("\ud800", "a\udfffb", "٣", "\0"):
        assert await sender.check(sender.anna.slash(sender.room, "table log", table=code)), code


# ------------------------------------------------------------------------------- the words
@pytest.mark.parametrize("make", [hostile, lambda rng, most: mutated(rng, "K4:x>1")])
def test_hostile_texts_differ(make: Callable[..., str], rng: random.Random) -> None:
    """Otherwise, the generators would test little."""
    texts = {make(rng, 100) for _ in range(200)}
    assert len(texts) > 60
    assert all(len(short(text)) < 300 for text in texts)
