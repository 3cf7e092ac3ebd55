"""The lobby as people see it: options can be changed, and guests are invited."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.features.feature import number_in
from cogs.games import WORDS
from cogs.present.setup import draft_of, options_menu, values_of, why_not
from data.texts import texts
from games import GAMES
from play.lobby import ChangeOptions
from play.table import Refused
from tests.stage import Stage, answer_to, controls, parts, private, texts_of, use, verb_of

pytestmark = pytest.mark.usefixtures("no_errors")

BUTTON = 2


async def opened(stage: Stage, game: str = "lancelot", **options: Any) -> None:
    """Open a table as Anna."""
    await stage.slash("Anna", f"{game} new", **options)


async def menu(stage: Stage) -> dict[str, str]:
    """The labels of everything that can be changed, by its key."""
    shown = controls(await stage.message("lobby"))
    return dict(next(c for c in shown if verb_of(c.custom_id)[0] == "option").options)


@pytest.mark.parametrize("game", GAMES)
async def test_every_option_can_be_changed_by_menus(stage: Stage, game: str) -> None:
    await opened(stage, game)
    keys = [*(option.key for option in GAMES[game].info.options), "players", "pace", "advice"]
    for key in [*keys, "seating", "strict"]:
        table = await stage.table()
        words, say = WORDS[game], texts("en")
        possible = [
            value
            for value in values_of(draft_of(table), words, key, say)
            if not why_not(draft_of(table), words, value.changes, say)
        ]
        assert len(possible) > 1, f"nothing to choose for {key}"
        await _choose(stage, key, possible[0].text)
        await _choose(stage, key, possible[-1].text)
        assert (await stage.table()).revision > table.revision, f"{key} did not change"
    told = texts_of(await stage.message("lobby"))
    assert "-# Anna has changed: No vote" in told
    assert len(stage.channel.history()) == 1


async def _choose(stage: Stage, key: str, text: str) -> None:
    entries = await menu(stage)
    if f"{key}={text}" in entries:
        await stage.pick("Anna", "option", f"{key}={text}")
    elif key in entries:
        card = private(await stage.pick("Anna", "option", key))
        place = next(c for c in controls(card) if (f"{key}={text}") in dict(c.options))
        person = stage.people["Anna"]
        done = await person.select(card, [f"{key}={text}"], custom_id=place.custom_id)
        assert done.acknowledged


async def test_the_changed_options_are_played(stage: Stage) -> None:
    await opened(stage, goal=9)
    await stage.pick("Anna", "option", "diagonals=yes")
    lines = texts_of(await stage.message("lobby")).splitlines()
    assert [line for line in lines if "has changed" in line] == ["-# Anna has changed: Diagonals"]
    card = private(await stage.pick("Anna", "option", "goal"))
    place = next(c for c in controls(card) if "goal=4" in dict(c.options))
    answered = await stage.people["Anna"].select(card, ["goal=4"], custom_id=place.custom_id)
    assert "Stones to take: 4" in texts_of(private(answered))
    told = texts_of(await stage.message("lobby"))
    assert "Stones to take: 4" in told
    assert "Diagonals: Diagonals of four" in told
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    options = (await stage.table()).played.setup.options
    assert (options["goal"], options["diagonals"]) == (4, True)


async def test_a_preset_sets_the_options_of_a_game_but_not_those_that_all_games_share(
    stage: Stage,
) -> None:
    await opened(stage, "isolde", pace="1d")
    await stage.pick("Anna", "option", "preset=1")
    assert (await stage.table()).row.wanted_players == 2
    await stage.pick("Anna", "option", "preset=2")
    assert len([on for on in (await stage.table()).row.options.values() if on is True]) == 7
    await stage.pick("Anna", "option", "preset=0")
    table = await stage.table()
    assert (table.row.options, table.row.wanted_players) == ({"pace": "1d"}, None)


async def test_a_choice_that_changes_nothing_is_answered(stage: Stage) -> None:
    """Without an answer, the menu would seem to be broken."""
    await opened(stage)
    answer = private(await stage.pick("Anna", "option", "preset=0"))
    assert texts_of(answer) == "That is already set."


async def test_presets_show_what_they_set(stage: Stage) -> None:
    await opened(stage)
    shown = options_menu(draft_of(await stage.table()), WORDS["lancelot"], texts("en"))
    details = [entry.detail for entry in shown.entries]
    assert {"Stones to take: 4", "Diagonals and King's power"} <= set(details)


def test_menus_do_not_mention_leaving_options_out() -> None:
    """No description of an option says what happens if it is “left out”, because menus show the
    same text.
    """
    told = [option.help for words in WORDS.values() for option in words.options.values()]
    assert not [text for text in told if "left out" in text]


async def test_a_table_is_opened_with_a_preset(stage: Stage) -> None:
    """Options given with the preset take precedence."""
    say, number, house = texts("en"), 0, {"seating": "lot", "strict": False, "pace": "2d"}
    for game, words in WORDS.items():
        for preset in range(1, len(words.presets) + 1):
            await opened(stage, game, preset=str(preset))
            number += 1
            table = await stage.bot.tables.get(number)
            value = values_of(draft_of(table), words, "preset", say)[preset]
            meant = {key: it for key, it in value.changes.items() if it is not None}
            assert meant.pop("players", None) == table.row.wanted_players
            assert house | meant == table.row.options
    await opened(stage, preset="2", king=False, players=3)
    table = await stage.bot.tables.get(number + 1)
    assert (table.row.options, table.row.wanted_players) == (house | {"diagonals": True}, 3)


async def test_conflicting_options_explain_why_and_change_nothing(stage: Stage) -> None:
    await opened(stage, "isolde")
    await stage.pick("Anna", "option", "galanterie=yes")
    lobby = await stage.message("lobby")
    entries = [o for part in parts(lobby) for o in part.get("options", [])]
    challenge = next(o for o in entries if o["value"] == "herausforderung=yes")
    assert "cannot be combined" in challenge["description"]
    revision = (await stage.table()).revision
    refused = await stage.pick("Anna", "option", "herausforderung=yes")
    assert "“Gallantry” and “Challenge” cannot be combined" in answer_to(refused)
    assert (await stage.table()).revision == revision
    await stage.press("Ben", "join")
    await stage.press("Clara", "join")
    card = private(await stage.pick("Anna", "option", "players"))
    assert "-# Not 2: 3 players are already at this table." in texts_of(card)
    assert "players=2" not in dict(controls(card)[0].options)
    card = private(await stage.pick("Anna", "option", "duo"))
    assert "The option “Two players” does not exist with 3 players." in texts_of(card)


async def test_a_menu_from_before_the_start_changes_nothing(stage: Stage) -> None:
    await stage.lobby("Ben")
    card = private(await stage.pick("Anna", "option", "goal"))
    await stage.press("Anna", "start")
    late = await stage.people["Anna"].select(
        card, ["goal=4"], custom_id=controls(card)[0].custom_id
    )
    assert "already started" in answer_to(late)
    assert (await stage.table()).played.setup.options["goal"] == 7


async def test_a_change_survives_a_kill(stage: Stage) -> None:
    await opened(stage)
    table = await stage.table()
    await stage.unheard(table, ChangeOptions(stage.people["Anna"].id, {"king": True}))
    await stage.restart()
    assert "King's power: Excalibur" in texts_of(await stage.message("lobby"))


async def test_a_lobby_has_five_buttons_and_two_menus(stage: Stage) -> None:
    """Fair Isolde has the most options."""
    await opened(stage, "isolde")
    shown = list(parts(await stage.message("lobby")))
    assert sum(part["type"] == BUTTON for part in shown) == 5
    assert len([part for part in shown if part.get("options")]) == 2


# ------------------------------------------------------------------------- invitations
async def _invite(stage: Stage, name: str, guest: str) -> Any:
    person = stage.people[name]
    return await person.slash(stage.channel, "invite", person=stage.people[guest])


async def test_a_guest_joins_by_direct_message(stage: Stage) -> None:
    await opened(stage)
    assert "is invited" in answer_to(await _invite(stage, "Anna", "Clara"))
    clara = stage.people["Clara"]
    (letter,) = stage.dms("Clara")
    assert "**Anna** invites you to a match of Lancelot." in texts_of(letter)
    join = next(c for c in controls(letter) if verb_of(c.custom_id)[0] == "join")
    told = answer_to(await clara.user.click(letter, custom_id=join.custom_id))
    assert "You are at table" in told
    assert "Clara" in (member.name for member in (await stage.table()).members)
    assert stage.dms("Clara") == []
    await _invite(stage, "Anna", "David")
    assert len(stage.dms("David")) == 1
    await stage.press("Anna", "start")
    assert stage.dms("David") == []


async def test_a_guest_without_direct_messages_is_called_in_the_channel(stage: Stage) -> None:
    await opened(stage)
    stage.close_dms("Clara")
    await _invite(stage, "Anna", "Clara")
    told = stage.channel.last_message
    assert f"<@{stage.people['Clara'].id}>, **Anna** invites you" in texts_of(told)
    assert len(stage.channel.history()) == 2
    await stage.press("Clara", "join")
    assert len(stage.channel.history()) == 1, "the lobby"


async def test_an_accepted_invitation_does_not_come_back(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    await _invite(stage, "Anna", "Clara")
    (letter,) = stage.people["Clara"].user.dm_channel.history()
    await stage.people["Clara"].user.click(letter, custom_id=controls(letter)[0].custom_id)
    assert stage.direct("Clara") == []
    await stage.press("Clara", "leave")
    assert stage.direct("Clara") == []


async def test_guests_who_sit_there_were_invited_or_were_sent_away_cannot_be_invited(
    stage: Stage,
) -> None:
    await opened(stage)
    await stage.press("Ben", "join")
    assert "is already at this table" in answer_to(await _invite(stage, "Anna", "Ben"))
    await _invite(stage, "Anna", "Clara")
    assert "already been invited" in answer_to(await _invite(stage, "Ben", "Clara"))
    await stage.slash("Anna", "table kick", person=stage.people["Ben"])
    assert "was sent away" in answer_to(await _invite(stage, "Anna", "Ben"))


async def test_a_guest_is_chosen_from_a_menu(stage: Stage) -> None:
    await opened(stage)
    shown = private(await stage.press_more("Anna", "guests"))
    (people,) = controls(shown)
    anna, clara = stage.people["Anna"], stage.people["Clara"]
    await anna.select(shown, [clara], custom_id=people.custom_id)
    (letter,) = stage.dms("Clara")
    assert "**Anna** invites you to a match of Lancelot." in texts_of(letter)


async def test_a_menu_from_before_somebody_left_invites_nobody(stage: Stage) -> None:
    await opened(stage)
    await stage.press("Ben", "join")
    more = private(await stage.press("Ben", "more"))
    await stage.press("Ben", "leave")
    told = answer_to(await use(stage.people["Ben"], more, "guests"))
    assert told.startswith("You are not playing at this table.")


@pytest.mark.parametrize("number", [0, 10**18, 2**63 - 1])
def test_controls_contain_ids_of_people(number: int) -> None:
    """Ids of newer accounts have 19 digits."""
    assert number_in(str(number)) == number


@pytest.mark.parametrize("argument", ["", "-1", "٣", "1.5", str(2**63), "9" * 5000])
def test_a_control_with_an_impossible_number_is_stale(argument: str) -> None:
    with pytest.raises(Refused) as refusal:
        number_in(argument)
    assert refusal.value.code == "stale"


async def test_show_tells_about_a_lobby_and_posts_it_again_if_it_was_deleted(stage: Stage) -> None:
    await opened(stage, diagonals=True)
    lobby = await stage.message("lobby")
    await lobby.delete()
    shown = private(await stage.slash("Anna", "table show", text=True))
    assert "has not started yet" in texts_of(shown)
    assert "Diagonals" in texts_of(shown)
    assert "1. Anna" in texts_of(shown)
    assert "To the table" in [part.get("label") for part in parts(shown)]
    assert (await stage.message("lobby")).id != lobby.id
