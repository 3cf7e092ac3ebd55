"""Don Quixote in words: the descriptions of its pictures and the position as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from data.texts import N_, Texts, series
from games.donquixote import rating, scoring_account
from games.donquixote.principality import Principality
from games.donquixote.tiles import (
    CASTLES,
    CHURCH,
    COLUMNS,
    FIELDS,
    KNIGHT,
    PIECES,
    PORTS,
    ROWS,
    SANCHO,
    TURNED,
    WAY_TILES,
    WINDMILL,
    Tile,
    neighbour,
)
from render.names import short_names, spoken_names
from render.scene import Scene, first_fitting
from render.theme import SEATS
from render.words import SEAT_LOOKS, standing, title_words

ROUNDS = 3
FREE = "–"

RATINGS = {
    "fantastic": N_("fantastic"),
    "excellent": N_("excellent"),
    "very_good": N_("very good"),
    "good": N_("good"),
    "fair": N_("fair"),
    "windmills": N_("a fight against windmills"),
}
"""Verdicts on the result of a solo match."""

ARROWS = {"N": "↑", "NE": "↗", "NW": "↖", "S": "↓", "SE": "↘", "SW": "↙"}
"""The directions of roads that leave a tile; in the upper half they point up, in the lower half
down.
"""

ROADS = "↖↑↗↙↓↘"
"""The order in which the directions are listed."""

SIDES = {
    "N": N_("above"),
    "NE": N_("upper right"),
    "SE": N_("lower right"),
    "S": N_("below"),
    "SW": N_("lower left"),
    "NW": N_("upper left"),
}
"""The side on which a road enters a field."""

WHY_NOT = {
    "not_on_border_field": N_("not on the border"),
    "inner_half": N_("inner half"),
    "no_direct_road": N_("no direct road out"),
}
"""Reasons why a knight does not defend the country."""


Tiles = Callable[[Mapping[str, str], Texts], str]
"""Describes the tiles in a principality."""


# -------------------------------------------------------------------------- descriptions
def board_in_words(scene: Scene) -> str:
    """Describe all principalities with the roads that lead to the field to fill. If there is not
    enough room, leave out the news, then list tiles row by row, then cut names, and finally
    describe roads only by the fields they come from.
    """
    names = spoken_names(scene.names, scene.say)
    attempts = _attempts(scene, names, short_names(names))
    return first_fitting(map(" ".join, attempts), scene.say)


def _attempts(scene: Scene, names: Sequence[str], short: Sequence[str]) -> Iterator[list[str]]:
    """Yield descriptions of all principalities, from the longest to the shortest."""
    opening, news = list(_opening(scene, names)), list(_news(scene, names))
    listed = list(_with_roads(scene, names, _listed))
    yield [*opening, *news, *listed]
    yield [*opening, *listed]
    yield [*opening, *_with_roads(scene, names, _in_rows)]
    yield [*_opening(scene, short), *_with_roads(scene, short, _in_rows)]
    yield [*_opening(scene, short), *_with_roads(scene, short, _in_rows, briefly=True)]


def _with_roads(
    scene: Scene, names: Sequence[str], tiles: Tiles, briefly: bool = False
) -> Iterator[str]:
    """Yield each principality with the roads that lead to the field."""
    for seat in range(len(names)):
        yield from _sides(scene, names, [seat], tiles)
        if roads := _roads_to_field(scene, seat, briefly):
            yield roads


def hand_in_words(scene: Scene, seat: int, choice: str | None = None) -> str:
    """Describe the principality and the hand of a seat.

    :param choice: the piece that the reader has chosen for the field; it is still sealed.
    """
    say, public = scene.say, scene.view.public
    names = spoken_names(scene.names, say)
    tiles = _named(public["hands"][seat], say)
    hand = say("Hand: {tiles}.", tiles=tiles) if tiles else ""
    chosen = say("You have chosen {tile}; nobody else sees it yet.", tile=choice) if choice else ""
    shown = scene if choice is None else _with_choice(scene, seat, choice)
    sides = list(_sides(shown, names, [seat], _listed))
    opening, lock = list(_opening(scene, names)), list(_lock(scene, seat))
    to_field, joined = _roads_to_field(shown, seat), _joined(shown, seat)
    attempts = (
        [*opening, chosen, *sides, to_field, joined, hand, *lock],
        [*opening, chosen, *sides, to_field, hand, *lock],
    )
    return first_fitting((" ".join(filter(None, said)) for said in attempts), say)


def _with_choice(scene: Scene, seat: int, choice: str) -> Scene:
    """Return the scene with the chosen piece on its field, as the picture shows it."""
    public = scene.view.public
    boards = list(public["boards"])
    boards[seat] = {**boards[seat], public["field"]: choice}
    return replace(scene, view=replace(scene.view, public={**public, "boards": boards}))


def advised_in_words(scene: Scene, seat: int, way: str) -> str:
    """Say what a scoring now would give if the advised piece ``way`` were placed."""
    say, view = scene.say, scene.view
    field = view.public["field"]
    reasons = reckoned({**view.public["boards"][seat], field: way}, view.round)
    points = say.plural("{n} point", "{n} points", reasons["points"])
    briefly = [
        say("{tile} on {field}.", tile=tile_in_words(way, say), field=field),
        say(_BRINGS[way.endswith(TURNED)], points=points),
    ]
    attempts = [*briefly, *account_lines(reasons, say)], briefly
    return first_fitting(map(" ".join, attempts), say)


_BRINGS = (
    N_("Unturned, it would be worth {points} if scored now."),
    N_("Turned, it would be worth {points} if scored now."),
)


def account_in_words(scene: Scene, seat: int, reasons: Mapping[str, Any]) -> str:
    """Describe a scoring of one principality, with the reasons for its points."""
    say = scene.say
    name = spoken_names(scene.names, say)[seat]
    heading = say.plural(
        "Scoring {round}: {name} gets {n} point.",
        "Scoring {round}: {name} gets {n} points.",
        reasons["points"],
        round=reasons["round"],
        name=name,
    )
    lines = list(account_lines(reasons, say))
    return first_fitting([" ".join([heading, *lines]), heading], say)


def account_lines(reasons: Mapping[str, Any], say: Texts) -> Iterator[str]:
    """Yield sentences about each category of a scoring."""
    for castle in reasons["castles"]:
        yield say.plural(
            "Castle {value} on {field}: {present} of {n} knight ({fields}), {points}.",
            "Castle {value} on {field}: {present} of {n} knights ({fields}), {points}.",
            castle["need"],
            value=castle["value"],
            field=castle["field"],
            present=len(castle["knights"]),
            fields=" ".join(castle["knights"]) or FREE,
            points=castle["points"],
        )
    for message, kind in ((CHURCHES, "churches"), (WINDMILLS, "windmills")):
        groups = [
            f"{' '.join(group['fields'])} ({group['points']})"
            for group in reasons[kind]["groups"]
            if group["points"]
        ]
        yield say(message, groups=", ".join(groups) or FREE, points=reasons[kind]["points"])
    yield from _defence(reasons["defence"], say)
    if reasons["group"] is not None:
        largest = max(reasons["group"]["groups"], key=lambda group: group["strength"])
        yield say(
            "Largest group of knights: {fields}, {points}.",
            fields=" ".join(largest["fields"]),
            points=reasons["group"]["points"],
        )


CHURCHES = N_("Churches: {groups}, {points}.")
WINDMILLS = N_("Windmills: {groups}, {points}.")


def _defence(defence: Mapping[str, Any], say: Texts) -> Iterator[str]:
    knights = defence["knights"]
    guards = [
        f"{knight['field']} ({knight['strength']})"
        for knight in knights
        if knight["status"] == "defends"
    ]
    yield say(
        "National defence {strength} of {need}: {guards}, {points}.",
        strength=defence["strength"],
        need=defence["need"],
        guards=" ".join(guards) or FREE,
        points=defence["points"],
    )
    for status, why in WHY_NOT.items():
        fields = [knight["field"] for knight in knights if knight["status"] == status]
        if fields:
            yield say("Not defending, {why}: {fields}.", why=say(why), fields=" ".join(fields))


def tile_in_words(tile: str, say: Texts) -> str:
    """Return the name of a tile and its symbol, whichever way up it is."""
    piece = PIECES[tile].tile
    return f"{piece.name} ({symbol_in_words(piece, say)})"


def piece_in_words(piece: str, say: Texts) -> str:
    """Return the symbol of a tile as it lies, and the directions of its roads:
    ``knight 2 ↖ ↙ ↓``.
    """
    here = PIECES[piece]
    roads = sorted((ARROWS[port] for port in here.exits), key=ROADS.index)
    shown = f"{symbol_in_words(here.tile, say)} {' '.join(roads)}"
    return shown if here.symbol_up else say("{kind}, turned", kind=shown)


def symbol_in_words(tile: Tile, say: Texts) -> str:
    """Return the symbol of a tile in words."""
    if tile.symbol == KNIGHT:
        return say("knight {strength}", strength=tile.worth)
    return say(_SYMBOLS[tile.symbol]) if tile.symbol in _SYMBOLS else say("crossroads")


_SYMBOLS = {CHURCH: N_("church"), WINDMILL: N_("windmill")}


def reckoned(board: Mapping[str, str], round_: int) -> Mapping[str, Any]:
    """Return the result of ``scoring_account``, computed once for all pictures of a move. Callers
    must not modify it.
    """
    return _reckoned(tuple(board.items()), round_)


@lru_cache(maxsize=64)
def _reckoned(board: tuple[tuple[str, str], ...], round_: int) -> Mapping[str, Any]:
    return scoring_account(dict(board), round_)


def points_now(board: Mapping[str, str], round_: int) -> int:
    """Return the points that a scoring of a principality would give now."""
    return sum(Principality.of(board).score(round_))


# ------------------------------------------------------------------------------ sentences
def _opening(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    say, view = scene.say, scene.view
    yield title_words(say("Don Quixote"), scene)
    if view.outcome is not None and view.players == 1:
        verdict = say(RATINGS[rating(view.public["totals"][0])])
        yield say("The game is over: {verdict}.", verdict=verdict)
    else:
        yield standing(view, names, say)
    field = view.public["field"]
    if field is not None:
        yield say(
            "Round {round} of {rounds}, placement {number} of {of}: field {field}.",
            round=view.round,
            rounds=ROUNDS,
            number=view.public["placed"] + 1,
            of=view.public["hand_size"],
            field=field,
        )


def _news(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    """Yield the tiles laid since the last picture."""
    for fact in scene.facts:
        if fact.kind == "placed":
            data = fact.data
            yield scene.say(
                "{name} lays {tile} on {field}.",
                name=names[data["seat"]],
                tile=data["tile"] + (TURNED if data["turned"] else ""),
                field=data["field"],
            )


def _sides(scene: Scene, names: Sequence[str], seats: Iterable[int], tiles: Tiles) -> Iterator[str]:
    """Yield a sentence for each seat: its points and its tiles."""
    say, view = scene.say, scene.view
    for seat in seats:
        yield say(
            "{name} ({look}): {points}; {tiles}.",
            name=names[seat],
            look=say(SEAT_LOOKS[seat]),
            points=_points(scene, seat),
            tiles=tiles(view.public["boards"][seat], say),
        )


def _roads_to_field(scene: Scene, seat: int, briefly: bool = False) -> str:
    """Return the roads of a principality that lead to the field to fill.

    :param briefly: leave out the side from which each road comes, because its field shows that.
    """
    say, field = scene.say, scene.view.public["field"]
    board = scene.view.public["boards"][seat]
    if field is None or field in board:
        return ""
    met = [(port, there) for port in PORTS if (there := neighbour(field, port)) is not None]
    roads = [
        other if briefly else f"{say(SIDES[port])} ({other})"
        for port, (other, its_port) in met
        if other in board and its_port in PIECES[board[other]].exits
    ]
    if not roads:
        return say("No road leads to {field}.", field=field)
    return say("Roads lead to {field}: {places}.", field=field, places=", ".join(roads))


def _joined(scene: Scene, seat: int) -> str:
    """Return the fields of a principality that are joined by roads."""
    networks = reckoned(scene.view.public["boards"][seat], scene.view.round)["networks"]
    fields = [list(dict.fromkeys(half[:-1] for half in network)) for network in networks]
    chains = ["-".join(each) for each in fields if len(each) > 1]
    return scene.say("Joined by roads: {fields}.", fields=", ".join(chains)) if chains else ""


def _points(scene: Scene, seat: int) -> str:
    """Return the points of the scorings so far, and those that a scoring now would give."""
    say, view = scene.say, scene.view
    points = say.plural("{n} point", "{n} points", view.public["totals"][seat])
    if view.outcome is not None:
        return points
    now = points_now(view.public["boards"][seat], view.round)
    return say("{points}, {now} more if scored now", points=points, now=now)


def _lock(scene: Scene, seat: int) -> Iterator[str]:
    locked = scene.view.public["locked"][seat]
    if locked is not None:
        yield scene.say("{tile} is laid last.", tile=locked)


def _named(tiles: Sequence[str], say: Texts) -> str:
    return ", ".join(tile_in_words(tile, say) for tile in tiles)


def _listed(board: Mapping[str, str], say: Texts) -> str:
    """Return fields with their pieces, in reading order."""
    return ", ".join(f"{field} {board[field]}" for field in FIELDS if field in board) or FREE


def _in_rows(board: Mapping[str, str], say: Texts) -> str:
    """Return the fields row by row, with a dash for each free field."""
    rows = ([board.get(column + row, FREE) for column in COLUMNS] for row in ROWS)
    told = (f"{row} {' '.join(pieces)}" for row, pieces in zip(ROWS, rows, strict=True))
    return series(told, say)


# ----------------------------------------------------------------------------------- text
def position_as_text(scene: Scene) -> Iterator[str]:
    """Yield everything public, and the viewer's sealed choice: principalities, hands, points, and a
    description of the tiles.
    """
    say, view = scene.say, scene.view
    names = spoken_names(scene.names, say)
    yield from _opening(scene, names)
    choice = view.private.get("choice")
    if choice:
        yield say("You have chosen {tile}; nobody else sees it yet.", tile=choice)
    for seat, name in enumerate(names):
        yield ""
        yield from _side_as_text(scene, seat, name)
    yield ""
    yield from _key(say, view.options["sancho"])


def _side_as_text(scene: Scene, seat: int, name: str) -> Iterator[str]:
    say, public = scene.say, scene.view.public
    yield f"{SEATS[seat].sign} {name}{say.colon} {_points(scene, seat)}"
    yield from _grid(public["boards"][seat])
    hand = public["hands"][seat]
    if hand:
        yield say("Hand: {tiles}.", tiles=" ".join(hand))
        yield from _lock(scene, seat)
    if public["sancho"][seat]:
        yield say("Sancho Pansa is still to be laid.")
    if scene.view.outcome is None:
        reasons = reckoned(public["boards"][seat], scene.view.round)
        yield say("Now: {categories}.", categories=series(_categories(reasons, say), say))


def _grid(board: Mapping[str, str]) -> Iterator[str]:
    """Yield the fields as a grid with the names of columns and rows."""
    width = max(map(len, board.values()), default=0)
    yield "   " + " ".join(f"{column:<{width}}" for column in COLUMNS).rstrip()
    for row in ROWS:
        pieces = (f"{board.get(column + row, FREE):<{width}}" for column in COLUMNS)
        yield f"{row}  {' '.join(pieces)}".rstrip()


def _categories(reasons: Mapping[str, Any], say: Texts) -> Iterator[str]:
    """Yield each category of a scoring in a few words: progress, fields and points."""
    for castle in reasons["castles"]:
        reached = f"{len(castle['knights'])}/{castle['need']}"
        what = say("castle {value}", value=castle["value"])
        yield _category(f"{what} {reached}", castle["knights"], castle["points"], say)
    for what, kind in ((say("churches"), "churches"), (say("windmills"), "windmills")):
        scoring = [group["fields"] for group in reasons[kind]["groups"] if group["points"]]
        yield _category(what, chain.from_iterable(scoring), reasons[kind]["points"], say)
    defence = reasons["defence"]
    guards = [each["field"] for each in defence["knights"] if each["status"] == "defends"]
    reached = f"{defence['strength']}/{defence['need']}"
    yield _category(f"{say('national defence')} {reached}", guards, defence["points"], say)
    if reasons["group"] is not None:
        largest = max(reasons["group"]["groups"], key=lambda group: group["strength"])
        yield _category(say("group of knights"), largest["fields"], reasons["group"]["points"], say)


def _category(what: str, fields: Iterable[str], points: int, say: Texts) -> str:
    where = " ".join(fields)
    head = f"{what} ({where})" if where else what
    return f"{head}{say.colon} {points}"


def _key(say: Texts, sancho: bool) -> Iterator[str]:
    """Yield the content of every tile in its unturned position, with a line for each symbol."""
    yield say(
        "The tiles, unturned (r: turned upside down). Roads leave the upper half at ↑ ↖ ↗, the"
        " lower half at ↓ ↙ ↘; + joins the halves, / parts them."
    )
    kinds: dict[str, list[str]] = {}
    for tile in (*CASTLES, *WAY_TILES, *([SANCHO] if sancho else [])):
        kind = say("castle") if tile in CASTLES else symbol_in_words(tile, say)
        kinds.setdefault(kind, []).append(f"{tile.name} {_roads(tile)}")
    for kind, tiles in kinds.items():
        yield f"{kind}{say.colon} {', '.join(tiles)}"


def _roads(tile: Tile) -> str:
    """Return the roads of a tile as arrows: ``↑+↓``, ``↑↖/–``."""
    halves = ("".join(ARROWS[port] for port in sorted(half)) for half in (tile.upper, tile.lower))
    return ("+" if tile.linked else "/").join(arrows or FREE for arrows in halves)
