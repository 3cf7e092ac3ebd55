"""The pictures of Die Holde Isolde: Camelot with its boards, the hands, and a sheet for each
round.
"""

from __future__ import annotations

from render.canvas import Canvas
from render.isolde.colours import BOARDS, FOIL, LAKE, PALETTE
from render.isolde.descriptions import (
    board_in_words,
    detail_in_words,
    hand_in_words,
    position_as_text,
    sheet_in_words,
)
from render.isolde.detail import draw_detail
from render.isolde.hand import draw_hand
from render.isolde.sheet import accounts, draw_sheet
from render.isolde.standings import acting, winners
from render.isolde.table import CAPTION, draw_table, glides
from render.plates import Said, caption, said_of
from render.scene import Painter, Picture, Scene
from render.words import VICTORY, turn_words


class IsoldePainter(Painter):
    """Draws the boards for everyone, a hand for its owner, and a sheet after each round."""

    kept = (FOIL, *BOARDS.values())
    palette = PALETTE
    describe = staticmethod(board_in_words)
    glides = staticmethod(glides)

    def draw(self, scene: Scene) -> Canvas:
        """Draw all boards with their pieces, and a plate for each colour."""
        canvas = draw_table(scene)
        caption(canvas, CAPTION, [scene.code], _status(scene), LAKE)
        return canvas

    def hand(self, scene: Scene) -> Picture | None:
        """Draw the question to the viewer, the viewer's cards, and everyone's positions."""
        canvas = draw_hand(scene)
        return Picture("isolde_hand.png", canvas.png(PALETTE), hand_in_words(scene))

    def close_up(self, scene: Scene, part: int) -> Picture | None:
        """Draw the board with the index ``part``, counted in the order of scoring."""
        board = list(scene.view.public["boards"])[part]
        name = f"isolde_{board.lower()}.png"
        return Picture(name, draw_detail(scene, board).png(PALETTE), detail_in_words(scene, board))

    def results(self, scene: Scene) -> list[Picture]:
        """Return the sheet of each round that has just ended."""
        return [
            Picture(
                f"isolde_round_{account.round}.png",
                draw_sheet(scene, account).png(PALETTE),
                sheet_in_words(scene, account),
            )
            for account in accounts(scene)
        ]

    def text(self, scene: Scene) -> str:
        """List everything the viewer may see, one item per line."""
        return "\n".join(position_as_text(scene))


def _status(scene: Scene) -> list[Said]:
    """Return who has to move, or who has won."""
    if scene.view.outcome:
        shown, words = winners(scene.view), scene.say(VICTORY)
    else:
        shown, words = acting(scene.view), scene.say(turn_words(scene.view))
    if shown and scene.view.public["owners"][shown[-1]] is None:
        return [Said(scene.view.actors[0], scene.say("decides for")), Said(shown[-1], "")]
    return said_of(shown, words)


PAINTER = IsoldePainter()
