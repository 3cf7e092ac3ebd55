"""Hints claim no more certainty than the search has, and say why in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from benchmarks.critical import Position, check, kept
from benchmarks.hints import SAYS_WHY, Terms, hints
from benchmarks.reasons import SETUPS, VARIED
from cogs.games import WORDS
from cogs.present import private
from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import Fact, Match, View
from games.players import Advice, Budget, Ranked
from play.judgement import Judgement, Reasons, Verdict, judge

GAMES_TRIED = {"donquixote": 60, "isis": 100, "isolde": 120, "lancelot": 60, "twilight": 100}
"""One in this many critical positions is checked."""

WORDED = {"donquixote": 8, "isis": 68, "isolde": 30, "lancelot": 13, "twilight": 56}
"""The number of hints whose reasons are all put into words."""

DOUBT = {
    "en": ("about", "almost", "a little", "probably"),
    "de": ("etwa", "fast", "wohl"),
    "fr": ("à peu près", "environ", "presque", "un peu", "semble"),
    "es": ("casi", "más o menos", "un poco", "parece"),
}
"""Words of doubt, which must not be in a verdict that is certain."""

NAMES = ("Anna", "Ben", "Clara", "Dora")


@cache
def judged(game_id: str) -> Sequence[tuple[Position, View, Judgement]]:
    """Some critical positions with their views, each with the judgement that a hint is made
    from.
    """
    found = []
    for position in kept(game_id)[:: GAMES_TRIED[game_id]]:
        match = position.match()
        view = match.view(match.actors[0])
        found.append((position, view, check(position, Budget(1000)).judgement))
    return found


def told(game_id: str, language: str) -> Iterator[tuple[Verdict, Sequence[str], str]]:
    """For each recommended move: the verdict, the reasons, and the line shown."""
    words, say = WORDS[game_id], texts(language)
    for _, view, judgement in judged(game_id):
        figures = [f"**{NAMES[0 if o is None else o]}**" for o in words.owners(view)]
        for number, each in enumerate(judgement.recommended):
            verdict = say((private.BESIDE if number else private.VERDICTS)[each.verdict])
            line = private.recommended(words, each, verdict, view, NAMES, figures, say)
            yield each.verdict, [fact.kind for fact in each.reasons], line


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES_TRIED)
def test_certain_verdicts_are_worded_without_doubt(game_id: str, language: str) -> None:
    number = 0
    for verdict, _, line in told(game_id, language):
        number += 1
        assert line.endswith(".")
        assert "{" not in line
        words = line.split(" – ", 1)[1].split(".")[0]
        if verdict in (Verdict.WINS, Verdict.FORCES, Verdict.SAVES, Verdict.SURE, Verdict.LOST):
            assert not any(doubt in words for doubt in DOUBT[language])
    assert number


@pytest.mark.full
@pytest.mark.parametrize(
    ("game_id", "tables", "every"),
    [
        *((game_id, tables, 2) for game_id, tables in SETUPS.items()),
        *((game_id, tables, 4) for game_id, tables in VARIED.items()),
    ],
)
def test_every_hint_gives_a_reason_and_each_reason_has_words(
    game_id: str, tables: Sequence[tuple[int, Mapping[str, Any]]], every: int
) -> None:
    """Only ``locked`` needs no words; ``alike``, ``gains`` and ``pitfalls`` alone do not count as a
    reason.
    """
    words, say, number = WORDS[game_id], texts("en"), 0
    terms = Terms(tables, Budget(1), Budget(20), every)
    for match, seat, judgement in hints(game_id, "words", WORDED[game_id], terms):
        view = match.view(seat)
        figures = [NAMES[0 if o is None else o] for o in words.owners(view)]
        facts = [fact for each in judgement.recommended for fact in each.reasons]
        if judgement.declined is not None:
            facts += judgement.declined.drawbacks
        for fact in facts:
            assert words.motive(fact, view, figures, say) or fact.kind == "locked", fact
        because = {fact.kind for fact in judgement.best.reasons} - {"alike", "gains", "pitfalls"}
        assert because or judgement.best.verdict in SAYS_WHY | {Verdict.ONLY}
        number += len(facts)
    assert number


@pytest.mark.full
@pytest.mark.parametrize("game_id", ["isis", "lancelot"])
def test_certain_verdicts_are_proven(game_id: str) -> None:
    """If a hint says that only one move saves the position, the search knows that all others lose.
    If it calls a position lost, the search knows all losing moves recorded for it, and more.
    """
    certain = 0
    for position, _, judgement in judged(game_id):
        match = position.match()
        legal = set(match.game.legal(match.state, match.actors[0]))
        certain += judgement.certain
        if judgement.best.verdict is Verdict.SAVES:
            assert judgement.loses == legal - {judgement.best.move}
        if position.loses:
            assert judgement.best.verdict is not Verdict.LOST or position.loses < judgement.loses
    assert certain


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_for_a_draft_only_mentions_effects_of_that_card(language: str) -> None:
    game = GAMES["isolde"]
    match = Match(game, game.setup(4, {}, "draft"))
    match.advance()
    view = match.view(0)
    assert view.phase == "draft"
    reasons = Reasons(game, view)
    moves = [Ranked(move, 0.5 - 0.3 * (n > 0), 100) for n, move in enumerate(reasons.moves)]
    judgement = judge(game, view, Advice(tuple(moves), 100))
    words, say = WORDS["isolde"], texts(language)
    lines = {words.motive(fact, view, NAMES, say) for fact in judgement.best.reasons}
    for other in reasons.moves[1:]:
        alike = {words.motive(fact, view, NAMES, say) for fact in reasons.certain(other)}
        assert not lines & alike


COLUMN = {"line": "column", "name": "D"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("game_id", "fact", "line"),
    [
        (
            "lancelot",
            Fact("exposes", {"seat": 1, "lines": [COLUMN]}),
            "Ben könnte dann in Kolonne D Steine von dir schlagen.",
        ),
        (
            "lancelot",
            Fact("joins", {"number": 1}),
            "Der Stein steht in einer Linie mit 1 Wappenstein von dir, wo niemand sonst führt.",
        ),
        (
            "isis",
            Fact("parries", {"seat": 1}),
            "Das versperrt dem persönlichen Stein von Ben den Weg zum Thron.",
        ),
        ("isis", Fact("lifts"), "Der Zug führt einen Stein in die Himmlischen Gefilde"),
    ],
)
def test_reasons_are_given_in_plain_german(game_id: str, fact: Fact, line: str) -> None:
    _, view, _ = judged(game_id)[0]
    told = WORDS[game_id].motive(fact, view, NAMES, texts("de"))
    assert told is not None
    assert told.startswith(line)


def test_reasons_say_which_side_wins_the_trick() -> None:
    _, view, _ = judged("twilight")[0]
    words, say = WORDS["twilight"], texts("en")
    lines = [
        words.motive(Fact("trick_won", {"seat": seat}), view, NAMES, say)
        for seat in range(view.players)
    ]
    assert set(lines) == {
        "It wins the trick for your side.",
        "It leaves the trick to the other side.",
    }
