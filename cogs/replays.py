"""Looking back at a match: step by step, or as an animation, to one person alone.

What a replay shows stands in the ids of its buttons: whose match, which ply, with or without
hands. So it goes on after a restart, and several people can look at different moments.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from cogs import actions, board
from cogs.actions import Interaction
from cogs.controls import Control, Pick, Press
from cogs.door import Attachment, escape
from cogs.words import GameWords
from data.texts import Texts
from games.engine import CHANCE, View
from play.records import Records
from play.replays import Moment, Replay, is_over, replay_of
from play.table import Refused
from render import PAINTERS
from render.animation import animation, spread
from render.scene import Picture, Scene
from render.theme import SEATS

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

PICTURES_BETWEEN_WORDS = 20
"""So many pictures of an animation are drawn between two words on how far it is."""

LABEL_LIMIT = 100
"""Characters of an entry of a menu."""

ARGUMENT = re.compile(r"(?P<ply>\d+)(?P<hands>h?)\.(?P<record>\d+)\.[a-z]*\Z")


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a replay, as its buttons carry it.

    :param table: the table; 0: a record that the person brought.
    :param record: the record; 0: a table.
    :param hands: the hands lie open.
    """

    table: int
    record: int
    ply: int = 0
    hands: bool = False

    def argument(self, name: str = "") -> str:
        """The page in a control.

        :param name: tells apart two buttons that lead to the same page.
        """
        return f"{self.ply}{'h' * self.hands}.{self.record}.{name}"

    def control(self, name: str, verb: str = "replay") -> Control:
        """The control that leads to the page."""
        return Control(self.table, self.ply, verb, self.argument(name))

    @classmethod
    def of(cls, control: Control) -> Page | None:
        """The page that a control leads to, if it names one."""
        match = ARGUMENT.match(control.argument)
        if match is None:
            return None
        return cls(control.table, int(match["record"]), int(match["ply"]), bool(match["hands"]))


class Replays:
    """Shows replays and makes animations."""

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot
        self.records = Records(bot.tables)
        self._one_at_a_time = asyncio.Semaphore()
        self.waiting: set[int] = set()

    # -- step by step
    async def open_table(self, interaction: Interaction, table_id: int) -> None:
        """Look back at a table: from the start if it is over, else from now."""
        await self._bot.door.defer(interaction)
        await self._show(interaction, await self._first(table_id))

    async def open_record(self, interaction: Interaction, record_id: int) -> None:
        """Look at a record from its start, after ``defer``."""
        await self._show(interaction, Page(0, record_id))

    async def turn(self, interaction: Interaction, control: Control) -> None:
        """Go to the page that a button or menu leads to."""
        await actions.acknowledge_privately(interaction)
        page = Page.of(control) or await self._first(control.table)
        await self._show(interaction, page)

    async def _first(self, table_id: int) -> Page:
        table = await self._bot.tables.get(table_id)
        return Page(table_id, 0, 0 if is_over(table) else table.played.ply)

    async def _show(self, interaction: Interaction, page: Page) -> None:
        replay = await self._replay(interaction, page)
        say = self._bot.say(interaction)
        moment = replay.at(page.ply)
        page = replace(page, ply=moment.ply, hands=page.hands and replay.shows_hands)
        picture = await asyncio.to_thread(_board, replay, moment, say)
        hands = await asyncio.to_thread(_hands, replay, moment, say) if page.hands else {}
        words = self._bot.words[replay.game.info.id]
        view = _Screen(replay, page, words, say).view(moment, picture, hands)
        await actions.show_privately(interaction, view, [picture, *hands.values()])

    async def _replay(self, interaction: Interaction, page: Page) -> Replay:
        if page.record:
            return await self.records.replay(page.record, interaction.user.id)
        table = await self._bot.tables.get(page.table)
        return replay_of(table, await self._bot.tables.stood_in(table))

    # -- as an animation
    async def animate_table(self, interaction: Interaction, table_id: int) -> None:
        """Make an animation of a table's match."""
        await self._animate(interaction, Page(table_id, 0))

    async def animate(self, interaction: Interaction, control: Control) -> None:
        """Make an animation of the match that a button belongs to."""
        await self._animate(interaction, Page.of(control) or Page(control.table, 0))

    async def _animate(self, interaction: Interaction, page: Page) -> None:
        person = interaction.user.id
        await self._bot.door.defer(interaction)
        replay = await self._replay(interaction, page)
        if person in self.waiting:
            raise Refused("already_drawing")
        self.waiting.add(person)
        try:
            await self._draw(interaction, replay)
        finally:
            self.waiting.discard(person)

    async def _draw(self, interaction: Interaction, replay: Replay) -> None:
        """Draw one picture after the other, saying now and then how far it is."""
        say = self._bot.say(interaction)
        plies = spread(replay.last + 1)
        await self._bot.door.answer(interaction, _progress(0, len(plies), say))
        boards: list[Picture] = []
        async with self._one_at_a_time:
            for moment in replay.moments(plies):
                boards.append(await asyncio.to_thread(_board, replay, moment, say))
                if len(boards) % PICTURES_BETWEEN_WORDS == 0:
                    words = _progress(len(boards), len(plies), say)
                    await self._bot.door.update(interaction, words)
            made = await asyncio.to_thread(animation, boards, say)
        file = Attachment(made.name, made.gif, made.alt)
        title = say(self._bot.words[replay.game.info.id].title)
        text = say("{game}, table {code}: the whole match.", game=title, code=f"`{replay.table}`")
        view = _container(ui.TextDisplay(text), ui.MediaGallery(file.shown()))
        await self._bot.door.update(interaction, view, [file])


# ----------------------------------------------------------------------------- pictures
def _board(replay: Replay, moment: Moment, say: Texts) -> Picture:
    """The board at a moment, as everybody saw it."""
    moves = () if moment.seat is None or moment.seen is None else ((moment.seat, moment.seen),)
    scene = replace(_scene(replay, moment.view, say), facts=moment.facts, moves=moves)
    return PAINTERS[replay.game.info.id].board(scene)


def _hands(replay: Replay, moment: Moment, say: Texts) -> dict[int, Picture]:
    """The hands at a moment by seat, each picture under a name of its own."""
    painter = PAINTERS[replay.game.info.id]
    hands = {
        seat: painter.hand(_scene(replay, view, say)) for seat, view in enumerate(moment.hands)
    }
    return {
        seat: replace(picture, name=f"{seat + 1}-{picture.name}")
        for seat, picture in hands.items()
        if picture is not None
    }


def _scene(replay: Replay, view: View, say: Texts) -> Scene:
    return Scene(
        view=view, names=replay.names, say=say, code=replay.table, computers=replay.computers
    )


def _progress(done: int, count: int, say: Texts) -> str:
    return say("I am drawing the animation: {done} of {count} pictures.", done=done, count=count)


# ------------------------------------------------------------------------------- screen
@dataclass(frozen=True, slots=True)
class _Screen:
    """What one page of a replay looks like."""

    replay: Replay
    page: Page
    words: GameWords
    say: Texts

    def view(self, moment: Moment, picture: Picture, hands: Mapping[int, Picture]) -> ui.LayoutView:
        """Title, board, what happened, the hands that lie open, and the controls."""
        parts: list[ui.Item[Any]] = [
            ui.TextDisplay(self._title(moment)),
            _shown(picture),
            ui.TextDisplay(self._story(moment)),
        ]
        for seat, hand in hands.items():
            parts += [ui.TextDisplay(self._name(seat)), _shown(hand)]
        return _container(*parts, *self._rows())

    def _title(self, moment: Moment) -> str:
        title = self.say(self.words.title)
        place = self.say("step {n} of {last}", n=moment.ply, last=self.replay.last)
        return f"### {title} · `{self.replay.table}` · {place}"

    def _story(self, moment: Moment) -> str:
        """The move and what it led to, as far as it may be told."""
        names = [self._name(seat) for seat in range(len(self.replay.names))]
        figures = board.figure_names(self.replay.names, self.words.owners(moment.view), self.say)
        told = [self.words.tell(fact, figures, self.say) for fact in moment.facts]
        sentences = " ".join(sentence for sentence in told if sentence)
        lines = [sentences]
        if moment.seat is None:
            lines = [self.say("The start.")]
        elif not sentences or moment.seen != moment.move or self._stood_in(moment):
            # Nothing was told, or not all of it, or not who chose it.
            lines = [self._move(moment, names), sentences]
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
        """Whether a computer player moved in place of a person."""
        return moment.ply - 1 in self.replay.stood_in

    def _name(self, seat: int) -> str:
        return f"{SEATS[seat].sign} **{escape(self.replay.names[seat])}**"

    # -- controls
    def _rows(self) -> Iterator[ui.ActionRow[Any]]:
        if self.replay.last:
            yield self._steps()
            yield self._jumps()
        yield self._services()

    def _steps(self) -> ui.ActionRow[Any]:
        now, last = self.page.ply, self.replay.last
        return ui.ActionRow(
            self._step("first", "⏮", 0),
            self._step("back", self.say("◀ Back"), now - 1),
            self._step("next", self.say("Next ▶"), self.replay.after(now)),
            self._step("last", "⏭", last),
        )

    def _step(self, name: str, label: str, ply: int) -> Press:
        there = replace(self.page, ply=min(max(ply, 0), self.replay.last))
        press = Press(there.control(name), label, discord.ButtonStyle.primary)
        press.item.disabled = there == self.page
        return press

    def _jumps(self) -> ui.ActionRow[Any]:
        """A menu of moments all over the match."""
        plies = spread(self.replay.last + 1, board.OPTIONS_IN_MENU)
        options = [
            discord.SelectOption(
                label=self._label(moment),
                value=replace(self.page, ply=moment.ply).argument(),
                default=moment.ply == self.page.ply,
            )
            for moment in self.replay.moments(plies)
        ]
        return ui.ActionRow(Pick(self.page.control("jump"), self.say("Go to …"), options))

    def _label(self, moment: Moment) -> str:
        if moment.seat is None:
            return self.say("The start.")
        label = f"{moment.ply} · {self._move(moment, self.replay.names)}"
        return label if len(label) <= LABEL_LIMIT else label[: LABEL_LIMIT - 1] + "…"

    def _services(self) -> ui.ActionRow[Any]:
        buttons = []
        if self.replay.shows_hands:
            other = replace(self.page, hands=not self.page.hands)
            label = self.say("Show hands") if other.hands else self.say("Hide hands")
            buttons.append(Press(other.control("hands"), label))
        buttons.append(Press(self.page.control("", "animation"), self.say("Animation")))
        if self.page.table and self.replay.over:
            buttons.append(Press(Control(self.page.table, 0, "export"), self.say("Record")))
        return ui.ActionRow(*buttons)


def _shown(picture: Picture) -> ui.MediaGallery[Any]:
    return ui.MediaGallery(*(file.shown() for file in actions.attached([picture])))


def _container(*parts: ui.Item[Any]) -> ui.LayoutView:
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.Container(*parts, accent_colour=board.HOUSE_COLOUR))
    return layout


async def setup(bot: Tafelrunde) -> None:
    """Let the buttons of replays be pressed."""
    bot.presses["replay"] = bot.replays.turn
    bot.presses["animation"] = bot.replays.animate
