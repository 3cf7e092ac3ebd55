"""The messages of a tournament, in every phase and language."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import Any

import pytest

from cogs.games import WORDS
from cogs.gateway.cards import COMPONENTS_IN_MESSAGE, Button, Card, Gallery, Select
from cogs.present.surfaces import Surface
from cogs.present.tournaments import (
    TournamentSurfaces,
    counting_in_words,
    decide_card,
    halves,
    leave_card,
    manage_card,
    podium_of,
    proof_in_words,
    quarters,
    rules_in_words,
    tournament_card,
)
from data.texts import LANGUAGES, texts
from play.occasions.tournament import Format, Phase
from play.occasions.tournament_acts import CallOff, Correct, Pause, Remove, Tourney, Withdraw
from tests.play.occasions.tourneys import (
    HOST,
    NOW,
    act,
    announced,
    later,
    opened,
    played_out,
    results,
    signed,
    started,
)

TEXT_LIMIT = 4000
"""The maximum number of characters of all texts of a message together."""


def wanted(tourney: Tourney, told: int = 0) -> dict[str, Surface]:
    surfaces = TournamentSurfaces(WORDS)(tourney, told, lambda key: told)
    return {surface.key: surface for surface in surfaces}


def words_of(card: Card) -> str:
    return "\n".join(part for part in card.parts if isinstance(part, str))


def verbs_of(card: Card) -> list[str]:
    rows = [row for row in card.rows if isinstance(row, tuple)]
    return [each.control.verb for row in rows for each in row if isinstance(each, Button)]


def test_one_message_stays_through_all_phases() -> None:
    """The message's buttons match each phase; at the end it is final, and a podium follows."""
    tourney = signed(3, most=4, format=Format.KNOCKOUT)
    card = wanted(tourney)["tournament"].card
    assert verbs_of(card) == ["toursign", "tourrules", "tourleave", "tourmanage"]
    assert "Person 1, Person 2, Person 3" in words_of(card)
    assert tourney.state.seal in words_of(card)
    drawing = signed(4, most=4, format=Format.KNOCKOUT)
    assert verbs_of(wanted(drawing)["tournament"].card) == []
    assert [key for key in wanted(drawing) if key.startswith("lots:")]
    running = opened(started(4, format=Format.KNOCKOUT))
    card = wanted(running)["tournament"].card
    assert verbs_of(card) == ["tourmine", "tourrules", "tourleave", "tourmanage"]
    assert "<#60> `C1.1`" in words_of(card)
    assert any(isinstance(part, Gallery) for part in card.parts)
    over = played_out(running, random.Random(1))
    surfaces = wanted(over, told=running.revision)
    assert surfaces["tournament"].final
    assert verbs_of(surfaces["tournament"].card) == ["tourrules"]
    assert "has won Spring cup" in words_of(surfaces["podium"].card)
    assert not any(surface.pings for surface in surfaces.values())
    assert "podium" not in wanted(over, told=over.revision)


def test_acts_of_organisers_are_announced_with_name_and_reason() -> None:
    """If somebody takes over the place of a player who has left, that is announced, too."""
    closes = NOW + timedelta(hours=1)
    tourney = later(signed(6, most=4, least=4, closes_at=closes), hours=1)
    drawn = act(tourney, tourney.kind.stands(tourney, 1))
    left = act(drawn, Withdraw(drawn.state.places[0].person_id))
    told = act(left, Remove(HOST, False, "Bad *manners*", who=left.state.places[1].person_id))
    told = act(told, Pause(HOST, False, "Night"))
    told = act(told, Correct(HOST, False, "Typo", slot="1.1", ranks=(1, 1)))
    told = act(told, CallOff(HOST, False, "Rain"))
    notes = [words_of(each.card) for key, each in wanted(told).items() if key.startswith("note:")]
    assert all("T7K2" in note for note in notes)
    text = "\n".join(notes)
    assert re.search(r"\*\*Person \d\*\* has withdrawn. \*\*Person 5\*\* takes over", text)
    assert f"<@{HOST}> has removed **Person" in text
    assert "Bad \\*manners\\*" in text
    assert f"<@{HOST}> has decided table 1.1: a draw" in text
    assert "Rain" in text
    few = later(signed(2, closes_at=closes), hours=1)
    assert "Too few people have signed up" in "".join(
        words_of(s.card) for s in wanted(few).values()
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "plan",
    [
        {"format": Format.KNOCKOUT},
        {"format": Format.ROBIN},
        {"format": Format.SWISS, "rounds": 3},
        {"game": "twilight", "seats": 4, "least": 4},
    ],
)
def test_every_card_fits_into_a_message(plan: dict[str, Any], language: str) -> None:
    say = texts(language)
    tourney = signed(32, announced(most=32, **plan))
    names = {person: f"*_{person}_* " * 4 for person in tourney.state.names}
    tourney = tourney.changed(names=names)
    tourney = act(tourney, tourney.kind.stands(tourney, 1))
    running = opened(tourney)
    over = played_out(started(8, **plan), random.Random(1))
    slot, meeting = next(each for each in running.state.slots)
    full = signed(31, announced(most=32, closes_at=NOW + timedelta(hours=1), **plan))
    cards = [
        *(tournament_card(each, WORDS, say) for each in (tourney, running, over)),
        *(manage_card(each, WORDS, say) for each in (running, full)),
        decide_card(running, slot, meeting, [1] * len(meeting.players), say),
        leave_card(running, say),
    ]
    for card in cards:
        assert len(words_of(card)) < TEXT_LIMIT
        shown = sum(1 + len(row) if isinstance(row, tuple) else 1 for row in card.rows)
        assert shown + 2 * len(card.parts) + 2 < COMPONENTS_IN_MESSAGE
        ids = [
            each.control.custom_id
            for row in card.rows
            for each in (row if isinstance(row, tuple) else [row])
            if isinstance(each, Select | Button)
        ]
        assert len(ids) == len(set(ids))
        assert max(map(len, ids), default=0) <= 100
    rules = rules_in_words(tourney.state.plan, WORDS, say)
    assert len(rules + counting_in_words(tourney.state.plan, say)) < TEXT_LIMIT
    assert over.state.secret in proof_in_words(over.state, say)
    assert len(podium_of(over.state, WORDS, say).steps[0]) == 1


def test_what_can_be_managed_depends_on_the_phase() -> None:
    say = texts("en")
    labels = [
        [each.label for row in card.rows if isinstance(row, tuple) for each in row]
        for card in (
            manage_card(signed(3), WORDS, say),
            manage_card(started(4), WORDS, say),
            manage_card(act(started(4), Pause(HOST, False, "")), WORDS, say),
        )
    ]
    assert labels == [
        ["Begin now", "Call off…"],
        ["Pause…", "Call off…"],
        ["Resume…", "Call off…"],
    ]
    menus = [row for row in manage_card(started(4), WORDS, say).rows if isinstance(row, Select)]
    assert [len(menu.entries) for menu in menus] == [4, 2]
    robin = results(started(4, format=Format.ROBIN), random.Random(1))
    assert robin.state.phase is Phase.RUNNING
    tables = [row for row in manage_card(robin, WORDS, say).rows if isinstance(row, Select)][1]
    assert [entry.value for entry in tables.entries] == ["2.2", "2.1", "1.2", "1.1"]


def test_points_are_written_with_fractions() -> None:
    assert [halves(n) for n in (0, 1, 2, 5)] == ["0", "½", "1", "2½"]
    assert [quarters(n) for n in (1, 3, 4, 7)] == ["¼", "¾", "1", "1¾"]


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (
            {"format": Format.ROBIN, "most": 32},
            "Up to 31 rounds, one after the other: 31 weeks if each round takes",
        ),
        ({"format": Format.ROBIN, "most": 8}, "Up to 7 rounds, one after the other\n"),
        ({"format": Format.KNOCKOUT, "most": 32}, "Up to 5 rounds, one after the other\n"),
        ({"rounds": 1}, "1 round in total\n"),
        ({"rounds": 10}, "Up to 10 rounds, one after the other: 10 weeks if each round takes"),
        ({"game": "twilight", "seats": 4, "least": 8, "most": 8}, "8 people\n"),
        ({"options": {"king": True}}, "King's power: Excalibur"),
    ],
)
def test_the_announcement_says_what_is_played_and_how_long(plan: dict[str, Any], told: str) -> None:
    assert told in rules_in_words(announced(**plan).state.plan, WORDS, texts("en"))
