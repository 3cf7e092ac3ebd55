"""Text in several scripts: choice of fonts, direction, and available glyphs."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from PIL import Image, features

from data.texts import texts
from render import letters
from render.letters import fitted, letters_of, text_width
from render.names import printable, printed_names
from render.runs import CLOSE, ISOLATE, drawn_by, runs_of
from render.theme import FALLBACKS, FONTS, Type, font

STRONG = Type("strong", 28)
NAMES = {
    "Latin": "Łukasz Nguyễn Ðặng",
    "Greek": "Ψυχή Ωραία",
    "Cyrillic": "Дмитрий Їжак",
    "Hebrew": "שלום דוד",
    "Arabic": "محمد عبد الله",
    "Devanagari": "प्रिया कुमारी",
    "Thai": "สมชาย ใจดี",
    "Armenian": "Հայկ Ազնավուր",
    "Georgian": "გიორგი მაისურაძე",
    "simplified Chinese": "李小龙 赟",
    "traditional Chinese": "張學友 堃",
    "Japanese": "髙﨑ひらがなカタカナ",
    "Korean": "김철수 뷁",
    "emoji": "🦄🎉😀❤♜🫶",
    "symbols": "★♥✓✿",
}


def picture(text: str) -> Image.Image:
    mask = letters_of(text, STRONG).mask
    assert mask is not None
    return mask


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_every_script_is_drawn(name: str) -> None:
    """No letter of a name is omitted or drawn as an empty box, no two look the same, and the name
    is as wide as it is measured.
    """
    assert printable(name).strip(ISOLATE + CLOSE) == name
    letters = sorted({c for c in name if unicodedata.category(c)[0] in "LS"})
    shapes = {picture(letter).tobytes() for letter in letters}
    boxes = {picture_of_missing(file) for letter in letters if (file := drawn_by("strong", letter))}
    assert len(shapes) == len(letters)
    assert not shapes & boxes
    assert letters_of(name, STRONG).width == text_width(name, STRONG)


def picture_of_missing(file: str) -> bytes:
    """The glyph a font shows for missing characters."""
    ink, _ = font(file, 56).getmask2("\U0010fffe", "L")
    return Image.frombytes("L", ink.size, bytes(ink)).tobytes()


def seen(text: str) -> str:
    """The letters of a line from left to right, with digits in reading order."""
    return "".join(
        re.sub(r"\d+", lambda digits: digits[0][::-1], run.text)[::-1]
        if run.from_right
        else run.text
        for run in runs_of(text, "strong")
    )


def test_names_from_the_right_stand_in_lines_from_the_left() -> None:
    """A Hebrew name begins at its right end; the text after it, numbers included, is to its right;
    left-to-right words and emojis in the name have the same positions as in Discord.
    """
    name = printable("אבג")
    assert seen(f"Zug: {name} ist") == "Zug: גבא ist"
    assert seen(f"{name} +3, {name} 12") == "גבא +3, גבא 12"
    assert seen(printable("אבג Anna 🦄")) == "🦄 Anna גבא"
    assert seen(printable("Anna אבג 12")) == "Anna 12 גבא"
    assert seen("Anna אבג ist") == "Anna גבא ist"


def test_a_name_from_the_right_is_cut_at_its_left() -> None:
    """A cut Hebrew name ends in an ellipsis at its left, and keeps its number at its right."""
    first, second = printed_names(("אבגדהוזח אבגדהוזח",) * 2, texts("en"))
    cut = seen(fitted(first, STRONG, 120))
    assert cut.startswith("…")
    assert cut.endswith("גבא\u00a01")
    assert seen(fitted(second, STRONG, 120)).endswith("גבא\u00a02")


@pytest.mark.skipif(not features.check("raqm"), reason="Pillow finds no FriBiDi here")
def test_letters_are_joined() -> None:
    """Arabic letters join into words and Indic ones into syllables, which takes less space."""
    for word in ("ببب", "क्षत्रिय"):
        assert picture(word).width < sum(picture(letter).width for letter in word)


def test_without_shaping_names_are_still_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system lacks the library that Pillow shapes text with, pictures are drawn anyway."""
    monkeypatch.setattr(letters, "SHAPES", False)
    monkeypatch.setattr(letters, "_FIGURES", None)
    assert picture("Zug 12: דוד").width > 50


def test_cuts_leave_marks_at_their_letters() -> None:
    name = "नि" * 12
    for width in range(60, 200, 7):
        assert fitted(name, STRONG, width).rstrip("…").endswith("\u093f")


def test_fallback_fonts_are_small_and_licensed() -> None:
    folder = FONTS / "fallback"
    files = {file.name: file for file in folder.iterdir()}
    assert sum(file.stat().st_size for file in files.values()) <= 6 * 2**20
    licence = files.pop("OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert set(files) == {Path(name).name for name in FALLBACKS}
    for name in files:
        assert f"{name}: " in licence
