"""A message as pure data: texts, pictures, buttons and menus in one coloured card.

Cards are compared and fingerprinted as data. Nothing here knows discord.py; ``layouts`` turns a
card into what Discord is sent.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final, Protocol

from cogs.gateway.controls import Control
from cogs.gateway.drawing import beside

BUTTONS_IN_ROW: Final = 5
OPTIONS_IN_MENU: Final = 25
PICTURES_IN_GALLERY: Final = 10
COMPONENTS_IN_MESSAGE: Final = 40
"""Discord's limits; nested components count, too."""
BUTTON_LABEL: Final = 80
"""Discord's limit for the label of a button, in characters."""
ENTRY_LABEL: Final = 100
"""Discord's limit for the label of an entry in a menu, or of a choice, in characters."""
PLACEHOLDER: Final = 150
"""Discord's limit for what a menu says before anything is chosen, in characters."""
HOUSE_COLOUR: Final = 0xB8860B
"""The accent of what concerns no seat."""


class Style(IntEnum):
    """Colours of buttons, by Discord's numbers."""

    PRIMARY = 1
    SECONDARY = 2
    SUCCESS = 3
    DANGER = 4


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along with a message.

    :param name: letters, digits, ``_-.`` only, or Discord changes it and no reference finds it.
    :param alt: what a picture shows, for those who cannot see it; at most 1,024 characters.
    """

    name: str
    data: bytes = field(repr=False)
    alt: str = field(default="", repr=False)


class Drawable(Protocol):
    """A picture that can be drawn, known before it is drawn."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the picture would."""

    def draw(self) -> Sequence[Attachment]:
        """What it becomes: one picture, several, or none. Takes a while; any thread."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button that acts at a table.

    :param icon: the key of what is shown before the label, where it can be; empty: nothing.
    """

    control: Control
    label: str
    style: Style = Style.SECONDARY
    disabled: bool = False
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A button that leads somewhere."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a menu.

    :param icon: as of a ``Button``.
    """

    label: str
    value: str
    detail: str = ""
    chosen: bool = False
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    """A menu; what is chosen becomes the argument of its control."""

    control: Control
    placeholder: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class PersonSelect:
    """A menu of the people who are there; the id of the chosen one becomes the argument of its
    control.
    """

    control: Control
    placeholder: str


Row = tuple[Button | Link, ...] | Select | PersonSelect
"""Up to five buttons, or one menu."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """Pictures side by side.

    :param files: what the drawings became; None: they are not drawn yet.
    """

    drawings: tuple[Drawable, ...]
    files: tuple[Attachment, ...] | None = field(default=None, compare=False)

    @property
    def names_and_alts(self) -> tuple[tuple[str, str], ...]:
        """Of the files.

        :raises ValueError: they are not drawn yet.
        """
        if self.files is None:
            raise ValueError("a picture is not drawn")
        return tuple((file.name, file.alt) for file in self.files)


@dataclass(frozen=True, slots=True)
class Kept:
    """Pictures that stand in the message already, side by side.

    :param names_and_alts: of the attached files.
    """

    names_and_alts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Attached:
    """A file shown by its name, for instance a text that is too long for a message."""

    file: Attachment


Pictures = Mapping[tuple[str, ...], Kept]
"""The pictures that stand in a message, by the fingerprints of the drawings of each gallery."""

Part = str | Gallery | Kept | Attached


@dataclass(frozen=True, slots=True)
class Card:
    """One message.

    :param colour: of the edge, as 0xRRGGBB.
    :param parts: from top to bottom; the rows of controls follow them. Neither shows in a ``repr``:
        it may be a hand.
    :param framed: without a frame the parts stand on their own, as a file must.
    """

    parts: tuple[Part, ...] = field(repr=False)
    rows: tuple[Row, ...] = field(default=(), repr=False)
    colour: int = HOUSE_COLOUR
    framed: bool = True

    @property
    def live(self) -> bool:
        """Whether something on it can be pressed."""
        return any(
            isinstance(row, Select | PersonSelect)
            or any(isinstance(button, Button) for button in row)
            for row in self.rows
        )

    @property
    def fingerprint(self) -> str:
        """Changes whenever what is shown would."""
        return fingerprint_of([self.parts, self.rows, self.colour, self.framed])


def rows_of(buttons: Sequence[Button | Link]) -> tuple[Row, ...]:
    """Buttons in rows of five."""
    starts = range(0, len(buttons), BUTTONS_IN_ROW)
    return tuple(tuple(buttons[start : start + BUTTONS_IN_ROW]) for start in starts)


def menus_of(
    control: Control, placeholder: str, entries: Sequence[Entry], first: int = 0
) -> list[Select]:
    """Entries in as many menus as they take; of several, each names its first and its last entry.

    :param control: of each menu, with its number in place of the argument, so that ids differ.
    :param first: the number of the first menu.
    """
    starts = range(0, len(entries), OPTIONS_IN_MENU)
    parts = [tuple(entries[start : start + OPTIONS_IN_MENU]) for start in starts]
    return [
        Select(
            replace(control, argument=str(number)),
            placeholder
            if len(parts) == 1
            else f"{placeholder}: {part[0].label} … {part[-1].label}"[:PLACEHOLDER],
            part,
        )
        for number, part in enumerate(parts, first)
    ]


def fingerprint_of(value: Any) -> str:
    """24 letters that change with a value; equal ones have the same, in every process."""
    return hashlib.sha256(canonical_text(value).encode()).hexdigest()[:24]


def canonical_text(value: Any) -> str:
    """A value as JSON, in one way only; what is drawn or attached counts by what tells it apart."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)


async def with_pictures(card: Card) -> Card:
    """The card with its pictures, made beside everything else."""
    return replace(card, parts=tuple([await _drawn_part(part) for part in card.parts]))


# ------------------------------------------------------------------------ what stands already
def pictures_of(card: Card, made: Card) -> Pictures:
    """The pictures of a card.

    :param made: the card as it was sent: drawn, or with its pictures kept.
    """
    return {
        _fingerprints(part): Kept(sent.names_and_alts)
        for part, sent in zip(card.parts, made.parts, strict=True)
        if isinstance(part, Gallery) and isinstance(sent, Gallery | Kept)
    }


def keeping(card: Card, standing: Pictures) -> Card:
    """The card for a message in which these pictures stand: if it shows the same ones and attaches
    nothing else, they need neither be drawn nor sent again.
    """
    galleries = [part for part in card.parts if isinstance(part, Gallery)]
    others = any(isinstance(part, Attached) for part in card.parts)
    if not galleries or others or {_fingerprints(part) for part in galleries} != standing.keys():
        return card
    parts = [
        standing[_fingerprints(part)] if isinstance(part, Gallery) else part for part in card.parts
    ]
    return replace(card, parts=tuple(parts))


def _fingerprints(gallery: Gallery) -> tuple[str, ...]:
    return tuple(drawing.fingerprint for drawing in gallery.drawings)


# ------------------------------------------------------------------------ what remains
def rest_of(card: Card) -> str:
    """What remains of a card once its buttons and menus go, as JSON for ``card_from``.

    Texts, pictures and links stay; the pictures are those that stand in the message.

    :param card: drawn, without attached files.
    """
    links = [
        [[b.label, b.url] for b in row if isinstance(b, Link)]
        for row in card.rows
        if not isinstance(row, Select | PersonSelect)
    ]
    rest = {
        "colour": card.colour,
        "framed": card.framed,
        "parts": [_rest_of_part(part) for part in card.parts],
        "links": [row for row in links if row],
    }
    return json.dumps(rest, ensure_ascii=False)


def card_from(rest: str) -> Card:
    """The card that ``rest_of`` wrote down.

    :raises KeyError: the text comes from elsewhere.
    """
    plain = json.loads(rest)
    return Card(
        parts=tuple(_part_from(part) for part in plain["parts"]),
        rows=tuple(tuple(Link(label, url) for label, url in row) for row in plain["links"]),
        colour=plain["colour"],
        framed=plain["framed"],
    )


def collapsed(text: str) -> Card:
    """One line without a frame: what an old message becomes when its content matters no more."""
    return Card((text,), framed=False)


async def _drawn_part(part: Part) -> Part:
    if not isinstance(part, Gallery) or part.files is not None:
        return part
    made = [await beside(drawing.draw) for drawing in part.drawings]
    return replace(part, files=tuple(file for files in made for file in files))


def _rest_of_part(part: Part) -> Any:
    return {"kept": part.names_and_alts} if isinstance(part, Gallery | Kept) else part


def _part_from(plain: Any) -> Part:
    if isinstance(plain, str):
        return plain
    return Kept(tuple((name, alt) for name, alt in plain["kept"]))


def _plain(value: Any) -> Any:
    """What JSON does not know of its own: mappings and sets, and dataclasses with slots."""
    if isinstance(value, Gallery):
        return list(_fingerprints(value))
    if isinstance(value, Attached):
        return [value.file.name]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, AbstractSet):
        return sorted(value)
    return [getattr(value, name) for name in value.__slots__]
