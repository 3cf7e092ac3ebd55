"""Time zones, looked up by name or by a typed text."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import get_timezone_location

from data.texts import LANGUAGES, SOURCE

AREAS: Final = frozenset(
    {
        *("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic"),
        *("Australia", "Europe", "Indian", "Pacific"),
    }
)
"""The zones offered, apart from UTC, have names that begin with one of these; all other zones are
historical or are not places.
"""

FREQUENT: Final = (
    *("Europe/Berlin", "Europe/Vienna", "Europe/Zurich", "Europe/London", "Europe/Paris"),
    *("America/New_York", "America/Chicago", "America/Los_Angeles", "America/Sao_Paulo"),
    *("Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney", "UTC"),
)
"""The zones suggested before anything is typed."""

SIMILAR: Final = 0.7
"""How similar a misspelt name must be to the right one (0..1)."""


@cache
def zone_named(name: str | None) -> ZoneInfo | None:
    """Return the zone with this name; None if this system does not know it."""
    return ZoneInfo(name) if name in _names() else None


def zone_meant(typed: str) -> str | None:
    """Return the name of the zone that a person means. They may type its full name, the last part
    of it, or its city in any of our languages. Return None if no zone fits, or if several do.
    """
    wanted = _plain(typed)
    exact = {name for name in _names() if _plain(name) == wanted}
    parts = {name for name in places(SOURCE) if _plain(name.rpartition("/")[2]) == wanted}
    cities = {
        name
        for language in LANGUAGES
        for name, city in places(language).items()
        if _plain(city) == wanted
    }
    found = exact or parts or cities
    return found.pop() if len(found) == 1 else None


def zones_like(typed: str, language: str, at_most: int) -> list[tuple[str, str]]:
    """Return zones that a person may mean, as (name, city): those whose name or city begins with
    the typed text, then those that contain it, then similar ones. Before anything is typed, return
    ``FREQUENT``.

    :param language: the language of the returned city names.
    """
    known = places(language)
    if not typed.strip():
        return [(name, known[name]) for name in FREQUENT if name in known][:at_most]
    wanted = _plain(typed)
    spelled = {
        _plain(spelling): name
        for other in LANGUAGES
        for name, city in places(other).items()
        for spelling in (name, name.rpartition("/")[2], city)
    }
    begins = sorted(spelling for spelling in spelled if spelling.startswith(wanted))
    contains = sorted(spelling for spelling in spelled if wanted in spelling)
    similar = get_close_matches(wanted, spelled, at_most, SIMILAR)
    found = dict.fromkeys(spelled[spelling] for spelling in (*begins, *contains, *similar))
    return [(name, known[name]) for name in found][:at_most]


@cache
def places(language: str) -> Mapping[str, str]:
    """Return the zones offered, one per city: the city's name in a language, by zone."""
    by_city: dict[str, str] = {}
    for name in sorted(_names()):
        if name.split("/")[0] in AREAS:
            city = _city(name, language)
            called_so = _plain(name).endswith("/" + _plain(_city(name, "en")))
            if called_so or city not in by_city:
                by_city[city] = name
    return MappingProxyType({**{name: city for city, name in by_city.items()}, "UTC": "UTC"})


@cache
def _city(name: str, language: str) -> str:
    """Return the name of a zone's city in a language."""
    city: str = get_timezone_location(name, locale=language, return_city=True)
    return city


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones() - {"Factory", "localtime", "posixrules"})


def _plain(text: str) -> str:
    return text.strip().casefold().replace(" ", "_")
