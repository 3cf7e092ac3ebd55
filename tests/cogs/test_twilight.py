"""Twilight on Discord: words, menus, commands and secrets."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cogs.games.twilight import WORDS
from cogs.present.story import SHORT_LIMIT, newest_of
from data.texts import LANGUAGES, texts
from games.engine import Fact
from games.players.twilight import TwilightPolicy
from games.twilight import CARDS
from play.replays import replay_of
from render.twilight.words import told_in_caption
from tests.cogs.test_rules import turned_to
from tests.cogs.twins import nothing_hidden_shows
from tests.games.twilight_table import GAME, trio
from tests.games.twilight_twins import twin
from tests.stage import PATIENCE, Stage, alts_of, answer_to, controls, private, texts_of, verb_of

pytestmark = [pytest.mark.usefixtures("no_errors"), pytest.mark.blank]

PEOPLE = ("Anna", "Ben", "Clara", "David")


async def twilight(stage: Stage, players: int = 4, **options: Any) -> None:
    """Start a table, with seats in order of joining."""
    await stage.open("twilight", players, seating="joined", **options)


async def type_move(stage: Stage, name: str, move: str, **more: Any) -> Any:
    """Type ``/twilight play`` or ``/twilight order``."""
    if move.startswith("order:"):
        command, typed = "twilight order", {"who": move.removeprefix("order:")}
    else:
        command, typed = "twilight play", {"card": move}
    return await stage.slash(name, command, **typed, **more)


async def play_on(stage: Stage, rng: random.Random, wanted: str) -> str:
    """Make random moves until someone can play a card or, if ``wanted`` is ``order:``, can give an
    order; return that person's name.
    """
    while True:
        match, name = await stage.match(), await stage.decider()
        legal = match.game.legal(match.state, match.actors[0])
        if any(move.startswith("order:") == (wanted == "order:") for move in legal):
            return name
        await stage.move_unseen(match.actors[0], rng.choice(legal))


# -------------------------------------------------------------------------------- opening
async def test_options_are_told_in_words(stage: Stage) -> None:
    await stage.slash("Anna", "twilight new", players=3, exact=True, lone="rounds")
    lobby = texts_of(await stage.message("lobby"))
    assert "333, 666, 999: Exactly 333, 666 or 999 points win as well" in lobby
    assert "Three players: everybody plays alone in turn, in complete rounds" in lobby


async def test_an_option_for_three_is_refused_for_four(stage: Stage) -> None:
    result = await stage.slash("Anna", "twilight new", players=4, lone="fixed")
    assert "does not exist with 4 players" in answer_to(result)


async def test_the_rules_forbid_talking_about_cards_and_calculate_an_example(stage: Stage) -> None:
    stage.env.settle_timeout = PATIENCE
    rules = private(await stage.slash("Anna", "twilight rules"))
    secrets = await turned_to(stage.people["Anna"], rules, "twilight.secrets")
    assert "Partners must not talk about their cards" in texts_of(secrets)
    points = await turned_to(stage.people["Anna"], secrets, "twilight.points")
    assert "(7 + 3 + 4 + 1 + 1 + 1) × 3 = 51" in texts_of(points)


# ---------------------------------------------------------------------------------- moves
async def test_a_typed_card_is_on_the_board_and_only_the_next_person_gets_their_hand(
    stage: Stage,
) -> None:
    await twilight(stage)
    name = await stage.decider()
    match = await stage.match()
    card = next(m for m in match.game.legal(match.state, match.actors[0]) if m in CARDS)
    answer = answer_to(await type_move(stage, name, card.lower()))
    told = WORDS.move_in_words(card, (), texts("en"))
    assert f"Done: {told}." in answer
    assert f"**{name}** plays {told}." in texts_of(await stage.message("board"))
    called = await stage.decider()
    assert {who for who in PEOPLE if stage.dms(who)} == {name, called}
    assert all(len(stage.dms(who)) == 1 for who in (name, called))


async def test_an_order_is_typed_by_name(stage: Stage) -> None:
    await twilight(stage)
    rng = random.Random(4)
    name = ""
    for _ in range(100):
        name = await play_on(stage, rng, "order:")
        match = await stage.match()
        turn, backs = match.view(None).public["turn"], match.view(None).public
        cult = ("moon", "sun")[turn % 2]
        many = [s for s in range(4) if s != match.actors[0] and backs[cult][s] > 1]
        if many and match.view(None).public["table"]:
            break
        legal = match.game.legal(match.state, match.actors[0])
        await stage.move_unseen(match.actors[0], rng.choice(legal))
    other = PEOPLE[many[0]]
    await stage.slash(name, "twilight order", who=other.upper())
    assert await stage.decider() == other
    assert f"<@{stage.people[other].id}>" in texts_of(stage.channel.last_message)
    message = stage.dms(other)[-1]
    assert f"{name} orders a " in texts_of(message)
    assert f"It counts for {name}." in texts_of(message)
    (alt,) = alts_of(message)
    assert all(each["card"] in alt for each in match.view(None).public["table"])
    legal = match.game.legal((await stage.match()).state, many[0])
    assert [c.custom_id.split(":")[-1] for c in controls(message) if c.chooses] == legal


async def test_every_move_is_one_press(stage: Stage) -> None:
    """Buttons for orders say how many cards of the cult a player has."""
    await twilight(stage)
    for seed in range(12):
        name = await stage.decider()
        message = stage.dms(name)[-1]
        match = await stage.match()
        legal = match.game.legal(match.state, match.actors[0])
        shown = [c for c in controls(message) if c.chooses]
        assert sorted(verb_of(c.custom_id)[1] for c in shown) == sorted(legal)
        assert all(not c.options for c in shown)
        for control in shown:
            if "order" in control.custom_id:
                public, seat = match.view(None).public, int(control.custom_id[-1]) - 1
                cult = ("moon", "sun")[public["turn"] % 2]
                assert control.label == f"Order {PEOPLE[seat]} ({public[cult][seat]})"
        await stage.move_by_buttons(stage.people[name], random.Random(seed))


async def test_a_refused_card_names_the_rule(stage: Stage) -> None:
    await twilight(stage)
    name, match = await stage.decider(), await stage.match()
    view = match.view(match.actors[0])
    cult, hand = "MS"[view.public["turn"] % 2], view.private["hand"]
    before = len(stage.channel.history())
    for card, told in (
        ("nonsense", "is not a card. Cards are called SP"),
        ("**@everyone**", "is not a card"),
        (next(c for c in CARDS if c[0] != cult), "does not fit: a "),
        (next(c for c in CARDS if c[0] == cult and c not in hand), "You do not hold "),
    ):
        answer = answer_to(await type_move(stage, name, card))
        assert told in answer
        assert "@everyone" not in answer
    assert len(stage.channel.history()) == before
    assert (await stage.match()).ply == match.ply


async def test_refused_orders_name_the_rule(stage: Stage) -> None:
    await twilight(stage)
    rng = random.Random(3)
    name = await play_on(stage, rng, "order:")
    own = PEOPLE.index(name) + 1
    assert "You cannot order yourself" in answer_to(await type_move(stage, name, f"order:{own}"))
    assert "Nobody sits there." in answer_to(await type_move(stage, name, "order:Merlin"))
    seen = set[str]()
    for _ in range(300):
        match, name = await stage.match(), await stage.decider()
        view, seat = match.view(None), match.actors[0]
        cult = ("moon", "sun")[view.public["turn"] % 2]
        empty = [s for s in range(4) if s != seat and not view.public[cult][s]]
        if view.phase == "give":
            answer = answer_to(await type_move(stage, name, f"order:{(seat + 1) % 4 + 1}"))
            assert "you cannot pass the order on" in answer
            seen.add("give")
        elif empty:
            answer = answer_to(await type_move(stage, name, f"order:{empty[0] + 1}"))
            assert "The backs show that there is no" in answer
            seen.add("empty")
        if len(seen) == 2:
            return
        await stage.move_unseen(seat, rng.choice(match.game.legal(match.state, seat)))
    raise AssertionError(f"only {seen} came up")


def test_every_refusal_has_a_sentence() -> None:
    codes: dict[str, dict[str, Any]] = {
        "unknown_card": {"text": "x"},
        "wrong_cult": {"card": "SC1", "cult": "moon"},
        "not_in_hand": {"card": "SC1"},
        "neumond_gives": {"card": "SC1"},
        "lone_gives": {"card": "SC1"},
        "already_ordered": {"cult": "sun"},
        "no_such_place": {"text": "order:4"},
        "own_order": {"cult": "moon"},
        "neumond_plays": {"cult": "moon"},
        "no_such_back": {"target": 2, "cult": "moon"},
    }
    for language in LANGUAGES:
        told = [WORDS.refusal(code, data, texts(language)) for code, data in codes.items()]
        assert all(told)
        assert len(set(told)) == len(codes)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The card comes from New Moon, who plays against you."),
        ("de", "Die Karte kommt vom Neumond, der gegen dich spielt."),
    ],
)
def test_why_new_moon_is_ordered(language: str, sentence: str) -> None:
    """The reason names no person, because nobody plays in New Moon's seat."""
    state = trio("MC1", "SC2 ML3", "SC4", "ML5")
    GAME.do(state, 0, "MC1")
    assert state.actors == (1,)
    facts = TwilightPolicy(GAME).motives(state, 1, "order:N")
    told = [WORDS.motive(fact, GAME.view(state, 1), PEOPLE, texts(language)) for fact in facts]
    assert told == [sentence]


# --------------------------------------------------------------------------- what is told
FACTS = [
    (
        Fact("dealt", {"round": 2, "dealer": 0, "forehand": 1, "lone": None}),
        "Deal 2: Anna deals, Ben leads.",
    ),
    (
        Fact("dealt", {"round": 2, "dealer": 0, "forehand": 1, "lone": 1}),
        "Deal 2: Anna deals, Ben plays alone and leads.",
    ),
    (
        Fact("ordered", {"seat": 0, "target": 1, "by": 0, "cult": "moon", "forced": False}),
        "Anna orders a Moon card from Ben.",
    ),
    (
        Fact("ordered", {"seat": 0, "target": None, "by": 0, "cult": "sun", "forced": True}),
        "Anna has to order a Sun card from New Moon.",
    ),
    (
        Fact("played", {"seat": 0, "giver": 0, "by": 0, "card": "SL5", "forced": False}),
        "Anna plays 5 souls of the Sun.",
    ),
    (
        Fact("played", {"seat": 0, "giver": 0, "by": 0, "card": "MP", "forced": True}),
        "Anna has to play Purgatory of the Moon.",
    ),
    (
        Fact("played", {"seat": 0, "giver": 1, "by": 1, "card": "SH3", "forced": False}),
        "Ben gives Obelisk of the Sun for Anna.",
    ),
    (
        Fact("played", {"seat": None, "giver": 1, "by": 1, "card": "MC1", "forced": True}),
        "Ben has to give Hierarch of the Moon for New Moon.",
    ),
    (Fact("trick_won", {"seat": 2, "cards": ["x"] * 4, "lying": 4}), "Clara wins the trick."),
    (
        Fact("trick_won", {"seat": None, "cards": ["x"] * 4, "lying": 12}),
        "New Moon wins the trick and all 12 cards on the table.",
    ),
    (Fact("trick_lies", {"seat": 1}), "The trick stays on the table; Ben leads next."),
    (Fact("neutral", {"cards": ["x"] * 4}), "4 cards stay on the table and count for nobody."),
    (
        Fact(
            "scored",
            {"cult": "sun", "seats": [1, 3], "souls": 17, "factor": 3, "points": 51, "cards": []},
        ),
        "Sun (Ben and David): 17 souls × 3 = 51 points.",
    ),
    (
        Fact("totals", {"totals": [1029, 2, 1029, 2]}),
        "Totals: Anna 1,029, Ben 2, Clara 1,029 and David 2.",
    ),
]


@pytest.mark.parametrize(("fact", "told"), FACTS, ids=[told for _, told in FACTS])
def test_every_fact_has_a_sentence(fact: Fact, told: str) -> None:
    assert WORDS.tell(fact, PEOPLE, texts("en")) == told
    german = WORDS.tell(fact, PEOPLE, texts("de"))
    assert german
    assert german != told


def test_new_moon_has_its_article_and_a_capital_letter_first() -> None:
    """In French and Spanish, “New Moon” has an article; a person's name is left as it is."""
    won = Fact("trick_won", {"seat": None, "cards": ["x"] * 4, "lying": 4})
    ordered = Fact("ordered", {"seat": 0, "target": None, "by": 0, "cult": "sun", "forced": False})
    lies = Fact("trick_lies", {"seat": None})
    french, spanish = texts("fr"), texts("es")
    assert WORDS.tell(won, PEOPLE, french) == "La Nouvelle Lune gagne le pli."
    assert WORDS.tell(won, PEOPLE, spanish) == "La Luna Nueva gana la baza."
    assert "Anna ordonne à la Nouvelle Lune" in (WORDS.tell(ordered, PEOPLE, french) or "")
    assert "la Nouvelle Lune entame" in (WORDS.tell(lies, PEOPLE, french) or "")
    named = Fact("trick_won", {**won.data, "seat": 1})
    assert WORDS.tell(named, ("Anna", "la Nouvelle", "Clara"), french) == (
        "la Nouvelle gagne le pli."
    )


LONE = {"seat": None, "by": 0, "cult": "moon"}
"""Anna decides for New Moon."""

LOGGED = [
    (("ordered", {"seat": 0, "by": 0, "target": 1}), "order to Ben"),
    (("ordered", {**LONE, "target": 1}), "order to Ben for New Moon"),
    (("ordered", {"seat": 1, "by": 1, "target": None}), "order to New Moon"),
    (("played", {"seat": 0, "by": 0, "giver": 0}), "SL5 (5 souls of the Sun)"),
    (("played", {"seat": 1, "by": 0, "giver": 0}), "SL5 (5 souls of the Sun) for Ben"),
    (("played", {"seat": 0, "by": 0, "giver": None}), "SL5 (5 souls of the Sun) from New Moon"),
    (("played", {**LONE, "giver": 0}), "SL5 (5 souls of the Sun) for New Moon"),
    (("played", {**LONE, "giver": None}), "SL5 (5 souls of the Sun) from and for New Moon"),
    (
        ("played", {"seat": 1, "by": 0, "giver": None}),
        "SL5 (5 souls of the Sun) for Ben from New Moon",
    ),
]


@pytest.mark.parametrize(("deed", "told"), LOGGED, ids=[told for _, told in LOGGED])
def test_the_log_and_the_story_say_who_is_affected(
    deed: tuple[str, dict[str, Any]], told: str
) -> None:
    """In the log, a forced move begins with the name of its player."""
    kind, data = deed
    for forced in (False, True):
        fact = Fact(kind, {"card": "SL5", "forced": forced, **data})
        name = f"{PEOPLE[data['by']]}: " if forced else ""
        assert WORDS.logged("SL5", [fact], PEOPLE, texts("en")) == name + told
        by, what, to = told_in_caption(fact, texts("en")) or (None, "", None)
        assert by == data["by"]
        target = data["target"] if kind == "ordered" else data["seat"]
        assert to == (None if target == by else target)
        assert ("New Moon" in what) == (target is None)
        assert "SL5" not in what


async def test_the_account_of_a_deal_is_a_message_of_its_own(stage: Stage) -> None:
    await twilight(stage)
    rng = random.Random(8)
    while (await stage.match()).view(None).round == 1:
        match, name = await stage.match(), await stage.decider()
        public, (seat,) = match.view(None).public, match.actors
        move = rng.choice(match.game.legal(match.state, seat))
        if sum(public["moon"]) + sum(public["sun"]) > 4:
            await stage.move_unseen(seat, move)
        else:
            await type_move(stage, name, move)
    (account,) = [m for m in stage.channel.history() if "souls ×" in "".join(alts_of(m))]
    assert controls(account) == []
    assert "Deal 2:" in texts_of(await stage.message("board"))


def test_a_story_is_never_longer_than_a_phone_shows() -> None:
    sentences = [f"This is sentence number {n}." for n in range(500)]
    told = newest_of(sentences)
    assert len(told) <= SHORT_LIMIT + 2
    assert told.startswith("… This is")
    assert told.endswith("number 498. This is sentence number 499.")
    assert newest_of(sentences[:3]) == " ".join(sentences[:3])


# ------------------------------------------------------------------------------ looking up
async def test_the_log_keeps_tricks_face_down(stage: Stage) -> None:
    """In the current deal, the log names only the cards of the trick in progress; earlier deals are
    listed in full.
    """
    await twilight(stage)
    rng = random.Random(2)
    seen = 0
    for _ in range(70):
        match = await stage.match()
        view = match.view(None)
        log = answer_to(await stage.slash("Emil", "table log"))
        lines = log.split("the cards are dealt")[-1].splitlines()[1:]
        present = [each["card"] for each in view.public["table"]]
        assert {card for card in CARDS for line in lines if f"{card} " in line + " "} == set(
            present
        )
        covered = [line for line in lines if "(face down)" in line]
        assert bool(covered) == bool(view.public["tricks"])
        seen += bool(covered)
        await stage.move_unseen(
            match.actors[0], rng.choice(match.game.legal(match.state, match.actors[0]))
        )
    assert seen > 20
    assert view.round == 2
    assert "(face down)" not in log.split("the cards are dealt")[1]


async def test_forced_cards_are_in_the_log(stage: Stage) -> None:
    await twilight(stage)
    rng = random.Random(6)
    for _ in range(60):
        match = await stage.match()
        ((_, _, facts),) = match.history(None, match.ply - 1)
        forced = [f.data["card"] for f in facts if f.kind == "played" and f.data["forced"]]
        if forced and match.view(None).public["table"]:
            log = answer_to(await stage.slash("Emil", "table log"))
            last = log.strip("`\n").splitlines()[-1]
            assert all(card in last for card in forced)
            return
        (seat,) = match.actors
        await stage.move_unseen(seat, rng.choice(match.game.legal(match.state, seat)))
    raise AssertionError("no forced card came up")


async def test_a_replay_of_the_running_deal_skips_taken_tricks(stage: Stage) -> None:
    await twilight(stage)
    for seed in range(40):
        name = await stage.decider()
        await stage.move_by_buttons(stage.people[name], random.Random(seed))
        table = await stage.table()
        replay = replay_of(table)
        shown = [replay.at(ply).ply for ply in range(replay.last + 1)]
        dealt, trick = table.covered.start, table.covered.stop
        if table.played.view(None).public["tricks"]:
            assert not set(shown) & set(range(dealt + 1, trick))
            assert replay.after(dealt) == trick
            return
    raise AssertionError("no trick was complete")


# --------------------------------------------------------------------------------- secrets
async def told_to(stage: Stage, name: str, rng: random.Random) -> list[str]:
    """What a person can see without moving."""
    person = stage.people[name]
    channel = stage.channel
    told: list[str] = []

    def note(result: Any) -> None:
        message = private(result)
        told.extend([texts_of(message), *alts_of(message)])
        told.extend(f"{c.custom_id} {c.label} {c.options}" for c in controls(message))

    for command in ("show", "hand", "log"):
        note(await person.slash(channel, f"table {command}"))
    note(await person.slash(channel, "table show", text=True))
    told.append(str(await person.autocomplete(channel, "twilight play", "card", "")))
    told.append(str(await person.autocomplete(channel, "twilight order", "who", "")))
    match = await stage.match()
    legal = match.game.legal(match.state, match.actors[0])
    mine = await stage.decider() == name
    wrong = [card for card in CARDS if not mine or card not in legal]
    for card in rng.sample(wrong, 3):
        note(await type_move(stage, name, card))
    for target in ("1", "2", "3", "4", "N"):
        if not mine or f"order:{target}" not in legal:
            note(await type_move(stage, name, f"order:{target}"))
    return told


@pytest.mark.slow("twin tables")
@pytest.mark.parametrize("players", [3, 4])
async def test_nothing_depends_on_what_the_person_does_not_know(stage: Stage, players: int) -> None:
    """Table, hand, log, text, autocompletion, menus and refusals are the same at a twin table."""
    await twilight(stage, players)
    names = (*PEOPLE[:players], "Emil")
    await nothing_hidden_shows(stage, names, twin, told_to, random.Random(players))
