"""How much effort a newcomer needs to get to the first move, in every place, in English and in
German.
"""

from __future__ import annotations

import pytest

from tests.cogs.first_move import PLACES, first_move
from tests.stage import PATIENCE, Stage

pytestmark = pytest.mark.usefixtures("no_errors")

GERMAN = "server"
"""The place where German is tested in every run."""


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(
            place,
            id=f"{place}, {language}",
            marks=[pytest.mark.speaks(language)]
            + ([] if (language == "de") == (place == GERMAN) else [pytest.mark.long]),
        )
        for place in PLACES
        for language in ("en", "de")
    ],
)
async def test_the_first_move_takes_four_taps(stage: Stage, place: str) -> None:
    """Two taps choose the game and the computer, and two more make the move. Nothing is typed on a
    server that the bot has greeted; elsewhere, only /play.
    """
    stage.env.settle_timeout = PATIENCE
    way = await first_move(stage, place)
    assert (way.taps, way.typed) == (4, 0 if place == "server" else 1)
