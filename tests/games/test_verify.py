"""``scripts/verify`` reproduces every lot of every game, and finds forged seeds, seats and lots."""

from __future__ import annotations

import ast
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from games.engine import BadSetup, Game
from games.fairness import sealed, seed_of
from games.records import AS_JOINED, BY_LOT, written
from tests.games.records import Origin, played, record_of

SCRIPT = Path(__file__).parents[2] / "scripts" / "verify"

EACH = 3
"""The number of records for each game and number of players."""

TABLES = [(game, players) for game in GAMES.values() for players in game.info.players]


def verify(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the script with only the standard library, in another folder."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")


def any_options(game: Game[Any], players: int, rng: random.Random) -> dict[str, Any]:
    """Random options with which a match can start."""
    while True:
        options: dict[str, Any] = {}
        for option in game.info.options:
            if option.usable(players) and rng.random() < 0.6:
                values = {"bool": (False, True), "choice": option.choices}
                some = values.get(option.kind) or range(option.lo, option.hi + 1)
                options[option.key] = rng.choice(some)
        try:
            game.setup(players, options)
        except BadSetup:
            continue
        return options


def a_record(game: Game[Any], players: int, rng: random.Random) -> str:
    """The record of a random match with random options, finished or stopped early."""
    origin = Origin.drawn(rng, players)
    most = rng.choice([10**6, 10**6, rng.randrange(60)])
    match = played(game, players, origin.seed, most, any_options(game, players, rng))
    ending = {} if match.outcome else {"how": "ended", "ranks": ()}
    return written(record_of(match, origin, seating=rng.choice([BY_LOT, AS_JOINED]), **ending))


def saved(texts: Mapping[str, str], folder: Path) -> list[Path]:
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in texts]


def faults_in(output: str) -> dict[str, str]:
    """The faults found by the script, by file."""
    return dict(re.findall(r"^\S*/(\S+): (line \d+: .+)$", output, re.MULTILINE))


# ------------------------------------------------------------------------------- fair records
def test_the_script_needs_nothing_from_the_project() -> None:
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
        )
    }
    assert imported <= sys.stdlib_module_names


@pytest.mark.full
def test_the_script_agrees_with_the_engines(tmp_path: Path, rng: random.Random) -> None:
    texts = {
        f"{game.info.id}-{players}-{n}": a_record(game, players, rng)
        for game, players in TABLES
        for n in range(EACH)
    }
    run = verify(*saved(texts, tmp_path))
    assert (faults_in(run.stdout), run.stderr, run.returncode) == ({}, "", 0)
    assert run.stdout.count(": holds\n") == len(texts) == len(TABLES) * EACH


@pytest.mark.parametrize(
    "option", [o.key for o in GAMES["isolde"].info.options if o.kind == "bool"]
)
def test_every_variant_with_a_neutral_colour(
    option: str, tmp_path: Path, rng: random.Random
) -> None:
    """The neutral colour's hand and shields must be tracked through all draws made for it."""
    game, texts = GAMES["isolde"], {}
    for n in range(2):
        origin = Origin.drawn(rng, 2)
        match = played(game, 2, origin.seed, options={"duo": "parzival", option: True})
        texts[str(n)] = written(record_of(match, origin))
    run = verify(*saved(texts, tmp_path))
    assert (faults_in(run.stdout), run.returncode) == ({}, 0)


def test_the_script_prints_what_it_found(tmp_path: Path, rng: random.Random) -> None:
    game = GAMES["twilight"]
    origin = Origin("5e" * 32, 1_367_900_000_000_000_123, ("Drache", "", "Gral"))
    record = record_of(played(game, 3, origin.seed), origin)
    (file,) = saved({"record.txt": written(record)}, tmp_path)
    run = verify(file, "--seal", record.seal.upper())
    assert (run.returncode, run.stderr) == (0, "")
    assert f"Seal: {record.seal}" in run.stdout
    assert "Lucky words, in order of joining: “Drache”, “Gral”." in run.stdout
    assert "Message: 1367900000000000123, posted at 2025-05-02 16:26:" in run.stdout
    lots = sum(event.seat < 0 for event in record.events)
    assert f"All {lots} lots follow from the seed." in run.stdout


@pytest.mark.full
def test_the_script_compares_the_message_that_people_have_seen(
    tmp_path: Path, rng: random.Random
) -> None:
    origin = Origin("5e" * 32, 1_367_900_000_000_000_123, ("Drache", ""))
    record = record_of(played(GAMES["lancelot"], 2, origin.seed), origin)
    (file,) = saved({"record.txt": written(record)}, tmp_path)
    said = f"`K7Q2` · Lots: drawn …\nLucky word of Ann: “{{}}”\nSeal: `{record.seal[:16]}…`"
    fitting = "https://discord.com/channels/@me/1367900000000000999/1367900000000000123"
    for given in (fitting, "1367900000000000123", record.seal[:16], said.format("Drache")):
        assert verify(file, "--message", given).returncode == 0
    for given, why in (
        (fitting[:-1] + "4", "the message that you gave is 1367900000000000124"),
        (other_digit(record.seal[:16]), "has the seal"),
        (said.format("Lindwurm"), "it is not in the message"),
        ("the one above the board", "neither a message nor a seal"),
    ):
        run = verify(file, "--message", given)
        assert (run.returncode, why in run.stdout) == (1, True)


@pytest.mark.full
def test_some_changes_cannot_be_noticed(tmp_path: Path, rng: random.Random) -> None:
    """A truncated record counts as valid, and so does one with swapped places; a record of another
    format version does not.
    """
    origin = Origin.drawn(rng, 2)
    match = played(GAMES["isis"], 2, origin.seed, options={"starter": "1"})
    text = written(record_of(match, origin, how="resigned", ranks=(1, 2)))
    texts = {
        "cut.txt": text[: text.rindex("\n", 0, -1) + 1],
        "swapped.txt": text.replace("Places: 1 2", "Places: 2 1"),
    }
    assert text not in texts.values()
    run = verify(*saved(texts, tmp_path))
    assert run.returncode == 0
    assert run.stdout.count("Not known: whether lines are missing at its end") == 2
    assert run.stdout.count("Not known: places and points, because the match was not played") == 2
    other = saved(
        {"other.txt": text.replace("Tafelrunde record 1", "Tafelrunde record 2")}, tmp_path
    )
    run = verify(*other)
    assert (run.returncode, "there is only version 1" in run.stdout) == (1, True)


# ------------------------------------------------------------------------------ forged records
def changed(text: str, beginning: str, change: Callable[[str], str]) -> str | None:
    """The record with a new value in the first line with this beginning. None if there is no such
    line, or if the value stays the same.
    """
    found = re.search(rf"^({re.escape(beginning)}):? ?(.*)$", text, re.MULTILINE)
    if found is None or change(found[2]) == found[2]:
        return None
    return f"{text[: found.start()]}{beginning}: {change(found[2])}{text[found.end() :]}"


def other_digit(value: str) -> str:
    """The value with a different last character."""
    return value[:-1] + ("1" if value[-1:] != "1" else "2")


def other_order(value: str) -> str:
    """Move the last number to the front; a single number stays."""
    return " ".join([value[-1], value[:-2]]).rstrip()


def other_lots(text: str) -> Iterator[tuple[str, str]]:
    """Copies of a record, each with one lot changed, and a copy without the first lot."""
    lines = text.split("\n")
    lots = [n for n, line in enumerate(lines) if re.match(r"\d+\. lot: ", line)]
    for n in lots:
        yield f"lot{n}", "\n".join([*lines[:n], other_digit(lines[n]), *lines[n + 1 :]])
    for n in lots[:1]:
        after = [re.sub(r"^\d+", lambda m: str(int(m[0]) - 1), line) for line in lines[n + 1 :]]
        yield f"no{n}", "\n".join([*lines[:n], *after])


def forgeries(text: str) -> Iterator[tuple[str, str]]:
    """The name of each forgery, and the record with that forgery alone."""
    changes: dict[str, Callable[[str], str]] = {
        "Seal": other_digit,
        "Secret": other_digit,
        "Message": other_digit,
        "Seed": other_digit,
        "Joined": other_order,
        "Word 1": lambda word: word + "x",
        "Word 2": lambda word: "" if word else "Drache",
    }
    for beginning, change in changes.items():
        forged = changed(text, beginning, change)
        if forged is not None:
            yield beginning.replace(" ", ""), forged
    yield from other_lots(text)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0].info.id}-{table[1]}")
def test_the_script_finds_every_forgery(
    table: tuple[Game[Any], int], tmp_path: Path, rng: random.Random
) -> None:
    texts = dict(forgeries(a_record(*table, rng)))
    assert {"Seal", "Seed", "Secret", "Message", "Word1"} <= set(texts)
    run = verify(*saved(texts, tmp_path))
    assert run.returncode == 1
    assert set(texts) - set(faults_in(run.stdout)) == set()


@pytest.mark.full
def test_for_games_from_packages_only_seed_and_seats_are_checked(
    tmp_path: Path, rng: random.Random
) -> None:
    origin = Origin.drawn(rng, 3)
    text = written(record_of(played(GAMES["twilight"], 3, origin.seed), origin))
    foreign = text.replace("Game: twilight", "Game: foxes").replace("Rules: 1", "Rules: 7")
    (file,) = saved({"record.txt": foreign}, tmp_path)
    unknown = verify(file)
    assert (unknown.returncode, "--seed-only checks everything else" in unknown.stdout) == (1, True)
    run = verify(file, "--seed-only")
    assert (run.returncode, ": holds, except for the lots" in run.stdout) == (0, True)
    assert re.search(r"^Lots: \d+, not checked\.", run.stdout, re.MULTILINE)
    forged = {what: other for what, other in forgeries(foreign) if what[0].isupper()}
    assert len(forged) > 4
    run = verify("--seed-only", *saved(forged, tmp_path))
    assert set(forged) == set(faults_in(run.stdout))


@pytest.mark.full
def test_another_secret_is_found_by_the_lots_and_by_the_seal(
    tmp_path: Path, rng: random.Random
) -> None:
    """If seal, secret and seed are forged together, the deals do not match; in a match without
    draws, only the seal that people have seen gives the forgery away.
    """
    origin, other = Origin.drawn(rng, 3), Origin.drawn(rng, 3)
    for game, options, found in (("twilight", {}, True), ("lancelot", {"starter": "1"}, False)):
        match = played(GAMES[game], 3, origin.seed, options=options)
        record = record_of(match, origin, seating=AS_JOINED)
        text = written(record)
        for old, new in (
            (record.seal, sealed(other.secret)),
            (record.secret, other.secret),
            (record.seed, seed_of(other.secret, record.message, record.words)),
        ):
            text = text.replace(old, new)
        (file,) = saved({game: text}, tmp_path)
        assert ("the seed draws" in verify(file).stdout) is found
        assert "not the seal" in verify(file, "--seal", record.seal).stdout + verify(file).stdout


@pytest.mark.full
def test_rubbish_ends_in_a_sentence(tmp_path: Path, rng: random.Random) -> None:
    texts = {}
    for n in range(40):
        game, players = rng.choice(TABLES)
        text = list(a_record(game, players, rng))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(2)] = rng.choice(["", "0", "1", " ", ":", "\n", "é", "/"])
        texts[str(n)] = "".join(text)
    texts["empty"] = ""
    run = verify(*saved(texts, tmp_path))
    assert run.stderr == ""
    assert len(faults_in(run.stdout)) + run.stdout.count(": holds\n") == len(texts)


def test_an_unreadable_file_ends_with_exit_code_2(tmp_path: Path) -> None:
    """A file is unreadable if it is missing or is not text."""
    picture = tmp_path / "record.png"
    picture.write_bytes(b"\x89PNG\xff")
    run = verify(picture, tmp_path / "nothing.txt")
    assert (run.returncode, run.stdout) == (2, "")
    assert "No such file" in run.stderr
