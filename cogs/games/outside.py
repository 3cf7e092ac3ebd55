"""Games from outside: packages installed next to the bot, found by their entry points.

They are loaded one by one at startup. A package that cannot be used is left out completely, and a
sentence says why; the others are not affected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

from discord.app_commands import CommandTree
from discord.ext import commands

from cogs.games import COGS, WORDS
from cogs.games.game import RESERVED_KEYS, GameCog, cog_of
from cogs.gateway.cards import OPTIONS_IN_MENU
from cogs.gateway.limits import Payload, check_tree
from cogs.gateway.translator import CatalogueTranslator
from cogs.present.words import GameWords
from data.texts import SOURCE, Texts, add_catalogues, remove_catalogues, texts
from games import GAMES, GROUP
from games.engine import CONTRACT, EngineError, Game, GameInfo
from games.players import POLICIES
from games.players.policy import Policy
from play.lessons import Lesson, known_lessons, read_lesson
from play.lobby import check_options
from play.rules import PLAYERS, Page, known_pages, read_pages
from play.table import Refused
from render import PAINTERS
from render.canvas import Sprite
from render.icons import ICONS, LONGEST_KEY, MOST
from render.scene import Painter
from render.theme import SEATS

GAMES_AT_MOST: Final = 20
"""How many games a message can list, including the built-in ones."""

LONGEST: Final = {
    "title": 32,
    "summary": 400,
    "pitch": 100,
    "rules": 3500,
    "aim": 300,
    "step": 1000,
}
"""Maximum number of characters, so that each text fits into a message or onto a button: ``rules``
applies to each page, or to all of ``GameWords.rule_texts`` together, ``aim`` to the opening of a
lesson, and ``step`` to each text of a lesson's step.
"""

GAME_ID: Final = re.compile(r"[a-z][a-z0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class GamePackage:
    """Everything a game consists of, as a package provides it through an entry point.

    :param contract: the value of ``CONTRACT`` in the version of the bot that the package was
        written for.
    :param cog: its own commands; None: ``new``, ``rules`` and ``move``.
    :param policy: what its computer players know beyond the rules.
    :param icons: small pictures by key; each key begins with the game's id and ``_``.
    :param texts: the folder with a catalogue ``<language>.po`` for each language it supports.
    :param data: the folder with its lesson, ``lessons/<id>.toml`` (see ``play.lessons``), and the
        pages of its rules, ``rules/<id>.toml`` (see ``play.rules``); either may be missing.
    """

    contract: int
    game: Game[Any]
    painter: Painter
    words: GameWords
    cog: type[GameCog] | None = None
    policy: type[Policy[Any]] | None = None
    icons: Mapping[str, Callable[[], Sprite]] = field(default_factory=dict)
    texts: Path | None = None
    data: Path | None = None

    def lesson(self) -> Lesson | None:
        """Return its lesson, read from the file on every call.

        :raises ValueError: the file does not have the format described in ``play.lessons``.
        """
        file = self._file("lessons")
        return None if file is None else read_lesson(file)

    def pages(self) -> tuple[Page, ...]:
        """Return the pages of its rules, read from the file on every call."""
        file = self._file("rules")
        return () if file is None else read_pages(file)

    def _file(self, what: str) -> Path | None:
        file = self.data and self.data / what / f"{self.game.info.id}.toml"
        return file if file and file.exists() else None


class Rejected(Exception):  # noqa: N818 - an answer, not an error
    """Why a package is rejected, as the end of a sentence."""


def load_rules() -> None:
    """Register the rules and policies of all usable packages, for a process that only runs computer
    players.
    """
    for point in _entry_points():
        try:
            package = _load(point)
        except Rejected:
            continue
        GAMES[package.words.game] = package.game
        if package.policy is not None:
            POLICIES[package.words.game] = package.policy


async def load_games(
    tree: CommandTree[Any], house: Sequence[commands.Cog], make: Callable[[type[GameCog]], GameCog]
) -> tuple[list[GameCog], list[str]]:
    """Register the games of all packages.

    :param tree: the tree that their commands will be added to.
    :param house: the bot's own cogs; a package must not reuse their names.
    :param make: makes a game's cog.
    :returns: the cogs of the registered games, and a sentence about each package left out.
    """
    cogs, left_out = list[GameCog](), list[str]()
    points = _entry_points()
    known = [payload for cog in house for payload in await _payloads(cog, tree)] if points else []
    for point in points:
        try:
            package = _load(point)
            registration = _Registration(package)
            try:
                cog = make(COGS[package.words.game])
                _refuse_known_name(cog, [*house, *cogs])
                known = registration.allowed([*known, *await _payloads(cog, tree)])
            except BaseException:
                registration.undo()
                raise
            cogs.append(cog)
        except Rejected as why:
            left_out.append(_left_out(point, str(why)))
        except Exception as fault:  # noqa: BLE001 - package code can raise anything
            left_out.append(
                _left_out(point, f"its commands cannot be made ({_on_one_line(fault)})")
            )
    return cogs, left_out


def _entry_points() -> list[EntryPoint]:
    """Return the entry points of all packages, sorted, so that the order is always the same."""
    return sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))


def _left_out(point: EntryPoint, why: str) -> str:
    source = "an unknown package" if point.dist is None else f"the package {point.dist.name}"
    return f"The game “{point.name}” of {source} is left out: {why}."


# ------------------------------------------------------------------------------ judging
def _load(point: EntryPoint) -> GamePackage:
    """Load a package and check it.

    :raises Rejected: it cannot be used.
    """
    try:
        package = point.load()
    except (Exception, SystemExit) as fault:  # noqa: BLE001 - package code can raise anything
        raise Rejected(f"it cannot be imported ({_on_one_line(fault)})") from None
    if not isinstance(package, GamePackage):
        raise Rejected(f"{point.value} is not a GamePackage")
    if package.contract != CONTRACT:
        raise Rejected(
            f"it was written for contract {package.contract}, and this bot has {CONTRACT}"
        )
    try:
        faults = list(_faults(package))
    except Exception as fault:  # noqa: BLE001 - package code can raise anything
        raise Rejected(f"checking it fails ({_on_one_line(fault)})") from None
    if faults:
        raise Rejected(faults[0])
    return package


def _faults(package: GamePackage) -> Iterator[str]:
    """Yield the reasons why a package cannot be used, without checking its commands."""
    kinds = ((package.game, Game), (package.painter, Painter), (package.words, GameWords))
    for part, kind in kinds:
        if not isinstance(part, kind):
            yield f"{type(part).__name__} is not a {kind.__name__}"
            return
    yield from _faults_of_rules(package.game.info)
    yield from _faults_of_words(package.words, package.game)
    if package.cog is not None and package.cog.game_id != package.game.info.id:
        yield f"its commands are for {package.cog.game_id!r}"
    yield from _faults_of_icons(package)
    yield from _faults_of_lesson(package)
    yield from _faults_of_pages(package)


def _faults_of_rules(info: GameInfo) -> Iterator[str]:
    if not GAME_ID.fullmatch(info.id):
        yield f"its id {info.id!r} is not a lowercase letter and 1 to 15 more letters or digits"
    if info.id in GAMES:
        yield f"there is another game with the id {info.id!r}"
    if len(GAMES) >= GAMES_AT_MOST:
        yield f"there are {len(GAMES)} games already"
    if not info.players or not set(info.players) <= set(range(1, len(SEATS) + 1)):
        yield f"it is not for 1 to {len(SEATS)} players"
    for option in info.options:
        if option.key in RESERVED_KEYS:
            yield f"its option {option.key!r} has the name of an option that all games have"


def _faults_of_words(words: GameWords, game: Game[Any]) -> Iterator[str]:
    if words.game != game.info.id:
        yield f"its words are for {words.game!r}"
    if set(words.options) != {option.key for option in game.info.options}:
        yield "its words and its rules have different options"
    yield from too_long(words, texts(SOURCE))
    for preset in words.presets:
        try:
            check_options(game, preset.options, preset.players)
        except Refused as refusal:
            yield f"its preset {preset.label!r} cannot be played ({refusal})"


def too_long(words: GameWords, say: Texts) -> Iterator[str]:
    """Name the texts that exceed ``LONGEST`` in this language."""
    said = {
        "title": say(words.title),
        "summary": say(words.summary),
        "pitch": say(words.pitch) if words.pitch else "",
        "rules": "\n".join(map(say, words.rule_texts)),
    }
    for what, text in said.items():
        if len(text) > LONGEST[what]:
            yield f"its {what} has {len(text)} characters; {LONGEST[what]} are allowed"


def _faults_of_icons(package: GamePackage) -> Iterator[str]:
    game_id = package.words.game
    for key in package.icons:
        fits = re.fullmatch(rf"{game_id}_[a-z0-9_]+", key) and len(key) <= LONGEST_KEY
        if not fits or key in ICONS:
            yield f"the icon key {key!r} is not {game_id}_… with at most {LONGEST_KEY} characters"
    if len(ICONS) + len(package.icons) > MOST:
        yield "it has too many icons"


def _faults_of_lesson(package: GamePackage) -> Iterator[str]:
    """Find impossible positions, steps with nothing to decide, and texts that are too long. The
    tests in ``tafelrunde.testing`` check the answers.
    """
    lesson = package.lesson()
    if lesson and len(lesson.aim) > LONGEST["aim"]:
        yield f"the aim of its lesson has more than {LONGEST['aim']} characters"
    for step in lesson.steps if lesson else ():
        try:
            awaited = step.match_of(package.game).actors
        except EngineError as refusal:
            yield f"the position of its step {step.key!r} is impossible ({_on_one_line(refusal)})"
            continue
        if step.seat not in awaited:
            yield f"in its step {step.key!r}, seat {step.seat} has nothing to decide"
        said = (step.idea, step.task, step.right, *(miss.text for miss in step.misses))
        if max(map(len, said)) > LONGEST["step"]:
            yield f"its step {step.key!r} has a text of more than {LONGEST['step']} characters"


def _faults_of_pages(package: GamePackage) -> Iterator[str]:
    pages, lesson = package.pages(), package.lesson()
    known = {PLAYERS, *(option.key for option in package.game.info.options)}
    if len(pages) > OPTIONS_IN_MENU:
        yield f"its rules have {len(pages)} pages; {OPTIONS_IN_MENU} are allowed"
    for page in pages:
        if not {*page.when, *(key for each in page.paragraphs for key in each.when)} <= known:
            yield f"its page {page.key!r} depends on an option that does not exist"
        if page.example and (lesson is None or lesson.step(page.example) is None):
            yield f"its page {page.key!r} takes its example from a step its lesson does not have"
        length = sum(len(each.text) for each in page.paragraphs)
        if not 0 < length <= LONGEST["rules"] or len(page.title) > LONGEST["title"]:
            yield f"its page {page.key!r} is empty or too long"


def _on_one_line(fault: BaseException) -> str:
    """Describe an exception on one line: its type and the beginning of its text."""
    told = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {told[:200]}" if told else type(fault).__name__


def _refuse_known_name(cog: commands.Cog, others: Sequence[commands.Cog]) -> None:
    """Refuse a cog whose name is already taken, because discord.py allows each name only once.

    :raises Rejected: another cog has this name.
    """
    if cog.qualified_name in {other.qualified_name for other in others}:
        raise Rejected(f"another cog is already called {cog.qualified_name}")


async def _payloads(cog: commands.Cog, tree: CommandTree[Any]) -> list[Payload]:
    """Return a cog's commands in every language, as they are sent to Discord."""
    group = cog.app_command
    made = cog.get_app_commands() if group is None else [group]
    return [await each.get_translated_payload(tree, CatalogueTranslator()) for each in made]


# --------------------------------------------------------------------------- registering
class _Registration:
    """A package's entries in all registries."""

    def __init__(self, package: GamePackage) -> None:
        game_id = package.words.game
        policies = {} if package.policy is None else {game_id: package.policy}
        lesson, pages = package.lesson(), package.pages()
        self._texts = package.texts
        self._entries: list[tuple[dict[str, Any], Mapping[str, Any]]] = [
            (GAMES, {game_id: package.game}),
            (PAINTERS, {game_id: package.painter}),
            (WORDS, {game_id: package.words}),
            (COGS, {game_id: package.cog or cog_of(package.words)}),
            (POLICIES, policies),
            (ICONS, package.icons),
            (known_lessons(), {} if lesson is None else {game_id: lesson}),
            (known_pages(), {game_id: pages} if pages else {}),
        ]
        for registry, new in self._entries:
            registry.update(new)
        if self._texts is not None:
            add_catalogues(self._texts)

    def allowed(self, commands_then: list[Payload]) -> list[Payload]:
        """Return these commands, which include the package's own.

        :raises Rejected: Discord would refuse them.
        """
        if faults := check_tree(commands_then):
            raise Rejected(f"Discord would refuse its commands ({faults[0]})")
        return commands_then

    def undo(self) -> None:
        """Remove the package from all registries."""
        for registry, new in self._entries:
            for key in new:
                del registry[key]
        if self._texts is not None:
            remove_catalogues(self._texts)
