"""Messages as pure data: texts, pictures, buttons and menus, usually framed by a coloured border.

Cards are compared and fingerprinted as data. Nothing here depends on discord.py; ``layouts``
converts a card into the form that is sent to Discord.
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
"""Discord's limits; the last one includes nested components."""
BUTTON_LABEL: Final = 80
"""Discord's limit for the label of a button, in characters."""
ENTRY_LABEL: Final = 100
"""Discord's limit for the label of a menu entry or a choice, in characters."""
PLACEHOLDER: Final = 150
"""Discord's limit for a menu's text before anything is chosen, in characters."""
HOUSE_COLOUR: Final = 0xB8860B
"""The accent colour of messages that do not belong to a particular seat."""


class Style(IntEnum):
    """Colours of buttons, with the numbers that Discord uses."""

    PRIMARY = 1
    SECONDARY = 2
    SUCCESS = 3
    DANGER = 4


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file sent with a message.

    :param name: letters, digits and ``_-.`` only; otherwise Discord changes it and references to it
        break.
    :param alt: a description of the picture for people who cannot see it, up to 1,024 characters.
    """

    name: str
    data: bytes = field(repr=False)
    alt: str = field(default="", repr=False)


class Drawable(Protocol):
    """A picture to be drawn later, which can already be identified."""

    @property
    def fingerprint(self) -> str:
        """A digest that changes whenever the picture would look different."""

    def draw(self) -> Sequence[Attachment]:
        """Draw one or several pictures, or none. This is slow, and may run in any thread."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button that triggers an action.

    :param icon: the key of the icon before the label; empty: no icon.
    """

    control: Control
    label: str
    style: Style = Style.SECONDARY
    disabled: bool = False
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A button that opens a URL."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a menu.

    :param icon: the key of the icon before the label; empty: no icon.
    """

    label: str
    value: str
    detail: str = ""
    chosen: bool = False
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    """A menu. The chosen value becomes the argument of the menu's control."""

    control: Control
    placeholder: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class PersonSelect:
    """A menu of people, which Discord fills. The chosen person's id becomes the argument of the
    menu's control.
    """

    control: Control
    placeholder: str


Row = tuple[Button | Link, ...] | Select | PersonSelect
"""Up to five buttons, or one menu."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """Pictures side by side.

    :param files: the drawn pictures; None: not drawn yet.
    """

    drawings: tuple[Drawable, ...]
    files: tuple[Attachment, ...] | None = field(default=None, compare=False)

    @property
    def names_and_alts(self) -> tuple[tuple[str, str], ...]:
        """The name and description of each file.

        :raises ValueError: the pictures are not drawn yet.
        """
        if self.files is None:
            raise ValueError("a picture is not drawn")
        return tuple((file.name, file.alt) for file in self.files)


@dataclass(frozen=True, slots=True)
class Kept:
    """Pictures that the message already contains, side by side.

    :param names_and_alts: the name and description of each attached file.
    """

    names_and_alts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Attached:
    """A file shown by its name, such as a text too long for a message."""

    file: Attachment


Pictures = Mapping[tuple[str, ...], Kept]
"""The pictures in a message, by the fingerprints of each gallery's drawings."""

Part = str | Gallery | Kept | Attached


@dataclass(frozen=True, slots=True)
class Card:
    """A message.

    :param colour: the colour of the border, as 0xRRGGBB.
    :param parts: texts, pictures and files, from top to bottom; the rows of controls follow.
        Neither parts nor rows are in the ``repr``, because both may show a hand.
    :param framed: whether the message has a border. Cards with an ``Attached`` file have none.
    """

    parts: tuple[Part, ...] = field(repr=False)
    rows: tuple[Row, ...] = field(default=(), repr=False)
    colour: int = HOUSE_COLOUR
    framed: bool = True

    @property
    def live(self) -> bool:
        """Whether the card has a menu, or a button other than a link."""
        return any(
            isinstance(row, Select | PersonSelect)
            or any(isinstance(button, Button) for button in row)
            for row in self.rows
        )

    @property
    def fingerprint(self) -> str:
        """A digest that changes whenever the message would look different."""
        return fingerprint_of([self.parts, self.rows, self.colour, self.framed])


def rows_of(buttons: Sequence[Button | Link]) -> tuple[Row, ...]:
    """Arrange buttons in rows of five."""
    starts = range(0, len(buttons), BUTTONS_IN_ROW)
    return tuple(tuple(buttons[start : start + BUTTONS_IN_ROW]) for start in starts)


def menus_of(
    control: Control, placeholder: str, entries: Sequence[Entry], first: int = 0
) -> list[Select]:
    """Arrange entries in as many menus as needed; if there are several, each names its first and
    last entry.

    :param control: the control for all menus; each menu's number becomes its argument, so that ids
        differ.
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
    """Return 24 hexadecimal digits that identify a value. Equal values give the same digits in
    every process.
    """
    return hashlib.sha256(canonical_text(value).encode()).hexdigest()[:24]


def canonical_text(value: Any) -> str:
    """Return a value as canonical JSON. Drawings are represented by their fingerprints, attached
    files by their names.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)


async def with_pictures(card: Card) -> Card:
    """Return the card with its pictures, drawn in another thread."""
    return replace(card, parts=tuple([await _drawn_part(part) for part in card.parts]))


# ------------------------------------------------------------------------ pictures to reuse
def pictures_of(card: Card, made: Card) -> Pictures:
    """Return the pictures of a message.

    :param card: the card as the caller gave it.
    :param made: the card as it was sent: drawn, or with its pictures kept.
    """
    return {
        _fingerprints(part): Kept(sent.names_and_alts)
        for part, sent in zip(card.parts, made.parts, strict=True)
        if isinstance(part, Gallery) and isinstance(sent, Gallery | Kept)
    }


def keeping(card: Card, standing: Pictures) -> Card:
    """Return the card to send when editing a message that already contains the pictures
    ``standing``. If the card shows exactly these pictures and attaches no file, no picture is drawn
    or sent again.
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


# ------------------------------------------------------------------------ without controls
def rest_of(card: Card) -> str:
    """Return the card without its buttons and menus, as JSON for ``card_from``.

    Texts, links and pictures remain; pictures refer to the files that the message already contains.

    :param card: a drawn card without attached files.
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
    """Read a card written by ``rest_of``.

    :raises KeyError: the text is JSON of another kind.
    """
    plain = json.loads(rest)
    return Card(
        parts=tuple(_part_from(part) for part in plain["parts"]),
        rows=tuple(tuple(Link(label, url) for label, url in row) for row in plain["links"]),
        colour=plain["colour"],
        framed=plain["framed"],
    )


def collapsed(text: str) -> Card:
    """Return a card that consists of a text without a border."""
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
    """Convert values that ``json`` cannot encode: sets, dataclasses with slots, and mappings other
    than dicts.
    """
    if isinstance(value, Gallery):
        return list(_fingerprints(value))
    if isinstance(value, Attached):
        return [value.file.name]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, AbstractSet):
        return sorted(value)
    return [getattr(value, name) for name in value.__slots__]
