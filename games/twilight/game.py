"""The rules of Twilight; the package describes notation, views and facts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import floor
from typing import Any

from games.engine import CHANCE, Event, Fact, GameInfo, Move, Option, Outcome, Setup, View, shuffled
from games.house import LOT, NOBODY, HouseGame, or_nobody, or_none, tell
from games.prepared import Prepared
from games.twilight import notation
from games.twilight.cards import (
    CARDS,
    CULTS,
    DECK,
    MOON,
    PURGATORY,
    RANK,
    SETS,
    SUN,
    Account,
    account,
    in_order,
)
from games.twilight.position import (
    DEAL,
    GIVE,
    NEUMOND,
    NEUMOND_SIGN,
    ORDER,
    OVER,
    PLACES,
    PLAY,
    DealOutcome,
    Trick,
    TwilightState,
    seating_for,
)

TRICKS = len(DECK) // PLACES
GOAL = 1000
"""Points that end the match. A side that reaches them wins unless another has more."""

EXACT_GOALS = (333, 666, 999)
"""In the variant, reaching one of these totals exactly wins, however many points others have; the
strongest first.
"""

DEALS_MAX = 42
"""The match ends after this many deals at the latest; in practice a match takes less than half of
them. It is a multiple of three, so that three players have played alone equally often by then.
"""

ROTATING, ROUNDS, FIXED = "rotating", "rounds", "fixed"
"""Who plays alone among three players: each in turn until somebody wins; each in turn, ending only
after a complete round; always the same player.
"""

BACKS = "?"
"""In a deal as a viewer sees it, this replaces the place of each card that the viewer may
not see.
"""


# --------------------------------------------------------------------------- the rules
class Twilight(HouseGame[TwilightState]):
    """Win souls in tricks, and sanctuaries of your own cult to multiply those souls."""

    info = GameInfo(
        id="twilight",
        rules=1,
        players=(3, 4),
        options=(
            Option("exact", "bool", default=False),
            Option(
                "lone",
                "choice",
                ROTATING,
                choices=(ROTATING, ROUNDS, FIXED),
                players=frozenset({3}),
            ),
        ),
        places=False,  # the rulebook only names a winner
        hidden=True,
        chance="sampled",
        accounts=frozenset({"totals"}),
        max_branching=2 * TRICKS + 2,
        max_events=1 + DEALS_MAX * (1 + 2 * len(DECK)),
    )

    notation = notation

    def __init__(self) -> None:
        self._known = Prepared(self._knowledge)

    def _knowledge(self, view: View) -> Known:
        return _known(self.start(Setup(view.players, view.options, seed="")), view)

    # -- the course of a match
    def start(self, setup: Setup) -> TwilightState:
        """Return the position before the lot that decides who leads first; nothing is dealt yet."""
        return TwilightState(
            options=dict(setup.options),
            phase=LOT,
            actors=(CHANCE,),
            seating=seating_for(setup.players, 0),
            totals=[0] * setup.players,
        )

    def legal(self, state: TwilightState, seat: int) -> list[Move]:
        """Return cards, each hand in the order of the deck; then orders, in the order of places."""
        return state.choices()

    def do(self, state: TwilightState, seat: int, move: Move, fx: list[Fact] | None = None) -> None:
        """Play, order or give a card, and then make the forced moves; or apply the lot, or deal."""
        state.ply += 1
        if seat == CHANCE:
            if state.phase == LOT:
                # This seat leads first; with three players it plays alone.
                forehand = int(move.removeprefix("lead:")) - 1
                state.seating = seating_for(len(state.totals), forehand)
                state.phase = DEAL
            else:
                _deal(state, move, fx)
            return
        due: Move | None = move
        forced = False
        while due is not None:
            if due in state.seating.targets:
                _order(state, due, forced, fx)
            else:
                _lay(state, due, forced, fx)
            due, forced = state.forced(), True

    def outcome(self, state: TwilightState) -> Outcome | None:
        """Return the ranking by exact goals, then by points; partners share a rank and count as
        one.
        """
        if state.phase != OVER:
            return None
        standings = [_standing(state, seat) for seat in range(len(state.totals))]
        rivals: Iterable[tuple[int, int]] = set(standings) if _in_teams(state) else standings
        ranks = tuple(1 + sum(other > mine for other in rivals) for mine in standings)
        return Outcome(ranks, tuple(map(float, state.totals)), _reason(state))

    # -- chance
    def chance(self, state: TwilightState) -> list[tuple[Move, float]] | None:
        """Return the lot, in which every seat is equally likely to lead first. None for deals,
        because there are too many to list.
        """
        if state.phase == LOT:
            return [(f"lead:{seat + 1}", 1.0) for seat in range(len(state.totals))]
        return None

    def sample(self, state: TwilightState, rng: random.Random) -> Move:
        """Draw who leads first, or deal seven cards to each place."""
        if state.phase == LOT:
            return super().sample(state, rng)
        return "deal:" + "".join(shuffled(rng, "1234" * TRICKS))

    # -- knowledge
    def public(self, state: TwilightState) -> dict[str, Any]:
        """Return everything that is open; of other cards, only the backs."""
        seating, hands = state.seating, state.hands
        known = state.phase != LOT
        places = range(PLACES)
        return {
            "places": [_named(state, place) for place in places] if known else None,
            "dealer": seating.dealer if known else None,
            "lone": None if not known or seating.lone == NOBODY else seating.lone,
            "moon": [len(hands[2 * place + MOON]) for place in places],
            "sun": [len(hands[2 * place + SUN]) for place in places],
            "open": _hand_at(state, NEUMOND) if seating.lone != NOBODY else None,
            "lead": or_none(state.lead),
            "turn": or_none(state.turn),
            "ordered": or_none(state.ordered),
            "table": _laid(state.lead, state.table, state.givers),
            "pending": state.pending[:],
            "tricks": [or_none(winner) for winner in state.winners],
            "last": None if state.last is None else _shown(state.last),
            "totals": state.totals[:],
            "neumond": _of_neumond(state),
            "accounts": [_accounted(reckoning) for reckoning in state.accounts],
        }

    def private(self, state: TwilightState, seat: int) -> dict[str, Any]:
        """Return the seat's hand, and the cards that everyone has seen but that are now face down:
        people may remember them, but not look them up.
        """
        if state.phase not in (PLAY, GIVE):
            return {}
        place = state.seating.seats.index(seat)
        return {
            "hand": _hand_at(state, place),
            "taken": [in_order(pile) for pile in state.piles],
        }

    def determinize(self, view: View, rng: random.Random) -> TwilightState:
        """Return the position that the view describes; unknown cards are dealt at random,
        consistent with the backs.
        """
        known, unseen = self._known(view)
        state = known.clone()
        for unknown, hands, piles in unseen:
            cards, dealt = shuffled(rng, unknown), 0
            for hand, missing in hands:
                state.hands[hand] = in_order(state.hands[hand] + cards[dealt : dealt + missing])
                dealt += missing
            for side, missing in piles:
                state.piles[side] += cards[dealt : dealt + missing]
                dealt += missing
        return state

    def observed(self, state: TwilightState, event: Event, viewer: int | None) -> Move:
        """In a deal, show a viewer only their own cards and Neumond's."""
        if event.seat != CHANCE or state.phase == LOT:
            return event.move
        seats = state.seating.seats
        shown = {str(place + 1) for place in range(PLACES) if seats[place] in (viewer, NOBODY)}
        what, _, places = event.move.partition(":")
        return f"{what}:{''.join(place if place in shown else BACKS for place in places)}"

    def shown(self, fact: Fact) -> tuple[int, Move] | None:
        """Return a card or an order, forced or not, by the seat that decides for the place."""
        if fact.kind == "played":
            return fact.data["by"], fact.data["card"]
        if fact.kind == "ordered":
            target = fact.data["target"]
            return fact.data["by"], ORDER + (NEUMOND_SIGN if target is None else str(target + 1))
        return None

    def covered(self, state: TwilightState) -> range:
        """Return the events of the tricks that are complete in this deal. The position after them
        may be shown, because it shows only the last trick.
        """
        return range(state.dealt_at, state.trick_at)

    # -- speed
    def random_move(self, state: TwilightState, seat: int, rng: random.Random) -> Move:
        """Return a random legal move; all are equally likely."""
        choices = state.choices()
        return choices[floor(rng.random() * len(choices))]

    def facts(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return facts: the points and deals that end the match; whether sides rather than single
        players have an account; whether the lone player changes; and whether the match ends only
        after all players have played alone equally often.
        """
        lone = FIXED if players == PLACES else options["lone"]
        return {
            **super().facts(players, options),
            "goal": GOAL,
            "deals": DEALS_MAX,
            "sides": lone == FIXED,
            "alone_in_turn": lone != FIXED,
            "complete": lone == ROUNDS,
        }

    # -- notation
    def typed(self, text: str, names: Sequence[str]) -> str:
        """Let an order name a player, by a whole name or an unambiguous beginning of one of its
        words.
        """
        return notation.of_players(text, names)


# ------------------------------------------------------------------------ lots and deals
def _deal(state: TwilightState, move: Move, fx: list[Fact] | None) -> None:
    """Deal the cards; the move lists their places in the order of the deck."""
    seating, places = state.seating, move.removeprefix("deal:")
    for cult, names in enumerate(SETS):
        hands = dict(zip("1234", state.hands[cult::2], strict=True))
        for name, place in zip(names, places[cult * len(names) :], strict=False):
            hands[place].append(name)
    state.lead = seating.seats.index(seating.forehand)
    state.dealt_at = state.trick_at = state.ply
    _pass_the_turn(state, state.lead)
    if fx is not None:
        tell(
            fx,
            "dealt",
            reveals=True,
            round=state.round,
            dealer=seating.dealer,
            forehand=seating.forehand,
            lone=or_none(seating.lone),
        )


# ------------------------------------------------------------------------------- a trick
def _pass_the_turn(state: TwilightState, place: int) -> None:
    """Give a place the turn; the card for it may come from another hand."""
    state.turn, state.phase, state.ordered = place, PLAY, NOBODY
    state.actors = state.seating.controllers[place]


def _order(state: TwilightState, move: Move, forced: bool, fx: list[Fact] | None) -> None:
    seating = state.seating
    target = seating.targets[move]
    state.phase, state.ordered = GIVE, target
    state.actors = seating.controllers[target]
    if fx is not None:
        tell(
            fx,
            "ordered",
            seat=_named(state, state.turn),
            target=_named(state, target),
            by=state.seating.controllers[state.turn][0],
            cult=CULTS[state.turn % 2],
            forced=forced,
        )


def _lay(state: TwilightState, card: Move, forced: bool, fx: list[Fact] | None) -> None:
    """Add a card to the trick for the place whose turn it is; the fourth card completes the
    trick.
    """
    turn, ordered, hands = state.turn, state.ordered, state.hands
    hand = 2 * (turn if ordered == NOBODY else ordered) + turn % 2
    if card not in hands[hand]:  # the lone player took the card from their other hand
        hand = next(hand for hand in state.seating.own[turn] if card in hands[hand])
    hands[hand].remove(card)
    state.table.append(card)
    state.givers.append(hand // 2)
    if fx is not None:
        tell(
            fx,
            "played",
            reveals=state.seating.seats[hand // 2] != NOBODY,
            seat=_named(state, turn),
            giver=_named(state, hand // 2),
            by=state.actors[0],
            card=card,
            forced=forced,
        )
    if len(state.table) == PLACES:
        _end_trick(state, fx)
    else:
        _pass_the_turn(state, (turn + 1) % PLACES)


def _end_trick(state: TwilightState, fx: list[Fact] | None) -> None:
    """Let the highest card take everything on the table; of equal cards, the first. If it is a
    purgatory, the cards stay there, and its place leads next.
    """
    table = state.table
    ranks = [RANK[card] for card in table]
    best = max(ranks)
    place = (state.lead + ranks.index(best)) % PLACES
    winner = NOBODY if best == PURGATORY else place
    state.last = Trick(state.seating.seats, state.lead, table, state.givers, winner)
    state.winners.append(winner)
    state.pending += table
    if fx is not None:
        tell(
            fx,
            "trick_lies" if winner == NOBODY else "trick_won",
            seat=_named(state, place),
            number=len(state.winners),
            cards=table[:],
            lying=len(state.pending),
        )
    if winner != NOBODY:
        state.piles[winner % 2] += state.pending
        state.pending = []
    state.table, state.givers = [], []
    state.lead, state.trick_at = place, state.ply
    if len(state.winners) < TRICKS:
        _pass_the_turn(state, place)
    else:
        _end_deal(state, fx)


# -------------------------------------------------------------------------- after a deal
def _end_deal(state: TwilightState, fx: list[Fact] | None) -> None:
    """Score the piles; cards still on the table count for nobody. Then deal again, or end the
    match.
    """
    seating = state.seating
    accounts = [account(pile, cult) for cult, pile in enumerate(state.piles)]
    state.accounts.append(DealOutcome(seating.lone, *accounts))
    for cult in (MOON, SUN):
        for seat in seating.side(cult):
            state.totals[seat] += accounts[cult].points
    if seating.lone != NOBODY:
        state.neumond += accounts[MOON].points
    if fx is not None:
        _tell_reckoning(state, accounts, fx)
    state.pending, state.piles, state.winners = [], [[], []], []
    state.lead = state.turn = NOBODY
    if _is_over(state):
        _end(state, fx)
    else:
        _clear_for_next_deal(state)


def _tell_reckoning(state: TwilightState, accounts: list[Account], fx: list[Fact]) -> None:
    if state.pending:
        tell(fx, "neutral", cards=state.pending[:])
    for cult in (MOON, SUN):
        tell(
            fx,
            "scored",
            cult=CULTS[cult],
            seats=state.seating.side(cult),
            cards=in_order(state.piles[cult]),
            souls=accounts[cult].souls,
            factor=accounts[cult].factor,
            points=accounts[cult].points,
        )
    tell(fx, "totals", round=state.round, totals=state.totals[:], neumond=_of_neumond(state))


def _clear_for_next_deal(state: TwilightState) -> None:
    """Pass the deal to the left with four players. With three, unless the lone player is fixed, the
    right neighbour plays alone next, and the left neighbour moves to Neumond's old place and deals.
    """
    players, forehand = len(state.totals), state.seating.forehand
    if players == PLACES:
        forehand = (forehand + 1) % players
    elif state.options["lone"] != FIXED:
        forehand = (forehand - 1) % players
    state.seating = seating_for(players, forehand)
    state.phase, state.actors = DEAL, (CHANCE,)
    state.round += 1


# --------------------------------------------------------------------- after the last one
def _is_over(state: TwilightState) -> bool:
    """Return whether the deal just scored was the last one."""
    if state.round == DEALS_MAX:
        return True
    if state.options.get("lone") == ROUNDS and state.round % len(state.totals):
        return False
    exact, points = max(_standing(state, seat) for seat in range(len(state.totals)))
    if exact:
        return True
    # Two sides with equal points continue; single players share the victory.
    return points >= GOAL and not (_in_teams(state) and len(set(state.totals)) == 1)


def _standing(state: TwilightState, seat: int) -> tuple[int, int]:
    """Return the sort key of a seat: first its exact goal, if any, the strongest sorted highest;
    then its points.
    """
    total = state.totals[seat]
    if state.options["exact"] and total in EXACT_GOALS:
        return len(EXACT_GOALS) - EXACT_GOALS.index(total), total
    return 0, total


def _in_teams(state: TwilightState) -> bool:
    """Return whether the same two teams play the whole match, rather than each player for
    themselves.
    """
    return len(state.totals) == PLACES or state.options["lone"] == FIXED


def _end(state: TwilightState, fx: list[Fact] | None) -> None:
    state.phase, state.actors = OVER, ()
    if fx is not None:
        standings = [_standing(state, seat) for seat in range(len(state.totals))]
        winners = [seat for seat, standing in enumerate(standings) if standing == max(standings)]
        tell(fx, "over", reason=_reason(state), winners=winners, totals=state.totals[:])


def _reason(state: TwilightState) -> str:
    exact, points = max(_standing(state, seat) for seat in range(len(state.totals)))
    if exact:
        return "exact"
    return "goal" if points >= GOAL else "deals"


# ------------------------------------------------------------------------------ knowledge
def _laid(lead: int, cards: list[str], givers: list[int]) -> list[dict[str, Any]]:
    """Return the cards of a trick in order of play, each with its place and its giver."""
    return [
        {"place": (lead + n) % PLACES, "giver": giver, "card": card}
        for n, (card, giver) in enumerate(zip(cards, givers, strict=True))
    ]


def _shown(trick: Trick) -> dict[str, Any]:
    """Return a complete trick as shown in views, with seats instead of places."""
    laid = _laid(trick.lead, trick.cards, trick.givers)
    return {
        "laid": [
            {
                "seat": or_none(trick.seats[each["place"]]),
                "giver": or_none(trick.seats[each["giver"]]),
                "card": each["card"],
            }
            for each in laid
        ],
        "winner": None if trick.winner == NOBODY else (trick.winner - trick.lead) % PLACES,
    }


@lru_cache(maxsize=1 << 10)
def _accounted(reckoning: DealOutcome) -> dict[str, Any]:
    # Finished deals never change, so views share their data.
    return {
        "lone": or_none(reckoning.lone),
        **{
            cult: {**account._asdict(), "points": account.points}
            for cult, account in zip(CULTS, reckoning[1:], strict=True)
        },
    }


def _hand_at(state: TwilightState, place: int) -> list[str]:
    return state.hands[2 * place] + state.hands[2 * place + 1]


def _named(state: TwilightState, place: int) -> int | None:
    """Return the seat at a place; None for Neumond."""
    return or_none(state.seating.seats[place])


def _of_neumond(state: TwilightState) -> int | None:
    return None if len(state.totals) == PLACES else state.neumond


# ---------------------------------------------------------------------- sampling worlds
Unseen = tuple[list[str], list[tuple[int, int]], list[tuple[int, int]]]
"""The cards of a cult that a view does not show, in the order of the deck; the hands that hold some
of them, and how many; and the sides that have taken some of them, and how many.
"""

Known = tuple[TwilightState, list[Unseen]]
"""A position without the cards that its view does not show, and these cards by cult."""


def _known(state: TwilightState, view: View) -> Known:
    """Return the position without the cards that the view does not show, and these cards."""
    public = view.public
    if public["places"] is not None:
        dealer = public["dealer"]
        state.seating = seating_for(view.players, (dealer + 1) % view.players)
    state.phase, state.actors = view.phase, view.actors
    state.lead, state.turn = or_nobody(public["lead"]), or_nobody(public["turn"])
    state.ordered = or_nobody(public["ordered"])
    state.table = [laid["card"] for laid in public["table"]]
    state.givers = [laid["giver"] for laid in public["table"]]
    state.pending = list(public["pending"])
    state.winners = [or_nobody(winner) for winner in public["tricks"]]
    if public["last"] is not None:
        state.last = _trick(public["last"])
    state.totals = list(public["totals"])
    state.neumond = public["neumond"] or 0
    state.accounts = [_reckoned(accounted) for accounted in public["accounts"]]
    state.ply, state.round = view.ply, view.round
    if view.phase not in (PLAY, GIVE):
        return state, []
    _place_known_cards(state, view)
    return state, _unseen(state, view)


def _trick(shown: dict[str, Any]) -> Trick:
    """Undo ``_shown``: return the trick, with places counted from the lead."""
    laid = shown["laid"]
    seats = tuple(or_nobody(each["seat"]) for each in laid)
    givers = [seats.index(or_nobody(each["giver"])) for each in laid]
    return Trick(seats, 0, [each["card"] for each in laid], givers, or_nobody(shown["winner"]))


def _reckoned(accounted: dict[str, Any]) -> DealOutcome:
    accounts = (Account(accounted[cult]["souls"], accounted[cult]["factor"]) for cult in CULTS)
    return DealOutcome(or_nobody(accounted["lone"]), *accounts)


def _place_known_cards(state: TwilightState, view: View) -> None:
    """Place the viewer's hand, Neumond's hand, and those cards of the piles that the viewer
    knows.
    """
    if view.viewer is not None:
        place = state.seating.seats.index(view.viewer)
        _give(state, place, view.private["hand"])
        state.piles = [list(pile) for pile in view.private["taken"]]
    elif state.last is not None and state.winners and state.winners[-1] != NOBODY:
        state.piles[state.winners[-1] % 2] = state.last.cards[:]
    if view.public["open"] is not None:
        _give(state, NEUMOND, view.public["open"])


def _unseen(state: TwilightState, view: View) -> list[Unseen]:
    """Return all other cards, and how many of them each hand and pile still needs to reach its
    known size: each trick contained two cards of each cult.
    """
    known = {*state.table, *state.pending}.union(*state.hands, *state.piles)
    sizes = _pile_sizes(state)
    unseen = []
    for cult, names in enumerate(SETS):
        hands, piles = [], []
        for hand, backs in zip(range(cult, 2 * PLACES, 2), view.public[CULTS[cult]], strict=True):
            missing = backs - len(state.hands[hand])
            if missing:
                hands.append((hand, missing))
        for side, pile in enumerate(state.piles):
            missing = sizes[side] // 2 - sum(CARDS[card].cult == cult for card in pile)
            if missing:
                piles.append((side, missing))
        unseen.append(([name for name in names if name not in known], hands, piles))
    return unseen


def _pile_sizes(state: TwilightState) -> list[int]:
    """Return how many cards each cult has taken, worked out from the winners of the tricks."""
    sizes, lying = [0, 0], 0
    for winner in state.winners:
        lying += PLACES
        if winner != NOBODY:
            sizes[winner % 2] += lying
            lying = 0
    return sizes


def _give(state: TwilightState, place: int, cards: Iterable[str]) -> None:
    for name in cards:
        state.hands[2 * place + CARDS[name].cult].append(name)
