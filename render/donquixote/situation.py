"""A scene of Don Quixote, parsed once for everything that is drawn from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from data.texts import Texts
from games.donquixote import rating
from games.donquixote.position import OVER
from games.donquixote.tiles import CASTLE, PIECES
from games.engine import CHANCE
from render.donquixote.land import Marks
from render.donquixote.words import RATINGS, reckoned
from render.names import printed_names
from render.plates import Plate, Said, said_of
from render.scene import Scene
from render.words import CHOICE, VICTORY, turn_words


@dataclass(frozen=True)
class Situation:
    """The parts of a scene that the pictures need. Lists are indexed by seat."""

    scene: Scene

    @property
    def say(self) -> Texts:
        """The language of the picture."""
        return self.scene.say

    @property
    def public(self) -> Mapping[str, Any]:
        """What everyone knows; ``games.donquixote`` lists the keys."""
        return self.scene.view.public

    @property
    def players(self) -> int:
        """The number of principalities."""
        return self.scene.view.players

    @property
    def round(self) -> int:
        """The round, 1 to 3."""
        return self.scene.view.round

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.scene.view.phase == OVER

    @cached_property
    def names(self) -> Sequence[str]:
        """The names as printed."""
        return printed_names(self.scene.names, self.scene.say)

    def plate(self, seat: int) -> Plate:
        """Return the name plate of a seat; its band shows the seat's colour while the seat has to
        move. A solo match has no winner, only a verdict.
        """
        view = self.scene.view
        winners = view.outcome.winners() if view.outcome and self.players > 1 else ()
        winner = seat in winners
        awaited = seat in view.actors
        computer = seat in self.scene.computers
        return Plate(seat, self.names[seat], to_move=awaited, computer=computer, winner=winner)

    def board(self, seat: int) -> Mapping[str, str]:
        """Return the pieces of a principality, by field."""
        board: Mapping[str, str] = self.public["boards"][seat]
        return board

    def total(self, seat: int) -> int:
        """Return the points so far."""
        total: int = self.public["totals"][seat]
        return total

    def account(self, seat: int) -> Mapping[str, Any]:
        """Return the account of a scoring as of now or, after the end, of the last scoring."""
        return reckoned(self.board(seat), self.round)

    def marks(self, seat: int) -> Marks:
        """Return the marks: the field to fill, the field filled last and, with several players, all
        fields filled since the last picture.
        """
        chosen = self.players > 1 and seat not in self.scene.view.actors
        last = self._last(seat)
        latest = set[str]() if last is None else {last}
        if self.players > 1:  # a solo match marks only the last tile
            latest |= {fact.data["field"] for fact in self._placed if fact.data["seat"] == seat}
        return Marks(due=self.public["field"], chosen=chosen, latest=sorted(latest))

    def _last(self, seat: int) -> str | None:
        """Return the field that was filled last; a view has fields in the order in which they were
        filled.
        """
        filled = [
            field
            for field, piece in self.board(seat).items()
            if PIECES[piece].tile.symbol != CASTLE
        ]
        return filled[-1] if filled else None

    @property
    def _placed(self) -> list[Any]:
        return [fact for fact in self.scene.facts if fact.kind == "placed"]

    # -- the caption
    @property
    def news(self) -> list[str | Said]:
        """The table's code, whether all hands are the same, and the field that was filled last; for
        somebody who chooses, what the frames mean. It does not name moves, because those for the
        current field are still sealed.
        """
        options = self.scene.view.options
        parts: list[str | Said] = [self.scene.code]
        if self.scene.legal and not self.scene.advised:
            return [*parts, self.say(CHOICE)]
        if options.get("same_hands"):
            parts.append(self.say("same hands"))
        last = self._last(0)
        if last:
            parts.append(self.say("last: {field}", field=last))
        return parts

    @property
    def status(self) -> list[Said]:
        """The seats that have to move, or the winners; after a solo match, the verdict on it."""
        seats = [seat for seat in self.scene.view.actors if seat != CHANCE]
        words = turn_words(self.scene.view)
        if self.scene.view.outcome is not None:
            seats, words = [*self.scene.view.outcome.winners()], VICTORY
            if self.players == 1:
                words = RATINGS[rating(self.total(0))]
        return said_of(seats, self.say(words))
