"""Pictures as recipes: plain data that can be compared without drawing anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

from cogs.gateway.cards import Attachment, Drawable, canonical_text, fingerprint_of
from cogs.present.story import may_tell_all, since_call
from cogs.present.words import GameWords
from data.texts import Texts
from games.engine import Fact, Move, Outcome, View
from play.table import Table, Told
from render import PAINTERS
from render.headline import headed, stacked
from render.names import printed_names
from render.scene import Picture, Scene

PAINTED: Final = 4
"""Increase this when painters change, so that existing pictures are replaced."""

ACCOUNTS_AT_MOST: Final = 9
"""The maximum number of accounts of hands or rounds that the replay shows next to a board, so that
all pictures fit into one message.
"""

PICTURES_KEPT: Final = 32
"""How many recent drawings are cached, about 50 kB each. Caching helps because, after a move, the
same hand is shown in a direct message and in an answer.
"""

What = Literal["board", "hand", "close_up", "results", "end"]


@dataclass(frozen=True, eq=False)
class Drawing:
    """Describes a picture for a painter. Equal drawings give equal pictures.

    :param what: the kind of picture: the name of the painter's method that draws it, or ``end``.
    :param part: which part of the table a close-up shows.
    :param head: a headline above the picture, such as the advised move; empty: none.
    :param about: JSON with everything that the picture shows of the view. It replaces the view when
        drawings are compared, so a change in the rest of the view does not lead to a new picture.
    """

    game: str
    what: What
    scene: Scene
    part: int = 0
    head: str = ""
    about: str | None = field(default=None, repr=False)

    @cached_property
    def fingerprint(self) -> str:
        """A digest that changes whenever the picture does."""
        scene = self.scene
        return fingerprint_of(
            [
                *(PAINTED, self.game, self.what, self.part, self.head),
                *(scene.code, scene.say.language),
                *(scene.focus, scene.legal, scene.names, scene.computers, scene.moves),
                scene.shown,
                [(fact.kind, fact.data) for fact in (*scene.facts, *scene.reasons)],
                scene.view if self.about is None else self.about,
            ]
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Drawing) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def draw(self) -> tuple[Attachment, ...]:
        """Return the pictures as files; recent ones come from a cache."""
        return _drawn(_Recipe(canonical_text([self.fingerprint, self.scene.view]), self))

    def pictures(self) -> list[Picture]:
        """Return the pictures; empty if there is nothing to see. Slow; may run in any thread."""
        found = self._painted()
        return [headed(each, self.head, self.scene.say) for each in found] if self.head else found

    def _painted(self) -> list[Picture]:
        """Return the pictures without the headline."""
        painter = PAINTERS[self.game]
        if self.what == "results":
            return painter.results(self.scene)[-ACCOUNTS_AT_MOST:]
        if self.what == "board":
            return [painter.board(self.scene)]
        if self.what == "hand":
            picture = painter.hand(self.scene)
        else:
            picture = painter.close_up(self.scene, self.part)
        return [] if picture is None else [picture]


@dataclass(frozen=True)
class Painted:
    """A picture that shows no position, such as a profile, a rating curve or the table of a season.

    :param paint: paints the picture from ``shown`` and ``say``.
    :param shown: the content, as plain data.
    """

    paint: Callable[[Any, Texts], Picture]
    shown: Any
    say: Texts = field(repr=False)

    @cached_property
    def fingerprint(self) -> str:
        """A digest that changes whenever the picture does."""
        return fingerprint_of([self.paint.__name__, self.shown, self.say.language])

    def draw(self) -> tuple[Attachment, ...]:
        """Return the picture as a file; recent ones come from a cache."""
        return _drawn(_Recipe(self.fingerprint, self))

    def pictures(self) -> list[Picture]:
        """Return the picture. Slow; may run in any thread."""
        return [self.paint(self.shown, self.say)]


@dataclass(frozen=True, slots=True)
class Numbered:
    """One of several drawings in a message, numbered because their files would otherwise share a
    name.
    """

    drawing: Drawable
    number: int

    @property
    def fingerprint(self) -> str:
        """The drawing's fingerprint, prefixed with the number."""
        return f"{self.number} {self.drawing.fingerprint}"

    def draw(self) -> tuple[Attachment, ...]:
        """Return the drawing's files, with the number in front of their names."""
        files = self.drawing.draw()
        return tuple(replace(file, name=f"{self.number}-{file.name}") for file in files)


@dataclass(frozen=True)
class Stacked:
    """Drawings of one game in a single picture (see ``render.headline.stacked``)."""

    drawings: tuple[Drawing, ...]

    @property
    def fingerprint(self) -> str:
        """The fingerprints of the drawings."""
        return " ".join(drawing.fingerprint for drawing in self.drawings)

    def draw(self) -> tuple[Attachment, ...]:
        """Return the picture as a file."""
        files = [file for drawing in self.drawings for file in drawing.draw()]
        parts = [Picture(file.name, file.data, file.alt) for file in files]
        picture = stacked(parts, self.drawings[0].scene.say)
        return (Attachment(picture.name, picture.png, picture.alt),)


@dataclass(frozen=True)
class _Recipe:
    """A drawing, compared by everything that its picture depends on."""

    text: str = field(repr=False)
    drawing: Drawing | Painted = field(compare=False)


@lru_cache(maxsize=PICTURES_KEPT)
def _drawn(recipe: _Recipe) -> tuple[Attachment, ...]:
    pictures = recipe.drawing.pictures()
    return tuple(Attachment(each.name, each.png, each.alt) for each in pictures)


# ------------------------------------------------------------------------- of tables
def board_drawing(table: Table, say: Texts, since: int | None = None) -> Drawing:
    """Return the public board.

    :param since: highlight what happened after this journal line; None: highlight nothing.
    """
    events = () if since is None else table.told_since(since)
    return Drawing(table.row.game, "board", _told_scene(table, say, events))


def results_drawing(table: Table, say: Texts, line: int) -> Drawing:
    """Return the account of the hand or round that ended with this journal line."""
    events = [told for told in table.told_since(line - 1) if told.line == line]
    return Drawing(table.row.game, "results", _told_scene(table, say, events))


def end_scene(table: Table, say: Texts) -> Scene:
    """Return the last position as everyone sees it."""
    return _scene(table, table.public_view, say)


def hand_drawing(table: Table, seat: int, say: Texts, view: View | None = None) -> Drawing:
    """Return a seat's private hand; its picture changes only when the hand or the question does. If
    the board shows the whole hand, return the board instead.

    :param view: the seat's view, if the caller already has it.
    """
    view = view or table.played.view(seat)
    if PAINTERS[table.row.game].lies_open(view):
        return board_drawing(table, say, since_call(table))
    asked = table.opened(seat) if seat in table.awaited else None
    held = PAINTERS[table.row.game].held(view)
    about = canonical_text([view.viewer, asked, view.phase if table.over else None, held])
    scene = _scene(table, _without_sealed(table, view), say)
    return Drawing(table.row.game, "hand", scene, about=about)


def focus_drawing(
    table: Table, view: View, legal: Sequence[Move], prefix: str, say: Texts
) -> Drawing:
    """Return the hand, or the board in games without hands, marking the legal moves that begin with
    ``prefix``.

    :param view: the view of the person to move.
    """
    ways = [move for move in legal if move.startswith(prefix)]
    scene = _scene(table, view, say, focus=prefix, legal=ways)
    return Drawing(table.row.game, "hand" if table.game.info.has_secrets else "board", scene)


def advised_drawing(
    table: Table, words: GameWords, view: View, move: Move, reasons: Sequence[Fact], say: Texts
) -> Drawing:
    """Return the hand, or the board in games without hands, marking a recommended move and naming
    it above.

    :param view: the view of the person who may play it.
    """
    scene = _scene(table, view, say, focus=move, legal=[move])
    what: What = "hand" if table.game.info.has_secrets else "board"
    told = words.advised_in_words(move, view, printed_names(table.names, say), say)
    head = say("Best: {move}", move=told)
    return Drawing(table.row.game, what, replace(scene, reasons=tuple(reasons)), head=head)


def close_up_drawing(table: Table, part: int, say: Texts) -> Drawing:
    """Return an enlarged part of the table; see ``GameWords.parts``."""
    return Drawing(table.row.game, "close_up", _scene(table, table.public_view, say), part)


def position_text(table: Table, seat: int | None, say: Texts) -> str:
    """Describe in words everything that the seat may know about the position.

    :param seat: None: a spectator.
    """
    return PAINTERS[table.row.game].text(_scene(table, table.played.view(seat), say))


# ------------------------------------------------------------------------------ scenes
def _over(table: Table, view: View) -> View:
    """Return a view as it should be drawn. If the match was stopped before the rules ended it,
    nobody is to move in the last position, and the winners are those of the result. Views of
    earlier positions are returned unchanged.
    """
    if not table.over or view.outcome is not None or view.ply < table.played.ply:
        return view
    result = table.row.result or {}
    ranks = tuple(result.get("ranks", ()))
    outcome = Outcome(ranks, (0.0,) * len(ranks), result["how"]) if ranks else None
    return replace(view, actors=(), outcome=outcome)


def _without_sealed(table: Table, view: View) -> View:
    """Return a view in which nobody but the viewer seems to have chosen yet. The picture then stays
    valid until all choices are revealed. Otherwise, every choice would need a new picture just to
    show who still has to choose, and the text below the picture says that anyway.
    """
    sealed = table.sealed_choices
    others = {told.seat for told in sealed} - {view.viewer}
    actors = tuple(sorted({*view.actors, *others}))
    return replace(view, actors=actors, ply=view.ply - len(sealed)) if others else view


def _scene(
    table: Table, view: View, say: Texts, focus: str = "", legal: Sequence[Move] = ()
) -> Scene:
    return Scene(
        view=_over(table, view),
        names=table.names,
        say=say,
        code=table.row.code,
        focus=focus,
        legal=tuple(legal),
        computers=table.computers,
    )


def _told_scene(table: Table, say: Texts, events: Sequence[Told]) -> Scene:
    """Return a scene that shows everyone these events, except choices that are still sealed."""
    over, sealed = may_tell_all(table), table.sealed_choices
    if sealed:
        events = [told for told in events if told.line < sealed[0].line]
    seen = [(told.seat, told.move if over else told.seen) for told in events]
    return replace(
        _scene(table, _without_sealed(table, table.public_view), say),
        facts=tuple(fact for told in events for fact in told.known(None, over)),
        moves=tuple((seat, move) for seat, move in seen if move is not None),
    )
