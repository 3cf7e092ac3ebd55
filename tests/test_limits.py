"""Test each of Discord's limits by breaking it once."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Any

import discord
import pytest
from discord import app_commands, ui
from simcord.env import Env

from cogs.gateway.limits import check_choices, check_tree
from tests.limits import (
    COMPONENTS_V2,
    FILE_MAX,
    REQUEST_MAX,
    check_message,
    check_modal,
    check_requests,
)

Sample = dict[str, Any]
NOBODY: Sample = {"parse": [], "users": []}


# ------------------------------------------------------------------------------- samples
def command(**changes: Any) -> Sample:
    return {"name": "place", "description": "Place a stone", "type": 1, "options": []} | changes


def option(**changes: Any) -> Sample:
    return {"name": "square", "description": "Where", "type": 3, "required": False} | changes


def choice(**changes: Any) -> Sample:
    return {"name": "the middle", "value": "H8"} | changes


def message(*components: Sample, **changes: Any) -> Sample:
    return {
        "content": None,
        "components": list(components),
        "flags": COMPONENTS_V2,
        "allowed_mentions": NOBODY,
    } | changes


def text(content: Any = "Hello") -> Sample:
    return {"type": 10, "content": content}


def button(**changes: Any) -> Sample:
    return {"type": 2, "style": 2, "label": "Press", "custom_id": "t:1"} | changes


def link(**changes: Any) -> Sample:
    return {"type": 2, "style": 5, "label": "Rules", "url": "https://example.org"} | changes


def choices(amount: int, **changes: Any) -> list[Sample]:
    return [{"label": f"K{n}", "value": f"K{n}"} | changes for n in range(amount)]


def menu(amount: int = 2, **changes: Any) -> Sample:
    return {"type": 3, "custom_id": "s:1", "options": choices(amount)} | changes


def row(*parts: Sample) -> Sample:
    return {"type": 1, "components": list(parts)}


def container(*parts: Sample) -> Sample:
    return {"type": 17, "components": list(parts)}


def section(*parts: Sample, accessory: Sample | None = None) -> Sample:
    return {"type": 9, "components": list(parts), "accessory": accessory or button()}


def picture(**changes: Any) -> Sample:
    return {"media": {"url": "https://example.org/a.png"}} | changes


def gallery(*items: Sample) -> Sample:
    return {"type": 12, "items": list(items)}


def form(*parts: Sample, **changes: Any) -> Sample:
    return {"title": "Your move", "custom_id": "f:1", "components": list(parts)} | changes


def label(component: Sample | None = None, **changes: Any) -> Sample:
    return {"type": 18, "label": "Move", "component": component or field()} | changes


def field(**changes: Any) -> Sample:
    return {"type": 4, "custom_id": "move", "style": 1} | changes


def group(kind: int, options: list[Sample]) -> Sample:
    return {"type": kind, "custom_id": "g", "options": options}


def buttons(amount: int) -> list[Sample]:
    """Rows with this many buttons in total."""
    ids = [f"t:{n}" for n in range(amount)]
    return [
        row(*(button(custom_id=it) for it in ids[start : start + 5]))
        for start in range(0, amount, 5)
    ]


def attached(*names: str, **changes: Any) -> list[Sample]:
    return [{"id": n, "filename": name} | changes for n, name in enumerate(names)]


def shown(*names: str) -> Sample:
    return gallery(*(picture(media={"url": f"attachment://{name}"}) for name in names))


def showing(*names: str, **changes: Any) -> Sample:
    return message(shown(*names), attachments=attached(*names, **changes))


# --------------------------------------------------------------------- limits of amounts
def in_message(component: Sample) -> list[str]:
    return check_message(message(component))


def in_command(**changes: Any) -> list[str]:
    return check_tree([command(**changes)])


def in_option(**changes: Any) -> list[str]:
    return check_tree([command(options=[option(**changes)])])


def in_field(**changes: Any) -> list[str]:
    return check_modal(form(label(field(**changes))))


LIMITS: dict[str, tuple[Callable[[int], list[str]], int, int]] = {
    # texts, as a function of their length
    "command name": (lambda n: in_command(name="x" * n), 1, 32),
    "command name in German": (lambda n: in_command(name_localizations={"de": "x" * n}), 1, 32),
    "command description": (lambda n: in_command(description="x" * n), 1, 100),
    "command description in German": (
        lambda n: in_command(description_localizations={"de": "x" * n}),
        1,
        100,
    ),
    "option name": (lambda n: in_option(name="x" * n), 1, 32),
    "option description": (lambda n: in_option(description="x" * n), 1, 100),
    "context menu name": (lambda n: check_tree([{"name": "x" * n, "type": 2}]), 1, 32),
    "choice name": (lambda n: check_choices([choice(name="x" * n)]), 1, 100),
    "choice name in German": (
        lambda n: check_choices([choice(name_localizations={"de": "x" * n})]),
        1,
        100,
    ),
    "choice value": (lambda n: check_choices([choice(value="x" * n)]), 1, 100),
    "content": (lambda n: check_message(message(content="x" * n, flags=0)), 0, 2000),
    "nonce": (lambda n: check_message(message(text(), nonce="x" * n)), 0, 25),
    "text": (lambda n: in_message(text("x" * n)), 1, 4000),
    "texts together": (lambda n: check_message(message(text(), text("x" * (n - 5)))), 6, 4000),
    "button label": (lambda n: in_message(row(button(label="x" * n))), 1, 80),
    "button custom_id": (lambda n: in_message(row(button(custom_id="x" * n))), 1, 100),
    "link address": (lambda n: in_message(row(link(url="x" * n))), 1, 512),
    "menu custom_id": (lambda n: in_message(row(menu(custom_id="x" * n))), 1, 100),
    "menu placeholder": (lambda n: in_message(row(menu(placeholder="x" * n))), 0, 150),
    "menu label": (lambda n: in_message(row(menu(options=choices(1, label="x" * n)))), 1, 100),
    "menu value": (lambda n: in_message(row(menu(options=choices(1, value="x" * n)))), 1, 100),
    "menu description": (
        lambda n: in_message(row(menu(options=choices(1, description="x" * n)))),
        0,
        100,
    ),
    "alt text in a gallery": (lambda n: in_message(gallery(picture(description="x" * n))), 0, 1024),
    "alt text of a thumbnail": (
        lambda n: in_message(section(text(), accessory=picture(type=11, description="x" * n))),
        0,
        1024,
    ),
    "alt text of a file": (lambda n: check_message(showing("a.png", description="x" * n)), 0, 1024),
    "address of a picture": (
        lambda n: in_message(gallery(picture(media={"url": "http://".ljust(n, "x")}))),
        8,
        2048,
    ),
    "form title": (lambda n: check_modal(form(label(), title="x" * n)), 1, 45),
    "form custom_id": (lambda n: check_modal(form(label(), custom_id="x" * n)), 1, 100),
    "form label": (lambda n: check_modal(form(label(label="x" * n))), 1, 45),
    "form description": (lambda n: check_modal(form(label(description="x" * n))), 0, 100),
    "field custom_id": (lambda n: in_field(custom_id="x" * n), 1, 100),
    "field placeholder": (lambda n: in_field(placeholder="x" * n), 0, 100),
    "field value": (lambda n: in_field(value="x" * n), 0, 4000),
    # amounts
    "chat commands": (lambda n: check_tree([command(name=f"c{it}") for it in range(n)]), 0, 100),
    "user commands": (
        lambda n: check_tree([{"name": f"c{it}", "type": 2} for it in range(n)]),
        0,
        15,
    ),
    "message commands": (
        lambda n: check_tree([{"name": f"c{it}", "type": 3} for it in range(n)]),
        0,
        15,
    ),
    "options": (lambda n: in_command(options=[option(name=f"o{it}") for it in range(n)]), 0, 25),
    "choices of an option": (
        lambda n: in_option(choices=[choice(name=f"c{it}") for it in range(n)]),
        0,
        25,
    ),
    "choices of autocompletion": (
        lambda n: check_choices([choice(name=f"c{it}") for it in range(n)]),
        0,
        25,
    ),
    "components": (lambda n: check_message(message(*[text("x")] * n)), 0, 40),
    "nested components": (lambda n: in_message(container(*[text("x")] * (n - 1))), 2, 40),
    "buttons of a row": (
        lambda n: in_message(row(*(button(custom_id=f"t:{it}") for it in range(n)))),
        1,
        5,
    ),
    "options of a menu": (lambda n: in_message(row(menu(n))), 1, 25),
    "texts of a section": (lambda n: in_message(section(*[text("x")] * n)), 1, 3),
    "pictures of a gallery": (lambda n: in_message(gallery(*[picture()] * n)), 1, 10),
    "attachments": (lambda n: check_message(showing(*(f"{it}.png" for it in range(n)))), 1, 10),
    "pinged people": (
        lambda n: check_message(
            message(text(), allowed_mentions={"parse": [], "users": list(range(n))})
        ),
        0,
        100,
    ),
    "parts of a form": (
        lambda n: check_modal(form(*(label(field(custom_id=f"{it}")) for it in range(n)))),
        1,
        5,
    ),
    "radio options": (lambda n: check_modal(form(label(group(21, choices(n))))), 2, 10),
    "checkbox options": (lambda n: check_modal(form(label(group(22, choices(n))))), 1, 10),
    "bytes of a file": (lambda n: check_message(message(text()), sizes=[n]), 1, FILE_MAX),
    "bytes of all files": (
        lambda n: check_message(message(text()), sizes=[n // 4, n // 4, n // 4, n - n // 4 * 3]),
        4,
        REQUEST_MAX,
    ),
    # numbers
    "min_length of an option": (lambda n: in_option(min_length=n), 0, 6000),
    "max_length of an option": (lambda n: in_option(max_length=n), 1, 6000),
    "value of a number": (lambda n: check_choices([choice(value=n)]), -(2**53), 2**53),
    "min_values": (lambda n: in_message(row(menu(25, min_values=n, max_values=25))), 0, 25),
    "min_values below max_values": (lambda n: in_message(row(menu(25, min_values=n))), 0, 1),
    "max_values": (lambda n: in_message(row(menu(25, max_values=n, min_values=0))), 1, 25),
    "max_values of a user menu": (
        lambda n: in_message(row({"type": 5, "custom_id": "u", "max_values": n})),
        1,
        25,
    ),
    "style of a button": (lambda n: in_message(row(button(style=n))), 1, 4),
    "spacing": (lambda n: in_message({"type": 14, "spacing": n}), 1, 2),
    "style of a field": (lambda n: in_field(style=n), 1, 2),
    "min_length of a field": (lambda n: in_field(min_length=n), 0, 4000),
    "max_length of a field": (lambda n: in_field(max_length=n), 1, 4000),
    "min_values of an upload": (
        lambda n: check_modal(form(label({"type": 19, "custom_id": "u", "min_values": n}))),
        0,
        10,
    ),
    "max_values of an upload": (
        lambda n: check_modal(form(label({"type": 19, "custom_id": "u", "max_values": n}))),
        1,
        10,
    ),
    "type of an option": (lambda n: in_option(type=n), 1, 11),
}


@pytest.mark.parametrize("name", LIMITS)
def test_the_least_and_the_most_pass_and_one_beyond_fails(name: str) -> None:
    faults, least, most = LIMITS[name]
    assert faults(most) == []
    assert faults(least) == []
    assert faults(most + 1) != []
    if least != 0:
        assert faults(least - 1) != []


def test_the_texts_of_a_command_are_limited_in_total() -> None:
    """Of each text, the longest translation counts."""

    def faults(last: int) -> list[str]:
        long = option(
            name="a",
            description="x",
            description_localizations={"de": "x" * 100},
            choices=[choice(name="x" * 100, value="x" * 100)] * 25,
        )
        rest = option(
            name="b",
            description="x",
            choices=[choice(name="x" * 100, value="x" * 100)] * 14
            + [choice(name="x" * last, value="x")],
        )
        return in_command(name="c", description="x", options=[long, rest])

    others = 2 + 101 + 25 * 200 + 2 + 14 * 200 + 1
    assert faults(8000 - others) == []
    assert faults(8001 - others) == ["/c characters: 8001, allowed 0 to 8000"]


# ----------------------------------------------------------------------- all other rules
def subcommands(kind: int, *options: Sample) -> Sample:
    return option(name="more", type=kind, options=list(options))


BROKEN: dict[str, tuple[list[str], str]] = {
    # commands
    "upper case": (in_command(name="Place"), "not a lowercase word"),
    "blank in a name": (in_command(name="my hand"), "not a lowercase word"),
    "mark in a name": (in_option(name="square!"), "not a lowercase word"),
    "upper case in German": (in_command(name_localizations={"de": "Setzen"}), "not a lowercase"),
    "unknown locale": (in_command(name_localizations={"de-DE": "setzen"}), "no locale 'de-DE'"),
    "unknown locale of a choice": (
        check_choices([choice(name_localizations={"xx": "x"})]),
        "no locale 'xx'",
    ),
    "no name": (check_tree([{"type": 1, "description": "x"}]), "None is not a text"),
    "no description": (check_tree([{"type": 1, "name": "x"}]), "None is not a text"),
    "same name twice": (check_tree([command(), command()]), "2 are called 'place'"),
    "same option twice": (in_command(options=[option(), option()]), "2 are called 'square'"),
    "same name in German only": (
        in_command(
            options=[option(name="feld"), option(name="b", name_localizations={"de": "feld"})]
        ),
        "2 are called 'feld' de",
    ),
    "described context menu": (
        check_tree([{"type": 3, "name": "Show", "description": "x"}]),
        "a context menu has neither",
    ),
    "required after optional": (
        in_command(options=[option(), option(name="b", required=True)]),
        "a required option after an optional one",
    ),
    "subcommand beside option": (
        in_command(options=[option(), subcommands(1)]),
        "subcommands next to options",
    ),
    "group in a group": (in_command(options=[subcommands(2, subcommands(2))]), "nested too deeply"),
    "subcommand in a subcommand": (
        in_command(options=[subcommands(2, subcommands(1, subcommands(1)))]),
        "nested too deeply",
    ),
    "option in a group": (
        in_command(options=[subcommands(2, option())]),
        "can only hold subcommands",
    ),
    "fault deep inside": (
        in_command(options=[subcommands(2, subcommands(1, option(name="X")))]),
        "/place more more X name : 'X'",
    ),
    "choices and autocompletion": (
        in_option(choices=[choice()], autocomplete=True),
        "exclude each other",
    ),
    "choices of a user": (in_option(type=6, choices=[choice()]), "type 6 cannot have choices"),
    "choice without value": (check_choices([{"name": "x", "value": ""}]), "0 characters"),
    # messages
    "embed": (check_message(message(embeds=[{"title": "x"}])), "embeds"),
    "content beside components": (check_message(message(text(), content="x")), "no other content"),
    "components without flag": (check_message(message(text(), flags=0)), "without their flag"),
    "pings by default": (check_message(message(text(), allowed_mentions=None)), "named one by one"),
    "pings everybody": (
        check_message(message(text(), allowed_mentions={"parse": ["everyone"]})),
        "named one by one",
    ),
    "pings roles": (
        check_message(message(text(), allowed_mentions={"parse": [], "roles": [1]})),
        "named one by one",
    ),
    "shown but not attached": (
        check_message(message(shown("a.png", "b.png"), attachments=attached("a.png"))),
        "'b.png' is shown but not attached",
    ),
    "nothing attached": (check_message(message(shown("a.png"))), "'a.png' is shown but not"),
    "thumbnail not attached": (
        check_message(
            message(section(text(), accessory={"type": 11, "media": {"url": "attachment://a.png"}}))
        ),
        "'a.png' is shown but not attached",
    ),
    "file not attached": (
        check_message(message(container({"type": 13, "file": {"url": "attachment://a.txt"}}))),
        "'a.txt' is shown but not attached",
    ),
    "attached but not shown": (
        check_message(message(text(), attachments=attached("a.png"))),
        "'a.png' is attached but not shown",
    ),
    "attached twice": (check_message(showing("a.png", "a.png")), "'a.png' 2 times"),
    "renamed attachment": (check_message(showing("Brett ä.png")), "would rename 'Brett ä.png'"),
    "edit that replaces": (
        check_message(message(shown("b.png"), attachments=attached("a.png")), edit=True),
        "'b.png' is shown but not attached",
    ),
    # components
    "button outside a row": (in_message(button()), "the message cannot hold components of type 2"),
    "container in a container": (
        in_message(container(container(text()))),
        "a container cannot hold components of type 17",
    ),
    "empty container": (in_message(container()), "parts of a container: 0"),
    "text in a row": (in_message(row(text())), "a row cannot hold components of type 10"),
    "picture beside a section": (
        in_message(section(text(), accessory=text())),
        "the side of a section cannot hold components of type 10",
    ),
    "button in a section": (in_message(section(button())), "a section cannot hold"),
    "menu beside a button": (in_message(row(menu(), button())), "buttons or one menu"),
    "two menus in a row": (in_message(row(menu(), menu(custom_id="b"))), "buttons or one menu"),
    "unknown component": (in_message({"type": 99}), "type 99"),
    "bare button": (in_message(row(button(label=None))), "needs a label or an emoji"),
    "link with custom_id": (in_message(row(link(custom_id="x"))), "cannot have a custom_id"),
    "button without custom_id": (in_message(row(button(custom_id=None))), "None is not a text"),
    "custom_id twice": (in_message(row(button(), button())), "custom_id: 't:1' 2 times"),
    "custom_id twice at depth": (
        check_message(message(row(button()), container(row(button())))),
        "custom_id: 't:1' 2 times",
    ),
    "id twice": (check_message(message(text() | {"id": 3}, text() | {"id": 3})), "id: 3 2 times"),
    "value twice": (
        in_message(row(menu(options=choices(2, value="x")))),
        "value among the options of a menu: 'x' 2 times",
    ),
    "more values than options": (in_message(row(menu(2, max_values=3))), "3 of 2 options"),
    "two chosen beforehand": (
        in_message(row(menu(options=choices(2, default=True)))),
        "options chosen beforehand: 2",
    ),
    "picture from nowhere": (in_message(gallery({"media": {"url": "a.png"}})), "'a.png'"),
    "file from elsewhere": (
        in_message({"type": 13, "file": {"url": "https://example.org/a.txt"}}),
        "a file has to be attached",
    ),
    # forms
    "button in a form": (check_modal(form(row(button()))), "cannot hold components of type 1"),
    "button in a label": (check_modal(form(label(button()))), "a label cannot hold"),
    "empty label": (check_modal(form(label() | {"component": None})), "a label cannot hold"),
    "fault in a menu of a form": (
        check_modal(form(label(menu(26)))),
        "options of a menu: 26, allowed 1 to 25",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_named(name: str) -> None:
    faults, words = BROKEN[name]
    assert any(words in fault for fault in faults), faults


def test_proper_payloads_have_no_faults() -> None:
    full = message(
        container(
            text("It is Ann's turn."),
            shown("board.png"),
            {"type": 14, "divider": True, "spacing": 1},
            section(text(), accessory=button(custom_id="t:2", emoji={"name": "\u2656"})),
            row(button(), link()),
            row(menu()),
            row({"type": 5, "custom_id": "u:1"}),
        ),
        attachments=attached("board.png", description="An empty board"),
        nonce="7:12:board",
    )
    assert check_message(full, sizes=[1000]) == []
    assert check_message(message(shown("kept.png")), edit=True) == []
    assert check_message(message(content="Hello", flags=64)) == []
    radio = group(21, choices(2)) | {"custom_id": "radio"}
    parts = [text(), label(), label(menu()), label(radio), label(group(22, choices(1)))]
    assert check_modal(form(*parts)) == []
    assert check_modal(form(label({"type": 23, "custom_id": "c"}))) == []
    tree = [
        command(
            name="größe",
            options=[
                subcommands(2, subcommands(1, option(required=True), option(name="b"))),
                option(name="show", type=1),
            ],
        ),
        command(options=[option(type=4, choices=[choice(value=3)]), option(name="c", type=6)]),
        {"type": 2, "name": "Show my Hand"},
    ]
    assert check_tree(tree) == []


# -------------------------------------------------------------------------- recorded requests
class Bot(discord.Client):
    """Sends requests of each kind, all over a limit or all within it."""

    def __init__(self, excess: int) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.excess = excess

    async def setup_hook(self) -> None:
        @self.tree.command(name="say", description="x" * (100 + self.excess))
        async def say(interaction: discord.Interaction, word: str) -> None:
            view = ui.LayoutView(timeout=None)
            for _ in range(2):
                view.add_item(ui.TextDisplay("x" * (2000 + self.excess)))
            nobody = discord.AllowedMentions.none()
            await interaction.response.send_message(view=view, allowed_mentions=nobody)
            await interaction.edit_original_response(view=view, allowed_mentions=nobody)
            await interaction.followup.send(view=view, allowed_mentions=nobody)

        @say.autocomplete("word")
        async def complete(
            interaction: discord.Interaction, current: str
        ) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name="x", value="x" * (100 + self.excess))]

        @self.tree.command(name="ask", description="x")
        async def ask(interaction: discord.Interaction) -> None:
            form = ui.Modal(title="Your move", custom_id="f")
            form.add_item(
                ui.Label(text="x" * (45 + self.excess), component=ui.TextInput(custom_id="move"))
            )
            await interaction.response.send_modal(form)

        await self.tree.sync()


@pytest.fixture
def simcord_bot(request: pytest.FixtureRequest) -> Bot:
    return Bot(request.param)


@pytest.mark.parametrize("simcord_bot", [0], indirect=True)
async def test_requests_of_a_proper_bot_have_no_faults(simcord_env: Env) -> None:
    await act(simcord_env)
    assert check_requests(simcord_env) == []


@pytest.mark.parametrize("simcord_bot", [1], indirect=True)
async def test_requests_beyond_a_limit_are_reported(simcord_env: Env) -> None:
    """It does not matter whether the simulated Discord accepted them."""
    await act(simcord_env)
    simcord_env.errors.clear()
    faults = "\n".join(check_requests(simcord_env))
    for kind in (
        r"PUT /applications/\d+/commands: /say description : 101 characters",
        r"POST /interactions/\d+/[^/]+/callback: characters of all texts: 4002",
        r"POST /interactions/\d+/[^/]+/callback: choice 'x' value: 101 characters",
        r"POST /interactions/\d+/[^/]+/callback: label: 46 characters",
        r"POST /channels/\d+/messages: text: 4001 characters",
        r"PATCH /channels/\d+/messages/\d+: text: 4001 characters",
        r"POST /channels/\d+/threads: name of a thread: 101 characters",
    ):
        assert re.search(kind, faults), faults


@pytest.mark.parametrize("simcord_bot", [0], indirect=True)
async def test_files_that_are_too_large_or_empty_are_reported(simcord_env: Env) -> None:
    cdn = simcord_env.backend.cdn
    cdn.store_attachment(1, 2, "full.png", bytes(FILE_MAX), None)
    assert check_requests(simcord_env) == []
    cdn.store_attachment(1, 2, "large.png", bytes(FILE_MAX + 1), None)
    cdn.store_attachment(1, 2, "empty.png", b"", None)
    large, empty = check_requests(simcord_env)
    assert large.endswith(f"large.png: {FILE_MAX + 1} bytes")
    assert empty.endswith("empty.png: 0 bytes")


async def act(env: Env) -> None:
    bot = env.bot
    assert isinstance(bot, Bot)
    guild = env.create_guild()
    channel = guild.create_text_channel("round-table")
    ann = guild.add_member(env.create_user("ann"))
    for result in (
        ann.slash(channel, "ask"),
        ann.autocomplete(channel, "say", "word", "x"),
        ann.slash(channel, "say", word="x"),
        post_and_edit(bot, channel.id),
        open_thread(bot, channel.id),
    ):
        with contextlib.suppress(discord.HTTPException):
            await result


async def post_and_edit(bot: Bot, channel_id: int) -> None:
    nobody = discord.AllowedMentions.none()
    place = bot.get_partial_messageable(channel_id)
    first = ui.LayoutView(timeout=None).add_item(ui.TextDisplay("x"))
    message = await place.send(view=first, allowed_mentions=nobody)
    view = ui.LayoutView(timeout=None).add_item(ui.TextDisplay("x" * (4000 + bot.excess)))
    for call in (message.edit, place.send):
        with contextlib.suppress(discord.HTTPException):
            await call(view=view, allowed_mentions=nobody)


async def open_thread(bot: Bot, channel_id: int) -> None:
    channel = bot.get_channel(channel_id)
    assert isinstance(channel, discord.TextChannel)
    await channel.create_thread(
        name="x" * (100 + bot.excess), type=discord.ChannelType.public_thread
    )
