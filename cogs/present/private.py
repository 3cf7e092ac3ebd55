"""Cards that only one person sees: answers to commands and presses, and hands by direct message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cogs.gateway.cards import (
    BUTTON_LABEL,
    ENTRY_LABEL,
    Button,
    Card,
    Entry,
    Gallery,
    Link,
    Part,
    PersonSelect,
    Row,
    Select,
    Style,
    rows_of,
)
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.board import bare_title, board_card
from cogs.present.choices import (
    choice_rows,
    choosing,
    chosen_in_words,
    hint_rows,
    menu_of,
    table_button,
    way_rows,
)
from cogs.present.drawings import Drawing, advised_drawing, focus_drawing, hand_drawing
from cogs.present.lessons import learn_buttons
from cogs.present.people import figure_names, player_name, safe_names, seat_colour
from cogs.present.story import before_own
from cogs.present.times import deadline
from cogs.present.words import GameWords, Menu
from data.store.rows import Status
from data.texts import N_, Texts
from games.engine import View
from play.coach import Caution
from play.ending import Ending, Resigning, resigning
from play.hints import Hint
from play.judgement import POINTS, RESTATES, Judged, Judgement, Verdict
from play.plans import plans_of
from play.table import Table
from play.undo import waits_for_others

VERDICTS = {
    Verdict.ONLY: N_("the only possible move"),
    Verdict.WINS: N_("wins at once"),
    Verdict.FORCES: N_("wins, whatever anyone else does"),
    Verdict.SAVES: N_("all other moves lose, and I see nothing that beats this one"),
    Verdict.SURE: N_("certainly the best move"),
    Verdict.CLEAR: N_("clearly better than all others"),
    Verdict.BETTER: N_("seems a little better than all others"),
    Verdict.EQUAL: N_("about as good as others"),
    Verdict.CLOSE: N_("almost as good"),
    Verdict.WEAKER: N_("a little weaker"),
    Verdict.LOST: N_("all moves lose, and this one holds out longest"),
}

BESIDE = {**VERDICTS, Verdict.EQUAL: N_("about as good")}
"""The words for the verdict on each recommended move except the first."""

WARNINGS = {
    Resigning.LOSES: N_("If you resign, your opponent wins. Are you sure?"),
    Resigning.REPLACED: N_(
        "If you resign, a computer player plays on for you, and you cannot come back. Are you sure?"
    ),
    Resigning.ENDS: N_(
        "If you resign, nobody is left and the match ends without a result. Are you sure?"
    ),
}

ENDINGS = {
    Ending.ASKS: N_(
        "Shall I ask the others? The match ends without a result if more than half agree."
    ),
    Ending.ALONE: N_(
        "Nobody else plays here, so the match ends at once without a result. Are you sure?"
    ),
    Ending.MANAGES: N_(
        "As you manage this server, you may end the table. Everyone will be told that it was you,"
        " and why."
    ),
}
END_IT = N_("End the table")

REASONS_AT_MOST = 3
"""The maximum number of reasons given for a move."""

ADVICE = N_("During the match, “My hand” shows your hand to you alone.")
REMEDY = N_("I cannot send it: please allow direct messages from members of this server.")
"""Advice for people who cannot be reached by direct message."""


# ------------------------------------------------------------------------------ moving
def menu_card(
    table: Table,
    words: GameWords,
    say: Texts,
    seat: int,
    prefix: str,
    *,
    drawn: bool,
) -> Card:
    """Return the menu of choices that continue ``prefix``.

    :param drawn: add a picture that marks the legal moves.
    """
    view, legal = table.played.view(seat), table.legal(seat)
    menu = words.menu(view, legal, prefix, table.names, say)
    parts: list[Part] = []
    if drawn:
        picture = Gallery((focus_drawing(table, view, legal, prefix, say),))
        parts += [bare_title(table, words, say), picture]
    parts += _asked(table, seat, menu, say)
    rows = choice_rows(table, seat, menu)
    if prefix:
        rows.append((Button(choosing(table, seat), say("Back")),))
    else:
        rows += hint_rows(table, say)
    return Card(tuple(parts), tuple(rows), seat_colour(seat))


def _asked(table: Table, seat: int, menu: Menu, say: Texts) -> Iterator[str]:
    """Yield the question for a seat, and its deadline."""
    yield menu.prompt
    until = table.until(seat)
    if until is not None:
        yield say("You have until {time}.", time=deadline(until))


def hint_card(table: Table, words: GameWords, say: Texts, hint: Hint) -> Card:
    """Return a hint: one move per line, a button for each, and how many hints have been given so
    far.
    """
    choose = choosing(table, hint.seat)
    moves = hint.judgement.recommended
    buttons = tuple(
        Button(
            replace(choose, argument=each.move),
            words.move_in_words(each.move, table.names, say)[:BUTTON_LABEL],
            Style.SECONDARY if number else Style.PRIMARY,
        )
        for number, each in enumerate(moves)
    )
    view = table.played.view(hint.seat)
    names, figures = safe_names(table), figure_names(table.names, words.owners(view), say)
    lines = [
        recommended(
            words,
            each,
            say((BESIDE if number else VERDICTS)[each.verdict]),
            view,
            names,
            figures,
            say,
        )
        for number, each in enumerate(moves)
    ]
    lines += declined(words, hint.judgement, view, names, figures, say)
    count = say.plural(
        "Your first hint here; the result will mention it.",
        "Hint number {n} for you here; the result will say how many there were.",
        hint.given,
    )
    text = "\n".join([f"### {say('Hint')}", *lines, f"-# {count}"])
    best = hint.judgement.best
    drawing = advised_drawing(table, words, view, best.move, best.reasons, say)
    return Card((text, Gallery((drawing,))), (buttons,), seat_colour(hint.seat))


def warning_card(table: Table, words: GameWords, say: Texts, warning: Caution) -> Card:
    """Say why to reconsider a move, with a button to play it anyway."""
    choose = choosing(table, warning.seat)
    names = safe_names(table)
    move = f"**{words.move_in_words(warning.move, names, say)}**"
    lines = [f"### {say('Sure?')}", _lost_by(table, warning, move, say)]
    if warning.reply is not None:
        seat, reply, facts = warning.reply
        figures = figure_names(table.names, words.owners(table.public_view), say)
        told = (words.tell(fact, figures, say) for fact in facts if fact.kind not in RESTATES)
        then = say(
            "{name} could then play {move}.",
            name=player_name(table, seat),
            move=f"**{words.move_in_words(reply, names, say)}**",
        )
        lines.append(" ".join([then, *[text for text in told if text]]))
    lines.append(f"-# {_hints_so_far(table.hints[warning.seat], say)}")
    buttons = (
        Button(replace(choose, argument=warning.move), say("Play it anyway"), Style.SECONDARY),
        table_button(table, "hand", say("Choose again"), Style.PRIMARY)
        if table.game.info.has_secrets
        else table_button(table, "where", say("Choose again"), Style.PRIMARY),
    )
    return Card(("\n".join(lines),), (buttons,), seat_colour(warning.seat))


def _lost_by(table: Table, warning: Caution, move: str, say: Texts) -> str:
    """Say what a move gives away, as far as the player can tell."""
    points = POINTS.get(table.row.game)
    if warning.loses:
        return say("{move} is certain to lose; another move may not lose.", move=move)
    if points is None:
        return say("{move} gives away a lot of your chances.", move=move)
    return say.plural(
        "{move} gives away about {n} point, as far as you can tell.",
        "{move} gives away about {n} points, as far as you can tell.",
        max(1, round(warning.lost * points.worth)),
        move=move,
    )


def _hints_so_far(given: int, say: Texts) -> str:
    return say.plural(
        "This counts as your first hint here; the result will mention it.",
        "This counts as your hint number {n} here; the result will say how many there were.",
        given,
    )


def recommended(
    words: GameWords,
    judged: Judged,
    verdict: str,
    view: View,
    names: Sequence[str],
    figures: Sequence[str],
    say: Texts,
) -> str:
    """Describe a move: how good it is, and why."""
    told = (words.motive(fact, view, figures, say) for fact in judged.reasons)
    why = " ".join([text for text in told if text][:REASONS_AT_MOST])
    return f"- **{words.move_in_words(judged.move, names, say)}** – {verdict}. {why}".rstrip()


def declined(
    words: GameWords,
    judgement: Judgement,
    view: View,
    names: Sequence[str],
    figures: Sequence[str],
    say: Texts,
) -> Iterator[str]:
    """If the obvious move is not recommended, explain why."""
    move = judgement.declined
    if move is None:
        return
    brings = [text for fact in move.brings if (text := words.motive(fact, view, figures, say))]
    but = [text for fact in move.drawbacks if (text := words.motive(fact, view, figures, say))]
    why = say("Why not **{move}**?", move=words.move_in_words(move.move, names, say))
    if move.verdict is Verdict.LOST:
        but = [say("But then you are certain to lose.")]
    elif but:
        but = [say("But: {drawback}", drawback=but[0])] if brings else but[:1]
    else:
        but = [say("But as far as I can see, you are worse off a few moves later.")]
    yield f"-# {' '.join([why, *brings[:1], *but])}"


def plans_card(table: Table, person_id: int, say: Texts) -> Card:
    """List the moves a person has planned at a table, with buttons to change them."""
    plans, hurried = plans_of(table, person_id), person_id in table.hurried
    lines = [f"### {say('Your planned moves')} · `{table.row.code}`"]
    for n, plan in enumerate(plans, 1):
        move = escape(plan.move)
        if plan.answer_to is not None:
            other = escape(plan.answer_to)
            move = say("{move}, if somebody plays {other}", move=move, other=other)
        lines.append(f"{n}. {move}")
    if not plans:
        lines.append(say("None. A planned move is played when it is your turn."))
    if hurried:
        lines.append(say("If you have only one legal move, I play it at once."))
    buttons = [table_button(table, "planform", say("Plan a move"))]
    if plans:
        buttons.append(table_button(table, "dropplans", say("Drop all")))
    label = (
        say("Ask me even if I have only one move") if hurried else say("Play forced moves for me")
    )
    buttons.append(table_button(table, "hurry", label, argument="off" if hurried else "on"))
    return buttons_card("\n".join(lines), buttons)


# ----------------------------------------------------------------------------- looking
def hand_card(
    table: Table, words: GameWords, say: Texts, seat: int, *, direct: bool = False
) -> Card:
    """Return a seat's hand and the question that the seat must answer.

    :param direct: include a link to the table, for a direct message.
    """
    view = table.played.view(seat)
    parts: list[Part] = [
        bare_title(table, words, say),
        Gallery((hand_drawing(table, seat, say, view),)),
    ]
    rows: list[Row] = []
    if table.over:
        parts.append(say("The match is over."))
    elif seat in table.awaited:
        menu = menu_of(table, words, say, seat, view)
        parts += _asked(table, seat, menu, say)
        rows += choice_rows(table, seat, menu)
        rows += hint_rows(table, say)
    elif waits_for_others(table, seat):
        parts.append(chosen_in_words(table, words, say, seat))
        rows.append((table_button(table, "undo", say("Take back")),))
    else:
        parts.append(say("It is not your turn."))
    if direct:
        rows += way_rows(table, say)
    return Card(tuple(parts), tuple(rows), seat_colour(seat))


def news_card(table: Table, words: GameWords, say: Texts, seat: int | None) -> Card:
    """Return the table as it is now, with the news since a seat's last move.

    :param seat: None: a spectator, for whom only the last move is news.
    """
    return board_card(table, words, say, before_own(table, seat))


def close_up_card(
    table: Table, words: GameWords, say: Texts, parts: Sequence[str], shown: int, drawing: Drawing
) -> Card:
    """Return an enlarged part of the table, with a button for each other part.

    :param parts: the names of all parts, as ``GameWords.parts`` returns them.
    :param shown: the index of the part in the picture.
    """
    others = [
        table_button(table, "look", label, argument=str(part))
        for part, label in enumerate(parts)
        if part != shown
    ]
    heading = "" if words.close_up is None else f"{say(words.close_up)} · "
    return Card((f"### {heading}{escape(parts[shown])}", Gallery((drawing,))), rows_of(others))


# ------------------------------------------------------------------------ more actions
def more_card(table: Table, person_id: int, say: Texts, *, manages: bool = False) -> Card:
    """Return a button for everything, apart from moving, that this person can do at the table.

    :param manages: whether the person may manage the table's server.
    """
    text = say("What would you like to do at table {code}?", code=f"`{table.row.code}`")
    if table.row.status is Status.LOBBY:
        return buttons_card(text, list(_more_in_lobby(table, person_id, say, manages)))
    return buttons_card(text, list(_more(table, person_id, say)))


def _more(table: Table, person_id: int, say: Texts) -> Iterator[Button]:
    yield table_button(table, "rules", say("Rules"))
    yield table_button(table, "text", say("As text"))
    yield table_button(table, "log", say("Moves so far"))
    if table.match is not None:
        yield table_button(table, "replay", say("Replay"))
    member = table.member_of(person_id)
    if member is None or (member.resigned and table.running):
        yield (
            table_button(table, "unfollow", say("Stop following"))
            if person_id in table.followers
            else table_button(table, "follow", say("Follow this table"))
        )
    elif not table.running:
        return
    elif member.level is not None:
        yield table_button(table, "back", say("I am back"), Style.SUCCESS)
    else:
        yield table_button(table, "plans", say("Planned moves"))
        if table.gives_hints:
            yield table_button(table, "hint", say("Hint"))
        if table.game.info.draws and len(table.persons) == len(table.members):
            yield table_button(table, "draw", say("Offer a draw"))
        yield table_button(table, "replace", say("Hand over my seat"))
        yield table_button(table, "end", say("End without a result"))
        yield table_button(table, "mayresign", say("Resign"), Style.DANGER)


def _more_in_lobby(table: Table, person_id: int, say: Texts, manages: bool) -> Iterator[Button]:
    yield table_button(table, "rules", say("Rules"))
    yield from learn_buttons(table.row.game, say)
    if table.member_of(person_id) is not None:
        yield table_button(table, "guests", say("Invite somebody…"), Style.PRIMARY)
    elif person_id in table.followers:
        yield table_button(table, "unfollow", say("Stop following"))
    else:
        yield table_button(table, "follow", say("Follow this table"))
    hosts = person_id == table.row.host_id
    if hosts and len(table.members) > 1:
        yield table_button(table, "whom", say("Send away…"))
    if hosts or manages:
        yield table_button(table, "cancel", say("Close the table"), Style.DANGER)


def guests_card(table: Table, say: Texts) -> Card:
    """Return a menu of people to invite."""
    menu = PersonSelect(Control(table.id, 0, "invite"), say("Who should join?"))
    text = say("They get a direct message with a button to join.")
    return Card((text,), (menu,))


def resign_card(table: Table, person_id: int, say: Texts) -> Card:
    """Say what resigning would mean, with a button to resign."""
    resign = table_button(table, "resign", say("Resign"), Style.DANGER)
    return buttons_card(say(WARNINGS[resigning(table, person_id)]), [resign])


def end_card(table: Table, person_id: int, what: Ending, say: Texts) -> Card:
    """Say what ending the table would mean, with a button to end it."""
    only = table.row.status.value if table.row.status is Status.LOBBY else ""
    label = say("Close the table") if only else say(END_IT)
    style, verb = Style.DANGER, "endnow"
    others = [escape(m.name) for m in table.members if m.person_id in table.others(person_id)]
    if what is Ending.MANAGES:
        label, verb = say("Say why…"), "endform"
    elif what is Ending.ASKS:
        label, style = say("Ask the others"), Style.PRIMARY
    end = table_button(table, verb, label, style, only)
    if what is not Ending.CLOSES:
        return buttons_card(say(ENDINGS[what]), [end])
    if not others:
        text = say("Nobody else plays at table {code}. Shall I close it?", code=_code(table))
    elif table.started:
        text = say(
            "This will end the match at table {code} without a result, for {names} too."
            " Are you sure?",
            code=_code(table),
            names=say.list(others),
        )
    else:
        text = say(
            "This will close table {code} for {names} too. Are you sure?",
            code=_code(table),
            names=say.list(others),
        )
    return buttons_card(text, [end])


def _code(table: Table) -> str:
    return f"`{table.row.code}`"


def send_away_card(table: Table, say: Texts) -> Card | None:
    """Return a menu of the members whom the host may send away; None if there are none."""
    entries = tuple(
        Entry(member.name[:ENTRY_LABEL], str(member.number))
        for member in table.members
        if member.person_id != table.row.host_id
    )
    if not entries:
        return None
    menu = Select(Control(table.id, 0, "kick", "0"), say("Who should leave?"), entries)
    return Card((say("Anyone you send away cannot join this table again."),), (menu,))


def buttons_card(text: str, buttons: Sequence[Button | Link]) -> Card:
    """Return a text with buttons underneath."""
    return Card((text,), rows_of(buttons))
