"""Discord's refusals as it words them: HTTP status, error code, message.

Every simulated Discord of the tests refuses with these. Source: Discord's documentation of its
error codes.
"""

from __future__ import annotations

from typing import NamedTuple

from simcord.env import Env


class Refusal(NamedTuple):
    """An error that Discord answers a request with.

    :param code: 0 if Discord gives none.
    """

    status: int
    code: int
    message: str


NOT_FOUND = Refusal(404, 0, "404: Not Found")
UNAUTHORIZED = Refusal(401, 0, "401: Unauthorized")
TOO_MANY_REQUESTS = Refusal(429, 0, "You are being rate limited.")
SERVER_ERROR = Refusal(500, 0, "500: Internal Server Error")
UNAVAILABLE = Refusal(503, 0, "503: Service Unavailable")

UNKNOWN_CHANNEL = Refusal(404, 10003, "Unknown Channel")
UNKNOWN_GUILD = Refusal(404, 10004, "Unknown Guild")
UNKNOWN_MEMBER = Refusal(404, 10007, "Unknown Member")
UNKNOWN_MESSAGE = Refusal(404, 10008, "Unknown Message")
UNKNOWN_USER = Refusal(404, 10013, "Unknown User")
UNKNOWN_EMOJI = Refusal(404, 10014, "Unknown Emoji")
UNKNOWN_WEBHOOK = Refusal(404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION = Refusal(404, 10062, "Unknown interaction")

CHANNEL_WRITE_LIMIT = Refusal(429, 20028, "The channel has hit the write rate limit")
TOO_MANY_EMOJIS = Refusal(400, 30008, "Maximum number of emojis reached (2000)")
TOO_MANY_OLD_EDITS = Refusal(429, 30046, "Maximum number of edits to messages older than 1 hour")

INTERNAL_AUTHORIZATION = Refusal(403, 40001, "Unauthorized")
OPENING_DMS_TOO_FAST = Refusal(400, 40003, "You are opening direct messages too fast")
ALREADY_ACKNOWLEDGED = Refusal(400, 40060, "Interaction has already been acknowledged.")
TOO_MANY_FOLLOW_UPS = Refusal(400, 40094, "The limit of follow-up messages is reached")

MISSING_ACCESS = Refusal(403, 50001, "Missing Access")
NOT_THE_AUTHOR = Refusal(403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE = Refusal(400, 50006, "Cannot send an empty message")
CLOSED_DMS = Refusal(403, 50007, "Cannot send messages to this user")
MISSING_PERMISSIONS = Refusal(403, 50013, "Missing Permissions")
INVALID_TOKEN = Refusal(401, 50027, "Invalid Webhook Token")
INVALID_RECIPIENTS = Refusal(400, 50033, "Invalid Recipient(s)")
INVALID_FORM = Refusal(400, 50035, "Invalid Form Body")
INVALID_EMOJI = "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji"
"""Code and message of one error in an invalid form; menus use the same (discord-api-docs 8071)."""

THREAD_ARCHIVED = Refusal(400, 50083, "Tried to perform an operation on an archived thread")
NO_SERVER_IN_COMMON = Refusal(403, 50278, "Cannot send messages to this user: no mutual guilds")

THREAD_LOCKED = Refusal(400, 160005, "Thread is locked")
TOO_MANY_THREADS = Refusal(400, 160006, "Maximum number of active threads reached")


def refuse(env: Env, method: str, path: str, refusal: Refusal, *, times: int | None = None) -> None:
    """Have a simulated Discord refuse matching requests, until its faults are cleared.

    :param method: ``*`` for any.
    :param path: a pattern of ``fnmatch``.
    :param times: how many requests to refuse; None for all.
    """
    status, code, message = refusal
    env.inject_error(method, path, status=status, code=code, message=message, times=times)
