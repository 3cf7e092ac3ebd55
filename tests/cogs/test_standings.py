"""Leaderboards and statistics, as people see them."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from data.store.ratings import EVERYWHERE
from tests.cogs.matches import won_by_anna
from tests.stage import Stage, alts_of, answer_to, controls, private, random_moves, texts_of, use

pytestmark = pytest.mark.usefixtures("no_errors")


async def ask(stage: Stage, name: str, command: str, **options: object) -> str:
    """Type a command; return the private answer."""
    result = await stage.slash(name, command, **options)
    assert result.ephemeral
    return answer_to(result)


async def test_a_leaderboard_lists_the_best_first(stage: Stage) -> None:
    await won_by_anna(stage)
    for options in ({}, {"game": "lancelot"}):
        told = await ask(stage, "Clara", "leaderboard", **options)
        lines = re.findall(r"` ?(\d+)` \*\*(\w+)\*\* · ([\d,]+) · (.*)", told)
        assert [(place, name, counts) for place, name, _, counts in lines] == [
            ("1", "Anna", "1 match, 1 won"),
            ("2", "Ben", "1 match, 0 won"),
        ]
        assert int(lines[0][2].replace(",", "")) > 1000 > int(lines[1][2])


async def test_an_empty_leaderboard_says_so(stage: Stage) -> None:
    for options in ({}, {"game": "lancelot"}):
        told = await ask(stage, "Clara", "leaderboard", **options)
        assert "Nobody has finished a match that counts here yet." in told


async def test_unknown_games_are_refused_and_known_ones_offered(stage: Stage) -> None:
    anna = stage.people["Anna"]
    offered = await anna.autocomplete(stage.channel, "leaderboard", "game", "lance")
    assert offered == [{"name": "Lancelot", "value": "lancelot"}]
    told = await ask(stage, "Anna", "leaderboard", game="**chess**")
    assert r"I do not know the game “\*\*chess\*\*”." in told


async def test_matches_against_computers_do_not_count(stage: Stage) -> None:
    await stage.alone(goal=1)
    await stage.resign("Anna")
    told = await ask(stage, "Anna", "stats")
    assert "0 matches" in told
    assert "1 more not counted" in told
    assert "Anna" not in await ask(stage, "Anna", "leaderboard")


async def test_matches_against_computers_have_a_page(stage: Stage) -> None:
    anna = stage.people["Anna"]
    page = private(await use(anna, await stats(stage), "alonestats"))
    assert "not finished a match without other people" in texts_of(page)
    for level in ("novice", "novice", "master"):
        await anna.slash(stage.channel, "lancelot new", goal=1)
        await stage.pick("Anna", "computer", level)
        await stage.press("Anna", "start")
        await stage.resign("Anna")
    await stage.open("donquixote", 1)
    table = await stage.table()
    await stage.moves_unseen(random_moves(table.played, random.Random(0)))
    score = int(((await stage.bot.tables.get(table.id)).row.result or {})["scores"][0])
    told = texts_of(private(await use(anna, await stats(stage), "alonestats")))
    assert "**Lancelot**\n- master: 1 match, 0 won\n- novice: 2 matches, 0 won" in told
    assert f"by yourself: 1 match, best result {score}" in told
    assert "alonestats" not in [c.custom_id for c in controls(await stats(stage, "Ben"))]


async def stats(stage: Stage, name: str = "Anna") -> Any:
    """Someone's statistics, as Anna sees them."""
    person = stage.people[name]
    shown = await stage.slash("Anna", "stats", person=person)
    return private(shown)


async def test_anyone_may_ask_for_anyones_statistics(stage: Stage) -> None:
    await won_by_anna(stage)
    mine = await ask(stage, "Anna", "stats")
    assert "### Anna" in mine
    assert re.search(r"\*\*Lancelot\*\*: 1 match, 1 won · rating 1,\d\d\d, place 1", mine)
    assert await ask(stage, "Clara", "stats", person=stage.people["Anna"]) == mine
    assert "No finished match" in await ask(stage, "Clara", "stats")


async def test_ratings_are_drawn_from_the_second_match_on(stage: Stage) -> None:
    anna = stage.people["Anna"]
    for number in range(2):
        await won_by_anna(stage)
        shown = private(await stage.slash("Ben", "stats", person=anna))
        assert len(alts_of(shown)) == number
    (alt,) = alts_of(shown)
    assert re.fullmatch(r"The ratings of Anna\. Lancelot: 1,\d{3} after 2 matches, between .*", alt)
    await stage.bot.store.standings.set_unlisted(anna.id, True)
    assert alts_of(private(await anna.slash(stage.channel, "stats"))) == []


async def test_people_who_hide_are_seen_by_no_one_else(stage: Stage) -> None:
    await won_by_anna(stage)
    before = await ask(stage, "Ben", "stats")
    await stage.bot.store.standings.set_unlisted(stage.people["Anna"].id, True)
    assert "These statistics are hidden." in await ask(
        stage, "Ben", "stats", person=stage.people["Anna"]
    )
    assert "Anna" not in await ask(stage, "Ben", "leaderboard")
    mine = await ask(stage, "Anna", "stats")
    assert "1 match, 1 won" in mine
    assert "Only you see this" in mine
    assert "rating" not in mine
    after = await ask(stage, "Ben", "stats")
    assert after == before.replace("place 2", "place 1")


async def test_only_the_person_sees_their_statistics_of_all_servers(stage: Stage) -> None:
    await won_by_anna(stage)
    anna = stage.people["Anna"]
    await stage.bot.store.database.write(
        lambda db: db.execute(
            "UPDATE ratings SET matches = 5, won = 2 WHERE person_id = ? AND guild_id = ?",
            [anna.id, EVERYWHERE],
        )
    )
    mine = await ask(stage, "Anna", "stats")
    assert "**Lancelot**: 1 match, 1 won · rating" in mine
    here, everywhere = mine.split("**On all servers together**")
    assert re.fullmatch(r"\n\*\*Lancelot\*\*: 5 matches, 2 won · rating [\d,]+", everywhere)
    assert await ask(stage, "Clara", "stats", person=anna) == here.rstrip()


@pytest.mark.speaks("de")
async def test_standings_in_german(stage: Stage) -> None:
    await won_by_anna(stage)
    assert "1 Partie, 1 gewonnen" in await ask(stage, "Clara", "leaderboard")
    assert "Wertung" in await ask(stage, "Anna", "stats")
