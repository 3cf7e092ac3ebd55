"""Matching people who seek a match: small cases by hand, and properties of random ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.rows import PersonRow
from play.matching import (
    NEAR,
    STEP,
    WIDER,
    MatchedGroup,
    Seek,
    fits,
    matched,
    next_chance,
    similar,
    usual_wait,
)
from tests.examples import examples
from tests.play.clock import NOON

LATER = NOON + timedelta(hours=1)


def seek(number: int, **changes: Any) -> Seek:
    """A seek from noon on, for a match of Lancelot with two players and a day per turn."""
    games, players = changes.pop("games", ("lancelot",)), changes.pop("players", (2,))
    plain = Seek(
        number=number,
        person_id=number,
        name=f"P{number}",
        tables=tuple(product(games, players)),
        paces=("1d",),
        near=False,
        language="en",
        guild_id=1,
        abroad=False,
        since=NOON,
        until=NOON + timedelta(days=1),
    )
    return replace(plain, **changes)


def groups(
    *seeks: Seek, people: dict[int, PersonRow] | None = None, now: datetime = LATER
) -> list[tuple[int, ...]]:
    found = matched(seeks, people or {}, now)
    return [tuple(each.number for each in group.seeks) for group in found]


def test_first_come_first_served() -> None:
    assert groups(*[seek(n) for n in (3, 1, 5, 2, 4)]) == [(1, 2), (3, 4)]


def test_a_table_opens_when_enough_are_there() -> None:
    three = [seek(n, players=(3,)) for n in (1, 2, 3, 4)]
    assert groups(*three[:2]) == []
    assert groups(*three) == [(1, 2, 3)]
    assert groups(seek(1, players=(2, 3)), seek(2, players=(3,)), seek(3, players=(3, 2))) == [
        (1, 3)
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"games": ("isis",)},
        {"paces": ("2d", "")},
        {"players": (3, 4)},
        {"guild_id": 2},
        {"guild_id": 2, "abroad": True},
        {"person_id": 1},
    ],
)
def test_people_who_seek_different_things_are_not_matched(other: dict[str, Any]) -> None:
    assert groups(seek(1), seek(2, **other)) == []


def test_a_common_wish_is_played() -> None:
    """Of the games and paces that both accept, the first person's favourites are chosen."""
    one = seek(1, games=("isis", "lancelot", "twilight"), paces=("", "1d", "2d"))
    other = seek(2, games=("twilight", "lancelot"), paces=("2d", "1d"))
    (group,) = matched([one, other], {}, LATER)
    assert (group.game, group.pace, group.guild_id) == ("lancelot", "1d", 1)


def test_over_servers_both_have_to_want_it_and_read_the_same() -> None:
    """On one server, a different language is accepted if nobody else is there."""
    home, away = seek(1, abroad=True), seek(2, guild_id=2, abroad=True)
    (group,) = matched([home, away], {}, LATER)
    assert group.guild_id is None
    assert groups(home, replace(away, language="de")) == []
    assert groups(home, replace(away, abroad=False)) == []
    assert groups(seek(1), seek(2, language="de"), seek(3)) == [(1, 3)]
    assert groups(seek(1), seek(2, language="de")) == [(1, 2)]


def test_a_person_who_wants_equal_strength_waits_for_it() -> None:
    """The accepted difference grows every quarter of an hour."""
    far = NEAR + 2 * WIDER
    strong = seek(2, ratings={"lancelot": 1000 + far})
    for one, other in ((seek(1, near=True), strong), (seek(1), replace(strong, near=True))):
        assert groups(one, other, now=NOON + 2 * STEP - timedelta(seconds=1)) == []
        assert next_chance([one, other], {}, NOON) == NOON + 2 * STEP
        assert groups(one, other, now=NOON + 2 * STEP) == [(1, 2)]
        assert next_chance([one, other], {}, NOON + 2 * STEP) is None
    assert groups(seek(1), strong, now=NOON) == [(1, 2)]
    late = replace(strong, near=True, since=LATER)
    assert groups(seek(1, near=True), late, now=LATER + STEP) == []


def test_blocked_people_do_not_meet() -> None:
    people = {2: PersonRow(2, blocked_ids=(1,))}
    assert groups(seek(1), seek(2), people=people) == []
    assert groups(seek(1), seek(2), seek(3), people=people) == [(1, 3)]
    three = [seek(n, players=(3,)) for n in (1, 2, 3, 4)]
    assert groups(*three, people=people) == [(1, 3, 4)]
    near = [seek(1, near=True), seek(2, ratings={"lancelot": 1900})]
    assert next_chance(near, people, NOON) is None


# ---------------------------------------------------------------------------------- properties
def some(values: tuple[Any, ...]) -> st.SearchStrategy[tuple[Any, ...]]:
    """One or more of these values in any order."""
    return st.lists(st.sampled_from(values), min_size=1, max_size=len(values), unique=True).map(
        tuple
    )


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[Seek], dict[int, PersonRow]]:
    """Up to ten seeks, and some people who have blocked others."""
    count = draw(st.integers(0, 10))
    seeks = [
        seek(
            number,
            games=draw(some(("lancelot", "isis"))),
            paces=draw(some(("1d", ""))),
            players=draw(some((2, 3, 4))),
            near=draw(st.booleans()),
            language=draw(st.sampled_from(("en", "de"))),
            guild_id=draw(st.integers(1, 2)),
            abroad=draw(st.booleans()),
            since=NOON + timedelta(minutes=5 * number),
            ratings={"lancelot": draw(st.integers(600, 1600))},
        )
        for number in range(1, count + 1)
    ]
    pairs = draw(st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10)), max_size=6))
    people = {
        one: PersonRow(one, blocked_ids=tuple(b for a, b in pairs if a == one)) for one, _ in pairs
    }
    return seeks, people


def possible(group: MatchedGroup, people: dict[int, PersonRow], now: datetime) -> bool:
    """Return whether everybody in a group accepts it."""
    table = (group.game, len(group.seeks))
    wanted = all(table in each.tables and group.pace in each.paces for each in group.seeks)
    return wanted and all(
        fits(one, other, group.game, people, now) for one, other in combinations(group.seeks, 2)
    )


def any_group(
    seeks: list[Seek], people: dict[int, PersonRow], now: datetime, among: Seek | None = None
) -> bool:
    """Return whether any group is possible, or one that includes a given person, by trying every
    group.
    """
    return any(
        possible(MatchedGroup(game, pace, chosen), people, now)
        for size in (2, 3, 4)
        for chosen in combinations(seeks, size)
        if among is None or among in chosen
        for game in ("lancelot", "isis")
        for pace in ("1d", "")
    )


@pytest.mark.full
@examples(30)
@given(pools(), st.integers(0, 20), st.randoms(use_true_random=False))
def test_laws_of_matching(
    pool: tuple[list[Seek], dict[int, PersonRow]], quarters: int, rng: Any
) -> None:
    """Everybody is in at most one group, which all its members accept, and the rest cannot form
    one. Nobody is left over who came before a whole group and could play with some of its members.
    The order of the list is irrelevant.
    """
    seeks, people = pool
    now = LATER + quarters * STEP
    found = list(matched(seeks, people, now))
    assert all(possible(group, people, now) for group in found)
    seated = [each.number for group in found for each in group.seeks]
    assert len(seated) == len(set(seated))
    left = [each for each in seeks if each.number not in seated]
    assert not any_group(left, people, now)
    rng.shuffle(seeks)
    assert list(matched(seeks, people, now)) == found
    for group in found:
        for each in left:
            if each.number < group.seeks[0].number:
                assert not any_group([each, *group.seeks], people, now, each)


@pytest.mark.full
@examples(30)
@given(pools())
def test_nobody_has_to_look_before_the_next_chance(
    pool: tuple[list[Seek], dict[int, PersonRow]],
) -> None:
    seeks, people = pool
    seated = {each.number for group in matched(seeks, people, LATER) for each in group.seeks}
    left = [each for each in seeks if each.number not in seated]
    chance = next_chance(left, people, LATER)
    before = LATER + timedelta(days=9) if chance is None else chance - timedelta(seconds=1)
    assert list(matched(left, people, before)) == []


# ------------------------------------------------------------------------------- information
def test_people_who_seek_something_similar() -> None:
    """Two seeks are similar if they share a game, and also a server unless both accept other
    servers; the person's own seeks are not counted.
    """
    me = seek(1, games=("lancelot", "isis"))
    others = [
        seek(5, games=("isis",), paces=("2d",)),
        seek(4, players=(4,)),
        seek(3, games=("twilight",)),
        seek(2, guild_id=2, abroad=True),
        seek(6, person_id=1),
    ]
    assert [each.number for each in similar(me, others)] == [4, 5]
    assert [each.number for each in similar(replace(me, abroad=True), others)] == [2, 4, 5]


def test_how_long_people_wait() -> None:
    """The estimate is the median waiting time for any of the games."""
    waits = [("lancelot", 60), ("isis", 9000), ("lancelot", 600), ("lancelot", 120)]
    assert usual_wait(waits, ["lancelot"]) == 120
    assert usual_wait(waits, ["isis", "lancelot"]) == 360
    assert usual_wait(waits, ["twilight"]) is None
