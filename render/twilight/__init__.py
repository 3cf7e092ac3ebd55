"""The pictures of Twilight: the round table between night and day, the hands, the accounts."""

from __future__ import annotations

from typing import Any

from data.texts import N_
from games.engine import View
from render.canvas import Canvas
from render.names import spoken_names
from render.plates import Said, caption, said_of
from render.scene import Painter, Picture, Scene
from render.theme import SEATS
from render.twilight.account import deals, draw_account
from render.twilight.colours import DIM, GLEAM, LEDGE, PALETTE
from render.twilight.hand import draw_hand
from render.twilight.sky import tones
from render.twilight.table import CAPTION, draw_table, glides, ground
from render.twilight.words import (
    account_in_words,
    coded_card,
    hand_in_words,
    is_lone,
    own_hand,
    request,
    table_in_words,
    table_sentences,
    told_in_caption,
)
from render.words import TO_MOVE, VICTORY

HEAVIEST = 100 * 1024
"""Size in bytes above which an account or a hand is compressed harder (a table sends up to four
hands in every trick).
"""


class TwilightPainter(Painter):
    """Draws the table for everyone, a hand for its owner, and an account after each deal."""

    palette = PALETTE
    kept = (*tones(), GLEAM, DIM)
    describe = staticmethod(table_in_words)
    glides = staticmethod(glides)

    def draw(self, scene: Scene) -> Canvas:
        """Draw the table: the trick, the backs of all hands, unclaimed cards, and the scores."""
        canvas = ground().copy()
        draw_table(canvas, scene)
        caption(canvas, CAPTION, _caption(scene), _status(scene), LEDGE)
        return canvas

    def hand(self, scene: Scene) -> Picture | None:
        """Draw the viewer's cards, with playable ones marked, and the question to the viewer; None
        if they have no cards, unless the picture has to show whom an advised order goes to.
        """
        view = scene.view
        cards = [
            *view.private.get("hand", ()),
            *(view.public["open"] or () if is_lone(view) else ()),
        ]
        if not cards and not scene.advised:
            return None
        canvas = draw_hand(scene)
        png = canvas.png(PALETTE, HEAVIEST)
        return Picture("twilight_hand.png", png, hand_in_words(scene))

    def held(self, view: View) -> Any:
        """Return the viewer's cards, and New Moon's if the viewer decides for him; leave out
        remembered face-down cards, because no picture shows them.
        """
        lone = view.public["lone"] == view.viewer
        return [view.private.get("hand"), view.public["open"] if lone else None]

    def results(self, scene: Scene) -> list[Picture]:
        """Return the account of each deal that has just been scored."""
        return [
            Picture(
                f"twilight_deal_{deal.round}.png",
                draw_account(scene, deal).png(PALETTE, HEAVIEST),
                account_in_words(deal.sides, len(deal.neutral), scene),
            )
            for deal in deals(scene.facts)
        ]

    def text(self, scene: Scene) -> str:
        """List everything the viewer may see, one item per line."""
        names, signs = spoken_names(scene.names, scene.say), [seat.sign for seat in SEATS]
        own = [own_hand(scene, coded_card)] if scene.view.private else []
        return "\n".join([*table_sentences(scene, names, signs, coded_card, request), *own])


def _caption(scene: Scene) -> list[str | Said]:
    """Return the table's code, the variant and the last moves; an order that has been followed is
    left out, because the card played shows it.
    """
    kinds = [fact.kind for fact in scene.facts]
    due = [n for n, kind in enumerate(kinds) if kind != "ordered" or "played" not in kinds[n:]]
    told = (told_in_caption(scene.facts[n], scene.say) for n in due)
    variant = "333 · 666 · 999" if scene.view.options["exact"] else ""
    return [scene.code, variant, *(Said(*deed) for deed in told if deed is not None)]


def _status(scene: Scene) -> list[Said]:
    """Return who has to play or give a card, or who has won."""
    view, say = scene.view, scene.say
    if view.outcome:
        return said_of(view.outcome.winners(), say(VICTORY))
    return [Said(seat, say(_STATUS[view.phase])) for seat in view.actors if seat >= 0]


_STATUS = {"play": TO_MOVE, "give": N_("to give a card")}


PAINTER = TwilightPainter()
