"""The messages of a tournament: a main message that stays up to date, the lots, the podium, and
notes that are posted once. Also the cards for its organisers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final

from cogs.gateway.cards import (
    BUTTON_LABEL,
    ENTRY_LABEL,
    OPTIONS_IN_MENU,
    Button,
    Card,
    Entry,
    Gallery,
    Row,
    Select,
    Style,
    menus_of,
    rows_of,
)
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.drawings import Painted
from cogs.present.setup import Draft, options_menu, options_told
from cogs.present.surfaces import Surface
from cogs.present.times import deadline, pace_in_words
from cogs.present.words import GameWords
from data.store.rows import OccasionLine
from data.texts import N_, Texts, series, texts
from games import GAMES
from play.clock import read_pace
from play.occasions.tournament import (
    Dropouts,
    Format,
    Phase,
    Seeding,
    Tournament,
    TournamentPlan,
    slot_of,
)
from play.occasions.tournament_acts import Tourney, drawing_of
from play.pairings.meetings import Meeting
from play.pairings.standings import Standing
from render.bracket import (
    Bracket,
    BracketRow,
    Crosstable,
    Duel,
    Podium,
    bracket_drawn,
    podium_drawn,
    standings_drawn,
)
from render.scene import Picture

FORMATS: Final = {
    Format.KNOCKOUT: N_("Knock-out: one loss and you are out"),
    Format.ROBIN: N_("Round robin: everyone meets everyone"),
    Format.SWISS: N_("Swiss system: players on equal points meet"),
}

AT_TABLES: Final = N_("Tables of up to {n}: players on equal points sit together")
"""How the Swiss system works at tables of more than two players."""

LONG: Final = 10
"""With at least this many rounds, the rules also say how many weeks the tournament takes."""

SHOWN_LINES: Final = 16
"""How many of a round's tables the message lists."""


def _picture(what: Bracket | Crosstable | Podium, say: Texts) -> Picture:
    match what:
        case Bracket():
            return bracket_drawn(what, say)
        case Crosstable():
            return standings_drawn(what, say)
        case Podium():
            return podium_drawn(what, say)


# ---------------------------------------------------------------------------- surfaces
class TournamentSurfaces:
    """Lists the messages that should exist for each tournament.

    :param words: the words of each game, by id.
    """

    def __init__(self, words: Mapping[str, GameWords]) -> None:
        self._words = words

    def __call__(
        self, occasion: Tourney, told: int, told_from: Callable[[str], int]
    ) -> list[Surface]:
        """Return the surfaces in posting order.

        :param told: include the notes on all journal lines after this one.
        :param told_from: not used: all messages show the tournament as it is now.
        """
        return list(self._all(occasion, told))

    def _all(self, occasion: Tourney, told: int) -> Iterator[Surface]:
        say, state = texts(occasion.row.language), occasion.state
        over = state.phase in (Phase.OVER, Phase.OFF)
        yield Surface("tournament", tournament_card(occasion, self._words, say), final=over)
        if state.phase is Phase.DRAWING:
            yield Surface(f"lots:{drawing_of(occasion)}", places_card(occasion, say))
        for line in occasion.journal[told:]:
            note = note_of(occasion, line, self._words, say)
            if note:
                yield Surface(f"note:{line.number}", Card((note,)), final=True)
            if line.kind == "over":
                yield Surface("podium", podium_card(occasion, self._words, say), final=True)


def tournament_card(occasion: Tourney, words: Mapping[str, GameWords], say: Texts) -> Card:
    """Return the main message, which stays up to date."""
    state = occasion.state
    head = f"### 🏆 {escape(state.plan.title)} · `{occasion.row.code}`"
    parts: list[Any] = [f"{head}\n{state_in_words(state, say)}"]
    if state.rounds:
        parts.append(Gallery((Painted(_picture, picture_of(state, say), say),)))
        if state.phase is Phase.RUNNING:
            parts.append(_round_in_words(state, say))
    elif state.phase is Phase.OPEN:
        parts.append(rules_in_words(state.plan, words, say))
        parts.append(_signed_in_words(state, say))
        parts.append(f"-# {_seal(state, say)}")
    return Card(tuple(parts), _rows(occasion, say))


def _rows(occasion: Tourney, say: Texts) -> tuple[Row, ...]:
    phase = occasion.state.phase
    buttons: list[Button] = []
    if phase is Phase.OPEN:
        buttons.append(_button(occasion, "toursign", say("Take part"), Style.SUCCESS))
    if phase is Phase.RUNNING:
        buttons.append(_button(occasion, "tourmine", say("My match")))
    if phase in (Phase.OPEN, Phase.RUNNING, Phase.OVER):
        buttons.append(_button(occasion, "tourrules", say("How scoring works")))
    if phase in (Phase.OPEN, Phase.RUNNING):
        buttons.append(_button(occasion, "tourleave", say("Withdraw…")))
        buttons.append(_button(occasion, "tourmanage", say("Organise…")))
    return rows_of(buttons)


def control_of(occasion: Tourney, verb: str, argument: str = "") -> Control:
    """Return the control of a tournament's button or menu."""
    return Control(0, occasion.revision, verb, argument, occasion=occasion.id)


def _button(
    occasion: Tourney, verb: str, label: str, style: Style = Style.SECONDARY, argument: str = ""
) -> Button:
    return Button(control_of(occasion, verb, argument), label[:BUTTON_LABEL], style)


def places_card(occasion: Tourney, say: Texts) -> Card:
    """Return the message that determines the players' places. It never changes, because its id is
    part of the seed.
    """
    told = say(
        "The places are being drawn. They follow from my secret and the number that Discord gives"
        " this message."
    )
    return Card((f"🏆 `{occasion.row.code}` · {told}\n-# {_seal(occasion.state, say)}",))


def podium_card(occasion: Tourney, words: Mapping[str, GameWords], say: Texts) -> Card:
    """Return the final result, for players to share."""
    state = occasion.state
    first = [escape(state.name(place)) for rank, place in state.ranks() if rank == 1]
    title = escape(state.plan.title)
    told = say("**{name}** has won {title}.", name=say.list(first), title=title)
    drawing = Painted(_picture, podium_of(state, words, say), say)
    return Card((f"🏆 {told}", Gallery((drawing,))))


# ------------------------------------------------------------------------------- words
def state_in_words(state: Tournament, say: Texts) -> str:
    """Describe the state of a tournament in a sentence."""
    match state.phase:
        case Phase.OPEN:
            if state.plan.closes_at is None:
                return say("Sign-up is open until all {n} places are taken.", n=state.plan.most)
            return say("Sign-up is open until {time}.", time=deadline(state.plan.closes_at))
        case Phase.DRAWING:
            return say("Sign-up is over. The places are being drawn.")
        case Phase.OFF:
            return say("This tournament was called off.")
        case Phase.OVER:
            return say("This tournament is over.")
        case Phase.RUNNING:
            return _running_in_words(state, say)


def _running_in_words(state: Tournament, say: Texts) -> str:
    number = len(state.rounds)
    if state.paused:
        return say("Paused in round {n} of {all}.", n=number, all=state.rounds_in_all)
    left = sum(not meeting.over for meeting in state.last_round)
    told = say("Round {n} of {all}", n=number, all=state.rounds_in_all)
    return say.plural(
        "{round}: {n} table is still playing.",
        "{round}: {n} tables are still playing.",
        left,
        round=told,
    )


def rules_in_words(plan: TournamentPlan, words: Mapping[str, GameWords], say: Texts) -> str:
    """List the rules announced before sign-up, one per line."""
    form = say(FORMATS[plan.format]) if plan.seats == 2 else say(AT_TABLES, n=plan.seats)
    game = _game_in_words(plan, words, say)
    lines = [f"**{game}** · {form}"]
    if plan.game in words:
        options = options_told(GAMES[plan.game].info, plan.options, plan.seats)
        lines += [words[plan.game].option_in_words(*each, say) for each in options]
    lines += [
        say("{least} to {most} people", least=plan.least, most=plan.most)
        if plan.least < plan.most
        else say.plural("{n} person", "{n} people", plan.most),
        say("Time: {pace}", pace=pace_in_words(read_pace(plan.pace), say)),
    ]
    rounds = plan.rounds_for(plan.most)
    told = say.plural("{n} round in total", "Up to {n} rounds, one after the other", rounds)
    if rounds >= LONG:
        weeks = say("{n} weeks if each round takes a week", n=rounds)
        told = f"{told}{say.colon} {weeks} ⏳"
    lines.append(told)
    if plan.seeding is Seeding.RATING:
        lines.append(say("Seeded by rating on this server, ties by lot"))
    else:
        lines.append(say("Seeded by lot"))
    return "\n".join(f"- {line}" for line in lines)


def _game_in_words(plan: TournamentPlan, words: Mapping[str, GameWords], say: Texts) -> str:
    """Return the game's title; its id if it is no longer installed."""
    return say(words[plan.game].title) if plan.game in words else plan.game


def counting_in_words(plan: TournamentPlan, say: Texts) -> str:
    """Say how results, ties and withdrawals are counted."""
    points = (
        say("A win counts 1, a draw ½.")
        if plan.seats == 2
        else say(
            "You get 1 for everyone you finish ahead of, and ½ for everyone you tie with. Empty"
            " seats at a table count as players behind you."
        )
    )
    time = say(
        "When your time is up, a computer player moves for you, and its move counts as yours."
        " There are no hints. A player who resigns is last at the table."
    )
    unfinished = say(
        "A match that ends without a result, or never begins, counts as a draw. A match that has"
        " lost its channel waits; an organiser may decide it."
    )
    lines = [points, time, unfinished, *_ties_in_words(plan, say), *_leavers_in_words(plan, say)]
    return "\n".join(f"- {line}" for line in lines)


def _ties_in_words(plan: TournamentPlan, say: Texts) -> Iterator[str]:
    """Yield what decides between players on equal points, and who gets a bye."""
    if plan.format is Format.KNOCKOUT:
        yield say("After a draw, the better seed advances.")
        yield say("If places are empty, the best seeds get a bye in round 1.")
        return
    yield say(
        "Ties are broken by Buchholz (the points of all your opponents), Sonneborn-Berger"
        " (the points of those you beat, and half the points of those you tied with), the direct"
        " encounter, wins, and then by lot."
    )
    if plan.format is Format.SWISS:
        yield say(
            "A player left over gets a bye, scored as a win; nobody gets a second bye before"
            " everyone has had one."
        )


def _leavers_in_words(plan: TournamentPlan, say: Texts) -> Iterator[str]:
    """Yield what happens when somebody leaves."""
    if plan.dropouts is Dropouts.REPLACE:
        yield say(
            "If somebody leaves, the next person on the waiting list inherits the place and its "
            "points."
        )
    if plan.format is not Format.SWISS:
        yield say("Matches against people who have left count as wins.")


def _seal(state: Tournament, say: Texts) -> str:
    return say("Seal of the lots: {seal}", seal=f"`{state.seal}`")


def proof_in_words(state: Tournament, say: Texts) -> str:
    """Return the values that prove the lots, once the tournament is over."""
    return say(
        "Secret: {secret}\nDrawing message: {message}\nPeople: {n}. The order of the seeds is"
        " drawn from these as docs/tournaments.md describes.",
        secret=f"`{state.secret}`",
        message=f"`{state.message}`",
        n=len(state.places),
    )


def _signed_in_words(state: Tournament, say: Texts) -> str:
    heading = say("**Signed up** ({n} of {most})", n=len(state.entrants), most=state.plan.most)
    names = [escape(state.names.get(e.person_id, "")) for e in state.entrants]
    told = [heading, ", ".join(names) or say("Nobody yet.")]
    if state.waiting:
        waiting = [escape(state.names.get(e.person_id, "")) for e in state.waiting]
        told.append(say("Waiting for a place: {names}", names=", ".join(waiting)))
    return "\n".join(told)


def _round_in_words(state: Tournament, say: Texts) -> str:
    """List the tables of the round, one per line, with a link to each that is still playing."""
    lines, number = [], len(state.rounds) - 1
    for at, meeting in enumerate(state.last_round[:SHOWN_LINES]):
        lines.append(f"- {meeting_in_words(state, number, at, meeting, say)}")
    more = len(state.last_round) - SHOWN_LINES
    if more > 0:
        lines.append(say.plural("- and {n} more table", "- and {n} more tables", more))
    return "\n".join(lines)


def meeting_in_words(state: Tournament, number: int, at: int, meeting: Meeting, say: Texts) -> str:
    """Say who meets whom, and where they play or who won."""
    names = [escape(state.name(place)) for place in meeting.players]
    if meeting.bye:
        return say("{name} has a bye", name=names[0])
    told = " – ".join(names)
    if meeting.over:
        best = [
            n for n, rank in zip(names, meeting.ranks, strict=True) if rank == min(meeting.ranks)
        ]
        if len(best) == len(names):
            return say("{names}: draw", names=told)
        return say("{names}: **{winner}**", names=told, winner=say.list(best))
    table = state.tables.get(slot_of(number, at))
    if table is None:
        return say("{names}: the table is about to open", names=told)
    return f"{told}{say.colon} <#{table.channel_id}> `{table.code}`"


TOLD: Final = {
    "withdraw": N_("{name} has withdrawn."),
    "remove": N_("{by} has removed {name}."),
    "pause": N_("{by} has paused the tournament."),
    "resume": N_("{by} has resumed the tournament."),
    "off": N_("{by} has called the tournament off."),
}
"""The notes about journal lines, by kind."""


def note_of(
    occasion: Tourney, line: OccasionLine, words: Mapping[str, GameWords], say: Texts
) -> str:
    """Return the note about a journal line; empty if the line has no note."""
    state = occasion.state
    given = json.loads(line.text) if line.text.startswith("{") else {}
    told = _told(state, line, given, say)
    if line.kind == "options":
        told = _options_changed(state.plan, line, given, words[state.plan.game], say)
    if not told:
        return ""
    if given.get("for") is not None:
        newcomer = _person(state, given["for"])
        told = f"{told} {say('{name} takes over the place.', name=newcomer)}"
    if given.get("reason"):
        told = f"{told} {say('Reason: “{reason}”', reason=escape(given['reason']))}"
    return f"🏆 `{occasion.row.code}` · {told}"


def _told(state: Tournament, line: OccasionLine, given: Mapping[str, Any], say: Texts) -> str:
    by = f"<@{line.person_id}>"
    if line.kind == "round":
        return say("Round {n} of {all} begins.", n=line.text, all=state.rounds_in_all)
    if line.kind == "correct":
        return _correction(state, given, by, say)
    if line.kind == "off" and line.person_id is None:
        return say("Too few people have signed up, so the tournament is called off.")
    if line.kind == "withdraw" and not state.places:
        return ""  # the sign-up list shows it
    name = _person(state, given["who"]) if "who" in given else ""
    return say(TOLD[line.kind], by=by, name=name) if line.kind in TOLD else ""


def _options_changed(
    plan: TournamentPlan, line: OccasionLine, given: Mapping[str, Any], words: GameWords, say: Texts
) -> str:
    values = [
        (option, option.default_at(plan.seats) if given[option.key] is None else given[option.key])
        for option in GAMES[plan.game].info.options
        if option.key in given
    ]
    what = series((words.option_in_words(option, value, say) for option, value in values), say)
    by = f"<@{line.person_id}>"
    return say("{by} has changed the options: {what}", by=by, what=what)


def _correction(state: Tournament, given: Mapping[str, Any], by: str, say: Texts) -> str:
    slot = given["slot"]
    _, _, meeting = state.meeting(slot) or (0, 0, Meeting(()))
    ranks = given["ranks"]
    by_rank: dict[int, list[str]] = {}
    for place, rank in sorted(zip(meeting.players, ranks, strict=False), key=itemgetter(1)):
        by_rank.setdefault(rank, []).append(escape(state.name(place)))
    if len(by_rank) == 1:
        return say("{by} has decided table {slot}: a draw.", by=by, slot=slot)
    if len(ranks) == 2:
        name = by_rank[1][0]
        return say("{by} has decided table {slot}: {name} wins.", by=by, slot=slot, name=name)
    order = series((f"{rank}. {say.list(names)}" for rank, names in by_rank.items()), say)
    return say("{by} has decided table {slot}: {order}.", by=by, slot=slot, order=order)


def _person(state: Tournament, person_id: int) -> str:
    return f"**{escape(state.names.get(person_id, ''))}**"


# ---------------------------------------------------------------------------- pictures
def picture_of(state: Tournament, say: Texts) -> Bracket | Crosstable:
    """Return the bracket or the standings."""
    head = state_in_words(state, say)
    if state.plan.format is not Format.KNOCKOUT:
        return _crosstable(state, head, say)
    return Bracket(
        state.plan.title,
        head,
        tuple(state.name(place) for place in range(len(state.places))),
        tuple(
            tuple(Duel(m.players, m.winner() if m.over else None) for m in meetings)
            for meetings in state.rounds
        ),
        state.rounds_in_all,
    )


def _crosstable(state: Tournament, head: str, say: Texts) -> Crosstable:
    heads = (say("Name"), say("Last round"), say("Points"), say("BH"), say("SB"), say("Wins"))
    rows = tuple(_table_row(state, standing, say) for standing in state.standings())
    golden = 1 if state.phase is Phase.OVER else 0
    key = say("BH Buchholz, SB Sonneborn-Berger")
    return Crosstable(state.plan.title, head, heads, rows, golden, key)


def _table_row(state: Tournament, standing: Standing, say: Texts) -> BracketRow:
    place = standing.place
    ties = (halves(standing.buchholz), quarters(standing.sonneborn), str(standing.wins))
    last, others = _last_in_words(state, place, say)
    return BracketRow(
        standing.rank,
        state.name(place),
        last,
        halves(standing.points),
        ties,
        state.places[place].gone,
        tuple(map(state.name, others)),
    )


def _last_in_words(state: Tournament, place: int, say: Texts) -> tuple[str, Sequence[int]]:
    """Say what a player did in the latest round.

    :returns: the words, with ``{names}`` for the others, and the others' places.
    """
    meeting = next((m for m in state.last_round if place in m.players), None)
    if meeting is None:
        return "", ()
    if meeting.bye:
        return say("bye"), ()
    others = [other for other in meeting.players if other != place]
    if not meeting.over:
        return say("plays {names}", names="{names}"), others
    if len(meeting.players) > 2:
        rank = meeting.ranks[meeting.players.index(place)]
        return say("place {rank} of {n}", rank=rank, n=len(meeting.players)), ()
    ((_, gain),) = meeting.against(place)
    result = {2: "1 : 0", 1: "½ : ½", 0: "0 : 1"}[gain]
    return f"{result} {{names}}", others


def podium_of(state: Tournament, words: Mapping[str, GameWords], say: Texts) -> Podium:
    """Return the people on the three steps of the podium."""
    steps = tuple(
        tuple(state.name(place) for rank, place in state.ranks() if rank == step)
        for step in (1, 2, 3)
    )
    game = _game_in_words(state.plan, words, say)
    people = say.plural("{n} person", "{n} people", len(state.places))
    rounds = say.plural("{n} round", "{n} rounds", len(state.rounds))
    return Podium(state.plan.title, steps, f"{game} · {people} · {rounds}", state.plan.game)


def halves(number: int) -> str:
    """Write a number of half points: 5 becomes 2½."""
    return quarters(2 * number)


def quarters(number: int) -> str:
    """Write a number of quarter points: 7 becomes 1¾."""
    whole, part = divmod(number, 4)
    fraction = ("", "¼", "½", "¾")[part]
    return f"{whole}{fraction}" if whole or not fraction else fraction


# -------------------------------------------------------------------------- organisers
def tournament_draft(occasion: Tourney) -> Draft:
    """Return the settings that organisers may still change."""
    plan = occasion.state.plan

    def check(changes: Mapping[str, Any]) -> None:
        plan.choosing(changes).check()

    return Draft(
        GAMES[plan.game].info,
        plan.options,
        plan.seats,
        (),
        check,
        partial(control_of, occasion, "touropt"),
        N_("Change the options…"),
    )


def manage_card(occasion: Tourney, words: Mapping[str, GameWords], say: Texts) -> Card:
    """Return an organiser's actions. Each action asks for a reason, except starting the tournament
    and changing the options.
    """
    state = occasion.state
    buttons = []
    if state.phase is Phase.OPEN:
        buttons.append(_button(occasion, "tourbegin", say("Begin now"), Style.SUCCESS))
    if state.phase is Phase.RUNNING and state.paused:
        buttons.append(_button(occasion, "tourwhy", say("Resume…"), Style.SUCCESS, "resume"))
    elif state.phase is Phase.RUNNING:
        buttons.append(_button(occasion, "tourwhy", say("Pause…"), argument="pause"))
    buttons.append(_button(occasion, "tourwhy", say("Call off…"), Style.DANGER, "off"))
    rows: list[Row] = [*rows_of(buttons)]
    if state.phase is Phase.OPEN:
        rows.append(options_menu(tournament_draft(occasion), words[state.plan.game], say))
    out, decide = control_of(occasion, "tourout"), control_of(occasion, "tourfix")
    rows += menus_of(out, say("Remove somebody…"), _people(state))
    rows += menus_of(decide, say("Decide a table…"), _meetings(state)[:OPTIONS_IN_MENU])
    text = say("Everyone sees what you do here, with your name and reason.")
    return Card((f"🏆 `{occasion.row.code}`\n{text}",), tuple(rows))


def _people(state: Tournament) -> list[Entry]:
    there = [
        *(p.person_id for p in state.places if not p.gone),
        *(e.person_id for e in state.signed),
    ]
    names = {person: state.names.get(person, "") for person in there}
    return [_entry(name, f"remove.{person}") for person, name in names.items()]


def _meetings(state: Tournament) -> list[Entry]:
    """Return the tables whose results can be changed, latest first."""
    last = len(state.rounds) - 1
    found = [
        _entry(f"{slot} · {' – '.join(state.name(place) for place in meeting.players)}", slot)
        for slot, meeting in state.slots
        if not meeting.bye
        and (state.plan.format is not Format.KNOCKOUT or slot.startswith(f"{last + 1}."))
    ]
    return found[::-1]


def _entry(label: str, value: str, *, chosen: bool = False) -> Entry:
    return Entry(label[:ENTRY_LABEL] or value, value, chosen=chosen)


def decide_card(
    occasion: Tourney, slot: str, meeting: Meeting, ranks: Sequence[int], say: Texts
) -> Card:
    """Return the choices for the result of a table: a button per result for two players, a menu per
    person for more. A result's button opens the form that asks for a reason; with menus, the button
    for that form appears once every place has been chosen.

    :param ranks: the ranks by seat, as chosen so far; 0: not chosen yet.
    """
    names = [occasion.state.name(place) for place in meeting.players]
    told = say("Table {slot}: {names}", slot=slot, names=" – ".join(map(escape, names)))
    if len(names) == 2:
        results = {say("{name} wins", name=names[0]): "1-2", say("Draw"): "1-1"}
        results |= {say("{name} wins", name=names[1]): "2-1"}
        buttons = [
            _button(occasion, "tourwhy", label, argument=f"correct.{slot}.{result}")
            for label, result in results.items()
        ]
        return Card((told,), rows_of(buttons))
    ranks = [*ranks, *[0] * len(names)][: len(names)]
    rows: list[Row] = [
        Select(
            control_of(occasion, "tourfix", str(seat)),
            say("{name}: which place?", name=name),
            tuple(
                _entry(
                    say("{name}: place {rank}", name=name, rank=rank),
                    f"{slot}.{_chain([*ranks[:seat], rank, *ranks[seat + 1 :]])}",
                    chosen=rank == ranks[seat],
                )
                for rank in range(1, len(names) + 1)
            ),
        )
        for seat, name in enumerate(names)
    ]
    hint = say("People who share a place get the same number.")
    if all(ranks):
        argument = f"correct.{slot}.{_chain(ranks)}"
        label = say("Set this result…")
        rows.append((_button(occasion, "tourwhy", label, Style.SUCCESS, argument),))
    return Card((f"{told}\n-# {hint}",), tuple(rows))


def _chain(ranks: Sequence[int]) -> str:
    """Return ranks as they are written in controls."""
    return "-".join(map(str, ranks))


def leave_card(occasion: Tourney, say: Texts) -> Card:
    """Ask the person to confirm that they want to withdraw."""
    text = say(
        "Do you want to withdraw? A match in progress continues; resign at its table to end it."
    )
    sure = _button(occasion, "tourgone", say("Yes, withdraw"), Style.DANGER)
    return Card((text,), ((sure,),))
