"""Replays of a match, step by step or as an animation, for one person.

The ids of a replay's buttons hold its whole state: the match, the ply, and whether hands are shown.
Replays therefore survive a restart, and each person can look at a different moment.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from cogs.features.acting import Acknowledge, Acting
from cogs.features.allowance import Cost
from cogs.features.feature import Feature, press, table_command
from cogs.gateway.cards import (
    ENTRY_LABEL,
    OPTIONS_IN_MENU,
    Attachment,
    Button,
    Card,
    Entry,
    Gallery,
    Part,
    Row,
    Select,
    Style,
)
from cogs.gateway.components import Interaction
from cogs.gateway.controls import NUMBER, Control
from cogs.gateway.drawing import beside
from cogs.gateway.replies import is_private
from cogs.gateway.texts import escape
from cogs.gateway.translator import L_, name_
from cogs.present.analysis import beside_move
from cogs.present.drawings import Drawing, Numbered
from cogs.present.people import figure_names
from cogs.present.words import GameWords
from data.texts import Texts
from games.engine import CHANCE, View
from play.records import Records
from play.replays import Moment, Replay, replay_of
from play.table import Refused, refuse_if
from render.animation import animation, spread
from render.scene import Picture, Scene
from render.theme import SEATS

PICTURES_BETWEEN_REPORTS: Final = 20
"""How many pictures of an animation are drawn between two progress reports."""

ARGUMENT: Final = re.compile(rf"(?P<ply>{NUMBER})(?P<hands>h?)\.(?P<record>{NUMBER})\.[a-z]*\Z")


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """A page of a replay, as stored in the ids of its buttons.

    :param table: the table's id; 0: the page shows a record that the person uploaded.
    :param record: the record's id; 0: the page shows a table.
    :param ply: number of events played, from 0.
    :param hands: show all hands.
    """

    table: int
    record: int
    ply: int = 0
    hands: bool = False

    def argument(self, name: str = "") -> str:
        """Return the page as an argument of a control.

        :param name: distinguishes buttons that lead to the same page.
        """
        return f"{self.ply}{'h' * self.hands}.{self.record}.{name}"

    def control(self, name: str, verb: str = "replay") -> Control:
        """Return a control that leads to the page."""
        return Control(self.table, 0, verb, self.argument(name))

    @classmethod
    def of(cls, control: Control) -> ReplayPage | None:
        """Return the page that a control's argument names; None if it names none."""
        match = ARGUMENT.match(control.argument)
        if match is None:
            return None
        return cls(control.table, int(match["record"]), int(match["ply"]), bool(match["hands"]))


class Replays(Feature):
    """Shows replays and makes animations.

    If a person turns pages faster than the bot can draw them, only the latest page is shown.

    :ivar waiting: people whose animation is being made.
    """

    def __init__(self, acting: Acting) -> None:
        super().__init__(acting)
        self._words = acting.presenter.words
        self._records = Records(acting.tables)
        self._one_at_a_time = asyncio.Semaphore()
        self.waiting: set[int] = set()
        self._drawing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """For each person, a lock held while one of their pages is drawn."""
        self._latest: dict[tuple[int, int], int] = {}
        """For each person and message, the last press that asked for a page there."""

    # -- step by step
    @table_command(name_("replay"), L_("Look at a match step by step"))
    async def open_table(self, interaction: Interaction, table_id: int) -> None:
        """Replay a table: from the start if it is over, otherwise from the current position."""
        await self._show(interaction, await self._first(table_id))

    async def open_record(self, interaction: Interaction, record_id: int) -> None:
        """Replay a record from its start; call ``defer`` first."""
        await self._show(interaction, ReplayPage(0, record_id))

    @press("replay", Acknowledge.PRIVATELY)
    async def turn(self, interaction: Interaction, control: Control) -> None:
        """Go to the page that a button or menu leads to."""
        await self.replies.acknowledge_privately(interaction)
        page = ReplayPage.of(control) or await self._first(control.table)
        await self._show(interaction, page)

    async def _first(self, table_id: int) -> ReplayPage:
        table = await self.tables.get(table_id)
        return ReplayPage(table_id, 0, 0 if table.over else table.played.ply)

    async def _show(self, interaction: Interaction, page: ReplayPage) -> None:
        """Show a page. A person's pages are drawn one at a time; in each message, only the latest
        request counts.

        :raises Refused: ``too_much_at_once``; ``page_overtaken``: a later page was requested.
        """
        person, message = interaction.user.id, interaction.message
        self.acting.allowance.spend(person, Cost.PAGE)
        place = person, interaction.id if message is None else message.id
        self._latest[place] = interaction.id
        try:
            async with self._drawing.setdefault(person, asyncio.Lock()):
                if self._latest.get(place) == interaction.id:
                    await self._draw_page(interaction, page)
                else:
                    refuse_if(not is_private(interaction), "page_overtaken")
        finally:
            if self._latest.get(place) == interaction.id:
                del self._latest[place]

    async def _draw_page(self, interaction: Interaction, page: ReplayPage) -> None:
        replay = await self._replay(interaction, page)
        moment = replay.at(page.ply)
        page = replace(page, ply=moment.ply, hands=page.hands and replay.shows_hands)
        words = self._words[replay.game.info.id]
        screen = _Screen(replay, page, words, self.say(interaction))
        await self.replies.show(interaction, screen.card(moment))

    async def _replay(self, interaction: Interaction, page: ReplayPage) -> Replay:
        if page.record:
            return await self._records.replay(page.record, interaction.user.id)
        return replay_of(await self.tables.get(page.table))

    # -- as an animation
    @table_command(name_("animation"), L_("A match as an animated picture"))
    async def animate_table(self, interaction: Interaction, table_id: int) -> None:
        """Make an animation of a table's match."""
        await self._animate(interaction, ReplayPage(table_id, 0))

    @press("animation", Acknowledge.THINKING)
    async def animate(self, interaction: Interaction, control: Control) -> None:
        """Make an animation of the match that a button belongs to."""
        await self._animate(interaction, ReplayPage.of(control) or ReplayPage(control.table, 0))

    async def _animate(self, interaction: Interaction, page: ReplayPage) -> None:
        person = interaction.user.id
        await self.replies.defer(interaction)
        replay = await self._replay(interaction, page)
        if person in self.waiting:
            raise Refused("already_drawing")
        self.acting.allowance.spend(person, Cost.ANIMATION)
        self.waiting.add(person)
        try:
            await self._draw(interaction, replay)
        finally:
            self.waiting.discard(person)

    async def _draw(self, interaction: Interaction, replay: Replay) -> None:
        """Draw the pictures, reporting progress now and then, and show the animation."""
        replies = self.replies
        say = self.say(interaction)
        plies = spread(replay.last + 1)
        await replies.answer(interaction, _progress(0, len(plies), say))
        boards: list[Picture] = []
        async with self._one_at_a_time:
            for moment in replay.moments(plies):
                boards += await beside(_board(replay, moment, say).pictures)
                if len(boards) % PICTURES_BETWEEN_REPORTS == 0:
                    await replies.update(interaction, _progress(len(boards), len(plies), say))
            made = await beside(partial(animation, boards, say))
        file = Attachment(made.name, made.gif, made.alt)
        title = say(self._words[replay.game.info.id].title)
        text = say("{game}, table {code}: the whole match.", game=title, code=f"`{replay.table}`")
        await replies.update(interaction, Card((text, Gallery((), (file,)))))


# ----------------------------------------------------------------------------- pictures
def _board(replay: Replay, moment: Moment, say: Texts) -> Drawing:
    """Return the board at a moment, as everyone saw it."""
    moves = () if moment.seat is None or moment.seen is None else ((moment.seat, moment.seen),)
    scene = replace(_scene(replay, moment.view, say), facts=moment.facts, moves=moves)
    return Drawing(replay.game.info.id, "board", scene)


def _scene(replay: Replay, view: View, say: Texts) -> Scene:
    return Scene(
        view=view, names=replay.names, say=say, code=replay.table, computers=replay.computers
    )


def _progress(done: int, count: int, say: Texts) -> str:
    return say("I am drawing the animation: {done} of {count} frames.", done=done, count=count)


# ------------------------------------------------------------------------------- screen
@dataclass(frozen=True, slots=True)
class _Screen:
    """The layout of a page of a replay."""

    replay: Replay
    page: ReplayPage
    words: GameWords
    say: Texts

    def card(self, moment: Moment) -> Card:
        """Return the card: title, board, news, then open hands or the account of a hand or round
        that ended here, and controls.
        """
        board = _board(self.replay, moment, self.say)
        parts: list[Part] = [self._title(moment), Gallery((board,)), self._story(moment)]
        closed = any(fact.kind in self.replay.game.info.accounts for fact in moment.facts)
        if closed and not self.page.hands:
            parts.append(Gallery((replace(board, what="results"),)))
        if self.page.hands:
            for seat, view in enumerate(moment.hands):
                scene = replace(_scene(self.replay, view, self.say), shown=True)
                hand = Numbered(Drawing(self.words.game, "hand", scene), seat + 1)
                parts += [self._name(seat), Gallery((hand,))]
        return Card(tuple(parts), tuple(self._rows()))

    def _title(self, moment: Moment) -> str:
        title = self.say(self.words.title)
        place = self.say("step {n} of {last}", n=moment.ply, last=self.replay.last)
        return f"### {title} · `{self.replay.table}` · {place}"

    def _story(self, moment: Moment) -> str:
        """Describe the move and its effects, leaving out what the reader may not know."""
        names = [self._name(seat) for seat in range(len(self.replay.names))]
        figures = figure_names(self.replay.names, self.words.owners(moment.view), self.say)
        told = [self.words.tell(fact, figures, self.say) for fact in moment.facts]
        sentences = " ".join(sentence for sentence in told if sentence)
        lines = [sentences]
        if moment.seat is None:
            lines = [self.say("The start.")]
        elif not sentences or moment.seen != moment.move or self._stood_in(moment):
            # The facts do not mention the move itself, or do not say who chose it.
            lines = [self._move(moment, names), sentences]
        found = self.replay.analysis
        if found is not None:
            lines.append(beside_move(found, moment, self.words, self.replay.names, self.say))
        if not self.replay.over:
            note = self.say("The match is still running: you see what everybody may see.")
            lines.append(f"-# {note}")
        return "\n".join(line for line in lines if line)

    def _move(self, moment: Moment, names: Sequence[str]) -> str:
        move = "–"
        if moment.move is not None:
            move = self.words.move_in_words(moment.move, names, self.say)
        if moment.seat is None or moment.seat == CHANCE:
            return self.say("The lot: {move}", move=move)
        name = names[moment.seat]
        if self._stood_in(moment):
            return self.say("{name} (computer player): {move}", name=name, move=move)
        return self.say("{name}: {move}", name=name, move=move)

    def _stood_in(self, moment: Moment) -> bool:
        """Return whether a computer player made this move for a person."""
        return moment.ply - 1 in self.replay.stood_in

    def _name(self, seat: int) -> str:
        return f"{SEATS[seat].sign} **{escape(self.replay.names[seat])}**"

    # -- controls
    def _rows(self) -> Iterator[Row]:
        if self.replay.last:
            yield self._steps()
            yield self._jumps()
        yield self._services()

    def _steps(self) -> Row:
        now, last = self.page.ply, self.replay.last
        return (
            self._step("first", "⏮", 0),
            self._step("back", self.say("◀ Back"), now - 1),
            self._step("next", self.say("Next ▶"), self.replay.after(now)),
            self._step("last", "⏭", last),
        )

    def _step(self, name: str, label: str, ply: int) -> Button:
        there = replace(self.page, ply=min(max(ply, 0), self.replay.last))
        return Button(there.control(name), label, Style.PRIMARY, disabled=there == self.page)

    def _jumps(self) -> Row:
        """Return a menu for jumping to moments throughout the match."""
        plies = spread(self.replay.last + 1, OPTIONS_IN_MENU)
        entries = [
            Entry(
                self._label(moment),
                replace(self.page, ply=moment.ply).argument(),
                chosen=moment.ply == self.page.ply,
            )
            for moment in self.replay.moments(plies)
        ]
        return Select(self.page.control("jump"), self.say("Go to…"), tuple(entries))

    def _label(self, moment: Moment) -> str:
        if moment.seat is None:
            return self.say("The start.")
        label = f"{moment.ply} · {self._move(moment, self.replay.names)}"
        return label if len(label) <= ENTRY_LABEL else label[: ENTRY_LABEL - 1] + "…"

    def _services(self) -> Row:
        buttons = []
        if self.replay.shows_hands:
            other = replace(self.page, hands=not self.page.hands)
            label = self.say("Show hands") if other.hands else self.say("Hide hands")
            buttons.append(Button(other.control("hands"), label))
        buttons.append(Button(self.page.control("", "animation"), self.say("Animation")))
        if self.page.table and self.replay.over:
            buttons.append(Button(Control(self.page.table, 0, "export"), self.say("Record")))
            buttons.append(Button(Control(self.page.table, 0, "analysis"), self.say("Analysis")))
        return tuple(buttons)
