"""Painters draw accounts of hands and rounds for exactly the events that the games name."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games import GAMES
from games.engine import Match
from render import PAINTERS
from tafelrunde.testing.laws import random_setup
from tests.render.scenes import Case, english_in, played, scene_at

TABLES = [(name, players) for name, game in GAMES.items() for players in game.info.players]


@pytest.mark.blank
@pytest.mark.seeds(1)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_results_are_drawn_for_accounts(name: str, players: int, seed: int) -> None:
    """The accounts of a German table have German words."""
    rules = GAMES[name]
    setup = random_setup(rules, players, random.Random(f"{name}/{players}/{seed}"))
    case = Case(name, players, tuple(setup.options.items()), str(seed))
    match = played(case)
    match, steps = Match.retrace(rules, match.setup, match.log, match.ply)
    end = scene_at(case, 1.0, language="de")
    for step in steps:
        pictures = PAINTERS[name].results(replace(end, facts=step.facts))
        due = any(fact.kind in rules.info.accounts for fact in step.facts)
        assert bool(pictures) == due, step.event
        assert not any(english_in(picture.alt) for picture in pictures), step.event
