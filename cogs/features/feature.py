"""What features are made of: methods, marked with the buttons and commands that lead to them."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from types import MethodType
from typing import Any, Final, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from cogs.features.acting import Acting, First
from cogs.gateway.cards import ENTRY_LABEL
from cogs.gateway.client import OnPress
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.translator import L_, Marked, name_
from cogs.present.times import pace_choices, pace_in_words
from games import GAMES
from games.spelling import meant, plain
from play.table import NO_LIMIT, Table, refuse_if

MOST: Final = 2**63 - 1
"""The largest number that the store takes."""

CHOICES_AT_MOST: Final = 25
"""Discord's limit for autocompletion."""

TABLE: Final = ("table", "table_id")
"""A command whose method takes one of these acts at a table; Discord shows its code instead."""

Choices = list[app_commands.Choice[str]]
"""What autocompletion offers."""

Complete = Callable[[Any, Interaction, str], Coroutine[Any, Any, Choices]]
"""Offers values of an option to a person, for a feature and what was typed so far."""

Shown = tuple[Marked, Marked] | tuple[Marked, Marked, Mapping[str, Marked] | Complete]
"""The name of an option of a command, its meaning, and either its only values with their names, or
the autocompletion of others."""

Made = app_commands.Command[Any, ..., None]
"""A command for Discord."""

Offer = Callable[[Acting, Any], None]
"""Makes a method known to the one who carries out what people do."""

Method = TypeVar("Method", bound=Callable[..., Coroutine[Any, Any, None]])


class Feature:
    """Something that people can do."""

    def __init__(self, acting: Acting) -> None:
        self.acting = acting
        self.tables = acting.tables
        self.occasions = acting.occasions
        self.settings = acting.tables.store.settings
        self.delivery = acting.delivery
        self.replies = acting.replies
        self.say = acting.say
        self.words_of = acting.presenter.words_of
        for name, function in inspect.getmembers(type(self), inspect.isfunction):
            for offer in getattr(function, "offers", ()):
                offer(acting, getattr(self, name))
        if isinstance(self, commands.Cog):
            for made in self.walk_app_commands():
                if isinstance(made, app_commands.Command):
                    _complete(made, self)

    async def table_meant(self, interaction: Interaction, code: str | None) -> Table:
        """The table that a command is about.

        :raises Refused: as ``Acting.table_meant``.
        """
        return await self.acting.table_meant(interaction, code)


def number_in(argument: str) -> int:
    """The number that a control's argument is; those that Discord gives people have 19 digits.

    :raises Refused: ``stale``: it is none that the store takes; no control of today is like that.
    """
    refuse_if(re.fullmatch("[0-9]{1,19}", argument) is None or int(argument) > MOST, "stale")
    return int(argument)


def game_in(argument: str) -> str:
    """The id of a game that a control's argument is.

    :raises Refused: ``stale``: it is none of a game that is played here.
    """
    refuse_if(argument not in GAMES, "stale")
    return argument


# ------------------------------------------------------------------------------- marking
def press(verb: str, first: First = First.QUIETLY) -> Callable[[Method], Method]:
    """The method acts on the control of a button or menu with this verb.

    :param first: how the press is acknowledged.
    """

    def offer(acting: Acting, method: OnPress) -> None:
        acting.presses[verb] = method
        acting.firsts[verb] = first

    return _offering(offer)


def button(verb: str, first: First = First.QUIETLY) -> Callable[[Method], Method]:
    """The method acts at the table of a button with this verb, whatever else its control says;
    ``first`` as for ``press``.
    """

    def offer(acting: Acting, method: Callable[..., Coroutine[Any, Any, None]]) -> None:
        async def pressed(interaction: Interaction, control: Control) -> None:
            await method(interaction, control.table)

        acting.presses[verb] = pressed
        acting.firsts[verb] = first

    return _offering(offer)


def form(verb: str) -> Callable[[Method], Method]:
    """The method receives the forms with this verb: their control, and what was written."""
    return _offering(lambda acting, method: acting.forms.update({verb: method}))


def table_command(
    name: Marked, description: Marked, **options: Shown
) -> Callable[[Method], Method]:
    """The method is a command of ``/table``; parameters as for ``command``."""

    def offer(acting: Acting, method: MethodType) -> None:
        feature: Any = method.__self__
        callback: Any = MethodType(_callback(method.__func__, options), feature)
        made: Made = app_commands.Command(name=name, description=description, callback=callback)
        acting.table_commands.append(_complete(made, feature))

    return _offering(offer)


def command(name: Marked, description: Marked, **options: Shown) -> Callable[[Method], Made]:
    """The method is a command of its cog, which is a feature, too. It is acknowledged before
    anything is looked up, and what it refuses is answered.

    :param options: how Discord shows the parameters of the method.
    """

    def decorate(method: Method) -> Made:
        callback = _callback(method, options)
        return app_commands.Command(name=name, description=description, callback=callback)

    return decorate


def menu(name: Marked) -> Callable[[Method], Method]:
    """The method is a command in the menu of a person on a server, under *Apps*; it is given the
    person.

    :param name: what the menu shows.
    """

    def offer(acting: Acting, method: Callable[..., Coroutine[Any, Any, None]]) -> None:
        async def run(interaction: Interaction, person: discord.User) -> None:
            async def act() -> None:
                await acting.replies.defer(interaction)
                await method(interaction, person)

            await acting.attempt(interaction, act())

        made = app_commands.ContextMenu(name=name, callback=run)
        acting.menus.append(app_commands.guild_only(made))

    return _offering(offer)


def made_of(
    feature: Feature,
    name: Marked,
    description: Marked,
    parameters: Iterable[inspect.Parameter],
    options: Mapping[str, Shown],
    act: Callable[..., Coroutine[Any, Any, object]],
) -> Made:
    """A command made from data. What it refuses is answered.

    :param options: how Discord shows the parameters.
    :param act: is given the interaction, and by its name what was given for each parameter.
    """

    async def run(interaction: Interaction, **given: Any) -> None:
        await feature.acting.attempt(interaction, act(interaction, **given))

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_ONLY)
    run.__signature__ = inspect.Signature([first, *parameters])  # type: ignore[attr-defined]
    show_options(run, options)
    made: Made = app_commands.Command(name=name, description=description, callback=run)
    return _complete(made, feature)


def _complete(made: Made, feature: Feature) -> Made:
    """The command with the autocompletion of its options."""
    for option, complete in getattr(made.callback, "completes", {}).items():
        made.autocomplete(option)(MethodType(complete, feature))
    return made


async def offer_games(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """The games by their titles."""
    say, words = feature.say(interaction), feature.acting.presenter.words
    titles = {game: say(each.title) for game, each in words.items()}
    return choices(dict(sorted(titles.items(), key=lambda item: item[1])), typed)


async def offer_paces(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """Some paces, or the one that was typed."""
    offered = pace_choices(typed, feature.say(interaction))
    return [app_commands.Choice(name=words, value=text) for text, words in offered]


async def offer_paces_or_none(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """As ``offer_paces``, and no limit."""
    none = {NO_LIMIT: pace_in_words(None, feature.say(interaction))}
    return [*choices(none, typed), *await offer_paces(feature, interaction, typed)]


async def _own_tables(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    return await feature.acting.own_tables(interaction, typed)


def _offering(offer: Offer) -> Callable[[Method], Method]:
    def decorate(method: Method) -> Method:
        vars(method).setdefault("offers", []).append(offer)
        return method

    return decorate


def _callback(method: Callable[..., Any], options: Mapping[str, Shown]) -> Callable[..., Any]:
    """What Discord calls for a command: it finds the table meant, and answers what is refused."""
    parameters = inspect.signature(method, eval_str=True).parameters
    at = next((name for name in TABLE if name in parameters), None)

    async def act(
        feature: Feature, interaction: Interaction, table: str | None = None, **given: Any
    ) -> None:
        await feature.replies.defer(interaction)
        if at is not None:
            meant = await feature.table_meant(interaction, table)
            given[at] = meant if at == "table" else meant.id
        await method(feature, interaction, **given)

    @functools.wraps(method)
    async def run(feature: Feature, interaction: Interaction, **given: Any) -> None:
        await feature.acting.attempt(interaction, act(feature, interaction, **given))

    shown = [parameter for name, parameter in parameters.items() if name != at]
    if at is not None:
        code = inspect.Parameter("table", inspect.Parameter.KEYWORD_ONLY, default=None)
        shown.append(code.replace(annotation=str | None))
        meaning = L_("The code of the table, if it is not the one in this channel")
        options = {**options, "table": (name_("table"), meaning, _own_tables)}
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    show_options(run, options)
    return run


def show_options(callback: Callable[..., Any], options: Mapping[str, Shown]) -> None:
    """Show Discord the parameters of a command's callback: names, meanings, and choices. What
    completes them is noted until the command is made (``_complete``).
    """
    app_commands.rename(**{key: shown[0] for key, shown in options.items()})(callback)
    app_commands.describe(**{key: shown[1] for key, shown in options.items()})(callback)
    completes = {}
    for key, (_, _, *offers) in options.items():
        for offer in offers:  # at most one
            if isinstance(offer, Mapping):
                fixed = [
                    app_commands.Choice(name=name, value=value) for value, name in offer.items()
                ]
                app_commands.choices(**{key: fixed})(callback)
            else:
                completes[key] = offer
    callback.completes = completes  # type: ignore[attr-defined]


def marked(named: Mapping[Any, str]) -> dict[str, Marked]:
    """The only values of an option, from their names, which are marked elsewhere."""
    return {value: Marked(name) for value, name in named.items()}


def number_of(names: Sequence[str], typed: str) -> int | None:
    """The number of the name that was typed, in full or what tells it from the others; of several
    that are the same, of the first. None: there is none.
    """
    found = meant(names, typed)
    same = len({plain(names[number]) for number in found}) == 1
    return found[0] if same else None


def choices(named: Mapping[str, str], typed: str) -> Choices:
    """What autocompletion offers: the values that fit what was typed by themselves or by their
    names, first those that begin with it.
    """
    wanted = typed.strip().casefold()
    words = {value: (value.casefold(), name.casefold()) for value, name in named.items()}
    fitting = [value for value, both in words.items() if any(wanted in word for word in both)]
    fitting.sort(key=lambda value: not any(word.startswith(wanted) for word in words[value]))
    return [
        app_commands.Choice(name=named[value][:ENTRY_LABEL], value=value)
        for value in fitting[:CHOICES_AT_MOST]
    ]
