"""The base class of features, and decorators that make methods handle buttons and commands."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MethodType
from typing import Any, ClassVar, Final, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
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
"""The largest number that the store accepts."""

CHOICES_AT_MOST: Final = 25
"""Discord's limit for autocompletion."""

TABLE: Final = ("table", "table_id")
"""A command whose method takes one of these parameters acts at a table. Discord shows an option for
the table's code in place of the parameter.
"""

Choices = list[app_commands.Choice[str]]
"""The choices that autocompletion offers."""

Complete = Callable[[Any, Interaction, str], Coroutine[Any, Any, Choices]]
"""Suggests values for an option, given a feature, the interaction and the text typed so far."""

Shown = tuple[Marked, Marked] | tuple[Marked, Marked, Mapping[str, Marked] | Complete]
"""How Discord shows an option of a command: its name, its description, and in some cases all its
values with their names, or the function that completes it.
"""

Made = app_commands.Command[Any, ..., None]
"""A command as discord.py registers it."""


@dataclass(frozen=True, slots=True)
class CommandOption:
    """An option of a command that is made from data; see ``made_of``.

    :param type: the annotation from which discord.py reads the option's type.
    :param default: the value if a person omits the option; or ``REQUIRED``.
    """

    shown: Shown
    type: Any
    default: Any = None

    def parameter(self, key: str) -> inspect.Parameter:
        """Return the parameter that the command's callback takes for this option."""
        kind = inspect.Parameter.KEYWORD_ONLY
        return inspect.Parameter(key, kind, default=self.default, annotation=self.type)


REQUIRED: Final = inspect.Parameter.empty
"""Marks an option without a default: people must give a value."""

Offer = Callable[[Acting, Any], None]
"""Registers a method with ``Acting``."""

Method = TypeVar("Method", bound=Callable[..., Coroutine[Any, Any, None]])


class Feature:
    """A part of the bot that people can use. It registers its decorated methods with ``Acting``."""

    _offers: ClassVar[Sequence[tuple[str, Offer]]] = ()
    """The names of the decorated methods, and how each is registered."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls._offers = [
            (name, offer)
            for name, function in inspect.getmembers(cls, inspect.isfunction)
            for offer in getattr(function, "offers", ())
        ]

    def __init__(self, acting: Acting) -> None:
        self.acting = acting
        self.tables = acting.tables
        self.occasions = acting.occasions
        self.settings = acting.tables.store.settings
        self.delivery = acting.delivery
        self.replies = acting.replies
        self.say = acting.say
        self.words_of = acting.presenter.words_of
        for name, offer in self._offers:
            offer(acting, getattr(self, name))
        if isinstance(self, commands.Cog):
            for made in self.walk_app_commands():
                if isinstance(made, app_commands.Command):
                    _complete(made, self)

    async def table_meant(self, interaction: Interaction, code: str | None) -> Table:
        """Return the table that a command is about; see ``Acting.table_meant`` for the parameters
        and errors.
        """
        return await self.acting.table_meant(interaction, code)


def number_in(argument: str) -> int:
    """Return the number in a control's argument; Discord's ids have up to 19 digits.

    :raises Refused: ``stale``: the argument is not a number the store accepts.
    """
    refuse_if(re.fullmatch("[0-9]{1,19}", argument) is None or int(argument) > MOST, "stale")
    return int(argument)


def game_in(argument: str) -> str:
    """Return the game id in a control's argument.

    :raises Refused: ``stale``: the bot does not have this game.
    """
    refuse_if(argument not in GAMES, "stale")
    return argument


# --------------------------------------------------------------------------- decorators
def press(verb: str, how: Acknowledge = Acknowledge.QUIETLY) -> Callable[[Method], Method]:
    """Make the method handle buttons and menus with this verb; it gets their control.

    :param how: how a press is acknowledged.
    """

    def offer(acting: Acting, method: OnPress) -> None:
        acting.presses[verb] = method
        acting.acknowledgements[verb] = how

    return _offering(offer)


def button(verb: str, how: Acknowledge = Acknowledge.QUIETLY) -> Callable[[Method], Method]:
    """Make the method handle buttons with this verb; it gets the id of their table.

    :param how: how a press is acknowledged.
    """

    def offer(acting: Acting, method: Callable[..., Coroutine[Any, Any, None]]) -> None:
        async def pressed(interaction: Interaction, control: Control) -> None:
            await method(interaction, control.table)

        acting.presses[verb] = pressed
        acting.acknowledgements[verb] = how

    return _offering(offer)


def form(verb: str) -> Callable[[Method], Method]:
    """Make the method handle forms with this verb; it gets their control and each field's text."""
    return _offering(lambda acting, method: acting.forms.update({verb: method}))


def table_command(
    name: Marked, description: Marked, **options: Shown
) -> Callable[[Method], Method]:
    """Make the method a command of ``/table``.

    :param options: how Discord shows the method's parameters.
    """

    def decorate(method: Method) -> Method:
        callback = _callback(method, options)

        def offer(acting: Acting, bound: MethodType) -> None:
            feature: Any = bound.__self__
            of_feature: Any = MethodType(callback, feature)
            made: Made = app_commands.Command(
                name=name, description=description, callback=of_feature
            )
            acting.table_commands.append(_complete(made, feature))

        return _offering(offer)(method)

    return decorate


def command(name: Marked, description: Marked, **options: Shown) -> Callable[[Method], Made]:
    """Make the method a command of its cog, which must also be a ``Feature``. The command is
    acknowledged before anything is looked up. If the method raises ``Refused``, the person gets an
    explanation.

    :param options: how Discord shows the method's parameters.
    """

    def decorate(method: Method) -> Made:
        callback = _callback(method, options)
        return app_commands.Command(name=name, description=description, callback=callback)

    return decorate


def menu(name: Marked) -> Callable[[Method], Method]:
    """Make the method a command in the menu of a person on a server, under *Apps*; the method gets
    that person.
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
    """Make a command from data. If ``act`` raises ``Refused``, the person gets an explanation.

    :param options: how Discord shows the parameters.
    :param act: called with the interaction, and with each parameter's value by name.
    """

    async def run(interaction: Interaction, **given: Any) -> None:
        await feature.acting.attempt(interaction, act(interaction, **given))

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_ONLY)
    run.__signature__ = inspect.Signature([first, *parameters])  # type: ignore[attr-defined]
    show_options(run, options)
    made: Made = app_commands.Command(name=name, description=description, callback=run)
    return _complete(made, feature)


def _complete(made: Made, feature: Feature) -> Made:
    """Add autocompletion to a command's options."""
    for option, complete in getattr(made.callback, "completes", {}).items():
        made.autocomplete(option)(MethodType(complete, feature))
    return made


async def offer_games(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """Suggest the games, by title."""
    say, words = feature.say(interaction), feature.acting.presenter.words
    titles = {game: say(each.title) for game, each in words.items()}
    return choices(dict(sorted(titles.items(), key=lambda item: item[1])), typed)


async def offer_paces(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """Suggest the usual paces that fit the typed text, and the typed pace itself."""
    offered = pace_choices(typed, feature.say(interaction))
    return [app_commands.Choice(name=words, value=text) for text, words in offered]


async def offer_paces_or_none(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """Suggest "no time limit", if that fits the typed text, then what ``offer_paces`` suggests."""
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
    """Return the function that discord.py calls for a command: it finds the table and explains
    refusals.
    """
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
    """Tell discord.py the names, descriptions and choices of a callback's parameters. The functions
    that complete the parameters are stored until the command is made; see ``_complete``.
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
    """Return the values of an option with their names, which other code marks for translation."""
    return {value: Marked(name) for value, name in named.items()}


def index_of_name(names: Sequence[str], typed: str) -> int | None:
    """Return the index of the name that was typed, in full or in part; None if no name fits, or
    several different ones do. If a name occurs more than once, return its first index.
    """
    found = meant(names, typed)
    same = len({plain(names[number]) for number in found}) == 1
    return found[0] if same else None


def choices(named: Mapping[str, str], typed: str) -> Choices:
    """Return up to ``CHOICES_AT_MOST`` choices whose value or name contains the typed text. Choices
    that begin with the text come first.
    """
    wanted = typed.strip().casefold()
    words = {value: (value.casefold(), name.casefold()) for value, name in named.items()}
    fitting = [value for value, both in words.items() if any(wanted in word for word in both)]
    fitting.sort(key=lambda value: not any(word.startswith(wanted) for word in words[value]))
    return [
        app_commands.Choice(name=named[value][:ENTRY_LABEL], value=value)
        for value in fitting[:CHOICES_AT_MOST]
    ]
