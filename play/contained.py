"""Work whose failure concerns nothing that comes after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

log = structlog.get_logger()


@dataclass
class Attempt:
    """What became of a block of work.

    :param failed: whether an error ended it.
    """

    failed: bool = False


@contextmanager
def contained(event: str, **values: object) -> Iterator[Attempt]:
    """Log any error that ends the block, and go on after it.

    For loops over tables and over background work, in which one failure must not keep the rest from
    being done.

    :param event: the name of the log's line, with the traceback.
    :param values: what else the line says.
    """
    attempt = Attempt()
    try:
        yield attempt
    except Exception:
        attempt.failed = True
        log.exception(event, **values)
