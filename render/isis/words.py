"""The pictures of Isis in words: descriptions, and the position as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from data.texts import N_, Texts, series
from games.engine import Fact, Move, View
from games.isis import Isis, IsisState, dangers, position_of
from games.isis.board import (
    LANES,
    PERSONAL,
    SQUARES,
    THRONES,
    TURN,
    UNDERWORLD,
    column,
    move_name,
    row,
)
from render.names import short_names, spoken_names
from render.scene import Scene, first_fitting
from render.theme import SEATS
from render.words import SEAT_LOOKS, seat_to_move, standing, title_words

AMULET_NAMES = {
    "ankh": N_("ankh"),
    "was": N_("was sceptre"),
    "djed": N_("djed pillar"),
    "scarab": N_("scarab"),
    "papyrus": N_("papyrus stem"),
    "udjat": N_("udjat eye"),
    "tyet": N_("knot of Isis"),
}

LETTERS = "abcd"
"""The letter that stands for each seat's stone in the text's plan of the board."""

FIGURE = 4
"""How many characters a square takes in the plan."""

HALF = 8
"""How many columns each half of the plan has."""


# ----------------------------------------------------------------------------- description
def description(scene: Scene) -> str:
    """Return the position in words; if that is too long, leave out the paths, then the news, and
    finally shorten the names.
    """
    names = spoken_names(scene.names, scene.say)
    short = short_names(names)
    attempts = (names, True), (names, False), (names, None), (short, None)
    return first_fitting((_described(scene, *attempt) for attempt in attempts), scene.say)


def _described(scene: Scene, names: Sequence[str], paths: bool | None) -> str:
    """Return all sentences.

    :param paths: whether the news describes the paths of stones; None: leave out the news.
    """
    news = () if paths is None else _news(scene, names, paths)
    return " ".join([*_opening(scene, names), *news, *_position(scene, names)])


def _opening(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    say, steps = scene.say, scene.view.public["steps"]
    yield title_words("Isis", scene)
    yield _turn(scene, names)
    yield say(
        "Steps: {below} from the underworld, {in_play} for stones in play.",
        below=steps["below"],
        in_play=steps["in_play"],
    )


def is_drawn(view: View) -> bool:
    """Return whether a match has ended without a winner."""
    return view.outcome is not None and len(view.outcome.winners()) == view.players


def _turn(scene: Scene, names: Sequence[str]) -> str:
    if is_drawn(scene.view):
        return scene.say("The match has ended in a draw.")
    return standing(scene.view, names, scene.say)


def _news(scene: Scene, names: Sequence[str], paths: bool) -> Iterator[str]:
    """Yield the events since the last picture."""
    say = scene.say
    for fact in scene.facts:
        data = fact.data
        name = names[data["seat"]] if "seat" in data else ""
        match fact.kind:
            case "moved":
                yield _moved(fact, name, say, paths)
            case "turned":
                amulet = say(AMULET_NAMES[data["amulet"]])
                where = {"square": data["square"], "amulet": amulet}
                yield say("{name} turns the stone on {square} over: {amulet}.", name=name, **where)
            case "locked":
                squares = say.list([str(square) for square in data["squares"]])
                yield say("Locked in and sent to the underworld: {squares}.", squares=squares)
            case "placed":
                yield say("{name} takes the throne {square}.", name=name, square=data["square"])
            case "passed":
                yield say("{name} can do nothing and passes.", name=name)


def _moved(fact: Fact, name: str, say: Texts, whole: bool) -> str:
    """Return a move with all the squares that the stone has touched, or with its start and end
    only.
    """
    path = fact.data["path"] if whole else (fact.data["origin"], fact.data["square"])
    squares = " – ".join(square_in_words(square, say) for square in path)
    return say("{name} moves: {squares}.", name=name, squares=squares)


def square_in_words(square: int, say: Texts) -> str:
    """Return a square in words: its number, or the underworld."""
    return say("underworld") if square == UNDERWORLD else str(square)


def _position(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    """Yield all stones, those that may not move, those in danger, the thrones within reach, and the
    possible moves.
    """
    say, position = scene.say, position_of(scene.view)
    yield _neutral(position, say)
    for seat, name in enumerate(names):
        look, stone = say(SEAT_LOOKS[seat]), personal(position, seat, say)
        yield say("{name} ({look}): {stone}.", name=name, look=look, stone=stone)
    if not scene.view.actors:
        return
    if position.ban == UNDERWORLD:
        yield say("No neutral stone may leave the underworld now.")
    elif position.ban in position.neutral:
        yield say("The stone on {square} must not be moved now.", square=position.ban)
    if squares := [str(square) for square in in_danger(scene, position)]:
        yield say("In danger of being locked in: {squares}.", squares=say.list(squares))
    for square in within_reach(scene, position):
        yield say("{name} can take the throne {square}.", name=names[position.turn], square=square)
    if scene.legal:
        yield say("Possible: {moves}.", moves=possible(scene.legal, say))


def in_danger(scene: Scene, position: IsisState) -> list[int]:
    """Return the squares of stones that could soon be locked in, if warnings are switched on at the
    table.
    """
    if not (scene.view.actors and scene.view.options["hints"]):
        return []
    return [danger.square for danger in dangers(position)]


def within_reach(scene: Scene, position: IsisState) -> list[int]:
    """Return the thrones that the seat to move can take now, if warnings are switched on at the
    table.
    """
    seat = seat_to_move(scene.view)
    if seat is None or not scene.view.options["hints"]:
        return []
    return thrones_of(position, seat)


def thrones_of(position: IsisState, seat: int) -> list[int]:
    """Return the thrones that the seat's own stone could take if it were allowed to move."""
    own = position.personal[seat]
    if own <= UNDERWORLD:
        return []
    moves = position.moves_of(own, personal=True, descending=False)
    return [throne for throne in THRONES if move_name(own, throne, personal=True) in moves]


def _neutral(position: IsisState, say: Texts) -> str:
    squares = say.list([str(square) for square in position.neutral])
    where = {"squares": squares or say("none"), "below": position.below}
    return say("Neutral stones in play: {squares}; in the underworld: {below}.", **where)


def personal(position: IsisState, seat: int, say: Texts) -> str:
    """Return a seat's own stone and where it is; if the seat has taken a throne, return the place
    it won.
    """
    if seat in position.placed:
        return say("place {n}", n=position.placed.index(seat) + 1)
    if not position.turned[seat]:
        return say("no stone turned over")
    amulet, square = say(AMULET_NAMES[position.amulets[seat]]), position.personal[seat]
    if square == UNDERWORLD:
        return say("{amulet} in the underworld", amulet=amulet)
    return say("{amulet} on {square}", amulet=amulet, square=square)


def possible(moves: Sequence[Move], say: Texts) -> str:
    """List moves grouped by stone: ``14 to 16, 21 or 26; turn over 40``."""
    onward = [move for move in moves if not move.startswith(TURN)]
    turnings = [move.removeprefix(TURN) for move in moves if move.startswith(TURN)]
    parts = []
    for origin, same in groupby(onward, lambda move: move.split("-")[0]):
        ends = [square_in_words(int(move.split("-")[1]), say) for move in same]
        stone = square_in_words(int(origin.removeprefix(PERSONAL)), say)
        if origin.startswith(PERSONAL):
            stone = say("own stone ({place})", place=stone)
        parts.append(say("{stone} to {ends}", stone=stone, ends=say.list(ends, choice=True)))
    if turnings:
        parts.append(say("turn over {squares}", squares=say.list(turnings, choice=True)))
    return series(parts, say)


# ------------------------------------------------------------------------------------ text
def text(scene: Scene) -> str:
    """Return the plan, then everything else in sentences, including the possible moves of the seat
    to move.
    """
    names = spoken_names(scene.names, scene.say)
    told = [*_opening(scene, names), *_news(scene, names, paths=True)]
    return "\n".join([*_plan(scene), "", *told, "", *_position(_with_moves(scene), names)])


def _with_moves(scene: Scene) -> Scene:
    """Return the scene with the legal moves of the seat to move; everyone may see them."""
    seat = seat_to_move(scene.view)
    if scene.legal or seat is None:
        return scene
    return replace(scene, legal=tuple(Isis().legal(position_of(scene.view), seat)))


def _plan(scene: Scene) -> Iterator[str]:
    """Yield the board in characters: a star after a square means a neutral stone, a letter a
    player's own stone. The right half is below the left half, because whole rows are too wide for a
    phone.
    """
    position = position_of(scene.view)
    for left in (0, HALF):
        for line in range(4):
            here = {column(sq): sq for sq in SQUARES if row(sq) == line}
            squares = (here[at] for at in range(left, left + HALF) if at in here)
            figures = "".join(_figure(position, square) for square in squares)
            yield (figures if left else _below(position, line) + figures).rstrip()
        yield ""
    yield scene.say("* neutral stone")
    for seat, name in enumerate(spoken_names(scene.names, scene.say)):
        yield f"{LETTERS[seat]} {SEATS[seat].sign} {name}"


def _figure(position: IsisState, square: int) -> str:
    mark = " "
    if square in position.neutral:
        mark = "*"
    elif square in position.personal:
        mark = LETTERS[position.personal.index(square)]
    return f"{square:>{FIGURE - 1}}{mark}"


def _below(position: IsisState, line: int) -> str:
    """Return the part of the underworld on a line of the plan: the underworld takes up two lines,
    with its stones on the upper one. Return an empty text for all other lines.
    """
    if line in (0, 3):
        return ""
    own = [LETTERS[seat] for seat, sq in enumerate(position.personal) if sq == UNDERWORLD]
    stones = f"  0 {'*' * position.below}{''.join(own)}" if line == 1 else ""
    return f"{stones:<{FIGURE * len(LANES[0])}}"
