"""The course of a round: lot, deal, turns, the scoring of all boards, and the close."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import floor
from typing import Any

from games.engine import Event, IllegalMove, Move
from games.house import NOBODY, tell
from games.isolde.cards import CARD, NAME, TYPE, VALUE, Card, from_brief, in_brief, names
from games.isolde.state import AgendaStep, Facts, IsoldeState, due_for
from games.isolde.steps import Draw


def begin_round(state: IsoldeState, starter: int) -> None:
    """Remove all cards, and fill the empty agenda for a new round."""
    rules = state.rules
    state.starter, state.appointed = starter, NOBODY
    for cards in (*state.packs, *state.hands):
        cards.clear()
    state.kept = [()] * rules.colours
    state.played = [()] * rules.colours
    state.piles = ()
    state.agenda.extend(rules.schedules[starter])


# ---------------------------------------------------------------------------- lot and deal
class Lot(Draw):
    """The starter of the first round: ``start:1``, counted from 1."""

    name = "lot"
    verb = "start"

    def chance(self, state: IsoldeState) -> list[tuple[Move, float]]:
        """Return the draws: every seat is equally likely."""
        return [(f"start:{seat + 1}", 1.0) for seat in range(state.rules.players)]

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Begin the match."""
        state.agenda.pop()
        state.actors = ()
        starter = int(move.partition(":")[2]) - 1
        tell(fx, "starter", reveals=True, colour=starter)
        begin_round(state, starter)


class Deal(Draw):
    """The packs, one after another: ``deal:GR4KO2ST3IS5KA3/...``."""

    name = "deal"
    verb = "deal"
    secret = True

    def sample(self, state: IsoldeState, rng: random.Random) -> Move:
        """Shuffle the part of the deck that is dealt, and return the deal."""
        seating = state.rules.seating
        deck = list(state.rules.deck)
        left, size, random_ = len(deck), seating.pack_size, rng.random
        dealt = seating.packs * size
        for at in range(dealt):
            other = at + floor(random_() * (left - at))
            deck[at], deck[other] = deck[other], deck[at]
        packs = []
        for at in range(0, dealt, size):
            pack = deck[at : at + size]
            pack.sort()
            packs.append(in_brief(pack))
        return "deal:" + "/".join(packs)

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Give out the packs and announce the round."""
        state.agenda.pop()
        state.actors = ()
        state.packs = list(map(from_brief, move[len("deal:") :].split("/")))
        if fx is None:
            return
        rules = state.rules
        tell(
            fx,
            "round",
            round=state.round,
            starter=state.starter,
            order=list(rules.orders[state.starter]),
            direction=rules.seating.direction(state.round),
            scored=[board.id for board in rules.boards if board.due(state)],
        )

    def observed(self, state: IsoldeState, event: Event, viewer: int | None) -> Move:
        """Show a seat only its own pack: ``deal:?/GR4KO2ST3IS5KA3/?``."""
        packs = event.move.partition(":")[2].split("/")
        seen = [pack if seat == viewer else "?" for seat, pack in enumerate(packs)]
        return "deal:" + "/".join(seen)


# ----------------------------------------------------------------------------------- turns
def play_card(state: IsoldeState, colour: int, move: Move, fx: Facts) -> None:
    """Play a card from the hand: move the piece, then apply the board's own effect."""
    rules = state.rules
    play = rules.plays[move]
    card, slot = play
    state.hands[colour].remove(card)
    state.played[colour] += (play,)
    state.move_piece(slot, colour, VALUE[card])
    if fx is not None:
        field = state.positions[slot][colour]
        tell(
            fx,
            "played",
            reveals=True,
            colour=colour,
            by=rules.seating.owners[colour],
            card=NAME[card],
            board=rules.boards[slot].id,
            origin=field - VALUE[card],
            field=field,
        )
    follow_up = rules.follow_ups[slot]
    if follow_up is not None:
        follow_up(state, colour, VALUE[card], fx)


def turn_up(state: IsoldeState, colour: int, card: Card, fx: Facts) -> None:
    """Play a card that has just been turned up; if it fits more than one board, the colour's
    decider has to choose.
    """
    moves = state.rules.play_moves[card]
    if fx is not None:
        tell(fx, "turned_up", reveals=True, colour=colour, card=NAME[card])
    if len(moves) == 1:
        play_card(state, colour, moves[0], fx)
    else:
        state.agenda.append(due_for("route", colour, (NAME[card],)))


class Playing(AgendaStep):
    """A card is played: ``play:GRAL4``, or ``play:KAMPF4>LANZE`` if the card fits more than one
    board.
    """

    verb = "play"

    def playable(self, state: IsoldeState) -> Sequence[Card]:
        """Return the cards that may be played."""
        return state.hands[state.agenda[-1].colour]

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return each distinct card with each of its boards."""
        moves = state.rules.play_moves
        return [move for card in dict.fromkeys(self.playable(state)) for move in moves[card]]

    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Return a random card on a random one of its boards; a card held twice is twice as
        likely.
        """
        hand = self.playable(state)
        moves = state.rules.play_moves[hand[floor(rng.random() * len(hand))]]
        return moves[0] if len(moves) == 1 else moves[floor(rng.random() * len(moves))]

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Play the card."""
        state.actors = ()
        play_card(state, state.agenda.pop().colour, move, fx)

    def spelled(self, argument: str) -> str:
        """Leave out the board if the card implies it."""
        name, _, board = argument.partition(">")
        return name if name in CARD and TYPE[CARD[name]] == board else argument

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Refuse a card or a board that is not possible."""
        name, _, board = argument.partition(">")
        hand = self.playable(state)
        if name not in CARD:
            return IllegalMove("unknown_card", text=name)
        if CARD[name] not in hand:
            return IllegalMove("not_in_hand", card=name, hand=names(hand))
        boards = [state.rules.boards[slot].id for slot in state.rules.routes[CARD[name]]]
        if not board:
            return IllegalMove("board_needed", card=name, boards=boards)
        if board not in state.rules.board:
            return IllegalMove("unknown_board", text=board)
        return IllegalMove("wrong_board", card=name, board=board, boards=boards)


class Turn(Playing):
    """A person plays a card from the hand of a colour.

    Only the last card of a hand is played without asking. An earlier card is forced only if all
    cards in the hand are identical, and playing it at once would reveal that.
    """

    name = "play"

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Ask the owner of the colour, unless the last card of the hand fits only one board."""
        rules = state.rules
        colour = state.agenda[-1].colour
        hand = state.hands[colour]
        if len(hand) == 1 and len(rules.play_moves[hand[0]]) == 1:
            state.agenda.pop()
            (move,) = rules.play_moves[hand[0]]
            if fx is not None:
                tell(fx, "forced", colour=colour, by=state.decider(colour), move=move)
            play_card(state, colour, move, fx)
            return ()
        return rules.owner_acts[colour]


_DRAW = tuple(f"draw:{name}" for name in NAME)
_DRAWN = {move: card for card, move in enumerate(_DRAW)}


class NeutralCard(Draw):
    """A card of the neutral colour is turned up: ``draw:KAMPF4``."""

    name = "draw"
    verb = "draw"

    def chance(self, state: IsoldeState) -> list[tuple[Move, float]]:
        """Return each distinct card, weighted by its copies."""
        hand = state.hands[state.agenda[-1].colour]
        return [(_DRAW[card], float(hand.count(card))) for card in dict.fromkeys(hand)]

    def sample(self, state: IsoldeState, rng: random.Random) -> Move:
        """Return a random card of the hand."""
        hand = state.hands[state.agenda[-1].colour]
        return _DRAW[hand[floor(rng.random() * len(hand))]]

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Play the card."""
        state.actors = ()
        turn_up(state, state.agenda.pop().colour, _DRAWN[move], fx)


class Route(Playing):
    """The choice of a board for a card that was turned up and fits more than one."""

    name = "route"

    def playable(self, state: IsoldeState) -> Sequence[Card]:
        """Return only the card turned up."""
        return (CARD[state.agenda[-1].data[0]],)

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Ask the decider of the colour."""
        return (state.decider(state.agenda[-1].colour),)


# ------------------------------------------------------------------ scoring and the close
class Score(AgendaStep):
    """The boards that are due in this round are scored one after another."""

    name = "score"

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Score boards until one of them puts something else on the agenda."""
        agenda, boards = state.agenda, state.rules.board
        while agenda and agenda[-1].step == self.name:
            board = boards[agenda.pop().data[0]]
            if board.due(state):
                if fx is not None:
                    order = state.order[board.slot][:]
                    tell(fx, "scoring", board=board.id, order=order, unmoved=board.unmoved(state))
                board.score(state, fx)
        return ()


class Close(AgendaStep):
    """Boards are reset, and the next round begins or the match ends."""

    name = "close"

    def open(self, state: IsoldeState, fx: Facts) -> tuple[int, ...]:
        """Report the results of the round, close the boards, and begin the next round or end the
        match.
        """
        rules = state.rules
        state.agenda.pop()
        if fx is not None:
            tell(
                fx,
                "round_over",
                round=state.round,
                won=won_in(state, state.round),
                standings=board_standings(state),
            )
        for board in rules.closing[state.round]:
            board.close_round(state, fx)
        if state.round == rules.numbers.rounds:
            end(state, fx)
        else:
            starter = state.appointed
            if starter == NOBODY:
                starters = rules.seating.starters
                starter = starters[(starters.index(state.starter) + 1) % len(starters)]
            state.round += 1
            begin_round(state, starter)
        return ()


STEPS: tuple[AgendaStep, ...] = (Lot(), Deal(), Turn(), NeutralCard(), Route(), Score(), Close())


# ---------------------------------------------------------------------------- the account
def won_in(state: IsoldeState, round_: int) -> list[dict[str, Any]]:
    """Return the shields won in a round; the value of a face-down shield is None."""
    return [
        {
            "colour": colour if shield.giver == NOBODY else shield.giver,
            "board": shield.board,
            "value": shield.value if shield.known is None else None,
        }
        for colour, shields in enumerate(state.shields)
        for shield in shields
        if shield.round == round_
    ]


def board_standings(state: IsoldeState) -> dict[str, dict[str, list[int]]]:
    """Return the positions and order on the boards that were scored for points in this round. They
    are still the same as at the scoring, because nothing has moved since Isolde and Magie were
    scored.
    """
    return {
        board.id: {
            "positions": state.positions[board.slot][:],
            "order": state.order[board.slot][:],
        }
        for board in state.rules.boards
        if board.scores and board.due(state)
    }


def totals(state: IsoldeState) -> list[int]:
    """Return the points of each colour, including face-down shields."""
    return [sum([shield.value for shield in shields]) for shields in state.shields]


def scores(state: IsoldeState) -> list[int]:
    """Return the points of each seat: the sum over its colours."""
    points = [0] * state.rules.players
    for owner, total in zip(state.rules.seating.owners, totals(state), strict=True):
        if owner is not None:
            points[owner] += total
    return points


def end(state: IsoldeState, fx: Facts) -> None:
    """Turn all shields face up and report the final scores."""
    for colour, shields in enumerate(state.shields):
        if any(shield.known is not None for shield in shields):
            state.shields[colour] = tuple([shield._replace(known=None) for shield in shields])
    if fx is None:
        return
    points = scores(state)
    best = max(points)
    tell(
        fx,
        "over",
        reveals=True,
        reason="points",
        totals=totals(state),
        scores=points,
        winners=[seat for seat, own in enumerate(points) if own == best],
    )
