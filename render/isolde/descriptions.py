"""The pictures in words, at full length or as briefly as the limit requires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from data.texts import N_, Texts, series
from games.engine import View
from render.isolde.sheet import RoundSheet
from render.isolde.standings import (
    ROMAN,
    is_done,
    next_scoring,
    open_points,
    prizes,
    ranking,
    signed,
    unmoved,
    waits_for_scroll,
)
from render.isolde.words import (
    DRAFTING,
    TOLD,
    board_name,
    card_name,
    cards_in_words,
    colour_names,
    deeds,
    field_in_words,
    heading,
    request,
)
from render.names import short_names, spoken_names
from render.scene import Scene, first_fitting
from render.theme import SEATS
from render.words import standing


# --------------------------------------------------------------------------- the board
def board_in_words(scene: Scene) -> str:
    """Describe whose turn it is, the points, every piece on every board, the cards played in this
    round and the last events; if there is not enough room, use signs in place of names, then
    shorten names, then leave out the events.
    """
    return first_fitting(_descriptions(scene), scene.say)


def _descriptions(scene: Scene) -> Iterator[str]:
    """Yield descriptions, from the longest to the shortest."""
    names = spoken_names(scene.names, scene.say)
    for brief, seats in ((False, names), (True, names), (True, short_names(names))):
        yield " ".join(_board(scene, seats, brief))
    yield " ".join(_board(scene, short_names(names), brief=True, events=False))


def _board(
    scene: Scene, seats: Sequence[str], brief: bool, *, events: bool = True
) -> Iterator[str]:
    """Yield the sentences about the board.

    :param events: whether to include the last events.
    """
    view, say = scene.view, scene.say
    colours = colour_names(view, seats, say)
    signs = [seat.sign for seat in SEATS]
    yield say(
        "Fair Isolde, round {n} of {all}. {standing}",
        n=view.round,
        all=view.public["rounds"],
        standing=standing(view, seats, say),
    )
    if brief:
        yield ", ".join(f"{signs[c]} {name}" for c, name in enumerate(colours)) + "."
    names = signs if brief else colours
    points = [f"{name} {_points(view, c)}" for c, name in enumerate(names[: len(colours)])]
    yield say("Points: {points}.", points=", ".join(points))
    yield from _all_pieces(view, names, say)
    yield from _cards_played(view, names, brief, say)
    told = [f"{names[e.colour]} {e.what}, {e.how}" for e in list(deeds(scene))[-TOLD:]]
    if told and events:
        yield say("Just now: {events}.", events=series(told, say))
    yield from _particulars(view, names, say)


def _cards_played(view: View, names: Sequence[str], brief: bool, say: Texts) -> Iterator[str]:
    """Yield the cards played in this round, each with its board if the card does not name it."""
    sides = []
    for name, played in zip(names, view.public["played"], strict=False):
        cards = [_played_card(card, board, say) for card, board in played]
        if cards:
            sides.append(f"{name} {(' ' if brief else ', ').join(cards)}")
    if sides:
        yield say("Played: {cards}.", cards=series(sides, say))


def _played_card(card: str, board: str, say: Texts) -> str:
    """Return the card, such as ``Grail 4``; if it was played on a board with another name, return
    that board and the value, such as ``Jousting 3``.
    """
    return card_name(card, say) if card[:-1] == board else f"{board_name(board, say)} {card[-1]}"


def _all_pieces(view: View, names: Sequence[str], say: Texts) -> Iterator[str]:
    for board in view.public["boards"]:
        yield f"{_title(view, board, say)}{say.colon} {_pieces(view, board, names, say)}."


def _points(view: View, colour: int) -> str:
    points, dark = open_points(view, colour)
    return str(points).replace("-", "−") + " + ?" * dark


def _title(view: View, board: str, say: Texts) -> str:
    """Return the name of a board, and when it will next be scored."""
    name = board_name(board, say)
    coming = next_scoring(view, board)
    if coming is None:
        return f"{name} ({say('scroll')})" if waits_for_scroll(view, board) else name
    return f"{name} ({ROMAN[coming]})"


def _pieces(view: View, board: str, names: Sequence[str], say: Texts) -> str:
    """Return the pieces on a board, first place first; on the same field, the piece on top is
    ahead.
    """
    here = view.public["boards"][board]
    order, positions = here["order"], here["positions"]
    parts = [f"{names[colour]} {positions[colour]}" for colour in order]
    waiting = [names[colour] for colour in unmoved(here)]
    if waiting:
        parts.append(f"{say('start')}{say.colon} {', '.join(waiting)}")
    return ", ".join(parts)


def _particulars(view: View, names: Sequence[str], say: Texts) -> Iterator[str]:
    """Yield what variants add: the chalice, bets, scrolls, the codex."""
    boards = view.public["boards"]
    if "cup" in boards["LANZE"]:
        yield cup_in_words(boards["LANZE"]["cup"], say)
    bets = [
        f"{names[colour]} {board_name(bet, say)}"
        for colour, bet in enumerate(boards["ISOLDE"].get("bets", ()))
        if bet
    ]
    if bets:
        yield say("Bets: {bets}.", bets=", ".join(bets))
    if boards["KOENIG"].get("scrolls"):
        fields = say.list([str(field) for field in boards["KOENIG"]["scrolls"]])
        yield say("Scrolls lie on {fields}.", fields=fields)
    places = boards["STUDIEN"].get("places")
    if places:
        free = [str(n) for n, place in enumerate(places, 1) if place["taker"] is None]
        if free:
            yield say("Free places of the codex: {places}.", places=", ".join(free))


def cup_in_words(field: int, say: Texts) -> str:
    """Return the position of the chalice."""
    if field == 0:
        return say("The chalice is in the middle.")
    if field > 0:
        return say.plural(
            "The chalice is {n} field towards the White Knight (Tournament).",
            "The chalice is {n} fields towards the White Knight (Tournament).",
            field,
        )
    return say.plural(
        "The chalice is {n} field towards the Black Knight (Jousting).",
        "The chalice is {n} fields towards the Black Knight (Jousting).",
        -field,
    )


# ---------------------------------------------------------------------------- the hand
def hand_in_words(scene: Scene) -> str:
    """Return the question and everything that the viewer may look at, followed by the boards in as
    much detail as there is room for; they are left out of a hand that is shown to others.
    """
    asked = heading(scene, spoken_names(scene.names, scene.say))
    private = " ".join([asked, *private_sentences(scene)])
    if scene.shown:
        return first_fitting([private], scene.say)
    pieces = " ".join(_all_pieces(scene.view, [seat.sign for seat in SEATS], scene.say))
    descriptions = (f"{private} {board}" for board in (*_descriptions(scene), pieces))
    return first_fitting(descriptions, scene.say)


def private_sentences(scene: Scene) -> Iterator[str]:
    """Yield the viewer's cards, the open piles, and what only the viewer knows."""
    view, say = scene.view, scene.say
    names = spoken_names(scene.names, say)
    private = view.private
    drafting = view.phase in DRAFTING
    if drafting and private["pack"]:
        yield say("Pack: {cards}.", cards=cards_in_words(private["pack"], say))
    for colour, owner in enumerate(view.public["owners"]):
        if owner != view.viewer:
            continue
        who = f"{SEATS[colour].sign} " if len(view.public["owners"]) > view.players else ""
        cards = private["kept"][colour] if drafting else private["hands"][colour]
        if cards:
            told = N_("Kept: {cards}.") if drafting else N_("Hand: {cards}.")
            yield who + say(told, cards=cards_in_words(cards, say))
    for owner, piles in enumerate(view.public["piles"] if view.phase == "pile" else ()):
        for n, pile in enumerate(piles, 1):
            cards = cards_in_words(pile, say)
            yield say("Pile {n} of {name}: {cards}.", n=n, name=names[owner], cards=cards)
    yield from _secrets(view, say)


def _secrets(view: View, say: Texts) -> Iterator[str]:
    """Yield what the viewer knows about the codex and face-down shields."""
    for n, value in enumerate(view.private.get("codex", ()), 1):
        if value is not None:
            yield say("Place {n} of the codex: {value}.", n=n, value=signed(value))
    for each in view.private.get("face_down", ()):
        yield say(
            "{sign} has had a shield of {value} since round {n}.",
            sign=SEATS[each["colour"]].sign,
            value=signed(each["value"]),
            n=each["round"],
        )


# --------------------------------------------------------------------------- the sheet
def sheet_in_words(scene: Scene, account: RoundSheet) -> str:
    """Return every shield of a round, the sums, and the total points."""
    sheets = (" ".join(_sheet(scene, account, brief)) for brief in (False, True))
    return first_fitting(sheets, scene.say)


def _sheet(scene: Scene, account: RoundSheet, brief: bool) -> Iterator[str]:
    view, say = scene.view, scene.say
    colours = colour_names(view, spoken_names(scene.names, say), say)
    names = [SEATS[c].sign for c in range(len(colours))] if brief else colours
    yield say("Sheet of round {n}.", n=account.round)
    if brief:
        yield ", ".join(f"{names[c]} {name}" for c, name in enumerate(colours)) + "."
    for board, entries in account.rows.items():
        won = [
            f"{name} {_values(entry.values)} ({entry.why})"
            for name, entry in zip(names, entries, strict=True)
            if entry.values
        ]
        if won:
            yield f"{board_name(board, say)}{say.colon} {', '.join(won)}."
    for label, sums in ((say("This round"), account.sums), (say("Points"), account.totals)):
        parts = [
            f"{name} {str(points).replace('-', '−')}" + " + ?" * dark
            for name, (points, dark) in zip(names, sums, strict=True)
        ]
        yield f"{label}{say.colon} {', '.join(parts)}."


def _values(values: Sequence[int | None]) -> str:
    return " ".join("?" if value is None else signed(value) for value in values)


# ---------------------------------------------------------------------------- one board
def detail_in_words(scene: Scene, board: str) -> str:
    """Describe a board with all places, prizes and laps."""
    return first_fitting([" ".join(detail_sentences(scene, board))], scene.say)


def detail_sentences(scene: Scene, board: str) -> Iterator[str]:
    """Yield a heading, then each place with its prizes."""
    view, say = scene.view, scene.say
    names = colour_names(view, spoken_names(scene.names, say), say)
    here = view.public["boards"][board]
    due = [] if is_done(view, board) else prizes(view, board)
    yield f"{_title(view, board, say)}."
    for place, colour, field in ranking(here):
        gets = [prize.text for prize in due if colour in prize.colours]
        tail = f" → {' '.join(gets)}" if gets else ""
        yield f"{place}. {names[colour]}{say.colon} {field_in_words(field, say)}{tail}."


# ------------------------------------------------------------------------------ as text
def position_as_text(scene: Scene) -> Iterator[str]:
    """Yield everything that the viewer may see, one item per line."""
    view, say = scene.view, scene.say
    names = colour_names(view, spoken_names(scene.names, say), say)
    round_ = say("round {n} of {all}", n=view.round, all=view.public["rounds"])
    yield " · ".join(part for part in (scene.code, say("Fair Isolde"), round_) if part)
    yield request(view, spoken_names(scene.names, say), say)
    yield ""
    for colour, name in enumerate(names):
        told = f"{_points(view, colour)}{_played(view, colour, say)}"
        yield f"{SEATS[colour].sign} {name}{say.colon} {told}"
    for board in view.public["boards"]:
        yield ""
        yield from detail_sentences(scene, board)
    yield ""
    yield from _particulars(view, names, say)
    if view.private:
        yield ""
        yield from private_sentences(scene)


def _played(view: View, colour: int, say: Texts) -> str:
    played: Sequence[Any] = view.public["played"][colour]
    if not played:
        return ""
    cards = [f"{card_name(card, say)} → {board_name(board, say)}" for card, board in played]
    return " · " + ", ".join(cards)
