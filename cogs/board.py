"""The messages of a table, built from what is known: lobby, board, private hand, menu, result.

Everything is a Components V2 layout. Nothing here sends anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ui

from cogs.controls import Control, Pick, Press
from cogs.door import escape
from cogs.times import deadline, pace_in_words
from cogs.words import GameWords, Group, Menu
from data.store import MemberRow, Status
from data.texts import N_, Texts
from games.engine import CHANCE, Move, Option
from games.players import LEVELS
from play.clock import pace_in
from play.table import Table
from play.tables import SEATING
from play.undo import is_free
from render.scene import Picture
from render.theme import SEATS

Style = discord.ButtonStyle

HOUSE_COLOUR = discord.Colour(0xB8860B)
BUTTONS_IN_ROW = 5
OPTIONS_IN_MENU = 25

BUTTON_LABEL = 80
"""Discord's limit for the label of a button, in characters."""


# ------------------------------------------------------------------------------ people
def safe_names(table: Table) -> tuple[str, ...]:
    """Names by seat that can neither ping nor format."""
    return tuple(escape(name) for name in table.names)


def player_name(table: Table, seat: int) -> str:
    """Seat sign and name: ``▲ **Anna**``."""
    return f"{SEATS[seat].sign} **{escape(table.members[seat].name)}**"


def figure_names(names: Sequence[str], owners: Sequence[int | None], say: Texts) -> list[str]:
    """The names of figures, each with its own sign and its owner's name: ``■ **Anna**``.

    :param names: by seat, as people typed them.
    :param owners: by figure; see ``GameWords.owners``.
    """
    neutral = say("neutral player")
    return [
        f"{SEATS[figure].sign} **{neutral if owner is None else escape(names[owner])}**"
        for figure, owner in enumerate(owners)
    ]


def player_names(table: Table) -> tuple[str, ...]:
    """Everybody's sign and name, by seat."""
    return tuple(player_name(table, seat) for seat in range(len(table.members)))


def player_mention(table: Table, seat: int) -> str:
    """Seat sign and mention, so that the person can be pinged; a computer player's name."""
    member = table.members[seat]
    if member.person_id is None or member.level is not None:
        return player_name(table, seat)
    return f"{SEATS[seat].sign} <@{member.person_id}>"


def seat_colour(seat: int) -> discord.Colour:
    """The colour of a seat as an accent."""
    return discord.Colour.from_str(SEATS[seat].colour)


# ------------------------------------------------------------------------------- lobby
def lobby_view(table: Table, words: GameWords, say: Texts) -> ui.LayoutView:
    """Game, options in words, who is in, and the buttons of the lobby."""
    status = table.row.status
    if status is Status.LOBBY:
        state = say(words.summary)
    elif not table.started:
        state = say("This table was closed before it started.")
    else:
        state = say("The match has begun.")
    parts = [
        ui.TextDisplay[ui.LayoutView](f"### {say(words.title)} · `{table.row.code}`"),
        ui.TextDisplay[ui.LayoutView](state),
        ui.TextDisplay[ui.LayoutView](options_in_words(table, words, say)),
        ui.TextDisplay[ui.LayoutView](who_is_in(table, say)),
    ]
    rows = _lobby_rows(table, say) if status is Status.LOBBY else []
    return _message(HOUSE_COLOUR, parts, rows)


def options_in_words(table: Table, words: GameWords, say: Texts) -> str:
    """The options of a table, one to a line."""
    given = table.row.options
    lines = [words.option_in_words(option, value, say) for option, value in _options_told(table)]
    seating = given.get(SEATING, "lot")
    lines.append(say("Seats: by lot") if seating == "lot" else say("Seats: in order of joining"))
    pace = pace_in(given)
    if not table.gives_hints:
        lines.append(say("Without hints"))
    lines.append(say("Time: {pace}", pace=pace_in_words(pace, say)))
    if pace is not None and pace.strict:
        lines.append(say("When the time is up, a computer player moves without asking"))
    return "\n".join(f"- {line}" for line in lines)


def _options_told(table: Table) -> Iterator[tuple[Option, Any]]:
    """The game's options that matter, with their values; what nobody has switched on goes without
    saying.
    """
    given = table.row.options
    count = table.row.players or table.row.wanted_players
    for option in table.game.info.options:
        if count is None and option.default_for and option.key not in given:
            continue  # it depends on how many will come
        if count is not None and not option.usable(count):
            continue
        default = option.default if count is None else option.default_at(count)
        value = given.get(option.key, default)
        if option.kind != "bool" or value or option.default:
            yield option, value


def who_is_in(table: Table, say: Texts) -> str:
    """The people at a table and, until it starts, how many it takes."""
    heading = say("**At the table**")
    if table.row.status is Status.LOBBY:
        heading = say(
            "**At the table** ({present}; played by {allowed})",
            present=len(table.members),
            allowed=say.list([str(n) for n in _counts_allowed(table)], choice=True),
        )
    lines = [f"{n}. {member_in_words(member, say)}" for n, member in enumerate(table.members, 1)]
    return "\n".join([heading, *lines])


def member_in_words(member: MemberRow, say: Texts) -> str:
    """Somebody at a table; of a computer player its level too: ``Merlin 🤖 (master)``."""
    name = escape(member.name)
    return name if member.level is None else f"{name} 🤖 ({level_in_words(member.level, say)})"


LEVEL_WORDS = {"novice": N_("novice"), "player": N_("skilled"), "master": N_("master")}


def level_in_words(level: str, say: Texts) -> str:
    """How strong a computer player is."""
    return say(LEVEL_WORDS[level])


def _counts_allowed(table: Table) -> tuple[int, ...]:
    wanted = table.row.wanted_players
    return table.game.info.players if wanted is None else (wanted,)


def _lobby_rows(table: Table, say: Texts) -> list[ui.ActionRow[Any]]:
    def press(verb: str, label: str, style: Style = Style.secondary) -> Press:
        return Press(Control(table.id, 0, verb), label, style)

    return [
        ui.ActionRow(
            press("join", say("Join"), Style.primary),
            press("leave", say("Leave")),
            press("start", say("Start"), Style.success),
        ),
        ui.ActionRow(
            *(
                Press(
                    Control(table.id, 0, "computer", level),
                    say("Computer: {level}", level=level_in_words(level, say)),
                )
                for level in LEVELS
            )
        ),
        ui.ActionRow(
            press("nocomputer", say("Remove computer player")),
            press("whom", say("Send away…")),
            press("rules", say("Rules")),
            press("cancel", say("Cancel"), Style.danger),
        ),
    ]


# ------------------------------------------------------------------------------- board
def board_view(
    table: Table, words: GameWords, say: Texts, pictures: Sequence[Picture], story: str
) -> ui.LayoutView:
    """Title, picture, what just happened, who is to move, and the controls."""
    parts: list[ui.Item[Any]] = [
        ui.TextDisplay(title_line(table, words, say)),
        _gallery(pictures),
    ]
    if story:
        parts.append(ui.TextDisplay(story))
    if table.running:
        parts.append(ui.TextDisplay(_turn_and_question(table, words, say)))
        rows = [*_move_rows(table, words, say), _service_row(table, say)]
        if words.close_up is not None and len(table.members) > 1:
            look = Control(table.id, table.played.ply, "look")
            rows.append(ui.ActionRow(Press(look, say(words.close_up))))
    else:
        rows = []
    accent = seat_colour(table.awaited[0]) if table.awaited else HOUSE_COLOUR
    return _message(accent, parts, rows)


def title_line(table: Table, words: GameWords, say: Texts) -> str:
    """The game, the short code of the table, and which move is due or was the last."""
    moves = sum(event.seat != CHANCE for event in table.played.log)
    number = say("move {n}", n=moves + 1 if table.running else moves)
    return f"### {say(words.title)} · `{table.row.code}` · {number}"


def moves_in_words(
    moves: Sequence[tuple[int, str | None]], words: GameWords, names: Sequence[str], say: Texts
) -> str:
    """Moves that go together: the first one's own, the others' with their names.

    :param moves: (seat, move) as everybody may know it; None: not at all.
    :param names: by seat.
    """
    shown = [
        (seat, say("a sealed choice") if move is None else words.move_in_words(move, names, say))
        for seat, move in moves
    ]
    (_, own), *others = shown
    if not others:
        return own
    listed = say.list([f"{names[seat]}: {move}" for seat, move in others])
    return say("{move}, and with it {moves}", move=own, moves=listed)


def turn_line(table: Table, say: Texts) -> str:
    """Who is to move, as mentions of which only some will ping, and until when."""
    until = [table.until(seat) for seat in table.awaited]
    if len(until) == 1 and until[0] is not None:
        who = player_mention(table, table.awaited[0])
        return say("{who} is to move, until {time}.", who=who, time=deadline(until[0]))
    mentions = [player_mention(table, seat) for seat in table.awaited]
    who = say.list(
        [
            who if at is None else say("{who} until {time}", who=who, time=deadline(at))
            for who, at in zip(mentions, until, strict=True)
        ]
    )
    return say.plural("{who} is to move.", "{who} are to move.", len(table.awaited), who=who)


def _turn_and_question(table: Table, words: GameWords, say: Texts) -> str:
    """Who is to move and, if the choices stand below, what they are about."""
    seat = _asked_openly(table)
    turn = turn_line(table, say)
    return turn if seat is None else f"{turn} {menu_of(table, words, say, seat, '').prompt}"


def _move_rows(table: Table, words: GameWords, say: Texts) -> list[ui.ActionRow[Any]]:
    """The first choices of the person to move, if they may be seen by all."""
    seat = _asked_openly(table)
    return [] if seat is None else choice_rows(table, words, say, seat, "")


def _asked_openly(table: Table) -> int | None:
    """The seat of the person to move, if everybody may see what it can choose from."""
    if table.game.info.hidden or not table.awaited_persons:
        return None
    return table.awaited_persons[0]


def choice_rows(
    table: Table, words: GameWords, say: Texts, seat: int, prefix: str
) -> list[ui.ActionRow[Any]]:
    """Buttons and menus that continue a move of ``seat`` from ``prefix``."""
    menu = menu_of(table, words, say, seat, prefix)
    choose = choosing(table, seat)
    rows: list[ui.ActionRow[Any]] = []
    for group in menu.groups:
        if group.as_buttons:
            rows += _button_rows(choose, group)
        else:
            rows += _menu_rows(choose, group, first=len(rows))
    return rows


def choosing(table: Table, seat: int) -> Control:
    """The control, still without an argument, of the decision that ``seat`` owes."""
    return Control(table.id, table.played.opened(seat), "go", undos=table.row.undos)


def menu_of(table: Table, words: GameWords, say: Texts, seat: int, prefix: str) -> Menu:
    """What ``seat`` is asked when it has chosen ``prefix`` so far."""
    match = table.played
    legal = match.game.legal(match.state, seat)
    return words.menu(match.view(seat), legal, prefix, table.names, say)


def _button_rows(choose: Control, group: Group) -> Iterator[ui.ActionRow[Any]]:
    presses = [
        Press(replace(choose, argument=choice.value), choice.label, Style.primary)
        for choice in group.choices
    ]
    for first in range(0, len(presses), BUTTONS_IN_ROW):
        yield ui.ActionRow(*presses[first : first + BUTTONS_IN_ROW])


def _menu_rows(choose: Control, group: Group, first: int) -> Iterator[ui.ActionRow[Any]]:
    chunks = range(0, len(group.choices), OPTIONS_IN_MENU)
    for number, start in enumerate(chunks):
        options = [
            discord.SelectOption(
                label=choice.label, value=choice.value, description=choice.detail or None
            )
            for choice in group.choices[start : start + OPTIONS_IN_MENU]
        ]
        placeholder = group.placeholder
        if len(chunks) > 1:
            placeholder = f"{placeholder}: {options[0].label} … {options[-1].label}"
        control = replace(choose, argument=str(first + number))
        yield ui.ActionRow(Pick(control, placeholder, options))


def _service_row(table: Table, say: Texts) -> ui.ActionRow[Any]:
    ply = table.played.ply
    buttons = []
    if table.game.info.hidden:
        buttons.append(Press(Control(table.id, ply, "hand"), say("My hand"), Style.primary))
    else:
        buttons.append(Press(Control(table.id, ply, "where"), say("Where may I?")))
    buttons.append(Press(Control(table.id, ply, "undo"), say("Take back")))
    buttons.append(Press(Control(table.id, ply, "text"), say("As text")))
    buttons.append(Press(Control(table.id, ply, "rules"), say("Rules")))
    buttons.append(Press(Control(table.id, ply, "more"), say("More…")))
    return ui.ActionRow(*buttons)


# ---------------------------------------------------------------------------- in private
def menu_view(
    table: Table,
    words: GameWords,
    say: Texts,
    seat: int,
    prefix: str,
    picture: Picture | None = None,
) -> ui.LayoutView:
    """The next choice of a person in the middle of a move, for that person alone."""
    menu = menu_of(table, words, say, seat, prefix)
    parts: list[ui.Item[Any]] = [ui.TextDisplay(menu.prompt)]
    if picture is not None:
        parts.append(_gallery([picture]))
    rows = choice_rows(table, words, say, seat, prefix)
    if prefix:
        rows.append(ui.ActionRow(Press(choosing(table, seat), say("Back"))))
    else:
        rows += _hint_rows(table, say)
    return _message(seat_colour(seat), parts, rows)


def hand_view(
    table: Table,
    words: GameWords,
    say: Texts,
    seat: int,
    pictures: Sequence[Picture],
    link: str | None,
) -> ui.LayoutView:
    """A person's private hand with the controls to act, and the way to the table."""
    parts: list[ui.Item[Any]] = [ui.TextDisplay(title_line(table, words, say))]
    if pictures:
        parts.append(_gallery(pictures))
    rows: list[ui.ActionRow[Any]] = []
    if not table.running:
        parts.append(ui.TextDisplay(say("The match is over.")))
    elif seat in table.awaited:
        parts.append(ui.TextDisplay(menu_of(table, words, say, seat, "").prompt))
        until = table.until(seat)
        if until is not None:
            parts.append(ui.TextDisplay(say("You have time until {time}.", time=deadline(until))))
        rows += choice_rows(table, words, say, seat, "")
        rows += _hint_rows(table, say)
    else:
        parts.append(ui.TextDisplay(turn_line(table, say)))
        if is_free(table, seat):
            rows.append(ui.ActionRow(Press(Control(table.id, 0, "undo"), say("Take back"))))
    if link is not None:
        rows.append(_link_row(link, say))
    return _message(seat_colour(seat), parts, rows)


def _hint_rows(table: Table, say: Texts) -> list[ui.ActionRow[Any]]:
    """The way to a hint, where there are any."""
    if not table.gives_hints:
        return []
    return [ui.ActionRow(Press(Control(table.id, 0, "hint"), say("Hint")))]


def hint_view(
    table: Table, words: GameWords, say: Texts, seat: int, text: str, moves: Sequence[Move]
) -> ui.LayoutView:
    """A hint, and a button for each recommended move."""
    choose = choosing(table, seat)
    buttons = [
        Press(
            replace(choose, argument=move),
            words.move_in_words(move, table.names, say)[:BUTTON_LABEL],
            Style.secondary if number else Style.primary,
        )
        for number, move in enumerate(moves)
    ]
    return _message(seat_colour(seat), [ui.TextDisplay(text)], [ui.ActionRow(*buttons)])


def close_up_view(
    table: Table, parts: Sequence[str], shown: int, picture: Picture
) -> ui.LayoutView:
    """A part of the table, and a button for each other one."""
    others = [
        Press(Control(table.id, table.played.ply, "look", str(part)), label)
        for part, label in enumerate(parts)
        if part != shown
    ]
    text = ui.TextDisplay[ui.LayoutView](f"**{escape(parts[shown])}**")
    return _message(HOUSE_COLOUR, [text, _gallery([picture])], _rows_of(others))


def _rows_of(buttons: Sequence[Press]) -> list[ui.ActionRow[Any]]:
    starts = range(0, len(buttons), BUTTONS_IN_ROW)
    return [ui.ActionRow[Any](*buttons[start : start + BUTTONS_IN_ROW]) for start in starts]


def picture_view(pictures: Sequence[Picture], text: str) -> ui.LayoutView:
    """Pictures with a line of text, without controls."""
    return _message(HOUSE_COLOUR, [_gallery(pictures), ui.TextDisplay(text)], [])


def note_view(text: str, colour: discord.Colour = HOUSE_COLOUR) -> ui.LayoutView:
    """A text on its own."""
    return _message(colour, [ui.TextDisplay(text)], [])


def buttons_view(text: str, buttons: Sequence[Press]) -> ui.LayoutView:
    """A text with buttons below it."""
    return _message(HOUSE_COLOUR, [ui.TextDisplay(text)], _rows_of(buttons))


def menus_view(text: str, menus: Sequence[Pick]) -> ui.LayoutView:
    """A text with menus below it."""
    rows = [ui.ActionRow[Any](menu) for menu in menus]
    return _message(HOUSE_COLOUR, [ui.TextDisplay(text)], rows)


def link_view(text: str, link: str | None, say: Texts) -> ui.LayoutView:
    """A text with the way to the table."""
    rows = [] if link is None else [_link_row(link, say)]
    return _message(HOUSE_COLOUR, [ui.TextDisplay(text)], rows)


def _link_row(link: str, say: Texts) -> ui.ActionRow[Any]:
    return ui.ActionRow(ui.Button(label=say("To the table"), url=link))


def file_view(name: str) -> ui.LayoutView:
    """A text that is too long for a message, as a file."""
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.File(f"attachment://{name}"))
    return layout


# ------------------------------------------------------------------------------- result
def result_view(
    table: Table, words: GameWords, say: Texts, *, for_players: bool = True
) -> ui.LayoutView:
    """Places, points, how it ended, the seed that proves the draws, and what to do next.

    :param for_players: with the way to a rematch.
    """
    text = "\n".join(_result_lines(table, words, say))
    rematch = Control(table.id, table.played.ply, "rematch")
    buttons = [Press(rematch, say("Rematch"), Style.primary)] if for_players else []
    buttons.append(Press(Control(table.id, 0, "replay"), say("Replay")))
    return _message(HOUSE_COLOUR, [ui.TextDisplay(text)], [ui.ActionRow(*buttons)])


def _result_lines(table: Table, words: GameWords, say: Texts) -> Iterator[str]:
    result = table.row.result or {}
    yield f"### {say(words.title)} · `{table.row.code}` · {say('Result')}"
    view = table.played.view(None)
    ranks = result["ranks"]
    for seat in sorted(range(len(ranks)), key=lambda s: ranks[s]):
        score = words.score(view, seat, say)
        tail = f" – {score}" if score else ""
        yield f"{ranks[seat]}. {player_name(table, seat)}{tail}"
    yield ""
    if result["how"] == "resigned":
        yield say("{name} has resigned.", name=player_name(table, result["by"]))
    elif result["how"] == "drawn":
        yield say("All have agreed on a draw.")
    else:
        yield words.reason(result["reason"], say)
    for seat, given in sorted(table.hints.items()):
        yield say.plural(
            "{name} took {n} hint.",
            "{name} took {n} hints.",
            given,
            name=player_name(table, seat),
        )
    yield f"-# {say('Seed of all lots and draws: {seed}', seed=f'`{table.row.seed}`')}"


# ------------------------------------------------------------------------------- inside
def _gallery(pictures: Sequence[Picture]) -> ui.MediaGallery[Any]:
    return ui.MediaGallery(
        *(
            discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt)
            for picture in pictures
        )
    )


def _message(
    colour: discord.Colour, parts: Sequence[ui.Item[Any]], rows: Sequence[ui.ActionRow[Any]]
) -> ui.LayoutView:
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.Container(*parts, *rows, accent_colour=colour))
    return layout
