"""Computer players at the table and hints for people, as people see them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cogs.present.people import level_in_words, level_sentence
from data.store.rows import Status
from data.texts import Texts, texts
from games import GAMES
from games.engine import CHANCE, Game, View
from games.players import GRANDMASTER, LEVELS, Advice, Budget, Ranked
from games.records import written
from play.computers import STRONGEST
from play.lobby import COMPUTER_NAMES
from play.records import record_of
from play.scheduler import Scheduler
from tests.cogs.test_together import Keep
from tests.stage import Stage, answer_to, controls, private, texts_of, verb_of

pytestmark = pytest.mark.usefixtures("no_errors", "quick_thinkers")

SHORT: dict[str, dict[str, Any]] = {"isis": {"turns": 60}}
"""Options for games that random moves would take too long to finish."""


@pytest.fixture
def quick_thinkers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all levels hardly any time."""
    for name, level in LEVELS.items():
        budget = Budget(iterations=3)
        monkeypatch.setitem(LEVELS, name, replace(level, budget=budget))


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """Replace hints with a stub that ranks the first four legal moves and records what it saw of
    the table.
    """
    seen: list[View] = []

    def rank(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        seen.append(view)
        legal = game.legal(game.determinize(view, rng), view.viewer or 0)
        values = ((0.5, 100), (0.49, 90), (0.3, 30), (-0.5, 20))
        return Advice(
            tuple(
                Ranked(m, value, visits) for m, (value, visits) in zip(legal, values, strict=False)
            )
        )

    monkeypatch.setitem(LEVELS, STRONGEST, replace(LEVELS[STRONGEST], player=rank))
    return seen


async def alone(stage: Stage, game_id: str, level: str, **options: Any) -> None:
    """Start a match between Anna and computer players of a level, as few as the game allows."""
    opened = await stage.slash("Anna", f"{game_id} new", **options)
    assert opened.acknowledged
    for _ in range(max(2, GAMES[game_id].info.players[0]) - 1):
        await add(stage, level)
    await stage.press("Anna", "start")


async def add(stage: Stage, level: str) -> Any:
    """Choose a level in the lobby's menu."""
    return await stage.pick("Anna", "computer", level)


async def ask(stage: Stage, name: str = "Anna") -> Any:
    return await stage.slash(name, "table hint")


# -------------------------------------------------------------------------------- levels
ENGLISH = ("novice", "learner", "skilled", "expert", "master")
GERMAN = ("Anfänger", "Lehrling", "Könner", "Experte", "Meister")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(ENGLISH, id="en", marks=pytest.mark.speaks("en")),
        pytest.param(GERMAN, id="de", marks=pytest.mark.speaks("de")),
    ],
)
async def test_levels_are_chosen_in_the_lobby(words: Sequence[str], stage: Stage) -> None:
    """There is an entry for each level up to master, the weakest first; the lobby names the level
    of each computer player.
    """
    await stage.slash("Anna", "lancelot new")
    assert await offered(stage) == list(LEVELS)[:5]
    chosen = list(LEVELS)[1:5]
    for level in chosen:
        await add(stage, level)
    told = texts_of(await stage.message("lobby"))
    for name, word in zip(COMPUTER_NAMES, words[1:], strict=False):
        assert f"{name} 🤖 ({word})" in told
    table = await stage.table()
    assert [member.level for member in table.members] == [None, *chosen]


async def offered(stage: Stage) -> list[str]:
    """The levels in the menu of computer players."""
    menus = controls(await stage.message("lobby"))
    menu = next(c for c in menus if verb_of(c.custom_id)[0] == "computer")
    return [value for value, _ in menu.options if value in LEVELS]


def test_each_level_is_described_in_english_and_german() -> None:
    for language in ("en", "de"):
        say = texts(language)
        told = [text for level in LEVELS for text in _about(level, say)]
        assert len(set(told)) == 2 * len(LEVELS)
        assert all(told)


def _about(level: str, say: Texts) -> tuple[str, str]:
    return level_in_words(level, say), level_sentence(level, say)


async def test_grandmasters_come_where_the_server_allows_them(stage: Stage) -> None:
    """Grandmasters are off by default. Once they are switched off again, an entry of an earlier
    menu is refused with a reason.
    """
    kay = stage.keeper()

    async def allow(allowed: bool) -> str:
        answer = await kay.slash(stage.channel, "server grandmasters", allowed=allowed)
        return answer_to(answer)

    await stage.slash("Anna", "lancelot new")
    assert GRANDMASTER not in await offered(stage)
    assert "Grandmasters: yes" in await allow(True)
    await add(stage, "master")
    assert (await offered(stage))[-1] == GRANDMASTER
    assert "Grandmasters: no" in await allow(False)
    assert "This server does not allow grandmasters" in answer_to(await add(stage, GRANDMASTER))
    await allow(True)
    await add(stage, GRANDMASTER)
    await stage.press("Anna", "start")
    table = await stage.play_by_buttons(random.Random(1), most=6)
    seat = next(member.seat for member in table.members if member.level == GRANDMASTER)
    assert seat in {event.seat for event in table.played.log}


async def test_a_game_offers_no_level_that_plays_no_better_there(stage: Stage) -> None:
    """In Don Quixote, thinking longer than a master gains nothing."""
    await stage.keeper().slash(stage.channel, "server grandmasters", allowed=True)
    await stage.slash("Anna", "donquixote new")
    assert await offered(stage) == list(ENGLISH)


async def test_boards_list_every_move_of_several_computer_players(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new", seating="joined", starter=1)
    for _ in range(3):
        await add(stage, "novice")
    await stage.press("Anna", "start")
    await stage.slash("Anna", "lancelot place", square="F6")
    await stage.computers_have_moved()
    await stage.env.settle()
    told = texts_of(await stage.message("board"))
    table = await stage.table()
    for name, event in zip(table.names, table.played.log, strict=True):
        assert f"**{name}** places a stone on {event.move}." in told


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("had no time to think", marks=pytest.mark.speaks("en")),
        pytest.param("hatte keine Zeit zum Nachdenken", marks=pytest.mark.speaks("de")),
    ],
)
async def test_missing_time_to_think_is_mentioned_on_one_board(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    await alone(stage, "lancelot", "master", seating="joined", starter=1)
    monkeypatch.setattr(Scheduler, "turn", Scheduler(turns=0, room=0, patience=0).turn)
    mentioned = []
    for _ in range(3):
        await anna_places_a_stone(stage)
        story = texts_of(await stage.message("board"))
        assert f"-# {told}" not in story
        mentioned.append(told in story)
    assert mentioned == [True, False, False]


async def test_a_trail_tells_each_move_once(stage: Stage) -> None:
    await stage.bot.store.settings.change_server(
        stage.guild.id, lambda s: replace(s, boards="lines")
    )
    await alone(stage, "lancelot", "novice", seating="joined", starter=1)
    for _ in range(4):
        await anna_places_a_stone(stage)
    (trail,) = [m for m in stage.channel.history() if texts_of(m).startswith("-# ")]
    assert texts_of(trail).count("-# ") == 4
    log = (await stage.table()).played.log
    moves = [f"stone on {event.move}." for event in log if event.seat != CHANCE]
    assert len(moves) == 8
    assert [texts_of(trail).count(move) for move in moves] == [moves.count(move) for move in moves]


async def test_a_person_who_moves_again_is_not_called(stage: Stage) -> None:
    """The existing board reports what happened; no new one is posted. That packs were passed on is
    not said again and again.
    """
    await alone(stage, "isolde", "novice", players=2, duo="parzival")
    first = await stage.message("board")
    for seed in range(2):
        await stage.computers_have_moved()
        await stage.move_by_buttons(stage.people["Anna"], random.Random(seed))
    await stage.env.settle()
    board = await stage.message("board")
    assert board.id == first.id
    told = texts_of(board)
    assert told.count("Everybody has kept a card") == 1


async def test_a_full_table_takes_no_more(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new")
    for _ in range(4):
        await stage.pick("Anna", "computer", "novice")
    assert "room for 5 players" in answer_to(await stage.pick("Anna", "computer", "novice"))
    assert len(set((await stage.table()).names)) == 5


@pytest.mark.parametrize(
    ("game_id", "level"),
    [
        *zip(GAMES, LEVELS, strict=False),
        *(
            pytest.param(game_id, level, marks=pytest.mark.long)
            for number, game_id in enumerate(GAMES)
            for place, level in enumerate(LEVELS)
            if place != number and level != GRANDMASTER
        ),
    ],
)
async def test_every_game_and_level_is_played(
    game_id: str, level: str, stage: Stage, rng: random.Random
) -> None:
    await alone(stage, game_id, level, **SHORT.get(game_id, {}))
    table = await stage.play_by_buttons(rng, most=4)
    movers = {event.seat for event in table.played.log}
    computers = {seat for seat in range(len(table.members)) if table.computer_at(seat)}
    if GAMES[game_id].info.players[0] > 1 or computers & movers:
        assert computers & movers
    assert not table.awaited_computers, table.played.log


# ------------------------------------------------------------------- no one plays in person
async def test_a_table_of_computer_players_ends(stage: Stage) -> None:
    await stage.lancelot()
    table = await stage.table()
    for seat in range(len(table.members)):
        table = await stage.unheard(table, Keep(seat))
    await stage.restart()
    over = await stage.bot.tables.get(table.id)
    assert (over.row.status, over.row.result) == (Status.ENDED, {"how": "deserted"})
    told = texts_of(stage.channel.last_message)
    assert "Nobody plays at table" in told
    assert "ended without a result" in told
    assert "\nResult: deserted\n" in written(record_of(over))


# -------------------------------------------------------------------------------- hints
async def test_a_hint_is_shown_to_the_person_alone(stage: Stage, oracle: list[View]) -> None:
    await stage.lancelot()
    before = [texts_of(message) for message in stage.channel.history()]
    result = await ask(stage)
    told = answer_to(result)
    assert "clearly" not in told
    assert (
        "**D4** – about as good as others. Then nobody can take a stone of yours next turn."
        " Just as good: E4. I see no difference yet.\n"
    ) in told
    assert "F4" not in told, "a weaker move without a reason is not mentioned"
    assert "Your first hint" in told
    assert [texts_of(message) for message in stage.channel.history()] == before
    assert [view.viewer for view in oracle] == [0]


@pytest.mark.speaks("de")
async def test_a_hint_is_given_in_german(stage: Stage, oracle: list[View]) -> None:
    await stage.lancelot()
    told = answer_to(await stage.slash("Anna", "table hint"))
    assert "### Tipp" in told
    assert "**D4** – etwa so gut wie andere. Im nächsten Zug kann dann niemand" in told
    assert "Ebenso gut: E4." in told
    assert "Dein erster Tipp" in told


async def test_a_hint_gives_the_reasons_for_a_move(stage: Stage, oracle: list[View]) -> None:
    """The hint names more than the immediate effect: here, the opponent's moves that the suggested
    one prevents.
    """
    await stage.lancelot()
    for name, square in (("Anna", "K4"), ("Ben", "D4"), ("Anna", "K9"), ("Ben", "E4")):
        await stage.slash(name, "lancelot place", square=square)
    told = answer_to(await ask(stage))
    assert (
        "**F4** – about as good as others. It keeps ● **Ben** from taking stones in row 4." in told
    )


async def test_a_hint_can_be_played_at_once(stage: Stage, oracle: list[View]) -> None:
    await stage.lancelot()
    hint = private(await ask(stage))
    (button,) = [control for control in controls(hint) if control.chooses]
    assert button.label == "D4"
    await stage.people["Anna"].click(hint, custom_id=button.custom_id)
    assert [event.move for event in (await stage.table()).played.log][-1] == "D4"


async def test_buttons_lead_to_hints(stage: Stage, oracle: list[View]) -> None:
    await stage.lancelot()
    for verb in ("where", "more"):
        place = private(await stage.press("Anna", verb))
        button = next(c for c in controls(place) if c.label == "Hint")
        answer = await stage.people["Anna"].click(place, custom_id=button.custom_id)
        assert "about as good" in answer_to(answer)


async def test_a_hand_offers_a_hint(stage: Stage, oracle: list[View]) -> None:
    await stage.open("twilight", 3, seating="joined")
    person = (await stage.awaited())[0]
    name = next(name for name, p in stage.people.items() if p is person)
    hand = private(await stage.press(name, "hand"))
    button = next(c for c in controls(hand) if c.label == "Hint")
    answer = await person.click(hand, custom_id=button.custom_id)
    assert "about as good as others" in answer_to(answer)
    (view,) = oracle
    assert view.viewer == (await stage.table()).seat_of(person.id)


async def test_hints_are_counted_once_for_each_decision(stage: Stage, oracle: list[View]) -> None:
    """The result and the record show the number."""
    await stage.lancelot(goal=1)
    await ask(stage)
    assert "Your first hint" in answer_to(await ask(stage))
    for name, square in (("Anna", "E5"), ("Ben", "J5"), ("Anna", "H5"), ("Ben", "D10")):
        await stage.slash(name, "lancelot place", square=square)
    assert "Hint number 2" in answer_to(await ask(stage))
    await stage.slash("Anna", "lancelot place", square="K5")
    assert (await stage.table()).row.status is Status.FINISHED
    told = texts_of(stage.channel.last_message)
    assert "▲ **Anna** took 2 hints." in told
    assert "Ben** took" not in told
    assert "\nHints: 2 0\n" in written(record_of(await stage.table()))


async def test_a_table_without_hints_says_so_and_offers_none(stage: Stage) -> None:
    await stage.slash("Anna", "lancelot new", hints=False, seating="joined")
    assert "Without hints" in texts_of(await stage.message("lobby"))
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    for verb in ("where", "more"):
        name = "Anna" if verb == "more" else await stage.decider()
        labels = [c.label for c in controls(private(await stage.press(name, verb)))]
        assert "Hint" not in labels
    assert "without hints" in answer_to(await ask(stage, await stage.decider()))


async def test_every_game_can_be_opened_without_hints(stage: Stage) -> None:
    """All games use the same name for the option."""
    for game_id in GAMES:
        group: Any = stage.bot.client.tree.get_command(game_id)
        new = next(command for command in group.commands if command.name == "new")
        assert "hints" in [parameter.display_name for parameter in new.parameters], game_id


async def test_hints_are_refused_before_the_start_out_of_turn_and_after_the_end(
    stage: Stage,
) -> None:
    await stage.slash("Anna", "lancelot new", seating="joined", starter=1)
    assert "not started" in answer_to(await ask(stage))
    await stage.press("Ben", "join")
    await stage.press("Anna", "start")
    assert "not your turn" in answer_to(await ask(stage, "Ben"))
    await stage.resign("Ben")
    assert "This table has ended" in answer_to(await ask(stage))


async def test_without_computing_time_there_are_no_hints(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.lancelot()
    monkeypatch.setattr(Scheduler, "turn", Scheduler(turns=0, room=0, patience=0).turn)
    assert "ask again in a minute" in answer_to(await ask(stage))
    assert (await stage.table()).hints == {}


@pytest.mark.parametrize("game_id", GAMES)
async def test_every_game_can_tell_a_hint(
    game_id: str, stage: Stage, oracle: list[View], rng: random.Random
) -> None:
    players = max(2, GAMES[game_id].info.players[0])
    await stage.open(game_id, players, **SHORT.get(game_id, {}))
    for _ in range(2):
        told = answer_to(await ask(stage, await stage.decider()))
        assert "### Hint" in told, told
        await stage.move_by_buttons((await stage.awaited())[0], rng)


async def anna_places_a_stone(stage: Stage) -> None:
    """Have Anna play the first legal move, and the computer players answer."""
    table = await stage.table()
    square = table.game.legal(table.played.state, 0)[0]
    await stage.slash("Anna", "lancelot place", square=square)
    await stage.computers_have_moved()
    await stage.env.settle()
