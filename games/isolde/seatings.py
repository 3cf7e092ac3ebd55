"""Seatings: which player has which colours, and how hands are formed.

Three to five players have a colour each. Two players also have a neutral colour (Parzival), or two
colours each (Lancelot). The rest of the game deals only with colours, and is the same for all
seatings.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.engine import View
from games.isolde import draft, piles
from games.isolde.numbers import Numbers
from games.isolde.state import Due, IsoldeState, Seating
from games.isolde.worlds import CardKnowledge, imagine_draft, remember

PARZIVAL, LANCELOT = "parzival", "lancelot"


class EachHisOwn(Seating):
    """Three to five players, each with one colour, who draft their hands."""

    fifth_card = True
    steps = draft.STEPS

    def __init__(self, persons: int, numbers: Numbers) -> None:
        self.owners = self.starters = tuple(range(persons))
        self.packs = persons
        self.pack_size = numbers.hand
        self.plays = numbers.plays

    def handing(self, order: Sequence[int]) -> list[Due]:
        """Return a draft step for every card but the last."""
        return [Due("draft")] * (self.pack_size - 1)

    def direction(self, round_: int) -> str:
        """Return the direction, alternately left and right."""
        return "left" if draft.direction(round_) == draft.LEFT else "right"

    packs_seen = staticmethod(draft.packs_seen)
    remember = staticmethod(remember)

    def imagine_cards(
        self, state: IsoldeState, view: View, memory: CardKnowledge, rng: random.Random
    ) -> None:
        """Sample a draft that agrees with what the viewer has seen."""
        imagine_draft(state, memory, rng)


class Parzival(EachHisOwn):
    """Two players, and a third, neutral colour whose cards CHANCE picks and turns up."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__(3, numbers)
        self.owners = (0, 1, None)
        self.starters = (0, 1)

    def handing(self, order: Sequence[int]) -> list[Due]:
        """Return the steps: the neutral colour picks before each draft step."""
        return [Due("pick", self.neutral), Due("draft")] * (self.pack_size - 1)

    def turn(self, colour: int) -> Due:
        """Return the step of a turn: a neutral card is turned up; other colours play one."""
        return Due("draw" if colour == self.neutral else "play", colour)


class LancelotSeating(Seating):
    """Two players with two colours each, seated alternately, who pick piles."""

    owners = (0, 1, 0, 1)
    starters = (0, 1, 2, 3)
    packs = piles.PERSONS
    fifth_card = False
    steps = piles.STEPS

    def __init__(self, numbers: Numbers) -> None:
        self.pack_size = numbers.lancelot_hand
        self.plays = numbers.lancelot_hand // 2

    def handing(self, order: Sequence[int]) -> list[Due]:
        """Return the steps: the player whose colour starts takes a pile first."""
        first, second = (colour % piles.PERSONS for colour in order[:2])
        return [Due("split"), Due("pile", first), Due("pile", second), Due("assign")]

    def imagine_cards(
        self, state: IsoldeState, view: View, memory: None, rng: random.Random
    ) -> None:
        """Sample the packs until they are revealed, and then how they were assigned."""
        piles.imagine_piles(state, view, rng)


def seating_for(players: int, duo: str, numbers: Numbers) -> Seating:
    """Return the seating for a player count.

    :param duo: the game for two players, PARZIVAL or LANCELOT.
    """
    if players > piles.PERSONS:
        return EachHisOwn(players, numbers)
    return Parzival(numbers) if duo == PARZIVAL else LancelotSeating(numbers)
