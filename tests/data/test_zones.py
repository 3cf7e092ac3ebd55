"""Time zones are found from what people type in their language, even if misspelt."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from data.texts import LANGUAGES
from data.zones import FREQUENT, places, zone_meant, zone_named, zones_like


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        (" europe/berlin ", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("Wien", "Europe/Vienna"),
        ("Vienna", "Europe/Vienna"),
        ("Sydney", "Australia/Sydney"),
        ("UTC", "UTC"),
        ("US/Pacific", "US/Pacific"),
    ],
)
def test_a_zone_is_meant(typed: str, zone: str) -> None:
    """A zone may be given by its name, the last part of it, or its city in one of our languages."""
    assert zone_meant(typed) == zone
    assert zone_named(zone) is not None


@pytest.mark.parametrize("typed", ["", " ", "Mars", "Europe", "../etc/passwd", "Berlin/", "\0"])
def test_other_texts_name_no_zone(typed: str) -> None:
    assert zone_meant(typed) is None
    assert zone_named(typed) is None


@pytest.mark.parametrize(
    ("typed", "language", "first"),
    [
        ("vien", "en", ("Europe/Vienna", "Vienna")),
        ("wie", "de", ("Europe/Vienna", "Wien")),
        ("Wien", "en", ("Europe/Vienna", "Vienna")),
        ("Berln", "de", ("Europe/Berlin", "Berlin")),
        ("york", "en", ("America/New_York", "New York")),
    ],
)
def test_the_best_suggestion_comes_first(typed: str, language: str, first: object) -> None:
    assert zones_like(typed, language, 3)[0] == first


def test_suggestions_are_few_and_named_once() -> None:
    for typed in ("", "a", "e", "america"):
        found = zones_like(typed, "de", 25)
        assert 0 < len(found) <= 25
        assert len(set(found)) == len(found)
    assert [name for name, _ in zones_like("", "en", 25)] == list(FREQUENT)
    assert zones_like("qqqqqqqq", "en", 25) == []


def test_every_place_that_is_offered_exists() -> None:
    """In every language, each city has one zone; with its time, each label is short enough for
    Discord.
    """
    for language in LANGUAGES:
        offered = places(language)
        assert len(set(offered.values())) == len(offered)
        for name, city in offered.items():
            assert datetime(2026, 1, 1, tzinfo=UTC).astimezone(
                zone_named(name)
            ).utcoffset() is not (None)
            assert len(f"{city} ({name}) · 00:00") <= 100
