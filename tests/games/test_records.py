"""Match records: reading returns what was written, and errors name the first faulty line."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import GAMES
from games.engine import Game, Match
from games.fairness import lucky_word
from games.records import (
    AS_JOINED,
    SIZE_LIMIT,
    FaultyRecord,
    Record,
    decoded,
    plain_name,
    read,
    written,
)
from tests.examples import examples
from tests.games.records import Origin, played, record_of
from tests.games.toys import Auction

AUCTION = {"auction": Auction()}

TABLES = [
    pytest.param(game, players, id=f"{game.info.id}-{players}")
    for game in (*GAMES.values(), Auction())
    for players in game.info.players
]


def auction() -> str:
    """The record of a whole auction with three players, in which all deals precede the bids."""
    return written(record_of(played(AUCTION["auction"], 3)))


def lucky_auction() -> str:
    """The record of another such auction, with a lucky word from the second player."""
    origin = Origin("5e" * 32, 1_367_900_000_000_000_123, ("", "Word 2: ß", ""))
    return written(record_of(played(AUCTION["auction"], 3, origin.seed), origin))


def with_line(text: str, number: int, line: str) -> str:
    lines = text.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


def line_of(text: str, beginning: str) -> int:
    """The number of the first line with this beginning."""
    return next(n for n, line in enumerate(text.split("\n"), 1) if line.startswith(beginning))


# --------------------------------------------------------------------------- round trip
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_is_written_is_read_back(game: Game[Any], players: int) -> None:
    _comes_back(game, record_of(match := played(game, players)), match)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_origin_of_the_seed_is_read_back(
    game: Game[Any], players: int, rng: random.Random
) -> None:
    origin = Origin.drawn(rng, players)
    _comes_back(game, record_of(match := played(game, players, origin.seed), origin), match)


def _comes_back(game: Game[Any], record: Record, match: Match[Any]) -> None:
    again, replayed = read(written(record), {game.info.id: game})
    assert again == record
    assert replayed.state == match.state
    assert written(again) == written(record)


@pytest.mark.parametrize("most", [0, 1, 5])
def test_a_match_that_was_resigned_is_read_back(most: int) -> None:
    """A record may end before the rules end the match, if it says so."""
    game = GAMES["lancelot"]
    record = record_of(played(game, 2, most=most), seating=AS_JOINED, computers=frozenset({1}))
    assert read(written(record), GAMES)[0] == record


def test_a_match_without_a_result_is_read_back() -> None:
    record = record_of(played(GAMES["lancelot"], 2, most=3), how="ended", ranks=())
    assert read(written(record), GAMES)[0] == record


def test_hints_are_read_back() -> None:
    record = record_of(played(GAMES["lancelot"], 2, most=3), how="ended", ranks=(), hints=(0, 12))
    assert "\nHints: 0 12\n" in written(record)
    assert read(written(record), GAMES)[0] == record


def test_editors_do_no_harm() -> None:
    """Windows line endings, a byte order mark, blank lines, comments and spaces at the ends of
    lines change nothing.
    """
    text = auction()
    edited = text.replace("\n", " \r\n\r\n  # a remark\r\n")
    data = b"\xef\xbb\xbf" + edited.encode()
    assert read(decoded(data), AUCTION)[0] == read(text, AUCTION)[0]


@examples(25)
@given(st.text(max_size=60))
def test_any_lucky_word_fits_on_a_line(typed: str) -> None:
    word = lucky_word(typed)
    assert word == lucky_word(word)
    origin = Origin("5e" * 32, 17, (word, ""))
    record = record_of(played(AUCTION["auction"], 2, origin.seed), origin)
    assert read(written(record), AUCTION)[0].words == (word, "")


@given(st.text(max_size=60))
def test_any_name_fits_on_a_line(name: str) -> None:
    plain = plain_name(name)
    assert plain.isprintable()
    assert plain == plain_name(plain)
    match = played(AUCTION["auction"], 2)
    record = record_of(match, names=(plain, "Ben"))
    assert read(written(record), AUCTION)[0].names == (plain, "Ben")


# ------------------------------------------------------------------------------- faults
FAULTS: dict[str, tuple[str, str, str]] = {
    # name: the beginning of a line, its replacement, the fault
    "title": ("Tafelrunde record", '[Event "Lancelot"]', "not_a_record"),
    "version": ("Tafelrunde record", "Tafelrunde record 2", "other_version"),
    "no game": ("Game", "# nothing", "expected"),
    "game": ("Game", "Game: chess", "unknown_game"),
    "rules": ("Rules", "Rules: 99", "other_rules"),
    "rules in words": ("Rules", "Rules: one", "bad_value"),
    "day": ("Ended", "Ended: 2026-02-30", "bad_value"),
    "seats": ("Seats", "Seats: by age", "bad_value"),
    "too many": ("Joined", "Joined: 1 2 3 4", "bad_value"),
    "joined twice": ("Joined", "Joined: 1 1 2", "bad_value"),
    "other lot": ("Seats", "Seats: joined", "seats_mismatch"),
    "seat missing": ("Seat 2", "# nobody", "expected"),
    "seat in disorder": ("Seat 2", "Seat 3: Ben", "expected"),
    "long name": ("Seat 2", f"Seat 2: {'x' * 33}", "bad_value"),
    "name with marks": ("Seat 2", "Seat 2: \u202eneB", "bad_value"),
    "no such computer": ("Option double", "Computers: 4", "bad_value"),
    "hints of nobody": ("Option double", "Hints: 0 0 0", "bad_value"),
    "hints of too many": ("Option double", "Hints: 1 2 3 4", "bad_value"),
    "unknown option": ("Option double", "Option dragons: yes", "bad_value"),
    "bad switch": ("Option double", "Option double: perhaps", "bad_value"),
    "bad number": ("Option rounds", "Option rounds: many", "bad_value"),
    "number beyond": ("Option rounds", "Option rounds: 4", "bad_setup"),
    "bad choice": ("Option tie", "Option tie: last", "bad_value"),
    "option missing": ("Option double", "# none", "expected"),
    "option twice": ("Option tie", "Option rounds: 1", "bad_value"),
    "seal": ("Seal", f"Seal: {'0' * 64}", "seal_mismatch"),
    "no seal": ("Seal", "Seal: yes", "bad_value"),
    "seed": ("Seed", "Seed: another", "bad_value"),
    "no result": ("Result", "# none", "expected"),
    "resigned": ("Result", "Result: resigned", "result_mismatch"),
    "places": ("Places", "Places: 1 1 1", "result_mismatch"),
    "no place": ("Places", "# none", "result_mismatch"),
    "nobody first": ("Places", "Places: 2 2 2", "bad_value"),
    "places of two": ("Places", "Places: 1 2", "bad_value"),
    "points": ("Points", "Points: 9 0 0", "result_mismatch"),
    "points of two": ("Points", "Points: 1 0", "bad_value"),
    "no points": ("Points", "Points: nan 0 0", "bad_value"),
    "unknown key": ("Points", "Glory: much", "unreadable"),
    "rubbish": ("4. ", "then Anna bid three", "unreadable"),
    "long move": ("4. ", f"4. seat 1: {'x' * 201}", "unreadable"),
    "number": ("4. ", "5. seat 1: bid:1", "wrong_number"),
    "draw": ("2. ", "2. lot: deal:9", "draw_mismatch"),
    "a seat draws": ("2. ", "2. seat 1: deal:1", "not_their_turn"),
    "no draw due": ("4. ", "4. lot: deal:1", "not_their_turn"),
    "no such seat": ("4. ", "4. seat 4: bid:1", "not_their_turn"),
    "seat zero": ("4. ", "4. seat 0: bid:1", "not_their_turn"),
    "illegal": ("4. ", "4. seat 1: bid:9", "illegal_move"),
    "other spelling": ("4. ", "4. seat 1: BID:1", "illegal_move"),
}

ELSEWHERE = {
    "other lot": "Joined",
    "option missing": "Seal",
    "no game": "Rules",
    "seat missing": "Seat 3",
    "no result": "Places",
    "no place": "Result",
    "unknown key": "Glory",
}
"""The beginning of the faulty line, if that is not the changed one."""


@pytest.mark.parametrize("name", FAULTS)
def test_the_first_faulty_line_is_named(name: str) -> None:
    beginning, line, code = FAULTS[name]
    text = auction()
    number = line_of(text, beginning)
    faulty = with_line(text, number, line)
    with pytest.raises(FaultyRecord) as fault:
        read(faulty, AUCTION)
    expected = line_of(faulty, ELSEWHERE[name]) if name in ELSEWHERE else number
    assert (fault.value.code, fault.value.line) == (code, expected)
    assert str(fault.value).startswith(f"line {expected}: ")


FORGERIES: dict[str, tuple[str, str, str]] = {
    "seal": ("Seal", f"Seal: {'0' * 64}", "seal_mismatch"),
    "secret": ("Secret", f"Secret: {'0' * 64}", "seal_mismatch"),
    "no secret": ("Secret", "# none", "expected"),
    "message": ("Message", "Message: 1367900000000000124", "seed_mismatch"),
    "no message": ("Message", "Message: 0", "bad_value"),
    "word": ("Word 2", "Word 2: ß", "seed_mismatch"),
    "word of another": ("Word 1", "Word 1: ß", "seed_mismatch"),
    "no word": ("Word 3", "# none", "expected"),
    "long word": ("Word 2", f"Word 2: {'x' * 41}", "bad_value"),
    "decomposed word": ("Word 2", "Word 2: u\u0308", "bad_value"),
    "seed": ("Seed", f"Seed: {'0' * 64}", "seed_mismatch"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_origin_of_the_seed_is_named(name: str) -> None:
    beginning, line, code = FORGERIES[name]
    text = lucky_auction()
    read(text, AUCTION)
    with pytest.raises(FaultyRecord) as fault:
        read(with_line(text, line_of(text, beginning), line), AUCTION)
    assert fault.value.code == code


def test_every_fault_is_tested() -> None:
    """The tables above and the tests below cover every code that ``FaultyRecord`` documents."""
    told = (FaultyRecord.__doc__ or "").partition("says why:")[2].partition(":param")[0]
    promised = set(told.split("``")[1::2])
    elsewhere = {"too_large", "not_text", "after_the_end", "not_over"}
    tested = {code for _, _, code in (*FAULTS.values(), *FORGERIES.values())}
    assert tested | elsewhere == promised


def test_a_record_that_stops_early_is_noticed() -> None:
    lines = auction().rstrip("\n").split("\n")
    for missing in (1, 4):
        shorter = lines[:-missing]
        with pytest.raises(FaultyRecord) as fault:
            read("\n".join(shorter), AUCTION)
        assert (fault.value.code, fault.value.line) == ("not_over", len(shorter) + 1)


def test_a_record_with_moves_after_the_end_is_noticed() -> None:
    text = auction().rstrip("\n")
    number = int(text.split("\n")[-1].split(".")[0])
    with pytest.raises(FaultyRecord) as fault:
        read(f"{text}\n{number + 1}. seat 1: bid:1", AUCTION)
    assert (fault.value.code, fault.value.line) == ("after_the_end", len(text.split("\n")) + 1)


def test_the_first_of_two_faults_is_named() -> None:
    text = auction()
    first, second = line_of(text, "4. "), line_of(text, "5. ")
    faulty = with_line(with_line(text, first, "4. seat 1: bid:9"), second, "rubbish")
    with pytest.raises(FaultyRecord) as fault:
        read(faulty, AUCTION)
    assert (fault.value.code, fault.value.line) == ("illegal_move", first)


def test_binary_files_and_large_files_are_refused() -> None:
    with pytest.raises(FaultyRecord) as fault:
        decoded(b"Tafelrunde record 1\nGame: \xff\xd8\n")
    assert (fault.value.code, fault.value.line) == ("not_text", 2)
    decoded(b"x" * SIZE_LIMIT)
    with pytest.raises(FaultyRecord) as fault:
        decoded(b"x" * (SIZE_LIMIT + 1))
    assert fault.value.code == "too_large"


# ------------------------------------------------------------------------------ garbage
def _noise(rng: random.Random) -> bytes:
    return rng.randbytes(SIZE_LIMIT)


def _lines_of_nothing(rng: random.Random) -> bytes:
    return b"Tafelrunde record 1\n" + b"\n" * (SIZE_LIMIT - 20)


def _one_long_line(rng: random.Random) -> bytes:
    return b"Tafelrunde record 1\nGame: " + b"x" * (SIZE_LIMIT - 30)


def _many_moves(rng: random.Random) -> bytes:
    text = auction()
    number = line_of(text, "1. ")
    return ("\n".join(text.split("\n")[: number - 1]) + "\n1. lot: deal:1" * 60_000).encode()


def _digits(rng: random.Random) -> bytes:
    return b"Tafelrunde record " + b"9" * (SIZE_LIMIT - 20)


@pytest.mark.parametrize("make", [_noise, _lines_of_nothing, _one_long_line, _many_moves, _digits])
def test_a_megabyte_of_rubbish_is_refused(make: Callable[[random.Random], bytes]) -> None:
    with pytest.raises(FaultyRecord) as fault:
        read(decoded(make(random.Random(7))), AUCTION)
    assert fault.value.line >= 1


@given(st.randoms(use_true_random=False))
def test_a_damaged_record_is_refused_or_equal(rng: random.Random) -> None:
    text = list(auction())
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        text[at : at + rng.randrange(2)] = rng.choice(["", "0", "1", " ", ":", "\n", "é", text[at]])
    damaged = "".join(text)
    try:
        record, _ = read(damaged, AUCTION)
    except FaultyRecord as fault:
        line = fault.line
    else:
        line = 1
        assert read(written(record), AUCTION)[0] == record
    assert 1 <= line <= damaged.count("\n") + 2
