"""Hints for a person who is to move: a few good moves with a word on why, to that person alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cogs import actions, board
from cogs.actions import Interaction
from data.texts import N_, Texts
from games.engine import Fact
from play import hints
from play.hints import Hint, Suggestion, Verdict
from play.table import Table

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

VERDICTS = {
    Verdict.ONLY: N_("the only possible move"),
    Verdict.CLEAR: N_("clearly the best move"),
    Verdict.BEST: N_("probably the best move"),
    Verdict.EQUAL: N_("about as good"),
    Verdict.CLOSE: N_("almost as good"),
    Verdict.WEAKER: N_("a little weaker"),
}

FACTS_AT_MOST, MOTIVES_AT_MOST = 3, 2
"""Of what happens, and of what else speaks for a move, so many sentences are told."""


async def hint(interaction: Interaction, table_id: int) -> None:
    """Advise the person, and count it."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    hints.seat_to_advise(table, interaction.user.id)
    await bot.door.defer(interaction)
    given = await hints.give(bot.tables, bot.thinkers, table, interaction.user.id)
    say = bot.say(interaction)
    moves = [suggestion.move for suggestion in given.suggestions]
    view = board.hint_view(
        table, bot.words_of(table), say, given.seat, in_words(bot, table, given, say), moves
    )
    await bot.door.answer(interaction, view)


def in_words(bot: Tafelrunde, table: Table, given: Hint, say: Texts) -> str:
    """A hint as text: a move to a line, and how many hints were given so far."""
    lines = [_line(bot, table, given.seat, suggestion, say) for suggestion in given.suggestions]
    count = say.plural(
        "This is your first hint at this table. The result will mention it.",
        "This is your hint number {n} at this table. The result will say how many there were.",
        given.given,
    )
    return "\n".join([f"### {say('Hint')}", *lines, f"-# {count}"])


def _line(bot: Tafelrunde, table: Table, seat: int, suggestion: Suggestion, say: Texts) -> str:
    words = bot.words_of(table)
    move = words.move_in_words(suggestion.move, board.safe_names(table), say)
    names = board.figure_names(table.names, words.owners(table.played.view(seat)), say)

    def told(facts: Sequence[Fact], at_most: int) -> list[str]:
        return [text for fact in facts if (text := words.tell(fact, names, say))][:at_most]

    happens = told(suggestion.facts, FACTS_AT_MOST)
    why = " ".join(happens + told(suggestion.motives, MOTIVES_AT_MOST))
    return f"- **{move}** – {say(VERDICTS[suggestion.verdict])}. {why}".rstrip()


async def setup(bot: Tafelrunde) -> None:
    """Make the button known."""
    bot.presses["hint"] = actions.on_table(hint)
