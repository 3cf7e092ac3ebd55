"""One trial: damage a copy of a used database, then use it."""

from __future__ import annotations

import asyncio
import random
import shutil
import traceback
from dataclasses import dataclass
from pathlib import Path

from tests.damage.damages import damage
from tests.damage.houses import copy_house
from tests.damage.looking import Look, look_at


@dataclass(frozen=True)
class Trial:
    """The result of one trial.

    :param outcome: ``refused …`` at the start; ``sentence …`` for a later problem; ``sound``;
        ``changed`` if the content differs but is consistent; or ``crashed``.
    :param what: the damage, and the traceback of a crash.
    """

    outcome: str
    what: str


def undamaged(house: Path, folder: Path) -> Look:
    """What can be read from an undamaged database."""
    return asyncio.run(look_at(copy_house(house, folder), random.Random(0)))


def attempt(houses: list[Path], sound: list[Look], folder: Path, seed: int) -> Trial:
    """Damage a copy of one of the databases, and use it.

    :param sound: what each database shows while it is undamaged.
    """
    rng = random.Random(seed)
    number = rng.randrange(len(houses))
    file = copy_house(houses[number], folder)
    what = f"{damage(file, rng)} in {houses[number].parent.name}"
    for _ in range(rng.choice((0, 0, 1))):
        what += f", {damage(file, rng)}"
    try:
        look = asyncio.run(look_at(file, rng))
    except Exception:  # noqa: BLE001 - any crash is a finding
        return Trial("crashed", f"{what}\n{traceback.format_exc()}")
    finally:
        shutil.rmtree(folder)
    if look.refused:
        return Trial(f"refused {look.refused}", what)
    if look.sentences - sound[number].sentences:
        return Trial("sentence " + " ".join(sorted(look.sentences - sound[number].sentences)), what)
    return Trial("sound" if look.seen == sound[number].seen else "changed", what)
