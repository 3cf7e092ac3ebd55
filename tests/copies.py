"""Quick copies of payloads for simcord, which copies everything it sends and receives.

``copy.deepcopy`` walks through a payload in Python; writing and reading it with ``marshal``, or
with ``pickle`` if it contains an enumeration, gives an equal, independent copy in a tenth of the
time.
"""

from __future__ import annotations

import marshal
import pickle
from types import SimpleNamespace
from typing import Any

from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.http import router


def copied(payload: Any) -> Any:
    try:
        return marshal.loads(marshal.dumps(payload))  # noqa: S302 - written here
    except ValueError:  # it contains more than marshal can write
        return pickle.loads(pickle.dumps(payload))  # noqa: S301 - written here


def copy_quickly() -> None:
    """Replace ``deepcopy`` in the modules of simcord that copy payloads."""
    for module in (components, results, serializers):
        module.deepcopy = copied  # type: ignore[attr-defined]
    for module in (gateway, router):
        module.copy = SimpleNamespace(deepcopy=copied)  # type: ignore[attr-defined]
