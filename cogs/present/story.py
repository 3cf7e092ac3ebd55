"""What happened at a table after a given journal line, in sentences that everyone may read; and the
log of all moves, including those taken back, without anything that the reader may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from cogs.gateway.texts import legible
from cogs.present import notes
from cogs.present.people import figure_names, player_name, player_names
from cogs.present.words import GameWords, moves_in_words
from data.store.rows import Line
from data.texts import N_, Texts
from games.engine import CHANCE, Event, Fact, Move
from play.fold import undo_of_line
from play.replays import stood_in
from play.table import Table

LINES = 3
"""The maximum number of lines of news in the message of a board. More would push the buttons below
them off the screen of a phone. The log and the replay leave nothing out.
"""

LINE_LIMIT = 120
"""Turns can share a line of up to this many characters, which takes about two lines on a phone."""

TURN_LIMIT = 240
"""The maximum number of characters for one turn. A turn can contain a whole deal if nobody has a
choice.
"""

SHORT_LIMIT = 300
"""The maximum number of characters in the line that sums up a round."""

LEFT_OUT = "…"

QUICK = N_("{name} had no time to think and moved on instinct. I mention this only once.")

Seen = tuple[int, Move | None, list[Fact]]
"""An event as a reader may see it: seat, move (None or redacted if the move was secret), facts."""


def move_number(log: Sequence[Event], place: int) -> int:
    """Return the number of a move, not counting draws by lot.

    :param place: the index of the move's event in the match's log.
    """
    return sum(event.seat != CHANCE for event in log[: place + 1])


# ------------------------------------------------------------------------------- since when
def arrived(table: Table, seat: int) -> int:
    """Return the journal line at which the current player took or resumed a seat; 0: the start."""
    return next(
        (
            line.number
            for line in reversed(table.journal)
            if line.seat == seat and line.kind in ("back", "take")
        ),
        0,
    )


def since_call(table: Table) -> int:
    """Return the journal line after which everything is news to the people to move: the line of the
    call before their current decision, or the line before their last move if they had not been
    called before. If several people are to move, return the earliest of these lines. If no person
    is to move, return the line of the last call but one.
    """
    calls = [call for call in table.calls() if not call.reminds]
    seats = table.awaited_persons
    if not seats:
        return max(calls[1].line if len(calls) > 1 else 0, table.begun)
    earlier = []
    for seat in seats:
        own = (call.line for call in calls if seat in call.seats)
        uncalled = max(table.begun, before_own(table, seat))
        earlier.append(next((line for line in own if line < table.opened(seat)), uncalled))
    return min(earlier)


def before_own(table: Table, seat: int | None) -> int:
    """Return the line before a seat's last move; before anyone's last move if ``seat`` is None."""
    if seat is not None:
        return table.last_of(seat) - 1
    log = table.played.log
    moves = (table.lines[n] for n in range(len(log) - 1, -1, -1) if log[n].seat != CHANCE)
    return next(moves, 0) - 1


# ------------------------------------------------------------------------------------ news
def story(table: Table, words: GameWords, say: Texts, since: int) -> str:
    """Report what happened after a journal line, one line per turn. If there are more than
    ``LINES`` turns, short neighbouring turns share lines; if they still do not fit, the oldest are
    left out.
    """
    turns: list[list[str]] = []
    last: object = None
    for (_, _), who, sentence in sorted(_told(table, words, say, since), key=lambda t: t[0]):
        if turns and who == last and who is not None:
            turns[-1].append(sentence)
        else:
            turns.append([sentence])
        last = who
    lines = [newest_of(turn, TURN_LIMIT) for turn in turns]
    while len(lines) > LINES:
        # Join the two neighbouring lines that are shortest together, unless even they are too long.
        sizes = [len(one) + len(other) for one, other in pairwise(lines)]
        first = min(range(len(sizes)), key=lambda n: sizes[n])
        if sizes[first] > LINE_LIMIT:
            del lines[0]
            if not lines[0].startswith(LEFT_OUT):
                lines[0] = f"{LEFT_OUT} {lines[0]}"
            continue
        lines[first : first + 2] = [f"{lines[first]} {lines[first + 1]}"]
    return "\n".join(lines)


def rounds_in_short(
    table: Table, words: GameWords, say: Texts, at_most: int
) -> Iterator[tuple[int, int, list[str]]]:
    """Sum up the rounds of the latest two sets, one text per round: from the account of the hand or
    round if the game has accounts, otherwise from everybody's moves. The second-latest set is
    included because an undo can reopen it.

    :param at_most: how many rounds form a set; a full set is followed by a new one.
    :returns: for each set, its number from 0, the journal line that ended its last round, and its
        texts.
    """
    ends = _rounds(table)
    if not ends:
        return
    first = max(0, (len(ends) - 1) // at_most - 1)
    ends, before = ends[first * at_most :], ends[: first * at_most]
    if table.game.info.accounts:
        told = accounts_in_short(table, words, say, ends)
    else:
        since = before[-1] if before else table.begun
        sentences = [(at, text) for at, _, text in sorted(_told(table, words, say, since))]
        told = []
        for line in ends:
            told.append(newest_of([t for (at, _), t in sentences if since < at <= line]))
            since = line
    lines = [text or say("A round is over.") for text in told]
    for at in range(0, len(ends), at_most):
        rounds = slice(at, at + at_most)
        yield first + at // at_most, ends[rounds][-1], lines[rounds]


def _rounds(table: Table) -> list[int]:
    """Return the journal lines that ended rounds: those with an account; in games without accounts,
    those of every second move with two players, of every third with three, and so on.
    """
    if table.game.info.accounts:
        lines = frozenset(table.lines)
        accounts = (int(line.text) for line in table.journal if line.kind == "account")
        return [line for line in accounts if line in lines]
    log = zip(table.lines, table.played.log, strict=True)
    moves = [line for line, event in log if event.seat != CHANCE]
    players = len(table.members)
    return moves[players - 1 :: players]


def accounts_in_short(
    table: Table, words: GameWords, say: Texts, lines: Sequence[int]
) -> list[str]:
    """Sum up the hand or round that ended on each line; a text may be empty.

    :param lines: the lines, in order; at least one.
    """
    kinds = table.game.info.accounts
    told = list(_told(table, words, say, lines[0] - 1, kinds.__contains__))
    return [newest_of([text for (at, _), _, text in told if at == line]) for line in lines]


Sentence = tuple[tuple[int, int], object, str]
"""A sentence: its position (line, then order), the seat whose turn it belongs to (None: it gets a
line of its own), and its text.
"""


def _told(
    table: Table,
    words: GameWords,
    say: Texts,
    since: int,
    wanted: Callable[[str], bool] = lambda kind: True,
) -> Iterator[Sentence]:
    """Yield what happened after a journal line, limited to what everybody may know.

    :param wanted: decides, by the kind of a fact, whether to include it.
    """
    events = table.told_since(since)
    if events:
        names = figure_names(table.names, words.owners(table.public_view), say)
        over, actor, before = may_tell_all(table), CHANCE, ""
        for event in events:
            actor = actor if event.seat == CHANCE else event.seat
            for n, fact in enumerate(event.known(None, over)):
                sentence = words.tell(fact, names, say) if wanted(fact.kind) else ""
                if sentence and not (sentence == before and fact.kind in words.said_once):
                    yield (event.line, n), actor, sentence
                before = sentence or before
    for line in table.journal[max(since, 0) :]:
        sentence = _of_line(table, line, words, say)
        if sentence:
            yield (line.number, 0), None, sentence


def _of_line(table: Table, line: Line, words: GameWords, say: Texts) -> str | None:
    """Return the sentence for a journal line that is not an event of the match."""
    if line.kind == "undo":
        return undone_in_words(line, words, player_names(table), say)
    if line.kind == "quick":
        return say(QUICK, name=player_name(table, line.seat or 0))
    return notes.of_line(table, line, say)


def may_tell_all(table: Table) -> bool:
    """Return whether the match has an outcome by the rules, which leaves no secrets."""
    return table.played.outcome is not None


def newest_of(sentences: Sequence[str], room: int = SHORT_LIMIT) -> str:
    """Return as many of the latest sentences as fit into ``room`` characters, but at least the last
    one.
    """
    told = list[str]()
    for sentence in reversed(sentences):
        room -= len(sentence) + 1
        if room < 0 and told:
            told.append(LEFT_OUT)
            break
        told.append(sentence)
    return " ".join(reversed(told))


def undone_in_words(line: Line, words: GameWords, names: Sequence[str], say: Texts) -> str:
    """Say what an undo took back.

    :param names: the names by seat.
    """
    moves = moves_in_words(undo_of_line(line)["moves"], words, names, say)
    return say("{name} takes back {moves}.", name=names[line.seat or 0], moves=moves)


# ------------------------------------------------------------------------------ the log
def log_text(table: Table, words: GameWords, seat: int | None, say: Texts) -> str:
    """List the moves so far and what was taken back, limited to what ``seat`` may know now."""
    return "\n".join(_lines(table, words, seat, say)) or say("Nothing has happened yet.")


def _lines(table: Table, words: GameWords, seat: int | None, say: Texts) -> Iterator[str]:
    events = dict(zip(table.lines, enumerate(_history(table, seat)), strict=True))
    by_computers, covered = stood_in(table), table.covered
    names = [legible(name) for name in table.names]
    for line in table.journal:
        if line.kind == "undo":
            yield f"  ↶  {_undone(line, table, words, names, say)}"
        if line.number not in events:
            continue
        place, (who, move, facts) = events[line.number]
        name = say("(lot)") if who == CHANCE else names[who]
        if place in by_computers:
            name = say("{name} (computer player)", name=name)
        shown = "–" if move is None else words.logged(move, facts, names, say)
        if place in covered:
            shown = say("(face down)")
        yield f"{place + 1:3}  {name}{say.colon} {shown}"


def _history(table: Table, viewer: int | None) -> list[Seen]:
    """Return the events, limited to what ``viewer`` knows now."""
    match = table.played
    seen = match.history(viewer)
    return [
        (who, event.move if _lies_open(table, seen, place) else move, facts)
        for place, (event, (who, move, facts)) in enumerate(zip(match.log, seen, strict=True))
    ]


def _lies_open(table: Table, seen: Sequence[Seen], place: int) -> bool:
    """Return whether a fact that the reader knows has revealed a choice since it was made."""
    event = table.played.log[place]
    who = event.seat
    for later, (other, _, facts) in enumerate(seen[place:]):
        if later and other == who:
            return False  # anything revealed after this belongs to another choice
        if any(table.game.shown(fact) == (who, event.move) for fact in facts):
            return True
    return False


def _undone(line: Line, table: Table, words: GameWords, names: Sequence[str], say: Texts) -> str:
    """Say what was taken back, and who agreed.

    :param names: the names by seat.
    """
    told = undone_in_words(line, words, names, say)
    consent = undo_of_line(line).get("agreed", ())
    agreed = [legible(member.name) for member in table.members if member.person_id in consent]
    return f"{told} {say('Agreed: {names}.', names=say.list(agreed))}" if agreed else told
