"""Turns a request into a message: form, files, mentions, nonce, limits."""

from __future__ import annotations

import asyncio
import copy
import json
import mimetypes
import re
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from aiohttp import BodyPartReader, MultipartReader, StreamReader, web
from aiohttp.base_protocol import BaseProtocol

from tests.limits import emojis_of, refused_message
from tests.refusals import EMPTY_MESSAGE, INVALID_EMOJI, INVALID_FORM
from tests.wire import components as tree
from tests.wire.world import (
    ApiError,
    Attachment,
    Channel,
    Interaction,
    Message,
    MessageFlag,
    User,
    World,
    invalid_form,
    refuse_form,
)

Json = dict[str, Any]

USER_MENTION = re.compile(r"<@!?(\d+)>")
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(slots=True)
class Form:
    """The body of a request: JSON, and the files sent with it, by the number in their field
    names.
    """

    body: Json
    files: dict[int, tuple[str, bytes]] = field(default_factory=dict)

    @property
    def message(self) -> Json:
        """The message within: the ``data`` of an interaction callback, otherwise the body
        itself.
        """
        inner: Json = self.body.get("data", self.body)
        return inner


async def read_form(request: web.Request) -> Form:
    """Read JSON or multipart."""
    raw = await request.read()
    if not request.content_type.startswith("multipart/"):
        return Form(json.loads(raw) if raw else {})
    form = Form({})
    async for part in MultipartReader(request.headers, _stream(raw)):
        assert isinstance(part, BodyPartReader)
        name = part.name or ""
        data = bytes(await part.read(decode=True))
        if name == "payload_json":
            form.body = json.loads(data)
        elif match := re.fullmatch(r"files\[(\d+)\]", name):
            form.files[int(match[1])] = (part.filename or "", data)
    return form


def _stream(raw: bytes) -> StreamReader:
    """The body already read, as a stream to read again."""
    loop = asyncio.get_running_loop()
    stream = StreamReader(BaseProtocol(loop), len(raw) or 1, loop=loop)
    stream.feed_data(raw)
    stream.feed_eof()
    return stream


def write(
    world: World,
    channel: Channel,
    form: Form,
    *,
    interaction: Interaction | None = None,
    seen_by: User | None = None,
) -> Message:
    """Write a new message of the bot into a channel.

    :raises ApiError: if Discord would refuse it.
    """
    body = form.message
    world.reader(body, False)
    nonce = str(body["nonce"]) if body.get("nonce") is not None else None
    if nonce is not None and body.get("enforce_nonce"):
        known = _remembered(world, channel, nonce)
        if known is not None:
            return known
    message = Message(world.new_id(), channel, world.bot, nonce=nonce, interaction=interaction)
    message.flags = _flags(body.get("flags") or 0)
    if seen_by is not None:
        message.flags |= MessageFlag.EPHEMERAL
        message.seen_by = seen_by
    _fill(world, message, form)
    _refer(world, message, body)
    message.pinged = _pinged(world, message, body)
    message.mark = message.components[0].get("id") if message.components else None
    world.messages[message.id] = message
    if nonce is not None and body.get("enforce_nonce"):
        world.nonces[channel.id, nonce] = (time.monotonic(), message)
    world.changed("MESSAGE_CREATE", message)
    return message


def rewrite(world: World, message: Message, form: Form) -> Message:
    """Change the parts of a message that the form contains; the rest stays.

    :raises ApiError: if Discord would refuse it.
    """
    world.reader(form.message, True)
    kept = MessageFlag.EPHEMERAL | MessageFlag.COMPONENTS_V2
    flags = _flags(form.message.get("flags") or 0) | (message.flags & kept)
    message.flags, before = flags, message.flags
    try:
        _fill(world, message, form)
    except ApiError:
        message.flags = before
        raise
    message.edited = datetime.now(UTC)
    message.edits += 1
    world.changed("MESSAGE_UPDATE", message)
    return message


def loading_message(world: World, interaction: Interaction, *, ephemeral: bool) -> Message:
    """The "is thinking" message of a deferred answer."""
    message = Message(world.new_id(), interaction.channel, world.bot, flags=MessageFlag.LOADING)
    message.interaction = interaction
    if ephemeral:
        message.flags |= MessageFlag.EPHEMERAL
        message.seen_by = interaction.user
    world.messages[message.id] = message
    world.changed("MESSAGE_CREATE", message)
    return message


def erase(world: World, message: Message) -> None:
    message.deleted = True
    world.changed("MESSAGE_DELETE", message)


def _fill(world: World, message: Message, form: Form) -> None:
    """Give a message the content of the form, after checking it as a whole."""
    body = form.message
    attachments = _attachments(world, message, form)
    whole: Json = {
        "content": body.get("content", message.content),
        "embeds": body.get("embeds", message.embeds),
        "components": body.get("components", message.components),
        "nonce": body.get("nonce"),
        "flags": message.flags,
        "attachments": [vars(attachment) for attachment in attachments],
    }
    refuse_form(refused_message(whole))
    _refuse_emojis(world, form)
    if not (whole["content"] or whole["embeds"] or whole["components"] or attachments):
        raise ApiError(*EMPTY_MESSAGE)
    media = _Media(attachments)
    settled = tree.settle(whole["components"] or [], media.stored)
    embeds = [_embed(embed, media) for embed in whole["embeds"] or []]
    message.content = whole["content"] or ""
    message.components, message.embeds = settled, embeds
    message.attachments = attachments
    message.mentions = _mentioned(world, message)


def _refuse_emojis(world: World, form: Form) -> None:
    """Refuse control emojis the application does not own; refuse known ones, too, for the next
    ``World.emojis_refused`` requests.
    """
    found = list(emojis_of(form.message, ("data",) if "data" in form.body else ()))
    unknown = [place for place, emoji in found if int(emoji["id"]) not in world.emojis]
    if found and not unknown and world.emojis_refused:
        world.emojis_refused -= 1
        unknown = [found[0][0]]
    if not unknown:
        return
    code, message = INVALID_EMOJI
    errors: Json = {}
    for place in unknown:
        at = errors
        for key in (*place, "name"):
            at = at.setdefault(key, {})
        at["_errors"] = [{"code": code, "message": message}]
    raise ApiError(*INVALID_FORM, errors)


def _attachments(world: World, message: Message, form: Form) -> list[Attachment]:
    """The files of the message after the request: kept ones and new ones."""
    listed = form.message.get("attachments")
    if listed is None:
        kept = list(message.attachments)
        wanted: list[Json] = [{"id": number} for number in form.files]
    else:
        kept = [a for a in message.attachments if any(str(a.id) == str(w["id"]) for w in listed)]
        wanted = [w for w in listed if not any(str(a.id) == str(w["id"]) for a in kept)]
    for entry in wanted:
        number = int(entry["id"])
        if number not in form.files:
            raise invalid_form(f"attachment {number} came without a file")
        filename, data = form.files[number]
        kept.append(_attach(world, message, entry.get("filename") or filename, data, entry))
    return kept


def _attach(world: World, message: Message, filename: str, data: bytes, entry: Json) -> Attachment:
    file_id = world.new_id()
    attachment = Attachment(
        id=file_id,
        filename=filename,
        data=data,
        content_type=mimetypes.guess_type(filename)[0] or "application/octet-stream",
        description=entry.get("description"),
        url=f"{world.cdn}/attachments/{message.channel.id}/{file_id}/{quote(filename)}",
    )
    if data.startswith(PNG_SIGNATURE):
        attachment.width = int.from_bytes(data[16:20], "big")
        attachment.height = int.from_bytes(data[20:24], "big")
    world.files[file_id] = attachment
    return attachment


class _Media:
    """Resolves the urls of pictures in a message, its own attachments included."""

    def __init__(self, attachments: list[Attachment]) -> None:
        self._by_name = {a.filename: a for a in attachments}
        self._by_url = {a.url: a for a in attachments}

    def find(self, url: str) -> Attachment | None:
        """The attachment that a url refers to, or None if it leads elsewhere.

        :raises ApiError: ``attachment://`` with a name that is not attached.
        """
        if not url.startswith("attachment://"):
            return self._by_url.get(url)
        attachment = self._by_name.get(url.removeprefix("attachment://"))
        if attachment is None:
            raise invalid_form(f"{url} is not attached")
        return attachment

    def stored(self, url: str) -> Json:
        """A media object as Discord stores it."""
        attachment = self.find(url)
        if attachment is None:
            return {"url": url, "proxy_url": url, "loading_state": 1}
        return {
            "id": str(attachment.id),
            "attachment_id": str(attachment.id),
            "url": attachment.url,
            "proxy_url": attachment.url,
            "width": attachment.width or 0,
            "height": attachment.height or 0,
            "content_type": attachment.content_type,
            "loading_state": 2,
        }


def _embed(given: Json, media: _Media) -> Json:
    embed: Json = {"type": "rich"} | copy.deepcopy(given)
    for key in ("image", "thumbnail"):
        if key in embed and (attachment := media.find(embed[key]["url"])):
            embed[key] = {
                "url": attachment.url,
                "proxy_url": attachment.url,
                "width": attachment.width or 0,
                "height": attachment.height or 0,
            }
    return embed


def _mentioned(world: World, message: Message) -> list[User]:
    ids = dict.fromkeys(int(found) for found in USER_MENTION.findall(message.text))
    return [world.users[user_id] for user_id in ids if user_id in world.users]


def _pinged(world: World, message: Message, body: Json) -> list[User]:
    """The people notified: those mentioned, if ``allowed_mentions`` allows it."""
    if MessageFlag.SUPPRESS_NOTIFICATIONS in message.flags:
        return []
    allowed = body.get("allowed_mentions")
    if allowed is None or "users" in allowed.get("parse", ()):
        return list(message.mentions)
    listed = {int(user_id) for user_id in allowed.get("users", ())}
    return [user for user in message.mentions if user.id in listed]


def _refer(world: World, message: Message, body: Json) -> None:
    reference = body.get("message_reference")
    if reference:
        message.reference = world.messages.get(int(reference["message_id"]))


def _remembered(world: World, channel: Channel, nonce: str) -> Message | None:
    when, message = world.nonces.get((channel.id, nonce), (0.0, None))
    fresh = message is not None and time.monotonic() - when < world.nonce_memory
    return message if fresh else None


def _flags(number: int) -> MessageFlag:
    settable = (
        MessageFlag.SUPPRESS_EMBEDS
        | MessageFlag.EPHEMERAL
        | MessageFlag.SUPPRESS_NOTIFICATIONS
        | MessageFlag.COMPONENTS_V2
    )
    return MessageFlag(number) & settable
