"""Private hands: by direct message where possible, under "My hand" everywhere."""

from __future__ import annotations

import random
from typing import Any

import pytest

from play.clock import MINUTE
from tests.refusals import (
    CLOSED_DMS,
    MISSING_PERMISSIONS,
    SERVER_ERROR,
    UNAVAILABLE,
    UNKNOWN_CHANNEL,
    UNKNOWN_USER,
    Refusal,
    refuse,
)
from tests.stage import Stage, alts_of, answer_to, controls, parts, random_moves, texts_of

pytestmark = pytest.mark.usefixtures("no_errors")

PEOPLE = ("Anna", "Ben", "Clara", "David")


async def twilight(stage: Stage, **options: Any) -> None:
    """Start a table of Twilight for four, with seats in order of joining."""
    await stage.open("twilight", 4, seating="joined", **options)


def pressable(message: Any) -> list[str]:
    """The labels of all controls that choose a move."""
    return [control.label for control in controls(message) if control.chooses]


def links(message: Any) -> list[str]:
    """The targets of all links."""
    return [part["url"] for part in parts(message) if "url" in part]


async def move(stage: Stage, seed: int = 1) -> tuple[str, str]:
    """Have the person to move press anything; return that person and the next one to move."""
    name = await stage.decider()
    await stage.move_by_buttons(stage.people[name], random.Random(seed))
    return name, await stage.decider()


def tries(stage: Stage, *names: str) -> int:
    """How many direct messages to these people were attempted, including failed ones."""
    paths = {f"/channels/{stage.people[name].user.dm_channel.id}/messages" for name in names}
    return sum(r.method == "POST" and r.path in paths for r in stage.env.http_requests)


def refuse_dms(stage: Stage, method: str, refusal: Refusal) -> None:
    """Refuse requests with this method about everybody's direct messages."""
    for person in stage.people.values():
        path = f"/channels/{person.user.dm_channel.id}/messages*"
        refuse(stage.env, method, path, refusal)


# ----------------------------------------------------------------------- by direct message
async def test_the_called_person_gets_their_hand(stage: Stage) -> None:
    await twilight(stage)
    table = await stage.table()
    hands = {seat: table.played.view(seat).private["hand"] for seat in range(4)}
    (seat,) = table.awaited
    assert [name for name in PEOPLE if stage.dms(name)] == [PEOPLE[seat]]
    (message,) = stage.dms(PEOPLE[seat])
    (alt,) = alts_of(message)
    assert all(card in alt for card in hands[seat])
    others = {card for other in range(4) if other != seat for card in hands[other]}
    assert not any(card in alt for card in others)
    assert links(message) == [f"https://discord.com/channels/{stage.guild.id}/{stage.channel.id}"]
    assert pressable(message)


async def test_a_channel_for_direct_messages_is_opened_once(stage: Stage) -> None:
    """Discord limits how many such channels are opened, so the bot remembers them after a restart,
    too.
    """
    await twilight(stage)
    for seed in range(4):
        await move(stage, seed)
    opened = [r.path for r in stage.env.http_requests].count("/users/@me/channels")
    await stage.restart()
    for seed in range(4, 8):
        await move(stage, seed)
    people = [name for name in PEOPLE if stage.dms(name)]
    assert [r.path for r in stage.env.http_requests].count("/users/@me/channels") == len(people)
    assert opened > 1


async def test_a_call_posts_the_hand_again_and_nothing_else_does(stage: Stage) -> None:
    await twilight(stage)
    (board,) = stage.boards()
    for seed in range(12):
        before = {name: [m.id for m in stage.dms(name)] for name in PEOPLE}
        pings = len(stage.pings())
        mover, called = await move(stage, seed)
        for name in PEOPLE:
            now = [m.id for m in stage.dms(name)]
            new = name == called and name != mover
            assert (now != before[name]) == new, (name, mover, called)
            assert len(now) <= 1
            assert any(map(pressable, stage.dms(name))) == (name == called), name
        assert [people for people in stage.pings()[pings:] if people] == []
    assert [m.id for m in stage.boards()] == [board.id], "the board is edited"


async def test_a_move_is_played_from_the_direct_message(stage: Stage) -> None:
    await twilight(stage)
    name = await stage.decider()
    message = stage.dms(name)[-1]
    control = controls(message)[0]
    before = (await stage.table()).played.ply
    result = await stage.people[name].user.click(message, custom_id=control.custom_id)
    assert result.acknowledged
    assert (await stage.table()).played.ply == before + 1
    assert f"**{name}** " in texts_of(stage.channel.last_message)


async def test_a_hand_left_open_has_no_effect_later(stage: Stage) -> None:
    await twilight(stage)
    name = await stage.decider()
    shown = (await stage.press(name, "hand")).response
    control = controls(shown)[0]
    await stage.people[name].user.click(stage.dms(name)[-1], custom_id=control.custom_id)
    before = (await stage.table()).played.ply
    result = await stage.people[name].click(shown, custom_id=control.custom_id)
    assert "not your turn" in answer_to(result) or "earlier position" in answer_to(result)
    assert (await stage.table()).played.ply == before


async def test_no_hand_ever_appears_in_the_channel(stage: Stage) -> None:
    await twilight(stage)
    for seed in range(10):
        await move(stage, seed)
    table = await stage.table()
    hidden = {card for seat in range(4) for card in table.played.view(seat).private["hand"]}
    for message in stage.channel.history():
        shown = [texts_of(message), *alts_of(message), *pressable(message)]
        assert not any(card in text for card in hidden for text in shown)


@pytest.mark.slow("whole match")
async def test_the_hand_is_gone_when_the_match_is_over(stage: Stage) -> None:
    await twilight(stage)
    rng = random.Random(5)
    await stage.moves_unseen(random_moves(await stage.match(), rng)[:-3])
    await stage.restart()
    await stage.play_by_buttons(rng)
    for name in PEOPLE:
        (last,) = stage.dms(name)
        assert "· Result\n" in texts_of(last)
        assert controls(last) == []
        assert alts_of(last) == []


# ----------------------------------------------------------------- where nothing gets through
async def test_closed_messages_are_noticed_when_sitting_down(stage: Stage) -> None:
    """Only the person whose direct messages are closed is advised, once, and the bot does not try
    again.
    """
    stage.close_dms("Ben")
    await stage.slash("Anna", "twilight new", seating="joined")
    told = answer_to(await stage.press("Ben", "join"))
    assert (
        "“My hand” shows your hand to you alone. I cannot send it: please allow direct messages"
        in told
    )
    assert answer_to(await stage.press("Clara", "join")) == ""
    await stage.press("David", "join")
    tried = tries(stage, "Ben")
    await stage.press("Anna", "start")
    for seed in range(8):
        await move(stage, seed)
    assert tries(stage, "Ben") == tried
    assert "cannot send you" not in "\n".join(texts_of(m) for m in stage.channel.history())
    assert (await stage.bot.store.settings.person(stage.people["Ben"].id)).dm_closed


async def test_a_bot_that_may_not_send_direct_messages_does_not_ask_for_them(stage: Stage) -> None:
    await stage.restart(direct=False)
    stage.close_dms("Ben")
    await stage.slash("Anna", "twilight new", seating="joined")
    told = answer_to(await stage.press("Ben", "join"))
    assert told.endswith("“My hand” shows your hand to you alone.")
    assert "privacy" not in told


@pytest.mark.parametrize(("refusal", "advised"), [(CLOSED_DMS, True), (UNAVAILABLE, False)])
async def test_only_a_person_who_takes_no_direct_messages_is_advised(
    stage: Stage, refusal: Refusal, advised: bool
) -> None:
    """An outage says nothing about the person."""
    await stage.slash("Anna", "twilight new", seating="joined")
    refuse(stage.env, "POST", "/users/@me/channels", refusal)
    assert ("I cannot send it" in answer_to(await stage.press("Ben", "join"))) == advised


async def test_without_hidden_hands_nobody_is_advised(stage: Stage) -> None:
    stage.close_dms("Ben")
    await stage.slash("Anna", "lancelot new")
    assert answer_to(await stage.press("Ben", "join")) == ""


async def test_an_unreachable_person_is_called_at_the_table(stage: Stage) -> None:
    """The person is called once per decision, even if the direct message has just failed; then no
    other direct message is tried for a while.
    """
    await twilight(stage)
    sent = tries(stage, *PEOPLE)
    stage.close_dms(*PEOPLE)
    tried = set[str]()
    for seed in range(14):
        pings = len(stage.pings())
        mover, called = await move(stage, seed)
        if called != mover:
            tried.add(called)
            pinged = [stage.people[called].id]
            assert [people for people in stage.pings()[pings:] if people] == [pinged]
            told = texts_of(await stage.message("board"))
            assert f"**{called}** direct messages. Choose under “My hand”." in told
        assert len(stage.boards()) == 1
    assert len(tried) > 1
    assert tries(stage, *PEOPLE) == sent + len(tried)


async def test_direct_messages_opened_again_are_used_at_the_next_table(stage: Stage) -> None:
    stage.close_dms("Anna")
    await stage.slash("Anna", "twilight new", seating="joined")
    await stage.press_more("Anna", "cancel")
    stage.open_dms()
    await twilight(stage)
    while await stage.decider() != "Anna":  # the lots say who begins
        await move(stage)
    assert alts_of(stage.dms("Anna")[-1])
    assert not (await stage.bot.store.settings.person(stage.people["Anna"].id)).dm_closed


@pytest.mark.parametrize("refusal", [UNKNOWN_CHANNEL, MISSING_PERMISSIONS])
async def test_a_hand_refused_for_no_good_reason_is_sent_later(
    stage: Stage, refusal: Refusal
) -> None:
    """Discord answered a hand like this during an outage, but took the board; the person had
    nothing to press at until somebody moved.
    """
    await twilight(stage)
    refuse_dms(stage, "POST", refusal)
    mover, called = await move(stage)
    assert mover != called
    stage.env.backend.faults.clear()
    assert stage.dms(called) == []
    await stage.wait(10 * MINUTE)
    assert any(map(pressable, stage.dms(called)))


async def test_a_hand_for_a_person_whom_discord_does_not_know_is_not_owed(stage: Stage) -> None:
    await twilight(stage)
    refuse_dms(stage, "POST", UNKNOWN_USER)
    mover, called = await move(stage)
    assert mover != called
    table = await stage.table()
    assert (await stage.bot.store.messages.all_of(table.id))[0] == table.revision


async def test_an_old_hand_is_deleted_once_discord_knows_its_channel_again(stage: Stage) -> None:
    await twilight(stage)
    refuse_dms(stage, "DELETE", UNKNOWN_CHANNEL)
    for seed in range(12):
        await move(stage, seed)
    assert any(len(stage.dms(name)) > 1 for name in PEOPLE)
    stage.env.backend.faults.clear()
    await stage.wait(10 * MINUTE)
    assert all(len(stage.dms(name)) <= 1 for name in PEOPLE)


async def test_my_hand_shows_the_same_as_the_message(stage: Stage) -> None:
    await twilight(stage)
    name = await stage.decider()
    shown = (await stage.press(name, "hand")).response
    assert shown.ephemeral
    assert alts_of(shown) == alts_of(stage.dms(name)[-1])
    assert pressable(shown) == pressable(stage.dms(name)[-1])
    other = next(n for n in PEOPLE if n != name)
    assert pressable((await stage.press(other, "hand")).response) == []


# -------------------------------------------------------------------------- after a crash
async def test_hands_that_were_not_sent_are_sent_at_the_next_start(stage: Stage) -> None:
    await twilight(stage)
    refuse_dms(stage, "*", SERVER_ERROR)
    mover, called = await move(stage)
    assert mover != called
    assert stage.dms(called) == []
    stage.open_dms()
    await stage.restart()
    for name in PEOPLE:
        assert any(map(pressable, stage.dms(name))) == (name == called), name
