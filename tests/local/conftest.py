"""A real browser, and the local table in its own process, started as scripts/run starts it."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

ROOT = Path(__file__).resolve().parents[2]

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PATIENCE = 60_000
"""Milliseconds to wait for anything on the page; generous, because many tests share a machine."""

PRESSES, DROPPED = 10, 3_000
"""The maximum number of attempts to press a button, and the milliseconds after which one has
failed.
"""

DIGEST = """async image => {
    await image.decode()
    const bytes = await (await fetch(image.src)).arrayBuffer()
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}"""


# Not session-scoped: while the browser runs, no async test can run in the same process.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A headless Chromium; the test is skipped if there is none."""
    found = [path for name in CHROMIUMS if (path := shutil.which(name))]
    if not found:
        pytest.skip(f"no browser on this machine: none of {', '.join(CHROMIUMS)} is on the PATH")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found[0], args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The Chromium; the pages of a test are closed at its end, or they would keep on asking for
    news.
    """
    yield chromium
    for context in chromium.contexts:
        context.close()


class Served:
    """A local table in its own process, always on the same database."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.start()

    def start(self) -> None:
        """Start it, each time on another port."""
        database = self._folder / "tables.sqlite3"
        options = ["--no-browser", "--port", "0", "--database", str(database)]
        with (self._folder / "errors.txt").open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "scripts.local_table", *options],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.url = next((word for word in line.split() if word.startswith("http://")), "")
        assert self.url, f"the local table did not start; it said {line!r} and {self.errors!r}"

    @property
    def errors(self) -> str:
        """Everything that it has written to standard error."""
        return (self._folder / "errors.txt").read_text("utf-8")

    def stop(self) -> int:
        """Stop it as Ctrl-C would; return the exit code."""
        self._process.send_signal(signal.SIGINT)
        try:
            return self._process.wait(timeout=PATIENCE / 1000)
        finally:
            self._process.kill()
            assert self._process.stdout is not None
            self._process.stdout.close()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A local table that all tests of a file share."""
    served = Served(tmp_path_factory.mktemp("local"))
    yield served
    served.stop()


def answer(place: str, path: str, **headers: str) -> int:
    """The status of a page."""
    with closing(HTTPConnection(place, timeout=PATIENCE / 1000)) as connection:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status


class Person:
    """A person at the browser."""

    def __init__(
        self, browser: Browser, url: str, locale: str, width: int = 1000, height: int = 1400
    ) -> None:
        context = browser.new_context(locale=locale, viewport={"width": width, "height": height})
        context.set_default_timeout(PATIENCE)
        self.page: Page = context.new_page()
        self.page.goto(url)

    @property
    def messages(self) -> Locator:
        """All messages, oldest first."""
        return self.page.locator("article.channel-message")

    @property
    def board(self) -> Locator:
        """The latest picture in the channel."""
        return self.messages.locator("img.gallery-image").last

    def sees(self, text: str) -> Locator:
        """Wait for a text; return the latest message that contains it."""
        message = self.messages.filter(has_text=text).last
        message.wait_for()
        return message

    def becomes(self, name: str) -> None:
        """Switch to another of the four people. Until the page answers, a press still counts as the
        previous person's.
        """
        with self.page.expect_response(lambda response: response.url.endswith("/api/action")):
            self.page.get_by_label("Viewing as").select_option(label=name)

    def goes(self, place: str) -> None:
        """Go to a channel, or to someone's direct messages."""
        self.page.get_by_role("link", name=place, exact=True).click()
        way = self.page.get_by_role("link", name=place, exact=True)
        expect(way).to_have_attribute("aria-current", "page")

    def types(self, command: str) -> None:
        """Type a command without options and send it."""
        self.page.get_by_role("textbox", name="Message", exact=True).press_sequentially(
            f"/{command}"
        )
        self.page.get_by_role("option", name=f"/{command}").first.wait_for()
        self.page.keyboard.press("Enter")
        self.page.locator("#send-message").click()

    def presses(self, name: str | re.Pattern[str]) -> str:
        """Press the latest button whose name matches; return its name. The page ignores presses
        while it waits for an answer, so press again, as a person would.
        """
        button = self.messages.get_by_role("button", name=name, exact=True).last
        label = button.inner_text()
        for _ in range(PRESSES):
            with (
                suppress(PlaywrightTimeout),
                self.page.expect_request("**/api/action", timeout=DROPPED),
            ):
                button.click()
                break
        return label

    def picture(self) -> str:
        """The digest of the latest picture, once it has loaded."""
        expect(self.board).to_have_attribute("src", re.compile("^blob:"))
        return str(self.board.evaluate(DIGEST))
