"""A table from opening to result, as people see it: the controls and the texts."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import discord
import pytest

from cogs.gateway.cards import Card, with_pictures
from cogs.gateway.components import Interaction
from cogs.gateway.failures import Failure
from cogs.gateway.gateway import Gateway
from cogs.gateway.replies import Replies
from play.ending import Resign
from play.lobby import Join
from tests.cogs.test_rules import turned_to
from tests.refusals import MISSING_PERMISSIONS, refuse
from tests.stage import (
    PATIENCE,
    Stage,
    alts_of,
    answer_to,
    controls,
    private,
    texts_of,
    use,
    verb_of,
)

pytestmark = pytest.mark.usefixtures("no_errors")


# ------------------------------------------------------------------------------- lobby
async def test_the_lobby_says_who_is_in(stage: Stage) -> None:
    await stage.lobby("Ben", goal=3, king=True)
    lobby = texts_of(await stage.message("lobby"))
    assert "Anna" in lobby
    assert "Ben" in lobby
    assert "Stones to take: 3" in lobby
    assert "King's power: Excalibur is on the field" in lobby
    await stage.press("Ben", "leave")
    assert "Ben" not in texts_of(await stage.message("lobby"))
    assert len(stage.channel.history()) == 1


async def test_the_lobby_shows_who_is_in_however_slow_discord_is(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people join at once, and the edit for the first one takes longer to arrive."""
    await stage.slash("Anna", "lancelot new")
    table = await stage.table()
    edit, pauses = Gateway.edit, [0.0, 0.2]

    async def slowly(*message: Any, **more: Any) -> Failure | None:
        await asyncio.sleep(pauses.pop() if pauses else 0)
        return await edit(*message, **more)

    async def come(name: str) -> None:
        await stage.bot.tables.join(table.id, Join(stage.people[name].id, name))
        await stage.bot.table_delivery.bring(table.id)

    monkeypatch.setattr(Gateway, "edit", slowly)
    await asyncio.gather(come("Ben"), come("Clara"))
    told = texts_of(await stage.message("lobby"))
    assert "Ben" in told
    assert "Clara" in told


async def test_a_typed_leave_is_answered_in_private(stage: Stage) -> None:
    await stage.lobby("Ben")
    left = await stage.slash("Ben", "table leave")
    assert "You have left table" in answer_to(left)
    assert "Ben" not in texts_of(await stage.message("lobby"))
    assert len(stage.channel.history()) == 1


async def test_nobody_starts_alone_and_only_the_host_can_close_a_lobby(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    assert "starts with 2, 3, 4 or 5 players" in answer_to(await stage.press("Anna", "start"))
    await stage.press("Ben", "join")
    labels = [c.label for c in controls(private(await stage.press("Ben", "more")))]
    assert labels == ["Rules", "Learn it", "Invite somebody…"]


async def test_a_cancelled_lobby_has_no_buttons(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    await stage.press_more("Anna", "cancel")
    lobby = stage.channel.last_message
    assert "**Anna** has closed this table before it started." in texts_of(lobby)
    assert controls(lobby) == []


@pytest.mark.parametrize("what", ["lancelot new", "table show", "tables"])
async def test_a_deleted_lobby_is_posted_again(stage: Stage, what: str) -> None:
    await stage.slash("Anna", "lancelot new")
    await (await stage.message("lobby")).delete()
    assert stage.channel.history() == []
    await stage.slash("Anna", what)
    await stage.press("Ben", "join")
    assert "Ben" in texts_of(await stage.message("lobby"))
    assert len(stage.channel.history()) == 1


async def test_the_rules_are_told_from_lobby_and_board(stage: Stage) -> None:
    stage.env.settle_timeout = PATIENCE
    await stage.lancelot()
    asked = await stage.slash("Clara", "lancelot rules")
    for result in (await stage.press_more("Ben", "rules"), asked):
        goal = (
            "Be the first to take 7 opponents' stones"
            if result is asked
            else "to have 7 of them wins"
        )
        assert goal in answer_to(result)
        person = stage.people["Clara" if result is asked else "Ben"]
        turn = await turned_to(person, private(result), "lancelot.turn")
        assert "Commandment of chivalry" in texts_of(turn)
        assert "On E7 the row would have been fine" in texts_of(turn)


async def test_a_table_opens_in_a_thread_unless_an_option_or_the_server_says_otherwise(
    stage: Stage,
) -> None:
    stage.allow_threads()
    anna = stage.people["Anna"]
    result = await anna.slash(stage.channel, "lancelot new")
    thread = stage.channel.threads[0]
    assert f"<#{thread.id}>" in answer_to(result)
    assert thread.name == "Lancelot · Anna"
    await anna.slash(stage.channel, "lancelot new", thread=False)
    assert "Anna" in texts_of(await stage.message("lobby"))
    kay = stage.keeper()
    await kay.slash(stage.channel, "server threads", wanted=False)
    await anna.slash(stage.channel, "isis new")
    assert len(stage.channel.threads) == 1


async def test_the_lobby_is_in_the_channel_and_the_match_in_a_thread(stage: Stage) -> None:
    """The lobby's message then says whose turn it is, and finally who has won."""
    stage.allow_threads()
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    await anna.slash(stage.channel, "lancelot new", seating="joined", starter=1)
    (lobby,) = [m for m in stage.channel.history() if controls(m)]
    thread = stage.channel.threads[0]
    assert thread.last_message is None
    await use(ben, lobby, "join")
    await use(anna, lobby, "start")
    told = texts_of(message_again(stage, lobby))
    assert f"<#{thread.id}>" in told
    assert "▲ **Anna** and ● **Ben**. To move: ▲ **Anna**." in told
    (board,) = [m for m in thread.history() if controls(m)]
    assert "Where do you place your stone?" in texts_of(board)
    await use(anna, private(await anna.slash(thread, "table resign")), "resign")
    line = message_again(stage, lobby)
    assert "● **Ben** has won." in texts_of(line)
    assert [c.label for c in controls(line)] == ["Rematch", "Replay"]
    assert "1\\. ● **Ben**" in texts_of(thread.last_message)


async def test_a_lobby_that_cannot_be_posted_opens_no_table(stage: Stage) -> None:
    """Without the lobby, nobody could join. The table's thread already exists by then."""
    stage.allow_threads()
    path = f"/channels/{stage.channel.id}/messages"
    refuse(stage.env, "POST", path, MISSING_PERMISSIONS)
    refused = answer_to(await stage.people["Anna"].slash(stage.channel, "lancelot new"))
    assert "I could not post in that channel. The table was not opened." in refused
    assert await stage.bot.tables.of_person(stage.people["Anna"].id) == []


async def test_a_table_that_cannot_open_leaves_no_thread(stage: Stage) -> None:
    stage.allow_threads()
    kay = stage.keeper()
    anna = stage.people["Anna"]
    refused = await anna.slash(stage.channel, "lancelot new", thread=True, pace="soon")
    assert "I do not understand the pace" in answer_to(refused)
    refused = await anna.slash(stage.channel, "lancelot new", thread=True, players=2, starter=5)
    assert "no seat 5 at a table of 2" in answer_to(refused)
    await kay.slash(stage.channel, "server tables", limit=1)
    await anna.slash(stage.channel, "lancelot new", thread=False)
    refused = await anna.slash(stage.channel, "lancelot new", thread=True)
    assert "up to 1 open table" in answer_to(refused)
    assert stage.channel.threads == []


async def test_no_thread_opens_inside_a_thread(stage: Stage) -> None:
    stage.allow_threads()
    anna = stage.people["Anna"]
    await anna.slash(stage.channel, "lancelot new", thread=True)
    thread = stage.channel.threads[0]
    await anna.slash(thread, "table leave")
    refused = await anna.slash(thread, "lancelot new", thread=True)
    assert "I could not open a thread here" in answer_to(refused)
    opened = await anna.slash(thread, "lancelot new")
    assert "is open" in answer_to(opened)


# ------------------------------------------------------------------------------- moves
async def test_a_move_posts_a_new_board_and_pings_the_next(stage: Stage) -> None:
    await stage.lancelot()
    result = await stage.place("Anna", "k4")
    assert "Done: K4" in answer_to(result)
    (board,) = stage.boards()
    assert "places a stone on K4" in texts_of(board)
    assert stage.pings()[-1] == [stage.people["Ben"].id]
    assert sum(len(users) for users in stage.pings()) == 2


@pytest.mark.parametrize(
    ("kept", "name"),
    [
        ("clean", "only the latest one"),
        ("lines", "the latest one, and a line for each round"),
        ("keep", "all"),
    ],
)
async def test_a_server_chooses_which_boards_stay(stage: Stage, kept: str, name: str) -> None:
    kay = stage.keeper()
    told = answer_to(await kay.slash(stage.channel, "server boards", kept=kept))
    assert f"Boards in a channel: {name}" in told
    await stage.lancelot()
    for player, square in (("Anna", "K4"), ("Ben", "D4")):
        await stage.place(player, square)
    *old, board = stage.boards()
    assert "is to move" in texts_of(board)
    assert controls(board)
    if kept == "clean":
        assert old == []
    elif kept == "lines":
        (line,) = old
        assert texts_of(line).startswith("-# ")
        assert "K4" in texts_of(line)
        assert "D4" in texts_of(line)
    else:
        assert [bool(each.attachments) for each in old] == [True, True]
        assert not any(map(controls, old))


async def test_the_board_is_deleted_by_the_token_of_its_last_press(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The press was acknowledged before its menu was drawn, so its token can still delete the
    board, without counting towards the bot's own limit.
    """

    async def drawn_slowly(card: Card) -> Card:
        await asyncio.to_thread(time.sleep, 0.1)  # meanwhile the press is acknowledged
        return await with_pictures(card)

    await stage.lancelot()
    await stage.place("Anna", "K4")
    monkeypatch.setattr("cogs.gateway.replies.PATIENCE", 0.0)
    monkeypatch.setattr("cogs.gateway.replies.with_pictures", drawn_slowly)
    board, person = await stage.message("board"), stage.people["Ben"]
    menu = private(await stage.go("Ben", board, "D"))
    stage.env.backend.http_requests.clear()
    square = next(c for c in controls(menu) if verb_of(c.custom_id)[1] == "D4")
    await person.click(menu, custom_id=square.custom_id)
    requests = [r for r in stage.env.backend.http_requests if r.method in ("PATCH", "DELETE")]
    assert [r.path for r in requests if "webhooks" not in r.path] == []
    assert board.id not in [message.id for message in stage.channel.history()]


def message_again(stage: Stage, message: Any) -> Any:
    """The current state of a message."""
    return next(each for each in stage.channel.history() if each.id == message.id)


async def test_a_move_takes_two_presses(stage: Stage) -> None:
    await stage.lancelot()
    board = await stage.message("board")
    first = await stage.go("Anna", board, "K")
    menu = private(first)
    assert menu.ephemeral
    assert [c.label for c in controls(menu) if c.chooses] == [f"K{row}" for row in range(4, 12)]
    second = await stage.go("Anna", menu, "K4")
    assert second.acknowledged
    assert (await stage.table()).played.view(None).public["board"] == {"K4": 0}


async def test_a_first_choice_can_be_taken_back(stage: Stage) -> None:
    await stage.lancelot()
    board = await stage.message("board")
    menu = private(await stage.go("Anna", board, "K"))
    again = await stage.go("Anna", menu)
    assert again.acknowledged
    assert {c.label for c in controls(again.response) if c.chooses} == set("DEFGHIJK")
    assert (await stage.table()).played.ply == 0


async def test_the_kings_power_is_used_in_one_command_or_by_buttons(stage: Stage) -> None:
    await stage.lancelot(king=True)
    await stage.slash("Ben", "lancelot place", sword="G6")
    result = await stage.place("Anna", "G8", sword="H9")
    assert "Done: Excalibur to H9 and G8." in answer_to(result)
    board = await stage.message("board")
    step = await stage.go("Ben", board, "X:")
    step = await stage.go("Ben", private(step), "X:D")
    step = await stage.go("Ben", private(step), "X:D5")
    assert "Where do you place your stone?" in answer_to(step)
    assert [m.id for m in stage.boards()] == [board.id], "half a turn calls nobody"
    step = await stage.go("Ben", private(step), "E")
    await stage.go("Ben", private(step), "E9")
    (after,) = stage.boards()
    assert after.id != board.id
    assert (await stage.table()).played.view(None).public["excalibur"] == "D5"


async def test_a_refused_move_names_the_rule(stage: Stage) -> None:
    await stage.lancelot()
    for name, taken in (("Anna", "E5"), ("Ben", "K4"), ("Anna", "E7"), ("Ben", "K6")):
        await stage.place(name, taken)
    before = len(stage.channel.history())
    for square, told in (
        ("A1", "outside the field, which goes from D4 to K11"),
        ("Q7", "“Q7” is not a square here. Squares are called D4 to K11."),
        ("E5", "already a stone on E5"),
        ("E11", "Chivalry: "),
        ("pass", "You have to place a stone"),
        ("**@everyone**", "is not a square here"),
    ):
        answer = answer_to(await stage.place("Anna", square))
        assert told in answer
        assert "possible moves; the buttons under the board show them." in answer
        assert "@everyone" not in answer
    told = answer_to(await stage.slash("Anna", "lancelot place"))
    assert told == "Say which move: at least one option is needed."
    assert len(stage.channel.history()) == before
    assert (await stage.table()).played.ply == 4


async def test_a_stale_menu_has_no_effect(stage: Stage) -> None:
    await stage.lancelot()
    menu = private(await stage.go("Anna", await stage.message("board"), "K"))
    await stage.place("Anna", "D4")
    await stage.place("Ben", "D6")
    pressed = await stage.go("Anna", menu, "K4")
    assert "earlier position" in answer_to(pressed)
    assert (await stage.table()).played.ply == 2


async def test_where_can_i_go_shows_a_picture_to_one_person_alone(stage: Stage) -> None:
    await stage.lancelot()
    result = await stage.press("Anna", "where")
    assert result.ephemeral
    assert result.response.attachments
    assert controls(result.response)
    assert "not your turn" in answer_to(await stage.press("Ben", "where"))


async def test_possible_captures_are_shown_for_each_player(stage: Stage) -> None:
    await stage.lancelot()
    for name, square in (("Anna", "E5"), ("Ben", "H5"), ("Anna", "F5")):
        await stage.place(name, square)
    own = private(await stage.press("Ben", "look"))
    assert "### Possible captures · Ben" in texts_of(own)
    assert alts_of(own) == ["No stone of Ben's would take anything now."]
    (other,) = controls(own)
    result = await stage.people["Ben"].click(own, custom_id=other.custom_id)
    assert "### Possible captures · Anna" in texts_of(result.response)
    assert "D5 takes H5" in alts_of(result.response)[0]


async def test_autocompletion_offers_legal_squares(stage: Stage) -> None:
    await stage.lancelot()
    anna = stage.people["Anna"]
    every = await anna.autocomplete(stage.channel, "lancelot place", "square", "")
    assert len(every) == 25
    some = await anna.autocomplete(stage.channel, "lancelot place", "square", "k1")
    assert [choice["value"] for choice in some] == ["K10", "K11"]
    ben = stage.people["Ben"]
    assert await ben.autocomplete(stage.channel, "lancelot place", "square", "k") == []


# ----------------------------------------------------------------------------- looking
async def test_a_table_can_be_looked_at_in_several_ways(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    ben = stage.people["Ben"]
    shown = await ben.slash(stage.channel, "table show")
    assert "places a stone on K4" in answer_to(shown)
    assert shown.ephemeral
    assert shown.response.attachments
    assert "K4" in answer_to(await ben.slash(stage.channel, "table show", text=True))
    assert "Anna: K4" in answer_to(await ben.slash(stage.channel, "table log"))
    assert "no hands" in answer_to(await ben.slash(stage.channel, "table hand"))
    mine = answer_to(await ben.slash(stage.channel, "tables"))
    assert "waiting for you" in mine
    assert "waiting for ● **Ben**" in answer_to(await stage.slash("Anna", "tables"))
    none = private(await stage.slash("Clara", "tables"))
    assert "not playing at any table" in texts_of(none)
    assert [control.label for control in controls(none)] == ["All games"]


async def test_the_board_says_what_its_buttons_ask_for(stage: Stage) -> None:
    await stage.lancelot(pace="none")
    assert "is to move. Where do you place your stone?" in texts_of(await stage.message("board"))


async def test_asking_for_a_hand_before_the_start_says_not_started(stage: Stage) -> None:
    anna = stage.people["Anna"]
    await anna.slash(stage.channel, "lancelot new")
    assert "has not started yet" in answer_to(await anna.slash(stage.channel, "table hand"))


async def test_a_table_is_reached_by_its_code_from_elsewhere(stage: Stage) -> None:
    """Without a code, a move goes to the only table that waits."""
    await stage.lancelot()
    code = (await stage.table()).row.code
    other = stage.new_channel("elsewhere")
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    await anna.slash(other, "lancelot place", square="K4", table=code.lower())
    await ben.slash(other, "lancelot place", square="D6")
    assert (await stage.table()).played.ply == 2
    nobody = await stage.people["Clara"].slash(other, "lancelot place", square="K4")
    assert "no table in this channel" in answer_to(nobody)
    unknown = await anna.slash(other, "table show", table="ZZZZ")
    assert "any table with that code" in answer_to(unknown)


async def test_no_code_completes_moves_at_a_table_of_another_server(stage: Stage) -> None:
    """``docs/permissions.md`` lists everything else that strangers are refused there."""
    await stage.lancelot()
    code = (await stage.table()).row.code
    abroad = stage.env.create_guild()
    mallory = abroad.add_member(stage.env.create_user("Mallory"))
    offered = await mallory.autocomplete(
        stage.new_channel("abroad", abroad), "lancelot place", "square", "", table=code
    )
    assert offered == []


async def test_people_at_a_table_reach_it_from_anywhere(stage: Stage) -> None:
    await stage.lancelot()
    code = (await stage.table()).row.code
    ben, clara = stage.people["Ben"], stage.people["Clara"]
    assert "Nothing has happened yet" in answer_to(await ben.user.slash("table log", table=code))
    abroad = stage.env.create_guild()
    guest = abroad.add_member(ben.user)
    shown = await guest.slash(stage.new_channel("abroad", abroad), "table log", table=code)
    assert "Nothing has happened yet" in answer_to(shown)
    followed = await clara.slash(stage.channel, "table follow", table=code)
    assert "You are now following table" in answer_to(followed)
    left = await clara.user.slash("table unfollow", table=code)
    assert "no longer follow" in answer_to(left)


# ------------------------------------------------------------------------------ ending
async def test_people_who_have_resigned_can_follow_the_rest_of_the_match(stage: Stage) -> None:
    await stage.open("lancelot", 3)
    await stage.resign("Anna")
    await stage.press_more("Anna", "follow")
    told = len(stage.direct("Anna"))
    for name in ("Ben", "Clara"):
        await stage.resign(name)
    (result,) = stage.direct("Anna")[told:]
    assert "has ended without a result" in result


async def test_the_result_offers_a_rematch(stage: Stage) -> None:
    await stage.lancelot(goal=1)
    for name, square in (("Anna", "E5"), ("Ben", "J5"), ("Anna", "H5"), ("Ben", "D11")):
        await stage.place(name, square)
    await stage.place("Anna", "D5")
    result: Any = stage.channel.last_message
    assert "1\\. ▲ **Anna** – 1 stone taken" in texts_of(result)
    assert "The goal was reached." in texts_of(result)
    assert stage.boards() == []
    rematch = next(c for c in controls(result) if c.label == "Rematch")
    stranger = await stage.people["Clara"].click(result, custom_id=rematch.custom_id)
    assert "not playing at this table" in answer_to(stranger)
    await stage.people["Ben"].click(result, custom_id=rematch.custom_id)
    assert "Stones to take: 1" in texts_of(await stage.message("lobby"))
    await stage.people["Anna"].click(result, custom_id=rematch.custom_id)
    names = [member.name for member in (await stage.table()).members]
    assert names == ["Ben", "Anna"], "the second to press joins the first"


async def test_a_result_that_was_not_posted_is_posted_at_the_next_start(stage: Stage) -> None:
    await stage.lancelot()
    table = await stage.table()
    await stage.unheard(table, Resign(stage.people["Ben"].id, "novice"))
    await stage.restart()
    assert "● **Ben** has resigned" in texts_of(stage.channel.last_message)
    told = len(stage.channel.history())
    await stage.restart()
    assert len(stage.channel.history()) == told


# ----------------------------------------------------------------------------- servers
async def test_a_server_sets_the_channels_the_role_and_the_language_for_tables(
    stage: Stage,
) -> None:
    kay = stage.keeper()
    hosts = stage.guild.create_role("Hosts")
    host = stage.guild.add_member(stage.env.create_user("Hilda"), roles=[hosts])
    other = stage.new_channel("elsewhere")
    await kay.slash(stage.channel, "server channel", channel=stage.channel, allowed=True)
    await kay.slash(stage.channel, "server opener", role=hosts)
    await kay.slash(stage.channel, "server language", language="de")
    shown = answer_to(await kay.slash(stage.channel, "server show"))
    assert "Deutsch" in shown
    assert f"<#{stage.channel.id}>" in shown
    refused = await host.slash(other, "lancelot new")
    assert f"tables may be opened in <#{stage.channel.id}>" in answer_to(refused)
    refused = await stage.slash("Anna", "lancelot new")
    assert "may open tables" in answer_to(refused)
    await host.slash(stage.channel, "lancelot new")
    assert "Am Tisch" in texts_of(stage.channel.last_message)
    await kay.slash(stage.channel, "server channel", channel=stage.channel, allowed=False)
    await kay.slash(stage.channel, "server opener")
    await stage.people["Anna"].slash(other, "lancelot new")
    assert "Anna" in texts_of(other.last_message)


async def test_settings_changed_at_the_same_time_are_all_stored(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While Discord delays an answer, someone else changes another setting."""
    kay = stage.keeper()
    anna = stage.people["Anna"]
    settings, defer = stage.bot.store.settings, Replies.defer

    async def slowly(replies: Replies, interaction: Interaction) -> Failure | None:
        failure = await defer(replies, interaction)
        await settings.change_server(stage.guild.id, lambda known: replace(known, quiet_limit=3))
        await settings.change_person(anna.id, lambda known: replace(known, zone="Asia/Tokyo"))
        return failure

    monkeypatch.setattr(Replies, "defer", slowly)
    await kay.slash(stage.channel, "server tables", limit=7)
    await anna.slash(stage.channel, "preferences calls", where="dm")
    server, person = await settings.server(stage.guild.id), await settings.person(anna.id)
    assert (server.quiet_limit, server.tables_limit) == (3, 7)
    assert (person.language, person.zone, person.call_at) == ("en", "Asia/Tokyo", "dm")


async def test_missing_permissions_are_named_one_by_one(stage: Stage) -> None:
    me = stage.bot.client.user
    assert me is not None
    closed = stage.guild.create_text_channel(
        "closed",
        overwrites={me: discord.PermissionOverwrite(send_messages=False, attach_files=False)},
    )
    answer = answer_to(await stage.people["Anna"].slash(closed, "lancelot new"))
    assert "“Send Messages” and “Attach Files”" in answer
    assert closed.history() == []


async def test_a_move_counts_even_if_the_board_cannot_be_posted(stage: Stage) -> None:
    await stage.lancelot()
    path = f"/channels/{stage.channel.id}/messages"
    refuse(stage.env, "POST", path, MISSING_PERMISSIONS, times=1)
    result = await stage.place("Anna", "K4")
    assert "Your move counts" in answer_to(result)
    (old,) = stage.boards()
    assert controls(old), "the old board works until there is a new one"
    await stage.restart()
    (new,) = stage.boards()
    assert new.id != old.id
    assert "places a stone on K4" in texts_of(new)


async def test_a_deleted_board_is_posted_again(stage: Stage) -> None:
    await stage.lancelot()
    board = await stage.message("board")
    await board.delete()
    await stage.place("Anna", "K4")
    assert "places a stone on K4" in texts_of(stage.boards()[-1])


@pytest.mark.speaks("de")
async def test_everything_is_said_in_german(stage: Stage) -> None:
    await stage.open("lancelot", 2)
    assert "beginnt" in texts_of(stage.boards()[-1])
    (starter,) = await stage.awaited()
    answer = answer_to(await starter.slash(stage.channel, "lancelot place", square="A1"))
    assert "Spielfeld" in answer
    rules = private(await stage.press_more("Ben", "rules"))
    turn = await turned_to(stage.people["Ben"], rules, "lancelot.turn")
    assert "Gebot der Ritterlichkeit" in texts_of(turn)
    assert "warte" in answer_to(await stage.slash("Ben", "tables"))
