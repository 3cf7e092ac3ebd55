"""Keeps an error in one piece of work from stopping the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

log = structlog.get_logger()


@dataclass
class Guard:
    """How a guarded block ended.

    :param failed: whether an error ended it.
    """

    failed: bool = False


@contextmanager
def guarded(event: str, **values: object) -> Iterator[Guard]:
    """Log any error that ends the block, and continue after it.

    This is meant for loops over tables and for background work, where one failure must not stop the
    rest.

    :param event: the name of the log event; the traceback is logged with it.
    :param values: further values of the event.
    """
    guard = Guard()
    try:
        yield guard
    except Exception:
        guard.failed = True
        log.exception(event, **values)
