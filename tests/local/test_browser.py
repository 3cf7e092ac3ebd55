"""From the first start to playing: the page that scripts/run opens without a Discord account."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.local.conftest import Person, Served, answer

pytestmark = pytest.mark.full

COLUMN = re.compile(r"^[A-N]$")
SQUARE = re.compile(r"^[A-N]\d+$")

WELCOME = "Willkommen am Tisch"
"""The first visitor's language decides what everybody sees."""


@pytest.fixture(scope="module", autouse=True)
def visited(table: Served) -> None:
    """Have somebody whose browser speaks German be the first visitor."""
    assert answer(urlsplit(table.url).netloc, "/", **{"Accept-Language": "de"}) == 302


def open_match(person: Person) -> None:
    """Start a Lancelot match against a computer player from the gallery."""
    person.presses("Lancelot")
    person.sees("right now against the computer?")
    person.presses("Computer: novice")
    person.sees("is to move")


def place(person: Person) -> str:
    """Place a stone using the menus; return its square."""
    person.presses("Where can I go?")
    person.presses(COLUMN)
    person.sees("Which square in column")
    square = person.presses(SQUARE)
    person.sees(f"Anna places a stone on {square}.")
    return square


MISSING = """() => {
    window.missing = []
    const lost = '.media-unavailable'
    new MutationObserver(changes => {
        for (const { addedNodes } of changes) for (const node of addedNodes) {
            if (node.nodeType !== Node.ELEMENT_NODE) continue
            const within = [...node.querySelectorAll(lost)]
            if (node.matches(lost)) within.push(node)
            window.missing.push(...within.map(each => each.textContent))
        }
    }).observe(document.body, { childList: true, subtree: true })
}"""
"""Record everything that the page shows in place of a missing picture."""


def test_tables_in_a_channel_and_in_direct_messages_survive_a_restart(
    browser: Browser, table: Served, tmp_path: Path
) -> None:
    """A match is played by menus, and the board stays on the page throughout, even while the
    computer player answers. Nobody else sees the table that Anna has alone with the bot.
    """
    anna = Person(browser, table.url, "en-GB")
    anna.goes("#tafelrunde-2")
    anna.types("lancelot new")
    anna.sees("At the table (1;")
    anna.goes("@Anna")
    anna.types("play")
    open_match(anna)
    before = anna.picture()
    anna.page.evaluate(MISSING)

    expect(anna.board).to_have_attribute("alt", re.compile(rf"\b{place(anna)}\b"))
    after = anna.picture()
    assert after != before, "the picture is the same after a move"
    assert anna.page.evaluate("window.missing") == []
    expect(anna.messages.get_by_role("button", name="More…").last).to_be_in_viewport()
    anna.page.screenshot(path=tmp_path / "match.png")

    anna.goes("@Ben")
    anna.page.get_by_text("No messages in this channel.").wait_for()
    assert table.stop() == 0
    table.start()
    anna.page.goto(table.url)
    anna.sees(WELCOME)
    expect(anna.messages.filter(has_text="At the table (1;")).to_have_count(0)
    anna.goes("#tafelrunde-2")
    anna.sees("At the table (1;")
    anna.goes("@Anna")
    anna.sees("is to move")
    assert anna.picture() == after
    place(anna)


BEFORE_AND_AFTER = """image => {
    const loading = image.cloneNode()
    for (const name of ['src', 'width', 'height']) loading.removeAttribute(name)
    const loaded = image.clientHeight
    image.replaceWith(loading)
    const heights = [loading.clientHeight, loaded]
    loading.replaceWith(image)
    return heights
}"""
"""The heights of a picture while it loads and afterwards."""


def test_each_person_has_a_page_of_their_own_in_their_language(
    browser: Browser, table: Served
) -> None:
    """On a phone, the conversation takes up most of the room, and nothing overflows sideways, not
    even text set as code.
    """
    anna = Person(browser, table.url, "de-DE", 390, 844)
    anna.sees(WELCOME)
    anna.presses("Lancelot")
    anna.presses("Tisch eröffnen")
    anna.sees("Am Tisch (1;")
    talk = anna.page.locator("#channel-timeline").bounding_box()
    assert talk is not None
    assert talk["height"] > 0.75 * 844
    assert anna.page.evaluate("document.documentElement.scrollWidth") == 390

    ben = Person(browser, table.url, "en-GB")
    ben.becomes("Ben")
    ben.presses("Mitspielen")
    anna.sees("Am Tisch (2;")
    ben.presses("Beginnen")
    ben.sees("Only you can see this")
    expect(anna.messages.filter(has_text="Only you can see this")).to_have_count(1)
    ben.page.close()

    anna.presses("Beginnen")
    anna.sees("ist am Zug")
    anna.presses("Mehr …")
    anna.presses("Als Text")
    text = anna.messages.locator(".code-block").last
    expect(text).to_contain_text("Lancelot, ")
    assert text.evaluate("text => text.scrollWidth <= text.clientWidth")
    assert not anna.page.locator(".message-edited-compact:visible").count()
    # Opening a menu reloads all pictures; if the layout moved, the menu would close at once.
    loading, loaded = anna.board.evaluate(BEFORE_AND_AFTER)
    assert loading == loaded > 0


@pytest.mark.long
def test_an_analysis_is_seen(browser: Browser, table: Served) -> None:
    anna = Person(browser, table.url, "en-GB")
    anna.goes("#tafelrunde-3")
    anna.types("play")
    open_match(anna)
    place(anna)
    anna.types("table resign")
    anna.presses("Resign")
    anna.sees("Anna has resigned.")
    anna.presses("Analysis")
    anna.sees("A computer player thought about each move")
