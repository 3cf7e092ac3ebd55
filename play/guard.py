"""Work whose failure concerns nothing that comes after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

log = structlog.get_logger()


@dataclass
class Guard:
    """What became of a guarded block.

    :param failed: whether an error ended it.
    """

    failed: bool = False


@contextmanager
def guarded(event: str, **values: object) -> Iterator[Guard]:
    """Log any error that ends the block, and go on after it.

    For loops over tables and over background work, in which one failure must not keep the rest from
    being done.

    :param event: the name of the log's line, with the traceback.
    :param values: what else the line says.
    """
    guard = Guard()
    try:
        yield guard
    except Exception:
        guard.failed = True
        log.exception(event, **values)
