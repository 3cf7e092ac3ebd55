"""The bot's answers to interactions: the callback within 3 s, then edits and followups by token."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from aiohttp import web

from cogs.gateway.limits import check_choices
from tests.limits import FOLLOW_UPS, refused_modal
from tests.refusals import (
    ALREADY_ACKNOWLEDGED,
    INVALID_TOKEN,
    TOO_MANY_FOLLOW_UPS,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
)
from tests.wire import components as tree
from tests.wire import payloads
from tests.wire.faults import API, json_response
from tests.wire.rest import NO_CONTENT
from tests.wire.world import (
    ApiError,
    Interaction,
    Kind,
    Message,
    MessageFlag,
    User,
    World,
    invalid_form,
    refuse_form,
)
from tests.wire.writing import Form, erase, loading_message, read_form, rewrite, write

Json = dict[str, Any]


PONG, MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 1, 4, 5, 6, 7, 8, 9

FITTING = {
    Kind.COMMAND: {MESSAGE, DEFER, MODAL},
    Kind.COMPONENT: {MESSAGE, DEFER, DEFER_UPDATE, UPDATE, MODAL},
    Kind.AUTOCOMPLETE: {CHOICES},
    Kind.MODAL: {MESSAGE, DEFER, DEFER_UPDATE, UPDATE},
}


class Answers:
    """The routes under ``/interactions`` and ``/webhooks``."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """All routes of answers; the token in the path is the authorisation."""
        webhook = API + "/webhooks/{app}/{token}"
        message = webhook + "/messages/{message}"
        return [
            web.post(API + "/interactions/{id}/{token}/callback", self._callback),
            web.post(webhook, self._follow_up),
            web.get(message, self._message),
            web.patch(message, self._edit),
            web.delete(message, self._delete),
        ]

    # -- the first answer
    async def _callback(self, request: web.Request) -> web.StreamResponse:
        form = await read_form(request)
        act = self._world.interactions.get(request.match_info["token"])
        if act is None or act.id != int(request.match_info["id"]):
            raise ApiError(*UNKNOWN_INTERACTION)
        with self._remembering_refusals(act):
            self._answer(act, form)
        if request.query.get("with_response") in ("1", "true"):
            return json_response(payloads.callback(act))
        return web.Response(status=NO_CONTENT)

    def _answer(self, act: Interaction, form: Form) -> None:
        response = form.body["type"]
        if act.acknowledged:
            raise ApiError(*ALREADY_ACKNOWLEDGED)
        if act.failed:
            raise ApiError(*UNKNOWN_INTERACTION)
        updates_nothing = response in (DEFER_UPDATE, UPDATE) and act.source is None
        if response not in FITTING[act.kind] or updates_nothing:
            raise invalid_form(f"response {response} does not fit the interaction")
        if response == MESSAGE:
            act.original = self._write(act, form)
        elif response == DEFER:
            flags = (form.body.get("data") or {}).get("flags") or 0
            ephemeral = bool(flags & MessageFlag.EPHEMERAL)
            act.original = loading_message(self._world, act, ephemeral=ephemeral)
            act.messages.append(act.original)
        elif response == DEFER_UPDATE:
            act.original = act.source
        elif response == UPDATE:
            assert act.source is not None
            act.original = rewrite(self._world, act.source, form)
        elif response == CHOICES:
            refuse_form(check_choices(form.message["choices"]))
            act.choices = form.message["choices"]
        elif response == MODAL:
            refuse_form(refused_modal(form.message))
            act.modal = form.message | {
                "components": tree.settle(form.message["components"], lambda url: {"url": url})
            }
        act.response = response

    # -- later answers
    async def _follow_up(self, request: web.Request) -> web.StreamResponse:
        """A further message; the first one after a deferral replaces "is thinking"."""
        act = self._authorised(request)
        form = await read_form(request)
        if act.response == DEFER and act.original is not None and act.original.is_loading:
            message = self._finish(act.original, form)
        else:
            if act.channel.foreign and act.follow_ups >= FOLLOW_UPS:
                act.refusals.append(TOO_MANY_FOLLOW_UPS.code)
                raise ApiError(*TOO_MANY_FOLLOW_UPS)
            act.follow_ups += 1
            message = self._write(act, form)
        self._world.changed()
        return json_response(payloads.message(message))

    async def _message(self, request: web.Request) -> web.StreamResponse:
        return json_response(payloads.message(self._found(request, self._authorised(request))))

    async def _edit(self, request: web.Request) -> web.StreamResponse:
        message = self._found(request, self._authorised(request))
        form = await read_form(request)
        if message.is_loading:
            message = self._finish(message, form)
        else:
            message = rewrite(self._world, message, form)
        return json_response(payloads.message(message))

    async def _delete(self, request: web.Request) -> web.StreamResponse:
        erase(self._world, self._found(request, self._authorised(request)))
        return web.Response(status=NO_CONTENT)

    def _authorised(self, request: web.Request) -> Interaction:
        act = self._world.interactions.get(request.match_info["token"])
        if act is None or not act.acknowledged:
            raise ApiError(*UNKNOWN_WEBHOOK)
        with self._remembering_refusals(act):
            if act.age > self._world.token_life:
                raise ApiError(*INVALID_TOKEN)
        return act

    @contextlib.contextmanager
    def _remembering_refusals(self, act: Interaction) -> Iterator[None]:
        try:
            yield
        except ApiError as error:
            act.refusals.append(error.code)
            raise
        finally:
            self._world.changed()

    def _found(self, request: web.Request, act: Interaction) -> Message:
        name = request.match_info["message"]
        wanted = act.original if name == "@original" else self._world.messages.get(int(name))
        reachable = [*act.messages, act.original, act.source]
        if wanted is None or wanted.deleted or wanted not in reachable:
            raise ApiError(*UNKNOWN_MESSAGE)
        return wanted

    def _write(self, act: Interaction, form: Form) -> Message:
        message = write(self._world, act.channel, form, interaction=act, seen_by=_reader(act, form))
        act.messages.append(message)
        return message

    def _finish(self, message: Message, form: Form) -> Message:
        """Fill the "is thinking" message; whether it is ephemeral was settled when deferring."""
        rewrite(self._world, message, form)
        message.edited = None
        return message


def _reader(act: Interaction, form: Form) -> User | None:
    ephemeral = (form.message.get("flags") or 0) & MessageFlag.EPHEMERAL
    hushed = act.channel.guild is not None and act.channel.foreign and act.channel.guild.hushes
    return act.user if ephemeral or hushed else None
