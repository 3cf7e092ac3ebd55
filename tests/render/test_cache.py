"""The cache of drawings stays within its budget and retains the most useful entries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from PIL import Image

from render.cache import CACHE, ENTRY, Cache, size_of
from render.canvas import Canvas, Sprite
from render.donquixote.land import Land, Marks, draw_land
from render.geometry import Point
from render.theme import Palette

SIDE = 100
DRAWN = SIDE * SIDE
"""The size in bytes of a drawing by the ``Studio``."""


class Studio:
    """A cache whose clock advances only while something is drawn.

    :param room: how many drawings fit into the budget.
    """

    def __init__(self, room: int) -> None:
        self.now = 0.0
        self.drawn: list[str] = []
        self.cache = Cache(room * (DRAWN + ENTRY), lambda: self.now)
        self.draw = self.cache.cached(self.fresh)

    def use(self, name: str, seconds: float = 1.0) -> None:
        """Draw something, and request it again at once."""
        for _ in range(2):
            self.draw(name, seconds)

    def holds(self, name: str, seconds: float = 1.0) -> bool:
        return self.draw.held(name, seconds)

    def fresh(self, name: str, seconds: float = 1.0) -> Image.Image:
        self.drawn.append(name)
        self.now += seconds
        return Image.new("L", (SIDE, SIDE))


def test_a_result_is_drawn_once_for_each_set_of_arguments() -> None:
    studio = Studio(room=3)
    first = studio.draw("a")
    assert studio.draw("a") is first
    assert studio.draw("b") is not first
    assert studio.draw("a", seconds=2.0) is not first
    assert studio.drawn == ["a", "b", "a"]
    assert studio.draw.held("a", seconds=2.0)
    assert not studio.draw.held("c")


def test_the_cache_stays_within_the_budget() -> None:
    studio = Studio(room=5)
    other = studio.cache.cached(lambda name: studio.fresh(f"other {name}"))
    for number in range(40):
        studio.draw(str(number % 9))
        other(str(number % 7))
        assert studio.cache.size <= studio.cache.budget
        assert sum(usage.size for usage in studio.cache.usages()) == studio.cache.size
    assert studio.cache.size > studio.cache.budget / 2


def test_of_equal_costs_the_least_recently_used_is_dropped() -> None:
    studio = Studio(room=16)  # two drawings are dropped at a time
    for number in range(17):
        studio.use(str(number))
    assert [studio.holds(str(number)) for number in range(4)] == [False, False, True, True]
    studio.use("2")
    for number in range(17, 19):
        studio.use(str(number))
    assert studio.holds("2")
    assert not studio.holds("3")


def test_slow_drawings_outlive_quick_ones() -> None:
    studio = Studio(room=16)
    studio.use("slow", 5.0)
    for number in range(40):
        studio.use(f"quick {number}")
    assert studio.holds("slow", 5.0)
    assert not studio.holds("quick 0")
    for number in range(200):
        studio.use(f"later {number}")
    assert not studio.holds("slow", 5.0)


def test_a_small_result_outlives_a_large_one_that_took_as_long() -> None:
    studio = Studio(room=4)
    large = studio.cache.cached(lambda: (studio.fresh("large"), Image.new("L", (SIDE, SIDE))))
    studio.use("small")
    large()
    large()
    studio.use("another")
    studio.use("one more")
    assert studio.holds("small")
    assert not large.held()


def test_unused_results_make_room_for_used_ones() -> None:
    """The choice depends on how often each function's results are reused; the newest result
    stays.
    """
    studio = Studio(room=16)
    fleeting = studio.cache.cached(lambda number: studio.fresh(f"fleeting {number}"))
    for number in range(12):
        studio.use(str(number))
    for number in range(20):
        fleeting(number)
    assert all(studio.holds(str(number)) for number in range(12))
    assert fleeting.held(19)
    assert not fleeting.held(0)


def test_usage_tells_hits_misses_and_what_they_saved() -> None:
    studio = Studio(room=3)
    for name in "aabaa":
        studio.draw(name, seconds=0.5)
    (usage,) = studio.cache.usages()
    assert usage.name.endswith("Studio.fresh")
    assert (usage.entries, usage.hits, usage.misses, usage.seconds) == (2, 3, 2, 1.0)
    assert usage.size == 2 * (DRAWN + ENTRY)
    assert usage.saved == 1.5
    studio.cache.clear()
    (usage,) = studio.cache.usages()
    assert (usage.entries, usage.size, usage.hits, usage.misses, usage.saved) == (0, 0, 0, 0, 0.0)
    assert studio.cache.size == 0


def test_threads_that_draw_the_same_share_one_result() -> None:
    cache, threads = Cache(1 << 20), 4
    together = Barrier(threads)

    @cache.cached
    def draw(side: int) -> Image.Image:
        together.wait(10)
        return Image.new("RGB", (side, side))

    with ThreadPoolExecutor(threads) as pool:
        results = list(pool.map(draw, [10] * threads))
    assert all(result is results[0] for result in results)
    (usage,) = cache.usages()
    assert (usage.entries, usage.misses) == (1, threads)
    assert cache.size == usage.size == ENTRY + 400


def test_threads_keep_the_budget_and_their_own_pictures() -> None:
    cache = Cache(40 * (64 + ENTRY))
    draw = cache.cached(lambda number: Image.new("L", (8, 8), number))

    def look(start: int) -> bool:
        numbers = [(start * 37 + n * 11) % 200 for n in range(2000)]
        return all(draw(number).getpixel((0, 0)) == number for number in numbers)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(look, range(4)))
    (usage,) = cache.usages()
    assert cache.size == usage.size <= cache.budget


def patterned(seed: int, side: int = SIDE) -> Image.Image:
    """A picture with colours that compress, but not to nothing."""
    rng = Random(seed)
    few = [bytes(rng.randbytes(3)) for _ in range(4)]
    return Image.frombytes("RGB", (side, side), b"".join(rng.choices(few, k=side * side)))


def test_compressed_drawings_come_back_as_they_were() -> None:
    """A mask, which may be shared, is not copied."""
    mask = Image.new("L", (SIDE, SIDE), 255)
    cache = Cache(1 << 20)

    @cache.cached
    def sprite(number: int) -> Sprite:
        return Sprite(patterned(number), mask)

    @cache.cached
    def layer(number: int) -> Canvas:
        canvas = Canvas(SIDE, SIDE, "#FFFFFF")
        canvas.stamp(Sprite(patterned(number), mask), (SIDE / 2, SIDE / 2))
        return canvas

    before, canvas = sprite(1), layer(2)
    cache.rest()
    cache.rest()
    assert (again := sprite(1)) is not before
    assert again.colours.tobytes() == before.colours.tobytes()
    assert again.mask is mask
    assert again.solid == before.solid
    assert layer(2) is not canvas
    assert layer(2).sprite().colours.tobytes() == canvas.sprite().colours.tobytes()


def test_an_entry_evicted_while_it_is_restored_is_not_counted() -> None:
    cache = Cache(5 * DRAWN)
    draw = cache.cached(patterned)
    expected = draw(1).tobytes()
    (entry,) = draw.entries.values()
    cache.rest()
    cache.rest()
    for number in range(2, 40):
        draw(number)
    assert not draw.held(1)
    size = cache.size
    assert cache.restored(entry).tobytes() == expected
    assert cache.size == size == sum(usage.size for usage in cache.usages())


def test_unused_drawings_are_compressed() -> None:
    cache = Cache(1 << 20)
    draw = cache.cached(patterned)
    used, unused = draw(1), draw(2)
    full = cache.size
    cache.rest()
    assert draw(1) is used
    cache.rest()
    small = cache.size
    assert small < full - 3 * DRAWN
    assert draw(1) is used
    restored = draw(2)
    assert restored is not unused
    assert restored.tobytes() == unused.tobytes()
    assert draw(2) is restored
    assert cache.size == full


def test_threads_restore_what_others_compress() -> None:
    cache = Cache(8 * 4 * DRAWN)
    draw = cache.cached(patterned)
    expected = [patterned(number).tobytes() for number in range(12)]

    def look(start: int) -> bool:
        numbers = [(start * 5 + n * 7) % 12 for n in range(60)]
        found = []
        for n, number in enumerate(numbers):
            found.append(draw(number).tobytes() == expected[number])
            if n % 5 == start:
                cache.rest()
        return all(found)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(look, range(4)))
    (usage,) = cache.usages()
    assert cache.size == usage.size <= cache.budget


def test_the_size_of_a_drawing() -> None:
    """Pillow uses four bytes a pixel for a picture with three colour bands, and one byte for a
    mask.
    """
    sprite = Sprite(Image.new("RGB", (30, 20)), Image.new("L", (30, 20)))
    assert size_of(sprite) == 5 * 600
    assert size_of((sprite, sprite.mask, None, "", 7)) == 6 * 600
    assert size_of(Canvas(30, 20, "#FFFFFF")) == 4 * 600
    assert size_of(Canvas(30, 20)) == 5 * 600
    packed = sprite.packed(Palette(["#000000"]))
    assert size_of(packed) == len(packed.pixels) < 600


def test_a_principality_grows_from_an_earlier_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture with another batch of tiles is drawn on a copy of the one before, and the last
    tiles directly; the result is as if all had been drawn at once.
    """
    laid = {"A1": "KN03", "B1": "CA6", "C2": "KN05r", "B2": "CH1", "A2": "WM4"}
    some = dict([*laid.items()][:2])
    monkeypatch.setattr("render.donquixote.land.BATCH", 2)
    land, stamp, stamped = Land(10, 10, 40), Canvas.stamp, list[Point]()

    def noted(canvas: Canvas, sprite: Sprite, centre: Point, opacity: float = 1.0) -> None:
        if canvas.width == land.box.width:  # not a tile, which consists of stamps itself
            stamped.append(centre)
        stamp(canvas, sprite, centre, opacity)

    def drawn(board: dict[str, str]) -> bytes:
        stamped.clear()
        canvas = Canvas(300, 300, "#FFFFFF")
        draw_land(canvas, land, board, Marks(), 0)
        return canvas.png(None)

    monkeypatch.setattr(Canvas, "stamp", noted)
    CACHE.clear()
    at_once = drawn(laid)
    CACHE.clear()
    first = drawn(some)
    assert drawn(laid) == at_once != first
    assert len(stamped) == 2
    assert drawn(some) == first
