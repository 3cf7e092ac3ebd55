"""What has happened since the last picture, gathered from the facts."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.isis.board import HEAVEN, THRONES
from render.scene import Scene


@dataclass(slots=True)
class News:
    """What the picture marks.

    :param paths: the squares that each stone has touched, the last move last.
    :param turned: squares where a stone was turned over, since the last move.
    :param locked: squares whose stones were sent below, with their owners (None: neutral).
    """

    paths: list[list[int]] = field(default_factory=list)
    turned: list[int] = field(default_factory=list)
    locked: dict[int, int | None] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene) -> News:
        """Gathered from the facts."""
        news = cls()
        for fact in scene.facts:
            match fact.kind:
                case "moved":
                    news.paths.append(fact.data["path"])
                    news.turned.clear()
                case "turned":
                    news.turned.append(fact.data["square"])
                case "locked":
                    squares, owners = fact.data["squares"], fact.data["owners"]
                    news.locked |= dict(zip(squares, owners, strict=True))
        return news

    @property
    def latest(self) -> int | None:
        """The square in play that the last turn was about."""
        if self.turned:
            return self.turned[-1]
        return (self.paths[-1][-1] or None) if self.paths else None

    @property
    def celebrated(self) -> bool:
        """Whether a stone has just come into heaven, was turned over there, or took a throne."""
        if self.turned:
            return True
        if not self.paths:
            return False
        origin, square = self.paths[-1][0], self.paths[-1][-1]
        return square in THRONES or (square in HEAVEN and origin not in HEAVEN)
