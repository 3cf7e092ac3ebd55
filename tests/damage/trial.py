"""One trial: a copy of a used database is damaged, and looked at."""

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
    """What became of a damage.

    :param outcome: ``refused …`` at the start, a ``sentence …`` later, ``sound``, ``changed``: what
        stands there is other than it was, and consistent; or ``crashed``.
    :param what: the damage, and the traceback of a crash.
    """

    outcome: str
    what: str


def undamaged(house: Path, folder: Path) -> Look:
    """What an undamaged database shows."""
    return asyncio.run(look_at(copy_house(house, folder), random.Random(0)))


def attempt(houses: list[Path], sound: list[Look], folder: Path, seed: int) -> Trial:
    """Damage one of the databases and look at it.

    :param sound: what they show undamaged.
    """
    rng = random.Random(seed)
    number = rng.randrange(len(houses))
    file = copy_house(houses[number], folder)
    what = f"{damage(file, rng)} in {houses[number].parent.name}"
    for _ in range(rng.choice((0, 0, 1))):
        what += f", {damage(file, rng)}"
    try:
        look = asyncio.run(look_at(file, rng))
    except Exception:  # noqa: BLE001 - which one is what is looked for
        return Trial("crashed", f"{what}\n{traceback.format_exc()}")
    finally:
        shutil.rmtree(folder)
    if look.refused:
        return Trial(f"refused {look.refused}", what)
    if look.sentences - sound[number].sentences:
        return Trial("sentence " + " ".join(sorted(look.sentences - sound[number].sentences)), what)
    return Trial("sound" if look.seen == sound[number].seen else "changed", what)
