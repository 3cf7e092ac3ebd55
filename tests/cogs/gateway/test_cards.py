"""Messages as data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from discord import ComponentType
from hypothesis import given
from hypothesis import strategies as st

from cogs.gateway.cards import (
    Attached,
    Attachment,
    Button,
    Card,
    Entry,
    Gallery,
    Kept,
    Link,
    Part,
    PersonSelect,
    Row,
    Select,
    Style,
    card_from,
    collapsed,
    keeping,
    menus_of,
    pictures_of,
    rest_of,
    rows_of,
    with_pictures,
)
from cogs.gateway.controls import Control
from cogs.gateway.layouts import files_of, layout
from tests.cogs.gateway.stage import BOARD, EMPTY, LINK, PRESS, Sketch, board

CONTROL = Control(7, 12, "go")
LATER = Control(7, 13, "go")
MENU = Select(CONTROL, "Choose", (Entry("A", "a"), Entry("B", "b", "far", chosen=True)))
FILE = Attached(Attachment("match.txt", b"1. K4"))
FULL = Card(("Text", Gallery((EMPTY,)), FILE), ((PRESS, LINK), MENU), 0x123456)


# -------------------------------------------------------------------------------- menus
@pytest.mark.parametrize("count", [0, 1, 25, 26, 60])
def test_menus_hold_all_entries_in_order_within_discords_limits(count: int) -> None:
    entries = [Entry(f"{number} {'x' * 97}", str(number)) for number in range(count)]
    menus = menus_of(CONTROL, "Choose", entries, first=2)
    assert [entry for menu in menus for entry in menu.entries] == entries
    assert all(1 <= len(menu.entries) <= 25 for menu in menus)
    assert [menu.control.argument for menu in menus] == [str(n) for n in range(2, 2 + len(menus))]
    shown = [menu.placeholder for menu in menus]
    assert all(len(text) <= 150 for text in shown)
    assert shown == ["Choose"] if len(menus) == 1 else len({*shown}) == len(menus)


# ------------------------------------------------------------------------- fingerprints
DIFFERENT = [
    FULL,
    replace(FULL, parts=("Other", *FULL.parts[1:])),
    replace(FULL, parts=FULL.parts[::-1]),
    replace(FULL, parts=("Text", Gallery((Sketch("stone"),)), FILE)),
    replace(FULL, parts=("Text", Gallery((EMPTY, Sketch("stone"))), FILE)),
    replace(FULL, parts=("Text", Kept((("board.png", ""),)), FILE)),
    replace(FULL, parts=("Text", Kept((("board.png", "alt"),)), FILE)),
    replace(FULL, parts=("Text", Gallery((EMPTY,)), Attached(Attachment("other.txt", b"1. K4")))),
    replace(FULL, parts=("Text", Gallery((EMPTY,)), "match.txt")),
    replace(FULL, colour=0x123457),
    replace(FULL, framed=False),
    replace(FULL, rows=()),
    replace(FULL, rows=FULL.rows[::-1]),
    replace(FULL, rows=((PRESS,), (LINK,), MENU)),
    replace(FULL, rows=((replace(PRESS, label="Go"), LINK), MENU)),
    replace(FULL, rows=((replace(PRESS, style=Style.DANGER), LINK), MENU)),
    replace(FULL, rows=((replace(PRESS, disabled=True), LINK), MENU)),
    replace(FULL, rows=((replace(PRESS, control=LATER), LINK), MENU)),
    replace(FULL, rows=((PRESS, replace(LINK, url="https://example.org/")), MENU)),
    replace(FULL, rows=((PRESS, LINK), replace(MENU, placeholder="Where?"))),
    replace(FULL, rows=((PRESS, LINK), replace(MENU, entries=MENU.entries[:1]))),
    replace(FULL, rows=((PRESS, LINK), replace(MENU, control=Control(7, 12, "to")))),
]


def test_fingerprint_changes_with_everything_shown() -> None:
    assert len({card.fingerprint for card in DIFFERENT}) == len(DIFFERENT)


def test_equal_cards_have_one_fingerprint() -> None:
    again = Card(("Text", Gallery((Sketch("empty"),)), FILE), FULL.rows, 0x123456)
    assert again is not FULL
    assert (again, again.fingerprint, hash(again)) == (FULL, FULL.fingerprint, hash(FULL))
    assert len(FULL.fingerprint) == 24


def test_buttons_and_menus_make_a_card_live_but_links_do_not() -> None:
    assert board((PRESS,)).live
    assert board(MENU).live
    assert not board((LINK,)).live
    assert not board().live


def test_buttons_are_spread_over_rows_of_five_in_order() -> None:
    buttons = [Button(CONTROL, str(number)) for number in range(12)]
    assert [len(row) for row in rows_of(buttons) if isinstance(row, tuple)] == [5, 5, 2]
    assert [b for row in rows_of(buttons) if isinstance(row, tuple) for b in row] == buttons
    assert rows_of([]) == ()


# ------------------------------------------------------------------------ what is there already
async def test_existing_pictures_are_neither_drawn_nor_sent_again() -> None:
    card, later = board((PRESS,)), board(MENU)
    standing = pictures_of(card, await with_pictures(card))
    kept = keeping(later, standing)
    assert kept == replace(later, parts=(later.parts[0], Kept((("board.png", "An empty board"),))))
    assert await with_pictures(kept) == kept
    assert files_of(kept) == []
    assert pictures_of(later, kept) == standing


@pytest.mark.parametrize(
    "card",
    [
        Card((Gallery((Sketch("stone"),)),)),
        Card((Gallery((EMPTY,)), Gallery((Sketch("stone"),)))),
        Card((Gallery((EMPTY, Sketch("stone"))),)),
        Card(("Text",)),
        FULL,
    ],
    ids=["another", "one more beside it", "one more in it", "none", "a file"],
)
async def test_all_pictures_are_sent_if_one_has_changed(card: Card) -> None:
    """An edit replaces all of a message's files or none."""
    standing = pictures_of(board(), await with_pictures(board()))
    assert keeping(card, standing) is card
    assert keeping(board(), {}) == board()


# ------------------------------------------------------------------------ what remains
def test_rest_keeps_text_pictures_and_links_but_no_controls() -> None:
    assert card_from(rest_of(board((PRESS, LINK), MENU))) == Card(
        ("It is Ann's turn.", Kept((("board.png", "An empty board"),))), ((LINK,),)
    )


def test_a_drawing_may_produce_several_pictures_or_none() -> None:
    made = Attachment("a.png", b"", "A"), Attachment("b.png", b"")
    card = Card((Gallery((EMPTY, Sketch("stone")), made), Gallery((Sketch("stone"),), ())))
    assert card_from(rest_of(card)).parts == (
        Kept((("a.png", "A"), ("b.png", ""))),
        Kept(()),
    )


async def test_a_drawn_card_is_the_same_card() -> None:
    """The pictures are attached, and drawn only once."""
    made = await with_pictures(FULL)
    assert (made, made.fingerprint) == (FULL, FULL.fingerprint)
    assert [file.filename for file in files_of(made)] == ["board.png", "match.txt"]
    assert (await with_pictures(made)).parts[1] is made.parts[1]


def test_a_card_cannot_be_stripped_before_it_is_drawn() -> None:
    with pytest.raises(ValueError, match="not drawn"):
        rest_of(FULL)


def test_a_folded_message_is_one_line_that_stripping_does_not_change() -> None:
    card = collapsed("Move 12 is done.")
    assert (card.parts, card.framed, card.live) == (("Move 12 is done.",), False, False)
    assert card_from(rest_of(card)) == card


PARTS: st.SearchStrategy[Part] = st.one_of(
    st.text(),
    st.builds(Kept, st.lists(st.tuples(st.text(), st.text())).map(tuple)),
)
LINKS = st.lists(st.builds(Link, st.text(), st.text()), min_size=1).map(tuple)
RESTS = st.builds(
    Card,
    st.lists(PARTS).map(tuple),
    st.lists(LINKS).map(tuple),
    st.integers(0, 0xFFFFFF),
    st.booleans(),
)


@pytest.mark.full
@given(RESTS)
def test_a_stripped_card_is_read_back_as_it_was_written(card: Card) -> None:
    rest = rest_of(card)
    assert card_from(rest) == card
    assert rest_of(card_from(rest)) == rest
    assert isinstance(json.loads(rest), dict)


# ------------------------------------------------------------------------------- limits
def test_more_than_forty_components_are_refused() -> None:
    """The frame, the rows and everything in them count."""
    rows = rows_of([Button(Control(7, 12, "go", str(n)), "x") for n in range(30)])
    (frame,) = layout(Card(("a", "b", "c"), rows)).to_components()
    parts = frame["components"]
    assert 1 + len(parts) + sum(len(part.get("components", ())) for part in parts) == 40
    with pytest.raises(ValueError, match="4"):
        layout(Card(("a", "b", "c", "d"), rows))


def test_a_menu_has_between_one_and_twenty_five_entries() -> None:
    entries = tuple(Entry(str(n), str(n)) for n in range(26))
    layout(Card(("a",), (Select(CONTROL, "", entries[:25]),)))
    for wrong in (entries, ()):
        with pytest.raises(ValueError, match="entries"):
            layout(Card(("a",), (Select(CONTROL, "", wrong),)))


def test_a_row_has_between_one_and_five_buttons() -> None:
    buttons = tuple(Button(Control(7, 12, "go", str(n)), "x") for n in range(6))
    layout(Card(("a",), (buttons[:5],)))
    for wrong in (buttons, ()):
        with pytest.raises(ValueError, match="buttons"):
            layout(Card(("a",), (wrong,)))


def test_the_eleventh_picture_goes_into_another_gallery() -> None:
    names = tuple((f"{n}.png", "") for n in range(12))
    galleries = layout(Card((Kept(names),), framed=False)).to_components()
    assert {gallery["type"] for gallery in galleries} == {ComponentType.media_gallery.value}
    assert [len(gallery["items"]) for gallery in galleries] == [10, 2]


def test_files_have_names_of_their_own() -> None:
    """A drawing that is shown twice is sent once; two different files with the same name are
    refused.
    """
    shown = Gallery((EMPTY,), (BOARD,))
    assert [file.filename for file in files_of(Card((shown, "Text", shown)))] == ["board.png"]
    other = Attached(Attachment("board.png", b"another"))
    with pytest.raises(ValueError, match=r"board\.png"):
        files_of(Card((shown, other)))


@pytest.mark.parametrize(
    "menu",
    [Select(CONTROL, "Choose", (Entry("A", "a"),)), PersonSelect(CONTROL, "Who?")],
    ids=lambda menu: type(menu).__name__,
)
def test_a_menu_of_a_later_state_has_another_id(menu: Select | PersonSelect) -> None:
    """Clients tell menus apart by their ids. If the id stays the same, the client keeps the
    selection, and the same entry cannot be chosen again.
    """
    earlier, later = (_ids(replace(menu, control=control)) for control in (CONTROL, LATER))
    assert not set(earlier) & set(later)
    assert earlier == _ids(menu)


def _ids(row: Row) -> tuple[str, int]:
    (box,) = layout(Card(("Which?",), (row,))).to_components()
    _, shown = box["components"]
    (menu,) = shown["components"]
    return menu["custom_id"], menu["id"]


@pytest.mark.parametrize("nothing", ["\u3164\u2060", "\u00a0", "\u3000\u200d", "\u2003\ufe0f"])
def test_nothing_invisible_is_in_labels(nothing: str) -> None:
    """Labels omit the direction marks in names, which would reverse the text after them, and show a
    dash for an invisible name.
    """
    name = "\u202eAn\u200bna\u2066"
    entries = (Entry(name, "a", name), Entry(nothing, "b"))
    rows = (
        (Button(CONTROL, name), Link(name, "https://example.org")),
        Select(LATER, name, entries),
    )
    sent = json.dumps(layout(Card(("a",), rows)).to_components(), ensure_ascii=False)
    assert not set(name + nothing) - set("Anna") & set(sent)
    assert sent.count('"Anna"') == 5
    assert '"\u2013"' in sent
