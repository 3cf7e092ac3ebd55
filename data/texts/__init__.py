"""What the bot says, in the language of whoever reads it.

English is the source: a text in the code *is* its key. Every other language stands in gettext
catalogues under ``data/texts/<language>/``, one per game and ``house.po`` for everything else; they
are compiled when a language is first asked for, so no compiled file can be out of date.
A language is added by such a folder and a line in ``LANGUAGES``. Games from outside bring their own
catalogues (``add_catalogues``).

The object that speaks is always named ``say``, by which ``scripts/texts`` finds the texts::

    say("It is {name}'s turn.", name=name)
    say.plural("{n} stone", "{n} stones", len(stones))

A text that is defined in one place and said in another is marked where it is defined::

    REFUSALS = {"occupied": N_("There is already a stone on {square}.")}
    say(REFUSALS[error.code], **error.data)
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from babel.core import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal


@dataclass(frozen=True, slots=True)
class Language:
    """A language that the bot speaks.

    :param name: in the language itself.
    :param conventions: the locale whose way of writing numbers and lists it follows.
    """

    name: str
    conventions: str


LANGUAGES: Final[Mapping[str, Language]] = {
    "en": Language("English", "en_GB"),  # "a, b and c"
    "de": Language("Deutsch", "de"),
}
"""The languages that the bot speaks, its source language first."""

SOURCE: Final = "en"
"""The language of the texts in the code."""

CATALOGUES: Final = Path(__file__).parent
"""The folder with a folder of catalogues for each language but the source."""

_added: Final[list[Path]] = []


def N_(message: str) -> str:  # noqa: N802 - the name that gettext has given it everywhere
    """Mark a text that is said elsewhere, and return it unchanged."""
    return message


def NN_(*messages: str) -> tuple[str, ...]:  # noqa: N802 - several of the above
    """Mark several texts, such as the paragraphs of one, and return them unchanged."""
    return messages


class Texts:
    """All texts in one language. Immutable, shared, safe in any thread; see ``texts``."""

    __slots__ = ("_conventions", "_translations", "language")

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language: Final = language
        # By its name, Babel would look the locale up again for each list and number.
        self._conventions: Final = Locale.parse(LANGUAGES[language].conventions)
        self._translations: Final = translations

    def __call__(self, message: str, /, **values: object) -> str:
        """Say a text, its ``{placeholders}`` filled in.

        :param message: the English text.
        :raises KeyError: a placeholder has no value.
        """
        return _otherwise(self._translations.gettext(message)).format(**values)

    def plural(self, one: str, many: str, n: int, /, **values: object) -> str:
        """Say the form that fits the number ``n``, which also fills the placeholder ``{n}``.

        :raises KeyError: a placeholder has no value.
        """
        return _otherwise(self._translations.ngettext(one, many, n)).format(n=n, **values)

    def named(self, name: str) -> str:
        """A name that people type, marked by ``cogs.gateway.translator.name_``."""
        return _otherwise(self._translations.pgettext(NAME_CONTEXT, name))

    def list(self, items: Sequence[str], *, choice: bool = False) -> str:
        """A list in words: "a, b and c", or "a, b or c" where one is to be chosen."""
        return format_list(items, style="or" if choice else "standard", locale=self._conventions)

    def day(self, day: date) -> str:
        """A day of the calendar: "Thursday, 3 December 2026"."""
        return format_date(day, "full", locale=self._conventions)

    def number(self, value: float) -> str:
        """A number as it is written in this language: 1,234.5 in English, 1.234,5 in German."""
        return format_decimal(value, locale=self._conventions)

    def month(self, day: date) -> str:
        """The month of a day as it is written in this language: November 2026."""
        return self._date("yMMMM", day)

    def quarter(self, day: date) -> str:
        """The quarter of a day likewise: 4th quarter 2026 in English, 4. Quartal 2026 in German."""
        return self._date("yQQQQ", day)

    def _date(self, skeleton: str, day: date) -> str:
        written: str = format_skeleton(skeleton, day, locale=self._conventions)
        return written


NAME_CONTEXT: Final = "name"
"""The gettext context (``msgctxt``) of what people type; see ``Texts.named``."""


@cache
def texts(language: str) -> Texts:
    """The texts in a language, read once: in the source's, where the bot does not speak it."""
    return read_texts(language if language in LANGUAGES else SOURCE, CATALOGUES)


def add_catalogues(folder: Path) -> None:
    """Take the catalogues of a game from outside; what the house says is said as before.

    :param folder: of the files ``<language>.po``; a language may be missing.
    """
    _added.append(folder)
    texts.cache_clear()


def remove_catalogues(folder: Path) -> None:
    """Undo ``add_catalogues``."""
    _added.remove(folder)
    texts.cache_clear()


def call_otherwise(name: str, alias: str) -> None:
    """Use another word for a name in all texts of all languages from now on, and in what people
    type; before anything is said.

    :param name: in lower case, like ``alias``; with a capital, it becomes the alias with a capital.
    """
    _ALIASES.update({name: alias, name.capitalize(): alias.capitalize()})


_ALIASES: dict[str, str] = {}
"""Words that are said instead of others."""


def _otherwise(text: str) -> str:
    """A text with the words that are said instead of others."""
    if not _ALIASES:
        return text
    return re.sub(rf"\b(?:{'|'.join(_ALIASES)})\b", lambda found: _ALIASES[found[0]], text)


def read_texts(language: str, catalogues: Path) -> Texts:
    """The texts in one of ``LANGUAGES``.

    :param catalogues: the folder to read from.
    :raises ValueError: the bot does not speak this language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language!r}")
    if language == SOURCE:
        return Texts(language, gettext.NullTranslations())
    house = sorted((catalogues / language).glob("*.po"))
    outside = [file for folder in _added if (file := folder / f"{language}.po").exists()]
    said = copy(_compiled(tuple(house), language))
    said.add_fallback(_compiled(tuple(outside), language))
    return Texts(language, said)


def language_of(locale: str) -> str:
    """The language to use for a person with this locale: "de" for "de" or "de-AT"; the source
    language for a locale whose language the bot does not speak.
    """
    language = locale.replace("_", "-").split("-")[0].lower()
    return language if language in LANGUAGES else SOURCE


@cache
def _compiled(paths: tuple[Path, ...], language: str) -> gettext.GNUTranslations:
    # Babel takes the rule for plurals from the locale; without one it would use a wrong default.
    merged = Catalog(locale=language, charset="utf-8")
    for path in paths:
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    merged[message.id] = message  # what is there already keeps its translation
    compiled = io.BytesIO()
    write_mo(compiled, merged)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
