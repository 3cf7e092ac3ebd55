"""Lancelot's position in words: the description of the picture, and the table as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from data.texts import N_, Texts, series
from games.lancelot.position import LEAD_MAX
from render.lancelot.ground import FieldGeometry
from render.lancelot.marks import led, position_from_view, takes
from render.names import short_names, spoken_names
from render.scene import Scene, first_fitting
from render.theme import SEATS
from render.words import SEAT_LOOKS, seat_to_move, standing, title_words


def description(scene: Scene) -> str:
    """Return the position in words, with the stones by square; if there is not enough room, leave
    out the leads, then group the stones by column, then leave out the news and shorten names, and
    finally give only whose turn it is, Excalibur, the counters and the stones.
    """
    names = spoken_names(scene.names, scene.say)
    short = short_names(names)
    begin = [*_opening(scene, names), *_news(scene, names)]
    listed = list(_sides(scene, names, _listed))
    attempts = (
        [*begin, *_leads(scene, names), *listed],
        [*begin, *listed],
        [*begin, *_sides(scene, names, _gathered)],
        [*_opening(scene, short), *_sides(scene, short, _gathered)],
        [_turn(scene, short), *_bare_sides(scene, short)],
    )
    return first_fitting((" ".join(filter(None, said)) for said in attempts), scene.say)


def _opening(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    say, public = scene.say, scene.view.public
    yield title_words("Lancelot", scene)
    yield _turn(scene, names)
    first, last = public["corners"]
    yield say.plural(
        "Board {first} to {last}; taking {n} stone wins.",
        "Board {first} to {last}; taking {n} stones wins.",
        public["goal"],
        first=first,
        last=last,
    )
    if public["excalibur"]:
        yield say("Excalibur is on {square}.", square=public["excalibur"])


def _turn(scene: Scene, names: Sequence[str]) -> str:
    view, seat = scene.view, seat_to_move(scene.view)
    if view.phase in _DUE and seat is not None:
        return scene.say(_DUE[view.phase], name=names[seat])
    return standing(view, names, scene.say)


_DUE = {
    "sword": N_("{name} has to place Excalibur."),
    "stone": N_("{name} has moved Excalibur and now has to place a stone."),
}


def _news(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    """Yield the events since the last picture."""
    say = scene.say
    for fact in scene.facts:
        data = fact.data
        name = names[data["seat"]] if "seat" in data else ""
        match fact.kind:
            case "placed":
                yield say("{name} places a stone on {square}.", name=name, square=data["square"])
            case "captured":
                yield say("{name} takes {squares}.", name=name, squares=say.list(data["squares"]))
            case "sword_set":
                yield say("{name} places Excalibur on {square}.", name=name, square=data["square"])
            case "sword_moved":
                where = {"origin": data["origin"], "square": data["square"]}
                yield say("Excalibur moves from {origin} to {square}.", **where)
            case "passed":
                yield say("{name} passes.", name=name)


def _leads(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    """Yield sentences about the lines to which the leader may not add a stone."""
    state, say = position_from_view(scene.view), scene.say
    full = [(seat, line) for line, seat, lead in led(state) if lead >= LEAD_MAX]
    for seat, name in enumerate(names):
        lines = [line_in_words(*state.field.labels[line], say) for s, line in full if s == seat]
        if lines:
            yield say("{name} leads {lines} by two or more.", name=name, lines=say.list(lines))


def line_in_words(kind: str, name: str, say: Texts) -> str:
    """Return a line in words: row 7, column K, the diagonal D4–K11; in German with the preposition,
    which depends on the kind of line.
    """
    match kind:
        case "row":
            return say("row {name}", name=name)
        case "column":
            return say("column {name}", name=name)
        case _:
            return say("the diagonal {name}", name=name.replace("-", "–"))


def warning(scene: Scene, seat: int) -> str:
    """Describe the stones that a single stone of a seat would take; squares on which it would take
    the most come first.
    """
    say, name = scene.say, spoken_names(scene.names, scene.say)[seat]
    taking = takes(position_from_view(scene.view), seat)
    if not taking:
        return say("No stone of {name}'s would take anything now.", name=name)
    ways = [
        say("{square} takes {squares}", square=square, squares=say.list(taken))
        for square, taken in sorted(taking.items(), key=lambda way: -len(way[1]))
    ]
    attempts = (
        say(
            "What a stone of {name}'s would take: {ways}.", name=name, ways=series(ways[:most], say)
        )
        for most in range(len(ways), 0, -1)
    )
    return first_fitting(attempts, say)


def _sides(
    scene: Scene, names: Sequence[str], squares: Callable[[list[str]], str]
) -> Iterator[str]:
    """Yield one sentence per seat: its counters and its stones."""
    say, public = scene.say, scene.view.public
    for seat, name in enumerate(names):
        counters = [
            say("{n} taken", n=public["captured"][seat]),
            say("{n} left to place", n=public["stock"][seat]),
        ]
        if public["power"][seat]:
            counters.append(say("King's power unused"))
        side = {"name": name, "look": say(SEAT_LOOKS[seat]), "counters": ", ".join(counters)}
        if own := _stones(public, seat):
            yield say(
                "{name} ({look}): {counters}; stones {squares}.", **side, squares=squares(own)
            )
        else:
            yield say("{name} ({look}): {counters}; no stones on the field.", **side)


def _bare_sides(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    public = scene.view.public
    if public["excalibur"]:
        yield f"Excalibur {public['excalibur']}."
    for seat, name in enumerate(names):
        counters = f"{public['captured'][seat]}/{public['goal']}, {public['stock'][seat]}"
        yield f"{name} {counters}: {_gathered(_stones(public, seat))}."


def _stones(public: Mapping[str, Any], seat: int) -> list[str]:
    """Return the squares of a seat's stones, column by column."""
    own = [square for square, owner in public["board"].items() if owner == seat]
    return sorted(own, key=lambda square: (square[0], int(square[1:])))


def _listed(squares: list[str]) -> str:
    return ", ".join(squares)


def _gathered(squares: list[str]) -> str:
    """Return ``A1,2,5 C3``: the letter of each column once, followed by its rows."""
    columns = groupby(squares, itemgetter(0))
    return " ".join(letter + ",".join(s[1:] for s in column) for letter, column in columns)


def _grid(scene: Scene) -> Iterator[str]:
    """Yield the field as a grid, with each stone shown as the number of its seat, and Excalibur as
    X.
    """
    public = scene.view.public
    lines = FieldGeometry.of(scene).lines
    ranks = [lines.names[n : n + lines.size] for n in range(0, len(lines.names), lines.size)]
    header = "    " + " ".join(name[0] for name in ranks[0])
    yield header
    for rank in reversed(ranks):
        number = rank[0][1:]
        yield f"{number:>3} " + " ".join(_figure(public, name) for name in rank) + f" {number}"
    yield header


def _figure(public: Mapping[str, Any], square: str) -> str:
    if square == public["excalibur"]:
        return "X"
    seat = public["board"].get(square)
    return "." if seat is None else str(seat + 1)


def listing(scene: Scene) -> str:
    """Return the field as a grid, followed by whose turn it is, the news, and each seat's counters
    and stones.
    """
    names = spoken_names(scene.names, scene.say)
    told = [*_grid(scene), "", *_opening(scene, names), *_news(scene, names), ""]
    sides = enumerate(_sides(scene, names, _listed))
    return "\n".join([*told, *(f"{n + 1} {SEATS[n].sign} {side}" for n, side in sides)])
