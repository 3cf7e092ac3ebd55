"""Making people's texts harmless."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.gateway.texts import escape, fenced


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("Ann", "Ann"),
        ("J\u00f6rg M\u00fcller", "J\u00f6rg M\u00fcller"),
        ("**Ann**", r"\*\*Ann\*\*"),
        ("@everyone", "@\u200beveryone"),
        ("<@123456789012345678>", "\\<@\u200b123456789012345678\\>"),
        ("https://example.org", r"https\://example\.org"),
        ("[click](https://x.y)", r"\[click\]\(https\://x\.y\)"),
        ("# Loud", r"\# Loud"),
        ("-# small\n> quote", r"\-\# small \> quote"),
        ("||spoiler||", r"\|\|spoiler\|\|"),
        ("\u202eevil", "evil"),
        ("\u3164\u200b", "\u2013"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
    ],
)
def test_names_and_words_of_people_cannot_format_link_or_ping(name: str, escaped: str) -> None:
    assert escape(name) == escaped


def test_names_do_not_break_out_of_a_fence() -> None:
    told = fenced("1. **Ada```** places K4")
    assert told.count("```") == 2
    assert told.startswith("```\n1. **Ada")
    assert told.endswith("places K4\n```")


@given(st.text())
def test_nothing_dangerous_survives_escape(text: str) -> None:
    escaped = escape(text)
    bare = re.sub(r"\\.", "", escaped)
    assert not set("*_~`|<>#[]()-.:\\") & set(bare)
    assert not re.search(r"@(?!\u200b)", escaped)
    assert len(escaped.splitlines()) <= 1
