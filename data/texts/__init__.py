"""The bot's texts, in the reader's language.

English is the source: a text in the code *is* its key. Every other language has gettext catalogues
under ``data/texts/<language>/``, one per game and ``house.po`` for everything else. They are
compiled when a language is first used, so no compiled file can be out of date. Games from outside
bring their own catalogues (``add_catalogues``).

To add a language, add such a folder and a line in ``LANGUAGES``; ``GLOSSARY.md`` has the words for
what players see.

The object that translates texts is always named ``say``: ``scripts/texts`` finds texts by this
name::

    say("It is {name}'s turn.", name=name)
    say.plural("{n} stone", "{n} stones", len(stones))

A text that is defined in one place and used in another is marked where it is defined::

    REFUSALS = {"occupied": N_("There is already a stone on {square}.")}
    say(REFUSALS[error.code], **error.data)
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final, Literal

from babel.core import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal


@dataclass(frozen=True, slots=True)
class Language:
    """A language that the bot speaks.

    :param name: the language's own name for itself.
    :param conventions: the locale whose formats it uses for numbers, dates and lists.
    :param complete: whether every text must be translated. If not, missing texts appear in English.
    :param colon: the colon after a label, with the space that the language puts before it.
    :param semicolon: the semicolon between parts of a list, with the space that the language puts
        before it.
    :param grouped: the smallest number whose digits are written in groups.
    :param first: the first day of a month in a date.
    """

    name: str
    conventions: str
    complete: bool = False
    colon: str = ":"
    semicolon: str = ";"
    grouped: int = 1000
    first: str = "1"


LANGUAGES: Final[Mapping[str, Language]] = {
    "en": Language("English", "en_GB", complete=True),  # "a, b and c"
    "de": Language("Deutsch", "de", complete=True),
    "fr": Language(
        "Français",
        "fr",
        colon="\N{NO-BREAK SPACE}:",
        semicolon="\N{NARROW NO-BREAK SPACE};",
        first="1er",
    ),
    "es": Language("Español", "es", grouped=10_000),
}
"""The languages that the bot speaks, its source language first."""

SOURCE: Final = "en"
"""The language of the texts in the code."""

CATALOGUES: Final = Path(__file__).parent
"""The folder that contains one folder of catalogues per language, except for the source."""

GROUPED: Final = 1000
"""Whole numbers from 0 up to, but not including, this one are written the same way in all
languages.
"""

_MENTIONED: Final = re.compile(r"<[@#]&?\{(\w+)\}>")

_CONJUNCTIONS: Final = {
    "es": (
        ("y", "e", re.compile(r"[^\w<]*(?:[ií]|h[ií](?![ae]))", re.IGNORECASE)),
        ("o", "u", re.compile(r"[^\w<]*(?:h?[oó]|8|11\b)", re.IGNORECASE)),
    )
}
"""Conjunctions that change before a word that begins with their own sound: "Ana e Isolda", "7 u 8".
Babel's patterns ignore this rule (RAE, Diccionario panhispánico de dudas, "y" and "o"). A mention
such as ``<@8>`` is read as a name, not as its number, so a conjunction before it stays.
"""

_added: Final[list[Path]] = []


def N_(message: str) -> str:  # noqa: N802 - gettext's usual name
    """Mark for translation a text that is used elsewhere; return it unchanged."""
    return message


def NN_(*messages: str) -> tuple[str, ...]:  # noqa: N802 - the plural of N_
    """Mark several texts for translation, such as paragraphs; return them unchanged."""
    return messages


class Texts:
    """All texts in one language. Immutable, shared, safe in any thread; see ``texts``."""

    __slots__ = ("_conventions", "_translations", "colon", "language")

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language: Final = language
        self.colon: Final = LANGUAGES[language].colon
        # Given only the name, Babel would look up the locale again for each list and number.
        self._conventions: Final = Locale.parse(LANGUAGES[language].conventions)
        self._translations: Final = translations

    def __call__(self, message: str, /, **values: object) -> str:
        """Translate a text and fill in its ``{placeholders}``.

        :param message: the English text.
        :param values: the values by placeholder; whole numbers are written as ``number`` writes
            them.
        :raises KeyError: a placeholder has no value.
        """
        return self._filled(self._translations.gettext(message), values)

    def plural(self, one: str, many: str, n: int, /, **values: object) -> str:
        """Translate the singular or plural form that fits ``n``, which also fills ``{n}``.

        :param values: as for ``__call__``.
        :raises KeyError: a placeholder has no value.
        """
        return self._filled(self._translations.ngettext(one, many, n), {"n": n, **values})

    def named(self, name: str) -> str:
        """Translate a name that people type, marked with ``cogs.gateway.translator.name_``."""
        return _otherwise(self._translations.pgettext(NAME_CONTEXT, name))

    def list(self, items: Sequence[str], *, choice: bool = False) -> str:
        """Return a list in words: "a, b and c", or "a, b or c" for a choice."""
        style: Literal["or", "standard"] = "or" if choice else "standard"
        told: str = format_list(items, style=style, locale=self._conventions)
        for word, instead, sound in _CONJUNCTIONS.get(self.language, ()):
            head = told.removesuffix(items[-1]) if items else ""
            if head.endswith(f" {word} ") and sound.match(items[-1]):
                return f"{head[: -len(word) - 1]}{instead} {items[-1]}"
        return told

    def day(self, day: date) -> str:
        """Return a date in full: "Thursday, 3 December 2026"."""
        return self._with_first(day, format_date(day, "full", locale=self._conventions))

    def number(self, value: float) -> str:
        """Return a number in this language's format: 1,234.5 in English, 1.234,5 in German.
        Negative numbers have a true minus sign (U+2212).
        """
        in_groups = abs(value) >= LANGUAGES[self.language].grouped
        written: str = format_decimal(value, locale=self._conventions, group_separator=in_groups)
        return written.replace("-", "−")

    def month(self, day: date) -> str:
        """Return the month of a day in this language's format: November 2026."""
        return self._date("yMMMM", day)

    def quarter(self, day: date) -> str:
        """Return the quarter of a day: 4th quarter 2026 in English, 4. Quartal 2026 in German."""
        return self._date("yQQQQ", day)

    def short_day(self, day: date) -> str:
        """Return a day without its year: 22 November in English, 22. November in German."""
        return self._with_first(day, self._date("MMMMd", day))

    def _filled(self, text: str, values: Mapping[str, object]) -> str:
        """Fill in a translated text's placeholders. Whole numbers are written in this language's
        format, except for ids in mentions.
        """
        known = _MENTIONED.findall(text)
        written = {
            key: self.number(value)
            for key, value in values.items()
            if type(value) is int and not 0 <= value < GROUPED and key not in known
        }
        return _otherwise(text).format(**{**values, **written})

    def _with_first(self, day: date, written: str) -> str:
        """Replace the number of the first day of a month; Babel's patterns ignore this."""
        if day.day > 1:
            return written
        return re.sub(r"\b1\b", LANGUAGES[self.language].first, written, count=1)

    def _date(self, skeleton: str, day: date) -> str:
        written: str = format_skeleton(skeleton, day, locale=self._conventions)
        return written


def series(parts: Iterable[str], say: Texts) -> str:
    """Return parts that may contain commas, divided by semicolons: "a, b; c"."""
    return f"{LANGUAGES[say.language].semicolon} ".join(parts)


NAME_CONTEXT: Final = "name"
"""The gettext context (``msgctxt``) of names that people type; see ``Texts.named``."""


@cache
def texts(language: str) -> Texts:
    """Return the texts in a language, read once; in the source language if the bot does not speak
    it.
    """
    return read_texts(language if language in LANGUAGES else SOURCE, CATALOGUES)


def add_catalogues(folder: Path) -> None:
    """Add the catalogues of a game from outside. They cannot override the bot's own translations.

    :param folder: contains files ``<language>.po``; a language may be missing.
    """
    _added.append(folder)
    texts.cache_clear()


def remove_catalogues(folder: Path) -> None:
    """Undo ``add_catalogues``."""
    _added.remove(folder)
    texts.cache_clear()


def call_otherwise(name: str, alias: str) -> None:
    """Replace a word with another in all texts of all languages, and in names that people type.
    Call this before any text is used.

    :param name: the word, in lower case; capitalized, it becomes the capitalized alias.
    :param alias: its replacement, in lower case.
    """
    _ALIASES.update({name: alias, name.capitalize(): alias.capitalize()})


_ALIASES: dict[str, str] = {}
"""Replacements, by the word that they replace."""


def _otherwise(text: str) -> str:
    """Return a text with its words replaced as requested by ``call_otherwise``."""
    if not _ALIASES:
        return text
    return re.sub(rf"\b(?:{'|'.join(_ALIASES)})\b", lambda found: _ALIASES[found[0]], text)


def read_texts(language: str, catalogues: Path) -> Texts:
    """Read the texts in one of ``LANGUAGES``.

    :param language: a key of ``LANGUAGES``.
    :param catalogues: the folder to read from, laid out like ``CATALOGUES``.
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
    """Return the language to use for a locale: "de" for "de" or "de-AT"; the source language if the
    bot does not speak the locale's language.
    """
    language = locale.replace("_", "-").split("-")[0].lower()
    return language if language in LANGUAGES else SOURCE


@cache
def _compiled(paths: tuple[Path, ...], language: str) -> gettext.GNUTranslations:
    # Babel takes the plural rule from the locale; without a locale it would use a wrong default.
    merged = Catalog(locale=language, charset="utf-8")
    messages: list[Message] = []
    for path in paths:
        with path.open("rb") as file:
            messages += (message for message in read_po(file, locale=language) if message.id)
    # write_mo sorts with slow comparisons, and needs fewer if the messages are already sorted.
    for message in sorted(messages, key=_place_of):
        merged[message.id] = message  # an earlier translation stays
    compiled = io.BytesIO()
    write_mo(compiled, merged)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def _place_of(message: Message) -> tuple[str, str]:
    singular = message.id if isinstance(message.id, str) else message.id[0]
    return singular, message.context or ""
