"""What Discord refuses although discord.py lets it pass: sizes, counts, lonely references."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

from tests.wire import components as tree
from tests.wire.world import ApiError, MessageFlag

Json = dict[str, Any]

COMMAND_NAME = re.compile(r"[-_'\w]{1,32}\Z")


def check_message(body: Json, filenames: set[str], flags: MessageFlag) -> None:
    """Refuse a message that Discord would refuse.

    :param body: the message as it would stand after the request.
    :param filenames: the files it would have.
    :raises ApiError: 50035 naming every fault, or 50006 for an empty message.
    """
    faults = list(_message_faults(body, filenames, flags))
    if faults:
        raise invalid_form(faults)
    if not (body.get("content") or body.get("embeds") or body.get("components") or filenames):
        raise ApiError(400, 50006, "Cannot send an empty message")


def check_modal(body: Json) -> None:
    """Refuse a modal that Discord would refuse.

    :raises ApiError: 50035 naming every fault.
    """
    faults = list(_size("title", body.get("title", ""), 1, 45))
    faults += _size("custom_id", body.get("custom_id", ""), 1, 100)
    if not 1 <= len(body.get("components", ())) <= 5:
        faults.append("a modal has 1 to 5 components")
    for component in tree.walk(body.get("components", ())):
        faults += _component_faults(component)
    if faults:
        raise invalid_form(faults)


def check_commands(commands: list[Json]) -> None:
    """Refuse a command tree that Discord would refuse.

    :raises ApiError: 50035 naming every fault.
    """
    faults = [] if len(commands) <= 100 else [f"{len(commands)} commands"]
    for command in commands:
        faults += _command_faults(command)
    if faults:
        raise invalid_form(faults)


def check_choices(choices: list[Json]) -> None:
    """Refuse autocomplete choices that Discord would refuse.

    :raises ApiError: 50035 naming every fault.
    """
    faults = [] if len(choices) <= 25 else [f"{len(choices)} choices"]
    for choice in choices:
        faults += _size("choice name", choice["name"], 1, 100)
        faults += _size("choice value", str(choice["value"]), 0, 100)
    if faults:
        raise invalid_form(faults)


EMOJI_NAME = re.compile(r"\w{2,32}\Z", re.ASCII)
EMOJI_IMAGE = "data:image/png;base64,"
EMOJI_BYTES = 256 * 1024
EMOJIS_AT_MOST = 2000


def check_emoji(form: Json, there: int) -> None:
    """Refuse an emoji of the application that Discord would refuse.

    :param there: how many it has.
    :raises ApiError: 50035 naming every fault, or 30008 for one too many.
    """
    faults = []
    if not EMOJI_NAME.match(form.get("name", "")):
        faults.append(f"emoji name {form.get('name')!r}")
    kind, data = (
        form.get("image", "")[: len(EMOJI_IMAGE)],
        form.get("image", "")[len(EMOJI_IMAGE) :],
    )
    try:
        size = len(base64.b64decode(data, validate=True))
    except ValueError:
        size = 0
    if kind != EMOJI_IMAGE or not 0 < size <= EMOJI_BYTES:
        faults.append(f"emoji image of {size} bytes")
    if faults:
        raise invalid_form(faults)
    if there >= EMOJIS_AT_MOST:
        raise ApiError(400, 30008, "Maximum number of emojis reached (2000)")


def invalid_form(faults: list[str]) -> ApiError:
    """The refusal of a form with these faults."""
    listed = [{"code": "BASE_TYPE_BAD_LENGTH", "message": fault} for fault in faults]
    return ApiError(400, 50035, "Invalid Form Body: " + "; ".join(faults), {"_errors": listed})


def _message_faults(body: Json, filenames: set[str], flags: MessageFlag) -> Iterator[str]:
    components = list(tree.walk(body.get("components") or ()))
    yield from _size("content", body.get("content") or "", 0, 2000)
    yield from _size("nonce", str(body.get("nonce") or ""), 0, 25)
    if len(filenames) > 10:
        yield "more than 10 files"
    if MessageFlag.COMPONENTS_V2 in flags:
        yield from _v2_faults(body, components)
    else:
        yield from _v1_faults(body, components)
    for component in components:
        yield from _component_faults(component)
    ids = [c["custom_id"] for c in components if "custom_id" in c]
    if len(ids) != len(set(ids)):
        yield f"custom ids are not unique: {ids}"


def _v2_faults(body: Json, components: list[Json]) -> Iterator[str]:
    if body.get("content") or body.get("embeds"):
        yield "content and embeds cannot stand beside Components V2"
    if len(components) > 40:
        yield f"{len(components)} components, at most 40"
    words = sum(len(c["content"]) for c in components if c["type"] == tree.TEXT_DISPLAY)
    if words > 4000:
        yield f"{words} characters of text, at most 4000"


def _v1_faults(body: Json, components: list[Json]) -> Iterator[str]:
    rows = body.get("components") or ()
    if len(rows) > 5 or any(row["type"] != tree.ACTION_ROW for row in rows):
        yield "without the V2 flag a message has at most 5 action rows and nothing else"
    embeds = body.get("embeds") or ()
    if len(embeds) > 10:
        yield "more than 10 embeds"
    for embed in embeds:
        yield from _size("embed title", embed.get("title") or "", 0, 256)
        yield from _size("embed description", embed.get("description") or "", 0, 4096)


def _component_faults(component: Json) -> Iterator[str]:
    kind = component["type"]
    if "custom_id" in component:
        yield from _size("custom_id", component["custom_id"], 1, 100)
    if kind == tree.ACTION_ROW and not 1 <= len(component["components"]) <= 5:
        yield "an action row has 1 to 5 components"
    if kind == tree.BUTTON:
        yield from _size("button label", component.get("label") or "", 0, 80)
        if not (component.get("label") or component.get("emoji")):
            yield "a button needs a label or an emoji"
    if kind == tree.MEDIA_GALLERY and not 1 <= len(component["items"]) <= 10:
        yield "a gallery has 1 to 10 items"
    for item in component.get("items", ()):
        yield from _size("alt text", item.get("description") or "", 0, 1024)
    if kind in tree.SELECTS:
        yield from _menu_faults(component)


def _menu_faults(menu: Json) -> Iterator[str]:
    yield from _size("placeholder", menu.get("placeholder") or "", 0, 150)
    options = menu.get("options", [])
    if menu["type"] == 3 and not 1 <= len(options) <= 25:
        yield f"a menu has 1 to 25 options, not {len(options)}"
    for option in options:
        yield from _size("option label", option["label"], 1, 100)
        yield from _size("option value", option["value"], 1, 100)
        yield from _size("option description", option.get("description") or "", 0, 100)
    values = [option["value"] for option in options]
    if len(values) != len(set(values)):
        yield f"option values are not unique: {values}"


def _command_faults(command: Json) -> Iterator[str]:
    name = command["name"]
    if command.get("type", 1) != 1:
        return
    for text in (name, *(command.get("name_localizations") or {}).values()):
        if not COMMAND_NAME.match(text) or text != text.lower():
            yield f"{text!r} is no command name"
    descriptions = (command.get("description_localizations") or {}).values()
    for text in (command.get("description", ""), *descriptions):
        yield from _size(f"description of {name}", text, 1, 100)
    options = command.get("options") or []
    if len(options) > 25:
        yield f"{name} has {len(options)} options"
    needed = [bool(option.get("required")) for option in options]
    if needed != sorted(needed, reverse=True):
        yield f"{name} has a required option after an optional one"
    if len(command.get("choices") or ()) > 25:
        yield f"{name} has more than 25 choices"
    for option in options:
        yield from _command_faults(option | {"type": 1})


def _size(what: str, text: str, low: int, high: int) -> Iterator[str]:
    if not low <= len(text) <= high:
        yield f"{what} has {len(text)} characters, allowed are {low} to {high}: {text[:40]!r}"
