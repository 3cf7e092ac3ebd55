"""Replaying a match, as people see it."""

from __future__ import annotations

import asyncio
import io
import random
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from PIL import Image, ImageSequence

from cogs.features.replays import Replays
from cogs.games import WORDS
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from data.store.records import KEPT_FOR
from data.texts import LANGUAGES, texts
from games import GAMES
from games.records import written
from play.aggregate import Command
from play.moves import played as moved
from play.records import record_of
from play.replays import Replay
from play.table import Refused, Table
from render.animation import SIZE_LIMIT, STEP
from tests.cogs.matches import played_at_random, won_by_anna
from tests.games.records import played
from tests.stage import NAMES, PATIENCE, Stage, alts_of, answer_to, controls, private, texts_of, use

pytestmark = pytest.mark.usefixtures("no_errors")


@dataclass(frozen=True, slots=True)
class MovedInAbsence(Command[Table]):
    """Make a computer player move in place of Anna."""

    def effect(self, table: Table, now: datetime) -> Table:
        return moved(table, 0, ("H5",), now, None)


HIDDEN = [game_id for game_id, game in GAMES.items() if game.info.has_secrets]


async def replay(stage: Stage, name: str = "Clara") -> Any:
    """Type ``/table replay``; return the page."""
    return private(await stage.slash(name, "table replay"))


def replays_of(stage: Stage) -> Replays:
    press: Any = stage.bot.acting.presses["replay"]
    found: Replays = press.__self__
    return found


def disabled(page: Any) -> set[str]:
    return {control.label for control in controls(page) if control.disabled}


# ------------------------------------------------------------------------- step by step
@pytest.mark.full
async def test_a_match_is_stepped_through(stage: Stage) -> None:
    await won_by_anna(stage)
    told = len(stage.channel.history())
    page = await replay(stage)
    assert page.ephemeral
    assert "step 0 of 5" in texts_of(page)
    assert disabled(page) == {"⏮", "◀ Back"}
    for ply, sentence in enumerate(("on E5", "on J5", "on H5", "on D11", "takes J5"), 1):
        page = await stage.turn_page(page, "Next ▶")
        assert f"step {ply} of 5" in texts_of(page)
        assert sentence in texts_of(page)
        assert len(page.attachments) == 1
        assert len(alts_of(page)[0]) > 20
    assert disabled(page) == {"Next ▶", "⏭"}
    page = await stage.turn_page(page, "◀ Back")
    assert "step 4 of 5" in texts_of(page)
    assert "step 0 of 5" in texts_of(await stage.turn_page(page, "⏮"))
    assert "step 5 of 5" in texts_of(await stage.turn_page(page, "⏭"))
    assert len(stage.channel.history()) == told


async def test_the_log_says_who_moved_for_a_person(stage: Stage) -> None:
    table = await won_by_anna(stage, most=2)
    anna = stage.people["Anna"]
    await stage.bot.tables.act(table.id, MovedInAbsence())
    listed = answer_to(await anna.slash(stage.channel, "table log"))
    assert "1  Anna: E5" in listed
    assert "3  Anna (computer player): H5" in listed
    page = await replay(stage)
    assert "▲ **Anna** (computer player): H5" in texts_of(page)
    assert "computer player" not in texts_of(await stage.turn_page(page, "⏮"))
    (menu,) = (control for control in controls(page) if control.options)
    assert "3 · Anna (computer player): H5" in [label for _, label in menu.options]


async def test_a_moment_is_chosen_from_a_menu(stage: Stage) -> None:
    await won_by_anna(stage)
    page = await replay(stage)
    menu = next(control for control in controls(page) if control.options)
    assert [label for _, label in menu.options][:2] == ["The start.", "1 · Anna: E5"]
    value = menu.options[3][0]
    result = await stage.people["Clara"].select(page, [value], custom_id=menu.custom_id)
    assert "step 3 of 5" in texts_of(private(result))


async def test_a_replay_continues_after_a_restart(stage: Stage) -> None:
    """Nothing is kept in memory: another process turns the page."""
    await won_by_anna(stage)
    page = await stage.turn_page(await replay(stage), "Next ▶")
    await stage.restart()
    assert "step 2 of 5" in texts_of(await stage.turn_page(page, "Next ▶"))


async def test_people_look_at_different_moments(stage: Stage) -> None:
    await won_by_anna(stage)
    one, other = await replay(stage, "Clara"), await replay(stage, "David")
    one = await stage.turn_page(one, "⏭", "Clara")
    assert "step 1 of 5" in texts_of(await stage.turn_page(other, "Next ▶", "David"))
    assert "step 4 of 5" in texts_of(await stage.turn_page(one, "◀ Back", "Clara"))


async def test_the_replay_of_a_running_match_opens_at_the_newest_move(stage: Stage) -> None:
    await won_by_anna(stage, most=3)
    page = await replay(stage)
    assert "step 3 of 3" in texts_of(page)
    assert "still running" in texts_of(page)
    assert {c.label for c in controls(page)} == {
        "⏮", "◀ Back", "Next ▶", "⏭", "Go to…", "Animation",
    }  # fmt: skip


async def test_a_match_without_moves_has_one_page_and_a_lobby_none(stage: Stage) -> None:
    await won_by_anna(stage, most=0)
    page = await replay(stage)
    assert "The start." in texts_of(page)
    assert [control.label for control in controls(page)] == ["Animation"]
    other = stage.new_channel("elsewhere")
    await stage.people["Anna"].slash(other, "lancelot new")
    result = await stage.people["Ben"].slash(other, "table replay")
    assert "has not started" in answer_to(result)


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_can_be_looked_back_at(
    stage: Stage, game: str, rng: random.Random
) -> None:
    """In every game, each kind of page stays within Discord's limits and has a description, and the
    menus and the log describe lots and moves in words. In games with hands, the hands lie open.
    """
    table = await played_at_random(stage, game, rng)
    page = await replay(stage)
    told = [answer_to(await stage.slash("Clara", "table log"))]
    for number in range(3, -1, -1):
        menu = next(control for control in controls(page) if control.options)
        told += [label for _, label in menu.options]
        value, _ = rng.choice(menu.options) if number else menu.options[0]
        result = await stage.people["Clara"].select(page, [value], custom_id=menu.custom_id)
        page = private(result)
        assert page.attachments
        assert all(len(alt) > 20 for alt in alts_of(page))
    if game in HIDDEN:
        await _hands_lie_open(stage, table, page)
    last = await stage.turn_page(page, "⏭")
    assert f"step {table.played.ply} of {table.played.ply}" in texts_of(last)
    for text in told:
        assert "went wrong" not in text
        assert not re.search(r"[a-z]:[A-Z0-9]", text), f"a random draw in notation, {text}"


async def _hands_lie_open(stage: Stage, table: Table, page: Any) -> None:
    """Check that a button shows the hands at a moment, with their owners, and hides them again."""
    page = await stage.turn_page(page, "Show hands")
    menu = next(control for control in controls(page) if control.options)
    middle, _ = menu.options[len(menu.options) // 2]
    result = await stage.people["Clara"].select(page, [middle], custom_id=menu.custom_id)
    page = private(result)
    files = [attachment.filename for attachment in page.attachments]
    hands = [file for file in files if file[0].isdigit()]
    assert 0 < len(hands) <= len(table.members)
    assert len(set(files)) == len(files) == 1 + len(hands)
    for file in hands:
        name = table.names[int(file[0]) - 1]
        assert f"**{name}**\n" in texts_of(page) + "\n"
    hidden = [file.filename for file in (await stage.turn_page(page, "Hide hands")).attachments]
    assert hidden[:1] == [file for file in files if file not in hands]
    assert not set(hidden) & set(hands)


@pytest.mark.parametrize("game", HIDDEN)
async def test_hands_stay_hidden_while_a_match_runs(
    stage: Stage, game: str, rng: random.Random
) -> None:
    await played_at_random(stage, game, rng, most=4)
    page = await replay(stage)
    for label in ("◀ Back", "⏮"):
        assert "Show hands" not in {control.label for control in controls(page)}
        assert len(page.attachments) == 1
        page = await stage.turn_page(page, label)


async def test_the_result_leads_to_the_replay(stage: Stage) -> None:
    await won_by_anna(stage)
    result = stage.channel.last_message
    before = texts_of(result)
    page = await stage.turn_page(result, "Replay", "David")
    assert page.ephemeral
    assert "step 0 of 5" in texts_of(page)
    assert texts_of(stage.channel.last_message) == before


async def test_more_leads_to_the_replay(stage: Stage) -> None:
    await won_by_anna(stage, most=3)
    more = private(await stage.press("Ben", "more"))
    assert "step 3 of 3" in texts_of(await stage.turn_page(more, "Replay", "Ben"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("over", [False, True])
def test_every_event_can_be_described(game: str, over: bool) -> None:
    words = WORDS[game]
    for players in GAMES[game].info.players:
        match = played(GAMES[game], players)
        names = NAMES[:players]
        log = tuple(match.log)
        replayed = Replay(match.game, match.setup, log, "K7Q2", names, frozenset(), over)
        for moment in replayed.moments(range(1, replayed.last + 1)):
            for move in filter(None, (moment.seen, moment.move)):
                for language in LANGUAGES:
                    assert words.move_in_words(move, names, texts(language)), move


async def test_turning_pages_too_fast_shows_the_latest(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are drawn one at a time; those requested in between are skipped, silently if a page is
    already visible.
    """
    await won_by_anna(stage)
    result, clara = stage.channel.last_message, stage.people["Clara"]
    page = await stage.turn_page(await stage.turn_page(await replay(stage), "Next ▶"), "Next ▶")
    presses, pressed = stage.bot.acting.presses, list[tuple[Interaction, Control]]()
    turn, drawn, ends = presses["replay"], list[int](), list[object]()
    replies = stage.bot.acting.replies
    show = replies.show

    async def drawing(interaction: Interaction, card: Card) -> None:
        (step,) = re.findall(r"step (\d+) of 5", str(card.parts[0]))
        drawn.append(int(step))
        await show(interaction, card)
        drawn.append(int(step))

    async def together(interaction: Interaction, control: Control) -> None:
        pressed.append((interaction, control))
        if len(pressed) == 4:
            turned = (turn(*press) for press in pressed)
            ends.extend(await asyncio.gather(*turned, return_exceptions=True))

    presses["replay"] = together
    monkeypatch.setattr(replies, "show", drawing)
    told = [await stage.tap("Clara", page, label) for label in ("⏮", "◀ Back", "Next ▶", "⏭")]
    assert drawn == [0, 0, 5, 5]
    assert "step 5 of 5" in texts_of(private(told[-1]))
    assert ends == [None] * 4
    pressed.clear()
    for _ in range(4):
        await use(clara, result, "replay")
    assert drawn[4:] == [0, 0, 0, 0]
    refused = [isinstance(end, Refused) and end.code for end in ends[4:]]
    assert refused == [False, "page_overtaken", "page_overtaken", False]


# -------------------------------------------------------------------------- as animation
async def test_a_match_becomes_an_animation(stage: Stage) -> None:
    table = await won_by_anna(stage)
    page = await replay(stage)
    made = await stage.turn_page(page, "Animation")
    assert made.ephemeral
    (file,) = made.attachments
    data = await file.read()
    assert file.filename == "lancelot.gif"
    assert len(data) < SIZE_LIMIT
    with Image.open(io.BytesIO(data)) as film:
        pauses = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
    assert sum(pause > STEP for pause in pauses) == table.played.ply + 1
    assert "Anna has won" in alts_of(made)[0]


async def test_progress_is_told_every_twenty_frames(stage: Stage, rng: random.Random) -> None:
    table = await played_at_random(stage, "lancelot", rng)
    before = len(stage.env.http_requests)
    stage.env.settle_timeout = PATIENCE
    await stage.slash("Clara", "table animation")
    told = [str(r.json) for r in stage.env.http_requests[before:] if "drawing" in str(r.json)]
    pictures = table.played.ply + 1
    assert len(told) == 1 + pictures // 20
    assert f"20 of {pictures} frames" in told[1]


async def test_a_person_who_waits_for_an_animation_cannot_request_another(stage: Stage) -> None:
    await won_by_anna(stage)
    clara = stage.people["Clara"]
    waiting = replays_of(stage).waiting
    waiting.add(clara.id)
    refused = await clara.slash(stage.channel, "table animation")
    assert "still drawing" in answer_to(refused)
    waiting.discard(clara.id)
    for _ in range(2):
        made = private(await clara.slash(stage.channel, "table animation"))
        assert made.attachments


# ------------------------------------------------------------------------ imported
async def bring(stage: Stage, name: str, data: bytes) -> Any:
    """Type ``/table import`` with a file; return the page."""
    result = await stage.slash(name, "table import", file=("record.txt", data))
    return private(result)


async def test_a_brought_record_is_replayed_after_a_restart(stage: Stage) -> None:
    """The page has no button to export the record again."""
    record = written(record_of(await won_by_anna(stage))).encode()
    page = await bring(stage, "David", record)
    assert "step 0 of 5" in texts_of(page)
    assert "Record" not in {control.label for control in controls(page)}
    await stage.restart()
    page = await stage.turn_page(page, "Next ▶", "David")
    assert "Anna** places a stone on E5" in texts_of(page)
    assert (await stage.turn_page(page, "Animation", "David")).attachments


async def test_the_buttons_of_a_record_say_when_it_has_expired(stage: Stage) -> None:
    record = written(record_of(await won_by_anna(stage))).encode()
    page = await bring(stage, "David", record)
    now = stage.bot.tables.clock() + KEPT_FOR + timedelta(days=1)
    stage.bot.tables.clock = lambda: now
    await bring(stage, "Emil", record)
    step = next(control for control in controls(page) if control.label == "Next ▶")
    result = await stage.people["David"].click(page, custom_id=step.custom_id)
    assert "no longer have that record" in answer_to(result)


# ------------------------------------------------------------------------------- German
@pytest.mark.speaks("de")
async def test_looking_back_in_german(stage: Stage) -> None:
    await won_by_anna(stage)
    page = await replay(stage)
    assert "Der Anfang." in texts_of(page)
    page = await stage.turn_page(page, "Weiter ▶")
    assert "Schritt 1 von 5" in texts_of(page)
    assert {"◀ Zurück", "Aufzeichnung"} <= {control.label for control in controls(page)}
    made = await stage.turn_page(page, "Animation")
    assert "Animation" in alts_of(made)[0]
    assert "Anna hat gewonnen" in alts_of(made)[0]
