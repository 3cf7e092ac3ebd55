"""Joint decisions, as people see them: questions, buttons, boards, direct messages."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from cogs.present.people import code_of
from data.store.rows import Status
from games import GAMES
from play.aggregate import Command
from play.ending import EndTable
from play.lobby import Park
from play.seats import kept
from play.table import Table
from play.votes import YES, Answer, open_votes
from tests.refusals import CLOSED_DMS, MISSING_PERMISSIONS, UNAVAILABLE, UNKNOWN_CHANNEL, refuse
from tests.stage import Shown, Stage, answer_to, controls, private, random_moves, texts_of, verb_of

pytestmark = pytest.mark.usefixtures("no_errors")

DAYS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Keep(Command[Table]):
    """Have a computer player keep a seat, as after three misses."""

    seat: int

    def effect(self, table: Table, now: datetime) -> Table:
        return kept(table, self.seat, "novice", now)


async def moves(stage: Stage) -> list[str]:
    return [event.move for event in (await stage.table()).played.log]


# -------------------------------------------------------------------------------- undo
async def test_taking_back_ones_own_move_takes_one_press_and_pings_nobody(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    told = len(stage.pings())
    result = await stage.tap("Anna", await stage.message("board"), "Take back")
    assert answer_to(result) == ""
    (board,) = stage.boards()
    assert "▲ **Anna** takes back K4." in texts_of(board)
    assert "places" not in texts_of(board)
    assert stage.pings()[told:] == []
    assert await moves(stage) == []
    await stage.place("Anna", "D4")
    assert stage.pings()[-1] == [stage.people["Ben"].id]


async def test_an_undo_needs_the_other_players_consent(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    await stage.place("Ben", "D4")
    assert "asked the others" in await stage.command("Anna", "table undo")
    asked = stage.question()
    asks = f"{code_of(await stage.table())} · ▲ **Anna** would like to take back K4, and with it"
    assert f"{asks} ● **Ben**: D4" in texts_of(asked)
    assert stage.pings()[-1] == [stage.people["Ben"].id]
    assert [c.label for c in controls(asked)] == ["Agree", "Decline"]
    await stage.tap("Ben", asked, "Agree")
    assert await moves(stage) == []
    told = texts_of(stage.boards()[-1])
    assert "takes back K4, and with it ● **Ben**: D4." in told
    assert "Everybody has agreed" in told
    assert stage.pings()[-1] == [stage.people["Anna"].id]
    assert gone(stage, asked)
    log = await stage.command("Ben", "table log")
    assert "↶  Anna takes back K4, and with it Ben: D4. Agreed: Ben." in log


def gone(stage: Stage, asked: Any) -> bool:
    """Return whether a message has been deleted."""
    return asked.id not in [message.id for message in stage.channel.history()]


async def test_a_no_or_a_move_ends_the_question_about_an_undo(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    await stage.place("Ben", "D4")
    await stage.command("Anna", "table undo")
    declined = stage.question()
    await stage.tap("Ben", declined, "Decline")
    assert gone(stage, declined)
    assert "the moves stand" in texts_of(await stage.message("board"))
    assert "asked that before" in await stage.command("Anna", "table undo")
    await stage.place("Anna", "K6")
    await stage.place("Ben", "D6")
    await stage.command("Anna", "table undo")
    overtaken = stage.question()
    await stage.place("Anna", "F8")
    assert gone(stage, overtaken)
    assert await moves(stage) == ["K4", "D4", "K6", "D6", "F8"]


async def test_pressing_twice_answers_once(stage: Stage) -> None:
    await stage.lancelot(3)
    for name, square in (("Anna", "K4"), ("Ben", "D4"), ("Clara", "F6")):
        await stage.place(name, square)
    await stage.command("Anna", "table undo")
    asked = stage.question()
    assert "Answered" not in texts_of(asked), "Anna asked: she has nothing to answer"
    for _ in range(2):
        await stage.tap("Ben", asked, "Agree")
    answered = texts_of(stage.question()).partition("Answered: ")[2].splitlines()[0]
    assert answered == f"● <@{stage.people['Ben'].id}>."
    assert len(await moves(stage)) == 3
    await stage.tap("Clara", asked, "Agree")
    assert await moves(stage) == []


async def test_a_decision_that_was_not_posted_is_posted_at_the_next_start(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    await stage.place("Ben", "D4")
    await stage.command("Anna", "table undo")
    table = await stage.table()
    (vote,) = open_votes(table)
    await stage.unheard(table, Answer(vote.asked, stage.people["Ben"].id, YES))
    asked = stage.question()
    await stage.restart()
    assert await moves(stage) == []
    assert "takes back K4" in texts_of(stage.boards()[-1])
    assert gone(stage, asked)
    count = len(stage.channel.history())
    await stage.restart()
    assert len(stage.channel.history()) == count


async def test_a_question_without_a_message_is_asked_at_the_next_start(stage: Stage) -> None:
    """The bot was killed before posting the question, or the message was deleted."""
    await stage.lancelot()
    table = await stage.table()
    await stage.unheard(table, EndTable(stage.people["Anna"].id))
    await stage.restart()

    def question() -> Any:
        """The newest question: it may have been posted again."""
        wish = "would like to end the match"
        return next(m for m in reversed(stage.channel.history()) if wish in texts_of(m))

    first = question()
    await first.delete()
    await stage.restart()
    await stage.wait(600)
    assert question().id != first.id
    await stage.tap("Ben", question(), "Agree")
    assert (await stage.bot.tables.get(table.id)).row.status is Status.ENDED


async def test_a_question_that_cannot_be_posted_is_posted_when_asked_again(stage: Stage) -> None:
    await stage.lancelot()
    path = f"/channels/{stage.channel.id}/messages"
    refuse(stage.env, "POST", path, MISSING_PERMISSIONS, times=1)
    assert "could not post the question" in await stage.end("Ben")
    assert "already been asked" in await stage.end("Ben")
    await stage.tap("Anna", stage.question(), "Agree")
    assert "has ended without a result" in texts_of(stage.channel.last_message)


async def test_a_menu_of_the_undone_course_is_stale(stage: Stage) -> None:
    """The menu was opened for the same ply, but before an undo."""
    await stage.lancelot()
    await stage.place("Anna", "K4")
    step = await stage.go("Ben", await stage.message("board"), "D")
    menu = private(step)
    await stage.command("Anna", "table undo")
    await stage.place("Anna", "F6")
    table = await stage.table()
    assert table.awaited == (1,)
    assert "earlier position" in answer_to(await stage.tap("Ben", menu, "D4"))
    assert await moves(stage) == ["F6"]


async def test_before_the_first_move_there_is_nothing_to_take_back(stage: Stage) -> None:
    """The lot that decides who begins cannot be taken back."""
    await stage.open("lancelot", 2, seating="joined")
    assert "nothing to take back" in await stage.command("Ben", "table undo")


async def test_silence_is_no_consent(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    await stage.place("Ben", "D4")
    await stage.command("Anna", "table undo")
    asked = stage.question()
    await stage.wait(2 * DAYS)
    assert controls(stage.question())
    await stage.wait(1 * DAYS + 60)
    assert gone(stage, asked)
    assert "the moves stand" in texts_of(await stage.message("board"))
    assert await moves(stage) == ["K4", "D4"]


async def test_changing_a_sealed_choice(stage: Stage) -> None:
    """While others are choosing, a person takes back their own choice where it was confirmed: no
    new board, no ping, no word about its content. Once all have chosen, the choice is final.
    """
    await stage.open("donquixote", 3)
    rng = random.Random(0)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    before = len(stage.boards()), len(stage.pings())
    hand = private(await stage.press("Anna", "hand"))
    sealed = private(await stage.choose(anna, hand, rng))
    await stage.move_by_buttons(ben, rng)
    table = await stage.table()
    (chosen,) = [e.move for e in table.played.log if e.seat == table.seat_of(anna.id)]
    assert sealed.ephemeral
    (control,) = controls(sealed)
    assert control.label == "Take back"
    result = await anna.click(sealed, custom_id=control.custom_id)
    assert result.acknowledged
    assert any(c.chooses for c in controls(private(result)))
    table = await stage.table()
    assert sorted(table.awaited) == sorted(
        table.seat_of(stage.people[name].id) or 0 for name in ("Anna", "Clara")
    )
    assert (len(stage.boards()), len(stage.pings())) == before
    told = texts_of(stage.boards()[-1])
    assert "**Anna** takes back a sealed choice." in told
    assert chosen not in told
    again = private(await stage.press("Anna", "hand"))
    assert any(c.chooses for c in controls(again))
    await stage.move_by_buttons(anna, rng)
    await stage.move_by_buttons(stage.people["Clara"], rng)
    table = await stage.table()
    refusal = await stage.command("Anna", "table undo")
    assert "your move is final" in refusal, table.played.log


async def test_a_sealed_choice_is_shown_on_the_hand(stage: Stage) -> None:
    """One press on the direct message is a whole move: the hand then shows the sealed choice and a
    button to take it back. There is no other message.
    """
    await stage.open("isolde", 3)
    for name in ("Anna", "Ben"):
        hand = await stage.message("hand", stage.people[name].id)
        control = next(c for c in controls(hand) if c.chooses)
        assert answer_to(await press_directly(stage, name, hand, control)) == ""
        sealed = await stage.message("hand", stage.people[name].id)
        assert f"You have chosen: keep {control.label}." in texts_of(sealed)
        assert [c.label for c in controls(sealed)] == ["Take back"]


async def press_directly(stage: Stage, name: str, message: Any, control: Shown) -> Any:
    """Use a button or a menu's first entry in direct messages."""
    user = stage.people[name].user
    if control.options:
        return await user.select(message, [control.options[0][0]], custom_id=control.custom_id)
    return await user.click(message, custom_id=control.custom_id)


# -------------------------------------------------------------------------------- ending
async def test_two_of_three_can_end_a_match(stage: Stage) -> None:
    await stage.lancelot(3)
    table_id = (await stage.table()).id
    await stage.end("Ben")
    asked = stage.question()
    assert "2 of 3 have to agree" in texts_of(asked)
    await stage.tap("Clara", asked, "Agree")
    assert (await stage.bot.tables.get(table_id)).row.status is Status.ENDED
    assert gone(stage, asked)
    assert "has ended without a result" in texts_of(stage.channel.last_message)
    assert stage.boards() == []


async def test_a_draw_that_everybody_agrees_to_shares_first_place(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "has no draws" in answer_to(await _draw_at_lancelot(stage))
    info = GAMES["lancelot"].info
    monkeypatch.setattr(
        type(GAMES["lancelot"]), "info", type(info)(**{**_fields(info), "draws": True})
    )
    await stage.tap("Ben", private(await _more(stage, "Ben")), "Offer a draw")
    asked = stage.question()
    assert "● **Ben** offers a draw" in texts_of(asked)
    await stage.tap("Anna", asked, "Agree")
    result = texts_of(stage.channel.last_message)
    assert "1\\. ▲ **Anna**" in result
    assert "1\\. ● **Ben**" in result
    assert "Everybody has agreed to a draw." in result


async def _draw_at_lancelot(stage: Stage) -> Any:
    await stage.lancelot()
    return await stage.slash("Anna", "table draw")


def _fields(info: Any) -> dict[str, Any]:
    return {name: getattr(info, name) for name in info.__dataclass_fields__}


async def _more(stage: Stage, name: str) -> Any:
    return await stage.tap(name, await stage.message("board"), "More…")


@pytest.mark.parametrize(
    ("players", "warning"), [(2, "your opponent wins"), (3, "a computer player plays on")]
)
@pytest.mark.parametrize("typed", [False, True], ids=["button", "command"])
async def test_resigning_asks_first(stage: Stage, typed: bool, players: int, warning: str) -> None:
    await stage.lancelot(players)
    if typed:
        step = await stage.slash("Ben", "table resign")
    else:
        step = await stage.tap("Ben", private(await _more(stage, "Ben")), "Resign")
    asked = private(step)
    assert asked.ephemeral
    assert warning in texts_of(asked)
    assert (await stage.table()).seat_of(stage.people["Ben"].id) is not None
    await stage.tap("Ben", asked, "Resign")
    assert (await stage.table()).seat_of(stage.people["Ben"].id) is None or players == 2


# --------------------------------------------------------------------------------- seats
async def test_a_host_sends_guests_away_by_menu_and_by_command(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    for name in ("Ben", "Clara"):
        await stage.press(name, "join")
    shown = private(await stage.press("Ben", "more"))
    assert "whom" not in [verb_of(c.custom_id)[0] for c in controls(shown)]
    menu = private(await stage.press_more("Anna", "whom"))
    (pick,) = controls(menu)
    assert [label for _, label in pick.options] == ["Ben", "Clara"]
    result = await stage.people["Anna"].select(menu, ["1"], custom_id=pick.custom_id)
    assert "Ben has been sent away from the table" in texts_of(result.response)
    answer = await stage.command("Anna", "table kick", person=stage.people["Clara"])
    assert "Clara has been sent away" in answer
    assert "Clara" not in texts_of(await stage.message("lobby"))
    assert "You cannot sit down" in answer_to(await stage.press("Ben", "join"))
    assert "not at this table" in await stage.command(
        "Anna", "table kick", person=stage.people["David"]
    )


async def test_a_seat_is_handed_over_with_consent(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    david = stage.people["David"]
    assert "asked the others" in await stage.command("Ben", "table replace", person=david)
    assert f"<@{david.id}>" in texts_of(stage.question())
    await stage.tap("Anna", stage.question(), "Agree")
    offered = stage.channel.last_message
    assert stage.pings()[-1] == [david.id]
    assert "not on offer to you" in answer_to(await stage.tap("Clara", offered, "Take the seat"))
    await stage.tap("David", offered, "Take the seat")
    assert gone(stage, offered)
    assert "● **David** has taken over the seat" in texts_of(stage.boards()[-1])
    assert f"<@{david.id}> is to move" in texts_of(stage.boards()[-1])
    assert "not playing at this table" in answer_to(await stage.place("Ben", "D4"))
    await stage.place("David", "D4")
    assert await moves(stage) == ["K4", "D4"]


async def test_an_offered_seat_goes_to_the_first_who_takes_it(stage: Stage) -> None:
    await stage.lancelot(3)
    await stage.resign("Clara")
    await stage.command("Anna", "table replace", seat=3)
    await stage.tap("Ben", stage.question(), "Agree")
    offered = stage.channel.last_message
    assert offered is not None
    await stage.tap("Emil", offered, "Take the seat")
    assert gone(stage, offered)
    assert (await stage.table()).names == ("Anna", "Ben", "Emil")


async def test_coming_back_takes_one_press(stage: Stage) -> None:
    await stage.lancelot(3)
    table = await stage.table()
    clara = stage.people["Clara"]
    await stage.unheard(table, Keep(2))
    menu = private(await _more(stage, "Clara"))
    assert "Resign" not in [c.label for c in controls(menu)]
    result = await stage.tap("Clara", menu, "I am back")
    assert "you have your seat again" in answer_to(result)
    assert (await stage.table()).seat_of(clara.id) == 2
    assert "already have your seat" in await stage.command("Clara", "table return")


async def test_a_person_whose_seat_is_kept_learns_how_to_return(stage: Stage) -> None:
    """A move typed while a computer player keeps the seat is not refused as a stranger's."""
    await stage.lancelot(3)
    table = await stage.table()
    await stage.unheard(table, Keep(0))
    assert "“I am back” under “More…”" in answer_to(await stage.place("Anna", "K4"))


# --------------------------------------------------------------------------------- plans
async def test_a_planned_move_is_played_without_a_ping(stage: Stage) -> None:
    await stage.lancelot()
    planned = await stage.command("Ben", "table plan", move="D4")
    assert "1. D4" in planned
    before = len(stage.pings())
    await stage.place("Anna", "K4")
    assert await moves(stage) == ["K4", "D4"]
    assert stage.pings()[before:] == [[stage.people["Anna"].id]]
    text = texts_of(stage.boards()[-1])
    assert "places a stone on K4" in text
    assert "places a stone on D4" in text


async def test_a_plan_that_has_become_illegal_is_dropped_with_a_word(stage: Stage) -> None:
    await stage.lancelot()
    await stage.command("Ben", "table plan", move="K4")
    await stage.place("Anna", "K4")
    assert await moves(stage) == ["K4"]
    (word,) = stage.direct("Ben")
    assert "I did not play your planned move K4. There is already a stone on K4." in word
    assert [ids for ids in stage.pings()[-2:] if ids] == [[stage.people["Ben"].id]]


async def test_the_channel_only_hears_that_there_was_a_plan(stage: Stage) -> None:
    """The plan itself stays private, even if no direct message reaches its owner."""
    await stage.lancelot()
    await stage.command("Ben", "table plan", move="K4", after="F6")
    ben = stage.people["Ben"]
    await ben.user.create_dm() if hasattr(ben.user, "create_dm") else None
    refuse(stage.env, "POST", "/users/@me/channels", CLOSED_DMS)
    await stage.place("Anna", "K4")
    told = [texts_of(m) for m in stage.channel.history()]
    assert any("● **Ben**'s planned moves have been dropped." in text for text in told)
    assert not any("F6" in text for text in told)


async def test_plans_are_made_and_dropped_by_form_and_buttons(stage: Stage) -> None:
    await stage.lancelot()
    menu = private(await _more(stage, "Ben"))
    step = await stage.tap("Ben", menu, "Planned moves")
    assert "None. A planned move is played" in texts_of(step.response)
    form = await stage.tap("Ben", step.response, "Plan a move")
    assert form.modal is not None
    sent = await stage.people["Ben"].submit_modal(form, {"move": "D4", "answer_to": "K4"})
    assert sent.acknowledged
    assert "1. D4, if somebody plays K4" in answer_to(sent) + texts_of(sent.response)
    table = await stage.table()
    (plan,) = table.plans
    assert (plan.move, plan.answer_to) == ("D4", "K4")
    step = await stage.tap("Ben", step.response, "Play forced moves for me")
    assert "I play it at once" in texts_of(step.response)
    step = await stage.tap("Ben", step.response, "Drop all")
    assert "None." in texts_of(step.response)
    step = await stage.tap("Ben", step.response, "Ask me even if I have only one move")
    assert (await stage.table()).hurried == frozenset()


async def test_an_undo_voids_plans_with_a_word(stage: Stage) -> None:
    await stage.lancelot(3)
    await stage.place("Anna", "K4")
    await stage.command("Clara", "table plan", move="F6")
    await stage.command("Anna", "table undo")
    (word,) = stage.direct("Clara")
    assert "A move was taken back, so your planned moves have been dropped." in word


# ----------------------------------------------------------------------------- looking on
async def test_followers_get_the_result(stage: Stage) -> None:
    await stage.lancelot()
    menu = private(await _more(stage, "Clara"))
    step = await stage.tap("Clara", menu, "Follow this table")
    assert "You are now following table" in texts_of(step.response)
    listed = answer_to(await stage.slash("Clara", "tables"))
    assert "you follow it" in listed
    assert "You play here yourself" in await stage.command("Ben", "table follow")
    await stage.resign("Ben")
    (told,) = stage.direct("Clara")
    assert "1\\. ▲ **Anna**" in told
    await stage.restart()
    assert len(stage.direct("Clara")) == 1


async def test_who_stops_following_gets_no_messages(stage: Stage) -> None:
    await stage.lancelot()
    await stage.command("Clara", "table follow")
    assert "no longer follow" in await stage.command("Clara", "table unfollow")
    assert "do not follow" in await stage.command("Clara", "table unfollow")
    await stage.resign("Ben")
    assert stage.direct("Clara") == []


# -------------------------------------------------------------------------- lost channels
async def lose(stage: Stage, channel: Any) -> None:
    """Have someone delete a channel or thread."""
    stage.env.backend.delete_channel(channel.id)
    await stage.env.settle()


async def test_a_table_whose_channel_is_deleted_continues_elsewhere(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    code = (await stage.table()).row.code
    table_id = (await stage.table()).id
    await lose(stage, stage.channel)
    assert (await stage.bot.tables.get(table_id)).row.status is Status.PARKED
    other = stage.new_channel("elsewhere")
    stage.channel = other
    ben = stage.people["Ben"]
    listed = await ben.slash(other, "tables")
    assert "has lost its channel" in answer_to(listed)
    assert "This table has lost its channel" in answer_to(
        await ben.slash(other, "lancelot place", square="D4", table=code)
    )
    result = await stage.tap("Ben", listed.response, f"Move {code} here")
    assert f"Table `{code}` continues here." in texts_of(result.response)
    assert "● <@" in texts_of(other.last_message)
    await stage.place("Ben", "D4")
    assert await moves(stage) == ["K4", "D4"]


async def test_a_table_that_moves_leaves_nothing_where_it_was(stage: Stage) -> None:
    """If Discord refuses to delete the old lobby when a table moves, the bot deletes it later."""
    stage.allow_threads()
    await stage.slash("Anna", "lancelot new")
    (lobby,) = [m for m in stage.channel.history() if controls(m)]
    (table_id,) = await stage.bot.store.tables.open_ids()
    code = (await stage.bot.tables.get(table_id)).row.code
    await lose(stage, stage.channel.threads[0])
    old, other = stage.channel, stage.new_channel("elsewhere")
    listed = await stage.people["Anna"].slash(other, "tables")
    refuse(stage.env, "DELETE", f"/channels/{old.id}/messages/*", UNAVAILABLE)
    await stage.tap("Anna", listed.response, f"Move {code} here")
    assert lobby.id in [message.id for message in old.history()]
    stage.env.backend.faults.clear()
    await stage.wait(120)
    assert lobby.id not in [message.id for message in old.history()]
    assert len([m for m in other.history() if controls(m)]) == 1


async def test_a_parked_table_is_not_reported_as_over(stage: Stage) -> None:
    await stage.open("twilight", 4, seating="joined")
    table = await stage.table()
    person = stage.person(table.members[table.awaited[0]].person_id or 0)
    hand = stage.dms(person.name)[-1]
    await lose(stage, stage.channel)
    other = stage.new_channel("elsewhere")
    told = await person.slash(other, "table hand", table=table.row.code)
    assert "This table has lost its channel" in answer_to(told)
    control = next(c for c in controls(hand) if c.chooses)
    pressed = await press_directly(stage, person.name, hand, control)
    assert "This table has lost its channel" in answer_to(pressed)


async def test_a_parked_lobby_continues_elsewhere(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    code = (await stage.table()).row.code
    await lose(stage, stage.channel)
    stage.channel = stage.new_channel("elsewhere")
    listed = await stage.slash("Anna", "tables")
    await stage.tap("Anna", listed.response, f"Move {code} here")
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    assert (await stage.table()).running


async def test_a_deleted_thread_parks_its_table(stage: Stage) -> None:
    stage.allow_threads()
    await stage.slash("Anna", "lancelot new", thread=True)
    thread = stage.channel.threads[0]
    table = await stage.bot.tables.in_channel(thread.id)
    await lose(stage, thread)
    assert (await stage.bot.tables.get(table.id)).row.status is Status.PARKED


async def test_a_bot_that_was_removed_parks_its_tables(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    table = await stage.table()
    stage.env.backend.remove_guild(stage.guild.id)
    await stage.env.settle()
    table = await stage.bot.tables.get(table.id)
    assert (table.row.status, table.played.ply) == (Status.PARKED, 1)


def forget(stage: Stage, channel: Any) -> None:
    """Let posts and edits in a channel fail as if it were deleted, without an event."""
    for method in ("POST", "PATCH"):
        path = f"/channels/{channel.id}/messages"
        refuse(stage.env, method, path, UNKNOWN_CHANNEL)


async def test_the_last_move_in_a_lost_channel_ends_the_match_all_the_same(stage: Stage) -> None:
    """Followers get the result, and the bot can still start afterwards."""
    await stage.lancelot()
    await stage.command("Clara", "table follow")
    table = await stage.table()
    *coming, (seat, move) = random_moves(table.played, random.Random(1))
    await stage.moves_unseen(coming)
    await stage.bot.table_delivery.bring(table.id)
    forget(stage, stage.channel)
    last = stage.person(table.members[seat].person_id or 0)
    await last.slash(stage.channel, "lancelot place", square=move)
    assert (await stage.bot.tables.get(table.id)).row.status is Status.FINISHED
    assert "1\\. " in stage.direct("Clara")[-1]
    await stage.restart()
    assert len(stage.direct("Clara")) == 1
    now = stage.bot.tables.clock()
    assert await stage.bot.store.tables.behind(now - timedelta(days=1)) == []


async def test_any_post_that_finds_its_channel_gone_parks_the_table(stage: Stage) -> None:
    """Here, the question to the others finds the channel gone."""
    await stage.lancelot()
    table = await stage.table()
    forget(stage, stage.channel)
    await stage.end("Anna")
    await stage.env.settle()
    assert (await stage.bot.tables.get(table.id)).row.status is Status.PARKED


async def test_a_channel_deleted_while_the_bot_was_away_parks_only_its_table(stage: Stage) -> None:
    await stage.lancelot()
    table = await stage.table()
    other = stage.new_channel("elsewhere")
    await stage.people["Clara"].slash(other, "lancelot new")
    await stage.bot.client.remove_cog("Parking")  # the bot receives no event
    await lose(stage, stage.channel)
    assert (await stage.bot.tables.get(table.id)).running
    await stage.restart()
    await stage.wait(600)
    listed = await stage.people["Ben"].slash(other, "tables")
    assert "has lost its channel" in answer_to(listed)
    assert [c.label for c in controls(listed.response)] == [f"Move {table.row.code} here"]
    assert (await stage.bot.tables.in_channel(other.id)).row.status is Status.LOBBY


async def test_every_table_continues_when_its_own_channel_is_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The channels of two tables come back one after the other."""
    monkeypatch.setattr("cogs.features.waking.PAUSE", 0)
    channels, tables = (stage.channel, stage.new_channel("second")), list[int]()
    for stage.channel in channels:
        await stage.lancelot()
        tables.append((await stage.table()).id)
        await stage.bot.tables.act(tables[-1], Park(stage.channel.id))
    for channel, running in zip(channels, ([True, False], [True, True]), strict=True):
        back = stage.bot.client.get_channel(channel.id)
        stage.bot.client.dispatch("guild_channel_create", back)
        for _ in range(200):
            found = [(await stage.bot.tables.get(each)).running for each in tables]
            if found == running:
                break
            await asyncio.sleep(0.05)
        assert found == running


async def test_a_press_in_a_channel_that_seemed_lost_counts(stage: Stage) -> None:
    """If a control can be pressed, the table can continue there."""
    await stage.lancelot()
    table = await stage.table()
    board = await stage.message("board")
    await stage.bot.tables.act(table.id, Park(stage.channel.id))
    assert (await stage.bot.tables.get(table.id)).row.status is Status.PARKED
    await stage.go("Anna", board, "K")
    assert (await stage.table()).running


async def test_a_server_missing_at_the_start_parks_only_its_tables(stage: Stage) -> None:
    await stage.lancelot()
    table = await stage.table()
    abroad = stage.env.create_guild()
    channel = stage.new_channel("abroad", abroad)
    ben = abroad.add_member(stage.people["Ben"].user)
    await ben.slash(channel, "lancelot new")
    await stage.bot.client.remove_cog("Parking")
    stage.env.backend.remove_guild(stage.guild.id)
    await stage.restart()
    assert (await stage.bot.tables.get(table.id)).row.status is Status.PARKED
    assert (await stage.bot.tables.in_channel(channel.id)).row.status is Status.LOBBY
    listed = await ben.slash(channel, "tables")
    assert f"Move {table.row.code} here" in [c.label for c in controls(listed.response)]


async def test_a_sleeping_thread_is_not_lost(stage: Stage) -> None:
    """Discord does not list an archived thread at the start, and the bot does not ask for it."""
    stage.allow_threads()
    await stage.slash("Anna", "lancelot new", thread=True)
    thread = stage.channel.threads[0]
    stage.env.backend.get_guild(stage.guild.id).thread_ids.remove(thread.id)
    before = len(stage.env.http_requests)
    await stage.restart()
    server = stage.bot.client.get_guild(stage.guild.id)
    assert server is not None
    assert server.get_channel_or_thread(thread.id) is None
    asked = [request.path for request in stage.env.http_requests[before:]]
    assert f"/channels/{thread.id}" not in asked != []
    assert (await stage.bot.tables.in_channel(thread.id)).row.status is Status.LOBBY


# -------------------------------------------------------------------------------- German
@pytest.mark.speaks("de")
async def test_consent_in_german(stage: Stage) -> None:
    await stage.lancelot()
    await stage.place("Anna", "K4")
    await stage.place("Ben", "D4")
    assert "Ich habe die anderen" in await stage.command("Anna", "table undo")
    asked = stage.question()
    assert "möchte K4 (und damit ● **Ben**: D4) zurücknehmen" in texts_of(asked)
    assert [c.label for c in controls(asked)] == ["Zustimmen", "Ablehnen"]
    await stage.tap("Ben", asked, "Zustimmen")
    assert "nimmt K4 (und damit ● **Ben**: D4) zurück." in texts_of(stage.boards()[-1])
    assert "Zugestimmt: Ben." in await stage.command("Ben", "table log")
    assert "Was du geplant hast" in await stage.command("Ben", "table plan", move="K4")
    await stage.place("Anna", "K4")
    assert "Deinen geplanten Zug" in stage.direct("Ben")[-1]
    await stage.end("Ben")
    assert "die Partie ohne Ergebnis beenden" in texts_of(stage.question())
    labels = [
        c.label
        for c in controls(private(await stage.tap("Ben", await stage.message("board"), "Mehr …")))
    ]
    assert {"Geplante Züge", "Meinen Platz abgeben", "Aufgeben"} <= set(labels)
