"""Tournaments in Discord: announcing, signing up, playing and organising."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from cogs.gateway.controls import Control
from cogs.present.seasons import trophy_in_words
from data.store.rows import Status
from data.texts import LANGUAGES, texts
from play.ending import Resign
from play.occasions.tournament import Phase
from play.occasions.tournament_acts import SignUp, Tourney
from play.table import Refused
from tests.refusals import MISSING_PERMISSIONS, refuse
from tests.stage import Stage, alts_of, answer_to, controls, private, texts_of, use, verb_of


async def announce(stage: Stage, **given: Any) -> Tourney:
    """Have Anna announce a tournament with the command."""
    options = {"title": "Spring cup", "game": "lancelot", "most": 4, **given}
    answered = answer_to(await stage.slash("Anna", "tournament new", **options))
    assert "is announced" in answered, answered
    return await tourney(stage)


async def tourney(stage: Stage) -> Tourney:
    found: Tourney = await stage.bot.occasions.fresh(1)
    return found


def standing(stage: Stage) -> Any:
    """The tournament's message that stays up to date."""
    (message,) = [m for m in stage.channel.history() if "### 🏆" in texts_of(m)]
    return message


def told(stage: Stage) -> str:
    return "\n".join(texts_of(message) for message in stage.channel.history())


async def sign_up(stage: Stage, *names: str) -> str:
    """Have people press the button; return the last answer."""
    answer = ""
    for name in names:
        answer = answer_to(await use(stage.people[name], standing(stage), "toursign"))
    return answer


async def finish_round(stage: Stage, rng: random.Random) -> None:
    """Have somebody resign at each table of the round."""
    number = len((await tourney(stage)).state.rounds)
    tables = await stage.bot.store.tables.of_occasion(1)
    for slot, table_id in tables.items():
        table = await stage.bot.tables.fresh(table_id)
        if slot.startswith(f"{number}.") and table.row.status is Status.RUNNING:
            await stage.bot.tables.act(table_id, Resign(rng.choice(table.persons), "skilled"))
    await stage.env.settle()


async def rest(stage: Stage) -> Tourney:
    """The tournament once it has processed its tables' results, everything has been posted, and the
    next round's tables have begun.
    """
    for _ in range(500):
        found = await tourney(stage)
        slots = await stage.bot.store.tables.of_occasion(1)
        tables = {slot: await stage.bot.tables.fresh(number) for slot, number in slots.items()}
        over = {slot for slot, table in tables.items() if table.over}
        heard = {slot for slot, meeting in found.state.slots if meeting.over}
        known, _ = await stage.bot.store.occasion_messages.all_of(1)
        begun = all(table.row.status is not Status.LOBBY for table in tables.values())
        hosted = begun and not found.kind.seatings(found)
        if over <= heard and hosted and known == found.revision:
            return found
        await asyncio.sleep(0.01)
    raise AssertionError("something has not been processed")


@pytest.mark.full
@pytest.mark.parametrize("format_", ["knockout", "swiss"])
async def test_a_tournament_is_played_from_its_announcement_to_the_podium(
    stage: Stage, format_: str
) -> None:
    stage.allow_threads()
    await announce(stage, format=format_)
    assert "Sign-up is open" in texts_of(standing(stage))
    assert "You are in Spring cup" in await sign_up(stage, "Anna")
    assert "already signed up" in await sign_up(stage, "Anna")
    await sign_up(stage, "Ben", "Clara", "David")
    state = (await tourney(stage)).state
    assert (state.phase, len(state.rounds), len(state.tables)) == (Phase.RUNNING, 1, 2)
    assert "The places are being drawn" in told(stage)
    assert "Round 1 of" in texts_of(standing(stage))
    threads = {table.channel_id for table in state.tables.values()}
    assert len(threads) == 2
    assert stage.channel.id not in threads
    table_id = (await stage.bot.store.tables.of_occasion(1))["1.1"]
    table = await stage.bot.tables.fresh(table_id)
    players = [state.name(place) for place in state.rounds[0][0].players]
    assert list(table.names) == players  # in the order of the seats
    assert f"<#{table.row.channel_id}>" in texts_of(standing(stage))
    mine = await use(stage.people[players[0]], standing(stage), "tourmine")
    assert players[1] in texts_of(private(mine))
    assert f"<#{table.row.channel_id}> `{table.row.code}`" in texts_of(private(mine))
    rng = random.Random(1)
    for _ in range(state.rounds_in_all):
        await finish_round(stage, rng)
        await rest(stage)
    over = await tourney(stage)
    assert (over.over, over.state.phase) == (True, Phase.OVER)
    winner = over.state.name(over.state.ranks()[0][1])
    assert f"**{winner}** has won Spring cup" in told(stage)
    (won,) = await stage.bot.store.trophies.of_person(stage.people[winner].id)
    assert (won.kind, won.place, won.title) == ("tournament", 1, "Spring cup")
    said = [trophy_in_words(won, texts(language)) for language in LANGUAGES]
    assert said == [
        "Tournament “Spring cup”",
        "Turnier „Spring cup“",
        "Tournoi «\xa0Spring cup\xa0»",
        "Torneo «Spring cup»",
    ]
    shown = private(await stage.slash(winner, "profile"))
    assert "1. · Lancelot · Tournament “Spring cup”" in alts_of(shown)[0]
    assert "This tournament is over." in texts_of(standing(stage))
    proof = private(await use(stage.people["Emil"], standing(stage), "tourrules"))
    assert over.state.secret in texts_of(proof)
    assert not any(m.mentions for m in stage.channel.history())


@pytest.mark.full
async def test_a_round_is_announced_before_its_boards(stage: Stage) -> None:
    """Here matches are played in the tournament's own channel."""
    await announce(stage, format="knockout")
    await sign_up(stage, "Anna", "Ben", "Clara", "David")
    rng = random.Random(1)
    for number in (1, 2):
        said = [texts_of(message) for message in stage.channel.history()]
        (begun,) = (n for n, text in enumerate(said) if f"Round {number} of 2 begins." in text)
        slots = await stage.bot.store.tables.of_occasion(1)
        tables = [await stage.bot.tables.fresh(i) for s, i in slots.items() if s[0] == str(number)]
        assert len(tables) == 3 - number
        for table in tables:
            boards = (
                n for n, text in enumerate(said) if table.row.code in text and "🏆" not in text
            )
            assert begun < next(boards), said
        await finish_round(stage, rng)
        await rest(stage)


async def manage(stage: Stage, person: Any, verb: str, chosen: str = "", reason: str = "") -> str:
    """Do something as an organiser, by buttons, menus and the form; return the last answer."""
    shown = private(await use(person, standing(stage), "tourmanage"))
    control = next(
        c
        for c in controls(shown)
        if verb_of(c.custom_id) == (verb, chosen)
        or (verb_of(c.custom_id)[0] == verb and chosen in dict(c.options))
        or (verb == "tourbegin" and verb_of(c.custom_id)[0] == verb)
    )
    if control.options:
        asked = await person.select(shown, [chosen], custom_id=control.custom_id)
    else:
        asked = await person.click(shown, custom_id=control.custom_id)
    if verb == "tourfix":
        card = private(asked)
        asked = await person.click(card, custom_id=controls(card)[0].custom_id)
    if verb == "tourbegin":
        return answer_to(asked)
    return answer_to(await person.submit_modal(asked, {"reason": reason}))


@pytest.mark.full
async def test_organisers_begin_pause_decide_remove_and_call_off(stage: Stage) -> None:
    await announce(stage, most=8)
    await sign_up(stage, "Anna", "Ben", "Clara", "David", "Emil")
    anna, kay = stage.people["Anna"], stage.keeper()
    assert "places are being drawn" in await manage(stage, anna, "tourbegin")
    assert len((await tourney(stage)).state.rounds) == 1
    await manage(stage, kay, "tourwhy", "pause", "Night")
    assert "has paused the tournament. Reason: “Night”" in told(stage)
    assert "Paused in round 1" in texts_of(standing(stage))
    state = (await tourney(stage)).state
    slot, meeting = next((s, m) for s, m in state.slots if not m.bye)
    await manage(stage, kay, "tourfix", slot, "Agreed")
    winner = state.name(meeting.players[0])
    assert f"has decided table {slot}: {winner} wins. Reason: “Agreed”" in told(stage)
    out = stage.people["David"].id
    await manage(stage, kay, "tourout", f"remove.{out}", "Asked to")
    assert "has removed **David**. Reason: “Asked to”" in told(stage)
    await manage(stage, kay, "tourwhy", "resume", "Morning")
    await manage(stage, kay, "tourwhy", "off", "Rain")
    assert "has called the tournament off. Reason: “Rain”" in told(stage)
    assert (await tourney(stage)).over
    assert controls(standing(stage)) == []


async def test_wrong_presses_change_nothing(stage: Stage) -> None:
    await announce(stage, most=3)
    early = standing(stage)
    for outside in (
        await use(stage.people["Ben"], early, "tourleave"),
        await stage.slash("Ben", "tournament leave"),
    ):
        assert "You are not in this tournament" in answer_to(outside)
        assert controls(private(outside)) == []
    anna = stage.people["Anna"]
    await sign_up(stage, "Anna")
    asked, again = [private(await stage.slash("Anna", "tournament leave")) for _ in range(2)]
    assert "withdrawn" in answer_to(await use(anna, asked, "tourgone"))
    assert "You are not in this tournament" in answer_to(await use(anna, again, "tourgone"))
    shown = private(await use(anna, standing(stage), "tourmanage"))
    begin = next(c for c in controls(shown) if verb_of(c.custom_id)[0] == "tourbegin")
    refused = answer_to(await anna.click(shown, custom_id=begin.custom_id))
    assert "It takes 3 people" in refused
    await sign_up(stage, "Anna", "Ben", "Clara")
    before = await tourney(stage)
    refused = answer_to(await anna.click(shown, custom_id=begin.custom_id))
    assert "Sign-up for this tournament is over" in refused
    nothing = private(await use(stage.people["Emil"], standing(stage), "tourmine"))
    assert "You have no match in this round" in texts_of(nothing)
    forged = Control(0, before.revision, "tourwhy", "correct.1.1.x", occasion=before.id)
    await stage.post(stage.channel.id, forged)
    asked = await use(anna, stage.channel.last_message, "tourwhy")
    answered = answer_to(await anna.submit_modal(asked, {"reason": "I want it"}))
    assert "from an earlier position" in answered
    assert (await tourney(stage)).revision == before.revision


async def test_commands_need_a_code_only_if_a_server_has_several_tournaments(stage: Stage) -> None:
    anna = stage.people["Anna"]
    refused = answer_to(await anna.slash(stage.channel, "tournament show"))
    assert "I do not know of any such tournament" in refused
    first = await announce(stage)
    shown = await anna.slash(stage.channel, "tournament show")
    assert "Spring cup" in texts_of(private(shown))
    assert "You are in" in answer_to(await anna.slash(stage.channel, "tournament join"))
    await announce(stage, title="Autumn cup")
    refused = answer_to(await anna.slash(stage.channel, "tournament leave"))
    assert f"`{first.row.code}` Spring cup" in refused
    asked = private(await anna.slash(stage.channel, "tournament leave", code=first.row.code))
    (sure,) = controls(asked)
    assert "withdrawn" in answer_to(await anna.click(asked, custom_id=sure.custom_id))
    assert not (await tourney(stage)).state.signed
    refused = answer_to(await anna.slash(stage.channel, "tournament new", title="A", game="chess"))
    assert "chess" in refused
    refused = answer_to(
        await anna.slash(stage.channel, "tournament new", title="A", game="twilight", seats=2)
    )
    assert "if the game allows it" in refused


async def change(stage: Stage, person: Any, *chosen: str) -> str:
    """Choose in the organiser's menu of options and the menus after it; return the last message."""
    shown = private(await use(person, standing(stage), "tourmanage"))
    for value in chosen:
        menu = next(c for c in controls(shown) if value in dict(c.options))
        done = await person.select(shown, [value], custom_id=menu.custom_id)
        shown = private(done)
    return texts_of(shown)


async def test_the_announced_options_can_be_changed_during_sign_up(stage: Stage) -> None:
    anna = stage.people["Anna"]
    await announce(stage, preset="2")
    assert "King's power: " in texts_of(standing(stage))
    await change(stage, anna, "king=no")
    await change(stage, anna, "goal", "goal=4")
    shown = texts_of(standing(stage))
    assert "Stones to take: 4" in shown
    assert "King's power" not in shown
    assert f"<@{anna.id}> has changed the options: Stones to take: 4" in told(stage)
    assert (await tourney(stage)).state.plan.options == {"diagonals": True, "goal": 4}
    early = private(await use(anna, standing(stage), "tourmanage"))
    await sign_up(stage, "Anna", "Ben", "Clara", "David")
    state = await rest(stage)
    for number in (await stage.bot.store.tables.of_occasion(1)).values():
        table = await stage.bot.tables.fresh(number)
        assert table.match is not None
        assert table.match.setup.options["goal"] == 4
        assert table.match.setup.options["diagonals"] is True
    menu = next(c for c in controls(early) if "king=yes" in dict(c.options))
    late = answer_to(await anna.select(early, ["king=yes"], custom_id=menu.custom_id))
    assert "Sign-up for this tournament is over" in late
    assert (await tourney(stage)).revision == state.revision


async def test_options_that_the_game_forbids_are_refused_in_words(stage: Stage) -> None:
    anna = stage.people["Anna"]
    await announce(stage, game="isis")
    shown = private(await use(anna, standing(stage), "tourmanage"))
    menu = next(c for c in controls(shown) if "places=yes" in dict(c.options))
    refused = answer_to(await anna.select(shown, ["places=yes"], custom_id=menu.custom_id))
    assert "players" in refused
    assert (await tourney(stage)).state.plan.options == {}
    given = {"title": "A", "game": "isis", "preset": "2"}
    refused = answer_to(await anna.slash(stage.channel, "tournament new", **given))
    assert "Choose a preset from the list" in refused


async def test_organisers_decide_the_whole_order_at_larger_tables(stage: Stage) -> None:
    """An incomplete order cannot be sent."""
    await announce(stage, seats=4, least=4)
    await sign_up(stage, "Anna", "Ben", "Clara", "David")
    state = (await rest(stage)).state
    names = [state.name(place) for place in state.rounds[0][0].players]
    kay = stage.keeper()
    shown = private(await use(kay, standing(stage), "tourmanage"))
    for value in ("1.1", "1.1.0-2-0-0", "1.1.1-2-0-0", "1.1.1-2-2-0", "1.1.1-2-2-4"):
        assert not [c for c in controls(shown) if verb_of(c.custom_id)[1].startswith("correct")]
        menu = next(c for c in controls(shown) if value in dict(c.options))
        shown = private(await kay.select(shown, [value], custom_id=menu.custom_id))
    done = next(c for c in controls(shown) if verb_of(c.custom_id)[0] == "tourwhy")
    asked = await kay.click(shown, custom_id=done.custom_id)
    await kay.submit_modal(asked, {"reason": "Agreed"})
    order = f"1. {names[0]}; 2. {names[1]} and {names[2]}; 4. {names[3]}"
    assert f"has decided table 1.1: {order}. Reason: “Agreed”" in told(stage)
    assert (await tourney(stage)).state.rounds[0][0].ranks == (1, 2, 2, 4)


async def test_the_host_hears_once_that_the_channel_is_closed(stage: Stage) -> None:
    """Sign-ups still count, and the tournament's message is updated later."""
    await announce(stage, most=8)
    path = f"/channels/{stage.channel.id}/messages*"
    refuse(stage.env, "*", path, MISSING_PERMISSIONS)
    for name in ("Ben", "Clara", "David"):
        answered = answer_to(await stage.slash(name, "tournament join"))
        assert "You are in" in answered
    (heard,) = stage.dms("Anna")
    assert f"I can no longer post in <#{stage.channel.id}>" in texts_of(heard)
    stage.env.backend.faults.clear()
    await stage.env.advance_time(1200)
    await stage.env.settle()
    assert "Ben, Clara, David" in texts_of(standing(stage))
    assert len(stage.dms("Anna")) == 1


async def begun(stage: Stage, **given: Any) -> Tourney:
    """Start a tournament of four; return it once the tables of its first round have begun."""
    await announce(stage, **given)
    await sign_up(stage, "Anna", "Ben", "Clara", "David")
    return await rest(stage)


async def test_a_message_that_was_deleted_comes_back(stage: Stage) -> None:
    await announce(stage)
    await standing(stage).delete()
    answered = answer_to(await stage.slash("Ben", "tournament join"))
    assert "You are in" in answered
    await stage.env.settle()
    assert "Ben" in texts_of(standing(stage))
    assert "You are in" in await sign_up(stage, "Clara")


async def test_a_match_whose_thread_is_deleted_is_waited_for(stage: Stage) -> None:
    """When an organiser decides the match, the next round opens."""
    stage.allow_threads()
    state = (await begun(stage, format="knockout")).state
    stage.env.backend.delete_channel(state.tables["1.1"].channel_id)
    await stage.env.settle()
    table_id = (await stage.bot.store.tables.of_occasion(1))["1.1"]
    assert (await stage.bot.tables.fresh(table_id)).row.status is Status.PARKED
    other = (await stage.bot.store.tables.of_occasion(1))["1.2"]
    table = await stage.bot.tables.fresh(other)
    await stage.bot.tables.act(other, Resign(table.persons[0], "skilled"))
    assert len((await rest(stage)).state.rounds) == 1
    await manage(stage, stage.keeper(), "tourfix", "1.1", "The thread is gone")
    state = (await rest(stage)).state
    assert len(state.rounds) == 2
    assert "2.1" in state.tables


async def test_without_threads_the_next_round_opens_in_the_channel(stage: Stage) -> None:
    stage.allow_threads()
    await begun(stage)
    path = f"/channels/{stage.channel.id}/threads"
    refuse(stage.env, "POST", path, MISSING_PERMISSIONS)
    await finish_round(stage, random.Random(1))
    state = (await rest(stage)).state
    assert len(state.rounds) == 2
    assert {state.tables[slot].channel_id for slot in ("2.1", "2.2")} == {stage.channel.id}


async def test_a_double_press_counts_once_and_a_participant_can_be_removed(stage: Stage) -> None:
    await announce(stage, format="robin", most=4)
    ben = stage.people["Ben"]
    twice = (stage.bot.occasions.act(1, SignUp(ben.id, "Ben")) for _ in range(2))
    done = await asyncio.gather(*twice, return_exceptions=True)
    assert [each.code for each in done if isinstance(each, Refused)] == ["signed_up_already"]
    assert len((await tourney(stage)).state.signed) == 1
    await stage.env.settle()
    await sign_up(stage, "Anna", "Clara", "David")
    await rest(stage)
    del stage.env.backend.guilds[stage.guild.id].members[ben.id]
    await manage(stage, stage.people["Anna"], "tourout", f"remove.{ben.id}", "He has left us")
    for _ in range(3):
        await finish_round(stage, random.Random(4))
        over = await rest(stage)
    assert over.state.phase is Phase.OVER
    later = [m for number in over.state.rounds[1:] for m in number]
    gone = next(n for n, place in enumerate(over.state.places) if place.person_id == ben.id)
    assert all(not m.played and m.winner() != gone for m in later if gone in m.players)


async def test_a_tournament_survives_a_restart_during_a_round(stage: Stage) -> None:
    """A button from before the restart still works, and the tournament continues although
    everyone's direct messages are closed.
    """
    stage.close_dms("Anna", "Ben", "Clara", "David")
    await begun(stage)
    card = standing(stage)
    await stage.restart()
    mine = private(await use(stage.people["Ben"], card, "tourmine"))
    assert "Ben" in texts_of(mine)
    for _ in range(3):
        await finish_round(stage, random.Random(2))
        await rest(stage)
    assert (await tourney(stage)).state.phase is Phase.OVER
