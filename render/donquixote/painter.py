"""The painter of Don Quixote: chooses the picture and its description."""

from __future__ import annotations

from typing import Any

from games.engine import View
from render.canvas import Canvas
from render.donquixote.accounts import draw_account
from render.donquixote.board import draw_lands, glides
from render.donquixote.colours import PALETTE, TINTS
from render.donquixote.country import draw_caption
from render.donquixote.hand import draw_single
from render.donquixote.situation import Situation
from render.donquixote.words import (
    account_in_words,
    advised_in_words,
    board_in_words,
    hand_in_words,
    position_as_text,
)
from render.scene import Painter, Picture, Scene


class DonQuixotePainter(Painter):
    """Draws tables, hands and the accounts of rounds."""

    palette = PALETTE
    kept = TINTS
    glides = staticmethod(glides)

    def draw(self, scene: Scene) -> Canvas:
        """Draw all principalities; in a solo match, add the hand, which is open."""
        game = Situation(scene)
        if game.players == 1:
            return _with_caption(draw_single(game, 0), game)
        return _with_caption(draw_lands(game), game)

    def describe(self, scene: Scene) -> str:
        """Describe the tiles, and the roads that lead to the field to fill; in a solo match, add
        the hand.
        """
        if scene.view.players == 1:
            return hand_in_words(scene, 0)
        return board_in_words(scene)

    def hand(self, scene: Scene) -> Picture | None:
        """Draw the viewer's principality and hand, with the chosen or advised tile."""
        game, seat = Situation(scene), scene.view.viewer
        if seat is None:
            return None
        choice = scene.advised or scene.view.private.get("choice")
        if scene.advised:
            words = advised_in_words(scene, seat, scene.advised)
        else:
            words = hand_in_words(scene, seat, choice)
        return _picture("hand.png", draw_single(game, seat, choice), game, words)

    def lies_open(self, view: View) -> bool:
        """Return True in a solo match, where the board shows the hand."""
        return view.players == 1

    def held(self, view: View) -> Any:
        """Return the field to fill, and the viewer's choice, hand and principality."""
        if view.viewer is None:
            return None
        own = [view.public[key][view.viewer] for key in ("boards", "hands", "locked", "sancho")]
        return [view.private, view.public["field"], own]

    def close_up(self, scene: Scene, part: int) -> Picture | None:
        """Draw a principality with its hand, which is open to everyone."""
        game = Situation(scene)
        words = hand_in_words(scene, part)
        return _picture("principality.png", draw_single(game, part), game, words)

    def results(self, scene: Scene) -> list[Picture]:
        """Return the account of each principality at the end of a round."""
        game = Situation(scene)
        pictures = []
        for fact in scene.facts:
            if fact.kind == "scored":
                seat = fact.data["seat"]
                canvas = draw_account(game, seat, fact.data)
                name = f"scoring-{fact.data['round']}-{seat + 1}.png"
                words = account_in_words(scene, seat, fact.data)
                pictures.append(Picture(name, canvas.png(PALETTE), words))
        return pictures

    def text(self, scene: Scene) -> str:
        """Describe the principalities, hands and points, and every tile."""
        return "\n".join(position_as_text(scene))


def _picture(name: str, canvas: Canvas, game: Situation, words: str) -> Picture:
    return Picture(name, _with_caption(canvas, game).png(PALETTE), words)


def _with_caption(canvas: Canvas, game: Situation) -> Canvas:
    draw_caption(canvas, game.news, game.status)
    return canvas
