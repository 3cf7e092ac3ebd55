"""Single knock-out: losers are out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from play.pairings.meetings import Meeting, Round, bye, seated


def knockout_rounds(places: int) -> int:
    """Return the number of rounds needed until one place is left."""
    return (places - 1).bit_length()


def bracket(places: int) -> list[int]:
    """Return the places from top to bottom of the bracket, padded to a power of two; numbers from
    ``places`` on represent byes. The two best can meet only in the final, the four best only from
    the semi-finals on, and so on; the best places get the byes.
    """
    order = [0]
    while len(order) < places:
        last = 2 * len(order) - 1
        order = [place for top in order for place in (top, last - top)]
    return order


def first_round(places: int) -> Round:
    """Return the first round, from top to bottom of the bracket."""
    order = bracket(places)
    pairs = zip(order[::2], order[1::2], strict=True)
    return tuple(
        bye(top) if low >= places else seated((top, low), (), turn)
        for turn, (top, low) in enumerate(pairs)
    )


def next_round(past: Sequence[Round], gone: Callable[[int], bool]) -> Round:
    """Return the pairs of the next round: winners of the last round, each against its neighbour.

    :param gone: returns whether a place has left; such a place loses without a match.
    """
    winners = [meeting.winner() for meeting in past[-1]]
    pairs = zip(winners[::2], winners[1::2], strict=True)
    return tuple(walkover(seated(pair, past, turn), gone) for turn, pair in enumerate(pairs))


def walkover(meeting: Meeting, gone: Callable[[int], bool]) -> Meeting:
    """Return a meeting, decided at once if someone has left, who then comes last. If everyone has
    left, the better seed wins.
    """
    left = [place for place in meeting.players if not gone(place)]
    if len(left) == len(meeting.players):
        return meeting
    best = left or [min(meeting.players)]
    ranks = tuple(1 if place in best else len(best) + 1 for place in meeting.players)
    return Meeting(meeting.players, ranks, played=False)


def places_after(past: Sequence[Round]) -> dict[int, int]:
    """Return the rank of each place. Places not yet knocked out share rank 1; then come those that
    lost in the latest round, and so on. With eight places, the ranks at the end are 1, 2, 3, 3, 5,
    5, 5, 5.
    """
    ranks: dict[int, int] = {}
    for meetings in reversed(past):
        for meeting in meetings:
            winner = meeting.winner() if meeting.over else None
            for place in meeting.players:
                if place not in ranks:
                    through = winner in (None, place)
                    ranks[place] = 1 if through else len(meetings) + 1
    return ranks
