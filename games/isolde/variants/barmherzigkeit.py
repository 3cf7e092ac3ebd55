"""Variant "Barmherzigkeit": leaders give negative shields to the colours that are behind, and take
positive ones in return.
"""

from __future__ import annotations

from itertools import combinations

from games.engine import Move
from games.house import tell
from games.isolde.boards import Barmherzigkeit, Studien
from games.isolde.state import BoardStep, Due, Facts, IsoldeState, Shield
from games.isolde.steps import ColourChoice


class Partner(BoardStep, ColourChoice):
    """The choice of a partner for the exchange if several share last place: ``partner:2``, counted
    from 1.
    """

    name = "partner"
    verb = "partner"
    refused = "no_partner"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return the candidates that have not been chosen as a partner yet."""
        _, *candidates = state.agenda[-1].data
        chosen = state.notes[self.board.slot]
        return [f"partner:{colour + 1}" for colour in candidates if colour not in chosen]

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Record the partner. The shields are chosen next, starting with the one to give."""
        claims, *_ = due.data
        partner = int(choice) - 1
        state.notes[self.board.slot] += (partner,)
        tell(fx, "partner", colour=due.colour, partner=partner)
        state.then(Due("give", due.colour, (partner,)), Due("claim", due.colour, (partner, claims)))


class Give(BoardStep, ColourChoice):
    """The choice of a negative shield to give: ``give:-3``, or ``give:?4`` for a face-down one won
    in round 4.
    """

    name = "give"
    verb = "give"
    refused = "no_such_shield"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return a move for each negative shield of the Studien board, but only one for shields
        that look the same to everyone.
        """
        shields = state.shields[state.agenda[-1].colour]
        labels = [shield.label for shield in shields if shield.board == Studien.id]
        return [f"give:{label}" for label in dict.fromkeys(labels)]

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Hand over the shield; its new owner may look at it."""
        (partner,) = due.data
        shield = next(
            shield
            for shield in state.shields[due.colour]
            if shield.board == Studien.id and shield.label == choice
        )
        hand_over(state, shield, due.colour, partner)
        told = {"colour": due.colour, "partner": partner, "round": shield.round}
        if shield.known is None:
            tell(fx, "given", **told, value=shield.value)
            return
        tell(fx, "given", **told, value=None)
        receiver = state.rules.seating.owners[partner]
        if receiver is not None:
            state.learn(receiver, shield.round)
            tell(fx, "shield_seen", to=receiver, reveals=True, **told, value=shield.value)

    def nothing(self, state: IsoldeState, due: Due, fx: Facts) -> None:
        """Report that there is no shield to give; the exchange continues with the claim."""
        tell(fx, "nothing_to_give", colour=due.colour, partner=due.data[0])


class Claim(BoardStep, ColourChoice):
    """The choice of positive shields to take in return: ``claim:3+2``."""

    name = "claim"
    verb = "claim"
    refused = "no_such_shield"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return all distinct choices of the allowed number of shields, or of all if there are
        fewer.
        """
        partner, claims = state.agenda[-1].data
        values = sorted((shield.value for shield in self._small(state, partner)), reverse=True)
        choices = combinations(values, min(claims, len(values)))
        texts = ["+".join(map(str, choice)) for choice in dict.fromkeys(choices) if choice]
        return [f"claim:{text}" for text in texts]

    def _small(self, state: IsoldeState, colour: int) -> list[Shield]:
        """Return the shields of a colour that may be claimed."""
        board, highest = state.rules.board, self.board.numbers.charity_highest
        return [
            shield
            for shield in state.shields[colour]
            if board[shield.board].positive and shield.value <= highest
        ]

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Take the shields."""
        partner, _ = due.data
        values = [int(value) for value in choice.split("+")]
        for value in values:
            shield = next(s for s in self._small(state, partner) if s.value == value)
            hand_over(state, shield, partner, due.colour)
        tell(fx, "claimed", colour=due.colour, partner=partner, values=values)

    def nothing(self, state: IsoldeState, due: Due, fx: Facts) -> None:
        """Report that there is no shield to claim; this completes the exchange."""
        tell(fx, "nothing_to_claim", colour=due.colour, partner=due.data[0])

    def spelled(self, argument: str) -> str:
        """Return the values, the highest first."""
        return "+".join(sorted(argument.replace(",", "+").split("+"), reverse=True))


class Exchange(Barmherzigkeit):
    """First place exchanges shields with last place and, if ``large``, second place with
    second-last. The note lists the partners, in that order.
    """

    step_kinds = (Partner, Give, Claim)
    noted = "partners"
    blank = ()

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Put an exchange on the agenda for each leader. Colours that have not moved share last
        place; if there are several, each leader chooses a partner among them. If there is only one,
        the last of the colours that have moved is second-last.
        """
        order, unmoved = state.order[self.slot], self.unmoved(state)
        bottom = [[colour] for colour in reversed(order)]
        if unmoved:
            bottom.insert(0, unmoved)
        if len(unmoved) > 1:
            bottom.insert(1, unmoved)
        exchanges = self.numbers.charity_claims[: 2 if self.large else 1]
        state.then(
            *(
                Due("partner", colour, (claims, *candidates))
                for colour, claims, candidates in zip(order, exchanges, bottom, strict=False)
            )
        )


def hand_over(state: IsoldeState, shield: Shield, giver: int, receiver: int) -> None:
    """Move a shield from one colour to another."""
    left = list(state.shields[giver])
    left.remove(shield)
    state.shields[giver] = tuple(left)
    state.award(receiver, shield._replace(giver=giver))
