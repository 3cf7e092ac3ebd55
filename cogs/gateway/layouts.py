"""Converts cards into the form that is sent to Discord, and strips messages whose content is
unknown.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit
from zlib import crc32

import discord
from discord import ComponentType as Type
from discord import ui

from cogs.gateway.cards import (
    BUTTONS_IN_ROW,
    COMPONENTS_IN_MESSAGE,
    OPTIONS_IN_MENU,
    PICTURES_IN_GALLERY,
    Attached,
    Button,
    Card,
    Entry,
    Gallery,
    Link,
    Part,
    PersonSelect,
    Row,
    Select,
)
from cogs.gateway.controls import Control
from cogs.gateway.emojis import NO_ICONS, Icons
from cogs.gateway.texts import legible

Component = dict[str, Any]
"""A component of a message, in the format of Discord's API."""

TEXT_IN_MESSAGE: Final = 4000
"""Discord's limit for all texts of a message together, in characters."""

ID_MOST: Final = 2**31 - 2
"""One less than the largest component id that Discord accepts."""

SEAT_ICONS: Final = {sign: f"seat{n}" for n, sign in enumerate("▲●■◆✚", 1)}
"""The icons of seats, by the sign that stands for the seat in texts."""

_SIGN: Final = re.compile(rf"[{''.join(SEAT_ICONS)}](?= \*\*| <@)")
"""A seat's sign before a name or a mention. What people type can never match it."""


class Layout(ui.LayoutView):
    """Components in the form that is sent to Discord; discord.py's own classes would first build an
    object for each of them, and go through them several times.
    """

    def __init__(self, components: list[Component]) -> None:
        super().__init__(timeout=None)
        self._components = components
        # otherwise discord.py keeps the view in memory, waiting for presses or a timeout
        self.stop()

    def to_components(self) -> list[Component]:
        """Return the components, in the format of Discord's API."""
        return self._components

    def has_components_v2(self) -> bool:
        """Return True, because the message consists of components, not of text content."""
        return True


def layout(card: Card, mark: int | None = None, icons: Icons = NO_ICONS) -> Layout:
    """Return a card as a view that discord.py can send.

    :param mark: the id of the first component, from 1 to 2**31 - 1; Discord returns it whenever the
        message is read.
    :param icons: the emojis that may be used.
    :raises ValueError: the card is not drawn yet, or Discord does not allow that many components,
        buttons in a row or menu entries, or a row or menu is empty.
    """
    texts = _with_signs([part for part in card.parts if isinstance(part, str)], icons)
    components = [one for part in card.parts for one in _components(part, texts)]
    components += [_row(row, icons) for row in card.rows]
    if card.framed:
        components = [_of(Type.container, accent_color=card.colour, components=components)]
    if mark is not None:
        components[0]["id"] = mark
    if (count := _count(components)) > COMPONENTS_IN_MESSAGE:
        raise ValueError(f"{count} components")
    return Layout(components)


def files_of(card: Card) -> list[discord.File]:
    """Return the files to send with a card.

    :raises ValueError: two different files have the same name.
    """
    pictures = [
        file for part in card.parts if isinstance(part, Gallery) for file in part.files or ()
    ]
    others = [part.file for part in card.parts if isinstance(part, Attached)]
    files = dict.fromkeys([*pictures, *others])  # a file shown twice is sent once
    names = [file.name for file in files]
    if len(set(names)) < len(names):
        raise ValueError(f"several files with the same name: {sorted(names)}")
    return [
        discord.File(io.BytesIO(file.data), file.name, description=file.alt or None)
        for file in files
    ]


def mark_of(message: discord.Message) -> int | None:
    """Return the mark that a message was sent with; without a mark, the id that Discord assigned;
    None if the message has no components.
    """
    return getattr(message.components[0], "id", None) if message.components else None


def _with_signs(texts: Sequence[str], icons: Icons) -> Mapping[str, str]:
    """Map each text to a version that shows coloured icons instead of seat signs before names; if
    the message has no room for icons, map it to itself.
    """

    def drawn(match: re.Match[str]) -> str:
        return str(icons.get(SEAT_ICONS[match[0]], match[0]))

    changed = {text: _SIGN.sub(drawn, text) for text in texts}
    fits = sum(len(changed[text]) for text in texts) <= TEXT_IN_MESSAGE
    return changed if fits else {text: text for text in texts}


def _of(kind: Type, **fields: Any) -> Component:
    """Return a component with these fields, leaving out those that are None."""
    given = {name: value for name, value in fields.items() if value is not None}
    return {"type": kind.value, **given}


def _count(components: Sequence[Component]) -> int:
    """Return the number of components, including nested ones."""
    return sum(1 + _count(one.get("components", ())) for one in components)


def _components(part: Part, texts: Mapping[str, str]) -> Iterator[Component]:
    if isinstance(part, str):
        yield _of(Type.text_display, content=texts[part])
    elif isinstance(part, Attached):
        yield _of(Type.file, file={"url": f"attachment://{part.file.name}"})
    else:
        pictures = [_picture(name, alt) for name, alt in part.names_and_alts]
        for start in range(0, len(pictures), PICTURES_IN_GALLERY):
            yield _of(Type.media_gallery, items=pictures[start : start + PICTURES_IN_GALLERY])


def _picture(name: str, alt: str) -> Component:
    media = {"url": f"attachment://{name}"}
    return {"media": media, "description": alt} if alt else {"media": media}


def _row(row: Row, icons: Icons) -> Component:
    if isinstance(row, Select):
        return _of(Type.action_row, components=[_menu(row, icons)])
    if isinstance(row, PersonSelect):
        people = _of(Type.user_select, **_menu_ids(row.control), placeholder=row.placeholder)
        return _of(Type.action_row, components=[people])
    if not 1 <= len(row) <= BUTTONS_IN_ROW:
        raise ValueError(f"{len(row)} buttons in a row")
    return _of(Type.action_row, components=[_button(button, icons) for button in row])


def _menu(menu: Select, icons: Icons) -> Component:
    if not 1 <= len(menu.entries) <= OPTIONS_IN_MENU:
        raise ValueError(f"{len(menu.entries)} entries in a menu")
    options = [_option(entry, icons) for entry in menu.entries]
    chosen = "".join(f".{n}" for n, entry in enumerate(menu.entries) if entry.chosen)
    ids = _menu_ids(replace(menu.control, argument=menu.control.argument + chosen))
    return _of(Type.select, **ids, placeholder=legible(menu.placeholder) or None, options=options)


def _menu_ids(control: Control) -> Component:
    """Return the ids of a menu. Both depend on its control: as long as either stays the same,
    clients keep the person's choice and do not let them choose it again.
    """
    custom_id = f"s{control.custom_id}"
    return {"custom_id": custom_id, "id": 1 + crc32(custom_id.encode()) % ID_MOST}


def _option(entry: Entry, icons: Icons) -> Component:
    option = {"label": legible(entry.label), "value": entry.value, "default": entry.chosen}
    if entry.detail:
        option["description"] = legible(entry.detail)
    if entry.icon in icons:
        option["emoji"] = icons[entry.icon].to_dict()
    return option


def _button(button: Button | Link, icons: Icons) -> Component:
    if isinstance(button, Link):
        style = discord.ButtonStyle.link.value
        return _of(Type.button, style=style, label=legible(button.label), url=button.url)
    icon = icons.get(button.icon)
    return _of(
        Type.button,
        style=button.style.value,
        label=legible(button.label),
        disabled=button.disabled,
        custom_id=button.control.custom_id,
        emoji=None if icon is None else icon.to_dict(),
    )


# --------------------------------------------------------------- messages of unknown content
def stripped(message: discord.Message) -> ui.LayoutView | None:
    """Return a message without its controls; None if it has no controls."""
    view = ui.LayoutView.from_message(message, timeout=None)
    if not view.is_dispatchable():
        return None
    for item in list(view.walk_children()):
        if isinstance(item, ui.ActionRow):
            _strip_row(item, view)
        elif isinstance(item, ui.Section) and isinstance(item.accessory, ui.Button):
            item.accessory.disabled = True  # a section must have an accessory
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
    """Return the picture, referring to the attachment itself, because the URL in the message would
    expire.
    """
    name = PurePosixPath(urlsplit(picture.media.url).path).name
    if all(name != attachment.filename for attachment in message.attachments):
        return picture
    return discord.MediaGalleryItem(f"attachment://{name}", description=picture.description)
