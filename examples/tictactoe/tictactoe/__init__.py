"""Tic-tac-toe: three in a row win. A move is a square, such as ``b2`` for the middle one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from tafelrunde import CONTRACT, GamePackage
from tafelrunde.engine import Fact, Game, GameInfo, Move, Outcome, Position
from tafelrunde.render import Grid, KitPainter, Piece, Scene, Spread
from tafelrunde.words import N_, NN_, GameWords, Texts

BOARD = Grid(columns=3, rows=3)
LINES = ("a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1")


@dataclass(slots=True)
class Board(Position):
    """The seat on each taken square, in the order they were taken."""

    marks: dict[str, int] = field(default_factory=dict)


class TicTacToe(Game[Board]):
    """The rules."""

    info = GameInfo("tictactoe", rules=1, players=(2,), draws=True, max_branching=9, max_events=9)
    position = Board

    def actors(self, state: Board) -> tuple[int, ...]:
        return () if self.outcome(state) else (state.ply % 2,)

    def legal(self, state: Board, seat: int) -> list[Move]:
        return [square for square in BOARD.places if square not in state.marks]

    def do(self, state: Board, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        state.marks[move] = seat
        state.ply += 1
        if fx is not None:
            fx.append(Fact("marked", {"seat": seat, "square": move.upper()}))

    def outcome(self, state: Board) -> Outcome | None:
        for seat in (0, 1):
            for line in LINES:
                if all(state.marks.get(line[n : n + 2]) == seat for n in (0, 2, 4)):
                    return Outcome((1 + seat, 2 - seat), (1.0 - seat, 0.0 + seat), "line")
        return Outcome((1, 1), (0.0, 0.0), "full") if len(state.marks) == 9 else None


class Words(GameWords):
    """The texts for people."""

    game = "tictactoe"
    title = N_("Tic-tac-toe")
    summary = N_("Three in a row win. For two players.")
    options: ClassVar = {}
    refusals: ClassVar = {}
    reasons: ClassVar = {"line": N_("Three in a row."), "full": N_("All squares are taken.")}
    told: ClassVar = {"marked": N_("{name} takes {square}.")}
    rule_texts = NN_("Take a free square in turn. Three of yours in a row, column or diagonal win.")

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        return move.upper()


class TicTacToePainter(KitPainter):
    """The board."""

    title = Words.title

    def spread(self, scene: Scene) -> Spread:
        marks = scene.view.public["marks"]
        return Spread(BOARD, [Piece(square, seat) for square, seat in marks.items()])


PACKAGE = GamePackage(
    CONTRACT, TicTacToe(), TicTacToePainter(), Words(), texts=Path(__file__).parent / "texts"
)
