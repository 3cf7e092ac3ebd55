"""Typed input: the bot understands its own names of moves and many other spellings."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from cogs.games import WORDS
from cogs.present import refusals
from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import Game, IllegalMove, Match
from play.decide import decide
from play.moves import PlayMoves
from play.plans import Plan
from play.table import Refused, RefusedByRules
from render.theme import SEATS
from tests.cogs.present.tables import NOON, one_move, started

NAMES = ("Anna", "Ben Önal", "Clara", "New Ann", "Emil")

SETUPS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("lancelot", 3, {"king": True, "diagonals": True}),
    ("isis", 3, {}),
    ("twilight", 3, {}),
    ("twilight", 4, {}),
    ("donquixote", 2, {"sancho": True}),
    ("isolde", 2, {"duo": "lancelot", "magie": True}),
    ("isolde", 4, {"galanterie": True, "magie": True, "kodex": True, "koenig": True}),
    ("isolde", 3, {"herausforderung": True, "barm": True}),
)

SIGNS = tuple(seat.sign for seat in SEATS)

AT_A_TIME = 3
"""The number of moves to type in one position."""


@pytest.mark.parametrize(("game_id", "players", "options"), SETUPS)
def test_the_bot_understands_its_own_names_of_moves(
    game_id: str, players: int, options: dict[str, Any], rng: random.Random
) -> None:
    game, words, names = GAMES[game_id], WORDS[game_id], NAMES[:players]
    match: Match[Any] = Match(game, game.setup(players, options, "5eed"))
    match.advance()
    while match.actors:
        seat = rng.choice(match.actors)
        legal = game.legal(match.state, seat)
        for move in rng.sample(legal, min(AT_A_TIME, len(legal))):
            for language in LANGUAGES:
                called = words.coded(move, names, texts(language))
                if _is_whole(called):
                    assert _parsed(game, match, seat, called, names) == move, called
        match.play(seat, [game.random_move(match.state, seat, rng)])


def _is_whole(called: str) -> bool:
    """Return whether the text alone identifies a move; texts with signs of seats or hidden shields
    need the position as well.
    """
    return not any(part in called for part in (*SIGNS, "hidden", "verdeckt", "caché", "oculto"))


def _parsed(game: Game[Any], match: Match[Any], seat: int, text: str, names: Any) -> str:
    try:
        return game.parse(match.state, seat, game.typed(text, names))
    except IllegalMove as error:
        return f"{error.code} {error.data}"


@pytest.mark.parametrize(
    ("game_id", "text", "move"),
    [
        ("lancelot", "K-4", "K4"),
        ("lancelot", "k—4", "K4"),
        ("lancelot", "„K4“", "K4"),
        ("lancelot", "Excalibur auf G6", "X:G6"),
        ("lancelot", "« K4 »", "K4"),
        ("lancelot", "Épée en G6", "X:G6"),
        ("isis", "14—21", "14 21"),
        ("isis", "ma 46 vers 44", "P46-44"),
        ("isis", "Retourne 40", "turn:40"),
        ("isis", "46-44", "46 44"),
        ("isis", "P46-44", "P46-44"),
        ("twilight", "order Anna", "order:1"),
        ("twilight", "ORDER ben", "order:2"),
        ("twilight", "Anweisung an Önal", "order:2"),
        ("twilight", "order New Moon", "order New Moon"),
        ("twilight", "order 3", "order 3"),
        ("twilight", "Obelisk der Sonne", "SH3"),
        ("twilight", "5 Seelen des Mondes", "ML5"),
        ("twilight", "sun-obelisk", "SH3"),
        ("twilight", "ordre à la Nouvelle Lune", "order:N"),
        ("twilight", "Ordonner à Clara", "order:3"),
        ("twilight", "5 âmes de la Lune", "ML5"),
        ("twilight", "Grand Prêtre du Soleil", "SC2"),
        ("donquixote", "Kirche 3", "CH3"),
        ("donquixote", "windmill 2 turned", "WM2r"),
        ("donquixote", "WM2r r", "WM2r"),
        ("donquixote", "Église 3 retournée", "CH3r"),
        ("donquixote", "moulin 2, à l’envers", "WM2r"),
        ("donquixote", "Sancho Pança", "SANCHO"),
        ("donquixote", "KN04 (Ritter 2, gedreht)", "KN04r"),
        ("isolde", "Grail 4", "play:GRAL4"),
        ("isolde", "Gral 4", "play:GRAL4"),
        ("isolde", "Kampf 4 auf Lanzenstechen", "play:KAMPF4>LANZE"),
        ("isolde", "play:Combat 4 on Tournament", "play:KAMPF4>TURNIER"),
        ("isolde", "GRAL4>GRAL", "play:GRAL4"),
        ("isolde", "King 5", "play:KOENIG5"),
        ("isolde", "Roi 5", "play:KOENIG5"),
        ("isolde", "jouer Combat 4 sur Joute", "play:KAMPF4>LANZE"),
        ("lancelot", "Excalibur a G6", "X:G6"),
        ("lancelot", "«K4»", "K4"),
        ("isis", "14 a 21", "14-21"),
        ("isis", "voltear 40", "turn:40"),
        ("twilight", "ordenar a Anna", "order:1"),
        ("twilight", "Sumo Sacerdote del Sol", "SC2"),
        ("twilight", "5 almas de la Luna", "ML5"),
        ("donquixote", "molino 2 girado", "WM2r"),
        ("donquixote", "KN04 (caballero 2, girada)", "KN04r"),
        ("isolde", "Combate 4 en Torneo", "play:KAMPF4>TURNIER"),
        ("isolde", "Búsqueda del Grial 4", "play:GRAL4"),
    ],
)
def test_people_may_type_as_they_speak(game_id: str, text: str, move: str) -> None:
    game = GAMES[game_id]
    names = NAMES[: max(game.info.players)]
    state = game.start(game.setup(4 if game_id in ("twilight", "isolde") else 2))
    typed = game.typed(text, names)
    assert move in (typed, game.canonical(state, 0, typed))


def test_one_of_several_names_is_not_guessed() -> None:
    game = GAMES["twilight"]
    for names, text in (
        (("Anna", "Annika", "Ben"), "order an"),
        (("Ben", "Anna", "Ben"), "order ben"),
    ):
        with pytest.raises(IllegalMove) as refused:
            game.typed(text, names)
        assert refused.value.code == "which_player"
        numbers = [n for n, name in enumerate(names, 1) if name[0] == text[6].upper()]
        assert refused.value.data["numbers"] == numbers


def test_a_knight_is_found_by_its_strength() -> None:
    game = GAMES["donquixote"]
    match: Match[Any] = Match(game, game.setup(2, {}, "5eed"))
    match.advance()
    match.state.hands[0] = ["CH1", "KN08"]
    assert game.parse(match.state, 0, "Ritter 3 gedreht") == "KN08r"
    match.state.hands[0].append("KN10")
    with pytest.raises(IllegalMove) as refused:
        game.parse(match.state, 0, "knight 3")
    assert (refused.value.code, refused.value.data["tiles"]) == ("which_tile", ["KN08", "KN10"])


def test_isis_takes_squares_for_any_stone_only_from_people(rng: random.Random) -> None:
    """Typed by a person, ``20-24`` can mean their own stone; in a record it means a neutral one."""
    table = started("isis", 2, starter="1")
    state = table.played.state
    state.below, state.neutral, state.personal, state.occupied = 0, [], [20, 0], 1 << 20
    (move, *_) = (each for each in table.legal(0) if each.startswith("P20-"))
    after = decide(table, PlayMoves(1, (move.removeprefix("P"),)), NOON)
    assert after.journal[-2].text == move or after.journal[-1].text == move
    with pytest.raises(IllegalMove):
        table.game.parse(state, 0, move.removeprefix("P"))


def test_a_plan_may_name_people() -> None:
    """A person's name in a plan is checked when the plan is made, but stored as typed."""
    table = started("twilight", 4)
    (seat,) = table.awaited
    other = (seat + 1) % 4
    planned = decide(table, Plan(other + 1, f"order {table.names[seat][:3]}"), NOON)
    assert planned.plans[0].move == f"order {table.names[seat][:3]}"
    with pytest.raises(RefusedByRules):
        decide(table, Plan(other + 1, "order Zoe"), NOON)


def test_a_second_choice_is_refused_with_a_code_of_its_own() -> None:
    table = decide(started("donquixote", 2), one_move(started("donquixote", 2), 0), NOON)
    with pytest.raises(Refused) as refused:
        decide(table, one_move(started("donquixote", 2), 0), NOON)
    assert refused.value.code == "chosen_already"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_shows_moves_that_would_be_understood(language: str) -> None:
    table = started("lancelot", 2)
    with pytest.raises(RefusedByRules) as refused:
        decide(table, PlayMoves(table.awaited[0] + 1, ("K44",)), NOON)
    told = refusals.explain(refused.value, WORDS, texts(language))
    shown = re.findall(r"[„“«]\s?([^„“”«»]+?)\s?[“”»]", told)[1:]
    assert len(shown) == refusals.EXAMPLES
    assert "K4" in shown
    for text in shown:
        assert table.game.parse(table.played.state, table.awaited[0], text)
