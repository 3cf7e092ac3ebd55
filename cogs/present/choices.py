"""The question a person has to answer at a table, with its buttons and menus."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from cogs.gateway.cards import Button, Entry, Link, Row, Style, menus_of, rows_of
from cogs.gateway.controls import Control
from cogs.present.people import safe_names
from cogs.present.words import GameWords, Group, Menu
from data.texts import Texts
from games.engine import View
from play.table import Table


def chosen_in_words(table: Table, words: GameWords, say: Texts, seat: int) -> str:
    """Describe what a seat has chosen, while others who choose at the same time are still
    thinking.
    """
    names, events = safe_names(table), table.played.log[table.played.choosing_since :]
    moves = [words.move_in_words(e.move, names, say) for e in events if e.seat == seat]
    return say(
        "You have chosen: {moves}. You can change your choice until all the others have chosen.",
        moves=say.list(moves),
    )


def table_button(
    table: Table, verb: str, label: str, style: Style = Style.SECONDARY, argument: str = ""
) -> Button:
    """Return a button for an action at a table. It still works after later events at the table."""
    return Button(Control(table.id, 0, verb, argument), label, style)


def way_rows(table: Table, say: Texts) -> tuple[Row, ...]:
    """Return a link to the table's channel; empty if the table is played in direct messages, where
    no link works for everyone.
    """
    place = table.row.guild_id or table.chat
    if not place:
        return ()
    url = f"https://discord.com/channels/{place}/{table.row.channel_id}"
    return ((Link(say("To the table"), url),),)


def choosing(table: Table, seat: int) -> Control:
    """Return the control for a seat's pending decision, without an argument."""
    return Control(table.id, table.opened(seat), "go")


def menu_of(table: Table, words: GameWords, say: Texts, seat: int, view: View) -> Menu:
    """Return the first menu for a seat."""
    return words.menu(view, table.legal(seat), "", table.names, say)


def choice_rows(table: Table, seat: int, menu: Menu, room: int | None = None) -> list[Row]:
    """Return buttons and menus for everything a menu offers a seat.

    :param room: how many controls fit, as for ``menu_rows``; None: any number.
    """
    return menu_rows(menu, choosing(table, seat), room=room)


def menu_rows(menu: Menu, choose: Control, before: str = "", room: int | None = None) -> list[Row]:
    """Return buttons and menus for everything a menu offers.

    :param choose: the control that all choices share, without an argument.
    :param before: the text to put before each choice's value in the argument.
    :param room: how many controls fit; if there are too many, the largest groups become menus.
        None: any number.
    """
    rows: list[Row] = []
    buttons = _shown_as_buttons(menu, room)
    for group in menu.groups:
        if group in buttons:
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
            entries = [
                Entry(choice.label, before + choice.value, choice.detail, icon=choice.icon)
                for choice in group.choices
            ]
            rows += menus_of(choose, group.placeholder, entries, len(rows))
    return rows


def _shown_as_buttons(menu: Menu, room: int | None) -> list[Group]:
    """Return the groups shown as one button per choice; the others become menus."""
    groups = sorted((g for g in menu.groups if g.as_buttons), key=lambda g: len(g.choices))
    if room is None:
        return groups
    more = accumulate(len(group.choices) - 1 for group in groups)
    room -= len(menu.groups)
    return [group for group, used in zip(groups, more, strict=True) if used <= room]


def hint_rows(table: Table, say: Texts) -> list[Row]:
    """Return the button for a hint; empty if the table gives no hints."""
    return [(table_button(table, "hint", say("Hint")),)] if table.gives_hints else []
