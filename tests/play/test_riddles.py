"""Riddles: a unique solution, confirmed by independent engines; answers, hints, and the stock."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice, permutations, product
from typing import Any

import pytest

from data.store.store import Store
from games import GAMES
from games.engine import CHANCE, IllegalMove, Match, Move
from games.players import Budget
from play.riddles import making
from play.riddles import stock as stocking
from play.riddles.making import ROTATION, make
from play.riddles.proving import Remains, riddle_at, twilight_lead, twilight_worlds
from play.riddles.riddle import POINTS, Attempt, Riddle, Task, event_of
from play.riddles.stock import DAYS, Stock, game_of, shipped
from tests.games.slow_isis import SlowJudge as SlowIsis
from tests.games.slow_isolde import SlowIsolde
from tests.games.slow_lancelot import SlowJudge as SlowLancelot
from tests.games.slow_twilight import SlowDeal
from tests.games.twilight_table import position

TODAY = date(2026, 11, 22)

ALL = [Riddle.from_json(text) for game in ROTATION for text in shipped(game)]


def of(game: str, *tasks: Task) -> list[Riddle]:
    """The built-in riddles of a game."""
    return [each for each in ALL if each.game == game and each.task in (tasks or Task)]


def some(riddles: Sequence[Riddle], count: int) -> list[Any]:
    """Riddles, of which all but the first ``count`` need ``--long``."""
    return [
        pytest.param(riddle, marks=[] if number < count else [pytest.mark.long])
        for number, riddle in enumerate(riddles)
    ]


# --------------------------------------------------------------- independent solutions
def winners(match: Match[Any]) -> list[Move]:
    """The moves that win at once for the player to move, according to the independent engines."""
    (seat,) = match.actors
    view = match.view(seat)
    if match.game.info.id == "isis":
        judge = SlowIsis.of(view)
        return [m for m in judge.moves(seat) if m[0] == "P" and m.split("-")[1] in ("44", "45")]
    slow, need = SlowLancelot.of(view, seat), view.public["goal"]
    have = view.public["captured"][seat]
    taken = {square: slow.turn(square) for square in slow.free()}
    return [s for s, lines in taken.items() if lines is not None and have + len(lines) >= need]


def moves(match: Match[Any]) -> list[Move]:
    """All legal moves, according to the independent engines."""
    (seat,) = match.actors
    if match.game.info.id == "isis":
        return sorted(SlowIsis.of(match.view(seat)).moves(seat))
    slow = SlowLancelot.of(match.view(seat), seat)
    return [square for square in slow.free() if slow.turn(square) is not None]


def after(match: Match[Any], move: Move) -> Match[Any]:
    return match.played(match.actors[0], [move])[0]


def is_forced(match: Match[Any], seat: int, move: Move) -> bool:
    """Return whether a seat wins with its next move after this one, whatever the opponent plays."""
    then = after(match, move)
    if then.outcome is not None or then.actors == (seat,):
        return False
    for reply in moves(then):
        last = after(then, reply)
        if last.outcome is not None or last.actors != (seat,) or not winners(last):
            return False
    return True


@pytest.mark.parametrize("riddle", some([*of("lancelot", Task.ONE), *of("isis", Task.ONE)], 30))
def test_one_move_wins_at_once(riddle: Riddle) -> None:
    assert winners(riddle.match()) == [riddle.solution]


@pytest.mark.parametrize(
    "riddle", [*some(of("isis", Task.TWO), 2), *some(of("lancelot", Task.TWO), 1)]
)
def test_one_move_wins_by_force(riddle: Riddle) -> None:
    """No move wins at once, and exactly one leads to a win, whatever the reply."""
    match = riddle.match()
    assert not winners(match)
    forced = [move for move in moves(match) if is_forced(match, riddle.seat, move)]
    assert forced == [riddle.solution]


def slow_deal(state: Any) -> SlowDeal:
    """The same position in the second engine."""
    hands = [{*state.hands[2 * place], *state.hands[2 * place + 1]} for place in range(4)]
    people = [who for (who,) in state.seating.controllers]
    deal = SlowDeal(people, hands, state.seating.lone >= 0, state.turn)
    deal.ordered = None if state.ordered < 0 else state.ordered
    places = [(state.lead + n) % 4 for n in range(len(state.table))]
    deal.table = list(zip(places, state.table, strict=True))
    deal.lying = list(state.pending)
    deal.taken = {"M": list(state.piles[0]), "S": list(state.piles[1])}
    return deal


def copied(deal: SlowDeal, move: Move) -> SlowDeal:
    twin = replace(
        deal,
        hands=[set(hand) for hand in deal.hands],
        table=list(deal.table),
        lying=list(deal.lying),
        taken={cult: list(pile) for cult, pile in deal.taken.items()},
    )
    twin.play(move)
    return twin


def moon_lead(deal: SlowDeal, is_moon: Mapping[int, bool], known: dict[str, int]) -> int:
    """The Moon's lead in points under perfect play with open hands.

    :param known: a cache of the leads of positions, to which new ones are added.
    """
    if deal.over:
        moon, sun = deal.points()
        return moon - sun
    lying = [*map(sorted, [deal.lying, *deal.taken.values()])]
    same = f"{[*map(sorted, deal.hands)]} {deal.table} {deal.turn} {deal.ordered} {lying}"
    if same not in known:
        found = [moon_lead(copied(deal, move), is_moon, known) for move in deal.moves()]
        known[same] = max(found) if is_moon[deal.actor] else min(found)
    return known[same]


@pytest.mark.full
@pytest.mark.parametrize("riddle", some(of("twilight"), 3))
def test_one_move_makes_the_most_of_the_tricks(riddle: Riddle) -> None:
    """The second engine confirms the solution by brute force, in every deal consistent with the
    seat's view, or in the actual one if hands are shown.
    """
    match = riddle.match()
    state, lone = match.state, match.state.seating.lone
    is_moon = {seat: seat == lone if lone >= 0 else seat % 2 == 0 for seat in range(riddle.players)}
    worlds = [state] if riddle.shown else brute_worlds(match, riddle.seat)
    assert worlds
    gains = []
    for world in worlds:
        deal = slow_deal(world)
        sign = 1 if is_moon[riddle.seat] else -1
        known = dict[str, int]()
        leads = {
            move: sign * moon_lead(copied(deal, move), is_moon, known) for move in deal.moves()
        }
        best, second = sorted(leads.values(), reverse=True)[:2]
        assert [move for move, lead in leads.items() if lead == best] == [riddle.solution]
        gains.append(best - second)
    assert min(gains) == riddle.gain > 0


def brute_worlds(match: Match[Any], seat: int) -> list[Any]:
    """Every deal of the unseen cards consistent with a seat's view, by trying all orders."""
    state, known = match.state, match.view(seat)
    hidden = [hand for hand in range(8) if state.seating.seats[hand // 2] not in (seat, -1)]
    found: list[Any] = []
    for moon, sun in product(*(ways_to_deal(state, hidden[cult::2]) for cult in (0, 1))):
        world = state.clone()
        for hand, cards in (*moon, *sun):
            world.hands[hand] = list(cards)
        if match.game.view(world, seat) == known:
            found.append(world)
    return found


Dealt = tuple[tuple[int, tuple[str, ...]], ...]


def ways_to_deal(state: Any, hands: Sequence[int]) -> set[Dealt]:
    """All ways to deal cards of one cult to some hands."""
    assert len({hand % 2 for hand in hands}) == 1
    found = set()
    for order in permutations(card for hand in hands for card in state.hands[hand]):
        left = iter(order)
        found.add(
            tuple((hand, tuple(sorted(islice(left, len(state.hands[hand]))))) for hand in hands)
        )
    return found


@pytest.mark.parametrize(
    "riddle",
    [
        *some([each for each in of("isolde") if not each.united], 2),
        *some([each for each in of("isolde") if each.united], 1),
    ],
)
def test_one_move_makes_the_most_of_the_last_cards(riddle: Riddle) -> None:
    """The second engine scores every possible ending from the log of the whole match."""
    match = riddle.match()
    leads = {
        move: isolde_lead(after(match, move), riddle.seat)
        for move in match.game.legal(match.state, riddle.seat)
    }
    best, second = sorted(leads.values(), reverse=True)[:2]
    assert [move for move, lead in leads.items() if lead == best] == [riddle.solution]
    assert best - second == riddle.gain > 0


def isolde_lead(match: Match[Any], seat: int) -> int:
    """A seat's final lead over the best opponent if all others play against it."""
    if match.outcome is not None:
        slow = SlowIsolde(match.setup.players, match.setup.options, match.log)
        slow.play()
        others = slow.scores()
        return others.pop(seat) - max(others)
    (actor,) = match.actors
    found = [isolde_lead(after(match, m), seat) for m in match.game.legal(match.state, actor)]
    return max(found) if actor == seat else min(found)


# --------------------------------------------------------------------------- the riddles
@pytest.mark.parametrize("game", ROTATION)
def test_riddles_are_shipped_for_every_game(game: str) -> None:
    riddles = of(game)
    assert len(riddles) >= 60
    assert len({each.log for each in riddles}) == len(riddles)
    assert {each.stars for each in riddles} == {1, 2, 3}
    assert all(each.reasons() for each in riddles)
    for riddle in riddles:
        offered, among = riddle.offered(), riddle.among()
        assert len(offered) >= 5
        assert Riddle.from_json(riddle.to_json()) == riddle
        assert riddle.solution in offered
        assert riddle.solution in among
        assert len(among) == 3
        after_line, _ = riddle.solved()
        at_end = after_line.outcome is not None
        assert at_end or riddle.task is Task.MOST
        assert all(event_of(text).seat != CHANCE for text in riddle.line)


@pytest.mark.parametrize("riddle", [each for game in ROTATION for each in some(of(game), 3)])
def test_a_riddle_is_found_where_it_was_found(riddle: Riddle) -> None:
    """A riddle's task, line, stars and gain are those proven when it was made."""
    assert riddle_at(riddle.match()) == riddle


@pytest.mark.full
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.long) for first in range(1, 8))]
)
def test_hands_are_shown_only_where_they_matter(first: int) -> None:
    """Hands stay hidden if one move is best whatever the others hold. Each case checks an eighth of
    the riddles; one eighth is enough while the stored riddles stay as they are.
    """
    for riddle in of("twilight")[first::8]:
        match = riddle.match()
        worlds = twilight_worlds(match.game, match.state, riddle.seat)
        if riddle.shown and worlds is not None:
            assert any(
                alone_in_front(
                    Remains(match.game, twilight_lead, riddle.seat, riddle.players).leads(world)
                )
                != riddle.solution
                for world in worlds
            )


def alone_in_front(leads: Mapping[Move, int]) -> Move | None:
    """The best move; None if another one is equally good."""
    best = [move for move, lead in leads.items() if lead == max(leads.values())]
    return best[0] if len(best) == 1 else None


def test_worlds_are_all_there_are() -> None:
    """Three hidden hands with a card of each cult: as many worlds as there are ways to deal
    them.
    """
    state = position("MC1 SC1", "MC2 SL5", "MH1 SH2", "SH3 ML4", played=5)
    worlds = twilight_worlds(GAMES["twilight"], state, 0)
    assert worlds is not None
    assert len({str(world.hands) for world in worlds}) == len(worlds) == 6 * 6
    more = position("MC1 SC1", "MC2 MC3 SL5", "MH1 SH2", "SH3 ML4", played=5)
    assert twilight_worlds(GAMES["twilight"], more, 0) is None, "72 exceeds the limit"


@pytest.mark.full
def test_two_solutions_are_no_riddle() -> None:
    game = GAMES["lancelot"]
    rng, refused = random.Random(4), 0
    while refused < 3:
        match = Match(game, game.setup(2, {"goal": 4}, "x"))
        match.advance()
        while match.outcome is None:
            if len(match.log) > 8 and len(winners(match)) > 1:
                assert riddle_at(match) is None
                refused += 1
            seat = match.actors[0]
            match.play(seat, [rng.choice(game.legal(match.state, seat))])


@pytest.mark.full
def test_a_made_riddle_is_made_again() -> None:
    seeds = (f"again {n}" for n in range(100))
    seed, riddle = next((s, made) for s in seeds if (made := make("lancelot", s)) is not None)
    assert make("lancelot", seed) == riddle


def test_a_match_is_played_until_a_round_has_had_riddles(monkeypatch: pytest.MonkeyPatch) -> None:
    """All positions of the round with riddles are checked."""
    rounds: list[int] = []

    def found(match: Match[Any]) -> Riddle | None:
        rounds.append(match.state.round)
        return RIDDLE if rounds[-1] == 2 else None

    monkeypatch.setattr(making, "riddle_at", found)
    monkeypatch.setattr(making, "PLAYING", Budget(1))
    assert make("twilight", "seed") == RIDDLE
    assert rounds == sorted(rounds)
    assert rounds.count(1) == rounds.count(2)


# ------------------------------------------------------------------------------- solving
RIDDLE = ALL[0]
WRONG = [move for move in RIDDLE.offered() if move != RIDDLE.solution]


def test_points_fall_with_each_wrong_answer_and_hint() -> None:
    """A riddle is worth five points at first, and at least two if it is solved."""
    attempt = Attempt()
    assert attempt.answered(RIDDLE, RIDDLE.solution).points == POINTS == 5
    attempt = attempt.answered(RIDDLE, WRONG[0])
    assert attempt.points == 4
    attempt = attempt.hinted(1).hinted(2)
    assert attempt.answered(RIDDLE, RIDDLE.solution).points == 2
    lost = attempt.answered(RIDDLE, WRONG[1])
    assert lost.over
    assert not lost.solved
    assert lost.points == 0


def test_repeated_presses_count_once() -> None:
    once = Attempt().answered(RIDDLE, WRONG[0])
    assert once.answered(RIDDLE, WRONG[0]) == once
    hinted = once.hinted(1)
    assert hinted.hinted(1) == hinted
    assert hinted.hinted(3) == hinted
    solved = hinted.answered(RIDDLE, RIDDLE.solution)
    assert solved.answered(RIDDLE, WRONG[1]) == solved.hinted(2) == solved
    with pytest.raises(IllegalMove):
        once.answered(RIDDLE, "nonsense")


# --------------------------------------------------------------------------------- stock
async def never(game: str) -> Riddle | None:
    return None


async def test_a_new_installation_has_riddles_at_once(store: Store) -> None:
    stock = Stock(store.riddles, never)
    assert await stock.fill(TODAY) == DAYS
    first = await store.riddles.stock(TODAY)
    assert list(first) == [TODAY + timedelta(days=n) for n in range(DAYS)]
    assert len(set(first.values())) == DAYS
    for day, text in first.items():
        assert Riddle.from_json(text).game == game_of(day)
    assert [game_of(day) for day in first][:5] == [
        ROTATION[(TODAY.toordinal() + n) % 4] for n in range(5)
    ]
    assert await stock.fill(TODAY) == DAYS
    assert await store.riddles.stock(TODAY) == first
    assert (await stock.of_day(TODAY)).to_json() == first[TODAY]


async def test_two_processes_that_fill_the_stock_make_one_riddle_a_day(store: Store) -> None:
    stocks = [Stock(store.riddles, never) for _ in range(2)]
    asked, *_ = await asyncio.gather(
        stocks[0].of_day(TODAY), stocks[0].fill(TODAY), stocks[1].fill(TODAY)
    )
    kept = await store.riddles.stock(TODAY)
    assert len(kept) == DAYS
    assert asked.to_json() == kept[TODAY]


async def test_only_the_operator_learns_of_a_shortage(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = {game: shipped(game)[:1] for game in ROTATION}
    monkeypatch.setattr(stocking, "shipped", few.__getitem__)
    stock = Stock(store.riddles, never)
    assert await stock.fill(TODAY) == 4
    assert "riddles_short" in capsys.readouterr().out
    later = TODAY + timedelta(days=7)
    assert (await stock.of_day(later)).to_json() == few[game_of(later)][0]


async def test_new_riddles_are_made_once_the_bundled_ones_are_used_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stocking, "shipped", lambda game: ())
    made: dict[str, int] = dict.fromkeys(ROTATION, 0)

    async def make_next(game: str) -> Riddle | None:
        made[game] += 1
        if made[game] == 1:
            return None
        return of(game)[made[game] // 2]  # each one twice

    assert await Stock(store.riddles, make_next).fill(TODAY) == DAYS
    kept = list((await store.riddles.stock(TODAY)).values())
    assert len(set(kept)) == DAYS
