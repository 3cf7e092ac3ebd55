"""What every painter owes: size, weight, sameness, silence about secrets, words that fit."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from render import PAINTERS
from tafelrunde.testing.pictures import NASTY, check_board, check_description, check_text
from tests.render.scenes import Case, cases, scene_at

ALL = [case for game in PAINTERS for case in cases(game)]
FULLEST = [[case for case in ALL if case.game == game][-1] for game in PAINTERS]
MOMENTS = (0.0, 0.4, 0.8, 1.0)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_every_kind_of_match_is_drawn_at_the_promised_size_and_weight(case: Case) -> None:
    """1200 wide, landscape, opaque, at most 150 KiB, with a description within the limit."""
    for moment in MOMENTS:
        check_board(PAINTERS[case.game], scene_at(case, moment))


@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_the_board_shows_no_ones_secrets(case: Case) -> None:
    """Spectators and all seats get the same board to the byte, and the same words."""
    for moment in MOMENTS[:-1]:
        public = scene_at(case, moment)
        wanted = PAINTERS[case.game].board(public)
        for seat in range(case.players):
            seen = replace(public, view=scene_at(case, moment, viewer=seat).view)
            assert PAINTERS[case.game].board(seen) == wanted, (seat, moment)


@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_threads_draw_the_same_pictures(case: Case) -> None:
    """Four threads that draw at once get what one thread gets, byte by byte."""
    scenes = [scene_at(case, moment) for moment in MOMENTS]
    alone = [PAINTERS[case.game].board(scene) for scene in scenes]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(PAINTERS[case.game].board, scenes * 4))
    assert together == alone * 4


_DIGESTS = """
import hashlib
from tests.render.test_painters import FULLEST, PAINTERS, scene_at
for case in FULLEST:
    print(hashlib.sha256(PAINTERS[case.game].board(scene_at(case, 0.4)).png).hexdigest())
"""


@pytest.mark.slow("another process")
def test_another_process_draws_the_same_bytes() -> None:
    """A picture depends on its scene only, not on the process, hashes or earlier pictures."""
    here = [
        hashlib.sha256(PAINTERS[case.game].board(scene_at(case, 0.4)).png).hexdigest()
        for case in FULLEST
    ]
    there = subprocess.run(
        [sys.executable, "-c", _DIGESTS],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.split() == here


@pytest.mark.parametrize("case", FULLEST, ids=str)
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_name_breaks_a_picture_or_formats_its_words(case: Case, language: str) -> None:
    """Emoji, marks of direction, endless and formatted names are drawn; the words stay plain."""
    scene = scene_at(case, 0.8, language=language, names=NASTY)
    check_description(PAINTERS[case.game].board(scene))


@pytest.mark.parametrize("case", FULLEST, ids=str)
def test_the_text_needs_no_picture(case: Case) -> None:
    """The position as text names every player and the code of the table."""
    check_text(PAINTERS[case.game], scene_at(case, 0.8))
