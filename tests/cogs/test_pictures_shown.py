"""Icons and the picture of the end, as people see them on Discord."""

from __future__ import annotations

import pytest

from render.icons import LOTUS, isolde_card
from tests.stage import Stage, alts_of, parts, private, texts_of

pytestmark = pytest.mark.usefixtures("no_errors")


def icons_of(message: object) -> set[str]:
    """The keys of the icons on the buttons of a message."""
    names = [part["emoji"]["name"] for part in parts(message) if part.get("emoji")]
    return {name.removeprefix("tr_")[:-9] for name in names}


@pytest.mark.full
async def test_cards_are_shown_on_the_buttons_of_a_hand(stage: Stage) -> None:
    await stage.open("twilight", 4, seating="joined")
    table = await stage.table()
    (seat,) = table.awaited
    cards = [move for move in table.legal(seat) if ":" not in move]
    name = table.names[seat]
    assert icons_of(private(await stage.press(name, "hand"))) == set()
    await stage.bot.emojis.bring(pause=0)
    shown = icons_of(private(await stage.press(name, "hand")))
    assert shown == {f"twilight_{card.lower()}" for card in cards}


@pytest.mark.full
async def test_stones_are_shown_under_the_board(stage: Stage) -> None:
    """All stones are neutral at first."""
    await stage.bot.emojis.bring(pause=0)
    await stage.open("isis", 2, seating="joined", starter=1)
    assert icons_of(await stage.message("board")) == {LOTUS}


async def test_the_cards_of_a_draft_are_shown(stage: Stage) -> None:
    await stage.bot.emojis.bring(pause=0)
    await stage.open("isolde", 3, seating="joined", starter=1)
    table = await stage.table()
    cards = table.played.view(0).private["pack"]
    shown = icons_of(private(await stage.press("Anna", "hand")))
    assert shown == {isolde_card(card) for card in cards}


async def test_the_result_shows_who_has_won(stage: Stage) -> None:
    await stage.open("lancelot", 2, seating="joined")
    await stage.resign("Anna")
    result = next(m for m in reversed(stage.channel.history()) if "Result" in texts_of(m))
    alt, board = alts_of(result)
    assert "Ben has won." in alt
    assert "stones" in board
    assert "Anna has resigned." in alt
    assert "Anna** has resigned." in texts_of(result)
