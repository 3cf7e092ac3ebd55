"""People's names in pictures and descriptions."""

from __future__ import annotations

import pytest

from data.texts import texts
from render.letters import fitted, lines_of, lines_of_name
from render.names import printable, printed_names, short_names, spoken, spoken_names
from render.plates import NAMES


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Jörg Großmann", "Jörg Großmann"),
        ("  many   blanks\n\tand lines ", "many blanks and lines"),
        ("🦄 Unicorn 🦄", "🦄 Unicorn 🦄"),
        ("\u202eesrever\u202c", "esrever"),
        ("zero\u200bwidth\u2060", "zerowidth"),
        ("𝕁𝕠𝕙𝕟 ＷＩＤＥ", "John WIDE"),
        ("e\u0301tude", "étude"),
        ("李小龙", "李小龙"),
        ("髙﨑 赟", "髙﨑 赟"),
        ("👨‍👩‍👧", "👨"),
        ("👩🏽‍🚀 Ada", "👩 Ada"),
        ("❤️‍🔥 1️⃣", "❤ 1"),
        ("🇩🇪 Fritz", "DE Fritz"),
        ("نیم\u200cفاصله", "\u2068نیم\u200cفاصله\u2069"),
        ("An\u200dna", "Anna"),
        ("Z\u0315\u0316\u0317\u0318\u0319a", "Z\u0316\u0317\u0318a"),
        ("\u0301\u0e34a", "a"),
        ("ᚠᚢᚦ", ""),
    ],
)
def test_pictures_show_only_what_a_font_can_draw(raw: str, shown: str) -> None:
    """Names have no empty boxes, and only those control characters that their direction or joining
    needs; accents are composed and few, fancy letters become plain, and combined emojis become
    single ones.
    """
    assert printable(raw) == shown


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("李小龙", "李小龙"),
        ("Max_Power", "Max_Power"),
        ("__Max__ **Power** ~~x~~", "Max Power x"),
        ("_leading_ and_inner", "leading and_inner"),
        ("`a` ||b|| <@1> [c](d)", "a b @1 c(d)"),
        ("# heading", "heading"),
        ("> quote", "quote"),
        ("- list", "list"),
        ("x" * 60, "x" * 31 + "…"),
        ("\u202eabc\x00", "abc"),
        ("***", ""),
    ],
)
def test_descriptions_say_names_of_any_script_without_formatting(raw: str, said: str) -> None:
    assert spoken(raw) == said


def test_no_one_is_nameless() -> None:
    say = texts("en")
    assert printed_names(("ᚠᚢ", "Anna"), say) == ["Player 1", "Anna"]
    assert spoken_names(("Anna", "**"), say) == ["Anna", "Player 2"]
    assert printed_names(("Anna", "ᚠᚢ"), texts("de")) == ["Anna", "Spieler 2"]


def test_equal_names_are_told_apart() -> None:
    """Equal names get a number that no name has already, in pictures and descriptions, even if they
    are cut; on request, they get none.
    """
    say, names = texts("en"), ("Anna", "An\u200dna", "Anna 1")
    assert printed_names(names, say) == ["Anna\u00a02", "Anna\u00a03", "Anna 1"]
    assert len(set(spoken_names(("Ben", "Ben", "Eva"), say))) == 3
    assert printed_names(("Ben", "Ben"), say, apart=False) == ["Ben", "Ben"]
    long = ["Wolfgang-Maximilian", "Wolfgang-Moritz"]
    assert short_names(long) == ["Wolfgang-Ma…", "Wolfgang-Mo…"]
    assert short_names([long[0], long[0] + "s"]) == ["Wolfgang-Ma…\u00a01", "Wolfgang-Ma…\u00a02"]
    plates = [fitted(name, NAMES[-1], 150) for name in printed_names((long[0], long[0]), say)]
    assert plates == ["Wolfga…\u00a01", "Wolfga…\u00a02"]


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [
        ("Bernhard von Löwenstein", 180, "Bernhard…"),
        ("Bernhard von Löwenstein", 140, "Bernhard"),
        ("Wolfgang-Maximilian zu Hohenlohe", 250, "Wolfgang…"),
        ("Bernhard von Löwenstein", 400, "Bernhard von Löwenstein"),
        ("Donaudampfschifffahrt", 140, "Donaud…"),
    ],
)
def test_a_name_is_cut_after_a_word(name: str, width: int, shown: str) -> None:
    """A name is never cut after a particle, and within a word only if that is the first."""
    assert fitted(name, NAMES[-1], width) == shown


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        (
            "Das Ziel von 1.000 Punkten ist erreicht.",
            520,
            ["Das Ziel von 1.000", "Punkten ist erreicht."],
        ),
        ("Ben Maximilian der Große", 290, ["Ben Maximilian", "der Große"]),
        ("李小龙の大冒険", 160, ["李小龙の", "大冒険"]),
    ],
)
def test_lines_are_about_equally_long(text: str, width: int, lines: list[str]) -> None:
    assert lines_of(text, width, 3, NAMES[-1]) == lines


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (300, ["Wolfgang-Maximilian", "zu Hohenlohe"]),
        (220, ["Wolfgang-M.", "zu Hohenlohe"]),
        (170, ["Wolfgang-", "Maximilian…"]),
    ],
)
def test_a_long_part_after_a_hyphen_leaves_room_for_the_rest(width: int, lines: list[str]) -> None:
    assert lines_of_name("Wolfgang-Maximilian zu Hohenlohe", width, 2, NAMES[-1]) == lines


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("Maximilian", 180, ["Maximilian\u00a02"]),
        ("Maximilian", 150, ["Maximilian", "2"]),
        ("Wolfgang-Maximilian", 180, ["Wolfgang-", "Maximilian\u00a02"]),
        ("Wolfgang-Maximilian", 150, ["Wolfgang-", "Maximilian", "2"]),
    ],
)
def test_the_number_that_tells_names_apart_is_alone_only_before_the_name_is_cut(
    name: str, width: int, lines: list[str]
) -> None:
    second = printed_names([name, name], texts("en"))[1]
    assert lines_of_name(second, width, 3, NAMES[-1]) == lines


def test_a_cut_name_keeps_the_number_that_tells_it_apart() -> None:
    _, second = printed_names(["Wolfgang-Maximilian"] * 2, texts("en"))
    *_, last = lines_of_name(second, 150, 2, NAMES[-1])
    assert last.endswith("\u00a02")
