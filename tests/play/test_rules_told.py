"""The rules pages of a table agree with matches played with the same options."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from typing import Any

import pytest

from data.texts import LANGUAGES, texts
from games import GAMES
from games.engine import CHANCE, BadSetup, Fact, Game, Move, rng_for
from games.isolde import NUMBERS
from games.isolde.variants import VARIANTS
from play.rules import PLAYERS, RULES, Known, known_of, pages_of, settled_options
from play.table import SEATING
from tests.games.twilight_table import after_deal

SEED = os.environ.get("TAFELRUNDE_TEST_SEED", "pages")
"""The seed of the random matches; printed if a test fails."""

HOUSE = sorted(path.stem for path in RULES.glob("*.toml"))
NUMBERS_TRIED = {"goal": (1, 7, 30), "cap": (60, 300)}
STARTERS = ("lot", "1")


def setups(game: Game[Any]) -> Iterator[Known]:
    """Tables with every number of players, every switch and choice (but only two starters), and
    some numbers for the other options.
    """
    for players in game.info.players:
        usable = [option for option in game.info.options if option.usable(players)]
        values = [
            STARTERS
            if option.key == "starter"
            else {"bool": (False, True), "choice": option.choices}.get(
                option.kind, NUMBERS_TRIED.get(option.key, ())
            )
            for option in usable
        ]
        for chosen in product(*values):
            given = dict(zip((option.key for option in usable), chosen, strict=True))
            try:
                game.setup(players, given)
            except BadSetup:
                continue
            yield {SEATING: "lot", **settled_options(game.info, given, players)}


def told(game: str, options: Known, language: str = "en") -> dict[str, str]:
    """The pages of a table by their keys."""
    say, known = texts(language), known_of(GAMES[game], options)
    return {
        page.key: " ".join(
            say(text, **known) for each in page.paragraphs if (text := each.told(known))
        )
        for page in pages_of(game, options)
    }


@pytest.mark.parametrize("game", HOUSE)
def test_every_page_is_complete_at_every_table(game: str) -> None:
    paragraphs = [each for page in pages_of(game) for each in page.paragraphs]
    undecided = {each.open for each in paragraphs} - {each.text for each in paragraphs}
    met = set[tuple[Any, ...]]()
    for options in setups(GAMES[game]):
        known = known_of(GAMES[game], options)
        for page in pages_of(game, options):
            shown = tuple(text for each in page.paragraphs if (text := each.told(known)))
            assert shown, (page.key, options)
            assert not undecided & {*shown}, (page.key, options)
            values = tuple(known[key] for key in sorted(known) if f"{{{key}}}" in "".join(shown))
            if (page.key, shown, values) not in met:
                met.add((page.key, shown, values))
                for language, text in product(LANGUAGES, shown):
                    assert "{" not in texts(language)(text, **known)


def played(game: Game[Any], options: Known) -> list[tuple[int, Move, list[Fact], Any]]:
    """A random match: seat, move, facts, and the public view after each event."""
    print(f"TAFELRUNDE_TEST_SEED={SEED}", options)
    players = options[PLAYERS]
    usable = {o.key: options[o.key] for o in game.info.options if o.usable(players)}
    state = game.start(game.setup(players, usable, SEED))
    events: list[tuple[int, Move, list[Fact], Any]] = []
    while actors := game.actors(state):
        rng = rng_for(SEED, len(events))
        seat = actors[0]
        move = game.sample(state, rng) if seat == CHANCE else game.random_move(state, seat, rng)
        facts: list[Fact] = []
        game.do(state, seat, move, facts)
        events.append((seat, move, facts, game.view(state, None)))
    return events


def facts_in(events: list[tuple[int, Move, list[Fact], Any]], kind: str) -> list[Mapping[str, Any]]:
    """The data of all facts of one kind."""
    return [fact.data for _, _, facts, _ in events for fact in facts if fact.kind == kind]


# ------------------------------------------------------------------------------- Lancelot
@pytest.mark.parametrize(("players", "king"), [*product((2, 3, 4, 5), (False, True))])
def test_lancelot_is_as_told(players: int, king: bool) -> None:
    game = GAMES["lancelot"]
    for starter, goal in product(STARTERS, (1, 2)):
        given = {"king": king, "starter": starter, "goal": goal}
        options = settled_options(game.info, given, players)
        pages = told("lancelot", options)
        events = played(game, options)
        view = events[0][3]
        first, last = view.public["corners"]
        assert f"from {first} to {last}" in pages["goal"]
        assert f"{view.public['size']} × {view.public['size']} squares" in pages["goal"]
        begins = view.public["starter"]
        assert (events[0][0] == CHANCE) == ("drawn at random" in pages["turn"])
        assert starter == "lot" or f"seat {begins + 1} begins" in pages["turn"]
        own = next(seat for seat, _, _, _ in events if seat != CHANCE)
        assert own == ((begins - 1) % players if king else begins)
        assert ("king" in pages) == king
        assert f"have {goal} of them" in pages["goal"]
        before, after = events[-2][3].public, events[-1][3]
        if after.outcome.reason == "goal":
            assert max(before["captured"]) < goal <= max(after.public["captured"])
        else:
            assert max(after.public["captured"]) < goal


# ----------------------------------------------------------------------------------- Isis
@pytest.mark.parametrize(("players", "places"), [(2, False), (3, False), (4, True)])
def test_isis_is_as_told(players: int, places: bool) -> None:
    game = GAMES["isis"]
    options = settled_options(game.info, {"cap": 60, "places": places}, players)
    pages = told("isis", options)
    events = played(game, options)
    assert "Seven stones" in pages["goal"]
    assert events[0][3].public["below"] == 7
    assert "the end of turn 60" in pages["end"]
    last = events[-1][3]
    if last.outcome.reason == "cap":
        assert last.public["turns"] == 60
        placed = last.public["placed"]
        assert [last.outcome.ranks[seat] for seat in placed] == [*range(1, len(placed) + 1)]
    else:
        assert last.public["turns"] <= 60
    assert ("keep it" in pages["end"]) == places


# ------------------------------------------------------------------------------- Twilight
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("lone", ["rotating", "rounds", "fixed", ""])
def test_twilight_is_as_told(lone: str, exact: bool) -> None:
    game, players = GAMES["twilight"], 3 if lone else 4
    given = {"exact": exact, **({"lone": lone} if lone else {})}
    options = {SEATING: "joined", **settled_options(game.info, given, players)}
    pages = told("twilight", options)
    events = played(game, options)
    for _, move, _, _ in events:
        if move.startswith("deal:"):
            assert set(Counter(move.removeprefix("deal:")).values()) == {7}
    deals = facts_in(events, "dealt")
    for before, after in pairwise(deals):
        if not lone:
            assert "to the left of the dealer leads, and deals next" in pages["turn"]
            assert after["dealer"] == (before["dealer"] + 1) % players
            assert after["forehand"] == (after["dealer"] + 1) % players
        elif lone == "fixed":
            assert (
                "dealer stays the same in every deal, and so does the lone player" in pages["turn"]
            )
            assert (after["dealer"], after["lone"]) == (before["dealer"], before["lone"])
        else:
            assert "right neighbour of the lone player plays alone" in pages["turn"]
            assert after["lone"] == (before["lone"] - 1) % players
            assert after["dealer"] == (before["lone"] + 1) % players
        assert not lone or after["lone"] == after["forehand"]
    assert ("first and the third play together" in pages["goal"]) == (not lone)
    over, totals = events[-1][3], [data["totals"] for data in facts_in(events, "totals")]
    goals = {333, 666, 999} if exact else set()
    reached = [max(each) >= 1000 or bool(goals & {*each}) for each in totals]
    if lone == "rounds":
        assert "only after a complete round of three deals" in pages["end"]
        assert len(totals) % 3 == 0
        assert not any(reached[2:-1:3])
    else:
        assert "only after a whole deal" in pages["end"]
        assert not any(reached[:-1])
    assert reached[-1]
    winners = over.outcome.winners()
    sides = {seat % 2 for seat in winners} if not lone else {0}
    assert len(sides) == 1
    assert (len(totals) > 3) == (len(deals) > 3)


@pytest.mark.parametrize("lone", ["fixed", ""])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("total", [666, 1200])
def test_only_sides_without_the_same_exact_goal_play_another_deal(
    lone: str, exact: bool, total: int
) -> None:
    game, players = GAMES["twilight"], 3 if lone else 4
    given: dict[str, Any] = {"lone": lone} if lone else {}
    moon = {0} if lone else {0, 2}
    before = [total - 2 * (seat in moon) for seat in range(players)]
    state, _ = after_deal("", "", players=players, totals=before, exact=exact, **given)
    assert {*state.totals} == {total}
    options = {SEATING: "lot", **settled_options(game.info, {"exact": exact, **given}, players)}
    end = told("twilight", options)["end"]
    assert "Two sides with exactly equal totals play another deal." in end
    assert ("there is no further deal" in end) == exact
    assert (game.outcome(state) is not None) == (exact and total == 666)


# ---------------------------------------------------------------------------- Don Quixote
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("sancho", [False, True])
def test_donquixote_is_as_told(players: int, sancho: bool) -> None:
    game = GAMES["donquixote"]
    options = settled_options(game.info, {"sancho": sancho}, players)
    pages = told("donquixote", options)
    events = played(game, options)
    assert "You get nine tiles, then seven, then six" in pages["rounds"]
    laid = Counter(data["round"] for data in facts_in(events, "field"))
    assert laid == {1: 9, 2: 7, 3: 6}
    assert len(facts_in(events, "scored")) == 3 * players
    assert ("sancho" in pages) == sancho
    assert ("fantastic" in pages["goal"]) == (players == 1)
    (over,) = facts_in(events, "over")
    assert (over["rating"] is not None) == (players == 1)


# --------------------------------------------------------------------------------- Isolde
MODES = ((2, "parzival"), (2, "lancelot"), (3, ""), (4, ""), (5, ""))
ALL = {variant.key: True for variant in VARIANTS}
MIXES: tuple[dict[str, bool], ...] = (
    {},
    {**ALL, "galanterie": False},
    {**ALL, "herausforderung": False},
    *({variant.key: True} for variant in VARIANTS),
)


def prizes_in_words(prizes: list[int]) -> str:
    """Prizes as the pages word them: ``17, 10 and 4``."""
    return " and ".join(filter(None, (", ".join(map(str, prizes[:-1])), str(prizes[-1]))))


@pytest.mark.parametrize(("players", "duo"), MODES)
@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: "-".join(mix) or "base")
def test_isolde_is_as_told(players: int, duo: str, mix: dict[str, bool]) -> None:
    game = GAMES["isolde"]
    given = {**mix, **({"duo": duo} if duo else {})}
    options = settled_options(game.info, given, players)
    pages, known = told("isolde", options), known_of(game, options)
    events = played(game, options)
    first = events[0][3].public
    colours = len(first["owners"])
    assert known["colours"] == colours
    lancelot = duo == "lancelot"
    assert ("draft" in pages) == (not lancelot) == bool(facts_in(events, "passed_on"))
    packs = [move.partition(":")[2] for _, move, _, _ in events if move.startswith("deal:")]
    sizes = {len(pack) // 3 for deal in packs for pack in deal.split("/")}
    assert sizes == ({6} if lancelot else {5})
    assert ("one of their three cards" in pages["play"]) == lancelot
    if not mix.get("galanterie"):  # no fifth card is played
        cards = Counter(data["colour"] for data in facts_in(events, "played"))
        assert set(cards.values()) == {6 * (3 if lancelot else 4)}
        starters = [data["starter"] for data in facts_in(events, "round")]
        assert len(starters) == NUMBERS.rounds
        turn = 2 if duo == "parzival" else colours
        assert all(after == (before + 1) % turn for before, after in pairwise(starters))
        assert ("the other one of you starts." in pages["play"]) == (duo == "parzival")
        assert ("next player clockwise becomes the starting player." in pages["play"]) == (
            duo != "parzival"
        )
    directions = [data["direction"] for data in facts_in(events, "round")]
    assert lancelot or directions == ["left", "right"] * 3
    _prizes_are_as_told(first["boards"], pages, mix, large=colours > 3)
    resets = [
        data["board"]
        for _, _, facts, view in events
        for fact in facts
        if fact.kind == "reset" and (data := fact.data) and _closes(facts, 3)
    ]
    names = {"ISOLDE": "Isolde", "LANZE": "Jousting", "TURNIER": "the Tournament"}
    names |= {"STUDIEN": "the Studies", "KOENIG": "the King"}
    sentence = next(s for s in pages["grail"].split(". ") if s.startswith("After round 3"))
    if mix.get("koenig"):  # its scrolls determine when it is cleared, which may be in any round
        assert names.pop("KOENIG") not in sentence
    for board, name in names.items():
        assert (name in sentence) == (board in resets)
    if mix.get("kodex"):
        zeros = next(m for _, m, _, _ in events if m.startswith("lay:")).split(":")[1].split(",")
        assert f"there are {colours} face-down shields: " in pages["codex"]
        assert f"{zeros.count('0')} × 0" in pages["codex"]
    if mix.get("herausforderung"):
        assert {data["colour"] for data in facts_in(events, "bet")} == {*range(colours)}
        assert ("Each colour makes its own bet" in pages["challenge"]) == lancelot
    assert ("fifth card" in pages.get("gallantry", "")) == (
        bool(mix.get("galanterie")) and not lancelot
    )


def _closes(facts: list[Fact], round_: int) -> bool:
    return any(fact.kind == "round_over" and fact.data["round"] == round_ for fact in facts)


def _prizes_are_as_told(
    boards: Mapping[str, Any], pages: Mapping[str, str], mix: Mapping[str, bool], *, large: bool
) -> None:
    """Check the prizes, and the rounds in which boards are scored."""
    prizes = {key: [*board["prizes"]] for key, board in boards.items()}
    assert all(len(each) in (0, 3 if large else 2) for each in prizes.values())
    if not mix.get("turnier"):
        assert f"every round: {prizes_in_words(prizes['LANZE'])} points" in pages["combat"]
    else:
        assert f"other {prizes_in_words(prizes['LANZE'])};" in pages["tournament"]
        victor = prizes_in_words([*boards["LANZE"]["victor_prizes"]])
        assert f"chalice gives {victor} points" in pages["tournament"]
        assert [*boards["LANZE"]["rounds"]] == [2, 4, 6]
    if not mix.get("gral"):
        assert f"at the end: {prizes_in_words(prizes['GRAL'])} points" in pages["grail"]
    if mix.get("magie"):
        assert [*boards["MAGIE"]["rounds"]] == [2, 5]
        shares = prizes["MAGIE"][::-1]
        last, *others = zip(("third", "second", "first")[-len(shares) :], shares, strict=True)
        then = "".join(f", then the {place} {fields}" for place, fields in others)
        assert f"the {last[0]} gets {last[1]} fields{then}." in pages["magic"]
    if not mix.get("kodex"):
        assert ("second to last" in pages["studies"]) == large
    if not mix.get("barm"):
        assert ("second to last loses" in pages["grail"]) == large
    else:
        assert ("Then the second gives" in pages["exchange"]) == large
    if not mix.get("koenig"):
        assert [*boards["KOENIG"]["rounds"]] == [3, 6]
