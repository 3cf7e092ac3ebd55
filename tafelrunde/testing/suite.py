"""The tests of the suite; ``tafelrunde.testing`` runs them."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.metadata import entry_points
from string import Formatter
from typing import Any

import pytest
from babel.messages.pofile import read_po

from cogs.games import WORDS
from cogs.games.outside import GamePackage, too_long
from cogs.gateway.cards import COMPONENTS_IN_MESSAGE, ENTRY_LABEL, OPTIONS_IN_MENU
from cogs.present.words import ASK_ON, BUTTONS_AT_MOST, GameWords, Menu
from data.texts import LANGUAGES, SOURCE, texts
from games import GAMES, GROUP
from games.engine import CHANCE, Game, IllegalMove, Match, Move, View
from games.players import LEVELS, Budget, search
from play.lessons import AnswerVerdict, JudgedAnswer, LessonStep, lesson_of
from render import PAINTERS
from tafelrunde.testing.laws import (
    check_match,
    check_secrets_vary,
    fingerprint,
    random_positions,
    random_setup,
)
from tafelrunde.testing.odds import check_odds
from tafelrunde.testing.pictures import (
    NASTY,
    check_board,
    check_description,
    check_text,
    random_match,
    scene_of,
)

MIXES = 3
"""How many random sets of options to play with each number of players."""

MOMENTS = (0.0, 0.4, 0.8, 1.0)
"""The fractions of a match after which its board is drawn."""


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Return the seed of the first random match."""
    first: int = request.config.getoption("first_seed")
    return first


@pytest.fixture
def game(tested: str) -> Game[Any]:
    """Return the rules under test."""
    return GAMES[tested]


@pytest.fixture
def words(tested: str) -> GameWords:
    """Return the words under test."""
    return WORDS[tested]


# -------------------------------------------------------------------------------- rules
def test_the_laws_are_kept(game: Game[Any], players: int, seed: int) -> None:
    """A match with the default options and some with random options keep the laws of
    ``games.engine.Game``.
    """
    check_match(game, game.setup(players, seed=str(seed)), seed)
    for n in range(seed, seed + MIXES):
        check_match(game, random_setup(game, players, random.Random(n)), n, every=9)


def test_no_seat_knows_the_secrets_of_another(game: Game[Any], players: int, seed: int) -> None:
    """In worlds sampled from a seat's view, the secrets of the others vary (L9)."""
    check_secrets_vary(game, [game.setup(players, seed=str(seed + n)) for n in range(3)], seed)


def test_worlds_come_up_as_often_as_they_should(game: Game[Any], players: int, seed: int) -> None:
    """Where few worlds are possible for a seat, each is sampled with the right probability (L9)."""
    check_odds(game, game.setup(players, seed=str(seed)), seed % players, seed)


def test_defaults_are_allowed(game: Game[Any]) -> None:
    """Each option's default is an allowed value at every player count for which the option
    exists.
    """
    keys = [option.key for option in game.info.options]
    assert len(set(keys)) == len(keys), "an option is declared twice"
    for option in game.info.options:
        for players in filter(option.usable, game.info.players):
            option.check(option.default_at(players))


def test_what_has_no_notation_is_refused(game: Game[Any]) -> None:
    """Texts that are not in the game's notation are refused as planned moves."""
    state = game.start(game.setup(game.info.players[0]))
    for text in ("", "é", "0" * 300):
        if game.canonical(state, 0, text) is None:
            with pytest.raises(IllegalMove):
                game.check_notation(state, 0, text)


@pytest.fixture(scope="module")
def elsewhere(request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the fingerprint of each tested game, computed by another process."""
    run = subprocess.run(
        [sys.executable, "-m", "tafelrunde.testing.laws", *request.config.getoption("game")],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        check=True,
        text=True,
    )
    fingerprints: dict[str, str] = json.loads(run.stdout)
    return fingerprints


def test_another_process_plays_the_same(
    tested: str, game: Game[Any], elsewhere: dict[str, str]
) -> None:
    """Nothing depends on the order of a set of strings, which differs between processes (L1)."""
    assert elsewhere[tested] == fingerprint(game)


# ------------------------------------------------------------------------------ players
def test_computers_of_every_level_play_on(game: Game[Any], players: int, seed: int) -> None:
    """Choices of computer players are legal, and equal seeds and views give equal advice."""
    match = Match(game, game.setup(players, seed=str(seed)))
    match.advance()
    rng = random.Random(seed)
    for level in list(LEVELS.values()) * 4:
        if match.outcome is not None:
            return
        seat = rng.choice(match.actors)
        view = View.from_json(match.view(seat).to_json())
        advice = search(game, view, random.Random(1), Budget(20))
        assert search(game, view, random.Random(1), Budget(20)) == advice
        match.play(seat, [level.player(game, view, rng, Budget(6)).best])


# ----------------------------------------------------------------------------- pictures
def test_boards_keep_their_measures(tested: str, game: Game[Any], players: int, seed: int) -> None:
    """Boards pass all checks in every language and with awkward names. Before the end of the match,
    the board is the same for all viewers, byte for byte.
    """
    painter, match = PAINTERS[tested], random_match(game, players, str(seed))
    for moment in MOMENTS:
        end = round(moment * match.ply)
        for language in LANGUAGES:
            check_board(painter, scene_of(match, end, None, language, NASTY))
        scene = scene_of(match, end)
        board = painter.board(scene)
        if moment < 1:
            for seat in range(players):
                seen = painter.board(replace(scene, view=scene_of(match, end, seat).view))
                assert seen == board, (
                    f"the board shows seat {seat} more than spectators: draw it from view.public"
                )
        check_text(painter, scene_of(match, end))


def test_hands_and_accounts_are_described(
    tested: str, game: Game[Any], players: int, seed: int
) -> None:
    """Each seat of a game with secrets has a picture of its hand; an account is drawn exactly when
    one is due.
    """
    painter, match = PAINTERS[tested], random_match(game, players, str(seed))
    for end in range(match.ply + 1):
        scene = scene_of(match, end)
        drawn = painter.results(scene)
        due = any(fact.kind in game.info.accounts for fact in scene.facts)
        assert bool(drawn) == due, (
            "results() draws an account for the facts that info.accounts names"
        )
        for picture in drawn:
            check_description(picture)
    for seat in range(players):
        hand = painter.hand(scene_of(match, match.ply // 2, seat, names=NASTY))
        assert (hand is not None) == game.info.has_secrets, (
            "hand() draws what info.hidden and info.simultaneous promise"
        )
        if hand is not None:
            check_description(hand)


# -------------------------------------------------------------------------------- words
def test_all_is_said(words: GameWords, game: Game[Any], players: int, seed: int) -> None:
    """The words cover facts, moves, results, reasons and options in every language."""
    names = [f"Seat {n}" for n in range(players)]
    match = random_match(game, players, str(seed))
    for language in LANGUAGES:
        say = texts(language)
        for _, move, facts in match.history(None):
            for fact in facts:
                words.tell(fact, names, say)
            assert move is None or words.move_in_words(move, names, say), f"{move} has no words"
            assert move is None or words.logged(move, facts, names, say)
        view = match.view(None)
        assert match.outcome is not None
        assert words.reason(match.outcome.reason, say)
        assert not list(too_long(words, say))
        for seat in range(players):
            words.score(view, seat, say)
        for option in game.info.options:
            if option.usable(players):
                words.option_in_words(option, match.setup.options[option.key], say)


def test_menus_lead_to_every_move(
    words: GameWords, game: Game[Any], players: int, seed: int
) -> None:
    """Menus lead to every legal move and to nothing else, within Discord's limits."""
    say, names = texts("de"), [f"Seat {n}" for n in range(players)]
    for position in random_positions(game, game.setup(players, seed=str(seed)), seed):
        for seat, legal in position.moves.items():
            view = game.view(position.state, seat)
            reached = set(_reached(words, view, legal, "", names))
            assert reached == set(legal), f"missed, or not legal: {reached ^ set(legal)}"
            _fits(words.menu(view, legal, "", names, say))


def _reached(
    words: GameWords, view: View, legal: list[Move], prefix: str, names: list[str]
) -> Iterator[Move]:
    menu = words.menu(view, legal, prefix, names, texts("en"))
    _fits(menu)
    for value in [choice.value for group in menu.groups for choice in group.choices]:
        if value in legal:
            yield value
        else:
            chosen = value.removesuffix(ASK_ON)
            assert value != prefix, f"the menu after {prefix!r} leads to itself"
            yield from _reached(words, view, legal, chosen, names)


def _fits(menu: Menu) -> None:
    """Check that a menu fits into a message."""
    rows = 0
    for group in menu.groups:
        labels = [choice.label for choice in group.choices]
        assert all(0 < len(label) <= ENTRY_LABEL for label in labels), "a label is too long"
        values = [choice.value for choice in group.choices]
        assert len(set(values)) == len(values), "a menu has the same choice twice"
        of_one_row = BUTTONS_AT_MOST if group.as_buttons else OPTIONS_IN_MENU
        rows += -(-len(labels) // of_one_row)
    assert rows <= COMPONENTS_IN_MESSAGE // 4, "too many choices for one message"


def test_the_lesson_is_solved(tested: str, game: Game[Any]) -> None:
    """Each step has a position that can arise by the rules, and menus that lead to a solution;
    every wrong answer gets an explanation: the point it misses, or the rule it breaks.
    """
    lesson = lesson_of(tested)
    for step in lesson.steps if lesson else ():
        match = Match(game, step.match().setup)
        for event in step.match().log:
            if event.seat != CHANCE:
                legal = game.legal(match.state, event.seat)
                assert event.move in legal, f"{step.key}: {event.move} is not legal"
            match = Match.replay(game, match.setup, [*match.log, event])
        answers = list(_answers(step))
        right = [each for each in answers if each.verdict is AnswerVerdict.RIGHT]
        assert right, f"nothing solves {step.key}"
        for each in answers:
            explained = each.verdict is not AnswerVerdict.WRONG or each.miss or each.refusal
            assert explained, f"{step.key}: nothing explains why {each.answer} is wrong"


def _answers(step: LessonStep, begun: tuple[Move, ...] = ()) -> Iterator[JudgedAnswer]:
    """Yield all answers that the menus of a step allow, with the verdict on each.

    :param begun: the moves of the answer so far.
    """
    for move in step.offered(begun):
        judged = step.judge((*begun, move))
        yield judged
        if judged.verdict is AnswerVerdict.UNFINISHED:
            yield from _answers(step, judged.answer)


def test_translations_are_complete(tested: str) -> None:
    """A file of translations leaves nothing untranslated, lacks no constant text, and uses no
    placeholder that the English text does not have.
    """
    (point,) = entry_points(group=GROUP, name=tested)
    package = point.load()
    for language in LANGUAGES if package.texts else ():
        file = package.texts / f"{language}.po"
        if file.exists():
            with file.open("rb") as opened:
                translated = {message.id: message for message in read_po(opened, locale=language)}
            for english, said in _forms(translated.values()):
                assert said, f"{file}: {english!r} is not translated"
                assert _fields(said) <= _fields(english) | {"n"}, f"{file}: {said!r}"
            known = {form for english, _ in _forms(translated.values()) for form in [english]}
            missing = [
                text
                for text in (*_constant_texts(package.words), *_taught(package))
                if text not in known and _filled(text, language) == _filled(text, SOURCE)
            ]
            assert not missing, f"{file} has no translation of:\n" + "\n".join(missing)


def _forms(messages: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield English and translated forms of all messages except the header."""
    for message in messages:
        if isinstance(message.id, str) and message.id:
            yield message.id, message.string
        elif message.id:
            one, many = message.id
            yield one, message.string[0]
            yield many, message.string[-1]


def _fields(text: str) -> set[str]:
    """Return the placeholders of a text: the names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _taught(package: GamePackage) -> Iterator[str]:
    """Yield the texts of the lesson and of the rules' pages."""
    lesson = package.lesson()
    if lesson:
        yield lesson.aim
    for chapter in lesson.chapters if lesson else ():
        yield chapter.title
        for step in chapter.steps:
            yield from (step.idea, step.task, step.right, *(miss.text for miss in step.misses))
    for page in package.pages():
        yield from (page.title, *(paragraph.text for paragraph in page.paragraphs))


def _filled(text: str, language: str) -> str:
    """Return a text in a language, with every placeholder replaced with its own name."""
    return texts(language)(text, **{name: name for name in _fields(text)})


def _constant_texts(words: GameWords) -> Iterator[str]:
    """Yield texts that are plain attributes of ``GameWords``."""
    yield from (words.title, words.summary, *words.rule_texts)
    for texts_by_key in (words.refusals, words.reasons, words.told):
        yield from texts_by_key.values()
    for option in words.options.values():
        yield from (option.label, option.help, *option.choices.values())
