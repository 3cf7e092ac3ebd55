"""Cards as Discord is sent them, and the stripping of messages whose content is not known."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final, TypedDict
from urllib.parse import urlsplit
from zlib import crc32

import discord
from discord import ui

from cogs.gateway.cards import (
    BUTTONS_IN_ROW,
    COMPONENTS_IN_MESSAGE,
    OPTIONS_IN_MENU,
    PICTURES_IN_GALLERY,
    Attached,
    Button,
    Card,
    Gallery,
    Link,
    Part,
    PersonSelect,
    Row,
    Select,
)
from cogs.gateway.controls import Control
from cogs.gateway.emojis import Icons

NO_ICONS: Final[Icons] = {}

TEXT_IN_MESSAGE: Final = 4000
"""Discord's limit for all texts of a message, in characters."""

ID_MOST: Final = 2**31 - 2
"""Discord's largest number of a component, less one."""

SEAT_ICONS: Final = {sign: f"seat{n}" for n, sign in enumerate("▲●■◆✚", 1)}
"""The icons of seats by the signs that stand for them in texts."""

_SIGN: Final = re.compile(rf"[{''.join(SEAT_ICONS)}](?= \*\*| <@)")
"""A sign before a name or a mention, as it stands nowhere in what people typed themselves."""


class _Ids(TypedDict):
    custom_id: str
    id: int


def layout(card: Card, mark: int | None = None, icons: Icons = NO_ICONS) -> ui.LayoutView:
    """A card as discord.py sends it.

    :param mark: the id of the outermost component, from 1 to 2**31 - 1; Discord tells it again
        whenever the message is read.
    :param icons: those that can be shown.
    :raises ValueError: the card is not drawn, or holds more than Discord takes.
    """
    texts = _with_signs([part for part in card.parts if isinstance(part, str)], icons)
    items = [item for part in card.parts for item in _items(part, texts)]
    items += [_row(row, icons) for row in card.rows]
    if card.framed:
        items = [ui.Container(*items, accent_colour=card.colour)]
    if mark is not None:
        items[0].id = mark
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    if view.total_children_count > COMPONENTS_IN_MESSAGE:
        raise ValueError(f"{view.total_children_count} components")
    view.stop()  # or discord.py would hold it in memory, for presses or until its timeout
    return view


def files_of(card: Card) -> list[discord.File]:
    """The files that go along with a card.

    :raises ValueError: two files have one name, by which the card could not tell them apart.
    """
    pictures = [
        file for part in card.parts if isinstance(part, Gallery) for file in part.files or ()
    ]
    others = [part.file for part in card.parts if isinstance(part, Attached)]
    files = dict.fromkeys([*pictures, *others])  # one that is shown twice goes along once
    names = [file.name for file in files]
    if len(set(names)) < len(names):
        raise ValueError(f"one name for several files: {sorted(names)}")
    return [
        discord.File(io.BytesIO(file.data), file.name, description=file.alt or None)
        for file in files
    ]


def mark_of(message: discord.Message) -> int | None:
    """The mark that a message was sent with, or what Discord gave it in its place."""
    return getattr(message.components[0], "id", None) if message.components else None


def _with_signs(texts: Sequence[str], icons: Icons) -> Mapping[str, str]:
    """Texts with the signs of seats before names drawn in colour, if the message has room."""

    def drawn(match: re.Match[str]) -> str:
        return str(icons.get(SEAT_ICONS[match[0]], match[0]))

    changed = {text: _SIGN.sub(drawn, text) for text in texts}
    fits = sum(len(changed[text]) for text in texts) <= TEXT_IN_MESSAGE
    return changed if fits else {text: text for text in texts}


def _items(part: Part, texts: Mapping[str, str]) -> Iterator[ui.Item[Any]]:
    if isinstance(part, str):
        yield ui.TextDisplay(texts[part])
    elif isinstance(part, Attached):
        yield ui.File(f"attachment://{part.file.name}")
    else:
        pictures = [
            discord.MediaGalleryItem(f"attachment://{name}", description=alt or None)
            for name, alt in part.names_and_alts
        ]
        for start in range(0, len(pictures), PICTURES_IN_GALLERY):
            yield ui.MediaGallery(*pictures[start : start + PICTURES_IN_GALLERY])


def _row(row: Row, icons: Icons) -> ui.ActionRow[Any]:
    if isinstance(row, Select):
        return ui.ActionRow(_menu(row, icons))
    if isinstance(row, PersonSelect):
        ids = _menu_ids(row.control)
        return ui.ActionRow(ui.UserSelect[Any](**ids, placeholder=row.placeholder))
    if not 1 <= len(row) <= BUTTONS_IN_ROW:
        raise ValueError(f"{len(row)} buttons in a row")
    return ui.ActionRow(*(_button(button, icons) for button in row))


def _menu(menu: Select, icons: Icons) -> ui.Select[Any]:
    if not 1 <= len(menu.entries) <= OPTIONS_IN_MENU:
        raise ValueError(f"{len(menu.entries)} entries in a menu")
    options = [
        discord.SelectOption(
            label=entry.label,
            value=entry.value,
            description=entry.detail or None,
            default=entry.chosen,
            emoji=icons.get(entry.icon),
        )
        for entry in menu.entries
    ]
    chosen = "".join(f".{n}" for n, entry in enumerate(menu.entries) if entry.chosen)
    ids = _menu_ids(replace(menu.control, argument=menu.control.argument + chosen))
    return ui.Select(**ids, placeholder=menu.placeholder or None, options=options)


def _menu_ids(control: Control) -> _Ids:
    """The ids of a menu. Both change with its control: clients keep what somebody chose in a menu,
    and do not let the same be chosen again, for as long as one of them is the same.
    """
    custom_id = f"s{control.custom_id}"
    return {"custom_id": custom_id, "id": 1 + crc32(custom_id.encode()) % ID_MOST}


def _button(button: Button | Link, icons: Icons) -> ui.Button[Any]:
    if isinstance(button, Link):
        return ui.Button(label=button.label, url=button.url)
    return ui.Button(
        label=button.label,
        style=discord.ButtonStyle(int(button.style)),
        disabled=button.disabled,
        custom_id=button.control.custom_id,
        emoji=icons.get(button.icon),
    )


# --------------------------------------------------------------- messages of unknown content
def stripped(message: discord.Message) -> ui.LayoutView | None:
    """What remains of a message once its controls go; None if it has none."""
    view = ui.LayoutView.from_message(message, timeout=None)
    if not view.is_dispatchable():
        return None
    for item in list(view.walk_children()):
        if isinstance(item, ui.ActionRow):
            _strip_row(item, view)
        elif isinstance(item, ui.Section) and isinstance(item.accessory, ui.Button):
            item.accessory.disabled = True  # a section cannot be without its accessory
        elif isinstance(item, ui.MediaGallery):
            item.items = [_kept(picture, message) for picture in item.items]
    view.stop()
    return view


def _strip_row(row: ui.ActionRow[Any], view: ui.LayoutView) -> None:
    for control in row.children:
        if control.is_dispatchable():
            row.remove_item(control)
    if not row.children:
        holder = row.parent if isinstance(row.parent, ui.Container) else view
        holder.remove_item(row)


def _kept(picture: discord.MediaGalleryItem, message: discord.Message) -> discord.MediaGalleryItem:
    """The picture by the name of its attachment: the address that Discord tells would expire."""
    name = PurePosixPath(urlsplit(picture.media.url).path).name
    if all(name != attachment.filename for attachment in message.attachments):
        return picture
    return discord.MediaGalleryItem(f"attachment://{name}", description=picture.description)
