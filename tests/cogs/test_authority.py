"""Who may end what: ending other people's matches requires a confirmation, an announcement and a
reason.
"""

from __future__ import annotations

from typing import Any

import pytest

from cogs.gateway.controls import Control
from data.store.rows import Status
from play.ending import EndTable, ending_record
from play.lobby import Join, Park
from play.votes import open_votes
from tests.stage import Stage, answer_to, controls, private, texts_of, use, verb_of

pytestmark = pytest.mark.usefixtures("no_errors")


async def asked(person: Any, stage: Stage) -> Any:
    """The question that ``/table end`` asks before it does anything."""
    return private(await person.slash(stage.channel, "table end"))


async def form(person: Any, stage: Stage) -> Any:
    """The form in which a manager of the server gives a reason."""
    shown = await use(person, await asked(person, stage), "endform")
    assert shown.modal is not None
    return shown


async def offer(stage: Stage, name: str, other: str) -> None:
    """Have someone hand over a seat with another player's consent; the offer is then the last
    message.
    """
    await stage.slash(name, "table replace")
    question = next(m for m in reversed(stage.channel.history()) if "vote" in verbs(m))
    await use(stage.people[other], question, "vote")


def verbs(message: Any) -> list[str]:
    return [verb_of(c.custom_id)[0] for c in controls(message)]


# ------------------------------------------------------------------------------ managers
async def test_a_manager_ends_a_match_with_a_reason(stage: Stage) -> None:
    """A form asks for the reason first; then the channel, players and followers learn who ended the
    match, and why.
    """
    await stage.lancelot()
    table = await stage.table()
    await stage.slash("Clara", "table follow")
    kay = stage.keeper()
    question = await asked(kay, stage)
    assert question.ephemeral
    assert "Everyone will be told that it was you, and why." in texts_of(question)
    shown = await form(kay, stage)
    assert shown.modal["title"] == f"End table {table.row.code}"
    assert (await stage.table()).running
    told = len(stage.pings())
    sent = await kay.submit_modal(shown, {"reason": "This *channel*\ncloses @everyone"})
    assert "has ended" in answer_to(sent)
    reason = r"“This \*channel\* closes @"  # The reason cannot ping everyone either.
    said = f"<@{kay.id}> manages this server and has ended table `{table.row.code}` without a"
    clara = stage.people["Clara"]
    for message in (
        stage.channel.last_message,
        clara.user.dm_channel.history()[-1],
        private(await clara.slash(stage.channel, "table show", table=table.row.code)),
    ):
        assert said in texts_of(message)
        assert reason in texts_of(message)
    players = [stage.people[name].id for name in ("Anna", "Ben")]
    assert [people for people in stage.pings()[told:] if people] == [players]
    assert stage.boards() == []
    after = await stage.bot.tables.get(table.id)
    assert ending_record(after) == (kay.id, "This *channel* closes @everyone")


@pytest.mark.speaks("de")
async def test_the_reason_is_told_in_german(stage: Stage) -> None:
    await stage.lancelot()
    kay = stage.keeper()
    assert "Weil du diesen Server verwaltest" in texts_of(await asked(kay, stage))
    shown = await form(kay, stage)
    await kay.submit_modal(shown, {"reason": "Der Kanal schließt"})
    told = texts_of(stage.channel.last_message)
    assert "ohne Ergebnis beendet: „Der Kanal schließt“" in told


async def test_a_manager_who_plays_asks_the_others(stage: Stage) -> None:
    await stage.lancelot()
    anna = stage.keeper("Anna")
    question = await asked(anna, stage)
    assert "Shall I ask the others?" in texts_of(question)
    assert "asked the others" in answer_to(await use(anna, question, "endnow"))
    assert (await stage.table()).running


async def test_nothing_ends_before_the_question_is_answered(stage: Stage) -> None:
    """A person who plays alone with computer players is asked, too."""
    await stage.alone()
    table = await stage.table()
    question = await asked(stage.people["Anna"], stage)
    assert "Nobody else plays here, so" in texts_of(question)
    assert (await stage.table()).running
    await use(stage.people["Anna"], question, "endnow")
    told = texts_of(stage.channel.last_message)
    assert "**Anna** has ended table" in told
    assert (await stage.bot.tables.get(table.id)).row.status is Status.ENDED


async def test_a_table_ends_once_even_if_two_forms_are_sent(stage: Stage) -> None:
    await stage.lancelot()
    table, kay = await stage.table(), stage.keeper()
    shown, late = await form(kay, stage), await form(kay, stage)
    question = await asked(stage.people["Anna"], stage)
    await kay.submit_modal(shown, {"reason": "Enough."})
    told = len(stage.channel.history())
    sent = await kay.submit_modal(late, {"reason": "Again."})
    assert answer_to(sent) == "This table has ended."
    refused = await use(stage.people["Anna"], question, "endnow")
    assert answer_to(refused) == "This table has ended."
    assert len(stage.channel.history()) == told
    assert ending_record(await stage.bot.tables.get(table.id)) == (kay.id, "Enough.")


async def test_a_blank_reason_is_refused(stage: Stage) -> None:
    """Discord accepts a reason that consists only of blanks; the bot does not."""
    await stage.lancelot()
    kay = stage.keeper()
    sent = await kay.submit_modal(await form(kay, stage), {"reason": " \n "})
    assert "Give a reason of up to 200 characters" in answer_to(sent)
    assert (await stage.table()).running


# --------------------------------------------------------------------- from elsewhere
async def test_a_manager_of_another_server_who_plays_asks_the_others(stage: Stage) -> None:
    """The manager uses a button that was forwarded; at this table they are an ordinary player."""
    await stage.lancelot()
    table = await stage.table()
    abroad = stage.env.create_guild()
    channel = stage.new_channel("abroad", abroad)
    anna = stage.keeper("Anna", abroad)
    await stage.post(channel.id, *(Control(table.id, 0, verb) for verb in ("end", "endform")))
    refused = answer_to(await use(anna, channel.last_message, "endform"))
    assert "“/table end” asks the others" in refused
    question = private(await use(anna, channel.last_message, "end"))
    assert "asked the others" in answer_to(await use(anna, question, "endnow"))
    assert (await stage.table()).running


async def test_a_button_shown_in_direct_messages_works_for_players_but_not_followers(
    stage: Stage,
) -> None:
    await stage.lancelot()
    table = await stage.table()
    clara, ben = stage.people["Clara"], stage.people["Ben"]
    await clara.slash(stage.channel, "table follow")
    for person in (clara, ben):
        dm = person.user.dm_channel
        await stage.post(dm.id, Control(table.id, 0, "end"), Control(table.id, 0, "endform"))
    for verb in ("end", "endform"):
        refused = answer_to(await use(clara.user, clara.user.dm_channel.history()[-1], verb))
        assert refused == "You are not playing at this table."
    question = private(await use(ben.user, ben.user.dm_channel.history()[-1], "end"))
    assert "Shall I ask the others?" in texts_of(question)
    assert (await stage.table()).running


async def test_a_parked_table_is_moved_by_those_who_play(stage: Stage) -> None:
    """Someone who has resigned cannot move the table, even if they manage another server."""
    await stage.lancelot(3)
    table = await stage.table()
    await stage.resign("Clara")
    await stage.bot.tables.act(table.id, Park(table.row.channel_id))
    abroad = stage.env.create_guild()
    channel = stage.new_channel("abroad", abroad)
    clara, ben = stage.keeper("Clara", abroad), abroad.add_member(stage.people["Ben"].user)
    await stage.post(channel.id, Control(table.id, 0, "movehere"), Control(table.id, 0, "end"))
    message = channel.last_message
    assert "You have resigned" in answer_to(await use(clara, message, "movehere"))
    listed = private(await clara.slash(channel, "tables"))
    assert table.row.code in texts_of(listed)
    assert controls(listed) == [], "the button is not offered either"
    assert "Only the person who opened" in answer_to(await use(clara, message, "end"))
    assert "continues here" in answer_to(await use(ben, message, "movehere"))
    assert (await stage.bot.tables.get(table.id)).row.guild_id == abroad.id


# ----------------------------------------------------------------------------- lobbies
@pytest.mark.parametrize("verb", ["cancel", "leave"])
async def test_a_lobby_in_which_others_sit_is_not_closed_by_one_press(
    stage: Stage, verb: str
) -> None:
    """The host is asked first, and the question names the others; a host who is alone is not
    asked.
    """
    anna = stage.people["Anna"]
    await stage.lobby("Ben")
    act = stage.press if verb == "leave" else stage.press_more
    question = private(await act("Anna", verb))
    assert question.ephemeral
    assert "for Ben too. Are you sure?" in texts_of(question)
    assert (await stage.table()).row.status is Status.LOBBY
    assert "is closed." in answer_to(await use(anna, question, "endnow"))
    assert "**Anna** has closed this table" in texts_of(stage.channel.last_message)
    await anna.slash(stage.channel, "lancelot new")
    assert "Are you sure?" not in answer_to(await act("Anna", verb))
    assert "**Anna** has closed this table" in texts_of(stage.channel.last_message)


async def test_a_typed_leave_of_the_host_asks_too(stage: Stage) -> None:
    await stage.lobby("Ben")
    question = private(await stage.slash("Anna", "table leave"))
    assert "for Ben too. Are you sure?" in texts_of(question)
    await stage.press("Ben", "leave")
    assert len((await stage.table()).members) == 1


async def test_someone_sits_down_while_the_host_presses(stage: Stage) -> None:
    """The host saw an empty lobby, but the guest came first, so the host is asked."""
    await stage.slash("Anna", "lancelot new")
    table = await stage.table()
    await stage.unheard(table, Join(stage.people["Ben"].id, "Ben"))
    question = private(await stage.press_more("Anna", "cancel"))
    assert "for Ben too. Are you sure?" in texts_of(question)
    assert (await stage.table()).row.status is Status.LOBBY


async def test_a_question_about_a_lobby_cannot_end_a_match(stage: Stage) -> None:
    await stage.lobby("Ben")
    kay = stage.keeper()
    question = private(await stage.press_more("Anna", "cancel"))
    shown = await use(kay, private(await _cancel(kay, stage)), "endform")
    await stage.press("Anna", "start")
    refused = await use(stage.people["Anna"], question, "endnow")
    assert "already started" in answer_to(refused)
    sent = await kay.submit_modal(shown, {"reason": "Enough."})
    assert "already started" in answer_to(sent)
    assert (await stage.table()).running


async def test_a_manager_closes_a_lobby_with_a_reason(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    kay = stage.keeper()
    shown = await use(kay, private(await _cancel(kay, stage)), "endform")
    await kay.submit_modal(shown, {"reason": "Not here"})
    told = texts_of(stage.channel.last_message)
    assert f"<@{kay.id}> manages this server and has closed this table" in told
    assert "“Not here”" in told
    assert controls(stage.channel.last_message) == []


async def _cancel(person: Any, stage: Stage) -> Any:
    shown = private(await use(person, await stage.message("lobby"), "more"))
    return await use(person, shown, "cancel")


# ------------------------------------------------------------------------- seats on offer
async def test_a_person_is_called_to_a_seat_once(stage: Stage) -> None:
    anna, ben, clara = (stage.people[name] for name in ("Anna", "Ben", "Clara"))
    await stage.alone()
    told = len(stage.pings())
    for person in (ben, ben, clara, ben, clara):
        answer = answer_to(await anna.slash(stage.channel, "table replace", seat=2, person=person))
        assert answer in {
            "The seat is on offer.",
            "A seat has already been offered to that person, who has not answered yet.",
        }
    offers = [people for people in stage.pings()[told:] if people]
    assert offers == [[ben.id], [clara.id]]
    await use(clara, stage.channel.last_message, "take")
    assert "Clara" in (await stage.table()).names


async def test_a_removed_person_stays_out_after_deleting_everything(stage: Stage) -> None:
    ben = stage.people["Ben"]
    await stage.lobby("Ben")
    await stage.slash("Anna", "table kick", person=ben)
    page = private(await ben.slash(stage.channel, "privacy"))
    page = private(await use(ben, page, "askforget"))
    await use(ben, page, "forget")
    refused = answer_to(await stage.press("Ben", "join"))
    assert "You cannot sit down at this table" in refused


async def test_a_second_hand_is_refused_in_words(stage: Stage) -> None:
    """Someone who has handed over a seat in a game with hidden hands cannot take another."""
    await stage.open("twilight", 3)
    await offer(stage, "Anna", "Ben")
    await use(stage.people["David"], stage.channel.last_message, "take")
    await offer(stage, "Ben", "Clara")
    refused = answer_to(await use(stage.people["Anna"], stage.channel.last_message, "take"))
    assert "You know the hand of another seat here" in refused
    assert "David" in (await stage.table()).names


async def test_an_old_button_that_ended_at_once_now_asks(stage: Stage) -> None:
    await stage.lancelot()
    table = await stage.table()
    await stage.post(stage.channel.id, Control(table.id, 0, "end"))
    question = private(await use(stage.people["Ben"], stage.channel.last_message, "end"))
    assert "Shall I ask the others?" in texts_of(question)
    assert open_votes(await stage.table()) == ()
    await stage.unheard(table, EndTable(stage.people["Anna"].id))
    refused = answer_to(await use(stage.people["Ben"], question, "endnow"))
    assert "already been asked" in refused
