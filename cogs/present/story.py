"""What happened at a table: in sentences, as everyone may know it, after a line of the journal; and
the moves so far as a text: numbered, with what was taken back, as far as one may know it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cogs.present.people import figure_names, player_name, player_names
from cogs.present.words import GameWords
from data.store.rows import Line
from data.texts import N_, Texts
from games.engine import CHANCE, Event, Fact, Move
from play.fold import undo_of_line
from play.replays import stood_in
from play.table import Table

STORY_LIMIT = 700
"""Characters of what happened, in the message of a board. It stands above the buttons: more would
fill the screen of a phone. The log and the replay tell all.
"""

SHORT_LIMIT = 300
"""Characters of the line that remains of a board."""

QUICK = N_(
    "There was no time for a long thought, so {name} moved at a glance. That may happen again; I"
    " mention it only once."
)

Seen = tuple[int, Move | None, list[Fact]]
"""An event as a reader saw it: seat, move (None or redacted where it was secret), facts."""


def move_number(log: Sequence[Event], place: int) -> int:
    """How many moves there were up to an event, itself included; lots are none."""
    return sum(event.seat != CHANCE for event in log[: place + 1])


# -------------------------------------------------------------------------- where it begins
def last_call(table: Table, seat: int | None = None) -> int:
    """The line of the last call, or of the last one of a seat; 0: there was none."""
    return next((n for n, seats in table.calls() if seat is None or seat in seats), 0)


def hand_begun(table: Table, seat: int) -> int:
    """The line from which the hand of a seat is a message of its own: the last call of the seat, or
    the arrival of whoever has it now.
    """
    arrivals = (
        line.number
        for line in reversed(table.journal)
        if line.seat == seat and line.kind in ("back", "take")
    )
    return max(last_call(table, seat), next(arrivals, 0))


def before_call(table: Table) -> int:
    """The line up to which the previous board has told: the last call but one; 0: there was none.

    A journal that is older than calls is told from its last move on.
    """
    calls = (number for number, _ in table.calls())
    last = next(calls, 0)
    before = next(calls, None)
    if before is not None:
        return before
    until = last or table.revision + 1
    moves = (line.number for line in reversed(table.journal) if line.kind == "move")
    return next((number - 1 for number in moves if number < until), 0)


def before_own(table: Table, seat: int | None) -> int:
    """The line before the last move of a seat; of anyone, if ``seat`` is None."""
    if seat is not None:
        return table.last_of(seat) - 1
    log = table.played.log
    moves = (table.lines[n] for n in range(len(log) - 1, -1, -1) if log[n].seat != CHANCE)
    return next(moves, 0) - 1


# --------------------------------------------------------------------------------- telling
def story(table: Table, words: GameWords, say: Texts, since: int) -> str:
    """What happened after a line, as far as it fits, and the seal of the lots at the start."""
    told = newest_of([sentence for _, sentence in sorted(_told(table, words, say, since))])
    return f"{told}\n{seal_in_words(table, say)}".lstrip() if since < table.begun else told


def in_short(table: Table, words: GameWords, say: Texts, since: int) -> str:
    """What happened after a line and until the last call, as far as it fits into a line or two,
    without what the account of a hand or round tells.
    """
    until, accounts = last_call(table) or table.revision, table.game.info.accounts
    told = [
        sentence
        for (line, _), sentence in sorted(
            _told(table, words, say, since, lambda kind: kind not in accounts)
        )
        if line <= until
    ]
    return newest_of(told, SHORT_LIMIT)


def account_in_short(table: Table, words: GameWords, say: Texts, line: int) -> str:
    """What the event of a line tells of the hand or round that it closed; may be empty."""
    told = _told(table, words, say, line - 1, table.game.info.accounts.__contains__)
    return newest_of([sentence for (at, _), sentence in told if at == line], SHORT_LIMIT)


def seal_in_words(table: Table, say: Texts) -> str:
    """What binds the bot to its lots and draws before the first of them is known."""
    return f"-# {say('Seal of all lots and draws (SHA-256): {seal}', seal=f'`{table.seal}`')}"


def _told(
    table: Table,
    words: GameWords,
    say: Texts,
    since: int,
    wanted: Callable[[str], bool] = lambda kind: True,
) -> Iterator[tuple[tuple[int, int], str]]:
    """Sentences with their places: line, then order.

    :param wanted: whether facts of a kind are told.
    """
    events = table.told_since(since)
    if events:
        owners = words.owners(table.public_view)
        names = figure_names(table.names, owners, say)
        over = may_tell_all(table)
        for event in events:
            for n, fact in enumerate(event.known(None, over)):
                sentence = words.tell(fact, names, say) if wanted(fact.kind) else ""
                if sentence:
                    yield (event.line, n), sentence
    for line in table.journal[max(since, 0) :]:
        if line.kind == "undo":
            yield (line.number, 0), undone_in_words(line, words, player_names(table), say)
        elif line.kind == "quick":
            name = player_name(table, line.seat or 0)
            yield (line.number, 0), say(QUICK, name=name)


def may_tell_all(table: Table) -> bool:
    """Whether the match was played to its end, so that everything may be told."""
    return table.played.outcome is not None


def newest_of(sentences: Sequence[str], room: int = STORY_LIMIT) -> str:
    """As many of the last sentences as there is room for: there are more if a channel could not be
    told anything for long.
    """
    told = list[str]()
    for sentence in reversed(sentences):
        room -= len(sentence) + 1
        if room < 0:
            told.append("…")
            break
        told.append(sentence)
    return " ".join(reversed(told))


def undone_in_words(line: Line, words: GameWords, names: Sequence[str], say: Texts) -> str:
    """What an undo took back, and what went with it; names by seat."""
    moves = moves_in_words(undo_of_line(line)["moves"], words, names, say)
    return say("{name} takes back {moves}.", name=names[line.seat or 0], moves=moves)


def moves_in_words(
    moves: Sequence[Sequence[int | str | None]],
    words: GameWords,
    names: Sequence[str],
    say: Texts,
) -> str:
    """Moves that go together: the first one's own, the others' with their names.

    :param moves: (seat, move) as everyone may know it; None: not at all.
    :param names: by seat.
    """
    own, *others = (
        say("a sealed choice") if move is None else words.move_in_words(str(move), names, say)
        for _, move in moves
    )
    if not others:
        return own
    seats = [names[int(seat or 0)] for seat, _ in moves[1:]]
    listed = say.list([f"{name}: {move}" for name, move in zip(seats, others, strict=True)])
    return say("{move}, and with it {moves}", move=own, moves=listed)


# ------------------------------------------------------------------------------ the log
def log_text(table: Table, words: GameWords, seat: int | None, say: Texts) -> str:
    """The moves so far and what was taken back, as far as ``seat`` may know it by now."""
    return "\n".join(_lines(table, words, seat, say)) or say("Nothing has happened yet.")


def _lines(table: Table, words: GameWords, seat: int | None, say: Texts) -> Iterator[str]:
    events = dict(zip(table.lines, enumerate(_history(table, seat)), strict=True))
    by_computers, covered = stood_in(table), table.covered
    for line in table.journal:
        if line.kind == "undo":
            yield f"  ↶  {_undone(line, table, words, say)}"
        if line.number not in events:
            continue
        place, (who, move, facts) = events[line.number]
        name = say("(lot)") if who == CHANCE else table.names[who]
        if place in by_computers:
            name = say("{name} (computer player)", name=name)
        shown = "–" if move is None else words.logged(move, facts, table.names, say)
        if place in covered:
            shown = say("(lies face down)")
        yield f"{place + 1:3}  {name}: {shown}"


def _history(table: Table, viewer: int | None) -> list[Seen]:
    """The events as ``viewer`` knows them by now."""
    match = table.played
    seen = match.history(viewer)
    return [
        (who, event.move if _lies_open(table, seen, place) else move, facts)
        for place, (event, (who, move, facts)) in enumerate(zip(match.log, seen, strict=True))
    ]


def _lies_open(table: Table, seen: Sequence[Seen], place: int) -> bool:
    """Whether what a seat chose in secret has been shown since, by a fact that the reader knows."""
    event = table.played.log[place]
    who, move, _ = seen[place]
    if who == CHANCE or move == event.move:
        return False
    for later, (other, _, facts) in enumerate(seen[place:]):
        if later and other == who:
            return False  # what is shown from here on is another choice
        if any(table.game.shown(fact) == (who, event.move) for fact in facts):
            return True
    return False


def _undone(line: Line, table: Table, words: GameWords, say: Texts) -> str:
    """What was taken back, and who agreed to it."""
    told = undone_in_words(line, words, table.names, say)
    consent = undo_of_line(line).get("agreed", ())
    agreed = [member.name for member in table.members if member.person_id in consent]
    return f"{told} {say('Agreed: {names}.', names=say.list(agreed))}" if agreed else told
