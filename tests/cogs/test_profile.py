"""Profiles, as people see and share them."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from data.store.trophies import TrophyRow
from tests.cogs.matches import won_by_anna
from tests.refusals import MISSING_PERMISSIONS, SERVER_ERROR, refuse
from tests.stage import Stage, alts_of, answer_to, controls, private, texts_of, use

pytestmark = pytest.mark.usefixtures("no_errors")


async def profile(stage: Stage, name: str, of: str | None = None) -> Any:
    options = {} if of is None else {"person": stage.people[of]}
    result = await stage.slash(name, "profile", **options)
    assert result.ephemeral
    return private(result)


@pytest.mark.full
async def test_a_profile_tells_what_someone_has_done(stage: Stage) -> None:
    """The record against computer players is private."""
    anna = stage.people["Anna"]
    await won_by_anna(stage)
    await stage.alone(goal=1)
    await stage.resign("Anna")
    at = stage.bot.tables.clock()
    await stage.bot.store.trophies.award(
        [
            TrophyRow(anna.id, "season", "7.1", "lancelot", stage.guild.id, 1, "2026-Q3", at),
            TrophyRow(anna.id, "tournament", "4", "", None, 2, "Cup of Anna", at),
            TrophyRow(anna.id, "tournament", "5", "", 99, 1, "Elsewhere", at),
        ]
    )
    (alt,) = alts_of(await profile(stage, "Anna"))
    assert alt.startswith("The profile of Anna. Here since ")
    assert "2 matches. Lancelot: rating 1" in alt
    assert "place 1, 1 match, 1 won." in alt
    assert "Longest streak: 1, Lancelot." in alt
    assert "Trophies: 1 gold, 1 silver, 0 bronze." in alt
    assert "1. · Lancelot · 3rd quarter 2026." in alt
    assert "2. · Tournament “Cup of Anna”." in alt
    assert "Elsewhere" not in alt
    assert "Against the computer, novice: 0 of 1 won." in alt
    (seen,) = alts_of(await profile(stage, "Ben", of="Anna"))
    assert seen == alt[: alt.index(" Against the computer")]


@pytest.mark.full
async def test_a_profile_is_in_the_menu_of_a_person(stage: Stage) -> None:
    await won_by_anna(stage)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    for asking in (anna, ben):
        result = await asking.context_menu(stage.channel, "Profile", anna)
        assert result.ephemeral
        typed = await asking.slash(stage.channel, "profile", person=anna)
        assert alts_of(private(result)) == alts_of(private(typed))
        assert len(controls(private(result))) == (asking is anna)
    await stage.bot.store.standings.set_unlisted(anna.id, True)
    refused = await ben.context_menu(stage.channel, "Profile", anna)
    assert "These statistics are hidden." in answer_to(refused)
    described = await stage.bot.client.described_commands()
    (told,) = [each for each in described if each["type"] == discord.AppCommandType.user.value]
    assert (told["name"], told["name_localizations"]["de"]) == ("Profile", "Profil")
    assert told["contexts"] == [0]


async def test_someone_who_has_never_played_has_a_profile(stage: Stage) -> None:
    (alt,) = alts_of(await profile(stage, "Clara"))
    assert "The profile of Clara. 0 matches." in alt


async def test_a_profile_is_shared_once(stage: Stage) -> None:
    """Only the owner of a profile has the button. If Discord delivers a press twice, both posts
    have the same nonce, so Discord creates only one message.
    """
    anna = stage.people["Anna"]
    assert controls(await profile(stage, "Ben", of="Anna")) == []
    mine = await profile(stage, "Anna")
    alts = alts_of(mine)
    (button,) = controls(mine)
    assert button.label == "Share"
    feed = stage.env.backend.subscribers[-1]

    def twice(event: str, payload: Any) -> None:
        for _ in range(2 if event == "INTERACTION_CREATE" else 1):
            feed(event, payload)

    stage.env.backend.subscribers[-1] = twice
    result = await anna.click(mine, custom_id=button.custom_id)
    assert "I have posted it in the channel." in answer_to(result)
    path = f"/channels/{stage.channel.id}/messages"
    sent = [it for it in stage.env.http_requests if (it.method, it.path) == ("POST", path)]
    posts: list[Any] = [it.json for it in sent]
    assert len(posts) == 2
    assert len({post["nonce"] for post in posts}) == 1
    assert all(post["enforce_nonce"] for post in posts)
    posted = stage.channel.history()[-1]
    assert alts_of(posted) == alts
    assert "The profile of **Anna**." in texts_of(posted)
    assert controls(posted) == []
    assert not posted.mentions


async def test_a_profile_is_not_shared_where_posting_is_forbidden(stage: Stage) -> None:
    mine = await profile(stage, "Anna")
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", MISSING_PERMISSIONS)
    result = await use(stage.people["Anna"], mine, "shareprofile")
    assert f"I may not post pictures in <#{stage.channel.id}>." in answer_to(result)
    stage.env.backend.faults.clear()
    silent = {stage.people["Anna"]: discord.PermissionOverwrite(send_messages=False)}
    stage.channel = stage.guild.create_text_channel("silent", overwrites=silent)
    result = await use(stage.people["Anna"], await profile(stage, "Anna"), "shareprofile")
    assert "You may not do that here." in answer_to(result)
    assert stage.channel.history() == []


async def test_a_profile_that_discord_does_not_take_may_be_shared_again(stage: Stage) -> None:
    mine = await profile(stage, "Anna")
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", SERVER_ERROR)
    result = await use(stage.people["Anna"], mine, "shareprofile")
    assert "Discord did not accept the picture. Please try again." in answer_to(result)
    stage.env.backend.faults.clear()
    await use(stage.people["Anna"], mine, "shareprofile")
    assert "The profile of **Anna**." in texts_of(stage.channel.history()[-1])


async def test_only_the_person_sees_a_hidden_profile_and_cannot_share_it(stage: Stage) -> None:
    await won_by_anna(stage)
    anna = stage.people["Anna"]
    earlier = await profile(stage, "Anna")
    await stage.bot.store.standings.set_unlisted(anna.id, True)
    mine = await profile(stage, "Anna")
    assert "Only you see this: you have hidden your statistics." in texts_of(mine)
    assert "1 match, 1 won" in alts_of(mine)[0]
    assert controls(mine) == []
    refused = await stage.slash("Ben", "profile", person=anna)
    assert "These statistics are hidden." in answer_to(refused)
    assert "hidden" in answer_to(await use(anna, earlier, "shareprofile"))


@pytest.mark.speaks("de")
async def test_a_profile_in_german(stage: Stage) -> None:
    await won_by_anna(stage)
    mine = await profile(stage, "Anna")
    assert "Das Profil von Anna. Dabei seit " in alts_of(mine)[0]
    await use(stage.people["Anna"], mine, "shareprofile")
    assert "Das Profil von **Anna**." in texts_of(stage.channel.history()[-1])
