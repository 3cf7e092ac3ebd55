"""The rules of one match: its seating, its boards and everything derived from them, cached."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from games.isolde import rounds
from games.isolde.boards import BASIC_BOARDS
from games.isolde.cards import TYPE, TYPES, full_deck, play_move
from games.isolde.numbers import Numbers
from games.isolde.seatings import seating_for
from games.isolde.state import Board, Due, Rules, Seating
from games.isolde.variants import VARIANTS


def rules_for(players: int, options: Mapping[str, Any], numbers: Numbers) -> Rules:
    """Return the rules for a player count and resolved options.

    The option for the starter is ignored: it changes no rule, and would only lead to more
    instances.
    """
    variants = tuple(sorted((key, value) for key, value in options.items() if key != "starter"))
    return _rules_for(players, variants, numbers)


@cache
def _rules_for(players: int, variants: tuple[tuple[str, Any], ...], numbers: Numbers) -> Rules:
    # This function is long but simple: it works out each field of the rules once.
    chosen = dict(variants)
    seating = seating_for(players, chosen.get("duo", ""), numbers)
    colours = len(seating.owners)
    boards = tuple(kind(slot, colours, numbers) for slot, kind in enumerate(board_kinds(chosen)))
    routes = tuple(slots_for(kind, boards) for kind in TYPE)
    plays = {
        play_move(card, boards[slot].id): (card, slot)
        for card, slots in enumerate(routes)
        for slot in slots
    }
    steps = [
        *rounds.STEPS,
        *seating.steps,
        *(kind(board) for board in boards for kind in board.step_kinds),
    ]
    orders = {
        starter: tuple((starter + turn) % colours for turn in range(colours))
        for starter in seating.starters
    }
    return Rules(
        players=players,
        variants=chosen,
        numbers=numbers,
        seating=seating,
        colours=colours,
        deck=full_deck(numbers.deck),
        boards=boards,
        board={board.id: board for board in boards},
        steps={step.name: step for step in steps},
        routes=routes,
        play_moves=tuple(
            tuple(play_move(card, boards[slot].id) for slot in slots)
            for card, slots in enumerate(routes)
        ),
        plays=plays,
        follow_ups=tuple(
            None if type(board).card_played is Board.card_played else board.card_played
            for board in boards
        ),
        secretive=tuple(board for board in boards if type(board).imagine is not Board.imagine),
        everyone=tuple(range(players)),
        owned=tuple(
            tuple(colour for colour, owner in enumerate(seating.owners) if owner == seat)
            for seat in range(players)
        ),
        owner_acts=tuple(() if owner is None else (owner,) for owner in seating.owners),
        orders=orders,
        closing={round_: closing(boards, round_) for round_ in range(1, numbers.rounds + 1)},
        schedules={starter: schedule(seating, boards, order) for starter, order in orders.items()},
        words=(*(board.id for board in boards), *TYPES, *(w for step in steps for w in step.words)),
    )


# Pickle only the arguments of ``rules_for``, so that another process uses its own cached instance.
copyreg.pickle(Rules, lambda rules: (rules_for, (rules.players, rules.variants, rules.numbers)))


def board_kinds(options: Mapping[str, Any]) -> list[type[Board]]:
    """Return the boards of a match: the basic ones, replaced or joined by those of the chosen
    variants.
    """
    kinds = {kind.id: kind for kind in BASIC_BOARDS}
    for variant in VARIANTS:
        if options[variant.key]:
            kinds |= {kind.id: kind for kind in variant.boards}
    return sorted(kinds.values(), key=lambda kind: kind.place)


def slots_for(card_type: str, boards: Sequence[Board]) -> tuple[int, ...]:
    """Return the boards on which a type of card can be played, starting with those made for that
    type.
    """
    open_to = [board for board in boards if card_type in board.card_types]
    open_to.sort(key=lambda board: len(board.card_types))
    return tuple(board.slot for board in open_to)


def closing(boards: Sequence[Board], round_: int) -> tuple[Board, ...]:
    """Return the boards that have something to do at the end of a round."""
    return tuple(
        board
        for board in boards
        if round_ in board.resets or type(board).close_round is not Board.close_round
    )


def schedule(seating: Seating, boards: Sequence[Board], order: Sequence[int]) -> tuple[Due, ...]:
    """Return the agenda of a whole round, in reverse order."""
    turns = [seating.turn(colour) for colour in order]
    dues = [
        *(due for board in boards for due in board.before_deal()),
        Due("deal"),
        *(due for board in boards for due in board.after_deal(order)),
        *seating.handing(order),
        *turns * seating.plays,
        *(Due("score", data=(board.id,)) for board in boards),
        Due("close"),
    ]
    return tuple(reversed(dues))
