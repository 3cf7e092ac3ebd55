"""What all pictures say in the same words: who sits where, whose turn it is, who has won."""

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
"""Colour and shape of each seat."""

TO_MOVE = N_("to move")
"""Stands behind the token of a seat in the caption."""

TOGETHER = N_("choose together")
"""Stands behind the tokens of all who choose at the same time, whoever of them has chosen."""

NOT_YOUR_TURN = N_("It is not your turn.")
"""Stands over a private picture while its owner waits; it stays true when others move."""

VICTORY = N_("victory")
"""Stands behind the tokens of the winners in the caption."""


def over_hand(scene: Scene, names: Sequence[str], asked: str) -> str:
    """What stands over a private picture: what its owner is asked; where others look at it, too,
    whose it is.

    :param names: by seat, as they may be put where the words go.
    :param asked: stands there if it is the owner's turn, or the match is over.
    """
    view, say = scene.view, scene.say
    if scene.shown and view.viewer is not None:
        return say("The hand of {name}.", name=names[view.viewer])
    waiting = view.outcome is None and view.viewer not in view.actors
    return say(NOT_YOUR_TURN) if waiting else asked


def turn_words(view: View) -> str:
    """What stands behind the tokens of those who are to move."""
    return TOGETHER if len(view.actors) > 1 else TO_MOVE


def seat_to_move(view: View) -> int | None:
    """The first seat that owes a decision, if one does."""
    return next((seat for seat in view.actors if seat != CHANCE), None)


def title_words(title: str, scene: Scene) -> str:
    """What a description begins with: the game, and the table unless it has no code.

    :param title: the name of the game, as people read it.
    """
    if not scene.code:
        return f"{title}."
    return scene.say("{game}, table {code}.", game=title, code=scene.code)


def standing(view: View, names: Sequence[str], say: Texts) -> str:
    """Whose turn it is or who has won, as a sentence of a description."""
    if view.outcome:
        winners = [names[seat] for seat in view.outcome.winners()]
        if len(winners) == 1:
            return say("{name} has won.", name=winners[0])
        return say("Shared victory: {names}.", names=say.list(winners))
    if CHANCE in view.actors:
        return say("The lot is to be drawn.")
    awaited = [names[seat] for seat in view.actors]
    if not awaited:
        return say("The match is over.")
    if len(awaited) == 1:
        return say("{name} is to move.", name=awaited[0])
    return say("{names} choose together.", names=say.list(awaited))
