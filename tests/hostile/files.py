"""Records of matches, valid and corrupted, and other files that someone may upload."""

from __future__ import annotations

import gzip
import random
import zipfile
from functools import cache
from io import BytesIO
from typing import Any

from games import GAMES
from games.records import SIZE_LIMIT, written
from tests.games.records import Origin, played, record_of
from tests.hostile.words import hostile, mutated

POOL = 3
"""The number of valid records of each game."""

MOST_MOVES = 60


@cache
def records() -> tuple[str, ...]:
    """Valid records of all games."""
    made = []
    for game in GAMES.values():
        players = max(2, min(game.info.players))
        for seed in range(POOL):
            origin = Origin.drawn(random.Random(seed), players)
            match = played(game, players, origin.seed, MOST_MOVES)
            changes: dict[str, Any] = {}
            if match.outcome is None:
                changes["ranks"] = tuple(range(1, players + 1))
            names = tuple(f"Name {seat}" for seat in range(players))
            made.append(written(record_of(match, origin, names=names, **changes)))
    return tuple(made)


def file(rng: random.Random) -> tuple[str, bytes]:
    """A file's name and content."""
    name = rng.choice(("record.txt", "r.zip", "x" * 100 + ".txt", "a b.txt", "r.TXT", "ü.txt"))
    text = rng.choice(records())
    kind = rng.choice((_as_it_is, *[_spoilt] * 6, _deep_numbers, _coded, _packed, _huge, _noise))
    return name, kind(rng, text)


def _as_it_is(rng: random.Random, text: str) -> bytes:
    return text.encode()


def _spoilt(rng: random.Random, text: str) -> bytes:
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(lines))
        other = rng.randrange(len(lines))
        match rng.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines.insert(at, hostile(rng, 500))
            case _:
                lines[at] = mutated(rng, lines[at])
        lines = lines or [""]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _deep_numbers(rng: random.Random, text: str) -> bytes:
    digits = rng.choice(("9" * 10_000, "0" * 5000 + "1", "٣" * 50, "-" + "9" * 4400, "1e999"))
    lines = text.split("\n")
    numbered = [n for n, line in enumerate(lines) if any(c.isdigit() for c in line)]
    at = rng.choice(numbered)
    head = lines[at].rstrip("0123456789")
    lines[at] = rng.choice((head + digits, digits + lines[at], f"{digits}. seat 1: K4"))
    return "\n".join(lines).encode()


def _coded(rng: random.Random, text: str) -> bytes:
    coding = rng.choice(("utf-16", "utf-32", "latin-1", "utf-8-sig", "cp1252", "utf-7", "cp037"))
    data = text.replace("Name 1", "Ä").encode(coding, "replace")
    return data if rng.random() < 0.5 else data.replace(b"\n", b"\r\n")


def _packed(rng: random.Random, text: str) -> bytes:
    if rng.random() < 0.5:
        return gzip.compress(b"\0" * rng.choice((10_000, 10_000_000)))
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("record.txt", "0" * 5_000_000)
    return whole.getvalue()


def _huge(rng: random.Random, text: str) -> bytes:
    unit = rng.choice((b"\n", b"1. lot: a\n", b"[" * 50, b"A: b\n", b"9"))
    size = rng.choice((SIZE_LIMIT - 1, SIZE_LIMIT, SIZE_LIMIT + 1, 10_000))
    head = text.encode() if rng.random() < 0.5 else b""
    return (head + unit * (size // len(unit) + 1))[:size]


def _noise(rng: random.Random, text: str) -> bytes:
    return rng.randbytes(rng.choice((0, 1, 50, 5000)))
