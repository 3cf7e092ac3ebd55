"""Start the bot. This module connects the parts: settings, store, play, delivery, features."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import discord
import structlog
from discord.ext import commands
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import NoDecode

from cogs.delivery.budget import LookBudget
from cogs.delivery.delivery import Delivery, OccasionDelivery, TableDelivery
from cogs.features.acting import Acting
from cogs.features.analysis import Analysing
from cogs.features.blocking import BlockingCog
from cogs.features.daily import DailyCog
from cogs.features.deadlines import Deadlines
from cogs.features.forms import Forms
from cogs.features.front import FrontCog
from cogs.features.hosting import Hosting
from cogs.features.learn import LearnCog
from cogs.features.lobby import Lobby
from cogs.features.looking import Looking
from cogs.features.moves import Moves
from cogs.features.parking import Parking
from cogs.features.plans import Plans
from cogs.features.preferences import PreferencesCog
from cogs.features.privacy import OPERATOR_LIMIT, PrivacyCog
from cogs.features.profile import ProfileCog
from cogs.features.records import RecordFiles
from cogs.features.replays import Replays
from cogs.features.seeking import SeekingCog
from cogs.features.server import ServerCog
from cogs.features.serving import Serving
from cogs.features.standings import StandingsCog
from cogs.features.tables import TableCog, TablesCog
from cogs.features.tournaments import TournamentCog
from cogs.features.votes import Leaving, Votes
from cogs.features.waking import Waker, Waking
from cogs.games import COGS, WORDS
from cogs.games.game import GameCog
from cogs.games.outside import load_games
from cogs.gateway.client import (
    Client,
    client_for,
    is_in_clear,
    limiter_address,
    send_requests_to,
)
from cogs.gateway.drawing import beside, give_back, hold_together
from cogs.gateway.emojis import EmojiKeeper
from cogs.gateway.failures import REMEDY
from cogs.gateway.gateway import Gateway
from cogs.gateway.monitor import Address, CannotListen, Monitor, address_of
from cogs.preparing import load_packaged_rules
from cogs.present.daily import daily_surfaces
from cogs.present.occasions import OccasionPresenter, Surfaces
from cogs.present.seasons import season_surfaces
from cogs.present.seeking import SeekPresenter
from cogs.present.surfaces import Presenter
from cogs.present.tournaments import TournamentSurfaces
from data.private import open_to_others, with_companions
from data.settings import StoreSettings, in_words
from data.store.place import Server
from data.store.problems import ServerFull, ServerUnreachable, StoreProblem, StoreTaken
from data.store.shards import ALL, Shards, shards_of
from data.store.store import Store
from data.texts import call_otherwise
from games.fairness import new_secret
from play.analysis import Analyses
from play.computers import Thinkers
from play.occasions.daily import DailyKind
from play.occasions.occasion import OccasionKind
from play.occasions.occasions import Occasions
from play.occasions.season import SeasonKind
from play.occasions.seek import Seeking
from play.occasions.tournament_acts import Tournaments
from play.opponents import Opponents
from play.packing import keep_packing
from play.privacy import Privacy
from play.riddles.played import PlayedRiddles
from play.riddles.stock import Stock
from play.riddles.writer import Writer
from play.seasons import Seasons
from play.tables import Tables
from render import PAINTERS
from render.cache import CACHE
from render.icons import ICONS, icon
from render.rehearsal import rehearse

log = structlog.get_logger()

FAREWELL = 1.2
"""Seconds that actions in progress are given to finish once the bot has been asked to stop."""

BEFORE_REHEARSAL = 3.0
"""Seconds to wait after connecting before background work that keeps a core busy: rehearsing all
games takes about ten seconds.
"""

PICTURES_REST = 300.0
"""Seconds between two rounds that compress pictures. A picture is compressed once nobody has used
it for a whole interval, so at most two intervals after its last use.
"""

SPARED_EVERY = 0.25
"""Seconds between two calls of ``spare_what_stays``, so that scanning the objects loaded in between
takes only about 10 ms.
"""

GRANDMASTERS_WAIT = 60.0
"""A grandmaster that has not found a move after this many seconds, including the wait for its turn
to think, plays as a master instead.
"""

WRONG_TOKEN = 4004
"""Discord's close code for a connection whose token is invalid ("Authentication failed")."""

NOT_NOW = 75
"""The exit code if the bot cannot start now but may soon (``EX_TEMPFAIL`` in ``sysexits.h``)."""

PASSING = (ServerFull, ServerUnreachable, StoreTaken)
"""Problems that may go away: the database server is still starting, has no free connection, or has
not yet noticed that a process died.
"""

LAST_MOMENT = 2.8
"""Seconds after which a bot that was asked to stop exits, even if something is still running, such
as drawing a picture or waiting for a lock. Stored data survives any exit.
"""


class Settings(StoreSettings):
    """All settings, from the environment or ``.env``; all names except ``DISCORD_TOKEN`` begin with
    ``TAFELRUNDE_``.
    """

    discord_token: SecretStr = Field(default=SecretStr(""), validation_alias="DISCORD_TOKEN")

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    log_json: bool = False
    """Log in JSON, for machines; otherwise as text, for people."""

    discord_api: Annotated[str, AfterValidator(limiter_address)] = ""
    """A rate limiter in front of Discord's REST API that all processes of the bot share, such as
    ``http://limiter:8080``; empty: Discord itself."""

    metrics: Annotated[Address | None, NoDecode, BeforeValidator(address_of)] = None
    """Where to serve ``/healthz``, ``/readyz`` and ``/metrics``: a port on this machine, or
    ``host:port``; None: nowhere."""

    shards: Annotated[Shards, NoDecode, BeforeValidator(shards_of)] = ALL
    """The shards that this process runs, such as ``0-3/16``; several processes need PostgreSQL."""

    computer_workers: int = Field(default=1, ge=0, le=16)
    """How many processes run the searches of computer players; 0: they run in a thread of this
    process.
    """

    computer_queue: bool = False
    """Let ``python -m cogs.worker``, on any machine, run the searches of computer players, through
    a queue in the database; needs PostgreSQL.
    """

    computer_pause: float = Field(default=2.0, ge=0, le=60)
    """The typical time that a computer player takes for a move, in seconds. Depending on how hard
    the choice is, it takes between a quarter of this and three times this; a move that everyone can
    see is forced comes at once. In games with secrets, unless this is 0, it takes at least the
    maximum thinking time of its level.
    """

    grandmasters: int = Field(default=1, ge=1, le=16)
    """How many grandmasters may think at the same time, each in its own process; with
    ``computer_queue``, that depends on the workers instead. They play only on servers that allow
    them.
    """

    pack_after: int = Field(default=30, ge=1, le=36_500)
    """The journal of a match is packed this many days after the match ends."""

    isis_alias: str = Field(default="", pattern=r"^([a-z]{3,20})?$")
    """Another name for Isis in texts and commands, for servers whose word filters block "Isis"."""

    operator: str = Field(default="", max_length=OPERATOR_LIMIT)
    """The operator of the bot and how to reach them, for ``/privacy``."""

    @model_validator(mode="after")
    def _require_server(self) -> Self:
        if isinstance(self.database, Path) and not self.shards.all_of_them:
            raise ValueError("a process that runs only some of the shards needs PostgreSQL")
        if isinstance(self.database, Path) and self.computer_queue:
            raise ValueError("the queue for computer players needs PostgreSQL")
        return self


OCCASIONS: Final[Mapping[OccasionKind[Any], Surfaces]] = {
    SeasonKind(): season_surfaces(WORDS),
    Seeking(): SeekPresenter(WORDS).surfaces,
    Tournaments(): TournamentSurfaces(WORDS),
    DailyKind(): lambda daily, told, told_from: daily_surfaces(daily, WORDS),
}
"""The kinds of occasions, each with a function that lists an occasion's messages."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a bot that are needed to start it, to stop it and to test it."""

    client: Client
    store: Store
    emojis: EmojiKeeper
    tables: Tables
    occasions: Occasions
    thinkers: Thinkers
    grandmasters: Thinkers | None
    analyses: Analyses
    deadlines: Deadlines
    budget: LookBudget
    table_delivery: TableDelivery
    occasion_delivery: OccasionDelivery
    opponents: Opponents
    hosting: Hosting
    seasons: Seasons
    writer: Writer
    waker: Waker
    acting: Acting
    votes: Votes
    moves: Moves
    lobby: Lobby
    looking: Looking

    def game_cog(self, kind: type[GameCog]) -> GameCog:
        """Make a game's cog, ready to be added to the client."""
        return kind(self.acting, self.moves, self.lobby, self.looking)

    def waiting(self) -> list[float]:
        """Return how long each table and occasion with unfinished deliveries has waited, in
        seconds.
        """
        return [*self.table_delivery.waiting(), *self.occasion_delivery.waiting()]

    async def finish(self) -> None:
        """Let people's actions finish, and stop the background workers, while Discord is still
        connected.
        """
        self.analyses.close()
        await self.acting.finish(FAREWELL)
        workers = self.opponents, self.hosting, self.seasons, self.writer, self.waker
        for worker in workers:
            await worker.close()
        await asyncio.gather(self.table_delivery.close(), self.occasion_delivery.close())

    async def close(self) -> None:
        """Stop the computer players' processes, and close the database."""
        self.thinkers.close()
        if self.grandmasters is not None:
            self.grandmasters.close()
        await self.store.close()


def build(
    store: Store,
    thinkers: Thinkers,
    pause: float = 2.0,
    *,
    grandmasters: Thinkers | None = None,
    direct: bool = True,
    operator: str = "",
    shards: Shards = ALL,
    new_secret: Callable[[], str] = new_secret,
    haste: float = 1.0,
    kinds: Mapping[OccasionKind[Any], Surfaces] = OCCASIONS,
) -> Parts:
    """Build a bot, ready to be started.

    :param store: an open store; the bot closes it when it stops.
    :param thinkers: runs the computer players; the bot closes it when it stops.
    :param pause: ``Settings.computer_pause``.
    :param grandmasters: runs the grandmasters; the bot closes it when it stops.
    :param direct: whether the bot can send direct messages to people who allow them.
    :param operator: ``Settings.operator``.
    :param shards: the shards that this process runs.
    :param new_secret: draws the secret of a table.
    :param haste: see ``Analyses``.
    :param kinds: the kinds of occasions; see ``OCCASIONS``.
    """
    # This function is long but has no branches: it makes each part once, from the parts above it.
    client = client_for(shards)
    emojis = EmojiKeeper(client, store.icons, ICONS, icon)
    gateway = Gateway(client, emojis.emojis)
    tables = Tables(store, discord.utils.utcnow, new_secret)
    occasions = Occasions(store, tables.clock, kinds)
    deadlines = Deadlines(tables, occasions)
    fell_behind = deadlines.fell_behind
    presenter = Presenter(WORDS)
    occasion_presenter = OccasionPresenter({kind.NAME: kinds[kind] for kind in kinds})
    budget = LookBudget(lambda: store.database.served)
    table_delivery = Delivery(tables, presenter, gateway, budget, fell_behind)
    occasion_delivery = Delivery(occasions, occasion_presenter, gateway, budget, fell_behind)
    acting = Acting(gateway, tables, occasions, presenter, table_delivery, fell_behind)
    votes = Votes(acting)
    moves = Moves(acting, votes, thinkers)
    parts = Parts(
        client=client,
        store=store,
        emojis=emojis,
        tables=tables,
        occasions=occasions,
        thinkers=thinkers,
        grandmasters=grandmasters,
        analyses=Analyses(tables, thinkers, haste),
        deadlines=deadlines,
        budget=budget,
        table_delivery=table_delivery,
        occasion_delivery=occasion_delivery,
        opponents=Opponents(tables, thinkers, pause, fell_behind, grandmasters),
        hosting=Hosting(tables, occasions, gateway, occasion_delivery.bring, fell_behind),
        seasons=Seasons(occasions, fell_behind),
        writer=Writer(occasions, fell_behind),
        waker=Waker(client, tables, (table_delivery, occasion_delivery), fell_behind),
        acting=acting,
        votes=votes,
        moves=moves,
        lobby=Lobby(acting, remediable=direct),
        looking=Looking(acting, moves),
    )
    drive(parts)
    client.connect_to(
        cogs=cogs_of(parts, operator),
        menus=acting.menus,
        press=acting.press,
        fault=acting.command_failed,
        before_end=parts.finish,
        after_end=parts.close,
    )
    return parts


def drive(parts: Parts) -> None:
    """Register each worker for the changes and periodic rounds that may give it something to do."""
    deliveries = parts.table_delivery, parts.occasion_delivery
    workers = parts.opponents, parts.hosting, parts.seasons, parts.writer
    parts.deadlines.drive(deliveries, *(worker.wake_all for worker in workers))
    for table_driver in (parts.table_delivery, parts.deadlines, parts.opponents):
        parts.tables.drive(table_driver.wake)
    parts.tables.drive(parts.hosting.hear)
    parts.tables.drive(parts.waker.wake)
    parts.occasions.drive(parts.occasion_delivery.wake)
    for driver in (parts.deadlines, parts.hosting, parts.seasons, parts.writer):
        parts.occasions.drive(driver.wake)


def cogs_of(parts: Parts, operator: str) -> list[commands.Cog]:
    """Make all cogs; those with the games' own commands come last.

    :param operator: see ``build``.
    """
    acting, lobby = parts.acting, parts.lobby
    tables, occasions = parts.tables, parts.occasions
    deliveries = parts.table_delivery, parts.occasion_delivery
    serving = Serving(
        parts.store, (tables, deliveries[0]), (occasions, deliveries[1]), parts.deadlines
    )
    privacy = Privacy(tables, occasions, *(delivery.paused for delivery in deliveries))
    Leaving(acting, parts.votes)
    RecordFiles(acting, Replays(acting))
    Analysing(acting, parts.analyses)
    Plans(acting)
    return [
        parts.deadlines,
        *([serving] if parts.store.shared else []),
        Forms(acting),
        lobby,
        FrontCog(acting, lobby, parts.looking),
        LearnCog(acting, lobby),
        BlockingCog(acting),
        DailyCog(acting),
        SeekingCog(acting, lobby),
        TableCog(acting),
        TablesCog(acting),
        Parking(acting, parts.client, lobby),
        Waking(parts.waker),
        StandingsCog(acting),
        TournamentCog(acting, lobby),
        ProfileCog(acting),
        ServerCog(acting, parts.seasons),
        PreferencesCog(acting),
        PrivacyCog(acting, privacy, operator),
        *map(parts.game_cog, COGS.values()),
    ]


async def create_bot(settings: Settings, *, direct: bool = True, haste: float = 1.0) -> Parts:
    """Open the store, load the games from outside, and build the bot, ready to be started.

    :param direct: see ``build``.
    :param haste: see ``build``.
    :raises StoreProblem: the database cannot be used; it is unchanged.
    """
    name_open_files(settings)
    if settings.isis_alias:
        call_otherwise("isis", settings.isis_alias)
    store = await Store.open(settings.database, shards=settings.shards)
    thinkers, grandmasters = thinkers_for(settings)
    parts = build(
        store,
        thinkers,
        settings.computer_pause,
        grandmasters=grandmasters,
        direct=direct,
        operator=settings.operator,
        shards=settings.shards,
        haste=haste,
    )
    await bring_games(parts)
    return parts


def thinkers_for(settings: Settings) -> tuple[Thinkers, Thinkers]:
    """Make the thinkers for computer players and those for grandmasters."""
    if settings.computer_queue and isinstance(settings.database, Server):
        # Imported here because the queue needs the PostgreSQL driver.
        from data.jobs import Jobs
        from play.distant import DistantThinkers

        jobs, workers = Jobs(settings.database), settings.computer_workers
        return (
            DistantThinkers(jobs, workers, prepare=load_packaged_rules),
            DistantThinkers(jobs, patience=GRANDMASTERS_WAIT),
        )
    return (
        Thinkers(settings.computer_workers, prepare=load_packaged_rules),
        Thinkers(settings.grandmasters, patience=GRANDMASTERS_WAIT, prepare=load_packaged_rules),
    )


async def bring_games(parts: Parts) -> None:
    """Load the games that are installed as packages; log a warning for each unusable one."""
    waiting = parts.client.waiting_cogs
    cogs, left_out = await load_games(parts.client.tree, waiting, parts.game_cog)
    waiting += cogs
    for sentence in left_out:
        log.warning("game_left_out", why=sentence)


def name_open_files(settings: Settings) -> None:
    """Log one warning that lists the files with secrets that other users of this machine can
    read.
    """
    if files := open_to_others(secret_files(settings)):
        log.warning("files_open_to_others", files=[str(file) for file in files], remedy="chmod 600")


def secret_files(settings: StoreSettings) -> list[Path]:
    """Return the files that hold secrets: the token, and hidden information in the database."""
    secret = [Path(str(settings.model_config["env_file"]))]
    if isinstance(settings.database, Path):
        secret += with_companions(settings.database)
    return secret


def set_up_logging(settings: Settings) -> None:
    """Set up logging: everything, including discord.py's lines, goes to standard error in one
    format.

    Tracebacks show no local variables, because these may contain the token, seeds and hands.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_json
        # If rich is installed, the default is rich's traceback, which shows local variables.
        else structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(not_logged_yet)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                renderer,
            ],
            foreign_pre_chain=shared,
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level)
    # The bot never uses voice, so silence discord.py's warning that the packages for it are
    # missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    # At DEBUG, discord.py logs everything it sends: hands, and the tokens of interactions.
    logging.getLogger("discord").setLevel(max(root.level, logging.INFO))


def not_logged_yet(record: logging.LogRecord) -> bool:
    """Log filter: reject records of store problems, which the store has already logged in one line
    each.
    """
    event = record.msg if isinstance(record.msg, dict) else {}
    said: Any = record.exc_info or event.get("exc_info")
    error = sys.exc_info()[1] if said is True else said[1] if isinstance(said, tuple) else said
    while isinstance(error, Exception):
        if isinstance(error, StoreProblem):
            return False
        error = error.__cause__
    return True


async def run(settings: Settings) -> None:
    """Run until a signal arrives or the connection to Discord ends for good; then shut down."""
    if settings.discord_api:
        if is_in_clear(settings.discord_api):
            log.warning("token_sent_in_clear", to=settings.discord_api, remedy="https")
        send_requests_to(settings.discord_api)
    parts = await create_bot(settings)
    bot = parts.client
    loop = asyncio.get_running_loop()
    asked_to_stop = asyncio.Event()
    for stop in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(stop, asked_to_stop.set)
    monitor = Monitor(bot, parts.store, parts.waiting)
    async with bot, monitor.listening(settings.metrics):
        packing = partial(pack_matches, after=timedelta(days=settings.pack_after))
        works = (keep_icons, rehearse_pictures, keep_pictures_small, packing, keep_riddles)
        aside = [loop.create_task(work(parts)) for work in works]
        running = asyncio.create_task(bot.start(settings.discord_token.get_secret_value()))
        stopping = asyncio.create_task(asked_to_stop.wait())
        await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in aside:
            task.cancel()
        if not asked_to_stop.is_set():
            stopping.cancel()
            await running
            return
        limit_the_farewell()
        await bot.close()
        running.cancel()  # the client may still be trying to connect to Discord
        await asyncio.gather(running, return_exceptions=True)


def limit_the_farewell() -> None:
    """Start a timer that ends the process after ``LAST_MOMENT``, even if something is still
    running.
    """

    def end() -> None:
        log.warning("farewell_cut_short")
        os._exit(0)

    timer = threading.Timer(LAST_MOMENT, end)
    timer.daemon = True
    timer.start()


async def keep_icons(parts: Parts) -> None:
    """Once the bot is connected, keep its icons on Discord up to date, slowly in the background."""
    await parts.client.wait_until_ready()
    await parts.emojis.keep(upload=parts.client.own_shards.has(None))


async def rehearse_pictures(parts: Parts) -> None:
    """Rehearse drawing the pictures of all games, after giving running tables time to draw
    theirs.
    """
    with sparing():
        await parts.client.wait_until_ready()
        await asyncio.sleep(BEFORE_REHEARSAL)
        for game in PAINTERS:
            await beside(partial(rehearse, game))
    spare_what_stays()
    await beside(CACHE.rest)
    await rest_pictures()


async def keep_pictures_small(parts: Parts) -> None:
    """Once the bot is connected, keep compressing pictures that nobody has needed for a while."""
    await parts.client.wait_until_ready()
    while True:
        await asyncio.sleep(PICTURES_REST)
        await rest_pictures()


async def rest_pictures() -> None:
    """Compress the pictures that nobody has used since the last call, and return the freed memory
    to the operating system.
    """
    await beside(CACHE.rest)
    await beside(give_back)


@contextmanager
def sparing() -> Iterator[None]:
    """During the block, exempt newly loaded objects from garbage collection every ``SPARED_EVERY``
    seconds. Scanning them all at once at the end would block the bot for a quarter of a second.
    """
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle

    def spare() -> None:
        nonlocal timer
        spare_what_stays()
        timer = loop.call_later(SPARED_EVERY, spare)

    timer = loop.call_later(0, spare)
    try:
        yield
    finally:
        timer.cancel()


def spare_what_stays() -> None:
    """Exempt everything loaded so far from garbage collection, because code, servers and picture
    layers are kept until the bot stops. Only objects loaded since the last call are scanned for
    garbage.
    """
    gc.collect()
    gc.freeze()


async def pack_matches(parts: Parts, after: timedelta) -> None:
    """Once the bot is connected, keep packing matches that ended long ago.

    :param after: the time between the end of a match and its packing.
    """
    await parts.client.wait_until_ready()
    await keep_packing(parts.store, parts.tables.clock, after)


async def keep_riddles(parts: Parts) -> None:
    """Once the bot is connected, keep riddles in stock."""
    await parts.client.wait_until_ready()
    await asyncio.sleep(BEFORE_REHEARSAL)
    await Stock(parts.store.riddles, PlayedRiddles(parts.tables)).keep(parts.tables.clock)


def main() -> int:
    """Run the bot.

    :returns: 0 after a normal stop, 2 if the bot cannot start, 75 if it may be able to start soon.
    """
    hold_together()
    try:
        settings = Settings()
    except ValidationError as problem:
        return give_up(f"These settings are invalid:\n{in_words(problem)}")
    set_up_logging(settings)
    if not settings.discord_token.get_secret_value():
        return give_up("DISCORD_TOKEN is not set: put it into the environment or into .env.")
    spare_what_stays()
    try:
        asyncio.run(run(settings))
    except StoreProblem as problem:
        return give_up(str(problem), NOT_NOW if isinstance(problem, PASSING) else 2)
    except CannotListen as problem:
        return give_up(f"TAFELRUNDE_METRICS: cannot listen on {problem}")
    except discord.ConnectionClosed as end:
        if end.code != WRONG_TOKEN:
            raise
        return give_up(REMEDY)
    except discord.LoginFailure:
        return give_up(
            "Discord does not know this DISCORD_TOKEN. Copy it again from your bot's page."
        )
    return 0


def give_up(why: str, code: int = 2) -> int:
    """Print why the bot cannot start.

    :returns: the exit code.
    """
    print(why, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
