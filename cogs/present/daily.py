"""The riddle and the deal of the day as cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from cogs.gateway.cards import Button, Card, Gallery, Part, Style
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.choices import menu_rows
from cogs.present.drawings import Drawing, Numbered, Painted, Stacked
from cogs.present.people import figure_names, seat_colour
from cogs.present.private import REASONS_AT_MOST
from cogs.present.seasons import MEDALS, SUBJECTS, trophy_in_words
from cogs.present.surfaces import Surface
from cogs.present.words import GameWords
from data.store.riddles import AttemptRow, DayRank, PlayRow
from data.store.trophies import TrophyRow
from data.texts import N_, Texts, texts
from games import GAMES
from games.donquixote import rating
from games.engine import Match, Move, View
from games.fairness import sealed
from play.daily import DEAL, Streak
from play.lessons import names_with
from play.occasions.daily import Best, Daily, Post
from play.occasions.occasion import Occasion
from play.riddles.riddle import HINTS, POINTS, TRIES, Attempt, Riddle, Task, event_of
from play.riddles.stock import riddle_from
from render.donquixote.words import RATINGS
from render.riddle import RiddleResult, result_picture
from render.scene import Scene

TASKS: Final[Mapping[Task, str]] = {
    Task.ONE: N_("Win with this move."),
    Task.TWO: N_(
        "Find the move after which you can win with your next one, whatever is played in between."
    ),
    Task.MOST: N_(
        "Make the most of it: which move gives your side the best result against best play?"
    ),
}
"""The question a riddle asks, by task."""

HEADS: Final[Mapping[Task, str]] = {
    Task.ONE: N_("Riddle: win with this move"),
    Task.TWO: N_("Riddle: win in two moves"),
    Task.MOST: N_("Riddle: find the best move"),
}
"""The headline of the picture of a riddle, by task."""

OPEN: Final = N_("All hands are open.")
UNITED: Final = N_(
    "What counts is your lead over the best of the others, who all play against you."
)
BEST: Final = 3
"""How many of the previous day's best players are named: for the deal, with their boards, and for
the riddle.
"""

SOLVER: Final = "Anna"
"""How the player to move is named in posts that everybody reads."""


def stars(riddle: Riddle) -> str:
    """Return a riddle's difficulty as stars."""
    return "★" * riddle.stars + "☆" * (3 - riddle.stars)


def riddle_names(riddle: Riddle, solver: str) -> tuple[str, ...]:
    """Return the players' names, by seat."""
    return names_with(solver, riddle.seat, riddle.players)


def open_riddle(day: date) -> Control:
    """Return the control that opens the riddle of a day."""
    return Control.apart("riddle", day.isoformat())


def open_deal(day: date) -> Control:
    """Return the control that opens the deal of a day."""
    return Control.apart("deal", day.isoformat())


# ------------------------------------------------------------------------------ riddles
@dataclass(frozen=True, slots=True)
class Solver:
    """A person solving a riddle.

    :param name: the person's name as typed, unescaped.
    :param points: the total over all riddles.
    :param won: the trophies the person won that day.
    """

    name: str
    attempt: Attempt
    streak: Streak
    points: int
    won: Sequence[TrophyRow] = ()


def riddle_card(
    day: date,
    riddle: Riddle,
    words: GameWords,
    solver: Solver,
    say: Texts,
    prefix: str = "",
    told: str = "",
) -> Card:
    """Return a riddle with the menus for answering it.

    :param prefix: the beginning of the move being chosen.
    :param told: feedback on the last answer; empty if there has been none.
    """
    names, view = riddle_names(riddle, solver.name), riddle.view()
    menu = words.menu(view, riddle.offered(), prefix, names, say)
    attempt = solver.attempt
    parts: list[Part] = [_heading(day, riddle, words, say)]
    parts += [told] if told else []
    parts += _pictures(riddle, view, names, say)
    asked = f"**{say('Your task')}{say.colon}** {_task(riddle, say)}"
    if riddle.shown:
        asked += f" {say(OPEN)}"
    parts.append("\n".join([asked, *_hints(riddle, words, attempt, names, say), menu.prompt]))
    parts.append(f"-# {_worth(solver, say)}")
    rows = menu_rows(menu, Control.apart("guess"), f"{day.isoformat()}.")
    ways: list[Button] = []
    if prefix:
        ways.append(Button(open_riddle(day), say("Start over")))
    if attempt.hints < HINTS:
        hint = Control.apart("riddlehint", f"{day.isoformat()}.{attempt.hints + 1}")
        ways.append(Button(hint, say("Hint (costs a point)")))
    rows += [tuple(ways)] if ways else []
    return Card(tuple(parts), tuple(rows), seat_colour(riddle.seat))


def _task(riddle: Riddle, say: Texts) -> str:
    told = say(TASKS[riddle.task])
    return f"{told} {say(UNITED)}" if riddle.united else told


def wrong_riddle_text(
    riddle: Riddle, words: GameWords, attempt: Attempt, move: Move, solver: str, say: Texts
) -> str:
    """Return feedback on a wrong answer.

    :param solver: the person's name, which decides how the others at the table are called.
    """
    shown = escape(words.move_in_words(move, riddle_names(riddle, solver), say))
    left = say.plural("You have {n} try left.", "You have {n} tries left.", _left(attempt))
    why = {
        Task.ONE: say("It does not win at once."),
        Task.TWO: say("One reply to it keeps you from winning."),
        Task.MOST: say("Another move gains more."),
    }
    return f"❌ **{say('Not quite')}{say.colon} {shown}.** {why[riddle.task]} {left}"


def solution_card(
    day: date, riddle: Riddle, words: GameWords, solver: Solver, say: Texts, *, past: bool
) -> Card:
    """Return the solution with its reasons, and the points the person scored.

    :param past: the riddle's day is over.
    """
    attempt = solver.attempt
    names = riddle_names(riddle, solver.name)
    if attempt.solved:
        head = say.plural(
            "✅ **Right!** {n} point for you.", "✅ **Right!** {n} points for you.", attempt.points
        )
    elif past:
        head = say("This riddle is over. Here is its solution.")
    else:
        head = say("That was your last try. Here is the solution.")
    match, facts = riddle.solved()
    scene = Scene(view=riddle.view(), names=names, say=say)
    if match.outcome is not None:  # otherwise the view already shows the next deal
        moves = tuple((event.seat, event.move) for event in map(event_of, riddle.line))
        scene = replace(scene, view=match.view(None), facts=tuple(facts), moves=moves)
    parts: list[Part] = [
        _heading(day, riddle, words, say),
        "\n".join([head, solution_text(riddle, words, names, say), *_won(solver.won, say)]),
        Gallery((Drawing(riddle.game, "board", scene, head=say(HEADS[riddle.task])),)),
        f"-# {_so_far(solver, say)}",
    ]
    others = Button(Control.apart("deal"), say("The deal of the day"), Style.PRIMARY)
    return Card(tuple(parts), ((others,),), seat_colour(riddle.seat))


def solution_text(riddle: Riddle, words: GameWords, names: Sequence[str], say: Texts) -> str:
    """List the moves that solve a riddle, with the reasons for the first one."""
    safe = [escape(name) for name in names]
    line = []
    for number, event in enumerate(map(event_of, riddle.line)):
        move = f"**{words.move_in_words(event.move, safe, say)}**"
        line.append(move if not number else f"{safe[event.seat]}{say.colon} {move}")
    why = reasons_in_words(riddle, words, names, say)
    return "\n".join([say("Solution: {line}.", line=" · ".join(line)), *why])


def reasons_in_words(
    riddle: Riddle, words: GameWords, names: Sequence[str], say: Texts
) -> list[str]:
    """Return the reasons for the solution, one sentence each."""
    view = riddle.view()
    figures = figure_names(names, words.owners(view), say)
    told = [words.motive(fact, view, figures, say) for fact in riddle.reasons()]
    told += [words.tell(fact, figures, say) for fact in riddle.reasons()]
    sentences = [sentence for sentence in dict.fromkeys(told) if sentence][:REASONS_AT_MOST]
    if riddle.task is Task.TWO:
        sentences.append(say("Whatever is played then, you still have a winning move."))
    if riddle.gain:
        sentences.append(
            say.plural(
                "It gains at least {n} more point than any other move.",
                "It gains at least {n} more points than any other move.",
                riddle.gain,
            )
        )
    return sentences


def _heading(day: date, riddle: Riddle, words: GameWords, say: Texts) -> str:
    title = say("The riddle of the day · {day}", day=say.short_day(day))
    return f"### {title}\n{say(words.title)} · {stars(riddle)}"


def _hints(
    riddle: Riddle, words: GameWords, attempt: Attempt, names: Sequence[str], say: Texts
) -> Iterator[str]:
    """Yield the hints the person has taken so far."""
    if attempt.hints >= 1:
        moves = [f"**{words.move_in_words(move, names, say)}**" for move in riddle.among()]
        yield "💡 " + say("It is one of these: {moves}.", moves=say.list(moves, choice=True))
    if attempt.hints >= HINTS:
        why = reasons_in_words(riddle, words, names, say)
        yield "💡 " + (" ".join(why) or say("It does not look like much at first sight."))


def _left(attempt: Attempt) -> int:
    return TRIES - len(attempt.wrong)


def _worth(solver: Solver, say: Texts) -> str:
    left = say.plural("{n} try left", "{n} tries left", _left(solver.attempt))
    worth = say.plural("worth {n} point", "worth {n} points", solver.attempt.points)
    return f"{left} · {worth} ({say('of {n}', n=POINTS)}) · {_so_far(solver, say)}"


def _so_far(solver: Solver, say: Texts) -> str:
    points = say.plural("{n} point in all", "{n} points in all", solver.points)
    return f"{points} · {streak_in_words(solver.streak, say)}"


def streak_in_words(streak: Streak, say: Texts) -> str:
    """Give the length of a streak, and that of the longest one if it was longer."""
    days = say.plural("streak: {n} day", "streak: {n} days", streak.length)
    if streak.longest > streak.length:
        days += f" ({say('longest: {n}', n=streak.longest)})"
    return days


def _won(trophies: Sequence[TrophyRow], say: Texts) -> Iterator[str]:
    """Yield the trophies won that day, one line each."""
    for trophy in trophies:
        won = f"**{trophy_in_words(trophy, say)}** ({say(SUBJECTS[trophy.kind])})"
        yield "🏆 " + say("A trophy for your profile: {trophy}.", trophy=won)


def _pictures(riddle: Riddle, view: View, names: tuple[str, ...], say: Texts) -> Iterator[Gallery]:
    """Yield the board and, in games with hands, the hand; if hands are open, all hands in a single
    picture, the solver's last.
    """
    scene = Scene(view=view, names=names, say=say)
    yield Gallery((Drawing(riddle.game, "board", scene, head=say(HEADS[riddle.task])),))
    if not GAMES[riddle.game].info.has_secrets:
        return
    match = riddle.match()
    others = [seat for seat in range(riddle.players) if riddle.shown and seat != riddle.seat]
    hands = (
        Scene(view=match.view(seat), names=names, say=say, shown=seat != riddle.seat)
        for seat in (*others, riddle.seat)
    )
    yield Gallery((Stacked(tuple(Drawing(riddle.game, "hand", scene) for scene in hands)),))


# -------------------------------------------------------------------------------- deals
def deal_card(
    day: date,
    match: Match[Any],
    words: GameWords,
    name: str,
    seal: str,
    say: Texts,
) -> Card:
    """Return the card of a deal that is being played.

    :param seal: the seal of the secret that determines all draws of the deal.
    """
    view, legal = match.view(0), match.game.legal(match.state, 0)
    menu = words.menu(view, legal, "", (name,), say)
    number = sum(event.seat == 0 for event in match.log)
    scene = Scene(view=view, names=(name,), say=say)
    parts: list[Part] = [
        _deal_heading(day, say),
        Gallery((Drawing(DEAL, "hand", scene),)),
        menu.prompt,
    ]
    if not number:
        parts.append(
            "-# "
            + say(
                "Everybody gets the same deal today, on every server. You play it once, alone; you"
                " cannot take anything back. Seal of today's deal: {seal}",
                seal=f"`{seal}`",
            )
        )
    choose = Control(0, number, "lay")
    rows = menu_rows(menu, choose, f"{day.isoformat()}.")
    return Card(tuple(parts), tuple(rows), seat_colour(0))


@dataclass(frozen=True, slots=True)
class Finished:
    """A person's result in a deal.

    :param here: the rank on the server where the deal was played; None if it was not played on one.
    :param won: the trophies the person won that day.
    """

    row: PlayRow
    everywhere: DayRank
    here: DayRank | None
    streak: Streak
    won: Sequence[TrophyRow] = ()


def finished_card(
    day: date,
    match: Match[Any],
    words: GameWords,
    finished: Finished,
    next_seal: str,
    say: Texts,
    *,
    may_share: bool,
) -> Card:
    """Return the card of a finished deal, with the person's rank.

    :param next_seal: the seal of tomorrow's deal.
    :param may_share: whether the person may show the result in this channel.
    """
    view = match.view(None)
    lines = [
        f"**{words.score(view, 0, say)}**",
        *_places(finished, say),
        streak_in_words(finished.streak, say),
        *_won(finished.won, say),
    ]
    scene = Scene(view=match.view(0), names=(finished.row.name,), say=say)
    seal = say("Seal of tomorrow's deal: {seal}", seal=f"`{next_seal}`")
    parts: list[Part] = [
        _deal_heading(day, say),
        "\n".join(lines),
        Gallery((Drawing(DEAL, "hand", scene),)),
        f"-# {seal}",
    ]
    buttons = [
        Button(Control.apart("best"), say("Yesterday's best")),
        Button(Control.apart("riddle"), say("The riddle of the day")),
    ]
    if may_share:
        share = Control.apart("sharedeal", day.isoformat())
        buttons.insert(0, Button(share, say("Show it here"), Style.PRIMARY))
    return Card(tuple(parts), (tuple(buttons),), seat_colour(0))


def _places(finished: Finished, say: Texts) -> Iterator[str]:
    everywhere, here = finished.everywhere, finished.here
    if here is not None:
        yield say("Place {place} of {of} on this server", place=here.place, of=here.of)
    yield say("Place {place} of {of} overall", place=everywhere.place, of=everywhere.of)


def _deal_heading(day: date, say: Texts) -> str:
    return f"### {say('The deal of the day · {day}', day=say.short_day(day))}"


def shared_card(day: date, finished: Finished, say: Texts) -> Card:
    """Return a result for everyone in the channel: points and rank, but not the tiles."""
    points = finished.row.points or 0
    lines = (say(RATINGS[rating(points)]), *_places(finished, say))
    lines = (*lines, streak_in_words(finished.streak, say))
    result = RiddleResult(say.short_day(day), finished.row.name, points, lines)
    play = Button(open_deal(day), say("Play it, too"), Style.PRIMARY)
    return Card((Gallery((Painted(result_picture, result, say),)),), ((play,),))


def best_card(
    day: date,
    best: Sequence[tuple[PlayRow, Match[Any]]],
    solved: Sequence[AttemptRow],
    secret: str,
    say: Texts,
    *,
    here: bool,
    played: bool,
) -> Card:
    """Return a past day's best results: in the deal, with its secret and the boards, and in the
    riddle.

    :param here: results on one server only.
    :param played: whether the reader has a board of their own.
    """
    where = say("on this server") if here else say("overall")
    heading = say("The best of {day}, {where}", day=say.short_day(day), where=where)
    deals = [(row.name, row.points or 0) for row, _ in best]
    riddles = [(row.name, row.points or 0) for row in solved]
    parts: list[Part] = [f"### {heading}", "\n".join(best_lines(deals, riddles, say))]
    drawings = tuple(
        Numbered(best_drawing(row, match, say), number)
        for number, (row, match) in enumerate(best[:BEST], 1)
    )
    if drawings:
        parts.append(Gallery(drawings))
    parts.append(f"-# {secret_text(secret, say)}")
    buttons = [Button(open_deal(day), say("Your own board"))] if played else []
    buttons.append(Button(open_riddle(day), say("The solution of the riddle")))
    return Card(tuple(parts), (tuple(buttons),))


def best_drawing(row: PlayRow, match: Match[Any], say: Texts) -> Drawing:
    """Return the picture of the board a person built."""
    return Drawing(DEAL, "hand", Scene(view=match.view(0), names=(row.name,), say=say))


def best_lines(
    deals: Sequence[tuple[str, int]], riddles: Sequence[tuple[str, int]], say: Texts
) -> Iterator[str]:
    """Yield the best players, in two lines.

    :param deals: names and points for the deal, best first.
    :param riddles: names and points for the riddle, best first.
    """
    named = [
        f"{medal} {escape(name)} ({say.number(points)})"
        for medal, (name, points) in zip(MEDALS, deals, strict=False)
    ]
    yield f"**{say('Deal')}{say.colon}** {' · '.join(named) or say('Nobody has played it.')}"
    named = [f"{escape(name)} ({say.number(points)})" for name, points in riddles]
    yield f"**{say('Riddle')}{say.colon}** {' · '.join(named) or say('Nobody has solved it.')}"


def secret_text(secret: str, say: Texts) -> str:
    """Reveal the secret of a past deal, with its seal."""
    return say(
        "Secret of this deal: {secret}. Its seal was {seal}.",
        secret=f"`{secret}`",
        seal=f"`{sealed(secret)}`",
    )


# -------------------------------------------------------------------------------- posts
def daily_surfaces(occasion: Occasion[Daily], words: Mapping[str, GameWords]) -> list[Surface]:
    """Return a server's daily post. The previous post keeps its text and loses its buttons.

    :param words: the words of each game, by id.
    """
    state, say = occasion.state, texts(occasion.server.language or occasion.row.language)
    if state.post is None:
        return []
    card = post_card(state.post, state.names, words, say)
    return [Surface(f"day:{state.post.day}", card, silent=True)]


def post_card(
    post: Post, names: Mapping[int, str], words: Mapping[str, GameWords], say: Texts
) -> Card:
    """Return a day's riddle and deal for everyone, with the previous day's solution and best
    players.

    :param names: the names of the people in the post, by id.
    """
    day, riddle = date.fromisoformat(post.day), riddle_from(post.riddle)
    seats = riddle_names(riddle, SOLVER)
    scene = Scene(view=riddle.match().view(None), names=seats, say=say)
    before = riddle_from(post.before)
    game = words[before.game]
    solution = solution_text(before, game, riddle_names(before, SOLVER), say)
    yesterday = [
        f"**{say('Yesterday')}** ({say(game.title)})",
        solution,
        *_named(post, names, say),
        f"-# {secret_text(post.secret, say)}",
    ]
    parts: list[Part] = [
        f"{_heading(day, riddle, words[riddle.game], say)}\n{_task(riddle, say)}",
        Gallery((Drawing(riddle.game, "board", scene, head=say(HEADS[riddle.task])),)),
        "\n".join(yesterday),
    ]
    buttons = (
        Button(open_riddle(day), say("Solve it"), Style.PRIMARY),
        Button(open_deal(day), say("The deal of the day"), Style.PRIMARY),
        Button(Control.apart("best"), say("Yesterday's best")),
    )
    return Card(tuple(parts), (buttons,))


def _named(post: Post, names: Mapping[int, str], say: Texts) -> Iterator[str]:
    """Yield the lines that name the best players."""

    def told(best: Sequence[Best]) -> list[tuple[str, int]]:
        return [(names.get(each.person_id, ""), each.points) for each in best]

    yield from best_lines(told(post.deals), told(post.solvers), say)
