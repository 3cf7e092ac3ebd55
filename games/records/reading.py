"""Reads a match record from text, verifies it, and reports the first faulty line."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final, TypeVar

from games.engine import (
    CHANCE,
    BadSetup,
    Event,
    Game,
    IllegalMove,
    Match,
    NotYourTurn,
    Option,
    Setup,
)
from games.fairness import WORD_LIMIT, lucky_word, sealed, seed_of
from games.records.record import (
    AS_JOINED,
    BY_LOT,
    NAME_LIMIT,
    PLAYED,
    SIZE_LIMIT,
    TITLE,
    VERSION,
    FaultyRecord,
    Record,
    plain_name,
    seats_by_lot,
)
from games.records.writing import counted_text, points_text

N = TypeVar("N", int, float)

_EXCERPT: Final = 40
"""How many characters of a faulty line are quoted."""

_KEY_LINE: Final = re.compile(r"([A-Z][a-z]+(?: [a-z0-9_]{1,40})?):(?: (.*))?\Z", re.ASCII)
_MOVE_LINE: Final = re.compile(r"(\d{1,5})\. (?:seat (\d{1,2})|lot): (\S{1,200})\Z", re.ASCII)

_DIGEST: Final = r"[0-9a-f]{64}"
_COUNT: Final = r"[1-9]\d?"
_POINTS: Final = r"-?\d{1,9}(?:\.\d{1,9})?"


def decoded(data: bytes) -> str:
    """Decode a file.

    :raises FaultyRecord: ``too_large`` or ``not_text``.
    """
    if len(data) > SIZE_LIMIT:
        raise FaultyRecord("too_large", 1, limit=SIZE_LIMIT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FaultyRecord("not_text", data.count(b"\n", 0, error.start) + 1) from None


def read(text: str, games: Mapping[str, Game[Any]]) -> tuple[Record, Match[Any]]:
    """Read a record and verify it: the seal matches the secret; the seed follows from the secret,
    the message and the lucky words; seats by lot and all draws follow from the seed; every move was
    legal; if the match was played to its end, the moves lead to the result.

    :param games: the known games, by id.
    :returns: the record and its match, replayed to the last event.
    :raises FaultyRecord: names the first faulty line.
    """
    lines = _Lines(text)
    record = _read_header(lines, games)
    match = Match(games[record.game], _setup(lines, record, games[record.game]))
    _check_seed(lines, record, match.setup)
    _replay(lines, match)
    _check_result(lines, record, match)
    return replace(record, events=tuple(match.log)), match


class _Lines:
    """The significant lines of a record, one at a time."""

    def __init__(self, text: str) -> None:
        self._rest = _numbered(text)
        self.number, self.text = 1, ""
        self.where: dict[str, int] = {}
        """The line number of each key that was read."""
        self.advance()

    def advance(self) -> None:
        """Go to the next line; after the last one, ``text`` is empty."""
        self.number, self.text = next(self._rest, (self.number + bool(self.text), ""))

    def key(self) -> str:
        """Return the key of this line; empty if it is not a header line."""
        match = _KEY_LINE.match(self.text)
        return match[1] if match else ""

    def value(self, key: str, pattern: str, plain: Callable[[str], str] = str) -> str:
        """Return the value of this line, which must have this key, match ``pattern``, and be
        unchanged by ``plain``.
        """
        match = _KEY_LINE.match(self.text)
        if match is None or match[1] != key:
            raise FaultyRecord("expected", self.number, key=key, text=self.text[:_EXCERPT])
        value = match[2] or ""
        if not re.fullmatch(pattern, value, re.ASCII) or plain(value) != value:
            raise self.bad_value(key, value)
        self.where[key] = self.number
        self.advance()
        return value

    def values(self, key: str, pattern: str) -> list[str]:
        """Return the values of this line, separated by spaces."""
        return self.value(key, f"{pattern}(?: {pattern})*").split(" ")

    def bad_value(self, key: str, value: str) -> FaultyRecord:
        """Return the error for an impossible value."""
        line = self.where.get(key, self.number)
        return FaultyRecord("bad_value", line, key=key, text=value[:_EXCERPT])


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip(" \t\r")
        if stripped and not (stripped.startswith("#") and number > 1):
            yield number, stripped


# ------------------------------------------------------------------------------- header
def _read_header(lines: _Lines, games: Mapping[str, Game[Any]]) -> Record:
    _read_title(lines)
    game = _read_game(lines, games)
    table = lines.value("Table", r"[A-Z0-9]{1,12}")
    begun, ended = _read_date(lines, "Begun"), _read_date(lines, "Ended")
    seating = lines.value("Seats", f"{BY_LOT}|{AS_JOINED}")
    joined = _read_joined(lines, game)
    players = len(joined)
    return Record(
        game=game.info.id,
        rules=game.info.rules,
        table=table,
        begun=begun,
        ended=ended,
        seating=seating,
        joined=joined,
        names=tuple(
            lines.value(f"Seat {seat}", rf".{{0,{NAME_LIMIT}}}", plain_name)
            for seat in range(1, players + 1)
        ),
        computers=frozenset(
            seat - 1
            for seat in _read_some(lines, "Computers", _COUNT, int, lambda n: max(n) <= players)
        ),
        hints=_read_some(lines, "Hints", r"\d{1,4}", int, lambda n: len(n) == players and any(n)),
        options=_read_options(lines, game),
        seal=lines.value("Seal", _DIGEST),
        secret=lines.value("Secret", _DIGEST),
        message=int(lines.value("Message", r"[1-9]\d{0,19}")),
        words=tuple(
            lines.value(f"Word {place}", rf".{{0,{WORD_LIMIT}}}", lucky_word)
            for place in range(1, players + 1)
        ),
        seed=lines.value("Seed", _DIGEST),
        how=lines.value("Result", r"[a-z_]{1,20}"),
        ranks=_read_some(lines, "Places", _COUNT, int, lambda n: len(n) == players and min(n) == 1),
        scores=_read_some(lines, "Points", _POINTS, float, lambda n: len(n) == players),
        events=(),
    )


def _read_title(lines: _Lines) -> None:
    title = re.fullmatch(rf"{TITLE} (\d{{1,9}})", lines.text, re.ASCII)
    if title is None:
        raise FaultyRecord("not_a_record", lines.number)
    version = int(title[1])
    if version != VERSION:
        raise FaultyRecord("other_version", lines.number, version=version, known=VERSION)
    lines.advance()


def _read_game(lines: _Lines, games: Mapping[str, Game[Any]]) -> Game[Any]:
    name = lines.value("Game", r"[a-z0-9_]{1,40}")
    if name not in games:
        raise FaultyRecord("unknown_game", lines.where["Game"], text=name)
    game = games[name]
    rules = int(lines.value("Rules", r"\d{1,9}"))
    if rules != game.info.rules:
        raise FaultyRecord(
            "other_rules", lines.where["Rules"], version=rules, known=game.info.rules
        )
    return game


def _read_date(lines: _Lines, key: str) -> date:
    text = lines.value(key, r"\d{4}-\d\d-\d\d")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise lines.bad_value(key, text) from None


def _read_joined(lines: _Lines, game: Game[Any]) -> tuple[int, ...]:
    joined = tuple(int(text) - 1 for text in lines.values("Joined", _COUNT))
    players = len(joined)
    if players not in game.info.players or sorted(joined) != list(range(players)):
        raise lines.bad_value("Joined", counted_text(joined))
    return joined


def _read_some(
    lines: _Lines, key: str, pattern: str, kind: type[N], fits: Callable[[tuple[N, ...]], bool]
) -> tuple[N, ...]:
    """Return the numbers in a line; the line may be missing."""
    if lines.key() != key:
        return ()
    texts = lines.values(key, pattern)
    numbers = tuple(map(kind, texts))
    if not fits(numbers):
        raise lines.bad_value(key, " ".join(texts))
    return numbers


def _read_options(lines: _Lines, game: Game[Any]) -> dict[str, bool | int | str]:
    known = {option.key: option for option in game.info.options}
    options: dict[str, bool | int | str] = {}
    while (key := lines.key()).startswith("Option "):
        name = key.removeprefix("Option ")
        if name not in known or name in options:
            raise FaultyRecord("bad_value", lines.number, key=key, text=lines.text[:_EXCERPT])
        options[name] = _option_value(known[name], lines.value(key, r"[!-~]{1,40}"), lines)
    return options


def _option_value(option: Option, text: str, lines: _Lines) -> bool | int | str:
    if option.kind == "bool" and text in ("yes", "no"):
        return text == "yes"
    if option.kind == "int" and re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        return int(text)
    if option.kind == "choice" and text in option.choices:
        return text
    raise lines.bad_value(f"Option {option.key}", text)


# ------------------------------------------------------------------------------- proofs
def _setup(lines: _Lines, record: Record, game: Game[Any]) -> Setup:
    """Return the setup of the match, which the rules must allow."""
    players = len(record.names)
    try:
        setup = game.setup(players, record.options, record.seed)
    except BadSetup as cause:
        line = lines.where.get(f"Option {cause.data.get('option')}", lines.where["Seal"])
        raise FaultyRecord("bad_setup", line, game=record.game, cause=cause) from cause
    missing = [key for key in setup.options if key not in record.options]
    if missing:
        raise FaultyRecord("expected", lines.where["Seal"], key=f"Option {missing[0]}", text="")
    return setup


def _check_seed(lines: _Lines, record: Record, setup: Setup) -> None:
    """Check the seal against the secret, the seed against all that it is made from, and the seats
    against the seed or the order of joining.
    """
    if sealed(record.secret) != record.seal:
        raise FaultyRecord("seal_mismatch", lines.where["Seal"])
    if seed_of(record.secret, record.message, record.words) != record.seed:
        raise FaultyRecord("seed_mismatch", lines.where["Seed"])
    by_lot = record.seating == BY_LOT
    due = seats_by_lot(record.seed, setup.players) if by_lot else range(setup.players)
    if record.joined != tuple(due):
        raise FaultyRecord("seats_mismatch", lines.where["Joined"])


def _replay(lines: _Lines, match: Match[Any]) -> None:
    """Play the moves in the lines, which must also contain every draw of chance."""
    drawn = deque(step.event for step in match.advance())
    number = 0
    while lines.text:
        number += 1
        event = _read_event(lines, number)
        if drawn:
            _check_draw(lines, event, drawn.popleft())
        else:
            drawn.extend(_played(lines, match, event))
        lines.advance()
    if drawn:
        raise FaultyRecord("not_over", lines.number)


def _read_event(lines: _Lines, number: int) -> Event:
    line = _MOVE_LINE.match(lines.text)
    if line is None:
        raise FaultyRecord("unreadable", lines.number, text=lines.text[:_EXCERPT])
    if int(line[1]) != number:
        raise FaultyRecord("wrong_number", lines.number, number=int(line[1]), due=number)
    return Event(CHANCE if line[2] is None else int(line[2]) - 1, line[3])


def _check_draw(lines: _Lines, event: Event, drawn: Event) -> None:
    if event.seat != CHANCE:
        raise FaultyRecord("not_their_turn", lines.number, seat=event.seat)
    if event != drawn:
        raise FaultyRecord("draw_mismatch", lines.number, text=event.move[:_EXCERPT])


def _played(lines: _Lines, match: Match[Any], event: Event) -> list[Event]:
    if not match.actors:
        raise FaultyRecord("after_the_end", lines.number)
    seat, text = event.seat, event.move[:_EXCERPT]
    try:
        steps = match.play(seat, [event.move])
    except NotYourTurn:
        raise FaultyRecord("not_their_turn", lines.number, seat=seat) from None
    except IllegalMove as cause:
        raise FaultyRecord(
            "illegal_move", lines.number, seat=seat, text=text, game=match.game.info.id, cause=cause
        ) from cause
    if steps[0].event != event:
        raise FaultyRecord("illegal_move", lines.number, seat=seat, text=text)
    return [step.event for step in steps[1:]]


def _check_result(lines: _Lines, record: Record, match: Match[Any]) -> None:
    """If the record says that the match was played to its end, check that the moves lead to its
    result; otherwise, check that they do not end the match.
    """
    outcome = match.outcome
    if record.how == PLAYED and outcome is None:
        raise FaultyRecord("not_over", lines.number)
    if outcome is None:
        return
    if record.how != PLAYED:
        raise FaultyRecord("result_mismatch", lines.where["Result"])
    if record.ranks != outcome.ranks:
        raise FaultyRecord("result_mismatch", lines.where.get("Places", lines.where["Result"]))
    if points_text(record.scores) != points_text(outcome.scores):
        raise FaultyRecord("result_mismatch", lines.where.get("Points", lines.where["Result"]))
