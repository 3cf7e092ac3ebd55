"""The board with its news, turn line and shared controls, and the result of a match."""

from __future__ import annotations

from collections.abc import Iterator

from cogs.gateway.cards import HOUSE_COLOUR, Button, Card, Gallery, Part, Row, Style, rows_of
from cogs.gateway.controls import Control
from cogs.present.choices import choice_rows, chosen_in_words, menu_of, table_button
from cogs.present.drawings import board_drawing, hand_drawing
from cogs.present.finale import finale_drawing, how_it_ended
from cogs.present.notes import reminder, stopped_in_words, without_result
from cogs.present.people import code_of, player_mention, player_name, player_names, seat_colour
from cogs.present.story import story
from cogs.present.times import day, deadline
from cogs.present.words import GameWords
from data.store.rows import Status
from data.texts import Texts
from games.engine import CHANCE
from play.away import absent
from play.table import Table
from play.undo import can_be_undone, waits_for_others

CONTROLS = 8
"""The maximum number of buttons and menus below a board: more would be too many to take in at a
glance.
"""


def board_card(
    table: Table, words: GameWords, say: Texts, since: int, own: int | None = None
) -> Card:
    """Return the table as everyone sees it.

    :param since: report what happened after this journal line.
    :param own: the seat of the only reader, whose hand is shown below the board.
    """
    parts: list[Part] = [
        title_line(table, words, say),
        Gallery((board_drawing(table, say, since),)),
    ]
    if told := story(table, words, say, since):
        parts.append(told)
    rows: list[Row] = []
    if table.running:
        service = _service_row(table, words, say, own)
        asked, rows = _asked(table, words, say, own, CONTROLS - len(service))
        parts += asked
        rows.append(service)
    elif table.row.status is Status.ENDED:
        parts.append(without_result(table, say))
    accent = seat_colour(table.awaited[0]) if table.awaited else HOUSE_COLOUR
    return Card(tuple(parts), tuple(rows), accent)


def _asked(
    table: Table, words: GameWords, say: Texts, own: int | None, room: int
) -> tuple[list[Part], list[Row]]:
    """Return the question on a board, with at most ``room`` controls to answer it."""
    turn, seat = turn_line(table, say), _asked_here(table, own)
    if seat is None:
        if table.awaited_persons and words.question:
            turn = f"{turn} {say(words.question)}"
        return [turn], []
    view = table.played.view(seat)
    parts: list[Part] = []
    if table.game.info.has_secrets and (seat in table.awaited or seat == own):
        hand = hand_drawing(table, seat, say, view)
        if hand.what == "hand":  # otherwise the board already shows all of it
            parts.append(Gallery((hand,)))
    if seat not in table.awaited:
        if seat == own and waits_for_others(table, seat):
            parts.append(chosen_in_words(table, words, say, seat))
        return [*parts, turn], []
    menu = menu_of(table, words, say, seat, view)
    return [*parts, f"{turn} {menu.prompt}"], choice_rows(table, seat, menu, room)


def _asked_here(table: Table, own: int | None) -> int | None:
    """Return the seat whose choices are shown below a board: the only reader's in games with hands,
    or the seat of the only person choosing if no hands are hidden. None if there is neither:
    everyone then chooses in private.

    :param own: the seat of the only reader, if there is only one.
    """
    info = table.game.info
    if info.has_secrets and own is not None:
        return own
    choosers = () if info.hidden else table.choosers
    return choosers[0] if len(choosers) == 1 else None


def title_line(table: Table, words: GameWords, say: Texts, line: int | None = None) -> str:
    """Return the heading: the game, the table's code and the move number.

    :param line: show the move number as of this journal line; None: the current one.
    """
    log = table.played.log
    count = sum(
        event.seat != CHANCE
        for event, number in zip(log, table.lines, strict=True)
        if line is None or number <= line
    )
    going_on = table.running or (line is not None and line < table.lines[-1])
    number = say("move {n}", n=count + 1 if going_on else count)
    return f"{bare_title(table, words, say)} · {number}"


def bare_title(table: Table, words: GameWords, say: Texts) -> str:
    """Return the game and the table's code."""
    return f"### {say(words.title)} · {code_of(table)}"


def turn_line(table: Table, say: Texts) -> str:
    """Mention the people to move, with their deadlines and what delays them. A mention pings only
    if the message is allowed to ping.
    """
    reminders = (reminder(table, turn, say) for turn in table.clocks.values())
    return " ".join(
        [
            _awaited_line(table, say),
            *dict.fromkeys(filter(None, reminders)),
            *_away_in_words(table, say),
            *_unreached_in_words(table, say),
        ]
    )


def _unreached_in_words(table: Table, say: Texts) -> Iterator[str]:
    """Name the people to move who do not receive their board or hidden hand because the bot cannot
    send them direct messages.
    """
    if table.chat or not (table.direct or table.game.info.hidden):
        return
    for seat in table.awaited_persons:
        person, name = table.settings(table.members[seat].person_id or 0), player_name(table, seat)
        if table.direct and person.dm_closed:
            yield say("I cannot send {name} direct messages; `/table show` still works.", name=name)
        elif person.dm_closed and person.call_at != "table":
            yield say("I cannot send {name} direct messages.", name=name)


def _away_in_words(table: Table, say: Texts) -> Iterator[str]:
    """Name the people to move who are on holiday."""
    away = absent(table)
    for seat in table.awaited_persons:
        until = away.get(table.members[seat].person_id or 0)
        if until is not None:
            name = player_name(table, seat)
            yield say("🏖️ {name} is away until {day}.", name=name, day=day(until))


def _awaited_line(table: Table, say: Texts) -> str:
    until = [table.until(seat) for seat in table.awaited]
    mentions = [player_mention(table, seat) for seat in table.awaited]
    if len(set(until)) == 1 and until[0] is not None:
        return say.plural(
            "{who} is to move by {time}.",
            "{who} are to move by {time}.",
            len(mentions),
            who=say.list(mentions),
            time=deadline(until[0]),
        )
    who = say.list(
        [
            who if at is None else say("{who} until {time}", who=who, time=deadline(at))
            for who, at in zip(mentions, until, strict=True)
        ]
    )
    return say.plural("{who} is to move.", "{who} are to move.", len(table.awaited), who=who)


def _service_row(
    table: Table, words: GameWords, say: Texts, own: int | None = None
) -> tuple[Button, ...]:
    """Return the buttons that people may want at any move; all others are under *More…*."""
    info, buttons = table.game.info, list[Button]()
    if info.has_secrets and _asked_here(table, own) is None:
        label = say("My hand") if info.hidden else say(words.answer)
        buttons.append(table_button(table, "hand", label, Style.PRIMARY))
    elif info.hidden or not info.simultaneous:
        buttons.append(table_button(table, "where", say("Where can I go?"), Style.PRIMARY))
    if can_be_undone(table):
        buttons.append(table_button(table, "undo", say("Take back")))
    if words.close_up is not None and len(table.members) > 1:
        buttons.append(table_button(table, "look", say(words.close_up)))
    return *buttons, table_button(table, "more", say("More…"))


# -------------------------------------------------------------------------- the result
def result_card(table: Table, words: GameWords, say: Texts, *, for_players: bool = True) -> Card:
    """Return the card with the result of a match and buttons for what comes next.

    :param for_players: include the buttons for further matches.
    """
    text = "\n".join(_result(table, words, say))
    rows = rows_of([*(_going_on(table, say) if for_players else ()), *_looking_back(table, say)])
    if table.match is None:
        return Card((text,), rows)
    end = Gallery((finale_drawing(table, words, say),))
    # In a gallery of its own, because Discord crops pictures that are shown side by side.
    board = Gallery((board_drawing(table, say),))
    return Card((end, text, board), rows)


def _looking_back(table: Table, say: Texts) -> Iterator[Button]:
    """Yield buttons for looking back at a finished match."""
    yield table_button(table, "replay", say("Replay"))
    if table.match is not None:
        yield table_button(table, "analysis", say("Analysis"))
    yield table_button(table, "proof", say("Proof"))


def _going_on(table: Table, say: Texts) -> Iterator[Button]:
    """Yield buttons for another match."""
    yield table_button(table, "rematch", say("Rematch"), Style.PRIMARY)
    yield Button(Control.apart("game", table.row.game), say("New opponent"))


def ended_card(table: Table, words: GameWords, say: Texts) -> Card:
    """Return the card of a match that ended without a result, with buttons for what comes next."""
    told = f"### {say(words.title)} · {code_of(table)}\n{stopped_in_words(table, say)}"
    return Card((told,), rows_of([*_going_on(table, say), *_looking_back(table, say)]))


def result_in_words(table: Table, words: GameWords, say: Texts) -> str:
    """Describe how a match ended, as text only."""
    if table.row.status is not Status.FINISHED:
        return stopped_in_words(table, say)
    return "\n".join(_result(table, words, say))


def _result(table: Table, words: GameWords, say: Texts) -> Iterator[str]:
    result = table.row.result or {}
    yield f"{bare_title(table, words, say)} · {say('Result')}"
    ranks = result["ranks"]
    for seat in sorted(range(len(ranks)), key=lambda s: ranks[s]):
        score = None if table.match is None else words.score(table.public_view, seat, say)
        tail = f" – {score}" if score else ""
        # In a list, Discord would number two players of equal rank differently.
        yield rf"{ranks[seat]}\. {player_name(table, seat)}{tail}"
    yield ""
    how = how_it_ended(table, words, say, player_names(table))
    if how:
        yield how
    if result.get("brief"):
        yield say("This match is not rated, because not everybody has moved twice.")
    for seat, given in sorted(table.hints.items()):
        name = player_name(table, seat)
        yield say.plural("{name} took {n} hint.", "{name} took {n} hints.", given, name=name)
