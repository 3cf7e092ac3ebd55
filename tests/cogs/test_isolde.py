"""Fair Isolde on Discord: words, menus, commands and secrets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cogs.games.isolde import WORDS
from cogs.present.words import ASK_ON, Choice, Group
from data.texts import LANGUAGES, texts
from games.engine import BadSetup, Fact, IllegalMove, Outcome
from games.isolde.variants import VARIANTS
from render import icons
from render.isolde.words import BOARDS, CARDS, board_name, card_name, heading
from render.scene import Scene
from tests.cogs.test_rules import turned_to
from tests.cogs.twins import nothing_hidden_shows
from tests.games.isolde_table import GAME, place, played, score, table, two_face_down
from tests.games.isolde_twins import twin
from tests.stage import (
    PATIENCE,
    Stage,
    alts_of,
    answer_to,
    controls,
    private,
    random_moves,
    texts_of,
)

pytestmark = [pytest.mark.usefixtures("no_errors"), pytest.mark.blank]

PEOPLE = ("Anna", "Ben", "Clara", "David", "Emil")
TOGETHER = {v.key: True for v in VARIANTS if v.key != "galanterie"}
"""The largest set of variants that can be combined."""


async def isolde(stage: Stage, players: int = 3, **options: Any) -> None:
    """Start a table, with seats in order of joining and Anna to begin."""
    await stage.open("isolde", players, seating="joined", starter=1, **options)


async def typed(stage: Stage, name: str, move: str) -> Any:
    """Type a move as ``/isolde keep``, ``play`` or ``choose``."""
    verb, _, argument = move.partition(":")
    person = stage.people[name]
    if verb == "keep":
        return await person.slash(stage.channel, "isolde keep", card=argument)
    if verb == "play":
        card, _, board = argument.partition(">")
        more = {"board": board} if board else {}
        return await person.slash(stage.channel, "isolde play", card=card, **more)
    return await person.slash(stage.channel, "isolde choose", what=move)


async def play_until(stage: Stage, rng: random.Random, phase: str) -> None:
    """Make random moves up to a phase without updating the channel; then restart the bot, which
    reports them.
    """
    match = await stage.match()
    await stage.moves_unseen(
        random_moves(match, rng, lambda ahead: ahead.view(None).phase == phase)
    )
    await stage.restart()


# -------------------------------------------------------------------------------- opening
async def test_options_are_told_in_words(stage: Stage) -> None:
    await stage.slash("Anna", "isolde new", players=2, duo="lancelot", scrolls=True)
    lobby = texts_of(await stage.message("lobby"))
    assert "Two players: Lancelot, with two colours each" in lobby
    assert (
        "The King's scrolls: The King is scored in rounds in which somebody takes a scroll" in lobby
    )
    assert "Magic" not in lobby


async def test_variants_that_exclude_each_other_are_refused(stage: Stage) -> None:
    result = await stage.slash("Anna", "isolde new", gallantry=True, challenge=True)
    told = answer_to(result)
    assert "“Gallantry” and “Challenge” cannot be combined: both change what Isolde grants." in told


async def test_a_starter_needs_a_seat(stage: Stage) -> None:
    result = await stage.slash("Anna", "isolde new", players=3, starter=5)
    assert "There is no seat 5 at a table of 3." in answer_to(result)


async def test_the_rules_calculate_an_example(stage: Stage) -> None:
    stage.env.settle_timeout = PATIENCE
    rules = private(await stage.slash("Anna", "isolde rules"))
    places = await turned_to(stage.people["Anna"], rules, "isolde.places")
    assert "3 points for Ben, 2 for Anna, 1 for Clara" in texts_of(places)


# ---------------------------------------------------------------------------------- draft
async def test_a_move_out_of_turn_is_refused_in_words(stage: Stage, rng: random.Random) -> None:
    await isolde(stage)
    await play_until(stage, rng, "play")
    match = await stage.match()
    waiting = next(name for seat, name in enumerate(PEOPLE[:3]) if seat not in match.actors)
    for move in ("choose:9", "play:GRAL4"):
        assert "not your turn" in answer_to(await typed(stage, waiting, move))


async def test_a_card_is_kept_in_secret(stage: Stage) -> None:
    await isolde(stage)
    before = len(stage.channel.history())
    for name in ("Ben", "Anna"):
        message = stage.dms(name)[-1]
        assert "Keep one card; pass on the rest." in texts_of(message)
        (alt,) = alts_of(message)
        assert "Pack: " in alt
        pick = next(c for c in controls(message) if c.chooses)
        await stage.people[name].user.click(message, custom_id=pick.custom_id)
    assert len(stage.channel.history()) == before
    assert "kept a card" not in texts_of(await stage.message("board"))
    match = await stage.match()
    await typed(stage, "Clara", match.game.legal(match.state, 2)[0])
    assert "Everybody has kept a card and passed the others on." in texts_of(
        stage.channel.last_message
    )


async def test_the_first_board_says_once_who_starts(stage: Stage) -> None:
    """The report of the round says who starts, even if that was drawn by lot; the log contains the
    lot.
    """
    await stage.open("isolde", 3, seating="joined")
    name = (await stage.match()).view(None).public["starter"]
    story = texts_of(await stage.message("board"))
    assert f"**{PEOPLE[name]}** starts. Packs are passed on" in story
    assert "begins" not in story
    log = answer_to(await stage.slash("Anna", "table log"))
    assert f"(lot): {PEOPLE[name]} begins" in log


async def test_packs_are_passed_on_and_the_story_says_where(stage: Stage) -> None:
    """In round 1, packs are passed on in the order in which the players are shown; in round 2, in
    reverse.
    """
    await isolde(stage)
    story = texts_of(await stage.message("board"))
    assert "▲ **Anna** → ● **Ben** → ■ **Clara** → ▲ **Anna**" in story
    reverse = WORDS.tell(
        Fact("round", {"round": 2, "starter": 1, "direction": "right"}),
        ["A", "B", "C"],
        texts("en"),
    )
    assert reverse == "**Round 2.** B starts. Packs are passed on: C → B → A → C."


async def test_a_player_with_two_colours_sees_which_one_acts(stage: Stage) -> None:
    await isolde(stage, 2, duo="lancelot")
    await play_until(stage, random.Random(1), "play")
    match = await stage.match()
    colour, name = match.view(None).public["colour"], await stage.decider()
    shown = private(await stage.press(name, "hand", "board"))
    sign = "▲●■◆"[colour]
    assert f"{sign} {name}: Play a card." in texts_of(shown)
    move = match.game.legal(match.state, match.actors[0])[0]
    await typed(stage, name, move)
    assert f"{sign} **{name}** plays" in texts_of(stage.channel.last_message)


# ---------------------------------------------------------------------------------- moves
async def test_a_typed_play_is_reported(stage: Stage) -> None:
    await isolde(stage)
    await play_until(stage, random.Random(3), "play")
    match, name = await stage.match(), await stage.decider()
    move = match.game.legal(match.state, match.actors[0])[0]
    await typed(stage, name, move)
    board = texts_of(stage.channel.last_message)
    assert f"**{name}** plays" in board
    assert "field" in board
    following = (await stage.table()).awaited_persons
    assert following != match.actors


async def test_commands_offer_what_is_legal_and_only_to_whom_it_concerns(stage: Stage) -> None:
    await isolde(stage)
    await play_until(stage, random.Random(3), "play")
    match, name = await stage.match(), await stage.decider()
    offered = await stage.people[name].autocomplete(stage.channel, "isolde play", "card", "")
    legal = match.game.legal(match.state, match.actors[0])
    assert {f"play:{choice['value']}" for choice in offered} == set(legal)
    for other in {"Anna", "Ben", "Clara", "David"} - {name}:
        for command, option in (("play", "card"), ("keep", "card"), ("choose", "what")):
            assert not await stage.people[other].autocomplete(
                stage.channel, f"isolde {command}", option, ""
            )


async def test_bonuses_are_asked_step_by_step(stage: Stage) -> None:
    await isolde(stage)
    await play_until(stage, random.Random(5), "bonus")
    first = await stage.decider()
    assert f"<@{stage.people[first].id}>" in texts_of(stage.channel.last_message)
    assert "Isolde's favour: move forward by" in texts_of(stage.dms(first)[-1])
    await typed(stage, first, "bonus:-")
    told = texts_of(stage.channel.last_message)
    assert f"**{first}** declines." in told
    waiting = [(await stage.table()).members[seat].name for seat in (await stage.table()).awaited]
    assert waiting
    for name in PEOPLE[:3]:
        assert (f"<@{stage.people[name].id}>" in told) == (name in waiting)


async def test_the_sheet_of_a_round_is_a_message_of_its_own(stage: Stage) -> None:
    await isolde(stage)
    rng = random.Random(6)
    await play_until(stage, rng, "bonus")
    while (await stage.match()).view(None).round == 1:
        match, name = await stage.match(), await stage.decider()
        legal = match.game.legal(match.state, match.actors[0])
        await typed(stage, name, rng.choice(legal))
    alts = [alt for message in stage.channel.history() for alt in alts_of(message)]
    (sheet,) = [alt for alt in alts if alt.startswith("Sheet of round 1.")]
    assert "Studies: " in sheet
    assert "Points this round: " in texts_of(await stage.message("board"))


# ------------------------------------------------------------------------------- looking
async def test_each_board_can_be_looked_at_closer(stage: Stage) -> None:
    await isolde(stage, 3, magic=True)
    near = private(await stage.press("Ben", "look", "board"))
    assert "Princess Isolde" in texts_of(near)
    labels = [c.label for c in controls(near)]
    assert labels == [
        "Magic",
        "Jousting",
        "Tournament",
        "Studies",
        "The King",
        "Grail Quest",
        "Charity",
    ]
    grail = next(c for c in controls(near) if c.label == "Grail Quest")
    result = await stage.people["Ben"].click(near, custom_id=grail.custom_id)
    assert "Grail Quest" in texts_of(result.response)
    assert alts_of(result.response)[0].startswith("Grail Quest (VI).")


async def test_boards_are_looked_at_by_command(stage: Stage) -> None:
    await isolde(stage)
    anna = stage.people["Anna"]
    names = [
        choice["value"]
        for choice in await anna.autocomplete(stage.channel, "isolde look", "board", "")
    ]
    assert "Studies" in names
    assert "Magic" not in names
    shown = await anna.slash(stage.channel, "isolde look", board="studies")
    assert alts_of(shown.response)[0].startswith("Studies (I).")
    first = await anna.slash(stage.channel, "isolde look")
    assert alts_of(first.response)[0].startswith("Princess Isolde (I).")
    unknown = await anna.slash(stage.channel, "isolde look", board="Magic")
    assert answer_to(unknown) == "“Magic” is not a board at this table."


# --------------------------------------------------------------------------------- menus
def positions(players: int, seed: int, **options: Any) -> Iterator[Any]:
    """All positions of a random match in which someone decides, with the seat that decides."""
    _, log = played(players, seed, **options)
    state = GAME.start(GAME.setup(players, options, str(seed)))
    for event in log:
        if event.seat >= 0:
            yield state, event.seat
        GAME.do(state, event.seat, event.move)


TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {"duo": "parzival", "galanterie": True, "magie": True}),
    (2, {"duo": "lancelot", "galanterie": True, "kodex": True, "barm": True}),
    (3, {"galanterie": True, "kodex": True, "koenig": True}),
    (4, {}),
    (5, TOGETHER),
]


@pytest.mark.parametrize(("players", "options"), TABLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_menus_lead_to_every_move_in_two_taps(
    players: int, options: dict[str, Any], language: str
) -> None:
    say = texts(language)
    for state, seat in positions(players, 3, **options):
        legal, view = GAME.legal(state, seat), GAME.view(state, seat)
        reached = []
        for choice in _choices(view, legal, "", say):
            if choice.value in legal:
                reached.append(choice.value)
            else:
                reached += [c.value for c in _choices(view, legal, choice.value, say)]
        assert sorted(reached) == sorted(legal), view.phase
        assert "{" not in WORDS.menu(view, legal, "", PEOPLE[:players], say).prompt


@pytest.mark.parametrize(
    ("phase", "legal", "begun", "asked"),
    [
        ("play", ["play:GRAL4", "play:GRAL4>MAGIE"], "play:GRAL4" + ASK_ON, "Grail 4"),
        (
            "magic",
            ["magic:GRAL+1", "magic:GRAL+2"],
            "magic:GRAL+",
            "Grail Quest: by how many fields",
        ),
        ("gallantry", ["bonus:EINS>GRAL", "bonus:EINS>LANZE"], "bonus:EINS>", "Anywhere +1"),
        ("gallantry", ["bonus:START>1", "bonus:START>2"], "bonus:START>", "Who starts"),
    ],
)
def test_each_step_of_a_menu_asks_for_what_is_to_be_chosen(
    phase: str, legal: list[str], begun: str, asked: str
) -> None:
    view = GAME.view(table(), 0)
    due = {**view.public, "agenda": [[phase, 0, [4]]]}
    view = replace(view, phase=phase, actors=(0,), public=due)
    for language in LANGUAGES:
        say = texts(language)
        before, after = (WORDS.menu(view, legal, p, PEOPLE, say).prompt for p in ("", begun))
        assert before != after
        begins = begun.removesuffix(ASK_ON)
        scene = Scene(view, PEOPLE, say, focus=begins, legal=tuple(legal))
        assert heading(scene, PEOPLE) == after
    assert asked in WORDS.menu(view, legal, begun, PEOPLE, texts("en")).prompt


def test_a_card_turned_up_has_its_board_chosen_at_once() -> None:
    ways = ["play:KAMPF4>LANZE", "play:KAMPF4>TURNIER"]
    assert menu_icons("route", ways) == ["isolde_lanze", "isolde_turnier"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pack_is_chosen_from_by_buttons(language: str) -> None:
    """Buttons have room for the name of every card and board."""
    say = texts(language)
    cards = [card_name(f"{kind}5", say) for kind in CARDS]
    boards = [board_name(board, say) for board in BOARDS]
    for labels in (cards, boards):
        assert Group("", tuple(Choice(label, label) for label in labels)).as_buttons


def test_menus_have_icons_of_cards_or_boards() -> None:
    kept = menu_icons("draft", ["keep:GRAL4", "keep:KAMPF2"])
    assert kept == [icons.isolde_card("GRAL4"), icons.isolde_card("KAMPF2")]
    ways = ["play:GRAL4", "play:GRAL4>MAGIE"]
    assert menu_icons("play", [*ways, "play:BARM2"]) == ["isolde_gral4", "isolde_barm2"]
    assert menu_icons("play", ways, "play:GRAL4" + ASK_ON) == ["isolde_gral", "isolde_magie"]
    assert menu_icons("gallantry", ["bonus:KOENIG2", "bonus:-"]) == ["isolde_koenig", ""]


def menu_icons(phase: str, legal: list[str], prefix: str = "") -> list[str]:
    view = replace(GAME.view(table(), 0), phase=phase)
    menu = WORDS.menu(view, legal, prefix, PEOPLE, texts("en"))
    return [choice.icon for group in menu.groups for choice in group.choices]


def _choices(view: Any, legal: list[str], prefix: str, say: Any) -> list[Any]:
    menu = WORDS.menu(view, legal, prefix, PEOPLE[: view.players], say)
    choices = [choice for group in menu.groups for choice in group.choices]
    assert len({choice.label for choice in choices}) == len(choices), choices
    assert all(len(choice.label) <= 80 and len(choice.value) <= 80 for choice in choices)
    assert all(choice.value.removesuffix(ASK_ON) for choice in choices)
    return choices


@pytest.mark.parametrize(("players", "options"), TABLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_of_each_event_is_complete_and_short(
    players: int, options: dict[str, Any], language: str
) -> None:
    say, longest = texts(language), 0
    names = [f"▲ **{name} of the very long name**" for name in PEOPLE]
    _, log = played(players, 4, **options)
    state = GAME.start(GAME.setup(players, options, "4"))
    for event in log:
        facts: list[Fact] = []
        GAME.do(state, event.seat, event.move, facts)
        told = [WORDS.tell(fact, names, say) for fact in facts if fact.to is None]
        assert not any("{" in sentence for sentence in told if sentence)
        longest = max(longest, sum(len(sentence) + 1 for sentence in told if sentence))
    assert longest < 2000


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_move_has_a_name_for_the_log(players: int, options: dict[str, Any]) -> None:
    _, log = played(players, 5, **options)
    state = GAME.start(GAME.setup(players, options, "5"))
    for event in log:
        shown = WORDS.move_in_words(
            GAME.observed(state, event, None), PEOPLE[:players], texts("en")
        )
        assert shown
        if event.move.split(":")[0] in ("keep", "split", "assign"):
            assert shown == "face down"
        GAME.do(state, event.seat, event.move)


@pytest.mark.parametrize(("language", "labels"), [
    ("en", ["the hidden −3 of round 2", "the hidden −1 of round 4"]),
    ("de", ["der verdeckte −3 aus Runde 2", "der verdeckte −1 aus Runde 4"]),
])  # fmt: skip
def test_own_shields_that_lie_face_down_are_named_with_their_values(
    language: str, labels: list[str]
) -> None:
    """The owner, who has to choose among the shields, sees the values; the logs of others do not
    show them.
    """
    state = two_face_down(second="-1,-3,0,0")
    say = texts(language)
    view, legal = GAME.view(state, 0), GAME.legal(state, 0)
    choices = WORDS.menu(view, legal, "", PEOPLE[:4], say).groups[0].choices
    assert [choice.label for choice in choices] == labels
    assert "−" not in WORDS.move_in_words("give:?4", PEOPLE[:4], say)


# -------------------------------------------------------------------------------- refusals
SETUP = {"starter_seat", "variants_exclude"}
"""Refusals that can only occur before the match."""

WRONG = (
    "keep:NIX4", "keep:GRAL9", "keep:KAMPF5", "play:KAMPF4", "play:KAMPF4>MOND", "play:GRAL2",
    "play:GRAL4>LANZE", "bet:ISOLDE", "bonus:ISOLDE", "bonus:MOND", "bonus:EINS", "bonus:NIX",
    "bonus:-", "bonus:FUENFTE", "magic:MAGIE+2", "magic:GRAL", "magic:GRAL+9", "magic:MOND+1",
    "look:9", "take:9", "partner:9", "give:-9", "claim:9", "pile:3", "split:GRAL4",
    "assign:GRAL4", "split:GRAL4,GRAL4,GRAL4", "bonus:START", "**@everyone**",
)  # fmt: skip


def refused(state: Any, seat: int, move: str) -> IllegalMove | None:
    try:
        GAME.parse(state, seat, move)
    except IllegalMove as error:
        return error
    return None


@pytest.mark.full
def test_every_refusal_has_its_sentence() -> None:
    """The moves in ``WRONG`` are tried in all positions of some matches. Together they cause every
    refusal that is possible during a match, and each has a sentence in every language.
    """
    state = table(4, round_=6, barm=True)
    place(state, "BARM", "A5 B3")
    score(state, "BARM")
    alone = refused(state, 0, "partner:2")
    assert alone is not None
    errors = {repr((alone.code, alone.data)): alone}
    for players, options in TABLES:
        for state, seat in positions(players, 7, **options):
            for error in filter(None, (refused(state, seat, move) for move in WRONG)):
                errors[repr((error.code, error.data))] = error
    for error in errors.values():
        for language in LANGUAGES:
            told = WORDS.refusal(error.code, error.data, texts(language))
            assert told, error.code
            assert "{" not in told, told
    codes = {error.code for error in errors.values()}
    assert codes >= set(WORDS.refusals) - SETUP, set(WORDS.refusals) - codes


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "Enough to take the lead: Grail Quest.",
                "Enough for place 2: Grail Quest.",
                "Enough to leave last place: Charity.",
                "Enough for 1 point: The King.",
                "Enough for 6 points: The King.",
            ],
        ),
        (
            "de",
            [
                "Reicht für die Führung: Gralssuche.",
                "Reicht für Platz 2: Gralssuche.",
                "Reicht, um den letzten Platz zu verlassen: Barmherzigkeit.",
                "Reicht für 1 Punkt: König.",
                "Reicht für 6 Punkte: König.",
            ],
        ),
    ],
)
def test_each_reason_for_a_move_has_a_sentence(language: str, sentences: list[str]) -> None:
    motives = [
        Fact("leads", {"colour": 0, "board": "GRAL"}),
        Fact("climbs", {"colour": 0, "board": "GRAL", "place": 2}),
        Fact("escapes", {"colour": 0, "board": "BARM"}),
        Fact("pays", {"colour": 0, "board": "KOENIG", "points": 1}),
        Fact("pays", {"colour": 0, "board": "KOENIG", "points": 6}),
    ]
    view, say = GAME.view(table(3), 0), texts(language)
    assert [WORDS.motive(fact, view, PEOPLE, say) for fact in motives] == sentences


def test_a_result_below_zero_has_a_minus_sign() -> None:
    """A hyphen would look like the dash before it."""
    scores = (-3.0, 1.0, 24.0)
    outcome = Outcome((3, 2, 1), scores, "rounds")
    view = replace(GAME.view(table(3), None), outcome=outcome)
    told = [WORDS.score(view, seat, texts("en")) for seat in range(3)]
    assert told == ["−3 points", "1 point", "24 points"]


def test_excluding_variants_are_named_in_german() -> None:
    with pytest.raises(BadSetup) as setup:
        GAME.setup(3, {"galanterie": True, "herausforderung": True})
    told = WORDS.refusal(setup.value.code, setup.value.data, texts("de"))
    assert told is not None
    assert "„Galanterie“ und „Herausforderung“ schließen einander aus" in told


# --------------------------------------------------------------------------------- secrets
@pytest.mark.slow("twin tables")
@pytest.mark.parametrize(("players", "options"), [(3, {"codex": True}), (2, {"duo": "lancelot"})])
async def test_nothing_shown_depends_on_what_the_person_does_not_know(
    stage: Stage, players: int, options: dict[str, Any]
) -> None:
    """Hand, text, boards, menus and autocompletion are the same at a twin table."""
    await isolde(stage, players, **options)
    names = (*PEOPLE[:players], "Emil")
    await nothing_hidden_shows(stage, names, twin, _told_to, random.Random(players))


async def _told_to(stage: Stage, name: str, rng: random.Random) -> list[Any]:
    """What a person can see without moving."""
    person = stage.people[name]
    told: list[Any] = []
    pressed = [await stage.press(name, verb, "board") for verb in ("hand", "look")]
    for shown in map(private, [*pressed, await stage.press_more(name, "text")]):
        told += [texts_of(shown), alts_of(shown), [c.options for c in controls(shown)]]
    for command, option in (("play", "card"), ("keep", "card"), ("choose", "what")):
        told.append(await person.autocomplete(stage.channel, f"isolde {command}", option, ""))
    return told
