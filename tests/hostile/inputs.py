"""Everything that people can send, at its worst: commands, presses, choices, forms and
autocompletion.

Discord validates what its own client sends against the commands that the bot has registered: types,
lengths, numbers, fixed choices. These inputs respect that. For buttons and menus, the only
guarantee is that the message seems to contain the control that was used.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cogs.gateway.controls import CUSTOM_ID
from tests.hostile.files import file
from tests.hostile.house import House
from tests.hostile.words import hostile, mutated, name, short
from tests.limits import SELECTS
from tests.wire import components as tree
from tests.wire.people import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    GROUP,
    INTEGER,
    OF_A_PERSON,
    STRING,
    USER,
    Person,
)
from tests.wire.world import Attachment, Channel, Interaction, Kind, Message, User

Json = dict[str, Any]

OPTION_MAX = 6000
"""How many characters Discord lets people type into an option, unless the command says
otherwise.
"""

FORM_MAX = 4000
"""How many characters Discord lets people type into a field, unless the form says otherwise."""

INTEGER_MAX = 2**53

COMPLETED_MAX = 100

TIMES = (
    "7:30", "22:00", "24:00", "7.30", "25:99", "7", "noon", "-1:00", "٢٢:٠٠", "07:30:00", "7:3",
    "22 Uhr", "10pm", "00:00", "0:0", "7h30",
)  # fmt: skip
ZONES = (
    "Berlin", "Europe/Berlin", "UTC", "GMT+25", "Etc/GMT-14", "../etc/passwd", "europe/berlin",
    "/usr/share/zoneinfo/UTC", "posixrules", "localtime", "Europe", "München", "Asia/Kathmandu",
)  # fmt: skip
PACES = ("3d", "1h", "0", "-5m", "24h/2h", "1d12h", "fast", "999999d", "½d", "1 day", "3 Tage")
TYPED: Mapping[str, tuple[str, ...]] = {
    "zone": ZONES, "since": TIMES, "until": TIMES, "begins": TIMES, "ends": TIMES, "pace": PACES,
}  # fmt: skip
"""Additional texts to type into options with these names."""

CONTROL = re.compile("s?" + CUSTOM_ID)

VERBS_BESIDE = ("", "nonsense", "planned", "GO", "go2", "g" * 60)

NUMBERS = ("0", "1", "2", "7", "99999", "-1", "٣", "9" * 19, str(2**63), "9" * 40, "")


@dataclass(frozen=True)
class Input:
    """One input.

    :param what: its kind, and what is sent, as text.
    :param act: the resulting interaction.
    :param known: whether the bot must answer it; false for controls that it never made.
    """

    what: str
    person: Person
    act: Interaction
    known: bool = True


@dataclass
class Scene:
    """People and channels.

    :ivar moves: notation that was legal a moment ago.
    :ivar forms: the forms that were opened, each with the person who opened it.
    """

    house: House
    rng: random.Random
    people: list[Person]
    rooms: list[Channel]
    moves: list[str] = field(default_factory=list)
    forms: list[tuple[Person, Interaction]] = field(default_factory=list)

    # -- what can be done
    async def next(self) -> Input:
        await self._look_at_the_table()
        person = self.rng.choice(self.people)
        if self.rng.random() < 0.03:
            person.user.name = name(self.rng, 1, 32, person.user.id)
        kinds: list[Callable[[Person], Input]] = [
            *[self.command] * 6,
            *[self.press] * 8,
            *[self.complete] * 2,
            self.menu,
            *[self.form] * (1 + 3 * bool(self.forms)),
        ]
        return self.rng.choice(kinds)(person)

    async def _look_at_the_table(self) -> None:
        if self.rng.random() < 0.7 and self.moves:
            return
        held = list(self.house.held.values())[-len(self.rooms) :]
        for table in held:
            if table.match is not None and table.awaited:
                legal = table.game.legal(table.played.state, table.awaited[0])
                self.moves = self.rng.sample(legal, min(len(legal), 30))

    # -- commands
    def command(self, person: Person, path: str = "", **fixed: Any) -> Input:
        """Type a command.

        :param path: the command; any if empty.
        :param fixed: options with given values.
        """
        room = self._room(person)
        leaves = dict(_leaves(person, room))
        path = path or self.rng.choice(list(leaves))
        options: Json = {}
        for option in leaves[path]:
            if option["name"] in fixed:
                options[option["name"]] = fixed[option["name"]]
            elif option.get("required") or self.rng.random() < 0.6:
                value = self._value(person, option)
                if value is not None:
                    options[option["name"]] = value
        told = ", ".join(f"{key}={_told(value)}" for key, value in options.items())
        try:
            act = person.slash(room, path, **options)
        except ValueError:  # no value exists for options of this type
            return self.complete(person)
        return Input(f"/{path} {told}", person, act)

    def menu(self, person: Person) -> Input:
        """Use any command of a person's context menu."""
        room = self._room(person)
        found = person.registered(room, OF_A_PERSON)
        if not found:
            return self.command(person)
        name = self.rng.choice(found)["name"]
        other = self.rng.choice([*self.house.discord.world.users.values()])
        return Input(f"{name} of {_told(other)}", person, person.use_menu(room, name, other))

    def _value(self, person: Person, option: Json) -> Any:
        """Something that Discord lets a person enter for an option."""
        kind, rng = option["type"], self.rng
        if choices := option.get("choices"):
            return rng.choice(choices)["value"]
        if kind == STRING:
            most = option.get("max_length", OPTION_MAX)
            text = self._text(person, option["name"], most)
            return text + "x" * (option.get("min_length", 0) - len(text))
        if kind == INTEGER:
            low = option.get("min_value", -INTEGER_MAX)
            high = option.get("max_value", INTEGER_MAX)
            return rng.choice((low, high, min(max(0, low), high), rng.randint(low, high)))
        if kind == BOOLEAN:
            return rng.random() < 0.5
        if kind == USER:
            return rng.choice([*self.house.discord.world.users.values()])
        if kind == CHANNEL:
            return rng.choice(self.rooms)
        return self._attachment() if kind == ATTACHMENT else None

    def _text(self, person: Person, option: str, most: int) -> str:
        rng, known = self.rng, TYPED.get(option, ())
        which = rng.random()
        if option == "table":
            codes = [table.row.code for table in self.house.held.values()]
            if which < 0.8:
                return ""[:most] if not codes else rng.choice(codes)
        if known and which < 0.6:
            return rng.choice(known)[:most]
        if self.moves and which < 0.5:
            move = rng.choice(self.moves)
            move = rng.choice((move, move.rpartition(":")[2], move.partition(" ")[0]))
            return (move if rng.random() < 0.4 else mutated(rng, move, person.user.id))[:most]
        return hostile(rng, most, person.user.id)

    def _attachment(self) -> Attachment:
        world = self.house.discord.world
        filename, data = file(self.rng)
        number = world.new_id()
        url = f"{world.cdn}/attachments/1/{number}/file"
        made = Attachment(number, filename, data, "text/plain", None, url)
        world.files[number] = made
        return made

    def _room(self, person: Person) -> Channel:
        return person.dm if self.rng.random() < 0.1 else self.rng.choice(self.rooms)

    # -- autocompletion
    def complete(self, person: Person) -> Input:
        """Type into an option that has autocompletion."""
        room, rng = self._room(person), self.rng
        found = [
            (path, option, options)
            for path, options in _leaves(person, room)
            for option in options
            if option.get("autocomplete")
        ]
        path, option, options = rng.choice(found)
        typed = self._text(person, option["name"], option.get("max_length", COMPLETED_MAX))
        others = [
            {"name": other["name"], "type": STRING, "value": hostile(rng, 100, person.user.id)}
            for other in options
            if other is not option and other["type"] == STRING and rng.random() < 0.3
        ]
        values = [*others, {**_part(option), "value": typed, "focused": True}]
        first, *rest = path.split()
        for step in reversed(rest):
            values = [{"name": step, "type": 1, "options": values}]
        root = next(c for c in self.house.discord.world.commands[None] if c["name"] == first)
        data = {"id": root["id"], "name": first, "type": 1, "options": values}
        what = f"completing {option['name']}={short(typed)} of /{path}"
        return Input(what, person, person.act(Kind.AUTOCOMPLETE, room, data))

    # -- buttons and menus
    def press(self, person: Person) -> Input:
        """Use a button or menu that the person sees, unchanged or forged."""
        rng = self.rng
        seen = [
            message
            for message in self.house.discord.world.messages.values()
            if not message.deleted
            and message.channel in (*self.rooms, person.dm)
            and message.seen_by in (None, person.user)
            and message.control_ids
        ]
        if not seen:
            return self.command(person)
        message = rng.choice(seen[-12:])
        controls = [c for c in (*message.buttons, *message.menus) if "custom_id" in c]
        control = rng.choice(controls)
        forged = control["custom_id"] if rng.random() < 0.45 else self._forged(control, person)
        data: Json = {"custom_id": forged, "component_type": control["type"], "id": control["id"]}
        if control["type"] in SELECTS:
            data["values"] = self._chosen(control, person)
        known = self._makes(forged)
        with _holding(message, control["custom_id"], forged):
            act = person.act(Kind.COMPONENT, message.channel, data, source=message)
        values = [short(value) for value in data.get("values", ())]
        return Input(f"press {short(forged)} {values or ''}", person, act, known)

    def _makes(self, custom_id: str) -> bool:
        """Return whether the bot could have made a control with this id."""
        return CONTROL.fullmatch(custom_id) is not None

    def _forged(self, control: Json, person: Person) -> str:
        """An id similar to one of the bot's, or an unrelated one."""
        rng = self.rng
        custom_id: str = control["custom_id"]
        head, _, rest = custom_id.removeprefix("s").partition(":")[2].partition(":")
        verb, _, argument = rest.partition(":")
        table, _, revision = head.partition(".")
        match rng.randrange(9):
            case 0:
                table = rng.choice((*NUMBERS, *map(str, self.house.held)))
            case 1:
                revision = rng.choice((*NUMBERS, str(int(revision or 0) + 1)))
            case 2:
                verb = rng.choice((*self.house.bot.acting.presses, *VERBS_BESIDE))
            case 3:
                argument = hostile(rng, 100, person.user.id)
            case 4:
                argument = mutated(rng, argument or "K4", person.user.id)
            case 5 if self.moves:
                verb, argument = "go", rng.choice(self.moves)
            case 6:
                old = f"{rng.choice(NUMBERS)}{rng.choice(('', 'u0', 'u9', 'u' + '9' * 30))}"
                return f"t:{table}:{old}:{verb}:{argument}"
            case 7:
                return hostile(rng, rng.choice((100, 5000)), person.user.id)
            case _:
                return mutated(rng, custom_id, person.user.id)
        tail = f":{argument}" if argument else ""
        return f"{'s' if custom_id.startswith('s') else ''}t:{table}.{revision}:{verb}{tail}"

    def _chosen(self, menu: Json, person: Person) -> list[str]:
        offered = [option["value"] for option in menu.get("options", ())] or ["x"]
        rng = self.rng
        match rng.randrange(8):
            case 0:
                return []
            case 1:
                return rng.choices(offered, k=2)
            case 2:
                return [hostile(rng, rng.choice((100, 5000)), person.user.id)]
            case 3:
                return [mutated(rng, rng.choice(offered), person.user.id)]
            case 4 if self.moves:
                return [rng.choice(self.moves)]
            case _:
                return [rng.choice(offered)]

    # -- forms
    def form(self, person: Person) -> Input:
        """Send a form that was shown, with bad values and perhaps other fields; if none was shown,
        ask for one.
        """
        if not self.forms:
            return self._ask_for_form(person)
        rng = self.rng
        person, shown = rng.choice(self.forms)
        assert shown.modal is not None
        parts = tree.filled_in(shown.modal["components"], {})
        for part in tree.walk(parts):
            if part["type"] in tree.WITH_VALUE:
                part["value"] = self._text(person, "move", FORM_MAX)
        custom_id = shown.modal["custom_id"]
        if rng.random() < 0.2:
            custom_id = self._forged({"custom_id": custom_id}, person)
        if rng.random() < 0.2:
            parts = rng.choice(([], parts[:1], parts + parts, parts[::-1]))
        data = {"custom_id": custom_id, "components": parts}
        act = person.act(Kind.MODAL, shown.channel, data, source=shown.source, trigger=shown)
        meant = re.fullmatch(CUSTOM_ID, custom_id)
        known = meant is not None and meant["verb"] == "planned"
        fields = [short(p["value"]) for p in tree.walk(parts) if "value" in p]
        return Input(f"form {short(custom_id)} {fields}", person, act, known)

    def _ask_for_form(self, person: Person) -> Input:
        for table in reversed(self.house.held.values()):
            asked = f"t:{table.id}.{table.revision}:planform"
            for room in self.rooms:
                boards = [message for message in room.messages if message.buttons]
                if table.row.channel_id == room.id and boards:
                    control = boards[-1].buttons[-1]
                    data = {"custom_id": asked, "component_type": 2, "id": control["id"]}
                    with _holding(boards[-1], control.get("custom_id", ""), asked):
                        act = person.act(Kind.COMPONENT, room, data, source=boards[-1])
                    return Input(f"press {asked}", person, act)
        return self.command(person)


def _leaves(person: Person, room: Channel) -> Iterator[tuple[str, list[Json]]]:
    """All commands that a person sees in a channel, by full name, with their options."""
    for root in person.registered(room):
        if person.user.permissions or root["default_member_permissions"] is None:
            yield from _leaves_of(root, root["name"])


def _leaves_of(node: Json, path: str) -> Iterator[tuple[str, list[Json]]]:
    below = [o for o in node.get("options") or [] if o["type"] <= GROUP]
    if not below:
        yield path, node.get("options") or []
    for step in below:
        yield from _leaves_of(step, f"{path} {step['name']}")


def _part(option: Json) -> Json:
    return {"name": option["name"], "type": option["type"]}


@contextmanager
def _holding(message: Message, custom_id: str, forged: str) -> Iterator[None]:
    """Show the forged id on a message in place of the real one while its press is sent."""
    true = message.components
    message.components = copy.deepcopy(true)
    for part in tree.walk(message.components):
        if part.get("custom_id") == custom_id:
            part["custom_id"] = forged
    try:
        yield
    finally:
        message.components = true


def _told(value: object) -> str:
    if isinstance(value, Attachment):
        return f"{value.filename}: {value.data[:100]!r}… ({len(value.data)} bytes)"
    if isinstance(value, User | Channel):
        return f"<{value.id}>"
    return short(value) if isinstance(value, str) else repr(value)
