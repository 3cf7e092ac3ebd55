"""A version of the bot is replaced by the next, process by process, on one database."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from data.store import postgres
from tests.chaos import guild_of
from tests.limits import emojis_of
from tests.postgres import shared_server
from tests.stores import looking_into
from tests.wire import ahead
from tests.wire.joust import Deed, Joust
from tests.wire.kills import process
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn

pytestmark = pytest.mark.full


async def test_a_version_is_replaced_process_by_process(
    discord: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People play on servers of both versions, and the older one decides a move at a table of the
    newer one; the older one is killed and restarted alongside the newer one. The newer version
    uploads a changed icon, the old one stays available, and in the end both are deleted.
    """
    async with AsyncExitStack() as opened:
        house = opened.enter_context(shared_server().house())

        async def bot(module: str, shard: int) -> BotProcess:
            (tmp_path / module).mkdir(exist_ok=True)
            running = process(discord, module, tmp_path / module, house, f"{shard}/2")
            return (await opened.enter_async_context(running))[0]

        older = [await bot("tests.wire.hasty", shard) for shard in range(2)]
        for each in older:
            await each.start()
        jousts = [Joust(discord, house, guild_of(discord, shard, 2)) for shard in range(2)]
        for joust in jousts:
            await joust.open(starter=1, king=True)
            await joust.place(joust.ben, "X:J5")
            await joust.place(joust.anna, "K4")
            await joust.settled()

        await older[1].terminate()
        newer = await bot("tests.wire.ahead", 1)
        await newer.start()
        monkeypatch.setattr(postgres, "read_migrations", ahead.migrations)
        for joust in jousts:
            await joust.place(joust.ben, "G7", by_buttons=True)
            await joust.settled()
        # Direct messages go to the older version, which decides about a table of the newer one.
        there = jousts[1]
        done = await there.anna.slash(
            there.anna.dm, "lancelot place", square="E9", table=there.code
        )
        assert (await done.answer()).text == "Done: E9."
        there.deeds.append(Deed(done, there.anna, "E9"))
        await there.settled()

        await older[0].kill()
        await older[0].start()
        await jousts[0].place(jousts[0].anna, "E9")
        for joust in jousts:
            await joust.settled()

        await older[0].terminate()
        last = await bot("tests.wire.ahead", 0)
        await last.start()
        await discord.world.until(lambda: len(discord.world.emojis) == 2, what="the new icon")
        for joust in jousts:
            await joust.place(joust.ben, "D10")
            await joust.check("after the upgrade")
            assert joust.told == ["E9", "D10"]
            assert any(emojis_of({"components": joust.boards[-1].components}))
        assert not any("icons_refused" in each.output for each in (*older, newer, last))
        discord.world.emojis.clear()
        for joust in jousts:
            await joust.place(joust.anna, "E5", by_buttons=True)
            await joust.check("without the icons")
        for each in (newer, last):
            assert "icons_refused" in each.output
            assert "failed" not in each.output
        with looking_into(house) as db:
            moods = db.execute("SELECT mood FROM tables").fetchall()
            assert [mood for (mood,) in moods] == ["glad", "glad"]
