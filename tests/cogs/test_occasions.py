"""Occasions in Discord: their messages, their buttons, their tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cogs.gateway.cards import Button, Card
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.present.surfaces import Surface
from data.store.rows import Status
from play.occasions.occasion import Occasion
from tests import stage
from tests.play.relay import Enter, Relay, Relaying
from tests.stage import Stage, answer_to, controls, private, texts_of, use


def surfaces(
    relay: Occasion[Relaying], told: int, told_from: Callable[[str], int]
) -> list[Surface]:
    """One message names the participants and says how often each has won."""
    state = relay.state
    names = ", ".join(state.names.values())
    wins = ", ".join(f"{state.names[person]} {count}" for person, count in state.wins.items())
    enter = Button(Control(0, relay.revision, "enter", occasion=relay.id), "Take part")
    rows = () if relay.over else ((enter,),)
    return [Surface("tournament", Card((f"Relay of {names}. Won: {wins or 'nothing'}.",), rows))]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register relays as a kind of occasion."""
    monkeypatch.setattr(stage, "KINDS", {**stage.KINDS, Relay(): surfaces})


def listening(stage: Stage) -> None:
    """Handle the button of relays."""

    async def enter(interaction: Interaction, control: Control) -> None:
        command = Enter(interaction.user.id, interaction.user.display_name)
        await stage.bot.acting.act_in(interaction, control.occasion, command)

    stage.bot.acting.presses["enter"] = enter


async def begun(stage: Stage, legs: int = 1) -> Occasion[Relaying]:
    """Have Anna start a relay in the channel with a button; return it."""
    listening(stage)
    opened: list[Occasion[Relaying]] = []

    async def convene(interaction: Interaction, control: Control) -> None:
        anna = interaction.user
        relay = await stage.bot.occasions.open(
            Relay.NAME,
            Relaying({anna.id: anna.display_name}, legs=legs),
            guild_id=stage.guild.id,
            channel_id=stage.channel.id,
            language="en",
            host_id=anna.id,
            interaction_id=interaction.id,
        )
        opened.append(relay)

    stage.bot.acting.presses["convene"] = convene
    await stage.post(stage.channel.id, Control.apart("convene"))
    await use(stage.people["Anna"], stage.channel.last_message, "convene")
    return opened[0]


def standing(stage: Stage) -> list[Any]:
    """The channel's messages about relays."""
    return [each for each in stage.channel.history() if "Relay of" in texts_of(each)]


async def enter(stage: Stage, name: str) -> Any:
    (message,) = standing(stage)
    (control,) = controls(message)
    return await stage.people[name].click(message, custom_id=control.custom_id)


async def now(stage: Stage, relay: Occasion[Relaying]) -> Occasion[Relaying]:
    """The stored relay."""
    found: Occasion[Relaying] = await stage.bot.occasions.fresh(relay.id)
    return found


async def test_a_message_is_kept_up_to_date(stage: Stage) -> None:
    relay = await begun(stage)
    assert "Relay of Anna. Won: nothing." in texts_of(standing(stage)[0])
    await stage.restart()
    listening(stage)
    await enter(stage, "Ben")
    assert "Relay of Anna, Ben." in texts_of(standing(stage)[0])
    assert [*(await now(stage, relay)).state.names.values()] == ["Anna", "Ben"]
    assert "You are already at this table" in answer_to(await enter(stage, "Ben"))


async def test_a_deleted_message_is_posted_again(stage: Stage) -> None:
    await begun(stage)
    (message,) = standing(stage)
    await message.delete()
    await stage.restart()
    await stage.wait(600)
    assert len(standing(stage)) == 1


async def test_a_table_is_opened_and_played_and_its_winner_counts(stage: Stage) -> None:
    stage.allow_threads()
    relay = await begun(stage, legs=2)
    await enter(stage, "Ben")
    for leg, loser in ((1, "Ben"), (2, "Anna")):
        found = await stage.bot.store.tables.of_occasion(relay.id)
        table = await stage.bot.tables.fresh(found[str(leg)])
        assert table.row.status is Status.RUNNING
        assert table.row.channel_id != stage.channel.id
        assert table.names == ("Anna", "Ben")
        asked = private(await stage.slash(loser, "table resign", table=table.row.code))
        (button,) = controls(asked)
        await stage.people[loser].click(asked, custom_id=button.custom_id)
    after = await now(stage, relay)
    assert after.over
    assert sorted(after.state.wins.values()) == [1, 1]
    assert "Won: Anna 1, Ben 1." in texts_of(standing(stage)[0])
