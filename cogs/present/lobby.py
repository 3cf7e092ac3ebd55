"""The lobby: the game, its options in words, the players, and buttons to join, leave and start."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from cogs.gateway.cards import Button, Card, Entry, Row, Select, Style
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.board import bare_title
from cogs.present.choices import table_button, way_rows
from cogs.present.notes import closed, stopped_in_words
from cogs.present.people import (
    code_of,
    level_in_words,
    level_sentence,
    member_in_words,
    player_name,
    player_names,
)
from cogs.present.setup import draft_of, label_of, options_menu, options_told
from cogs.present.times import day, moment, pace_in_words
from cogs.present.words import GameWords
from data.store.rows import Line, MemberRow, Status
from data.texts import N_, Texts
from games.house import BY_LOT, STARTER
from play.away import absent
from play.clock import pace_in
from play.lobby import SEATINGS, computer_levels, several_play
from play.table import SEATING, Table

SEAL_KEPT: Final = 16
"""How many hexadecimal digits of the seal ``lots_card`` repeats: 64 bits."""

NO_COMPUTER: Final = "none"
"""The menu's value for removing a computer player."""


def lobby_card(table: Table, words: GameWords, say: Texts) -> Card:
    """Return the lobby; if it is closed, say so and, if known, by whom."""
    waiting = table.row.status is Status.LOBBY
    summary = rematch_in_words(table, say) or say(words.summary)
    parts = [
        bare_title(table, words, say),
        summary if waiting else closed(table, say),
        options_in_words(table, words, say),
        who_is_in(table, say),
        _seal(table.seal, say),
    ]
    changed = changed_last(table, words, say) if waiting else None
    if changed is not None:
        parts.insert(3, changed)
    return Card(tuple(parts), tuple(_rows(table, words, say)) if waiting else ())


def rematch_in_words(table: Table, say: Texts) -> str:
    """Say who wants a rematch, how it starts, and who declined or did not answer; empty if this is
    not a rematch.
    """
    if not table.rematch_of:
        return ""
    host = escape(table.members[0].name)
    told, then = [say("**{name}** would like a rematch.", name=host)], []
    if whole(table):
        told.append(say("It starts as soon as everybody has accepted."))
        then = [say("{name} begins.", name=f"**{escape(name)}**") for name in _first(table)]
    if table.asked:
        then.append(say("Please answer by {time}.", time=moment(table.asked_until)))
    elif not table.drawing:
        then.append(
            say("**{name}** can fill the free seats or start with fewer players.", name=host)
        )
    lines = (" ".join(told), " ".join(then), *_not_playing(table, say))
    return "\n".join(line for line in lines if line)


def _first(table: Table) -> Iterator[str]:
    """Yield the name of the player who begins; nothing if the options do not say who."""
    starter = str(table.row.options.get(STARTER, BY_LOT))
    if starter.isdecimal() and table.row.options.get(SEATING) == SEATINGS[1]:
        yield table.members[int(starter) - 1].name


def _not_playing(table: Table, say: Texts) -> Iterator[str]:
    """Yield a line for each person who declined the rematch or did not answer in time."""
    gone: dict[int, str] = {}
    for line in table.journal:
        if line.kind in ("leave", "lapse") and line.person_id is not None:
            gone[line.person_id] = line.kind
    for person, kind in gone.items():
        if table.member_of(person) is None:
            who = f"<@{person}>" if person > 0 else say("Somebody")
            told = N_("{who} is not playing this time.")
            if kind == "lapse":
                told = N_("{who} has not answered.")
            yield f"-# {say(told, who=who)}"


def whole(table: Table) -> bool:
    """Return whether a rematch still waits for answers and nobody has left it; if so, it starts
    when the last person accepts.
    """
    return bool(table.asked) and len(table.members) == table.row.wanted_players


def home_card(table: Table, words: GameWords, say: Texts) -> Card:
    """Return the status message in the parent channel for a table with its own thread: a link, the
    players, whose turn it is, and finally how the match ended.
    """
    title = f"**{say(words.title)}** · {code_of(table)} · <#{table.row.channel_id}>"
    names = say.list(list(player_names(table)))
    if table.over:
        how = winners_in_words(table, say) or stopped_in_words(table, say)
        again = table_button(table, "rematch", say("Rematch"), Style.PRIMARY)
        return Card((f"{title}\n{how}",), ((again, table_button(table, "replay", say("Replay"))),))
    awaited = say.list([player_name(table, seat) for seat in table.awaited_persons])
    turn = say("To move: {names}.", names=awaited) if awaited else ""
    return Card((f"{title}\n{names}. {turn}".rstrip(),))


def winners_in_words(table: Table, say: Texts) -> str:
    """Name the winners of a match in a sentence, or say that it is a draw; empty if it has no
    result.
    """
    ranks = (table.row.result or {}).get("ranks", ())
    first = [player_name(table, seat) for seat, rank in enumerate(ranks) if rank == 1]
    if not first:
        return ""
    if len(first) == len(ranks) > 1:
        return say("The match is a draw.")
    return say.plural("{names} has won.", "{names} have won.", len(first), names=say.list(first))


def lots_card(table: Table, say: Texts) -> Card:
    """Return the message that determines the lots. It never changes, because its id is part of the
    seed. It stays after the lobby is gone, so it repeats enough of the seal to prove that the
    secret was not replaced.
    """
    told = say("Lots: drawn from my secret, the lucky words and the number of this message.")
    given = [_lucky(member, say) for member in table.members if member.word]
    seal = _seal(f"{table.seal[:SEAL_KEPT]}…", say)
    return Card((f"{code_of(table)} · {told}", *given, seal))


def _seal(seal: str, say: Texts) -> str:
    """Show the seal that commits the bot to its lots and draws before anyone knows them."""
    return f"-# {say('Seal: {seal}', seal=f'`{seal}`')}"


def _lucky(member: MemberRow, say: Texts) -> str:
    """Return a person's lucky word, escaped."""
    name, word = escape(member.name), escape(member.word)
    return say("Lucky word of {name}: “{word}”", name=name, word=word)


def options_in_words(table: Table, words: GameWords, say: Texts) -> str:
    """Return the options of a table, one per line."""
    given = table.row.options
    told = options_told(table.game.info, given, table.row.players or table.row.wanted_players)
    lines = [words.option_in_words(option, value, say) for option, value in told]
    seating = given.get(SEATING, "lot")
    if seating == "lot":
        lines.append(say("Seats: by lot"))
    elif whole(table):
        lines.append(say("Seats: as before"))
    else:
        lines.append(say("Seats: in order of joining"))
    pace = pace_in(given) if several_play(table) else None
    if not table.gives_hints:
        lines.append(say("Without hints"))
    lines.append(say("Time: {pace}", pace=pace_in_words(pace, say)))
    if pace is not None and pace.strict:
        lines.append(say("When time is up, a computer player moves without asking"))
    return "\n".join(f"- {line}" for line in lines)


def who_is_in(table: Table, say: Texts) -> str:
    """List the players at a table; before it starts, also say how many can play."""
    heading = say("**At the table**")
    if table.row.status is Status.LOBBY:
        wanted = table.row.wanted_players
        counts = table.game.info.players if wanted is None else (wanted,)
        heading = say(
            "**At the table** ({present}; for {allowed} players)",
            present=len(table.members),
            allowed=say.list([str(n) for n in counts], choice=True),
        )
    lines, away = [], absent(table)
    for n, member in enumerate(table.members, 1):
        who = member_in_words(member, say)
        if member.word:
            who = say("{who} · “{word}”", who=who, word=escape(member.word))
        until = away.get(member.person_id or 0)
        if until is not None:
            who = say("{who} · 🏖️ away until {day}", who=who, day=day(until))
        if member.person_id in table.asked:
            who = say("{who} · not answered yet", who=who)
        lines.append(f"{n}. {who}")
    return "\n".join([heading, *lines])


def changed_last(table: Table, words: GameWords, say: Texts) -> str | None:
    """Say which options were last changed, and by whom; None if none were, or that person has
    left.
    """
    line = table.last_line("options")
    member = None if line is None else table.member_of(line.person_id or 0)
    if line is None or member is None:
        return None
    labels = [label_of(words, key, say) for key in json.loads(line.text)]
    what = say.list(labels)
    return say("-# {name} has changed: {what}", name=escape(member.name), what=what)


def invitation_card(table: Table, line: Line, words: GameWords, say: Texts) -> Card:
    """Return an invitation by direct message: the lobby in brief, with a button to join."""
    host = next((m for m in table.members if str(m.number) == line.text), table.members[0])
    asked = say(
        "**{name}** invites you to a match of {game}.",
        name=escape(host.name),
        game=say(words.title),
    )
    parts = (
        bare_title(table, words, say),
        asked,
        say(words.summary),
        options_in_words(table, words, say),
        who_is_in(table, say),
    )
    join = table_button(table, "join", say("Join"), Style.PRIMARY)
    rules = table_button(table, "rules", say("Rules"))
    return Card(parts, ((join, rules), *way_rows(table, say)))


def rematch_card(table: Table, words: GameWords, say: Texts) -> Card:
    """Return a rematch offer for a person who prefers direct messages."""
    parts = (
        bare_title(table, words, say),
        rematch_in_words(table, say),
        options_in_words(table, words, say),
        who_is_in(table, say),
    )
    return Card(parts, (_answers(table, say), *way_rows(table, say)))


def gathering_card(table: Table, words: GameWords, say: Texts) -> Card:
    """Return the lobby in brief, with a link to the lobby itself."""
    parts = (
        bare_title(table, words, say),
        say("This table has not started yet."),
        options_in_words(table, words, say),
        who_is_in(table, say),
    )
    return Card(parts, tuple(way_rows(table, say)))


def _answers(table: Table, say: Texts) -> tuple[Button, ...]:
    """Return the buttons for answering a rematch offer."""
    accept = table_button(table, "join", say("Accept"), Style.PRIMARY)
    return (accept, table_button(table, "leave", say("Decline")))


def _rows(table: Table, words: GameWords, say: Texts) -> list[Row]:
    if whole(table):
        word = table_button(table, "word", say("Lucky word…"))
        return [(*_answers(table, say), word, table_button(table, "more", say("More…")))]
    return [
        (
            table_button(table, "join", say("Join"), Style.PRIMARY),
            table_button(table, "leave", say("Leave")),
            table_button(table, "start", say("Start"), Style.SUCCESS),
            table_button(table, "word", say("Lucky word…")),
            table_button(table, "more", say("More…")),
        ),
        _computers(table, say),
        options_menu(draft_of(table), words, say),
    ]


def _computers(table: Table, say: Texts) -> Select:
    """Return the menu for adding and removing computer players."""
    entries = [
        Entry(
            say("Computer player: {level}", level=level_in_words(level, say)),
            level,
            level_sentence(level, say),
        )
        for level in computer_levels(table)
    ]
    if any(member.person_id is None for member in table.members):
        entries.append(Entry(say("Remove the last computer player"), NO_COMPUTER))
    control = Control(table.id, table.revision, "computer")
    return Select(control, say("Add a computer player…"), tuple(entries))
