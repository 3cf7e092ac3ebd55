"""What a person is asked at a table, and the buttons and menus that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cogs.gateway.cards import OPTIONS_IN_MENU, Button, Entry, Link, Row, Select, Style, rows_of
from cogs.gateway.controls import Control
from cogs.present.words import GameWords, Group, Menu
from data.texts import Texts
from games.engine import View
from play.table import Table


def button(
    table: Table, verb: str, label: str, style: Style = Style.SECONDARY, argument: str = ""
) -> Button:
    """A button that does something at a table, whatever has happened there since it was shown."""
    return Button(Control(table.id, 0, verb, argument), label, style)


def way_rows(table: Table, say: Texts) -> tuple[Row, ...]:
    """The way to the table's channel; to direct messages there is none that serves everyone."""
    place = table.row.guild_id or table.chat
    if not place:
        return ()
    url = f"https://discord.com/channels/{place}/{table.row.channel_id}"
    return ((Link(say("To the table"), url),),)


def choosing(table: Table, seat: int) -> Control:
    """The control, still without an argument, of the decision that ``seat`` owes."""
    return Control(table.id, table.opened(seat), "go")


def menu_of(table: Table, words: GameWords, say: Texts, seat: int, view: View) -> Menu:
    """What ``seat``, whose view is given, is asked first."""
    return words.menu(view, table.legal(seat), "", table.names, say)


def choice_rows(table: Table, seat: int, menu: Menu) -> list[Row]:
    """Buttons and menus for all that a menu offers to ``seat``."""
    return menu_rows(menu, choosing(table, seat))


def menu_rows(menu: Menu, choose: Control, before: str = "") -> list[Row]:
    """Buttons and menus for all that a menu offers.

    :param choose: the control of them all, still without an argument.
    :param before: what stands before each choice in the argument.
    """
    rows: list[Row] = []
    for group in menu.groups:
        if group.as_buttons:
            rows += rows_of(
                [
                    Button(
                        replace(choose, argument=before + choice.value),
                        choice.label,
                        Style.PRIMARY,
                        icon=choice.icon,
                    )
                    for choice in group.choices
                ]
            )
        else:
            rows += _menu_rows(choose, group, len(rows), before)
    return rows


def hint_rows(table: Table, say: Texts) -> list[Row]:
    """The way to a hint, where there are any."""
    return [(button(table, "hint", say("Hint")),)] if table.gives_hints else []


def _menu_rows(choose: Control, group: Group, first: int, before: str) -> Iterator[Row]:
    """As many menus as the choices take, numbered from ``first`` so that their ids differ."""
    chunks = range(0, len(group.choices), OPTIONS_IN_MENU)
    for number, start in enumerate(chunks):
        entries = tuple(
            Entry(choice.label, before + choice.value, choice.detail, icon=choice.icon)
            for choice in group.choices[start : start + OPTIONS_IN_MENU]
        )
        placeholder = group.placeholder
        if len(chunks) > 1:
            placeholder = f"{placeholder}: {entries[0].label} … {entries[-1].label}"
        yield Select(replace(choose, argument=str(first + number)), placeholder, entries)
