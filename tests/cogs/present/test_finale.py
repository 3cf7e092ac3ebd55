"""The final picture of a match, and its place in the result."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import chain

import pytest

from cogs.games import WORDS
from cogs.gateway.cards import Button, Gallery, Row
from cogs.present.board import result_card
from cogs.present.drawings import board_drawing, position_text
from cogs.present.finale import Finale, ending_of, finale_drawing
from data.store.rows import Status
from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import CHANCE
from play.analysis import Analysis, Decision, KeepAnalysis, TurningPoint
from play.decide import decide
from play.ending import Resign, ended
from play.judgement import Verdict
from play.table import Table
from render.names import spoken_names
from render.scene import ALT_LIMIT
from tests.cogs.present.tables import ANNA, NOON, any_move, started

pytestmark = pytest.mark.blank

SAY = texts("en")

Finished = Callable[[str, int], Table]
"""Returns a finished match of a game with this many people."""


def _buttons(row: Row) -> list[Button]:
    return [part for part in row if isinstance(part, Button)] if isinstance(row, tuple) else []


@pytest.fixture
def finished(request: pytest.FixtureRequest) -> Finished:
    """A finished match of random moves, by game and number of people."""
    return partial(_finished, seed=int(request.config.option.seed))


@cache
def _finished(game: str, people: int, seed: int) -> Table:
    table, rng = started(game, people), random.Random(seed)
    while table.awaited:
        table = decide(table, any_move(table, rng), NOON)
    assert table.row.status is Status.FINISHED
    return table


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_result_shows_the_end_of_every_game(
    game: str, language: str, finished: Finished
) -> None:
    """The result begins with a picture with three figures; its description names everyone."""
    table = finished(game, GAMES[game].info.players[0])
    say, words = texts(language), WORDS[game]
    card = result_card(table, words, say)
    galleries = [part for part in card.parts if isinstance(part, Gallery)]
    (file,) = galleries[0].drawings[0].draw()
    assert file.name == f"{game}-end.png"
    assert len(file.alt) <= ALT_LIMIT
    ending = ending_of(table, words, say)
    assert len(ending.figures) == 3
    assert all(figure.value and figure.label for figure in ending.figures)
    for name in table.names:
        assert name in file.alt
    assert ending.how in file.alt


def test_the_proof_is_behind_a_button(finished: Finished) -> None:
    """The secret is not in the text, but anyone can open the proof, the replay and the analysis.
    Only players get the other buttons. The last board is shown below the words.
    """
    table = finished("lancelot", 2)
    for for_players in (True, False):
        card = result_card(table, WORDS["lancelot"], SAY, for_players=for_players)
        picture, text, board = card.parts
        assert isinstance(picture, Gallery)
        assert board == Gallery((board_drawing(table, SAY),))
        assert table.row.secret not in str(text)
        verbs = {b.control.verb for b in chain(*map(_buttons, card.rows))}
        on = {"rematch", "game"} if for_players else set()
        assert verbs == {"replay", "analysis", "proof"} | on


def test_the_figures_of_lancelot_are_those_of_the_match(finished: Finished) -> None:
    """Moves are counted without lots; the largest capture is that of a single move."""
    table = finished("lancelot", 3)
    ending = ending_of(table, WORDS["lancelot"], SAY)
    log = table.played.log
    assert ending.figures[0].value == str(sum(event.seat != CHANCE for event in log))
    taken = [
        len(fact.data["squares"])
        for _, _, facts in table.played.history(None)
        for fact in facts
        if fact.kind == "captured"
    ]
    leaps = [figure.value for figure in ending.figures if figure.label.startswith("biggest gain")]
    assert len(leaps) == 1
    assert leaps[0].endswith(f": +{max(taken)}"), "the move is named"


def rising(table: Table) -> int:
    """The index of the first move that is not followed by a lot."""
    log = table.played.log
    return next(n for n, event in enumerate(log) if CHANCE not in (event.seat, log[n + 1].seat))


def analysed(table: Table) -> Table:
    """The match with a made-up analysis: only each seat's last choice was a mistake, the later the
    worse, and the move at ``rising`` gained the most.
    """
    log = table.played.log
    places = [place for place, event in enumerate(log) if event.seat != CHANCE]
    seats = range(len(table.members))
    curve = [[0.0 for _ in seats] for _ in (*places, None)]
    best = rising(table)
    for at in curve[places.index(best) + 1 :]:
        at[log[best].seat] = 50.0
    last = {log[place].seat: place for place in places}
    lost = {place: float(place) for place in last.values()}
    choices = tuple(Decision(n, log[n].seat, log[n].move, lost.get(n, 0.0)) for n in places)
    turns = tuple(TurningPoint(choice, Verdict.CLEAR) for choice in choices if choice.lost)
    found = Analysis(True, (*places, len(log)), tuple(map(tuple, curve)), choices, turns)
    return decide(table, KeepAnalysis(found.to_json()), NOON)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_adds_the_turning_point_and_the_best_move(
    game: str, language: str, finished: Finished
) -> None:
    """The turning point and the best move replace the second and third figures, in the picture and
    in its description.
    """
    people = max(2, GAMES[game].info.players[0])  # with one player, each move is followed by a lot
    table, say, words = finished(game, people), texts(language), WORDS
    after = analysed(table)
    plain, told = (ending_of(each, words[game], say).figures for each in (table, after))
    log = table.played.log
    moves = [event for event in log if event.seat != CHANCE]
    names = spoken_names(table.names, say)
    last, best = moves[-1], log[rising(table)]
    wanted = [words[game].move_in_words(event.move, names, say) for event in (last, best)]
    assert told[0] == plain[0]
    assert [figure.value for figure in told[1:]] == wanted
    assert [figure.label for figure in told[1:]] == [
        say("turning point ({n}): {name}", n=len(moves), name=names[last.seat]),
        say("best move ({n}): {name}", n=moves.index(best) + 1, name=names[best.seat]),
    ]
    drawing = finale_drawing(after, words[game], say)
    assert drawing != finale_drawing(table, words[game], say)
    (picture,) = drawing.pictures()
    for figure in told:
        assert figure.value in picture.alt


def test_without_a_turning_point_or_best_move_the_figures_stay(finished: Finished) -> None:
    table = finished("lancelot", 2)
    after = decide(table, KeepAnalysis(Analysis(False, (), (), (), ()).to_json()), NOON)
    before, told = (ending_of(each, WORDS["lancelot"], SAY).figures for each in (table, after))
    assert told == before


def test_after_a_resignation_the_other_player_has_won() -> None:
    table = started("lancelot", 2)
    table = decide(table, any_move(table, random.Random(1)), NOON)
    table = decide(table, Resign(ANNA, "novice"), NOON)
    ending = ending_of(table, WORDS["lancelot"], SAY)
    assert ending.winners == (1,)
    assert ending.how == "Anna has resigned."
    assert "Ben has won." in finale_drawing(table, WORDS["lancelot"], SAY).pictures()[0].alt


@pytest.mark.parametrize("what", ["resigned", "ended"])
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_to_move_after_the_end(game: str, what: str, rng: random.Random) -> None:
    table = started(game, 3 if 2 not in GAMES[game].info.players else 2)
    for _ in range(12):
        table = decide(table, any_move(table, rng), NOON)
    if what == "resigned" and len(table.members) == 2:
        table, said = decide(table, Resign(ANNA, "novice"), NOON), "Ben has won."
    else:
        table, said = ended(table, {"how": "ended"}, NOON), "The match is over."
    (board,) = board_drawing(table, SAY).draw()
    for told in (board.alt, position_text(table, None, SAY)):
        assert said in told
        assert not re.search(r" (is|are) to ", told)


def test_ends_are_told_apart_without_drawing_them(finished: Finished) -> None:
    table, words = finished("isis", 2), WORDS["isis"]
    drawing = finale_drawing(table, words, SAY)
    assert drawing == finale_drawing(table, words, SAY)
    assert drawing != finale_drawing(table, words, texts("de"))
    member = table.members[0]
    renamed = replace(table, members=(replace(member, name="Ida"), *table.members[1:]))
    assert drawing != finale_drawing(renamed, words, SAY)


def test_a_match_that_cannot_be_read_has_no_picture(finished: Finished) -> None:
    table = replace(finished("isis", 2), match=None)
    card = result_card(table, WORDS["isis"], SAY)
    assert not any(isinstance(part, Gallery) for part in card.parts)
    assert isinstance(finale_drawing(finished("isis", 2), WORDS["isis"], SAY), Finale)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_solo_result_is_rated_in_words(language: str, finished: Finished) -> None:
    """The result gives a verdict on the score but no victory, because there was nobody to beat."""
    say = texts(language)
    table = finished("donquixote", 1)
    ending = ending_of(table, WORDS["donquixote"], say)
    assert ending.verdict
    assert ending.scores[0].endswith(f": {ending.verdict}")
    (file,) = finale_drawing(table, WORDS["donquixote"], say).draw()
    assert f"{ending.verdict[1:]}. " in file.alt
    assert say("{name} has won.", name=table.names[0]) not in file.alt
