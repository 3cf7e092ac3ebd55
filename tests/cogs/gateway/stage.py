"""A small client with one command and the gateway's components, and helpers to inspect it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands, ui
from simcord.env import Env

from cogs.gateway.cards import Attachment, Button, Card, Gallery, Link, Row
from cogs.gateway.components import Interaction, pressed
from cogs.gateway.controls import Control
from cogs.gateway.traffic import request_trace

PNG = b"\x89PNG\r\n\x1a\n"
BOARD = Attachment("board.png", PNG, "An empty board")

PRESS = Button(Control(7, 12, "go"), "Press")
LINK = Link("Rules", "https://example.org/rules")

Act = Callable[[Interaction], Awaitable[object]]


@dataclass(frozen=True)
class Sketch:
    """A drawing identified by its name."""

    fingerprint: str

    def draw(self) -> list[Attachment]:
        return [BOARD]


EMPTY = Sketch("empty")


def board(*rows: Row, picture: Attachment | None = BOARD) -> Card:
    """A message as the bot posts it: a text, a picture and some controls."""
    files = () if picture is None else (picture,)
    return Card(("It is Ann's turn.", Gallery((EMPTY,), files)), rows)


class Bot(discord.Client):
    """One command, ``/do``, and all buttons and menus, which do whatever the test wants."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), http_trace=request_trace())
        self.tree = app_commands.CommandTree(self)
        self.act: Act = _nothing
        self.pressed: list[Control] = []

    async def setup_hook(self) -> None:
        @self.tree.command(name="do", description="Do what the test wants")
        async def do(interaction: Interaction) -> None:
            await self.act(interaction)

        await self.tree.sync()

    async def on_interaction(self, interaction: Interaction) -> None:
        control = pressed(interaction)
        if control is not None:
            self.pressed.append(control)
            await self.act(interaction)


async def _nothing(interaction: Interaction) -> None:
    raise AssertionError("the test has not said what to do")


def me(bot: discord.Client) -> discord.ClientUser:
    assert bot.user is not None
    return bot.user


def texts_of(message: discord.Message) -> list[str]:
    """All texts of a message, from top to bottom."""
    view = ui.LayoutView.from_message(message)
    return [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]


def controls_of(message: discord.Message) -> list[ui.Item[Any]]:
    """Everything on a message that can be pressed."""
    view = ui.LayoutView.from_message(message)
    return [item for item in view.walk_children() if isinstance(item, ui.Button | ui.Select)]


def sent(env: Env) -> Any:
    """The body of the bot's last request."""
    return env.http_requests[-1].json


def calls(env: Env, since: int = 0) -> list[str]:
    """The bot's requests: the method of each and the first part of its path."""
    return [f"{it.method} {it.path.split('/')[1]}" for it in env.http_requests[since:]]
