"""Names of people in pictures and descriptions."""

from __future__ import annotations

import pytest

from data.texts import texts
from render.names import printable, printed_names, spoken, spoken_names


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Jörg Großmann", "Jörg Großmann"),
        ("  many   blanks\n\tand lines ", "many blanks and lines"),
        ("🦄 Unicorn 🦄", "Unicorn"),
        ("\u202eesrever\u202c", "esrever"),
        ("zero\u200bwidth\u2060", "zerowidth"),
        ("𝕁𝕠𝕙𝕟 ＷＩＤＥ", "John WIDE"),
        ("e\u0301tude", "étude"),
        ("李小龙", ""),
        ("👨‍👩‍👧", ""),
    ],
)
def test_pictures_show_only_what_the_font_can_draw(raw: str, shown: str) -> None:
    """No empty boxes, no controls; accents are joined, fancy letters become plain."""
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
    """What Discord would format or hide is left out, and length is bounded."""
    assert spoken(raw) == said


def test_no_one_is_nameless() -> None:
    """A name of which nothing is left becomes the number of the seat."""
    say = texts("en")
    assert printed_names(("🦄", "Anna"), say) == ["Player 1", "Anna"]
    assert spoken_names(("Anna", "**"), say) == ["Anna", "Player 2"]
