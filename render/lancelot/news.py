"""What Lancelot's picture marks: the moves since the last one."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.engine import Fact
from render.scene import Scene


@dataclass(slots=True)
class News:
    """What the picture marks: the moves since the last one.

    :param placed: the squares of new stones, the newest last.
    :param latest: the squares that the last turn changed: its stone, and Excalibur if it moved.
    :param taken: square of each stone taken and its seat.
    :param captor: the seat that took last; None if none did.
    :param spoils: the seats of the stones it took.
    :param lines: kind and name of each line that took stones.
    :param sword_way: where Excalibur came from and went to.
    """

    placed: list[str] = field(default_factory=list)
    latest: list[str] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)
    captor: int | None = None
    spoils: list[int] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    sword_way: tuple[str, str] | None = None

    @classmethod
    def of(cls, scene: Scene) -> News:
        """Gathered from the facts; from the position itself where Excalibur has just moved."""
        news, public = cls(), scene.view.public
        if public["lifted"]:
            news.sword_way = public["lifted"], public["excalibur"]
            news.latest = [public["excalibur"]]
        mover = None
        for fact in scene.facts:
            if fact.kind in ("placed", "sword_set", "sword_moved"):
                if fact.data["seat"] != mover:
                    mover, news.latest = fact.data["seat"], []
                news._add_move(fact)
            elif fact.kind == "captured":
                news._add_capture(fact)
        return news

    def _add_move(self, fact: Fact) -> None:
        square = fact.data["square"]
        self.latest.append(square)
        self.taken.pop(square, None)
        if fact.kind == "placed":
            self.placed.append(square)
        elif fact.kind == "sword_moved":
            self.sword_way = fact.data["origin"], square

    def _add_capture(self, fact: Fact) -> None:
        data = fact.data
        self.captor, self.spoils = data["seat"], data["owners"]
        self.taken |= zip(data["squares"], data["owners"], strict=True)
        self.lines += [(line["line"], line["name"]) for line in data["lines"] if line["squares"]]
