"""Changing the settings of a match before it begins: at a table by its host, in a tournament by its
organisers. A menu lists all options: a yes/no option is switched at once, any other leads to its
values.

Values that conflict with earlier choices stay visible, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cogs.gateway.cards import ENTRY_LABEL, OPTIONS_IN_MENU, Card, Entry, Select, menus_of
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present import refusals
from cogs.present.times import PACES, pace_in_words
from cogs.present.words import PLAIN, GameWords, Preset
from data.texts import N_, Texts
from games.engine import GameInfo, Option
from play.clock import pace_in, read_pace
from play.lobby import SEATINGS, with_options
from play.table import HINTS, PACE, PLAYERS, SEATING, STRICT, Refused, Table, refuse_if

VERB: Final = "option"

PRESET: Final = "preset"

LISTED_AT_MOST: Final = 2 * OPTIONS_IN_MENU
"""If an option has more possible numbers than this, only its limits, its default and round
numbers are offered.
"""

STEPS: Final = (2, 5, 10, 20, 25, 50, 100)
"""Steps between round numbers."""

SEATS: Final = {"lot": N_("by lot"), "joined": N_("in order of joining")}

SHARED: Final = {
    PLAYERS: (N_("Players"), N_("How many play")),
    PACE: (N_("Time"), N_("How long a turn may take")),
    STRICT: (
        N_("No vote"),
        N_("When time is up, a computer player moves at once"),
    ),
    HINTS: (N_("Hints"), N_("The player to move may ask for hints, which are counted")),
    SEATING: (N_("Seats"), N_("How seats are assigned")),
}
"""The options that all games share, by key: their names and meanings."""


@dataclass(frozen=True, slots=True)
class Value:
    """A possible value of an option, or a preset.

    :param text: identifies the value in a control.
    :param changes: the options that choosing the value sets, as for ``ChangeOptions``.
    """

    text: str
    name: str
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """The settings of a match while they can still be changed.

    :param options: the options chosen so far, both the game's own and the shared ones.
    :param players: how many will play; None: as many as join.
    :param shared: the keys of shared options that may be changed.
    :param check: given some changes, raises ``Refused`` if they are not allowed.
    :param control: makes a menu's control from an argument.
    :param who: the placeholder of the menu, which says who may change the settings.
    """

    info: GameInfo
    options: Mapping[str, Any]
    players: int | None
    shared: Sequence[str]
    check: Callable[[Mapping[str, Any]], object]
    control: Callable[[str], Control]
    who: str


def draft_of(table: Table) -> Draft:
    """Return the draft of a table in its lobby."""
    strict = (STRICT,) if pace_in(table.row.options) is not None else ()
    return Draft(
        table.game.info,
        table.row.options,
        table.row.wanted_players,
        (PLAYERS, PACE, *strict, HINTS, SEATING),
        lambda changes: with_options(table, changes),
        lambda argument: Control(table.id, table.revision, VERB, argument),
        N_("Change something (host only)…"),
    )


# ------------------------------------------------------------------------------- values
def values_of(draft: Draft, words: GameWords, key: str, say: Texts) -> list[Value]:
    """Return the values of an option, or the presets; empty for a key that may not be changed."""
    if key == PRESET:
        return [
            Value(str(n), say(preset.label), _changes_of(draft, preset))
            for n, preset in enumerate(_presets(draft, words))
        ]
    return [
        Value(_text(value), name, {key: value}) for value, name in _values(draft, words, key, say)
    ]


def value_meant(
    draft: Draft, words: GameWords, argument: str, say: Texts
) -> tuple[str, Value | None]:
    """Return the key that a menu choice is about, and the chosen value; None instead of a value if
    the person still has to choose one.

    :raises Refused: ``stale``: there is no such choice.
    """
    key, chosen, text = argument.partition("=")
    values = values_of(draft, words, key, say)
    meant = next((value for value in values if value.text == text), None)
    refuse_if(not values or (bool(chosen) and meant is None), "stale")
    return key, meant if chosen else None


def why_not(draft: Draft, words: GameWords, changes: Mapping[str, Any], say: Texts) -> str:
    """Explain why these changes are not allowed; empty if they are allowed."""
    try:
        draft.check(changes)
    except Refused as refusal:
        return refusals.explain(refusal, {words.game: words}, say)
    return ""


def _presets(draft: Draft, words: GameWords) -> Sequence[Preset]:
    """Return the presets for this number of players; all presets if the number may still change."""
    free = PLAYERS in draft.shared
    every = (PLAIN, *words.presets)
    return [each for each in every if free or each.players in (None, draft.players)]


def _changes_of(draft: Draft, preset: Preset) -> dict[str, Any]:
    changes = {option.key: preset.options.get(option.key) for option in draft.info.options}
    return {**changes, PLAYERS: preset.players} if PLAYERS in draft.shared else changes


def _values(
    draft: Draft, words: GameWords, key: str, say: Texts
) -> Iterator[tuple[bool | int | str | None, str]]:
    """Yield the values of an option with their names; None stands for the default."""
    option = next((option for option in draft.info.options if option.key == key), None)
    if option is not None:
        yield from _of_option(option, words, say)
    elif key not in draft.shared:
        return
    elif key in (STRICT, HINTS):
        yield from ((True, say("yes")), (False, say("no")))
    elif key == PLAYERS:
        yield None, say("as many as join")
        yield from ((n, say.number(n)) for n in draft.info.players)
    elif key == PACE:
        yield None, pace_in_words(None, say)
        yield from ((text, pace_in_words(read_pace(text), say)) for text in PACES)
    elif key == SEATING:
        yield from ((seating, say(SEATS[seating])) for seating in SEATINGS)


def _of_option(
    option: Option, words: GameWords, say: Texts
) -> Iterator[tuple[bool | int | str | None, str]]:
    if option.kind == "bool":
        yield from ((True, say("yes")), (False, say("no")))
        return
    if option.default_for:
        yield None, say("by the number of players")
    if option.kind == "choice":
        names = words.options[option.key].choices
        yield from ((value, say(names.get(value, value))) for value in option.choices)
    else:
        yield from ((n, say.number(n)) for n in _numbers(option))


def _numbers(option: Option) -> list[int]:
    """Return the numbers to offer: all of them, or round ones plus the limits and the default."""
    every = range(option.lo, option.hi + 1)
    if len(every) <= LISTED_AT_MOST:
        return [*every]
    step = next((s for s in STEPS if len(every) // s < LISTED_AT_MOST - 3), STEPS[-1])
    special = {option.lo, option.hi, int(option.default)}
    return sorted({n for n in every if n % step == 0} | special)[:LISTED_AT_MOST]


def _text(value: bool | int | str | None) -> str:
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


# ------------------------------------------------------------------------------ settings
def options_told(
    info: GameInfo, given: Mapping[str, Any], count: int | None
) -> Iterator[tuple[Option, Any]]:
    """Yield the relevant options of the game, with their values. An option that is off is listed
    only if it is on by default.

    :param count: the number of players; None: not known yet.
    """
    for option in info.options:
        if count is None and option.default_for and option.key not in given:
            continue  # it depends on how many will play
        if count is not None and not option.usable(count):
            continue
        default = option.default if count is None else option.default_at(count)
        value = given.get(option.key, default)
        if option.kind != "bool" or value or option.default:
            yield option, value


def _keys(draft: Draft) -> Iterator[str]:
    """Yield the keys of everything that can be changed, in the order of the menu."""
    first = [key for key in draft.shared if key == PLAYERS]
    yield from first
    yield from (option.key for option in draft.info.options)
    yield from (key for key in draft.shared if key != PLAYERS)


def _chosen(draft: Draft, key: str) -> bool | int | str | None:
    """Return the value of an option: the chosen one, or the default."""
    if key == PLAYERS:
        return draft.players
    unsaid = {o.key: None if o.default_for else o.default for o in draft.info.options}
    unsaid |= {PACE: None, STRICT: False, HINTS: True, SEATING: SEATINGS[0]}
    chosen: bool | int | str | None = draft.options.get(key, unsaid[key])
    return chosen


def _chosen_in_words(draft: Draft, words: GameWords, key: str, say: Texts) -> str:
    chosen = _chosen(draft, key)
    known = (name for value, name in _values(draft, words, key, say) if value == chosen)
    other = pace_in_words(pace_in(draft.options), say) if key == PACE else escape(str(chosen))
    return next(known, other)


def label_of(words: GameWords, key: str, say: Texts) -> str:
    """Return the name of an option."""
    return say(SHARED[key][0] if key in SHARED else words.options[key].label)


def _meaning_of(words: GameWords, key: str, say: Texts) -> str:
    return say(SHARED[key][1] if key in SHARED else words.options[key].help)


# ------------------------------------------------------------------------------- shown
def options_menu(draft: Draft, words: GameWords, say: Texts) -> Select:
    """Return a menu of everything that may be changed. Choosing a preset applies it at once, and
    choosing a yes/no option switches it; other options lead to ``values_card``.
    """
    entries = [*_preset_entries(draft, words, say), *_option_entries(draft, words, say)]
    return Select(draft.control(""), say(draft.who), tuple(entries))


def _preset_entries(draft: Draft, words: GameWords, say: Texts) -> Iterator[Entry]:
    values = values_of(draft, words, PRESET, say)
    for value, preset in zip(values, _presets(draft, words), strict=True):
        refusal = why_not(draft, words, value.changes, say)
        detail = refusal or _preset_in_words(draft.info, words, preset, say)
        label = say("Preset: {name}", name=value.name)
        yield Entry(label[:ENTRY_LABEL], f"{PRESET}={value.text}", _cut(detail))


def _preset_in_words(info: GameInfo, words: GameWords, preset: Preset, say: Texts) -> str:
    """Say what a preset switches on or sets."""
    players = (
        [] if preset.players is None else [say.plural("{n} player", "{n} players", preset.players)]
    )
    chosen = [
        option_in_short(option, preset.options[option.key], words, say)
        for option in info.options
        if option.key in preset.options
    ]
    return say.list([*players, *chosen])


def option_in_short(option: Option, value: Any, words: GameWords, say: Texts) -> str:
    """Describe an option and its value; if it is simply on, give only its name."""
    if value is True:
        return say(words.options[option.key].label)
    return words.option_in_words(option, value, say)


def _option_entries(draft: Draft, words: GameWords, say: Texts) -> Iterator[Entry]:
    for key in _keys(draft):
        shown = say(
            "{option}: {value}",
            option=label_of(words, key, say),
            value=_chosen_in_words(draft, words, key, say),
        )
        detail, leads_to = _meaning_of(words, key, say), key
        chosen = _chosen(draft, key)
        if isinstance(chosen, bool):
            detail = why_not(draft, words, {key: not chosen}, say) or detail
            leads_to = f"{key}={_text(not chosen)}"
        yield Entry(_cut(shown), leads_to, _cut(detail))


def values_card(draft: Draft, words: GameWords, key: str, say: Texts) -> Card:
    """Return the values of an option, for one person: menus of those allowed, and why the others
    are not.
    """
    head = label_of(words, key, say)
    lines = [f"### {head}", _meaning_of(words, key, say)]
    entries: list[Entry] = []
    chosen = _text(_chosen(draft, key))
    for value in values_of(draft, words, key, say):
        refusal = why_not(draft, words, value.changes, say)
        if refusal:
            lines.append(say("-# Not {value}: {why}", value=value.name, why=refusal))
        else:
            entry = Entry(
                value.name[:ENTRY_LABEL], f"{key}={value.text}", chosen=value.text == chosen
            )
            entries.append(entry)
    return Card(("\n".join(lines),), tuple(menus_of(draft.control(""), head, entries)))


def _cut(text: str) -> str:
    """Shorten a text to fit into a menu entry."""
    return text if len(text) <= ENTRY_LABEL else f"{text[: ENTRY_LABEL - 1]}…"
