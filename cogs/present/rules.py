"""The rules of a game as cards: a page with its example, and ways to the other pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cogs.gateway.cards import BUTTON_LABEL, Button, Card, Entry, Part, Row, Select
from cogs.gateway.controls import Control
from cogs.present.lessons import example_parts, learn_buttons
from cogs.present.setup import option_in_short, options_told
from cogs.present.words import GameWords
from data.texts import Texts
from games import GAMES
from play.lessons import lesson_of
from play.rules import PLAYERS, Known, Page, When, known_of, pages_of


def rules_card(
    words: GameWords,
    say: Texts,
    reader: str,
    key: str = "",
    options: Mapping[str, Any] | None = None,
    table_id: int = 0,
) -> Card:
    """Return one page of a game's rules; if the game has no pages, all rules at once.

    :param reader: the reader's name, used in examples.
    :param key: the key of the page; if there is no such page, the first one is shown.
    :param options: the table's options, as for ``play.rules.applies``; None: the rules are not
        shown for a table.
    :param table_id: the table's id; 0: the rules are not shown for a table.
    """
    pages = pages_of(words.game, options)
    if not pages:
        return Card((words.rules(say),), tuple(_rows(words.game, say)))
    page = next((page for page in pages if page.key == key), pages[0])
    parts: list[Part] = [_text(page, words, options, say)]
    lesson = lesson_of(words.game)
    step = lesson.step(page.example) if lesson and page.example else None
    if step is not None:
        parts += example_parts(step, words, reader, say)
    ways = _navigation(pages, page, words.game, table_id, say)
    return Card(tuple(parts), (*ways, *_rows(words.game, say)))


def _rows(game_id: str, say: Texts) -> list[Row]:
    buttons = learn_buttons(game_id, say)
    return [buttons] if buttons else []


def _text(page: Page, words: GameWords, options: Mapping[str, Any] | None, say: Texts) -> str:
    """Return the text of the page. Mark paragraphs that depend on options not decided yet. At a
    table, the first page ends with the table's options.
    """
    known = known_of(GAMES[words.game], options)
    lines = [f"### {say(words.title)} · {say(page.title)}", _tag(page.when, known, words, say)]
    for paragraph in page.paragraphs:
        text = paragraph.told(known)
        if text and not paragraph.when.keys() <= known.keys():
            lines.append(_tag(paragraph.when, known, words, say) or f"-# {say('Otherwise')}")
        lines.append(say(text, **known) if text else "")
    if options is not None and page == pages_of(words.game, options)[0]:
        told = options_told(GAMES[words.game].info, options, options.get(PLAYERS))
        named = " · ".join(option_in_short(option, value, words, say) for option, value in told)
        lines.append(say("**At this table:** {options}", options=named) if named else "")
    return "\n".join(line for line in lines if line)


def _tag(when: When, known: Known, words: GameWords, say: Texts) -> str:
    """Return the undecided conditions of a page or paragraph, in words; empty if the default
    options meet them.
    """
    when = {key: value for key, value in when.items() if key not in known}
    told = [say.plural("{n} player", "{n} players", n) for n in [when.get(PLAYERS)] if n]
    told += [
        words.option_in_words(option, when[option.key], say)
        for option in GAMES[words.game].info.options
        if when.get(option.key, option.default) != option.default
    ]
    return f"-# {say('Only with: {options}', options=' · '.join(told))}" if told else ""


def _navigation(
    pages: Sequence[Page], page: Page, game_id: str, table_id: int, say: Texts
) -> tuple[Row, ...]:
    """Return a menu of all pages, and a button for the next one."""
    entries = tuple(
        Entry(f"{number} · {say(each.title)}", f"{game_id}.{each.key}", chosen=each == page)
        for number, each in enumerate(pages, 1)
    )
    menu = Select(Control(table_id, 0, "page", "0"), say("Go to…"), entries)
    after = pages.index(page) + 1
    if after == len(pages):
        return (menu,)
    following = pages[after]
    label = say("Next: {page} ▶", page=say(following.title))[:BUTTON_LABEL]
    return (menu, (Button(Control(table_id, 0, "page", f"{game_id}.{following.key}"), label),))
