"""A second implementation of Twilight, written from the rules alone: slow, short and obvious.

``SlowDeal`` follows a deal by its moves, and makes forced ones itself. Hands are sets, ranks are
words, and nothing is cached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

RANKS = ("P", "C1", "C2", "C3", "C4", "C5", "L", "H")
KINDS = {"C": range(1, 6), "L": range(3, 8), "H": range(1, 4)}


def rank(card: str) -> int:
    """The position in the list of ranks; lower is better."""
    return next(n for n, name in enumerate(RANKS) if card[1:].startswith(name))


def deck() -> list[str]:
    """All 28 cards."""
    kinds = ["P"] + [f"{kind}{n}" for kind, ns in KINDS.items() for n in ns]
    return [cult + kind for cult in "MS" for kind in kinds]


def points(cult: str, pile: list[str]) -> int:
    """Souls times the sanctuaries of the side's own cult."""
    souls = sum(int(card[2]) for card in pile if card[1] == "L")
    souls += sum(1 for card in pile if card[1] == "C")
    return souls * sum(int(card[2]) for card in pile if card[:2] == cult + "H")


@dataclass
class SlowDeal:
    """One deal.

    :param people: the seat that decides for each place.
    """

    people: list[int]
    hands: list[set[str]]
    neumond: bool
    turn: int
    ordered: int | None = None
    table: list[tuple[int, str]] = field(default_factory=list)
    lying: list[str] = field(default_factory=list)
    taken: dict[str, list[str]] = field(default_factory=lambda: {"M": [], "S": []})

    @property
    def cult(self) -> str:
        """The cult of the place whose turn it is."""
        return "MS"[self.turn % 2]

    def of_cult(self, place: int) -> set[str]:
        """The cards in a hand that belong to the cult whose turn it is."""
        return {card for card in self.hands[place] if card[0] == self.cult}

    @property
    def over(self) -> bool:
        """Whether all cards have been played."""
        return not any(self.hands)

    @property
    def actor(self) -> int:
        """The seat to decide."""
        return self.people[self.turn if self.ordered is None else self.ordered]

    def moves(self) -> set[str]:
        if self.ordered is not None:
            return self.of_cult(self.ordered)
        mine = {self.turn}
        if self.neumond and self.cult == "M":
            mine = {0, 2}
        return {card for place in mine for card in self.of_cult(place)} | {
            self.order_to(place) for place in set(range(4)) - mine if self.of_cult(place)
        }

    def order_to(self, place: int) -> str:
        return "order:N" if self.neumond and place == 2 else f"order:{self.people[place] + 1}"

    def play(self, move: str) -> None:
        """Follow a move, and any moves that are forced afterwards."""
        self.follow(move)
        while not self.over and len(self.moves()) == 1:
            self.follow(*self.moves())

    def follow(self, move: str) -> None:
        if move.startswith("order"):
            (self.ordered,) = (p for p in range(4) if self.order_to(p) == move)
            return
        (holder,) = (place for place in range(4) if move in self.hands[place])
        self.hands[holder].remove(move)
        self.table.append((self.turn, move))
        self.ordered = None
        self.turn = (self.turn + 1) % 4
        if len(self.table) == 4:
            self.end_trick()

    def end_trick(self) -> None:
        """The first of the highest cards takes all cards, unless it is a purgatory."""
        place, card = min(self.table, key=lambda laid: rank(laid[1]))
        self.lying += [card for _, card in self.table]
        if card[1] != "P":
            self.taken["MS"[place % 2]] += self.lying
            self.lying = []
        self.table, self.turn = [], place

    def points(self) -> Iterator[int]:
        return (points(cult, pile) for cult, pile in self.taken.items())
