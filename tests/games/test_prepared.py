"""Values computed once for each view."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from games import GAMES
from games.engine import View
from games.prepared import VIEWS, Prepared

GAME = GAMES["isis"]
VIEW = GAME.view(GAME.start(GAME.setup(2)), None)


def test_a_value_is_computed_once_for_a_view() -> None:
    numbers = count(1)
    prepared = Prepared(lambda view: next(numbers))
    assert [prepared(VIEW), prepared(VIEW)] == [1, 1]


def test_an_equal_view_is_another_one() -> None:
    """A value is not reused for an equal view, because the first view may have been modified
    since.
    """
    prepared = Prepared[View](lambda view: view)
    twin = replace(VIEW)
    assert prepared(VIEW) is VIEW
    assert prepared(twin) is twin


def test_only_the_last_views_are_remembered() -> None:
    numbers = count(1)
    prepared = Prepared(lambda view: next(numbers))
    views = [replace(VIEW, ply=ply) for ply in range(VIEWS + 1)]
    assert list(map(prepared, views)) == list(range(1, VIEWS + 2))
    assert prepared(views[-1]) == VIEWS + 1
    assert prepared(views[0]) == VIEWS + 2
