"""The entry cards: all games in one picture, each game on its own, and the help page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cogs.gateway.cards import Button, Card, Gallery, Row, Style, rows_of
from cogs.gateway.controls import Control
from cogs.present.drawings import Painted
from cogs.present.lessons import learn_buttons
from cogs.present.people import level_in_words
from cogs.present.words import GameWords
from data.texts import Texts
from games import GAMES
from games.players import levels_of
from render.gallery import SHOWN, gallery
from render.scene import Picture


def players_in_words(game_id: str, say: Texts) -> str:
    """Say how many people can play a game: ``2–5 players``."""
    counts = GAMES[game_id].info.players
    return say("{least}–{most} players", least=counts[0], most=counts[-1])


def gallery_card(words: Mapping[str, GameWords], say: Texts, *, greeting: bool = False) -> Card:
    """Return all games: a picture of the first few, and a line and a button for every game.

    :param greeting: introduce the bot first, and leave out the riddle and the deal of the day.
    """
    titles = tuple((game, say(each.title)) for game, each in words.items())
    shown = titles[:SHOWN]
    alt = say("Boards: {games}.", games=say.list([title for _, title in shown]))
    labels = tuple((game, players_in_words(game, say)) for game, _ in shown)
    drawing = Painted(_gallery, (shown, labels, alt), say)
    heading = say("### What shall we play?")
    if greeting:
        heading = say(
            "### Hello! I am Tafelrunde.\nBoard games, slowly: everybody moves when they have time."
            " Choose one!"
        )
    lines = [heading, *_lines(words, say)]
    buttons = [
        Button(Control.apart("game", game), say(each.title), Style.PRIMARY)
        for game, each in words.items()
    ]
    rows = rows_of(buttons)
    if not greeting:
        riddle = Button(Control.apart("riddle"), say("The riddle of the day"))
        rows = (*rows, (riddle, Button(Control.apart("deal"), say("The deal of the day"))))
    return Card((Gallery((drawing,)), "\n".join(lines)), rows)


def _gallery(shown: tuple[Any, Any, str], say: Texts) -> Picture:
    titles, labels, alt = shown
    return gallery(dict(titles), dict(labels), alt, say)


def _lines(words: Mapping[str, GameWords], say: Texts) -> Iterator[str]:
    for game, each in words.items():
        facts = [players_in_words(game, say), *([say(each.pitch)] if each.pitch else [])]
        yield f"- **{say(each.title)}** · {' · '.join(facts)}"


def game_card(words: GameWords, say: Texts) -> Card:
    """Return one game: a short description, and buttons for starting a match."""
    game = words.game
    facts = [players_in_words(game, say), *([say(words.pitch)] if words.pitch else [])]
    text = "\n".join(
        [
            f"### {say(words.title)}",
            say(words.summary),
            f"-# {' · '.join(facts)}",
            say("With others, or right now against the computer?"),
        ]
    )
    begin = (
        Button(Control.apart("openhere", game), say("Open a table"), Style.SUCCESS),
        *learn_buttons(game, say),
        Button(Control.apart("gamerules", game), say("Rules")),
        games_button(say, Style.SECONDARY),
    )
    alone = tuple(
        Button(
            Control.apart("alone", f"{game}.{level}"),
            say("Computer: {level}", level=level_in_words(level, say)),
            Style.PRIMARY,
        )
        for level in levels_of(game)
    )
    return Card((text,), (begin, alone))


def help_card(tables: Sequence[str], rows: Sequence[Row], say: Texts) -> Card:
    """Return an overview of everything, on one screen.

    :param tables: the person's own tables, one line each.
    :param rows: more controls, shown below the button “All games”.
    """
    mine = "\n".join(tables) if tables else say("You are not playing at any table at the moment.")
    parts = [
        say(
            "### Help\n"
            "- **Play**: `/play` shows all games, with friends or against the computer.\n"
            "- **Move** with the buttons and menus under the board. “My hand” is for you alone.\n"
            "- **More…**: moves so far, planned moves, resigning and the like.\n"
            "- **Learn**: `/learn` teaches each game as you play it.\n"
            "- **Your tables**: `/tables`, those waiting for you first.\n"
            "- **Others**: `/invite` asks friends, `/seek` finds people who want the same game.\n"
            "- **Tournaments**: `/tournament` announces one, or shows how it is going.\n"
            "- **You**: `/preferences` (time zone, quiet hours and more), `/block`, `/profile`,"
            " `/stats`, `/privacy`.\n"
            "- **Your server**: `/server`, if you manage it."
        )
        + "\n"
        + say(
            "- **Every day**: `/riddle`, one right move to find, and `/deal`, the same tiles for"
            " everyone."
        ),
        f"**{say('Your tables')}**\n{mine}",
    ]
    return Card(tuple(parts), ((games_button(say),), *rows))


def games_button(say: Texts, style: Style = Style.PRIMARY) -> Button:
    """Return a button that shows all games."""
    return Button(Control.apart("play"), say("All games"), style)
