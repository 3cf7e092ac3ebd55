"""A fan is even on both sides, and cards drawn out of it go where they point."""

from __future__ import annotations

import pytest

from render.twilight.cards import Held, fan


@pytest.mark.parametrize("cards", [1, 2, 7])
def test_a_fan_is_the_same_from_both_sides(cards: int) -> None:
    """Its ends lie lowest and lean outwards, its middle at nought."""
    places = list(fan(cards, 40, 6))
    for left, right in zip(places, reversed(places), strict=True):
        assert left.x == pytest.approx(-right.x)
        assert left.y == pytest.approx(right.y)
        assert left.degrees == pytest.approx(-right.degrees)
    assert [place.x for place in places] == sorted(place.x for place in places)
    assert max(places, key=lambda place: place.y).degrees in (
        places[0].degrees,
        places[-1].degrees,
    )


def test_neighbours_lie_a_step_apart() -> None:
    """As far as the turn of a fan lets them."""
    first, second, *_ = fan(2, 100, 2)
    assert second.x - first.x == pytest.approx(100, abs=0.1)


def test_a_card_is_lifted_the_way_it_points() -> None:
    """Straight up in the middle, sideways if it lies on its side."""
    assert Held(5, 7, 0).lifted(10) == pytest.approx((5, -3))
    assert Held(5, 7, 90).lifted(10) == pytest.approx((15, 7))
