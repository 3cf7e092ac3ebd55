"""Texts that all pictures share: the seats, whose turn it is, who has won."""

from __future__ import annotations

from collections.abc import Sequence

from data.texts import N_, Texts
from games.engine import CHANCE, View
from render.scene import Scene

SEAT_LOOKS = (
    N_("blue triangle"),
    N_("vermilion disc"),
    N_("green square"),
    N_("yellow diamond"),
    N_("purple cross"),
)

TO_MOVE = N_("to move")
"""The words after the token of the seat to move in the caption."""

TOGETHER = N_("choose at the same time")
"""The words after the tokens of the seats to move if there are several: those that still have to
choose.
"""

NOT_YOUR_TURN = N_("It is not your turn.")
"""Heading of a private picture while its owner waits; true until it is the owner's turn."""

CHOICE = N_("framed: your choice")
"""What the golden frames mean to somebody who chooses."""

VICTORY = N_("victory")
"""The words after the tokens of the winners in the caption."""


def over_hand(scene: Scene, names: Sequence[str], asked: str) -> str:
    """Return the heading of a private picture: the question to its owner, or that it is not their
    turn; if other people see it too, whose hand it is.

    :param names: the names by seat, cleaned for the place where the text will be shown.
    :param asked: the heading to use if it is the owner's turn or the match is over.
    """
    view, say = scene.view, scene.say
    if scene.shown and view.viewer is not None:
        return say("The hand of {name}.", name=names[view.viewer])
    waiting = view.outcome is None and view.viewer not in view.actors
    return say(NOT_YOUR_TURN) if waiting else asked


def drawn_heading(scene: Scene, told: str) -> str:
    """Return the heading as it is drawn. A picture stays visible for a while, so if it is not its
    owner's turn, its heading says what the picture is instead.
    """
    return scene.say("Your hand") if told == scene.say(NOT_YOUR_TURN) else told


def turn_words(view: View) -> str:
    """Return the words that follow the tokens of the seats to move."""
    return TOGETHER if len(view.actors) > 1 else TO_MOVE


def seat_to_move(view: View) -> int | None:
    """Return the first seat to move; None if no seat has to move."""
    return next((seat for seat in view.actors if seat != CHANCE), None)


def title_words(title: str, scene: Scene) -> str:
    """Return the beginning of a description: the game, and the table's code if it has one.

    :param title: the name of the game, as displayed.
    """
    if not scene.code:
        return f"{title}."
    return f"{title}, {scene.code}."


def standing(view: View, names: Sequence[str], say: Texts) -> str:
    """Return the sentence of a description that says whose turn it is, or who has won."""
    if view.outcome:
        winners = [names[seat] for seat in view.outcome.winners()]
        if len(winners) == 1:
            return say("{name} has won.", name=winners[0])
        return say("Shared victory: {names}.", names=say.list(winners))
    if CHANCE in view.actors:
        return say("The lots have not been drawn yet.")
    awaited = [names[seat] for seat in view.actors]
    if not awaited:
        return say("The match is over.")
    if len(awaited) == 1:
        return say("{name} is to move.", name=awaited[0])
    return say("{names} choose at the same time.", names=say.list(awaited))
