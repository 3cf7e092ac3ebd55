"""Variant "Koenig": two scrolls along the track decide when the board is scored."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.engine import View
from games.house import tell
from games.isolde.boards import Koenig, points_reached
from games.isolde.numbers import Numbers
from games.isolde.state import Facts, IsoldeState


class ScrollFields(NamedTuple):
    """The fields with scrolls, and the fields whose scrolls were taken in this round."""

    lying: tuple[int, ...]
    taken: tuple[int, ...]


class Scrolls(Koenig):
    """Scored in rounds in which a card takes a scroll; doubly if both are taken in one round."""

    terms = "scrolls"

    def __init__(self, slot: int, colours: int, numbers: Numbers) -> None:
        super().__init__(slot, colours, numbers)
        self.blank = ScrollFields(numbers.scroll_fields, ())
        self.printed["points"] = [list(pair) for pair in numbers.scroll_points]

    def card_played(self, state: IsoldeState, colour: int, value: int, fx: Facts) -> None:
        """Take the scrolls on all fields that the piece has reached or passed by now."""
        lying, taken = state.notes[self.slot]
        position = state.positions[self.slot][colour]
        if not lying or position < lying[0]:
            return
        for field in lying:
            if position >= field:
                tell(fx, "scroll", colour=colour, field=field)
                taken += (field,)
        left = tuple(field for field in lying if field not in taken)
        state.notes[self.slot] = ScrollFields(left, taken)

    def due(self, state: IsoldeState) -> bool:
        """Return whether a scroll was taken in this round."""
        return bool(state.notes[self.slot].taken)

    def score(self, state: IsoldeState, fx: Facts) -> None:
        """Score the board. A double score is paid in two shields."""
        times = 2 if state.notes[self.slot].taken == self.numbers.scroll_fields else 1
        for colour, position in enumerate(state.positions[self.slot]):
            value = points_reached(self.numbers.scroll_points, position)
            if value:
                for _ in range(times):
                    self.give_shield(state, colour, value, fx, "field", position)

    def close_round(self, state: IsoldeState, fx: Facts) -> None:
        """Reset the board once the far scroll has been taken. Until then, a near scroll that was
        taken does not come back.
        """
        lying, taken = state.notes[self.slot]
        if self.numbers.scroll_fields[-1] in taken:
            self.reset(state, fx)
            state.notes[self.slot] = self.blank
        else:
            state.notes[self.slot] = ScrollFields(lying, ())

    def shown(self, open_note: ScrollFields) -> dict[str, Any]:
        """Return ``scrolls``, the fields that still have one, and ``taken``, those emptied in this
        round. The ``points``, pairs of a field and its points, are in ``printed``.
        """
        return {"scrolls": list(open_note.lying), "taken": list(open_note.taken)}

    def restore(self, state: IsoldeState, view: View) -> None:
        """Place the scrolls."""
        public = view.public["boards"][self.id]
        state.notes[self.slot] = ScrollFields(tuple(public["scrolls"]), tuple(public["taken"]))
