"""The bot leaves out packages that do not fit, names each in one sentence, and carries on."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import Parts, bring_games
from cogs.games import COGS, WORDS, outside
from cogs.games.outside import GamePackage
from cogs.present.front import gallery_card
from cogs.present.words import OptionWords, Preset
from data.texts import N_, add_catalogues, remove_catalogues, texts
from games import GAMES, GROUP
from games.engine import CONTRACT, Game, Option
from games.players import POLICIES
from games.players.policy import Policy
from play.lessons import known_lessons
from play.rules import known_pages
from render import PAINTERS
from render.icons import ICONS
from tafelrunde.render import KitPainter, Scene, Spread
from tafelrunde.words import L_, GameCog, command, name_
from tests import limits
from tests.cogs.present.test_cards import faults_of
from tests.cogs.test_learn import answer, go
from tests.outside.environment import EXAMPLES
from tests.stage import Stage, answer_to, make_bot, private, stage_on, texts_of

NOTHING: Any = None

LOOKED_AT = 600.0
"""Seconds after a start by which every message has been checked."""

REGISTRIES: tuple[dict[str, Any], ...] = (
    *(GAMES, PAINTERS, WORDS, COGS, POLICIES, ICONS),
    *(known_lessons(), known_pages()),
)

LESSON = """
[[chapters]]
title = "All there is"
[[chapters.steps]]
key = "three"
log = "a1 b1 a2 c1"
idea = "**Three in a row.** Whoever has three in a row wins."
task = "You have two in column A. Win."
answers = ["a3"]
also = ["b1"]
misses = [{text = "Then Ben wins next."}]
right = "Three in column A."
"""
PAGES = """
[[pages]]
key = "goal"
title = "The goal"
texts = ["Take squares in turn."]
example = "three"
"""
GERMAN = """
msgid "You have two in column A. Win."
msgstr "In Spalte A hast du zwei. Gewinne."
"""


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Iterator[GamePackage]:
    """Tic-tac-toe as a package that fits; every game registered during the test is unregistered
    afterwards.
    """
    monkeypatch.syspath_prepend(str(EXAMPLES[0]))
    before = [dict(registry) for registry in REGISTRIES]
    added: list[Path] = []

    def add(folder: Path) -> None:
        added.append(folder)
        add_catalogues(folder)

    def remove(folder: Path) -> None:
        added.remove(folder)
        remove_catalogues(folder)

    monkeypatch.setattr(outside, "add_catalogues", add)
    monkeypatch.setattr(outside, "remove_catalogues", remove)
    found: GamePackage = importlib.import_module("tictactoe").PACKAGE
    yield found
    for registry, old in zip(REGISTRIES, before, strict=True):
        for key in set(registry) - set(old):
            del registry[key]
    for folder in added:  # one folder may have been added several times
        remove_catalogues(folder)


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Parts]:
    """A bot that has not searched for games yet."""
    parts = await make_bot(tmp_path / "house.sqlite3", random.Random(0))
    yield parts
    parts.thinkers.close()
    await parts.store.close()


def offer(monkeypatch: pytest.MonkeyPatch, *more: EntryPoint, **modules: object) -> None:
    """Pretend that packages are installed.

    :param more: entry points to offer as they are.
    :param modules: the objects to load, by the name of their entry point.
    """
    points = [*more]
    for name, found in modules.items():
        module = ModuleType(f"offered_{name}")
        module.PACKAGE = found  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        points.append(EntryPoint(name, f"{module.__name__}:PACKAGE", GROUP))
    monkeypatch.setattr(outside, "entry_points", lambda group: points)


async def looked(bot: Parts) -> list[str]:
    """Have the bot search for games; return why it left some out."""
    with capture_logs() as lines:
        await bring_games(bot)
    return [line["why"] for line in lines if line["event"] == "game_left_out"]


class Renamed(Game[Any]):
    """The rules of another game with a different ``GameInfo``."""

    def __init__(self, game: Game[Any], **changes: Any) -> None:
        self.info = replace(game.info, **changes)  # type: ignore[misc]
        for method in ("actors", "legal", "do", "outcome"):
            setattr(self, method, getattr(game, method))

    actors = legal = do = outcome = Game.random_move  # type: ignore[assignment]


def with_info(package: GamePackage, **changes: Any) -> GamePackage:
    """The package with a different ``GameInfo`` and matching words."""
    options = {o.key: changes["words"] for o in changes.get("options", ())}
    named = type(
        "Named",
        (type(package.words),),
        {"game": changes.get("id", package.words.game), "options": options},
    )
    changes.pop("words", None)
    return replace(package, game=Renamed(package.game, **changes), words=named())


def with_words(package: GamePackage, **said: Any) -> GamePackage:
    return replace(package, words=type("Named", (type(package.words),), said)())


def many(count: int) -> tuple[Option, ...]:
    return tuple(Option(f"o{n}", "bool", default=False) for n in range(count))


LONG = OptionWords(name_("long"), N_("Long"), "x" * 101)
SHORT = OptionWords(name_("short"), N_("Short"), N_("Short"))


class FailingPainter(KitPainter):
    title = "x"

    def spread(self, scene: Scene) -> Spread:
        raise LookupError("nothing lies here")


class ForeignCog(
    GameCog, name="TableCog", group_name=name_("tictactoe"), group_description=L_("x")
):
    game_id = "tictactoe"


class LoudCog(GameCog, name="loud", group_name=name_("tictactoe"), group_description=L_("x")):
    game_id = "tictactoe"

    @command(name_("shout"), L_("x" * 101))
    async def shout(self, interaction: Any) -> None:
        raise AssertionError("never called")


class OtherCog(GameCog, name="other", group_name=name_("other"), group_description=L_("x")):
    game_id = "lancelot"


BROKEN: dict[str, tuple[Callable[[GamePackage], object], str]] = {
    "nothing": (lambda p: None, "is not a GamePackage"),
    "later contract": (
        lambda p: replace(p, contract=CONTRACT + 1),
        "contract 2, and this bot has 1",
    ),
    "no game": (lambda p: replace(p, game=NOTHING), "NoneType is not a Game"),
    "no painter": (lambda p: replace(p, painter=NOTHING), "NoneType is not a Painter"),
    "known id": (lambda p: with_info(p, id="lancelot"), "another game with the id 'lancelot'"),
    "bad id": (lambda p: with_info(p, id="Tic Tac"), "is not a lowercase letter and 1 to 15 more"),
    "six players": (lambda p: with_info(p, players=(6,)), "not for 1 to 5 players"),
    "other words": (lambda p: with_info(p, id="other"), ""),
    "options without words": (
        lambda p: replace(p, game=Renamed(p.game, options=many(1))),
        "have different options",
    ),
    "option of the house": (
        lambda p: with_info(p, options=(Option("pace", "bool", default=False),), words=SHORT),
        "its option 'pace' has the name of an option that all games have",
    ),
    "long title": (
        lambda p: with_words(p, title="x" * 33),
        "title has 33 characters; 32 are allowed",
    ),
    "long rules": (lambda p: with_words(p, rule_texts=("x" * 2000,) * 2), "4001 characters"),
    "what cannot be said": (
        lambda p: with_words(p, summary="{x}"),
        "checking it fails (KeyError: 'x')",
    ),
    "preset of nothing": (
        lambda p: with_words(p, presets=(Preset("All", {"all": True}),)),
        "its preset 'All' cannot be played (unknown_option)",
    ),
    "preset for none": (
        lambda p: with_words(p, presets=(Preset("Crowd", players=3),)),
        "preset 'Crowd'",
    ),
    "name of the house": (lambda p: with_info(p, id="tables"), "2 are called 'tables'"),
    "too long": (lambda p: with_info(p, options=many(1), words=LONG), "101 characters"),
    "same names": (lambda p: with_info(p, options=many(2), words=SHORT), "called 'short'"),
    "cog of a known name": (lambda p: replace(p, cog=ForeignCog), "cog is already called TableCog"),
    "cog of another game": (lambda p: replace(p, cog=OtherCog), "commands are for 'lancelot'"),
    "loud command": (lambda p: replace(p, cog=LoudCog), "/tictactoe shout description"),
    "icon of the house": (lambda p: replace(p, icons={"seat1": ICONS["seat1"]}), "'seat1'"),
    "no lesson": (lambda p: replace(p, data=Path(__file__).parent), ""),
    "no catalogue": (lambda p: replace(p, texts=Path(__file__).parent), ""),
}
"""By the name of a change to a package: the change, and the bot's report (empty if the package
fits).
"""


@pytest.mark.parametrize("name", BROKEN)
async def test_a_package_that_does_not_fit_is_left_out(
    name: str, package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, why = BROKEN[name]
    before = [dict(registry) for registry in REGISTRIES]
    waiting = len(bot.client.waiting_cogs)
    offer(monkeypatch, mine=change(package))
    told = await looked(bot)
    if not why:
        assert told == []
        return
    (sentence,) = told
    assert sentence.startswith("The game “mine” of an unknown package is left out: ")
    assert why in sentence
    assert "\n" not in sentence
    assert [dict(registry) for registry in REGISTRIES] == before
    assert len(bot.client.waiting_cogs) == waiting
    assert texts("de")("Three in a row.") == "Three in a row."


@pytest.mark.parametrize(
    "fault", ["raise SystemExit", "raise KeyError('x')", "import nowhere_at_all"]
)
async def test_a_package_that_cannot_be_imported_is_left_out(
    fault: str, package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever happens during an import, the other game is still available."""
    (tmp_path / "rotten.py").write_text(fault)
    monkeypatch.syspath_prepend(str(tmp_path))
    offer(monkeypatch, EntryPoint("bad", "rotten:PACKAGE", GROUP), good=package)
    (sentence,) = await looked(bot)
    assert "“bad”" in sentence
    assert "cannot be imported" in sentence
    assert GAMES["tictactoe"] is package.game


async def test_of_two_packages_with_one_id_the_first_is_used(
    package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entry point names decide, so the choice is the same at every start."""
    second = replace(package, game=type(package.game)())
    offer(monkeypatch, b=second, a=package)
    (sentence,) = await looked(bot)
    assert "“b”" in sentence
    assert GAMES["tictactoe"] is package.game


@pytest.mark.full
async def test_no_more_games_are_taken_than_one_message_lists(
    package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = {f"game{n:02}": with_info(package, id=f"game{n:02}") for n in range(20)}
    offer(monkeypatch, **offered)
    for sentence in await looked(bot):
        assert sentence.endswith("there are 20 games already.")
    assert len(GAMES) == outside.GAMES_AT_MOST
    long = {"title": "W" * outside.LONGEST["title"], "pitch": "w" * outside.LONGEST["pitch"]}
    words = {game: with_words(package, game=game, **long).words for game in GAMES}
    assert faults_of(gallery_card(words, texts("de"), greeting=True)) == []


async def test_everything_that_a_package_brings_is_registered(
    package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    icon = {"tictactoe_x": ICONS["seat1"]}
    offer(monkeypatch, mine=replace(package, policy=Policy, icons=icon))
    assert await looked(bot) == []
    assert PAINTERS["tictactoe"] is package.painter
    assert WORDS["tictactoe"] is package.words
    assert POLICIES["tictactoe"] is Policy
    assert ICONS["tictactoe_x"] is icon["tictactoe_x"]
    assert texts("de")("Three in a row.") == "Drei in einer Reihe."
    assert texts("de")("Rules") == "Regeln"


def with_data(package: GamePackage, folder: Path, lesson: str, pages: str) -> GamePackage:
    for what, text in (("lessons", lesson), ("rules", pages)):
        (folder / what).mkdir()
        (folder / what / "tictactoe.toml").write_text(text)
    return replace(package, data=folder)


FAULTS_OF_DATA: dict[str, tuple[str, str, str, str]] = {
    "no chapters": ("lesson", "chapters", "x", "checking it fails (KeyError: 'chapters')"),
    "no title": ("lesson", "**Three in a row.** ", "", "the idea of three must begin with"),
    "nothing to decide": ("lesson", "a1 b1 a2 c1", "a1 b1 a2", "seat 0 has nothing to decide"),
    "long aim": ("lesson", "[[chapters]]", f'aim = "{"x" * 301}"\n[[chapters]]', "more than 300"),
    "long step": ("lesson", "Then Ben", "x" * 1001, "more than 1000 characters"),
    "no example": ("pages", '"three"', '"four"', "from a step its lesson does not have"),
    "no option": ("pages", "example", "when = {x = 1}\nexample", "an option that does not exist"),
    "long page": ("pages", "Take squares", "x" * 3501, "page 'goal' is empty or too long"),
}
"""The file to change, the text to replace, its replacement, and the resulting report."""


@pytest.mark.parametrize("name", FAULTS_OF_DATA)
async def test_a_lesson_that_does_not_fit_is_a_fault(
    name: str, package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    where, old, new, why = FAULTS_OF_DATA[name]
    lesson = LESSON.replace(old, new) if where == "lesson" else LESSON
    pages = PAGES.replace(old, new) if where == "pages" else PAGES
    offer(monkeypatch, mine=with_data(package, tmp_path, lesson, pages))
    (sentence,) = await looked(bot)
    assert why in sentence
    assert "tictactoe" not in known_lessons()


@pytest.mark.full
async def test_a_game_from_outside_is_learned(
    package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "de.po").write_text(GERMAN)
    taught = with_data(replace(package, texts=tmp_path), tmp_path, LESSON, PAGES)
    offer(monkeypatch, mine=taught)
    assert await looked(bot) == []
    async with stage_on(tmp_path / "played.sqlite3") as stage:
        anna = stage.people["Anna"]
        overview = private(await anna.slash(stage.channel, "learn"))
        assert "Tic-tac-toe" in texts_of(overview)
        step = private(await anna.slash(stage.channel, "learn", game="tictactoe"))
        assert "You have two in column A. Win." in texts_of(step)
        wrong = await answer(anna, step, "tictactoe", "three", "b3")
        assert "Then Ben wins next." in texts_of(wrong)
        wrong = await answer(anna, wrong, "tictactoe", "three", "b1")
        assert "Not quite" in texts_of(wrong)
        right = await answer(anna, wrong, "tictactoe", "three", "a3")
        assert "1 of 1" in texts_of(right)
        rules = await go(anna, right, "gamerules", "tictactoe")
        assert "Take squares in turn." in texts_of(rules)
        assert "Three in column A." in texts_of(rules)
        await go(anna, right, "firstmatch", "tictactoe")
        assert (await stage.table()).running
    assert texts("de")("You have two in column A. Win.") == "In Spalte A hast du zwei. Gewinne."


async def test_no_package_replaces_the_bots_own_texts(
    package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "de.po").write_text('msgid "Rules"\nmsgstr "Unsinn"\n')
    offer(monkeypatch, mine=replace(package, texts=tmp_path))
    assert await looked(bot) == []
    assert texts("de")("Rules") == "Regeln"


async def test_a_catalogue_that_cannot_be_read_is_a_fault(
    package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "de.po").write_bytes(b'msgid "Rules"\nmsgstr "\xff\xfe"\n')
    offer(monkeypatch, mine=replace(package, texts=tmp_path))
    (sentence,) = await looked(bot)
    assert "cannot be made" in sentence
    assert texts("de")("Rules") == "Regeln"


async def test_a_worker_learns_the_rules(
    package: GamePackage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Computer players need no commands."""
    offer(monkeypatch, mine=replace(package, policy=Policy), bad=None)
    outside.load_rules()
    assert GAMES["tictactoe"] is package.game
    assert POLICIES["tictactoe"] is Policy
    assert "tictactoe" not in COGS


# ----------------------------------------------------------------- games that have gone
@pytest.fixture
async def stage(
    package: GamePackage, bot: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[Stage]:
    """A stage with Tic-tac-toe."""
    offer(monkeypatch, mine=package)
    assert await looked(bot) == []
    async with stage_on(tmp_path / "played.sqlite3") as stage:
        yield stage
        assert limits.check_requests(stage.env) == []


def gone(package: GamePackage) -> None:
    """Unregister the game."""
    for registry in REGISTRIES:
        registry.pop(package.words.game, None)


@pytest.mark.full
async def test_a_table_waits_for_its_game(stage: Stage, package: GamePackage) -> None:
    await stage.open("tictactoe", 2, seating="joined")
    anna = stage.people["Anna"]
    await anna.slash(stage.channel, "tictactoe move", move="b2")
    kept = [dict(registry) for registry in REGISTRIES]
    gone(package)
    await stage.restart()
    assert (await stage.table()).unreadable == "no_game"
    await stage.wait(LOOKED_AT)
    waiting = stage.channel.last_message
    assert "is not installed at the moment" in texts_of(waiting)
    for what in ("show", "log", "hint", "undo", "resign", "export", "replay"):
        told = answer_to(await anna.slash(stage.channel, f"table {what}"))
        assert "is not installed at the moment" in told, what
    assert "tictactoe" in answer_to(await anna.slash(stage.channel, "tables"))
    for registry, old in zip(REGISTRIES, kept, strict=True):
        registry.update(old)
    await stage.restart()
    await stage.wait(LOOKED_AT)
    assert waiting is not None
    assert waiting.id not in [message.id for message in stage.channel.history()]
    ben = stage.people["Ben"]
    await stage.message("board")
    await ben.slash(stage.channel, "tictactoe move", move="a1")
    assert [event.move for event in (await stage.table()).played.log] == ["b2", "a1"]


async def test_a_painter_that_fails_disturbs_no_other_table(
    stage: Stage, package: GamePackage
) -> None:
    sound = PAINTERS["tictactoe"]
    PAINTERS["tictactoe"] = FailingPainter()
    await stage.open("tictactoe", 2, seating="joined")
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    told = answer_to(await anna.slash(stage.channel, "tictactoe move", move="b2"))
    assert "I could not post the board" in told
    await ben.slash(stage.channel, "lancelot new")
    standing = [texts_of(message) for message in stage.channel.history()]
    assert "Lancelot" in standing[-1]
    assert "takes B2" not in "".join(standing)
    PAINTERS["tictactoe"] = sound
    await stage.restart()
    assert any("takes B2" in texts_of(message) for message in stage.channel.history())


async def test_a_lobby_without_its_game_can_only_be_closed(
    stage: Stage, package: GamePackage
) -> None:
    anna = stage.people["Anna"]
    await anna.slash(stage.channel, "tictactoe new")
    gone(package)
    await stage.restart()
    for name, verb in (("Ben", "join"), ("Anna", "start")):
        told = answer_to(await stage.press(name, verb, "lobby"))
        assert "is not installed at the moment" in told
    await stage.end("Anna")
    assert (await stage.bot.tables.fresh(1)).over
