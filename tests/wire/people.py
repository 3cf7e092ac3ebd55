"""People's actions in the stand-in Discord: typing commands, pressing, choosing, filling in forms.

A person can only do what Discord's own client would let them do: run commands that the bot has
registered, with options that it declared, and use controls that they see and that are enabled.
"""

from __future__ import annotations

import secrets
from typing import Any

from tests.limits import BUTTON
from tests.wire import components as tree
from tests.wire import payloads
from tests.wire.world import (
    Attachment,
    Channel,
    ChannelKind,
    Interaction,
    Kind,
    Message,
    User,
    World,
)

Json = dict[str, Any]

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL = 1, 2, 3, 4, 5, 6, 7
NUMBER, ATTACHMENT = 10, 11

TYPED, OF_A_PERSON = 1, 2
"""Types of commands: with a slash, and in the menu of a person."""

ACCEPTED: dict[int, tuple[type, ...]] = {
    STRING: (str,),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    USER: (User,),
    CHANNEL: (Channel,),
    NUMBER: (int, float),
    ATTACHMENT: (Attachment,),
}


class Person:
    """A person using Discord.

    Most acts return an interaction at once; ``await`` it to wait for the acknowledgement.
    """

    def __init__(self, world: World, user: User) -> None:
        self._world = world
        self.user = user

    def __repr__(self) -> str:
        return f"<{self.user.name}>"

    @property
    def mention(self) -> str:
        """The text that pings this person."""
        return self.user.mention

    @property
    def dm(self) -> Channel:
        """The conversation with the bot."""
        return self._world.dm(self.user)

    def close_dms(self) -> None:
        """Stop accepting direct messages from the bot."""
        self.user.dms_open = False

    def open_dms(self) -> None:
        self.user.dms_open = True

    # -- acts
    def slash(self, channel: Channel, command: str, /, **options: Any) -> Interaction:
        """Run a slash command.

        :param command: its full name without the slash, for instance ``"lancelot new"``.
        :param options: by their English names; users as ``User``, channels as ``Channel``, files as
            ``Attachment``.
        :raises LookupError: the bot has no such command or option here.
        :raises ValueError: Discord's client would not send these options.
        """
        root, declared, path = self._command(channel, command)
        resolved: Json = {}
        values = self._options(channel, declared, options, resolved)
        data = _command_data(root, path, values)
        if resolved:
            data["resolved"] = resolved
        return self.act(Kind.COMMAND, channel, data)

    def use_menu(self, channel: Channel, command: str, other: User) -> Interaction:
        """Choose a command in the menu of a person.

        :raises LookupError: the bot has no such command here.
        """
        found = (c for c in self.registered(channel, OF_A_PERSON) if c["name"] == command)
        root = next(found, None)
        if root is None:
            raise LookupError(f"there is no {command} in the menus of {channel.name}")
        resolved: Json = {}
        data = {
            "id": root["id"],
            "name": command,
            "type": OF_A_PERSON,
            "target_id": self._resolved(channel, other, resolved),
            "resolved": resolved,
        }
        return self.act(Kind.COMMAND, channel, data)

    async def suggestions(
        self, channel: Channel, command: str, option: str, typed: str = "", **others: Any
    ) -> list[tuple[str, Any]]:
        """The suggestions for ``option`` when ``typed`` has been entered: names and values.

        :raises LookupError: the option does not exist or has no autocompletion.
        """
        root, declared, path = self._command(channel, command)
        spec = next((o for o in declared if o["name"] == option), None)
        if spec is None or not spec.get("autocomplete"):
            raise LookupError(f"/{command} completes no option {option!r}")
        given = [o for o in declared if o["name"] in others]
        values = self._options(channel, given, others, {})
        values.append({"name": option, "type": spec["type"], "value": typed, "focused": True})
        act = await self.act(Kind.AUTOCOMPLETE, channel, _command_data(root, path, values))
        return [(choice["name"], choice["value"]) for choice in act.choices or []]

    def press(self, message: Message, button: str) -> Interaction:
        """Press the button with this label or custom id.

        :raises LookupError: the message shows no such button, or it is disabled.
        """
        self._look_at(message)
        found = _control(message.buttons, button, "label")
        data = {"custom_id": found["custom_id"], "component_type": BUTTON, "id": found["id"]}
        return self.act(Kind.COMPONENT, message.channel, data, source=message)

    def choose(self, message: Message, menu: str, *values: str) -> Interaction:
        """Choose options, by value or label, in the menu with this placeholder or custom id.

        :raises LookupError: no such menu or option, or it is disabled.
        """
        self._look_at(message)
        found = _control(message.menus, menu, "placeholder")
        data = {
            "custom_id": found["custom_id"],
            "component_type": found["type"],
            "id": found["id"],
            "values": [_option_value(found, value) for value in values],
        }
        return self.act(Kind.COMPONENT, message.channel, data, source=message)

    def take(self, message: Message, choice: str) -> Interaction:
        """Press the button with this label, or choose the menu option with it.

        :raises LookupError: the message offers no such choice.
        """
        for menu in message.menus:
            if any(choice == option["label"] for option in menu.get("options", ())):
                return self.choose(message, menu["custom_id"], choice)
        return self.press(message, choice)

    def submit(self, shown: Interaction, **values: Any) -> Interaction:
        """Fill in and send the form that ``shown`` was answered with.

        :param values: by custom id; text for text inputs, lists for menus.
        :raises LookupError: no form was shown, or it has no such field.
        """
        if shown.modal is None:
            raise LookupError(f"{shown} was not answered with a form")
        data = {
            "custom_id": shown.modal["custom_id"],
            "components": tree.filled_in(shown.modal["components"], values),
        }
        return self.act(Kind.MODAL, shown.channel, data, source=shown.source, trigger=shown)

    def write(self, channel: Channel, text: str) -> Message:
        message = Message(self._world.new_id(), channel, self.user, content=text)
        self._world.messages[message.id] = message
        self._world.changed("MESSAGE_CREATE", message)
        return message

    def act(
        self,
        kind: Kind,
        channel: Channel,
        data: Json,
        source: Message | None = None,
        trigger: Interaction | None = None,
    ) -> Interaction:
        """Send an interaction as it is, although Discord's client might not."""
        act = Interaction(
            self._world.new_id(),
            secrets.token_urlsafe(48),
            kind,
            self.user,
            channel,
            data,
            self._world,
            source=source,
            trigger=trigger,
        )
        self._world.interactions[act.token] = act
        self._world.changed("INTERACTION_CREATE", act)
        return act

    def _look_at(self, message: Message) -> None:
        hidden = message.seen_by is not None and message.seen_by is not self.user
        channel = message.channel
        elsewhere = channel.recipient not in (None, self.user)
        if channel.kind is ChannelKind.GROUP_DM:
            elsewhere = self.user not in channel.members
        if message.deleted or hidden or elsewhere:
            raise LookupError(f"{self} does not see this message")

    def _command(self, channel: Channel, command: str) -> tuple[Json, list[Json], list[Json]]:
        """The registered command, the options of the leaf, and the path to it."""
        name, *rest = command.split()
        root = next((c for c in self.registered(channel) if c["name"] == name), None)
        if root is None:
            raise LookupError(f"there is no /{name} in {channel.name}")
        options: list[Json] = root.get("options") or []
        path: list[Json] = []
        for part in rest:
            step = next((o for o in options if o["name"] == part and o["type"] <= GROUP), None)
            if step is None:
                raise LookupError(f"there is no /{command}")
            path.append(step)
            options = step.get("options") or []
        if any(option["type"] <= GROUP for option in options):
            raise LookupError(f"/{command} is a group, not a command")
        return root, options, path

    def registered(self, channel: Channel, kind: int = TYPED) -> list[Json]:
        """The bot's registered commands that can be used in a channel.

        :param kind: their type.
        """
        context = payloads.context_of(channel)
        everywhere = [
            command
            for command in self._world.commands.get(None, [])
            if command["contexts"] is None or context in command["contexts"]
        ]
        here = self._world.commands.get(channel.guild.id, []) if channel.guild else []
        return [command for command in (*here, *everywhere) if command["type"] == kind]

    def _options(
        self, channel: Channel, declared: list[Json], given: Json, resolved: Json
    ) -> list[Json]:
        if unknown := set(given) - {option["name"] for option in declared}:
            raise LookupError(f"no such options: {sorted(unknown)}")
        values = []
        for option in declared:
            if option["name"] in given:
                value = _checked(option, given[option["name"]])
                value = self._resolved(channel, value, resolved)
                values.append({"name": option["name"], "type": option["type"], "value": value})
            elif option.get("required"):
                raise ValueError(f"the option {option['name']} is required")
        return values

    def _resolved(self, channel: Channel, value: Any, resolved: Json) -> Any:
        """The wire form of a value; users, channels and files are sent as ids, and their data is
        added to ``resolved``.
        """
        if isinstance(value, User):
            resolved.setdefault("users", {})[str(value.id)] = payloads.user(value)
            if channel.guild is not None:
                as_member = payloads.member(value, channel.guild) | {"permissions": "0"}
                del as_member["user"]
                resolved.setdefault("members", {})[str(value.id)] = as_member
            return str(value.id)
        if isinstance(value, Channel):
            as_channel = payloads.channel(value) | {"permissions": "0"}
            resolved.setdefault("channels", {})[str(value.id)] = as_channel
            return str(value.id)
        if isinstance(value, Attachment):
            resolved.setdefault("attachments", {})[str(value.id)] = payloads.attachment(value)
            return str(value.id)
        return value


def _command_data(root: Json, path: list[Json], values: list[Json]) -> Json:
    for step in reversed(path):
        values = [{"name": step["name"], "type": step["type"], "options": values}]
    return {"id": root["id"], "name": root["name"], "type": TYPED, "options": values}


def _checked(option: Json, value: Any) -> Any:
    """``value`` if Discord's client would let a person enter it."""
    name, kind = option["name"], option["type"]
    if isinstance(value, bool) is not (kind == BOOLEAN) or not isinstance(value, ACCEPTED[kind]):
        raise ValueError(f"{name} does not take {value!r}")
    choices = [choice["value"] for choice in option.get("choices") or ()]
    if choices and value not in choices:
        raise ValueError(f"{name} takes one of {choices}, not {value!r}")
    size: Any = len(str(value)) if kind == STRING else value
    low, high = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
    if kind in (STRING, INTEGER, NUMBER) and not (
        option.get(low, size) <= size <= option.get(high, size)
    ):
        raise ValueError(f"{name} does not allow {value!r}")
    return value


def _control(controls: list[Json], wanted: str, label: str) -> Json:
    """The control with this label or custom id."""
    for control in controls:
        if wanted in (control.get(label), control.get("custom_id")):
            if control.get("disabled"):
                raise LookupError(f"{wanted!r} is disabled")
            return control
    shown = [control.get(label) or control.get("custom_id") for control in controls]
    raise LookupError(f"there is no {wanted!r}, only {shown}")


def _option_value(menu: Json, wanted: str) -> str:
    for option in menu.get("options", ()):
        if wanted in (option["value"], option["label"]):
            value: str = option["value"]
            return value
    if menu["type"] != 3:
        return wanted
    raise LookupError(f"there is no option {wanted!r}, only {menu.get('options')}")
