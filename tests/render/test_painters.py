"""Requirements for every painter: size, file size, determinism, secrecy, and descriptions that
fit.
"""

from __future__ import annotations

import hashlib
import io
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from PIL import Image

from data.texts import LANGUAGES
from render import PAINTERS, letters
from render.cache import CACHE
from render.scene import Picture
from render.theme import Type
from scripts.catalogues import ROOT
from tafelrunde.testing.pictures import NASTY, check_board, check_description, check_text
from tests.render.scenes import Case, cases, english_in, played, scene_at

ALL = [case for game in PAINTERS for case in cases(game)]
FULLEST = [[case for case in ALL if case.game == game][-1] for game in PAINTERS]
MOMENTS = (0.0, 0.4, 0.8, 1.0)
GOLDEN = 0.618
"""Multiples of this share spread evenly over a match."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[pytest.mark.long] if n % 3 and case not in FULLEST else [])
        for n, case in enumerate(ALL)
    ],
    ids=str,
)
def test_every_kind_of_match_is_drawn_at_the_promised_size_and_weight(case: Case) -> None:
    """Each case is drawn at a different moment, and at the end of its match."""
    for moment in (ALL.index(case) * GOLDEN % 1, 1.0):
        check_board(PAINTERS[case.game], scene_at(case, moment))


@pytest.mark.full
@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_the_board_shows_no_ones_secrets(case: Case) -> None:
    for moment in MOMENTS[1:-1]:
        public = scene_at(case, moment)
        wanted = PAINTERS[case.game].board(public)
        for seat in range(case.players):
            seen = replace(public, view=scene_at(case, moment, viewer=seat).view)
            assert PAINTERS[case.game].board(seen) == wanted, (seat, moment)


@pytest.mark.full
@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_threads_draw_the_same_pictures(case: Case) -> None:
    scenes = [scene_at(case, moment) for moment in MOMENTS[1:3]]
    alone = [PAINTERS[case.game].board(scene) for scene in scenes]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(PAINTERS[case.game].board, scenes * 2))
    assert [picture.alt for picture in together] == [picture.alt for picture in alone] * 2
    assert [pixels_of(picture) for picture in together] == [pixels_of(each) for each in alone] * 2
    assert together == alone * 2


def pixels_of(picture: Picture) -> str:
    """Return a digest of the pixels of a picture, to tell apart drawing and packing."""
    with Image.open(io.BytesIO(picture.png)) as opened:
        return hashlib.sha256(opened.tobytes()).hexdigest()


@pytest.mark.parametrize("case", FULLEST, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_breaks_a_picture_or_formats_its_words(case: Case, language: str) -> None:
    scene = scene_at(case, 0.8, language=language, names=NASTY)
    check_description(PAINTERS[case.game].board(scene))


SHORT = ("Anna", "Ben", "Cleo", "Dora", "Emil")


@pytest.mark.blank
@pytest.mark.full
@pytest.mark.parametrize("case", FULLEST, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_are_cut(case: Case, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names are short; long ones may be cut."""
    cut: set[str] = set()
    shortened = letters.fitted

    def noted(text: str, kind: Type, width: float) -> str:
        shown = shortened(text, kind, width)
        if shown != text:
            cut.add(text)
        return shown

    monkeypatch.setattr(letters, "fitted", noted)
    CACHE.clear()  # text in cached pictures would not pass through ``fitted`` again
    painter, match = PAINTERS[case.game], played(case)
    kinds = match.game.info.accounts
    told = match.history(None)
    ended = [n for n, (_, _, facts) in enumerate(told, 1) if any(f.kind in kinds for f in facts)]
    for moment in (*MOMENTS[1::2], *(end / match.ply for end in ended[-2:-1])):
        scene = scene_at(case, moment, language=language, names=SHORT)
        painter.board(scene)
        painter.close_up(scene, 0)
        painter.results(scene)
        painter.hand(scene_at(case, moment, 0, language, SHORT))
    assert not cut


@pytest.mark.blank
@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_german_words_are_german(case: Case) -> None:
    """For accounts, see ``test_accounts``."""
    painter = PAINTERS[case.game]
    for moment, viewer in product(MOMENTS, (None, 0)):
        scene = scene_at(case, moment, viewer, language="de")
        hand = None if viewer is None else painter.hand(scene)
        for words in (painter.describe(scene), painter.text(scene), hand.alt if hand else ""):
            assert not english_in(words), words


@pytest.mark.blank
@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_french_punctuation_has_a_space_before_it(case: Case) -> None:
    """Also where the code joins texts; for the texts themselves, see below."""
    painter = PAINTERS[case.game]
    for moment in MOMENTS:
        scene = scene_at(case, moment, language="fr")
        said = f"{painter.describe(scene)}\n{painter.text(scene)}"
        assert re.findall(r".*[^\N{NO-BREAK SPACE}]: .*", said) == []
        assert re.findall(r".*[^\N{NARROW NO-BREAK SPACE}]; .*", said) == []


BREAKING = re.compile(
    r" :|[^\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}][;!?»]"
    r"|«[^\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]"
)
"""French punctuation that a line may break before, or after «. A time has a colon, but no space."""


@pytest.mark.parametrize(
    "path", sorted((ROOT / "data/texts/fr").glob("*.po")), ids=lambda path: path.stem
)
def test_no_line_breaks_before_french_punctuation(path: Path) -> None:
    with path.open("rb") as file:
        strings = [message.string for message in read_po(file, locale="fr") if message.id]
    said = [text for each in strings for text in ([each] if isinstance(each, str) else each or ())]
    assert [text for text in said if BREAKING.search(text)] == []


@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_the_text_needs_no_picture(case: Case) -> None:
    check_text(PAINTERS[case.game], scene_at(case, 0.8))
