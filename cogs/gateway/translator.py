"""The commands in every language, translated from the catalogues.

``name_("place")`` marks the name of a group, command or option: what people type.
``L_("Place a stone")`` marks a description, or the name of a fixed choice: what people read.

Names have their own context in the catalogues (``msgctxt "name"``), because Discord wants a single
lowercase word of at most 32 characters that differs from the names next to it: the name "place" may
be "setzen" where the word "place" is "Platz". Autocompletion choices are not marked, because they
are made in the person's language.
"""

from __future__ import annotations

from typing import Final

from discord import Locale
from discord.app_commands import (
    TranslationContextLocation,
    TranslationContextTypes,
    Translator,
    locale_str,
)

from data.texts import SOURCE, language_of, texts

_NAMES: Final = frozenset(
    {
        TranslationContextLocation.group_name,
        TranslationContextLocation.command_name,
        TranslationContextLocation.parameter_name,
    }
)

Marked = locale_str
"""A command's text that is marked for the catalogues."""


def name_(name: str) -> locale_str:
    """Mark the name of a group, command or option."""
    return locale_str(name)


def L_(message: str) -> locale_str:  # noqa: N802 - sister of N_
    """Mark a description or the name of a fixed choice."""
    return locale_str(message)


class CatalogueTranslator(Translator):
    """Translates commands from the catalogues; pass it to ``CommandTree.set_translator``."""

    async def translate(
        self, string: locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return the text in one of the bot's languages; None if Discord should show the English
        text.
        """
        language = language_of(locale.value)
        if language == SOURCE:
            return None
        say = texts(language)
        if context.location in _NAMES:
            return say.named(string.message)
        return say(string.message)
