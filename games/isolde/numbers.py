"""All numbers of the game, in one place.

The rulebook of the variants shows some numbers only in pictures, which are lost, and the deck and
the points of some boards are printed only on the components. Numbers marked *chosen* are our own.
An owner of the printed game may replace them: ``Isolde(replace(NUMBERS, magic=...))``. A match must
be replayed with the numbers that it was played with.
"""

from __future__ import annotations

from dataclasses import dataclass

EVERY_ROUND = (1, 2, 3, 4, 5, 6)
HALF_TIME = (3,)


@dataclass(frozen=True, slots=True)
class Terms:
    """The scoring rounds of a board, and its prizes.

    :param scored: the rounds in which it is scored; empty if events decide.
    :param resets: the rounds after which its pieces return to the start.
    :param prizes: the prizes for first, second and third place: fields to move elsewhere, or
        points. With three colours, the third prize is not awarded.
    """

    scored: tuple[int, ...] = EVERY_ROUND
    resets: tuple[int, ...] = HALF_TIME
    prizes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a match.

    :param deck: for each type, how many cards have the values 2, 3, 4 and 5. *Chosen*, except for
        the total of 52 and the two types without a 2.
    :param hand: cards dealt to each colour.
    :param plays: how many of these cards a colour plays.
    :param lancelot_hand: cards dealt to each person in the Lancelot game.
    :param gral: the third prize is *chosen*.
    :param studien_second_last: *chosen*.
    :param koenig_points: (field, points), the farthest field first; the points are *chosen*.
    :param barm_last: *chosen*; so is ``barm_second_last``.
    :param second_last_with_tied_last: whether there is still a second-last place if several colours
        share last place; *chosen*.
    :param lap: the length of each track in fields; a piece that goes farther starts a new lap.
        *Chosen*, and used only for drawing.

    Variants:

    :param gallantry: Galanterie: the prizes are counted in bonuses.
    :param gallantry_sword: how far the sword moves a piece, in fields; likewise ``gallantry_king``
        and ``gallantry_any`` for the other two bonuses.
    :param magic: Magie: the prizes are *chosen*.
    :param knights: Das grosse Turnier: the prizes on the side of a knight who does not win.
    :param knights_won: the prizes on the side of the victor.
    :param cup_reach: how far the cup can move to either side; *chosen*.
    :param challenge: Herausforderung: the prizes are fields to move for each card.
    :param codex: Studien: the points of the codex shields that are not zeros.
    :param scrolls: Koenig: the board is scored in rounds in which a scroll is taken.
    :param scroll_fields: the fields with scrolls.
    :param scroll_points: (field, points), the farthest field first; *chosen*.
    :param grail_shields: Gralssuche: how many shields earn one point, for first and for second
        place.
    :param grail_last: how many shields cost last place one point.
    :param charity_claims: Barmherzigkeit: how many shields first and second place may claim.
    :param charity_highest: the highest value of a shield that may be claimed.
    """

    deck: tuple[tuple[str, tuple[int, int, int, int]], ...] = (
        ("ISOLDE", (2, 2, 2, 2)),
        ("KAMPF", (0, 4, 4, 4)),
        ("STUDIEN", (0, 3, 3, 2)),
        ("KOENIG", (2, 2, 2, 2)),
        ("GRAL", (2, 2, 2, 2)),
        ("BARM", (2, 2, 2, 2)),
    )
    rounds: int = 6
    hand: int = 5
    plays: int = 4
    lancelot_hand: int = 6
    lap: int = 20

    isolde: Terms = Terms(prizes=(3, 2, 1))
    lists: Terms = Terms(prizes=(3, 2, 1))
    studien: Terms = Terms()
    koenig: Terms = Terms(scored=(3, 6))
    gral: Terms = Terms(scored=(6,), resets=(), prizes=(17, 10, 4))
    barm: Terms = Terms(scored=(6,), resets=())

    studien_last: int = -3
    studien_second_last: int = -1
    koenig_points: tuple[tuple[int, int], ...] = ((12, 12), (6, 6))
    barm_last: int = -10
    barm_second_last: int = -5
    second_last_with_tied_last: bool = False

    gallantry: Terms = Terms(prizes=(2, 2, 2))
    gallantry_sword: int = 2
    gallantry_king: int = 2
    gallantry_any: int = 1

    magic: Terms = Terms(scored=(2, 5), resets=(2,), prizes=(6, 4, 2))

    knights: Terms = Terms(scored=(2, 4, 6), resets=(2, 4), prizes=(5, 3, 1))
    knights_won: tuple[int, ...] = (8, 5, 2)
    cup_reach: int = 6

    challenge: Terms = Terms(prizes=(3, 2, 1))

    codex: tuple[int, int] = (-3, -1)

    scrolls: Terms = Terms(scored=(), resets=())
    scroll_fields: tuple[int, int] = (6, 12)
    scroll_points: tuple[tuple[int, int], ...] = ((12, 8), (9, 6), (6, 4), (3, 2), (1, 1))

    grail: Terms = Terms(scored=(6,), resets=())
    grail_shields: tuple[int, int] = (1, 2)
    grail_last: int = 2

    charity_claims: tuple[int, int] = (2, 1)
    charity_highest: int = 3


NUMBERS = Numbers()
"""The numbers that the built-in game uses."""
