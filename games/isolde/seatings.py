"""Who plays which colours and how cards come into their hands: one class for each way to sit.

Three to five persons have a colour each. Two have a neutral colour beside them (Parzival), or two
colours each (Lancelot). Everything else of the game is the same for all and counts colours.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence

from games.engine import View
from games.isolde import draft, piles
from games.isolde.cards import Hand
from games.isolde.numbers import Numbers
from games.isolde.state import NOBODY, Due, IsoldeState
from games.isolde.steps import Step
from games.isolde.worlds import imagine_draft

PARZIVAL, LANCELOT = "parzival", "lancelot"


class Seating(ABC):
    """A way to sit.

    :ivar owners: the seat that owns each colour; None for the neutral one.
    :ivar starters: the colours that can start a round.
    :ivar packs: how many packs are dealt.
    :ivar pack_size: cards in each.
    :ivar plays: cards that each colour plays in a round.
    :ivar fifth_card: whether each colour then has a card left.
    :ivar steps: those that deal out the hands.
    """

    owners: tuple[int | None, ...]
    starters: tuple[int, ...]
    packs: int
    pack_size: int
    plays: int
    fifth_card: bool
    steps: tuple[Step, ...]

    @property
    def neutral(self) -> int:
        """The colour of nobody, or NOBODY."""
        return self.owners.index(None) if None in self.owners else NOBODY

    def may_decline(self, colour: int) -> bool:
        """Whether a bonus may be left: the neutral colour always takes its own."""
        return self.owners[colour] is not None

    def next_starter(self, starter: int) -> int:
        """Who starts the round after one that ``starter`` has started."""
        at = self.starters.index(starter)
        return self.starters[(at + 1) % len(self.starters)]

    def turn(self, colour: int) -> Due:
        """The turn of a colour."""
        return Due("play", colour)

    @abstractmethod
    def handing(self, order: Sequence[int]) -> list[Due]:
        """What turns the packs dealt into hands.

        :param order: the colours in this round's order.
        """

    # -- knowledge
    def direction(self, round_: int) -> str | None:
        """Where packs are passed in a round, ``left`` or ``right``, if they are."""
        return None

    def packs_seen(self, state: IsoldeState, seat: int) -> list[Hand]:
        """The packs that a seat has looked at in this round, the first one first."""
        return []

    @abstractmethod
    def imagine_cards(self, state: IsoldeState, view: View, rng: random.Random) -> None:
        """Fill the fields that hold cards in accord with a view; all others are set."""


class EachHisOwn(Seating):
    """Three to five persons with a colour each, who draft."""

    fifth_card = True
    steps = draft.STEPS

    def __init__(self, persons: int, numbers: Numbers) -> None:
        self.owners = self.starters = tuple(range(persons))
        self.packs = persons
        self.pack_size = numbers.hand
        self.plays = numbers.plays

    def handing(self, order: Sequence[int]) -> list[Due]:
        """One draft for every card but the last."""
        return [Due("draft")] * (self.pack_size - 1)

    def direction(self, round_: int) -> str:
        """In turns to the left and to the right."""
        return "left" if draft.direction(round_) == draft.LEFT else "right"

    def packs_seen(self, state: IsoldeState, seat: int) -> list[Hand]:
        """One pack for each card kept, and the one in hand."""
        return draft.packs_seen(state, seat)

    def imagine_cards(self, state: IsoldeState, view: View, rng: random.Random) -> None:
        """Solve the puzzle of the draft."""
        imagine_draft(state, view, rng)


class Parzival(EachHisOwn):
    """Two persons and a neutral colour on the third place, which drafts and plays by chance."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__(3, numbers)
        self.owners = (0, 1, None)
        self.starters = (0, 1)

    def handing(self, order: Sequence[int]) -> list[Due]:
        """Before each draft the neutral colour picks."""
        return [Due("pick", self.neutral), Due("draft")] * (self.pack_size - 1)

    def turn(self, colour: int) -> Due:
        """A neutral card is turned up."""
        return Due("draw" if colour == self.neutral else "play", colour)


class Lancelot(Seating):
    """Two persons with two colours each, who sit alternately and pick piles."""

    owners = (0, 1, 0, 1)
    starters = (0, 1, 2, 3)
    packs = piles.PERSONS
    fifth_card = False
    steps = piles.STEPS

    def __init__(self, numbers: Numbers) -> None:
        self.pack_size = numbers.lancelot_hand
        self.plays = numbers.lancelot_hand // 2

    def handing(self, order: Sequence[int]) -> list[Due]:
        """The person whose colour starts takes a pile first."""
        first, second = (colour % piles.PERSONS for colour in order[:2])
        return [Due("split"), Due("pile", first), Due("pile", second), Due("assign")]

    def imagine_cards(self, state: IsoldeState, view: View, rng: random.Random) -> None:
        """The packs before they are turned up, and later who has assigned which."""
        piles.imagine_piles(state, view, rng)


def seating_for(players: int, duo: str, numbers: Numbers) -> Seating:
    """The way that so many persons sit.

    :param duo: which game two persons play, PARZIVAL or LANCELOT.
    """
    if players > piles.PERSONS:
        return EachHisOwn(players, numbers)
    return Parzival(numbers) if duo == PARZIVAL else Lancelot(numbers)
