"""A person's profile as a picture: ratings over time, the games played most, streaks, trophies, and
victories over computer players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from data.texts import Texts
from render.canvas import Canvas, write, write_lines
from render.course import draw_level, draw_small, plot_for
from render.emblems import GAME_COLOURS, game_emblem
from render.geometry import Box
from render.honours import PALETTE, cup, parchment_sheet
from render.laurel import LEAF
from render.letters import fits_whole, set_in_lines, text_width, typeset
from render.names import in_one_face, printable, spoken
from render.plates import OAK, PAPER, card
from render.scene import Picture, first_fitting
from render.theme import SEATS, Type

LEFT, TOP, RIGHT = 40, 148, 1160
LEGEND = 38
"""How far the legend is above the games: the line at the rating of a newcomer."""
NOTHING = 404
"""Height of the sheet if there are no games to list."""
ROW, PAD = 92, 14
"""Height of a game's row, and the space above the first and below the last one."""
CURVE = Box(734, 18, 946, 18)
"""Left and right edges of the curves, and the space above and below each of them."""
EMBLEM = 64
"""Size of a game's emblem in front of its row."""
GAMES_AT_MOST = len(SEATS)
PANELS_HIGH = 330
HEADED, STREAK, CUPS_HIGH, TROPHY_HIGH = 80, 122, 100, 75
"""Heights of a panel's edges and heading, of a streak, and of trophies: their counts and a name."""
SHARES = 30, 41, 38
"""Widths of the panels as proportions; if there are fewer panels, the first proportions apply."""
ALONE = 700
"""In a panel wider than this, because it is the only one, streaks are side by side."""
GAP, FOOT = 20, 32
TROPHIES_NAMED = 2
CUP_PLACES = (1, 2, 3)
WORTH_A_STREAK = 2
"""Minimum length of a streak that is shown."""
WORTH_DRAWING = 2
"""Minimum number of matches for which a curve is drawn."""

NAMES = tuple(Type("title", size) for size in (48, 40, 34, 28))
NAME_WIDTH, NAME_LEADING = 1104, 52
OTHER_NAMES = tuple(Type("strong", size) for size in (44, 38, 32, 28))
SINCE = Type("text", 28)
HEAD = Type("title", 32), Type("title", 28)
GAME = Type("strong", 36), Type("strong", 28)
DETAIL = Type("text", 28)
RESULTS = Type("text", 34), Type("text", 30), DETAIL
RATING = Type("strong", 52)
COUNT = Type("strong", 60)
COMPUTER = Type("text", 32)
INVITATION = Type("text", 40), Type("text", 34), Type("text", 28)
CUPS = Type("strong", 44)
TROPHY = Type("strong", 28)
LINE = Type("text", 36), Type("text", 32), Type("text", 28)
EMPTY = 150
"""Size of the games' emblems that are shown until there is a finished match."""


@dataclass(frozen=True, slots=True)
class GameProfile:
    """A person's results in one game.

    :param place: the rank on the server; None: unranked.
    :param matches: the number of rated matches.
    :param uncounted: the number of all other matches.
    :param course: the rating of a newcomer, then the rating after each rated match; may be empty.
    :param game: the id of the game, for its emblem; empty: none is shown.
    """

    title: str
    rating: int
    place: int | None
    matches: int
    won: int
    uncounted: int
    course: tuple[int, ...] = ()
    game: str = ""


@dataclass(frozen=True, slots=True)
class WinStreak:
    """How many matches in a row a person has won in a game."""

    title: str
    count: int


@dataclass(frozen=True, slots=True)
class Won:
    """A trophy, in words.

    :param title: what it was won for: a season, a tournament, riddles or a streak.
    :param subject: what that was about, such as the game; empty if ``title`` says it all.
    """

    place: int
    title: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Beaten:
    """A person's results against computer players of one level."""

    level: str
    won: int
    matches: int


@dataclass(frozen=True, slots=True)
class Profile:
    """The content of a profile.

    :param name: the name as the person typed it.
    :param since: the month in which the person began to play, in words; empty if they have not
        played yet.
    :param games: the games, starting with the one played most.
    :param longest: the longest streak of wins in rated matches; None: they have not won any yet.
    :param running: the longest streak that still continues; None: there is none.
    :param trophies: the trophies, latest first.
    :param beaten: the results against each level, weakest first; None: they are not shown.
    """

    name: str
    since: str
    games: tuple[GameProfile, ...]
    longest: WinStreak | None
    running: WinStreak | None
    trophies: tuple[Won, ...]
    beaten: tuple[Beaten, ...] | None


def profile_picture(profile: Profile, say: Texts) -> Picture:
    """Draw a profile."""
    games = profile.games[:GAMES_AT_MOST]
    name, kind = _heading(profile, say)
    top = TOP + (len(name) - 1) * NAME_LEADING
    play = Box(LEFT, top, RIGHT, top + (2 * PAD + ROW * len(games) if games else NOTHING))
    drawn_as = _panels(profile)
    foot = play.bottom + (GAP + _panels_high(profile) if drawn_as else 0)
    panels = Box(LEFT, play.bottom + GAP, RIGHT, foot)
    canvas = card(round(foot + FOOT), OAK)
    _draw_heading(canvas, name, kind, _since(profile, say))
    parchment_sheet(canvas, play)
    _draw_play(canvas, play, games, say)
    shares = SHARES[: len(drawn_as)]
    part = (panels.width - GAP * (len(drawn_as) - 1)) / max(1, sum(shares))
    left = panels.left
    for share, draw in zip(shares, drawn_as, strict=True):
        box = Box(left, panels.top, round(left + part * share), panels.bottom)
        parchment_sheet(canvas, box)
        draw(canvas, box.inset(24), profile, say)
        left = box.right + GAP
    return Picture("profile.png", canvas.png(PALETTE), _described(profile, say))


def _panels(profile: Profile) -> list[Callable[[Canvas, Box, Profile, Texts], None]]:
    """Return the functions that draw the panels below the games; panels that would be empty are
    left out.
    """
    panels = [
        (_draw_streaks, _streaks(profile)),
        (_draw_trophies, profile.trophies),
        (_draw_beaten, profile.beaten),
    ]
    return [draw for draw, content in panels if content]


def _streaks(profile: Profile) -> list[WinStreak]:
    """Return the streaks worth showing."""
    both = profile.longest, profile.running
    return [each for each in both if each is not None and each.count >= WORTH_A_STREAK]


def _panels_high(profile: Profile) -> int:
    """Return the height of the panels: as much as the one with the most content needs."""
    streaks = len(_streaks(profile))
    if len(_panels(profile)) == 1:
        streaks = min(streaks, 1)  # they are side by side
    trophies = min(len(profile.trophies), TROPHIES_NAMED)
    needs = [HEADED + STREAK * streaks, HEADED + CUPS_HIGH + TROPHY_HIGH * trophies]
    return PANELS_HIGH if profile.beaten else max(needs[0], needs[1] if trophies else 0)


def _heading(profile: Profile, say: Texts) -> tuple[list[str], Type]:
    """Return the lines of the name and their type: one large line, or two if one is too small."""
    name = printable(profile.name) or say("Someone")
    capitals = name.upper()
    titled = in_one_face(capitals, "title")
    words, kinds = (capitals, NAMES) if titled else (name, OTHER_NAMES)
    lines, kind = set_in_lines(words, kinds[:2], NAME_WIDTH, 1)
    return (lines, kind) if lines == [words] else set_in_lines(words, kinds, NAME_WIDTH, 2)


def _draw_heading(canvas: Canvas, name: Sequence[str], kind: Type, since: str) -> None:
    y = 62
    for line in name:
        canvas.text((48, y), line, kind, LEAF, "lm")
        y += NAME_LEADING
    canvas.text((48, y - 4), since, SINCE, OAK.soft, "lm")
    canvas.line([(48, y + 18), (1152, y + 18)], OAK.line, 2, opacity=0.7)


def _draw_play(canvas: Canvas, play: Box, games: Sequence[GameProfile], say: Texts) -> None:
    """Draw a row for each game: the person's results, their ratings over time, and their rating
    now; if there are no games, draw an invitation to play.
    """
    if not games:
        x, y = play.centre
        step = EMPTY + 28
        for n, game in enumerate(GAME_COLOURS):
            at = x + (n - (len(GAME_COLOURS) - 1) / 2) * step, y - 74
            canvas.stamp(game_emblem(game, EMPTY), at)
        words = say("No finished match on this server yet.")
        write(canvas, (x, play.bottom - 122), words, INVITATION, play.width - 64, PAPER.soft)
        begin = say("{command} begins one.", command=f"/{say.named('play')}")
        write(canvas, (x, play.bottom - 62), begin, INVITATION, play.width - 64, PAPER.ink)
        return
    drawn = [each for each in games if len(each.course) > WORTH_DRAWING]
    ratings = [rating for each in drawn for rating in each.course]
    rows = play.inset(28, PAD).rows(len(games))
    rated = next((row for row, each in zip(rows, games, strict=True) if each.matches), None)
    if rated and not drawn:
        words, room = say("The curve begins with the second match."), (CURVE.width + 116, ROW)
        write_lines(canvas, (CURVE.right, rated.centre[1]), words, DETAIL, room, PAPER.soft, "rm")
    for row, each in zip(rows, games, strict=True):
        if each is not games[0]:
            canvas.line([(row.left, row.top), (row.right, row.top)], PAPER.line, 2)
        _draw_game(canvas, row, each, say)
        if each in drawn:
            box = Box(CURVE.left, row.top + CURVE.top, CURVE.right, row.bottom - CURVE.bottom)
            plot = plot_for(ratings, box, len(each.course) - 1)
            draw_small(canvas, plot, each.course)
    if drawn:
        words, y = say.number(drawn[0].course[0]), play.top - LEGEND
        number = canvas.text((play.right - 8, y), words, SINCE, OAK.soft, "rm")
        draw_level(canvas, number.left - 80, number.left - 16, y)


def _draw_game(canvas: Canvas, row: Box, each: GameProfile, say: Texts) -> None:
    """Draw the name of a game, its results in words, and the rating."""
    y, left = row.centre[1], row.left
    if each.game in GAME_COLOURS:
        canvas.stamp(game_emblem(each.game, EMBLEM), (left + EMBLEM / 2 - 6, y))
        left += EMBLEM + 8
    room = CURVE.left - 24 - left
    write(canvas, (left, y - 18), each.title, GAME, room, anchor="lm")
    write(canvas, (left, y + 22), _in_short(each, say), RESULTS, room, PAPER.soft, "lm")
    if each.matches:
        canvas.text((row.right, y), say.number(each.rating), RATING, anchor="rm")


def _draw_streaks(canvas: Canvas, box: Box, profile: Profile, say: Texts) -> None:
    _draw_head(canvas, box, say("Streaks"))
    both = (profile.longest, say("Longest")), (profile.running, say("Current"))
    shown = [(streak, label) for streak, label in both if streak in _streaks(profile)]
    below = Box(box.left, box.top + 40, box.right, box.top + 40 + STREAK)
    if box.width > ALONE:
        rows = below.columns(2)
    else:
        rows = [below.moved(0, STREAK * n) for n in range(len(shown))]
    for row, (streak, label) in zip(rows, shown, strict=False):
        y = row.centre[1]
        number = canvas.text((row.left, y - 18), say.number(streak.count), COUNT, anchor="lm")
        left = number.right + 16
        write(canvas, (left, y - 18), label, LINE, row.right - left, anchor="lm")
        write(canvas, (row.left, y + 32), streak.title, DETAIL, row.width, PAPER.soft, "lm")


def _draw_trophies(canvas: Canvas, box: Box, profile: Profile, say: Texts) -> None:
    _draw_head(canvas, box, say("Trophies"))
    top = Box(box.left, box.top + 40, box.right, box.top + 116)
    for n, column in enumerate(top.columns(3), 1):
        y = column.centre[1]
        count = sum(trophy.place == n for trophy in profile.trophies)
        canvas.stamp(cup(n, 64).faded(1.0 if count else 0.35), (column.left + 32, y))
        ink = PAPER.ink if count else PAPER.faint
        canvas.text((column.left + 74, y), say.number(count), CUPS, ink, "lm")
    below = Box(box.left, top.bottom + 8, box.right, top.bottom + 8 + TROPHY_HIGH * TROPHIES_NAMED)
    rows = below.rows(TROPHIES_NAMED)
    for row, trophy in zip(rows, profile.trophies[:TROPHIES_NAMED], strict=False):
        left, y = row.left + 60, row.centre[1]
        if trophy.place in CUP_PLACES:
            canvas.stamp(cup(trophy.place, 50), (row.left + 25, y))
        else:
            canvas.text((row.left + 25, y), f"{trophy.place}.", TROPHY)
        title = printable(trophy.title, TROPHY.face)
        wide = row.right - left
        if not trophy.subject or not fits_whole(title, TROPHY, wide, 1):
            write_lines(canvas, (left, y), title, TROPHY, (wide, row.height), anchor="lm")
            continue
        write(canvas, (left, y - 16), title, TROPHY, wide, anchor="lm")
        write(canvas, (left, y + 18), trophy.subject, DETAIL, wide, PAPER.soft, "lm")


def _draw_beaten(canvas: Canvas, box: Box, profile: Profile, say: Texts) -> None:
    _draw_head(canvas, box, say("Computers beaten"))
    beaten = profile.beaten or ()
    below = Box(box.left, box.top + 40, box.right, box.bottom)
    row = min(below.height / len(beaten), 52)
    area = Box(below.left, below.top, below.right, below.top + row * len(beaten))
    longest = max((each.level for each in beaten), key=lambda level: text_width(level, LINE[0]))
    wide = max(text_width(f"{each.won}/{each.matches}", COMPUTER) for each in beaten)
    _, kind = typeset(longest, LINE, below.width - wide - 16)
    for line, each in zip(area.rows(len(beaten)), beaten, strict=True):
        y = line.centre[1]
        ratio = f"{say.number(each.won)}/{say.number(each.matches)}"
        right = canvas.text((line.right, y), ratio, COMPUTER, PAPER.soft, "rm").left
        write(canvas, (line.left, y), each.level, kind, right - line.left - 16, anchor="lm")


def _draw_head(canvas: Canvas, box: Box, words: str) -> None:
    write(canvas, (box.left, box.top + 14), words.upper(), HEAD, box.width, PAPER.ink, "lm")


# --------------------------------------------------------------------------- in words
def _since(profile: Profile, say: Texts) -> str:
    matches = sum(each.matches + each.uncounted for each in profile.games)
    told = say.plural("{n} match", "{n} matches", matches)
    if not profile.since:
        return told
    return f"{say('here since {month}', month=profile.since)} · {told}"


def _in_short(each: GameProfile, say: Texts) -> str:
    """Return the rank and the victories, or only the number of matches without a rating."""
    if not each.matches:
        return ", ".join(_details(each, say))
    won = say("{won} of {n} won", won=each.won, n=each.matches)
    return won if each.place is None else f"{say('place {place}', place=each.place)} · {won}"


def _details(each: GameProfile, say: Texts) -> Iterator[str]:
    if each.place is not None:
        yield say("place {place}", place=each.place)
    if each.matches:
        matches = say.plural("{n} match", "{n} matches", each.matches)
        yield say("{matches}, {won} won", matches=matches, won=each.won)
    elif each.uncounted:
        yield say.plural(
            "{n} match without a rating", "{n} matches without a rating", each.uncounted
        )


def _described(profile: Profile, say: Texts) -> str:
    told = (list(_sentences(profile, say, trophies)) for trophies in (20, TROPHIES_NAMED, 0))
    return first_fitting(map(" ".join, told), say)


def _sentences(profile: Profile, say: Texts, trophies: int) -> Iterator[str]:
    yield say("The profile of {name}.", name=spoken(profile.name) or say("Someone"))
    since = _since(profile, say)
    yield f"{since[:1].upper()}{since[1:]}."
    for each in profile.games[:GAMES_AT_MOST]:
        parts = [say("rating {rating}", rating=each.rating)] if each.matches else []
        parts += _details(each, say)
        if len(each.course) > WORTH_DRAWING:
            least, most = min(each.course), max(each.course)
            parts.append(say("between {least} and {most}", least=least, most=most))
        yield f"{each.title}{say.colon} {', '.join(parts)}."
    if profile.longest is not None:
        yield say(
            "Longest streak: {n}, {game}.", n=profile.longest.count, game=profile.longest.title
        )
    if profile.running is not None:
        yield say(
            "Current streak: {n}, {game}.", n=profile.running.count, game=profile.running.title
        )
    counts = [sum(won.place == place for won in profile.trophies) for place in CUP_PLACES]
    metals = dict(zip(("gold", "silver", "bronze"), counts, strict=True))
    yield say("Trophies: {gold} gold, {silver} silver, {bronze} bronze.", **metals)
    for won in profile.trophies[:trophies]:
        where = f"{won.subject} · {spoken(won.title)}" if won.subject else spoken(won.title)
        yield f"{won.place}. · {where}."
    for beaten in profile.beaten or ():
        ratio = say("{won} of {matches} won", won=beaten.won, matches=beaten.matches)
        yield f"{say('Against the computer')}, {beaten.level}{say.colon} {ratio}."
