"""The riddle and the deal of the day in the simulated Discord."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import discord
import pytest

from cogs.features.daily import DailyCog
from cogs.games import WORDS
from cogs.gateway.controls import Control
from cogs.present.daily import post_card
from cogs.present.words import ASK_ON
from data.store.riddles import AttemptRow
from data.texts import LANGUAGES, texts
from games.fairness import sealed
from play.daily import day_seed, dealt
from play.occasions.daily import Post
from play.riddles.riddle import Riddle
from play.riddles.stock import game_of, shipped
from play.riddles.writer import Writer
from tests.cogs.gateway.stage import me
from tests.refusals import CLOSED_DMS, MISSING_PERMISSIONS, UNAVAILABLE, UNKNOWN_CHANNEL, refuse
from tests.stage import Stage, alts_of, answer_to, controls, private, texts_of, use, verb_of

pytestmark = pytest.mark.usefixtures("no_errors", "patient")


LATER = date(2050, 3, 1)
"""A day in the future: while the bot checks what is due, its clock may only be put forward."""


def travel(stage: Stage, day: date) -> None:
    """Set the bot's clock to noon of a day."""
    stage.bot.tables.clock = lambda: datetime.combine(day, time(12), UTC)


def day_with(game: str, since: date = date(2026, 11, 22)) -> date:
    """The first day, from this date on, that has a riddle for this game."""
    return next(d for n in range(4) if game_of(d := since + timedelta(days=n)) == game)


async def riddle_of(stage: Stage, day: date) -> Riddle:
    text = await stage.bot.store.riddles.of_day(day)
    assert text is not None
    return Riddle.from_json(text)


async def choose(person: Any, message: Any, verb: str, wanted: str) -> Any:
    """Follow menus and buttons with a verb until the wanted choice is complete."""
    for _ in range(6):
        found = {
            value: control
            for control in controls(message)
            if verb_of(control.custom_id)[0] == verb
            for value in (
                [option for option, _ in control.options] or [verb_of(control.custom_id)[1]]
            )
        }
        fitting = [value for value in found if wanted.startswith(value.removesuffix(ASK_ON))]
        value = max(fitting, key=lambda each: (each == wanted, len(each)))
        control = found[value]
        if control.options:
            result = await person.select(message, [value], custom_id=control.custom_id)
        else:
            result = await person.click(message, custom_id=control.custom_id)
        if value == wanted:
            return result
        message = private(result)
    raise AssertionError(f"no way to {wanted}")


# ------------------------------------------------------------------------------- riddles
@pytest.mark.parametrize("game", ["lancelot", "twilight", "isis", "isolde"])
async def test_a_riddle_is_solved(stage: Stage, game: str) -> None:
    """A wrong answer, both hints and the solution are shown. Afterwards the solver sees the
    solution and others still see the riddle, even after a restart.
    """
    day = day_with(game)
    travel(stage, day)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    shown = private(await anna.slash(stage.channel, "riddle"))
    assert "2 tries left · worth 5 points" in texts_of(shown)
    riddle = await riddle_of(stage, day)
    wrong = next(move for move in riddle.offered() if move != riddle.solution)
    told = private(await choose(anna, shown, "guess", f"{day}.{wrong}"))
    assert "Not quite" in texts_of(told)
    assert "1 try left · worth 4 points" in texts_of(told)
    hinted = private(await use(anna, told, "riddlehint"))
    assert "It is one of these" in texts_of(hinted)
    hinted = private(await use(anna, hinted, "riddlehint"))
    assert "worth 2 points" in texts_of(hinted)
    right = private(await choose(anna, hinted, "guess", f"{day}.{riddle.solution}"))
    assert "Right!** 2 points for you." in texts_of(right)
    assert "2 points in all · streak: 1 day" in texts_of(right)
    await stage.restart()
    travel(stage, day)
    again = private(await anna.slash(stage.channel, "riddle"))
    assert "Solution: " in texts_of(again)
    assert "Solution: " not in texts_of(private(await ben.slash(stage.channel, "riddle")))
    assert stage.channel.history() == []


async def test_a_wrong_order_names_the_player_whom_the_button_named(stage: Stage) -> None:
    """For a solver called Ben, the Ben at the table has another name."""
    ben, day = stage.people["Ben"], day_with("twilight")
    orders: list[Any] = []
    while not orders:
        travel(stage, day)
        shown = private(await ben.slash(stage.channel, "riddle"))
        solution = (await riddle_of(stage, day)).solution
        wrong = [c for c in controls(shown) if verb_of(c.custom_id)[1] != f"{day}.{solution}"]
        orders = [c for c in wrong if "Order Paul" in c.label]
        day = day_with("twilight", day + timedelta(days=1))
    told = private(await ben.click(shown, custom_id=orders[0].custom_id))
    assert "Not quite: order to Paul." in texts_of(told)


@pytest.mark.speaks("de")
async def test_shown_hands_have_their_owners_names(stage: Stage) -> None:
    day = day_with("isolde")
    travel(stage, day)
    shown = private(await stage.slash("Anna", "riddle"))
    riddle = await riddle_of(stage, day)
    board, hands = alts_of(shown)
    assert board.startswith("Rätsel: Finde den besten Zug. ")
    assert hands.count("Die Hand von ") == riddle.players - 1
    assert hands.count("Hand: ") == riddle.players
    assert "nicht am Zug" not in hands


async def test_a_begun_answer_can_be_started_over(stage: Stage) -> None:
    travel(stage, day_with("lancelot"))
    anna = stage.people["Anna"]
    shown = private(await anna.slash(stage.channel, "riddle"))
    first = next(c for c in controls(shown) if verb_of(c.custom_id)[0] == "guess")
    begun = await anna.click(shown, custom_id=first.custom_id)
    over = await stage.tap("Anna", private(begun), "Start over")
    for message in (shown, private(over)):
        assert "Start over" not in [control.label for control in controls(message)]


async def test_two_wrong_answers_use_up_a_riddle(stage: Stage) -> None:
    """Pressing the first wrong answer again does not count."""
    day = day_with("lancelot")
    travel(stage, day)
    anna = stage.people["Anna"]
    shown = private(await anna.slash(stage.channel, "riddle"))
    riddle = await riddle_of(stage, day)
    wrong = [move for move in riddle.offered() if move != riddle.solution][:2]
    for move in wrong:
        first = shown
        shown = private(await choose(anna, first, "guess", f"{day}.{move}"))
        row = await stage.bot.store.riddles.attempt(anna.id, day)
        if not (row and row.points is not None):
            await choose(anna, first, "guess", f"{day}.{move}")
    assert "That was your last try." in texts_of(shown)
    row = await stage.bot.store.riddles.attempt(anna.id, day)
    assert row is not None
    assert (row.wrong, row.solved, row.points) == (tuple(wrong), False, 0)


async def test_yesterdays_buttons_show_the_solution(stage: Stage) -> None:
    """A button of yesterday's riddle says that the day is over and starts no attempt; buttons with
    impossible days are refused as stale.
    """
    day = day_with("lancelot")
    travel(stage, day)
    anna = stage.people["Anna"]
    shown = private(await anna.slash(stage.channel, "riddle"))
    travel(stage, day + timedelta(days=1))
    result = await use(anna, shown, "riddlehint")
    assert "That day is over." in answer_to(result)
    assert await stage.bot.store.riddles.attempt(anna.id, day) is None
    for argument in ("2026-11-99", "x", (day + timedelta(days=2)).isoformat(), "1970-01-01"):
        await stage.post(stage.channel.id, Control(0, 0, "riddle", argument))
        result = await use(anna, stage.channel.last_message, "riddle")
        assert "from an earlier position" in answer_to(result), argument


async def test_a_streak_brings_a_trophy(stage: Stage) -> None:
    """The trophy comes on the seventh day, in the answer and in the profile; looking again awards
    no second one.
    """
    day = day_with("lancelot")
    anna = stage.people["Anna"]
    for back in range(1, 7):
        text = (day - timedelta(days=back)).isoformat()
        row = AttemptRow(anna.id, text, 0, "Anna", ("K4",), solved=True, points=4)
        await stage.bot.store.riddles.change_attempt(row, lambda row: row)
    travel(stage, day)
    shown = private(await anna.slash(stage.channel, "riddle"))
    riddle = await riddle_of(stage, day)
    solved = private(await choose(anna, shown, "guess", f"{day}.{riddle.solution}"))
    again = private(await anna.slash(stage.channel, "riddle"))
    for each in (solved, again):
        assert "A trophy for your profile: **7 days in a row**" in texts_of(each)
    (trophy,) = await stage.bot.store.trophies.of_person(anna.id)
    assert (trophy.kind, trophy.source, trophy.place) == ("streak", "7", 3)
    (alt,) = alts_of(private(await anna.slash(stage.channel, "profile")))
    assert "Trophies: 0 gold, 0 silver, 1 bronze." in alt
    assert "riddles and deals · 7 days in a row." in alt
    travel(stage, day + timedelta(days=1))
    later = private(await anna.slash(stage.channel, "riddle"))
    assert "trophy" not in texts_of(later)


# --------------------------------------------------------------------------------- deals
async def finish(stage: Stage, name: str, day: date, choice: int, left: int = 1) -> Any:
    """Play a deal: the first two tiles and the last ones by buttons, the others directly in the
    store; return the last answer.
    """
    person = stage.people[name]
    shown = private(await person.slash(stage.channel, "deal"))
    seed = day_seed(await stage.bot.store.riddles.secret(day, lambda: ""), day)
    moves: list[str] = []
    while (match := dealt(seed, moves)).outcome is None:
        legal = match.game.legal(match.state, 0)
        moves.append(legal[choice % len(legal)])
    cog = stage.bot.client.get_cog("DailyCog")
    assert isinstance(cog, DailyCog)
    for number, move in enumerate(moves):
        shown = private(await choose(person, shown, "lay", f"{day}.{move}"))
        if number == 1:
            break
    row = await stage.bot.store.riddles.play(person.id, day)
    assert row is not None
    assert row.moves == tuple(moves[:2])
    await stage.bot.store.riddles.change_play(
        row,
        lambda row: type(row)(row.person_id, row.day, row.guild_id, row.name, tuple(moves[:-left])),
    )
    shown = private(await person.slash(stage.channel, "deal"))
    for move in moves[-left:]:
        shown = private(await choose(person, shown, "lay", f"{day}.{move}"))
    return shown


async def test_a_deal_is_played_and_shown(stage: Stage) -> None:
    """Two people play the same deal, across a restart. The result shows its player's place and can
    be shared once; the next day shows the best players and the secret.
    """
    day = date(2026, 11, 22)
    travel(stage, day)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    result = await finish(stage, "Anna", day, 0)
    assert "Place 1 of 1 on this server" in texts_of(result)
    await stage.restart()
    travel(stage, day)
    await finish(stage, "Ben", day, 3)
    rows = [await stage.bot.store.riddles.play(p.id, day) for p in (anna, ben)]
    points = [row.points for row in rows if row is not None and row.points is not None]
    assert len(points) == 2
    result = private(await anna.slash(stage.channel, "deal"))
    place = 1 if points[0] >= points[1] else 2
    assert f"Place {place} of 2 on this server" in texts_of(result)
    other = private(await anna.slash(stage.channel, "deal"))
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", UNAVAILABLE, times=1)
    assert "cannot show" in answer_to(await use(anna, other, "sharedeal"))
    shared = private(await use(anna, result, "sharedeal"))
    (card,) = stage.channel.history()
    assert [verb_of(c.custom_id)[0] for c in controls(card)] == ["deal"]
    assert not any(verb_of(c.custom_id)[0] == "sharedeal" for c in controls(shared))
    assert "already shown this result" in answer_to(await use(anna, other, "sharedeal"))
    assert len(stage.channel.history()) == 1
    secret = await stage.bot.store.riddles.secret(day, lambda: "")
    assert secret not in texts_of(result) + texts_of(card)
    travel(stage, day + timedelta(days=1))
    over = await use(ben, card, "deal")
    assert "Place" in texts_of(private(over))
    best = private(await use(ben, private(over), "best"))
    assert secret in texts_of(best)
    assert sealed(secret) in texts_of(best)
    first = max(zip(points, ("Anna", "Ben"), strict=True), key=lambda each: each[0])[1]
    assert f"🥇 {first}" in texts_of(best)
    assert [verb_of(c.custom_id)[0] for c in controls(best)] == ["deal", "riddle"]
    await stage.post(stage.channel.id, Control.apart("best"))
    shown = private(await use(stage.people["Clara"], stage.channel.last_message, "best"))
    assert [verb_of(c.custom_id)[0] for c in controls(shown)] == ["riddle"], "no board to show"


async def test_only_a_finished_deal_can_be_shown(stage: Stage) -> None:
    day = date(2026, 11, 22)
    travel(stage, day)
    await stage.post(stage.channel.id, Control.apart("sharedeal", day.isoformat()))
    (card,) = stage.channel.history()
    for name, begun in (("Anna", False), ("Ben", True)):
        person = stage.people[name]
        if begun:
            await person.slash(stage.channel, "deal")
        assert "earlier position" in answer_to(await use(person, card, "sharedeal"))
    assert stage.channel.history() == [card]


async def test_a_stale_tile_lays_nothing(stage: Stage) -> None:
    """The tile was pressed on an older message."""
    day = date(2026, 11, 22)
    travel(stage, day)
    anna = stage.people["Anna"]
    old = [private(await anna.slash(stage.channel, "deal")) for _ in range(2)]
    seed = day_seed(await stage.bot.store.riddles.secret(day, lambda: ""), day)
    match = dealt(seed, ())
    move = match.game.legal(match.state, 0)[0]
    await choose(anna, old[0], "lay", f"{day}.{move}")
    menu = next(control for control in controls(old[1]) if control.options)
    stale = await anna.select(old[1], [f"{day}.{move}"], custom_id=menu.custom_id)
    assert "earlier position" in answer_to(stale)
    row = await stage.bot.store.riddles.play(anna.id, day)
    assert row is not None
    assert row.moves == (move,)


async def test_people_who_hide_their_statistics_are_not_among_yesterdays_best(stage: Stage) -> None:
    day = date(2026, 11, 22)
    travel(stage, day)
    anna = stage.people["Anna"]
    await finish(stage, "Anna", day, 0)
    await stage.bot.store.standings.set_unlisted(anna.id, True)
    travel(stage, day + timedelta(days=1))
    await finish(stage, "Ben", day + timedelta(days=1), 0)
    shown = private(await stage.slash("Ben", "deal"))
    best = texts_of(private(await use(stage.people["Ben"], shown, "best")))
    assert "Nobody has played it." in best
    assert "Anna" not in best


@pytest.mark.parametrize("language", LANGUAGES)
def test_days_are_written_as_people_write_them(language: str) -> None:
    expected = {
        "en": "22 November",
        "de": "22. November",
        "fr": "22 novembre",
        "es": "22 de noviembre",
    }
    assert texts(language).short_day(date(2026, 11, 22)) == expected[language]


# --------------------------------------------------------------------------------- posts
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_post_names_whoever_is_to_move(language: str) -> None:
    """A player to move has a name in the post, because "an order to You" would not be
    grammatical.
    """
    riddle = next(
        each for each in shipped("twilight") if Riddle.from_json(each).solution == "order:1"
    )
    post = Post("2026-11-22", riddle, riddle, "secret")
    card = post_card(post, {}, WORDS, texts(language))
    told = " ".join(part for part in card.parts if isinstance(part, str))
    order = {
        "en": "order to Anna",
        "de": "Anweisung an Anna",
        "fr": "ordre à Anna",
        "es": "orden a Anna",
    }[language]
    assert order in told


async def ring(stage: Stage, day: date, hour: int = 12, posts: int = 0) -> None:
    """Set the clock, handle what is due, and wait for this many posts."""
    now = datetime.combine(day, time(hour), UTC)
    stage.bot.tables.clock = stage.bot.occasions.clock = lambda: now
    for number in await stage.bot.store.occasions.due(now):
        await stage.bot.occasions.tick(number)
    for _ in range(1000):
        if len(stage.channel.history()) >= posts and not stage.bot.occasion_delivery.waiting():
            break
        await asyncio.sleep(0.02)
    await stage.env.settle()


async def test_a_server_has_a_post_a_day(stage: Stage) -> None:
    """A command sets up one message a day, even across a restart, with yesterday's solution and
    best players. Only the latest has buttons, which open private answers. Then the posts are
    switched off.
    """
    day = day_with("lancelot", LATER)
    await ring(stage, day)
    anna = stage.people["Anna"]
    kay = stage.keeper()
    told = await kay.slash(stage.channel, "server daily", at="13:00", zone="UTC")
    assert "Riddle and deal of the day: at 13:00 (UTC)" in answer_to(told)
    assert stage.channel.history() == []
    await ring(stage, day, 13, 1)
    (first,) = stage.channel.history()
    assert "The riddle of the day · 3 March" in texts_of(first)
    assert "Nobody has solved it." in texts_of(first)
    shown = private(await use(anna, first, "riddle"))
    riddle = await riddle_of(stage, day)
    await choose(anna, shown, "guess", f"{day}.{riddle.solution}")
    await finish(stage, "Ben", day, 0)
    await stage.restart()
    next_day = day + timedelta(days=1)
    await ring(stage, next_day, 12)
    assert len(stage.channel.history()) == 1
    await ring(stage, next_day, 14, 2)
    await ring(stage, next_day, 15, 2)
    first, second = stage.channel.history()
    assert controls(first) == []
    assert {verb_of(c.custom_id)[0] for c in controls(second)} == {"riddle", "deal", "best"}
    row = await stage.bot.store.riddles.play(stage.people["Ben"].id, day)
    assert row is not None
    assert f"🥇 Ben ({row.points})" in texts_of(second)
    assert "Anna (5)" in texts_of(second)
    assert "Solution: " in texts_of(second)
    assert await stage.bot.store.riddles.secret(day, lambda: "") in texts_of(second)
    told = await kay.slash(stage.channel, "server daily", wanted=False)
    assert "Riddle and deal of the day: no" in answer_to(told)
    await ring(stage, next_day + timedelta(days=1), 20, 2)
    assert len(stage.channel.history()) == 2


async def test_a_kill_costs_no_post(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies when the post is due, before writing it: the next process posts it, once."""
    day = day_with("twilight", LATER)
    await ring(stage, day)
    await stage.keeper().slash(stage.channel, "server daily", at="13:00", zone="UTC")
    with monkeypatch.context() as dying:
        dying.setattr(Writer, "wake", lambda *_: None)
        now = datetime.combine(day, time(13), UTC)
        stage.bot.occasions.clock = lambda: now
        (number,) = await stage.bot.store.occasions.due(now)
        await stage.bot.occasions.tick(number)
        await stage.env.settle()
    assert stage.channel.history() == []
    await stage.restart()
    for _ in range(2):
        await ring(stage, day, 18, 1)
    assert len(stage.channel.history()) == 1


def told_by_dm(stage: Stage, person: Any) -> list[str]:
    """The direct messages to a person about a lost channel."""
    return [
        it for it in map(texts_of, person.user.dm_channel.history()) if "I can no longer post" in it
    ]


async def no_rounds(stage: Stage) -> None:
    """Stop the bot from retrying by itself."""
    deadlines = stage.bot.client.get_cog("Deadlines")
    assert deadlines is not None
    await deadlines.cog_unload()


async def written(stage: Stage, day: date) -> None:
    """Wait until the post of a day is stored."""
    for _ in range(1000):
        (posts,) = await stage.bot.occasions.of_kind("daily")
        if posts.state.post is not None and posts.state.post.day == day.isoformat():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("no post was stored")


async def test_a_lost_channel_is_reported_once(stage: Stage) -> None:
    """The person who set up the posts gets one message. Posts resume when possible, skipping the
    missed days; another loss more than a week later is reported again.
    """
    day = day_with("lancelot", LATER)
    await ring(stage, day)
    kay = stage.keeper()
    await kay.slash(stage.channel, "server daily", at="13:00", zone="UTC")
    path = f"/channels/{stage.channel.id}/messages"
    await no_rounds(stage)
    for loss in (1, 2):
        refuse(stage.env, "POST", path, MISSING_PERMISSIONS)
        for _ in range(2):
            await ring(stage, day, 13)
            await written(stage, day)
            for _ in range(2):
                await stage.bot.occasion_delivery.behind()
            day += timedelta(days=1)
        assert len(told_by_dm(stage, kay)) == loss
        assert len(stage.channel.history()) == loss - 1
        stage.env.backend.faults.clear()
        await ring(stage, day, 13, loss)
        assert len(stage.channel.history()) == loss
        assert texts("en").short_day(day) in texts_of(stage.channel.history()[-1])
        day += timedelta(days=8)


async def test_a_lost_channel_and_closed_direct_messages(stage: Stage) -> None:
    """The bot cannot notify anyone; the post appears once the channel is back."""
    day = day_with("lancelot", LATER)
    await ring(stage, day)
    kay = stage.keeper()
    await kay.slash(stage.channel, "server daily", at="13:00", zone="UTC")
    await no_rounds(stage)
    for channel, refusal in ((kay.user.dm_channel, CLOSED_DMS), (stage.channel, UNKNOWN_CHANNEL)):
        refuse(stage.env, "POST", f"/channels/{channel.id}/messages", refusal)
    await ring(stage, day, 13)
    await written(stage, day)
    await stage.bot.occasion_delivery.behind()
    assert stage.channel.history() == []
    stage.env.backend.faults.clear()
    await stage.bot.occasion_delivery.behind()
    assert len(stage.channel.history()) == 1


async def test_daily_posts_are_refused_where_the_bot_may_not_post(stage: Stage) -> None:
    kay = stage.keeper()
    silent: Any = {me(stage.bot.client): discord.PermissionOverwrite(attach_files=False)}
    elsewhere = stage.guild.create_text_channel("silent", overwrites=silent)
    told = await kay.slash(stage.channel, "server daily", channel=elsewhere)
    assert f"I may not post pictures in <#{elsewhere.id}>." in answer_to(told)
    assert await stage.bot.occasions.of_kind("daily") == []
