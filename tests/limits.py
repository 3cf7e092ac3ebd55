"""Discord's limits on everything that this bot sends.

Neither discord.py nor the simulated Discord refuses everything that Discord would refuse; these
functions find more. Each check takes a payload as it goes over the wire and returns a list of its
faults in words. ``check_requests`` looks at the commands, messages, answers and threads that a bot
has sent in a simulated Discord::

    assert limits.check_requests(simcord_env) == []

``refused_message`` lists what Discord itself refuses. The bot keeps stricter rules, which
``check_message`` adds: messages are built of components, without embeds, their pictures are
attached and shown, and no message may ping anyone who is not listed individually.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final

from simcord.env import Env

from cogs.gateway.limits import Faults, Payload, check_choices, check_tree

FILE_MAX: Final = 10 * 1024 * 1024
"""The maximum size of one file in bytes, if neither person nor server has paid for more."""

REQUEST_MAX: Final = 25 * 1024 * 1024
"""The maximum size of all files of one message in bytes."""

ANSWER_WITHIN: Final = 3.0
"""Seconds within which an interaction must first be answered."""

TOKEN_LIFE: Final = 900.0
"""Seconds for which an interaction's token is valid."""

FOLLOW_UPS: Final = 5
"""How many follow-up messages an interaction allows if the app is installed only by a person."""

NONCE_MEMORY: Final = 180.0
"""Seconds for which a nonce is remembered; Discord promises "a few minutes"."""

EMOJIS_MAX: Final = 2000
"""The maximum number of emojis of one application."""

EMOJI_BYTES_MAX: Final = 256 * 1024

COMPONENTS_V2: Final = 1 << 15


# ------------------------------------------------------------------------------ messages
def check_message(message: Payload, *, edit: bool = False, sizes: Sequence[int] = ()) -> list[str]:
    """Faults of a message, an edit of one, or the data of an answer.

    :param edit: whether it is an edit, which may refer to files already in the message.
    :param sizes: bytes of each attached file.
    """
    faults = refused_message(message)
    flags = message.get("flags") or 0
    if message.get("embeds"):
        faults.append("embeds: the messages of the bot are built of components")
    if message.get("components") and not flags & COMPONENTS_V2:
        faults.append("flags: components without their flag")
    _mentions(message.get("allowed_mentions"), faults)
    _attachments(message, edit, faults)
    for size in sizes:
        faults.amount("bytes of a file", size, 1, FILE_MAX)
    faults.amount("bytes of all files", sum(sizes), 0, REQUEST_MAX)
    return faults


def refused_message(message: Payload) -> Faults:
    """Faults for which Discord refuses a message."""
    faults = Faults()
    components = message.get("components") or []
    embeds = message.get("embeds") or []
    faults.text("content", message.get("content") or "", 0, 2000)
    faults.text("nonce", str(message.get("nonce") or ""), 0, 25)
    faults.amount("embeds", len(embeds), 0, 10)
    for embed in embeds:
        faults.text("title of an embed", embed.get("title") or "", 0, 256)
        faults.text("description of an embed", embed.get("description") or "", 0, 4096)
    if (message.get("flags") or 0) & COMPONENTS_V2:
        others = ("content", "embeds", "poll", "sticker_ids")
        if any(message.get(it) for it in others):
            faults.append("content: a message of components has no other content")
    elif len(components) > 5 or any(component.get("type") != ROW for component in components):
        faults.append("components: without their flag there are up to 5 rows and nothing else")
    _Layout(faults).check(components)
    attachments = message.get("attachments") or []
    faults.amount("attachments", len(attachments), 0, 10)
    for attachment in attachments:
        alt = attachment.get("description") or ""
        faults.text(f"alt text of {attachment.get('filename')}", alt, 0, 1024)
    return faults


def _mentions(allowed: Payload | None, faults: Faults) -> None:
    if allowed is None or allowed.get("parse") != [] or allowed.get("roles"):
        faults.append("allowed_mentions: people have to be named one by one")
        return
    faults.amount("allowed_mentions users", len(allowed.get("users") or []), 0, 100)


def _attachments(message: Payload, edit: bool, faults: Faults) -> None:
    attachments = message.get("attachments") or []
    names = [str(attachment.get("filename")) for attachment in attachments]
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
            faults.append(f"attachments: Discord would rename {name!r}")
    faults.unique("attachments", names)
    if edit and "attachments" not in message:
        return
    shown = {
        url.removeprefix("attachment://")
        for url in _urls(message.get("components") or [])
        if url.startswith("attachment://")
    }
    faults.extend(f"attachments: {name!r} is shown but not attached" for name in shown - {*names})
    if (message.get("flags") or 0) & COMPONENTS_V2:
        faults.extend(
            f"attachments: {name!r} is attached but not shown" for name in {*names} - shown
        )


def _urls(components: Sequence[Payload]) -> Iterator[str]:
    """The URLs of the pictures and files in components."""
    for component in components:
        for item in [component, *component.get("items", [])]:
            for key in ("media", "file"):
                if key in item:
                    yield str(item[key].get("url"))
        yield from _urls(component.get("components") or [])
        if "accessory" in component:
            yield from _urls([component["accessory"]])


def emojis_of(part: Payload, place: tuple[str, ...] = ()) -> Iterator[tuple[list[str], Payload]]:
    """Every emoji on the controls of a message, with its path in the payload.

    :param part: the message, or a component.
    :param place: the path of ``part``.
    """
    if part.get("emoji"):
        yield [*place, "emoji"], part["emoji"]
    for key in ("components", "options"):
        for number, inner in enumerate(part.get(key) or []):
            yield from emojis_of(inner, (*place, key, str(number)))
    if "accessory" in part:
        yield from emojis_of(part["accessory"], (*place, "accessory"))


# ---------------------------------------------------------------------------- components
ROW, BUTTON, SELECT, TEXT_INPUT, SECTION, TEXT, THUMBNAIL = 1, 2, 3, 4, 9, 10, 11

GALLERY, FILE, SEPARATOR, CONTAINER, LABEL = 12, 13, 14, 17, 18
UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 19, 21, 22, 23
ENTITY_SELECTS: Final = frozenset({5, 6, 7, 8})
SELECTS: Final = ENTITY_SELECTS | {SELECT}
LINK: Final = 5
"""The style of a button that opens a page instead of sending the bot an interaction."""

IN_CONTAINER: Final = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR})
IN_MESSAGE: Final = IN_CONTAINER | {CONTAINER}
IN_LABEL: Final = SELECTS | {TEXT_INPUT, UPLOAD, RADIO, CHECKBOXES, CHECKBOX}


class _Layout:
    """Checks the components of one message or form from the outermost inwards.

    :param in_row: the types that a row may hold.
    """

    def __init__(self, faults: Faults, in_row: frozenset[int] = SELECTS | {BUTTON}) -> None:
        self._faults = faults
        self._in_row = in_row
        self._parts = 0
        self._letters = 0
        self._custom_ids: list[str] = []
        self._ids: list[int] = []

    def check(self, components: Sequence[Payload], allowed: frozenset[int] = IN_MESSAGE) -> None:
        self._all(components, allowed, "the message")
        self._faults.amount("components", self._parts, 0, 40)
        self._faults.amount("characters of all texts", self._letters, 0, 4000)
        self._faults.unique("custom_id", self._custom_ids)
        self._faults.unique("id", self._ids)

    def _all(self, components: Sequence[Payload], allowed: frozenset[int], holder: str) -> None:
        for component in components:
            self._one(component, allowed, holder)

    def _one(self, component: Payload, allowed: frozenset[int], holder: str) -> None:
        self._parts += 1
        if component.get("id"):
            self._ids.append(component["id"])
        kind = component.get("type")
        checks: dict[object, Callable[[Payload], None]] = {
            ROW: self._row,
            BUTTON: self._button,
            SECTION: self._section,
            TEXT: self._text,
            THUMBNAIL: self._thumbnail,
            GALLERY: self._gallery,
            FILE: self._file,
            SEPARATOR: self._separator,
            CONTAINER: self._container,
            LABEL: self._label,
            TEXT_INPUT: self._text_input,
            UPLOAD: self._upload,
            RADIO: self._radio,
            CHECKBOXES: self._checkboxes,
            CHECKBOX: self._custom_id,
            **dict.fromkeys(SELECTS, self._select),
        }
        if kind not in allowed or kind not in checks:
            self._faults.append(f"{holder} cannot hold components of type {kind}")
            return
        checks[kind](component)

    # -- layout
    def _container(self, container: Payload) -> None:
        parts = container.get("components") or []
        self._faults.amount("parts of a container", len(parts), 1, 40)
        self._all(parts, IN_CONTAINER, "a container")

    def _section(self, section: Payload) -> None:
        texts = section.get("components") or []
        self._faults.amount("texts of a section", len(texts), 1, 3)
        self._all(texts, frozenset({TEXT}), "a section")
        accessory = section.get("accessory") or {}
        self._one(accessory, frozenset({BUTTON, THUMBNAIL}), "the side of a section")

    def _row(self, row: Payload) -> None:
        parts = row.get("components") or []
        buttons = [part for part in parts if part.get("type") == BUTTON]
        self._faults.amount("parts of a row", len(parts), 1, 5)
        if len(buttons) < len(parts) and len(parts) > 1:
            self._faults.append("a row holds buttons or one menu")
        self._all(parts, self._in_row, "a row")

    def _text(self, text: Payload) -> None:
        content = text.get("content")
        self._faults.text("text", content, 1, 4000)
        self._letters += len(str(content))

    def _separator(self, separator: Payload) -> None:
        self._faults.number("spacing", separator.get("spacing"), 1, 2)

    def _gallery(self, gallery: Payload) -> None:
        items = gallery.get("items") or []
        self._faults.amount("pictures of a gallery", len(items), 1, 10)
        for item in items:
            self._media(item)

    def _thumbnail(self, thumbnail: Payload) -> None:
        self._media(thumbnail)

    def _media(self, item: Payload) -> None:
        self._faults.text("alt text", item.get("description") or "", 0, 1024)
        url = str((item.get("media") or {}).get("url"))
        self._faults.text("address of a picture", url, 1, 2048)
        if not re.match(r"(https?|attachment)://.", url):
            self._faults.append(f"address of a picture: {url!r}")

    def _file(self, file: Payload) -> None:
        url = str((file.get("file") or {}).get("url"))
        if not re.match(r"attachment://.", url):
            self._faults.append(f"a file has to be attached: {url!r}")

    # -- controls
    def _custom_id(self, control: Payload) -> None:
        custom_id = control.get("custom_id")
        self._faults.text("custom_id", custom_id, 1, 100)
        self._custom_ids.append(str(custom_id))

    def _button(self, button: Payload) -> None:
        label = button.get("label") or ""
        self._faults.text(f"label of {label!r}", label, 0, 80)
        if not label and not button.get("emoji"):
            self._faults.append("a button needs a label or an emoji")
        if button.get("style") == LINK:
            self._faults.text("address of a link", button.get("url"), 1, 512)
            if "custom_id" in button:
                self._faults.append(f"the link {label!r} cannot have a custom_id")
        else:
            self._faults.number(f"style of {label!r}", button.get("style"), 1, 4)
            self._custom_id(button)

    def _select(self, select: Payload) -> None:
        self._custom_id(select)
        self._faults.text("placeholder", select.get("placeholder") or "", 0, 150)
        least, most = select.get("min_values", 1), select.get("max_values", 1)
        self._faults.number("min_values", least, 0, min(25, most))
        self._faults.number("max_values", most, 1, 25)
        if select.get("type") != SELECT:
            return
        options = select.get("options") or []
        self._choices("options of a menu", options, 1, 25)
        if most > len(options):
            self._faults.append(f"max_values: {most} of {len(options)} options")
        chosen = sum(bool(option.get("default")) for option in options)
        self._faults.amount("options chosen beforehand", chosen, 0, most)

    def _choices(self, what: str, options: Sequence[Payload], least: int, most: int) -> None:
        self._faults.amount(what, len(options), least, most)
        for option in options:
            self._faults.text(f"label among the {what}", option.get("label"), 1, 100)
            self._faults.text(f"value among the {what}", option.get("value"), 1, 100)
            description = option.get("description") or ""
            self._faults.text(f"description among the {what}", description, 0, 100)
        self._faults.unique(f"value among the {what}", [it.get("value") for it in options])

    # -- parts of forms
    def _label(self, label: Payload) -> None:
        self._faults.text("label", label.get("label"), 1, 45)
        self._faults.text("description of a label", label.get("description") or "", 0, 100)
        self._one(label.get("component") or {}, IN_LABEL, "a label")

    def _text_input(self, field: Payload) -> None:
        self._custom_id(field)
        self._faults.number("style of a field", field.get("style"), 1, 2)
        self._faults.number("min_length of a field", field.get("min_length"), 0, 4000)
        self._faults.number("max_length of a field", field.get("max_length"), 1, 4000)
        self._faults.text("placeholder of a field", field.get("placeholder") or "", 0, 100)
        self._faults.text("value of a field", field.get("value") or "", 0, 4000)

    def _upload(self, upload: Payload) -> None:
        self._custom_id(upload)
        self._faults.number("min_values of an upload", upload.get("min_values"), 0, 10)
        self._faults.number("max_values of an upload", upload.get("max_values"), 1, 10)

    def _radio(self, radio: Payload) -> None:
        self._custom_id(radio)
        self._choices("options of a radio group", radio.get("options") or [], 2, 10)

    def _checkboxes(self, group: Payload) -> None:
        self._custom_id(group)
        self._choices("options of a checkbox group", group.get("options") or [], 1, 10)


def check_modal(form: Payload) -> list[str]:
    """Faults of a modal; the bot must put a label above each field."""
    faults = refused_modal(form)
    if any(part.get("type") == ROW for part in form.get("components") or []):
        faults.append("a form of the bot cannot hold components of type 1")
    return faults


def refused_modal(form: Payload) -> Faults:
    """Faults for which Discord refuses a modal. Rows with a text input are not a fault."""
    faults = Faults()
    faults.text("title", form.get("title"), 1, 45)
    faults.text("custom_id of the form", form.get("custom_id"), 1, 100)
    parts = form.get("components") or []
    faults.amount("parts of a form", len(parts), 1, 5)
    _Layout(faults, frozenset({TEXT_INPUT})).check(parts, frozenset({ROW, TEXT, LABEL}))
    return faults


def check_emoji(form: Payload) -> list[str]:
    faults = Faults()
    name, image = str(form.get("name")), str(form.get("image"))
    if not re.fullmatch(r"\w{2,32}", name, re.ASCII):
        faults.append(f"name of an emoji: {name!r}")
    kind, _, data = image.partition(",")
    if kind != "data:image/png;base64":
        faults.append(f"image of an emoji: {kind!r}")
    try:
        size = len(base64.b64decode(data, validate=True))
    except ValueError:
        size = 0
    faults.amount("bytes of an emoji", size, 1, EMOJI_BYTES_MAX)
    return faults


# ------------------------------------------------------------------------------ requests
MESSAGE_ANSWERS: Final = frozenset({4, 7})
CHOICES_ANSWER, FORM_ANSWER = 8, 9

Check = Callable[[str, Any], list[str]]


def check_requests(env: Env) -> list[str]:
    """Faults of the commands, messages, answers and threads that the bot has sent so far, each
    preceded by its request.

    The simulated Discord does not record which file belongs to which request, so file sizes are
    checked individually at the end.
    """
    faults: list[str] = []
    for entry in env.http_requests:
        for pattern, check in _CHECKS.items():
            if entry.json is not None and re.fullmatch(pattern, f"{entry.method} {entry.path}"):
                found = check(entry.method, entry.json)
                faults += [f"{entry.method} {entry.path}: {fault}" for fault in found]
    # files of deleted and private messages are here, too, and only here
    for url, data in env.backend.cdn._blobs.items():
        if not 1 <= len(data) <= FILE_MAX:
            faults.append(f"{url}: {len(data)} bytes")
    return faults


_flawless: list[Any] = []
"""The last tree of commands without faults."""


def check_commands(tree: Sequence[Payload]) -> list[str]:
    """Faults of a tree of commands. Nearly every bot sends the same tree, which is checked once."""
    if tree == _flawless:
        return []
    faults = check_tree(tree)
    if not faults:
        _flawless[:] = deepcopy(tree)
    return faults


def _check_sent(method: str, message: Payload) -> list[str]:
    return check_message(message, edit=method == "PATCH")


def _check_answer(method: str, answer: Payload) -> list[str]:
    data = answer.get("data") or {}
    if answer["type"] in MESSAGE_ANSWERS:
        return check_message(data, edit=answer["type"] == 7)
    if answer["type"] == CHOICES_ANSWER:
        return check_choices(data["choices"])
    return check_modal(data) if answer["type"] == FORM_ANSWER else []


def _check_thread(method: str, thread: Payload) -> list[str]:
    faults = Faults()
    faults.text("name of a thread", thread.get("name"), 1, 100)
    return faults


_CHECKS: Final[dict[str, Check]] = {
    r"PUT /applications/\d+/(guilds/\d+/)?commands": lambda method, tree: check_commands(tree),
    r"(POST|PATCH) /channels/\d+/messages(/\d+)?": _check_sent,
    r"(POST|PATCH) /webhooks/\d+/[^/]+(/messages/[^/]+)?": _check_sent,
    r"POST /interactions/\d+/[^/]+/callback": _check_answer,
    r"POST /channels/\d+/threads": _check_thread,
}
