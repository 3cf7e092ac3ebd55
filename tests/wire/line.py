"""A connection from a process to its database that tests can cut or slow down."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

from psycopg.conninfo import conninfo_to_dict

from data.store.place import Server

CHUNK = 1 << 16


class Line:
    """A socket that forwards everything to the database server.

    :param server: the socket of the server.
    :param folder: the folder of the new socket; it must exist and have a short path.
    :ivar delay: delay of everything forwarded, in seconds.
    :ivar cuts: how often it has been cut.
    """

    def __init__(self, server: Server, folder: Path) -> None:
        known = conninfo_to_dict(server.url)
        port = known.get("port") or 5432
        self._far = f"{known['host']}/.s.PGSQL.{port}"
        self._near = folder / f".s.PGSQL.{port}"
        self.place = Server(f"postgresql:///?{urlencode({**known, 'host': str(folder)})}")
        self.delay = 0.0
        self.cuts = 0
        self._up = True
        self._ends: set[asyncio.StreamWriter] = set()
        self._listening: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_unix_server(self._connect, self._near)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.cut()
        assert self._listening is not None
        self._listening.close()

    def cut(self) -> None:
        """Close all connections and accept none until ``mend``."""
        self._up = False
        self.cuts += 1
        for end in self._ends:
            end.transport.abort()

    def mend(self) -> None:
        """Accept connections again, and stop delaying what is forwarded."""
        self._up = True
        self.delay = 0.0

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ends.add(writer)
        far: asyncio.StreamWriter | None = None
        try:
            if self._up:
                answers, far = await asyncio.open_unix_connection(self._far)
                self._ends.add(far)
                both = self._carry(reader, far), self._carry(answers, writer)
                await asyncio.gather(*both)
        except OSError:
            pass  # the server is down, or the line was cut
        finally:
            for end in (writer, far):
                if end is not None:
                    self._ends.discard(end)
                    end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward everything in one direction; when one end closes, close the other."""
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(data)
                await writer.drain()
        writer.transport.close()
