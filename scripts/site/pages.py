"""The pages of the site: those of the project as they are, and each game's rules and lesson.

Pages keep their places in the project, so that their links lead to the same pages in a checkout and
on the site. The pages of games come from the cards that the bot itself sends, in every language it
speaks; their pictures are drawn by the bot's painters.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import indent
from typing import Final

from cogs.games import WORDS
from cogs.gateway.cards import Gallery, Part
from cogs.present.lessons import Learner, example_parts, step_card, title_of
from cogs.present.rules import rules_card
from cogs.present.words import GameWords
from data.texts import LANGUAGES, SOURCE, Texts, texts
from play.lessons import known_lessons
from play.rules import pages_of
from scripts.pictures import NAMES

ROOT: Final = Path(__file__).resolve().parents[2]
CONFIG: Final = Path(__file__).parent / "mkdocs.yml"

COPIED: Final = ("*.md", "LICENSE", "docs/**/*", "deploy/*")
"""Patterns of the files that the site copies unchanged, relative to the project's root."""

READER: Final = NAMES[0]
"""The reader's name in texts and pictures."""

HEADINGS: Final = {
    "en": {"games": "Games", "rules": "Rules", "lesson": "Lesson", "solution": "Solution"},
    "de": {"games": "Spiele", "rules": "Regeln", "lesson": "Lehrgang", "solution": "Lösung"},
    "fr": {"games": "Jeux", "rules": "Règles", "lesson": "Leçon", "solution": "Solution"},
    "es": {"games": "Juegos", "rules": "Reglas", "lesson": "Lección", "solution": "Solución"},
}
"""The words that only the site needs, by language."""


def lay_out(folder: Path) -> None:
    """Fill a folder with everything from which MkDocs builds the site.

    :param folder: replaced if it exists. In it, ``mkdocs.yml`` is the configuration, and ``pages``
        contains the pages.
    """
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    for pattern in COPIED:
        for file in filter(Path.is_file, ROOT.glob(pattern)):
            target = pages / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    shutil.copyfile(CONFIG, folder / CONFIG.name)
    write_games(pages / "play")


def write_games(folder: Path) -> None:
    """Write the pages of all games in every language, with their pictures."""
    (folder / "pictures").mkdir(parents=True)
    for language in LANGUAGES:
        say = texts(language)
        _write(folder, "README", HEADINGS[language]["games"], _overview(say), say)
        for game_id, words in WORDS.items():
            for part, write in {"rules": _rules, "lesson": _lesson}.items():
                title = f"{say(words.title)}: {HEADINGS[language][part]}"
                _write(folder, f"{game_id}-{part}", title, write(words, say, folder), say)


def _write(folder: Path, name: str, title: str, blocks: Iterable[str], say: Texts) -> None:
    """Write one page, with links to it in the other languages.

    The page is marked with its language, for screen readers and hyphenation.

    :param title: its heading, which also names it in the navigation.
    """
    others = [
        f"[{each.name}]({file_of(name, language)})"
        for language, each in LANGUAGES.items()
        if language != say.language
    ]
    head = [f"---\ntitle: '{title}'\n---", f'<div lang="{say.language}" markdown>', f"# {title}"]
    page = "\n\n".join([*head, " · ".join(others), *blocks, "</div>", ""])
    (folder / file_of(name, say.language)).write_text(page, "utf-8")


def file_of(page: str, language: str) -> str:
    """Return the file of a page in a language: ``page.md`` in the source language, else
    ``page.de.md``.
    """
    return f"{page}.md" if language == SOURCE else f"{page}.{language}.md"


def _overview(say: Texts) -> Iterator[str]:
    """Yield all games with their pictures, and links to their pages."""
    for game_id, words in WORDS.items():
        links = [
            f"[{HEADINGS[say.language][part]}]({file_of(f'{game_id}-{part}', say.language)})"
            for part in ("rules", "lesson")
        ]
        yield f"## {say(words.title)}"
        yield say(words.summary)
        yield " · ".join(links)
        yield f"![{say(words.title)}](../docs/pictures/{game_id}.png)"


def _rules(words: GameWords, say: Texts, folder: Path) -> Iterator[str]:
    """Yield the pages of a game's rules one below the other, including those of every option."""
    for page in pages_of(words.game):
        text, *rest = rules_card(words, say, READER, page.key).parts
        yield f"## {say(page.title)}"
        yield _markdown(str(text).partition("\n")[2])  # the first line is the title of the card
        yield from _parts(rest, folder)


def _lesson(words: GameWords, say: Texts, folder: Path) -> Iterator[str]:
    """Yield the steps of a game's lesson, each with the solution folded away."""
    lesson = known_lessons()[words.game]
    for step in lesson.steps:
        chapter = lesson.chapter_of(step)
        if step == chapter.steps[0]:
            yield f"## {say(chapter.title)}"
        yield f"### {title_of(step, say)}"
        if step == lesson.steps[0] and lesson.aim:
            yield _markdown(say(lesson.aim))
        idea = say(step.idea, **step.values(READER)).split("**", 2)[
            2
        ]  # without its title, which is the heading
        parts = step_card(lesson, step, words, Learner(READER, {}, say)).parts
        yield _markdown(idea.strip())
        yield from _parts((part for part in parts if isinstance(part, Gallery)), folder)
        yield _markdown(str(parts[-1]).partition("\n")[0])  # the task, without the menu's question
        *shown, told = example_parts(step, words, READER, say)
        told = str(told).removeprefix(f"**{say('Example')}:** ")
        solution = "\n\n".join(_parts([*shown, told], folder))
        yield f'??? success "{HEADINGS[say.language]["solution"]}"\n\n{indent(solution, "    ")}'


def _parts(parts: Iterable[Part], folder: Path) -> Iterator[str]:
    """Yield the parts of a card: texts, and pictures, which are drawn into the folder."""
    for part in parts:
        if isinstance(part, Gallery):
            for drawing in part.drawings:
                for file in drawing.draw():
                    name = f"{hashlib.sha256(file.data).hexdigest()[:16]}.png"
                    (folder / "pictures" / name).write_bytes(file.data)
                    yield f"![{_plain(file.alt)}](pictures/{name}){{ loading=lazy }}"
        else:
            yield _markdown(str(part))


def _markdown(text: str) -> str:
    """Return Discord's text as Markdown: lines become paragraphs, and small print stays small."""
    lines = (re.sub(r"^-# (.*)", r"<small>\1</small>", line) for line in text.splitlines())
    return "\n\n".join(lines)


def _plain(alt: str) -> str:
    """Return a description that may appear between the brackets of a picture."""
    return re.sub(r"([\[\]])", r"\\\1", alt)
