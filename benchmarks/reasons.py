"""Are the reasons in hints true? ``python -m benchmarks.reasons [game ...] [--varied]``.

Computer players with very little thinking time play matches. At about every second decision, the
reasons for the moves that a hint would recommend, and against the one that it advises against, are
checked. The table shows how many reasons were checked and how many were false; false ones are
listed. It also shows how many hints give no reason.

Except for the engine's, the functions here share no code with those that find the reasons.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.hints import SAYS_WHY, Terms, hints
from games import GAMES
from games.donquixote.tiles import CHURCH, FIELDS, WINDMILL
from games.engine import Fact, Game, Move
from games.house import NOBODY
from games.isis.board import HEAVEN, PERSONAL, SQUARES, TURN, column
from games.isolde.cards import names
from games.lancelot.position import EXCALIBUR
from games.players import Budget, policy_for
from games.twilight.cards import CARDS, PURGATORY, RANK, account
from play.judgement import SILENT, Judgement, Verdict
from tests.games.slow_donquixote import COLUMNS, SIZE, STRENGTH, Drawing
from tests.games.slow_twilight import rank

PLAYING, HINTING = Budget(8), Budget(40)
"""The search budgets for the players and for a hint. A reason has to be true whichever move it is
given for, so short searches are enough, and more hints can be checked.
"""

EVERY = 2
"""On average, one decision in this many gets a hint."""

BUILDINGS = {CHURCH: "C", WINDMILL: "W"}
"""The letters of buildings in a drawing."""

LETTERS = range(len(COLUMNS))

SETUPS: Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]] = {
    "donquixote": ((1, {}), (2, {})),
    "isis": ((2, {}), (3, {}), (4, {}), (2, {"retreat": True})),
    "isolde": ((2, {}), (3, {}), (4, {}), (2, {"duo": "lancelot"})),
    "lancelot": (
        (2, {"king": True}),
        (2, {"king": True, "diagonals": True}),
        (3, {"king": True, "goal": 5}),
        (2, {}),
        (4, {"diagonals": True}),
    ),
    "twilight": ((4, {}), (3, {})),
}
"""Numbers of players and options."""

VARIED: Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]] = {
    "isolde": (
        (2, {"herausforderung": True, "kodex": True}),
        (2, {"duo": "lancelot", "herausforderung": True, "kodex": True}),
        (2, {"galanterie": True, "magie": True}),
        (3, {"herausforderung": True, "turnier": True, "koenig": True}),
        (3, {"galanterie": True, "kodex": True, "barm": True}),
        (4, {"galanterie": True, "magie": True, "turnier": True, "koenig": True, "gral": True}),
        (4, {"herausforderung": True, "kodex": True, "gral": True}),
        (5, {"magie": True, "kodex": True, "barm": True}),
    ),
}
"""Numbers of players and unusual options, with each variant of a game at least once."""


@dataclass(frozen=True)
class Claim:
    """A reason for a move.

    :param state: the position before the move.
    """

    game: Any
    state: Any
    seat: int
    move: Move
    fact: Fact

    def after(self) -> Any:
        """Return the position after the move."""
        after = self.state.clone()
        self.game.do(after, self.seat, self.move)
        return after

    def happened(self) -> list[Fact]:
        """Return what the engine reports about the move."""
        told: list[Fact] = []
        self.game.do(self.state.clone(), self.seat, self.move, told)
        return told


Check = Callable[[Claim], bool]


# -------------------------------------------------------------------------------- Lancelot
Lines = Mapping[tuple[str, str], frozenset[int]]
"""The owners of the stones taken on each line, by its kind and name."""


def _as_turn_of(state: Any, seat: int, phase: str) -> Any:
    """Return the same position with another seat to move."""
    world = state.clone()
    if world.phase == "stone":  # after its mover's turn, Excalibur opposes everyone again
        world.count_sword_as_own(world.turn, -1)
        world.lifted = -1
    world.turn, world.phase = seat, phase
    return world


def _captures(game: Any, state: Any, seat: int, *, power: bool) -> Iterator[Lines]:
    """Yield the captures of each turn that the seat could take now.

    :param power: whether to include turns that use the King's power.
    """
    world = _as_turn_of(state, seat, "turn")
    if not world.can_place(seat):
        return
    for move in game.legal(world, seat):
        after, told = world.clone(), list[Fact]()
        if not move.startswith("X:"):
            game.do(after, seat, move, told)
            yield _lines_taken(told, game, world)
        elif power:
            game.do(after, seat, move)
            for stone in game.legal(after, seat):
                last, facts = after.clone(), list[Fact]()
                game.do(last, seat, stone, facts)
                yield _lines_taken(facts, game, after)


def _lines_taken(told: Sequence[Fact], game: Any, before: Any) -> Lines:
    found: dict[tuple[str, str], frozenset[int]] = {}
    for fact in told:
        if fact.kind == "captured":
            owner = dict(zip(fact.data["squares"], fact.data["owners"], strict=True))
            for line in fact.data["lines"]:
                found[line["line"], line["name"]] = frozenset(owner[s] for s in line["squares"])
    return found


def _taken_anyhow(claim: Claim, state: Any, seat: int) -> dict[tuple[str, str], set[int]]:
    found: dict[tuple[str, str], set[int]] = {}
    for taken in _captures(claim.game, state, seat, power=True):
        for line, owners in taken.items():
            found.setdefault(line, set()).update(owners)
    return found


def _named(claim: Claim) -> set[tuple[str, str]]:
    return {(each["line"], each["name"]) for each in claim.fact.data["lines"]}


def _others(claim: Claim) -> list[int]:
    return [seat for seat in range(claim.state.players) if seat != claim.seat]


def _counters(claim: Claim) -> bool:
    """Return whether the reason names exactly the lines that gain a neutral piece, and whether the
    seats' stones on these lines stay the same.
    """
    before, after = _counts(claim.state), _counts(claim.after())
    changed = {label for label in after if after[label].total() > before[label].total()}
    return _named(claim) == changed and all(
        before[label][seat] == after[label][seat]
        for label in changed
        for seat in range(claim.state.players)
    )


def _opposes(claim: Claim) -> bool:
    square, counts = claim.state.field.names.index(claim.move), _counts(claim.state)
    lines = zip(claim.state.field.labels, claim.state.field.squares_of, strict=True)
    through = {label for label, squares in lines if square in squares}
    if claim.fact.kind == "apart":
        return not any(counts[label][seat] for label in through for seat in range(8))
    return _named(claim) == {
        label for label in through if any(counts[label][other] for other in _others(claim))
    }


def _backs(claim: Claim) -> bool:
    """Return whether the reason names exactly the lines on which Excalibur counts as a stone of the
    seat when the turn is judged.
    """
    after = claim.after()
    stones = _counts(after)
    lines = zip(after.field.labels, after.own[claim.seat], strict=True)
    return _named(claim) == {
        label for label, own in lines if own == stones[label][claim.seat] + 1
    } and all(stones[label][EXCALIBUR] for label in _named(claim))


def _counts(state: Any) -> dict[tuple[str, str], Counter[int]]:
    """Count the pieces on each line of the board."""
    field = state.field
    return {
        label: Counter(state.board[square] for square in squares if state.board[square] != 0xFF)
        for label, squares in zip(field.labels, field.squares_of, strict=True)
    }


def _lead(counts: Counter[int], seat: int) -> int:
    return 2 * counts[seat] - counts.total()


def _is_safe(claim: Claim) -> bool:
    after = claim.after()
    return not any(
        claim.seat in owners
        for other in _others(claim)
        for owners in _taken_anyhow(claim, after, other).values()
    )


def _blocks(claim: Claim) -> bool:
    other = claim.fact.data["seat"]
    before = _taken_anyhow(claim, claim.state, other)
    after = _taken_anyhow(claim, claim.after(), other)
    return all(line in before and line not in after for line in _named(claim))


def _exposes(claim: Claim) -> bool:
    taken = _taken_anyhow(claim, claim.after(), claim.fact.data["seat"])
    return all(claim.seat in taken.get(line, ()) for line in _named(claim))


def _ripens(claim: Claim) -> bool:
    after = claim.after()
    counts = _counts(after)
    found = set()
    for taken in _captures(claim.game, after, claim.seat, power=False):
        for line, owners in taken.items():
            strangers = {piece for piece in counts[line] if piece < 0xFE and piece != claim.seat}
            if owners == strangers:
                found.add(line)
    return _named(claim) <= found


def _evens(claim: Claim) -> bool:
    other = claim.fact.data["seat"]
    before, after = _counts(claim.state), _counts(claim.after())
    return all(
        _lead(before[line], other) > 0 >= _lead(after[line], other) for line in _named(claim)
    )


def _joins(claim: Claim) -> bool:
    square = claim.state.field.names.index(claim.move)
    counts = _counts(claim.after())
    lines = [
        counts[label]
        for label, squares in zip(
            claim.state.field.labels, claim.state.field.squares_of, strict=True
        )
        if square in squares
    ]
    number = sum(
        line[claim.seat] - 1
        for line in lines
        if not any(_lead(line, other) > 0 for other in _others(claim))
    )
    return bool(number >= claim.fact.data["number"])


def _happens(claim: Claim) -> bool:
    return claim.fact in claim.happened()


# ------------------------------------------------------------------------------------ Isis
def _isis(state: Any, seat: int) -> Any:
    """Return the same position with this seat to move; if it is another seat's turn, no stone is
    banned, because the ban binds only the next player.
    """
    world = state.clone()
    if world.turn != seat:
        world.turn, world.ban = seat, -1
    return world


def _moves(claim: Claim, state: Any, seat: int) -> list[Move]:
    moves: list[Move] = claim.game.legal(_isis(state, seat), seat)
    return moves


def _takes_throne(claim: Claim, state: Any, seat: int) -> bool:
    if state.personal[seat] <= 0:
        return False
    for move in _moves(claim, state, seat):
        world = _isis(state, seat)
        claim.game.do(world, seat, move)
        if seat in world.placed:
            return True
    return False


def _turns_over(claim: Claim, state: Any, seat: int) -> bool:
    return any(move.startswith(TURN) for move in _moves(claim, state, seat))


def _own_ways(claim: Claim, state: Any, seat: int) -> int:
    return sum(move.startswith(PERSONAL) for move in _moves(claim, state, seat))


def _lockable(claim: Claim, state: Any, owner: int) -> bool:
    """Return whether another player's move could lock in a seat's personal stone."""
    if state.personal[owner] <= 0:
        return False
    for seat in range(state.players):
        if seat == owner or seat in state.placed:
            continue
        for move in _moves(claim, state, seat):
            world, told = _isis(state, seat), list[Fact]()
            claim.game.do(world, seat, move, told)
            if any(fact.kind == "locked" and owner in fact.data["owners"] for fact in told):
                return True
    return False


def _about(claim: Claim) -> int:
    seat: int = claim.fact.data["seat"]
    return seat


def _ends(claim: Claim) -> tuple[int, int]:
    """Return the origin and the destination of the moved stone."""
    moved = next(fact for fact in claim.happened() if fact.kind == "moved")
    return moved.data["origin"], moved.data["square"]


def _columns_gained(claim: Claim) -> int:
    origin, square = _ends(claim)
    return column(square) - column(origin)


def _comes_nearer(claim: Claim) -> bool:
    return (
        claim.move.startswith(PERSONAL) and _columns_gained(claim) == claim.fact.data["number"] > 0
    )


def _on_earth(claim: Claim) -> int:
    """Return how many columns the moved stone gets nearer to heaven, if it is neutral and in heaven
    neither before nor after; otherwise a number that no reason gives.
    """
    neutral = not claim.move.startswith(PERSONAL)
    if neutral and not any(square in HEAVEN for square in _ends(claim)):
        return _columns_gained(claim)
    return len(SQUARES)


def _enters_heaven(claim: Claim) -> bool:
    origin, square = _ends(claim)
    own = claim.move.startswith(PERSONAL)
    return own is (claim.fact.kind == "ascends") and origin < HEAVEN.start <= square


def _fewer_ways(claim: Claim) -> bool:
    before = _own_ways(claim, claim.state, _about(claim))
    after = _own_ways(claim, claim.after(), _about(claim))
    return after < before and (after == 0) is (claim.fact.kind == "halts")


def _fewer_moves(claim: Claim) -> bool:
    before, after = (
        len(_moves(claim, state, _about(claim))) for state in (claim.state, claim.after())
    )
    return bool(before - after == claim.fact.data["number"])


# -------------------------------------------------------------------------------- Twilight
def _winners(claim: Claim) -> Iterator[int | None]:
    """Yield the side that wins the trick, or None, for each way it may continue."""
    seats = claim.state.seating.seats

    def ends(state: Any, told: Sequence[Fact]) -> Iterator[int | None]:
        for fact in told:
            if fact.kind == "trick_won":
                winner = fact.data["seat"]
                yield seats.index(NOBODY if winner is None else winner) % 2
                return
            if fact.kind == "trick_lies":
                yield None
                return
        actors = claim.game.actors(state)
        for move in claim.game.legal(state, actors[0]):
            after, facts = state.clone(), list[Fact]()
            claim.game.do(after, actors[0], move, facts)
            yield from ends(after, facts)

    after, told = claim.state.clone(), list[Fact]()
    claim.game.do(after, claim.seat, claim.move, told)
    yield from ends(after, told)


def _side(claim: Claim) -> int:
    place: int = claim.state.seating.seats.index(claim.seat)
    return place % 2


def _cannot_be_lost(claim: Claim) -> bool:
    """Return whether the trick cannot go to the other side, whatever is played."""
    side = _side(claim)
    return all(winner in (side, None) for winner in _winners(claim))


def _is_nobodys(claim: Claim) -> bool:
    """Return whether nobody wins the trick, whatever is played."""
    return all(winner is None for winner in _winners(claim))


def _overtakes(claim: Claim) -> bool:
    """Return whether the other side was winning the trick before this card and no longer is. The
    ranks are those of the tests' second engine: the lower, the better.
    """
    side, table = _side(claim), claim.state.table
    best = min(table, key=rank)
    leader = claim.state.lead + table.index(best)
    return (
        leader % 2 != side
        and claim.state.turn % 2 == side
        and "P" not in claim.move
        and rank(claim.move) < rank(best)
    )


def _feeds(claim: Claim) -> bool:
    return CARDS[claim.move].kind in ("souls", "sanctuary") and _cannot_be_lost(claim)


def _has_no_choice(claim: Claim) -> bool:
    """Return whether the ordered seat has only one card that it may give."""
    hand = 2 * claim.state.seating.targets[claim.move] + claim.state.turn % 2
    return len(claim.state.hands[hand]) == 1


def _is_free_to_choose(claim: Claim) -> bool:
    """Return whether the ordered seat may give as many cards as the reason says."""
    after = claim.after()
    (giver,) = claim.game.actors(after)
    number = len(claim.game.legal(after, giver))
    return bool(giver == _about(claim) and number == claim.fact.data["number"])


def _gives(claim: Claim) -> bool:
    """Return whether the seat named in the reason gives the card, and whether it is on the side
    that the reason says.
    """
    target = claim.state.seating.targets[claim.move]
    giver = claim.state.seating.seats[target]
    own = claim.state.seating.seats.index(claim.seat) % 2
    against = target % 2 != own
    return (None if giver < 0 else giver) == _about(claim) and against is (
        claim.fact.kind == "robs"
    )


def _keeps_the_stronger(claim: Claim) -> bool:
    own = [move for move in claim.game.legal(claim.state, claim.seat) if move in CARDS]
    others = [RANK[card] for card in own if card != claim.move]
    return all(rank >= RANK[claim.move] for rank in others) and any(
        rank > RANK[claim.move] for rank in others
    )


def _still_passed(claim: Claim) -> bool:
    """Return whether a higher card, apart from a purgatory, can still be played for the other
    side.
    """
    side = claim.state.turn % 2
    places = [(claim.state.lead + n) % 4 for n in range(len(claim.state.table) + 1, 4)]
    higher = [
        card
        for hand, cards in enumerate(claim.after().hands)
        for card in cards
        if hand % 2 != side and CARDS[claim.move].rank < CARDS[card].rank < PURGATORY
    ]
    return bool(higher) and any(place % 2 != side for place in places)


def _spends(claim: Claim) -> bool:
    own = [move for move in claim.game.legal(claim.state, claim.seat) if move in CARDS]
    others = [RANK[card] for card in own if card != claim.move]
    return bool(others) and RANK[claim.move] >= max(others)


# ----------------------------------------------------------------------------- Don Quixote
def _drawn(claim: Claim) -> tuple[Drawing, Drawing, tuple[int, int]]:
    """Return the principality before and after as drawings, and the field's upper left corner."""
    board, where = claim.state.lands[claim.seat].board, claim.state.field
    corner = SIZE * COLUMNS.index(where[0]), SIZE * (int(where[1]) - 1)
    return Drawing(board), Drawing({**board, where: claim.move}), corner


def _borders(claim: Claim) -> Iterator[tuple[bool, bool]]:
    """For each point where roads may cross the border of the tile, yield whether one leads there
    from the tile, and whether one does from its neighbour.
    """
    before, after, (left, top) = _drawn(claim)
    board = claim.state.lands[claim.seat].board
    for field in board:
        x, y = SIZE * COLUMNS.index(field[0]), SIZE * (int(field[1]) - 1)
        if (abs(x - left), abs(y - top)) not in {(SIZE, 0), (0, SIZE)}:
            continue
        for n in range(SIZE):
            if x == left:
                own = left + n, top if y < top else top + SIZE - 1
                other = left + n, own[1] + (-1 if y < top else 1)
                stroke = "|"
            else:
                own = (left if x < left else left + SIZE - 1), top + n
                other = own[0] + (-1 if x < left else 1), top + n
                stroke = "-"
            yield after.ink.get(own) == stroke, before.ink.get(other) == stroke


def _meets(claim: Claim) -> bool:
    number = sum(own and other for own, other in _borders(claim))
    return bool(number == claim.fact.data["number"])


def _ends_there(claim: Claim) -> bool:
    number = sum(own and not other for own, other in _borders(claim))
    return bool(number == claim.fact.data["number"])


def _seals(claim: Claim) -> bool:
    number = sum(other and not own for own, other in _borders(claim))
    return bool(number == claim.fact.data["number"])


def _opens(claim: Claim) -> bool:
    """Return whether the reason gives the right number of roads from the tile to empty fields."""
    board, where = claim.state.lands[claim.seat].board, claim.state.field
    _, after, (left, top) = _drawn(claim)
    end, number = SIZE - 1, 0
    for n in range(SIZE):
        for stroke, own, right, down in (
            ("|", (left + n, top), 0, -1),
            ("|", (left + n, top + end), 0, 1),
            ("-", (left, top + n), -1, 0),
            ("-", (left + end, top + n), 1, 0),
        ):
            letter = COLUMNS.index(where[0]) + right
            there = f"{COLUMNS[letter]}{int(where[1]) + down}" if letter in LETTERS else ""
            number += there in FIELDS and there not in board and after.ink.get(own) == stroke
    return bool(number == claim.fact.data["number"])


def _connects(claim: Claim) -> bool:
    before, after, _ = _drawn(claim)
    sign = BUILDINGS[claim.fact.data["symbol"]]
    number = claim.fact.data["number"]
    return any(
        after.count(road, sign) == number
        and all(before.count(old, sign) < number for old in before.roads() if old & road)
        for road in after.roads()
    )


def _garrisons(claim: Claim) -> bool:
    before, after, _ = _drawn(claim)
    value, number = claim.fact.data["value"], claim.fact.data["number"]
    had = before.count(before.at_castle(value), "123")
    return bool(after.count(after.at_castle(value), "123") == number > had)


def _guards(claim: Claim) -> bool:
    before, after, _ = _drawn(claim)
    had, has = (
        sum(STRENGTH[each.ink[knight]] for knight in each.find("123") if each.leads_out(knight))
        for each in (before, after)
    )
    return bool(has == claim.fact.data["strength"] > had)


# ---------------------------------------------------------------------------------- Isolde
def _ranks(state: Any, board: Any) -> tuple[list[int], list[int]]:
    """Return the colours on a board from first place on, with later arrivals ahead on the same
    field; and the colours that have not moved.
    """
    row = state.positions[board.slot]
    moved = [colour for colour in state.order[board.slot] if row[colour]]
    ranked = sorted(moved, key=lambda colour: -row[colour])
    return ranked, [colour for colour, fields in enumerate(row) if not fields]


def _brought(claim: Claim) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the board of a claim with the position before and after its piece moves, for each
    distance that the move allows.
    """
    data, rules = claim.fact.data, claim.state.rules
    board = rules.board[data["board"]]
    for fields in _fields(claim, board):
        after = claim.state.clone()
        after.move_piece(board.slot, data["colour"], fields)
        yield board, claim.state, after


def _fields(claim: Claim, board: Any) -> Iterator[int]:
    """Yield each number of fields that a move may advance a piece on a board."""
    verb, _, argument = claim.move.partition(":")
    if verb == "bonus":
        by_name = {"EINS": 1, "KOENIG2": 2, "SCHWERT": 2}
        favour = argument.partition(">")[0]
        if favour in by_name:
            yield by_name[favour]
        elif favour == "FUENFTE":
            hand = claim.state.hands[claim.fact.data["colour"]]
            yield from (int(card[-1]) for card in names(hand))
        else:
            yield from claim.state.agenda[-1].data[:1]
    elif verb == "magic":
        yield int(argument.partition("+")[2])
    else:
        yield int(argument.partition(">")[0].partition("+")[0][-1])


def _is_neutral(claim: Claim) -> bool:
    data = claim.fact.data
    board = claim.state.rules.board[data["board"]]
    unowned = claim.state.rules.seating.owners[data["colour"]] is None
    return unowned and list(_fields(claim, board)) == [data["number"]]


def _divides(claim: Claim) -> bool:
    """Return whether the reason gives the right totals, judging by the digits in the cards'
    names.
    """
    verb, _, argument = claim.move.partition(":")
    if verb == "pile":
        piles = claim.game.view(claim.state, claim.seat).public["piles"][1 - claim.seat]
        listed, others = piles if argument == "1" else reversed(piles)
    else:
        listed, others = argument.split(","), names(claim.state.packs[claim.seat])
        for card in listed:
            others.remove(card)
    totals = [sum(int(card[-1]) for card in cards) for cards in (listed, others)]
    return totals == [claim.fact.data["these"], claim.fact.data["rest"]]


def _is_last_there(state: Any, board: Any, colour: int) -> bool:
    ranked, unmoved = _ranks(state, board)
    return colour in unmoved if unmoved else ranked[-1] == colour


def _leads(claim: Claim) -> bool:
    return all(
        _ranks(after, board)[0][0] == claim.fact.data["colour"]
        and _ranks(before, board)[0][:1] != [claim.fact.data["colour"]]
        for board, before, after in _brought(claim)
    )


def _escapes(claim: Claim) -> bool:
    colour = claim.fact.data["colour"]
    return all(
        _is_last_there(before, board, colour) and not _is_last_there(after, board, colour)
        for board, before, after in _brought(claim)
    )


def _climbs(claim: Claim) -> bool:
    colour, place = claim.fact.data["colour"], claim.fact.data["place"]
    return all(
        _ranks(after, board)[0].index(colour) + 1 == place
        and colour not in _ranks(before, board)[0][:place]
        for board, before, after in _brought(claim)
    )


def _pays(claim: Claim) -> bool:
    """Return whether the reason gives the right number of points, by scoring the board before and
    after the move.
    """
    colour, won = claim.fact.data["colour"], []
    for board, before, after in _brought(claim):
        for state in (before, after):
            world = state.clone()
            board.score(world, None)
            shields = world.shields[colour][len(state.shields[colour]) :]
            won.append(sum(shield.value for shield in shields))
    return bool(won[1] == claim.fact.data["points"] > won[0])


def _fields_ahead(claim: Claim) -> bool:
    colour, sign = claim.fact.data["colour"], -1 if claim.fact.kind == "behind_first" else 1
    leads = []
    for board, _, after in _brought(claim):
        others = list(after.positions[board.slot])
        mine = others.pop(colour)
        leads.append(mine - max(others))
    number = sign * claim.fact.data["number"]
    return leads == [number] and (claim.fact.kind == "level") is (number == 0)


def _fits(claim: Claim) -> bool:
    """Return whether the reason gives the right number of dealt cards that fit the board, judging
    by the cards' names.
    """
    types = claim.state.rules.board[claim.fact.data["board"]].card_types
    fitting = [card for card in names(claim.state.packs[claim.seat]) if card[:-1] in types]
    mine = claim.state.rules.seating.owners[claim.fact.data["colour"]] == claim.seat
    return bool(mine and len(fitting) == claim.fact.data["number"])


def _stands(claim: Claim) -> bool:
    data, rules = claim.fact.data, claim.state.rules
    board = rules.board[data["board"]]
    unowned = rules.seating.owners[data["colour"]] is None
    return unowned and claim.state.positions[board.slot][data["colour"]] == data["field"]


def _shields(claim: Claim) -> tuple[bool, list[int], set[int]]:
    """Return whether the seat has seen the shield that a move names, the values of all shields that
    the seat has not seen, and the values that this shield may have.
    """
    board = claim.state.rules.board["STUDIEN"]
    codex = claim.game.view(claim.state, claim.seat).private["codex"]
    unseen = [*board.numbers.codex, *[0] * (len(codex) - len(board.numbers.codex))]
    for value in codex:
        if value is not None:
            unseen.remove(value)
    value = codex[int(claim.move.partition(":")[2]) - 1]
    return value is not None, unseen, set(unseen) if value is None else {value}


def _costs(claim: Claim) -> bool:
    *_, possible = _shields(claim)
    at = int(claim.move.partition(":")[2]) - 1
    places = claim.state.notes[claim.state.rules.board["STUDIEN"].slot]
    return possible == {-claim.fact.data.get("points", 0)} == {places[at].value}


def _is_unseen(claim: Claim) -> bool:
    seen, unseen, _ = _shields(claim)
    costing = sum(value < 0 for value in unseen)
    return not seen and (costing, len(unseen)) == (claim.fact.data["number"], claim.fact.data["of"])


def _claims(claim: Claim) -> bool:
    claimed = [fact for fact in claim.happened() if fact.kind == "claimed"]
    return bool(sum(claimed[0].data["values"]) == claim.fact.data["points"])


def _claimable(claim: Claim) -> bool:
    """Return whether the most valuable claim is worth as much as the reason says. If a shield has
    to be given away before the claim, it does not matter which.
    """
    after, told = claim.state.clone(), list[Fact]()
    claim.game.do(after, claim.seat, claim.move, told)
    if after.agenda and after.agenda[-1].step == "give":
        claim.game.do(after, claim.seat, claim.game.legal(after, claim.seat)[0], told)
    values = [fact.data["values"] for fact in told if fact.kind == "claimed"][:1]
    if not values and not any(fact.kind == "nothing_to_claim" for fact in told):
        moves = claim.game.legal(after, claim.seat)
        values = [map(int, move.partition(":")[2].split("+")) for move in moves]
    return bool(max(map(sum, values), default=0) == claim.fact.data["points"])


def _is_still(claim: Claim) -> bool:
    """Return whether no piece moves before the next choice, shield or scoring."""
    kinds = [fact.kind for fact in claim.happened()]
    return kinds[:1] in (["bonus"], ["declined"]) and kinds[1:2] not in (["moved"], ["turned_up"])


def _lags(claim: Claim) -> bool:
    board, colour = claim.state.rules.board[claim.fact.data["board"]], claim.fact.data["colour"]
    return all(_is_last_there(state, board, colour) for state in (claim.state, claim.after()))


CHECKS: Mapping[str, Mapping[str, Check]] = {
    "donquixote": {
        "connects": _connects,
        "ends": _ends_there,
        "garrisons": _garrisons,
        "guards": _guards,
        "meets": _meets,
        "opens": _opens,
        "seals": _seals,
    },
    "isis": {
        "aims": lambda claim: _takes_throne(claim, claim.after(), claim.seat),
        "ascends": _enters_heaven,
        "denies": lambda claim: (
            _turns_over(claim, claim.state, _about(claim))
            and not _turns_over(claim, claim.after(), _about(claim))
        ),
        "endangers": lambda claim: (
            not _lockable(claim, claim.state, _about(claim))
            and _lockable(claim, claim.after(), _about(claim))
        ),
        "frees": lambda claim: (
            _own_ways(claim, claim.after(), claim.seat) > _own_ways(claim, claim.state, claim.seat)
        ),
        "halts": _fewer_ways,
        "hampers": _fewer_ways,
        "lifts": _enters_heaven,
        "leaves": lambda claim: [square in HEAVEN for square in _ends(claim)] == [True, False],
        "nears": lambda claim: _on_earth(claim) == claim.fact.data["number"] > 0,
        "recedes": lambda claim: _on_earth(claim) == -claim.fact.data["number"] < 0,
        "ways": lambda claim: (
            _own_ways(claim, claim.after(), claim.seat) == claim.fact.data["number"]
        ),
        "lets": lambda claim: _takes_throne(claim, claim.after(), _about(claim)),
        "onwards": _comes_nearer,
        "parries": lambda claim: (
            _takes_throne(claim, claim.state, _about(claim))
            and not _takes_throne(claim, claim.after(), _about(claim))
        ),
        "prepares": lambda claim: (
            not _turns_over(claim, claim.state, claim.seat)
            and _turns_over(claim, claim.after(), claim.seat)
        ),
        "restricts": _fewer_moves,
        "risks": lambda claim: _lockable(claim, claim.after(), claim.seat),
        "shelters": lambda claim: (
            _lockable(claim, claim.state, claim.seat)
            and not _lockable(claim, claim.after(), claim.seat)
        ),
        "stays": lambda claim: _on_earth(claim) == 0,
        "within": lambda claim: all(square in HEAVEN for square in _ends(claim)),
    },
    "isolde": {
        "ahead": _fields_ahead,
        "behind_first": _fields_ahead,
        "claimable": _claimable,
        "claims": _claims,
        "climbs": _climbs,
        "costs": _costs,
        "divides": _divides,
        "escapes": _escapes,
        "fits": _fits,
        "harmless": _costs,
        "lags": _lags,
        "leads": _leads,
        "level": _fields_ahead,
        "neutral": _is_neutral,
        "pays": _pays,
        "stands": _stands,
        "still": _is_still,
        "unseen": _is_unseen,
    },
    "lancelot": {
        "apart": _opposes,
        "backs": _backs,
        "blocks": _blocks,
        "counters": _counters,
        "evens": _evens,
        "exposes": _exposes,
        "joins": _joins,
        "opposes": _opposes,
        "ripens": _ripens,
        "safe": _is_safe,
    },
    "twilight": {
        "among": _is_free_to_choose,
        "brings": lambda claim: (
            claim.fact.data["number"] == account([claim.move], CARDS[claim.move].cult).souls > 0
        ),
        "corners": _has_no_choice,
        "feeds": _feeds,
        "keeps": lambda claim: (
            claim.fact.data["number"]
            == sum(
                rank(card) < rank(claim.move)
                for card in claim.game.legal(claim.state, claim.seat)
                if card in CARDS
            )
        ),
        "last": lambda claim: (
            [card for card in claim.game.legal(claim.state, claim.seat) if card in CARDS]
            == [claim.move]
        ),
        "offers": lambda claim: (
            claim.fact.data["number"] == account([claim.move], CARDS[claim.move].cult).factor > 0
        ),
        "overtakes": _overtakes,
        "passable": _still_passed,
        "robs": _gives,
        "secures": _cannot_be_lost,
        "spares": _gives,
        "spends": _spends,
        "stops": _is_nobodys,
        "strongest": _spends,
        "weakest": _keeps_the_stronger,
    },
}
"""The checks, by game and kind of reason."""

OF_THE_ADVICE = frozenset({"alike", "behind", "gains", "pitfalls"})
"""Kinds of reasons that depend on the search, not on the effects of a move."""


def judged(
    game_id: str, seed: str, wanted: int, *, varied: bool = False
) -> Iterator[tuple[Judgement, list[Claim]]]:
    """Yield hints, each with the reasons that it gives, except those that depend on the search.

    :param varied: whether to play with the unusual options in ``VARIED``.
    """
    tables = VARIED if varied else SETUPS
    for match, seat, told in hints(
        game_id, seed, wanted, Terms(tables[game_id], PLAYING, HINTING, EVERY)
    ):
        claims = [(each.move, fact) for each in told.recommended for fact in each.reasons]
        if told.declined is not None:
            claims += [(told.declined.move, fact) for fact in told.declined.drawbacks]
        state = match.state.clone()
        yield (
            told,
            [
                Claim(match.game, state, seat, move, fact)
                for move, fact in claims
                if fact.kind not in silent_kinds(match.game)
            ],
        )


def silent_kinds(game: Game[Any]) -> frozenset[str]:
    """Return the kinds of facts that are not claims about a move."""
    return SILENT | OF_THE_ADVICE | policy_for(game).silent


def is_bare(told: Judgement, game: Game[Any]) -> bool:
    """Return whether a hint gives no reason for the best move: it says neither what the move does
    nor what the move is like, and the verdict is no reason either.
    """
    silent = silent_kinds(game)
    return told.best.verdict not in {*SAYS_WHY, Verdict.ONLY} and all(
        fact.kind in silent for fact in told.best.reasons
    )


def is_true(claim: Claim) -> bool:
    """Return whether a reason is true. If its kind has no check, the engine must report the same
    fact.
    """
    return CHECKS[claim.game.info.id].get(claim.fact.kind, _happens)(claim)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*CHECKS, []], help="default: all")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--hints", type=int, default=2000, help="for each game")
    parser.add_argument(
        "--varied", action="store_true", help=f"with unusual options: {', '.join(VARIED)}"
    )
    wanted = parser.parse_args()
    print(
        f"seed {wanted.seed}\n\n| game | hints | without a reason | reasons | false | kinds |\n"
        "|---|---|---|---|---|---|"
    )
    for game_id in wanted.games or (VARIED if wanted.varied else CHECKS):
        kinds, false, bare = Counter[str](), list[Claim](), 0
        for told, claims in judged(game_id, wanted.seed, wanted.hints, varied=wanted.varied):
            bare += is_bare(told, GAMES[game_id])
            kinds.update(claim.fact.kind for claim in claims)
            false += [claim for claim in claims if not is_true(claim)]
        listed = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
        row = f"| {game_id} | {wanted.hints} | {bare} | {kinds.total()} | {len(false)} | {listed} |"
        print(row, flush=True)
        for claim in false:
            print(f"  false: {claim.move} {claim.fact.kind} {dict(claim.fact.data)}")


if __name__ == "__main__":
    main()
