"""The ids of buttons and menus, which another process can read after a restart."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st
from simcord.env import Env

from cogs.gateway.cards import Button, Card, Entry, Select
from cogs.gateway.components import pressed
from cogs.gateway.controls import CUSTOM_ID, Control
from cogs.gateway.gateway import Gateway
from tests.cogs.gateway.stage import LINK, PRESS, Bot, board, texts_of


async def test_buttons_work_after_a_restart(
    env: Env, gateway: Gateway, channel: Any, ann: Any
) -> None:
    await gateway.post(channel.id, board((PRESS,)))
    heir = Bot()
    await env.restart_bot(heir)
    heir.act = lambda interaction: Gateway(heir).replies.answer(interaction, "pressed")
    result = await ann.click(channel.last_message, label="Press")
    assert texts_of(result.response.message) == ["pressed"]
    assert heir.pressed == [PRESS.control]


async def test_a_choice_becomes_the_argument(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    menu = Select(Control(7, 12, "go"), "Choose", (Entry("One", "K4"), Entry("Two", "K5", "far")))
    await gateway.post(channel.id, board((PRESS, LINK), menu))
    bot.act = gateway.replies.defer_update
    await ann.select(channel.last_message, ["K5"], custom_id="st:7.12:go")
    assert bot.pressed == [Control(7, 12, "go", "K5")]


@pytest.mark.parametrize("value", ["7", "x"])
def test_the_chosen_person_becomes_the_argument(value: str) -> None:
    """The value is passed on unchanged, even if it is nobody's id."""
    data = {"custom_id": "st:7.12:invite", "values": [value]}
    chosen: Any = SimpleNamespace(type=discord.InteractionType.component, data=data)
    assert pressed(chosen) == Control(7, 12, "invite", value)


async def test_controls_and_forms_of_other_programs_are_ignored(
    bot: Bot, channel: Any, ann: Any
) -> None:
    plain: ui.Button[Any] = ui.Button(label="Plain", custom_id="plain")
    view = ui.LayoutView(timeout=None).add_item(ui.ActionRow(plain))
    silence = discord.AllowedMentions(everyone=False, roles=False, users=[])
    await bot.get_partial_messageable(channel.id).send(view=view, allowed_mentions=silence)
    await ann.click(channel.last_message, label="Plain")
    assert bot.pressed == []
    sent = SimpleNamespace(
        type=discord.InteractionType.modal_submit, data={"custom_id": "t:7.12:word"}
    )
    form: Any = sent
    assert pressed(form) is None


@pytest.mark.parametrize(
    ("custom_id", "control"),
    [
        ("t:5.12:go", Control(5, 12, "go")),
        ("t:5.12:go:K4:x", Control(5, 12, "go", "K4:x")),
        ("o:5.12:go", Control(0, 12, "go", occasion=5)),
    ],
)
def test_ids_of_tables_and_occasions_are_read(custom_id: str, control: Control) -> None:
    match = re.fullmatch(CUSTOM_ID, custom_id)
    assert match is not None
    assert Control.matched(match) == control


@pytest.mark.parametrize(
    "custom_id",
    [
        "t:5",
        "t:5:go",
        "t:x.1:go",
        "go",
        "t:5.1u1:go",
        "t:5:12:go",
        "t:5.1:",
        "t:٣.1:go",
        f"t:{10**18}.1:go",
    ],
)
def test_other_ids_are_not_ours(custom_id: str) -> None:
    assert re.fullmatch(CUSTOM_ID, custom_id) is None


@given(
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.from_regex("[a-z]+", fullmatch=True),
    st.text(st.characters(blacklist_categories=["Cc", "Zl", "Zp"])),
)
def test_an_id_contains_everything_about_its_control(
    table: int, revision: int, verb: str, argument: str
) -> None:
    control = Control(table, revision, verb, argument)
    match = re.fullmatch(CUSTOM_ID, control.custom_id)
    assert match is not None
    assert Control.matched(match) == control


async def test_a_disabled_button_is_shown_as_disabled(gateway: Gateway, channel: Any) -> None:
    await gateway.post(
        channel.id, Card(("x",), ((Button(PRESS.control, "Press", disabled=True),),))
    )
    (row,) = [part for part in channel.last_message.components[0].children if part.type.value == 1]
    assert row.children[0].disabled
