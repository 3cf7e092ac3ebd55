"""What the pictures read from a view: prizes, places, points, the next scoring, and who acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.engine import Fact, View
from games.isolde import NUMBERS

BoardView = Mapping[str, Any]

ROMAN = ("", "I", "II", "III", "IV", "V", "VI")
FEW = 2
"""More rounds in a row than this are written as a span."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What a place on a board would win now.

    :param text: the text on the shield or ribbon.
    :param worth: whether the prize is a shield; if not, it is fields to move, or a rule.
    :param colours: the colours that would get it now.
    :param field: the field from which on it is won; None for a prize that depends on the place.
    """

    text: str
    worth: bool
    colours: tuple[int, ...]
    field: int | None = None


def prizes(view: View, board: str) -> list[Prize]:
    """Return the prizes of a board from top to bottom. The best place comes first; penalties begin
    with last place, and points for fields with the lowest field.

    A board that a variant changes is recognised by its keys in the view or by the variant's option.
    """
    here = view.public["boards"][board]
    match board:
        case "ISOLDE" | "MAGIE":
            return list(_favours(here))
        case "STUDIEN" if "places" in here:
            return list(_codex(here))
        case "STUDIEN":
            return list(_penalties(here, NUMBERS.studien_last, NUMBERS.studien_second_last))
        case "KOENIG":
            return list(_fields(here))
        case "GRAL" if view.options["gral"]:
            return list(_reckoning(here))
        case "BARM" if view.options["barm"]:
            return list(_exchange(here))
        case "BARM":
            return list(_penalties(here, NUMBERS.barm_last, NUMBERS.barm_second_last))
        case _:
            return [
                Prize(str(value), worth=True, colours=_at(here, place))
                for place, value in enumerate(_values(here))
            ]


def _values(here: BoardView) -> Sequence[int]:
    """Return a list of prizes; they are higher for the knight whose side the cup is on."""
    wins = here.get("cup", 0) * here.get("side", 0) > 0
    values: Sequence[int] = here["victor_prizes"] if wins else here["prizes"]
    return values


def _at(here: BoardView, place: int) -> tuple[int, ...]:
    return tuple(here["order"][place : place + 1])


def _favours(here: BoardView) -> Iterator[Prize]:
    """Yield prizes that are fields to move (for each card, if there are bets) or bonuses, of which
    there are five in all.
    """
    left = 5
    for place, number in enumerate(here["prizes"]):
        text = f"+{number}"
        if "bets" in here:
            text = f"×{number}"
        elif "taken" in here:
            text, left = f"{min(number, left)}★", left - number
        yield Prize(text, worth=False, colours=_at(here, place))


def _penalties(here: BoardView, last: int, second_last: int) -> Iterator[Prize]:
    """Yield the penalties for last place and, if there are at least four colours, for second-last
    place.
    """
    bottom = unmoved(here) or here["order"][-1:]
    above = [colour for colour in here["order"] if colour not in bottom]
    yield Prize(signed(last), worth=True, colours=tuple(bottom))
    if len(here["positions"]) > 3:
        exposed = above[-1:] if len(bottom) == 1 else []
        yield Prize(signed(second_last), worth=True, colours=tuple(exposed))


def _fields(here: BoardView) -> Iterator[Prize]:
    """Yield the points for each scoring field, the lowest first, with the colours that have got
    that far and no further.
    """
    steps = [tuple(step) for step in here.get("points", NUMBERS.koenig_points)]
    positions = here["positions"]
    for field, points in reversed(steps):
        beyond = [other for other, _ in steps if other > field]
        colours = [
            colour
            for colour, position in enumerate(positions)
            if position >= field and not any(position >= other for other in beyond)
        ]
        yield Prize(str(points), True, tuple(colours), field)


def _codex(here: BoardView) -> Iterator[Prize]:
    """Yield a face-down shield for each place of the codex, with the colour that has taken it."""
    for place in here["places"]:
        taker = place["taker"]
        yield Prize("?", worth=True, colours=() if taker is None else (taker,))


def _reckoning(here: BoardView) -> Iterator[Prize]:
    """Yield the points for sets of shields; last place loses points."""
    for place, shields in enumerate(NUMBERS.grail_shields):
        yield Prize(
            "+1" if shields == 1 else f"+1/{shields}", worth=False, colours=_at(here, place)
        )
    last = unmoved(here) or here["order"][-1:]
    yield Prize(f"−1/{NUMBERS.grail_last}", worth=False, colours=tuple(last))


def _exchange(here: BoardView) -> Iterator[Prize]:
    """Yield the shields that can be taken in exchange for a negative one."""
    claims = NUMBERS.charity_claims[: 2 if len(here["positions"]) > 3 else 1]
    for place, number in enumerate(claims):
        yield Prize(f"{number} ↔ 1", worth=False, colours=_at(here, place))


def unmoved(here: BoardView) -> list[int]:
    """Return the colours whose pieces have not moved on a board."""
    return [colour for colour, position in enumerate(here["positions"]) if not position]


def ranking(here: BoardView) -> list[tuple[int, int, int]]:
    """Return (place, colour, field), first place first; pieces that have not moved share the last
    place.
    """
    order, positions = here["order"], here["positions"]
    moved = [(place, colour, positions[colour]) for place, colour in enumerate(order, 1)]
    return moved + [(len(positions), colour, 0) for colour in unmoved(here)]


def next_scoring(view: View, board: str) -> int | None:
    """Return the round in which a board will be scored next; None if it will not be scored again,
    or only once a scroll is taken.
    """
    here = view.public["boards"][board]
    if view.outcome is not None:
        return None
    if here["due"]:
        return view.round
    return next((round_ for round_ in here["rounds"] if round_ >= view.round), None)


def is_done(view: View, board: str) -> bool:
    """Return whether a board was scored for the last time in an earlier round."""
    here = view.public["boards"][board]
    return not here["due"] and max(here["rounds"], default=view.round) < view.round


def scored_together(view: View) -> list[tuple[tuple[int, ...], list[str]]]:
    """Return the boards by the rounds in which they are scored, those scored most often first;
    boards that are scored whenever a scroll is taken come last, with no rounds.
    """
    together: dict[tuple[int, ...], list[str]] = {}
    for board, here in view.public["boards"].items():
        rounds = () if waits_for_scroll(view, board) else tuple(here["rounds"])
        together.setdefault(rounds, []).append(board)
    return sorted(together.items(), key=lambda each: (-len(each[0]), each[0]))


def in_roman(rounds: Sequence[int]) -> str:
    """Return rounds in Roman numerals; three or more in a row as a span."""
    if len(rounds) > FEW and rounds[-1] - rounds[0] == len(rounds) - 1:
        return f"{ROMAN[rounds[0]]}–{ROMAN[rounds[-1]]}"
    return " ".join(ROMAN[each] for each in rounds)


def waits_for_scroll(view: View, board: str) -> bool:
    """Return whether a board is scored whenever a scroll is taken."""
    return "scrolls" in view.public["boards"][board]


def on_lap(field: int) -> tuple[int, int]:
    """Return, for a piece that has moved, how many laps it has completed and its field on the track
    (1..lap).
    """
    laps, index = divmod(field - 1, NUMBERS.lap)
    return laps, index + 1


def open_points(view: View, colour: int) -> tuple[int, int]:
    """Return a colour's public points, and how many face-down shields it has."""
    shields = view.public["shields"][colour]
    seen = [shield["value"] for shield in shields if shield["value"] is not None]
    return sum(seen), len(shields) - len(seen)


def acting(view: View) -> tuple[int, ...]:
    """Return the colours for which somebody has to decide."""
    due = view.public["colour"]
    if not any(seat >= 0 for seat in view.actors):
        return ()
    if due is not None:
        return (due,)
    return tuple(c for c, owner in enumerate(view.public["owners"]) if owner in view.actors)


def winners(view: View) -> tuple[int, ...]:
    """Return the colours of the winners."""
    if view.outcome is None:
        return ()
    seats = view.outcome.winners()
    return tuple(c for c, owner in enumerate(view.public["owners"]) if owner in seats)


class Advance(NamedTuple):
    """A piece that has moved: from field ``origin`` to ``field``, both counted over all laps."""

    board: str
    colour: int
    origin: int
    field: int


def moved(facts: Sequence[Fact]) -> Iterator[Advance]:
    """Yield the pieces that have moved, oldest move first."""
    for fact in facts:
        if fact.kind in ("played", "moved"):
            yield Advance(*(fact.data[key] for key in Advance._fields))


def signed(value: int) -> str:
    """Return a number with its sign, using a true minus sign."""
    return f"+{value}" if value > 0 else str(value).replace("-", "−")
