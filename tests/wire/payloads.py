"""The stand-in's objects as the JSON that Discord's API v10 sends.

The fields are those that strict clients insist on, not only those that discord.py reads.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.limits import FILE_MAX
from tests.wire.world import (
    EVERYTHING,
    NOTHING,
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Interaction,
    Kind,
    Message,
    Permission,
    User,
    World,
)

Json = dict[str, Any]

FAR_AHEAD = datetime(2126, 1, 1, tzinfo=UTC).isoformat()
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC).isoformat()
GATEWAY_LIMITS = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}


# ------------------------------------------------------------------------ people and places
def user(who: User) -> Json:
    """A user as seen by others."""
    return {
        "id": str(who.id),
        "username": who.name.lower(),
        "global_name": who.name,
        "discriminator": "0",
        "avatar": None,
        "bot": who.bot,
        "public_flags": 0,
    }


def own_user(world: World) -> Json:
    return user(world.bot) | {
        "mfa_enabled": True,
        "verified": True,
        "locale": "en-US",
        "email": None,
        "flags": 0,
    }


def member(who: User, guild: Guild) -> Json:
    return {
        "user": user(who),
        "nick": None,
        "avatar": None,
        "roles": [str(guild.bot_role)] if who.bot else [],
        "joined_at": BEGINNING,
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": FAR_AHEAD if who.bot and guild.timed_out else None,
    }


def application(world: World) -> Json:
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "Stand-in application",
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(world.bot),
        "team": None,
        "verify_key": "00" * 32,
        "flags": 0,
        "rpc_origins": [],
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "integration_types_config": {"0": {}, "1": {}},
        "tags": [],
    }


def _role(role_id: int, name: str, permissions: Permission, bot: User | None = None) -> Json:
    payload: Json = {
        "id": str(role_id),
        "name": name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "position": 1 if bot else 0,
        "permissions": str(int(permissions)),
        "managed": bot is not None,
        "mentionable": False,
        "flags": 0,
    }
    if bot is not None:
        payload["tags"] = {"bot_id": str(bot.id)}
    return payload


def _bots_role(place: Guild) -> Json:
    bot = place.world.bot
    return _role(place.bot_role, bot.name, EVERYTHING & ~place.denied, bot)


def guild(place: Guild) -> Json:
    """A guild as REST gives it."""
    return {
        "id": str(place.id),
        "name": place.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "owner_id": str(place.bot_role),
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw": False,
        "nsfw_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": place.locale,
        "max_presences": None,
        "max_members": 500_000,
        "max_video_channel_users": 25,
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [
            _role(place.id, "@everyone", NOTHING),
            _bots_role(place),
        ],
    }


def gateway_guild(place: Guild) -> Json:
    """A guild as the gateway announces it. Without the members intent, it lists only the bot."""
    own_threads = [thread for c in place.channels for thread in c.threads if not thread.archived]
    return guild(place) | {
        "joined_at": BEGINNING,
        "large": False,
        "unavailable": False,
        "member_count": len(place.members),
        "members": [member(place.world.bot, place)],
        "channels": [channel(c) for c in place.channels],
        "threads": [channel(t) for t in own_threads],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def channel(place: Channel) -> Json:
    payload: Json = {
        "id": str(place.id),
        "type": int(place.kind),
        "flags": 0,
        "last_message_id": str(place.messages[-1].id) if place.messages else None,
    }
    if place.kind is ChannelKind.GROUP_DM:
        return payload | {
            "recipients": [user(person) for person in place.members],
            "name": place.name,
            "icon": None,
            "owner_id": str(place.members[0].id),
        }
    if place.kind is ChannelKind.DM:
        assert place.recipient is not None
        return payload | {"recipients": [user(place.recipient)]}
    assert place.guild is not None
    payload |= {
        "guild_id": str(place.guild.id),
        "name": place.name,
        "parent_id": str(place.parent.id) if place.parent else None,
        "rate_limit_per_user": 0,
    }
    return payload | (_thread_fields(place) if place.is_thread else _text_fields(place))


def _text_fields(place: Channel) -> Json:
    denied = {
        "id": str(place.world.bot.id),
        "type": 1,
        "allow": "0",
        "deny": str(int(place.denied)),
    }
    return {
        "topic": None,
        "position": 0,
        "nsfw": False,
        "permission_overwrites": [denied] if place.denied else [],
        "default_auto_archive_duration": 1440,
    }


def _thread_fields(place: Channel) -> Json:
    assert place.owner is not None
    return {
        "owner_id": str(place.owner.id),
        "message_count": len(place.messages),
        "total_message_sent": len(place.messages),
        "member_count": len(place.members),
        "thread_metadata": {
            "archived": place.archived,
            "archive_timestamp": BEGINNING,
            "auto_archive_duration": 1440,
            "locked": place.locked,
            "create_timestamp": BEGINNING,
        },
        "member": {
            "id": str(place.id),
            "user_id": str(place.world.bot.id),
            "join_timestamp": BEGINNING,
            "flags": 1,
        },
    }


# ------------------------------------------------------------------------------- messages
def attachment(file: Attachment) -> Json:
    payload: Json = {
        "id": str(file.id),
        "filename": file.filename,
        "size": len(file.data),
        "url": file.url,
        "proxy_url": file.url,
        "content_type": file.content_type,
    }
    if file.description:
        payload["description"] = file.description
    if file.width:
        payload |= {"width": file.width, "height": file.height}
    return payload


def message(written: Message) -> Json:
    """A message as sent to everyone who may see it."""
    payload: Json = {
        "id": str(written.id),
        "channel_id": str(written.channel.id),
        "author": user(written.author),
        "content": written.content,
        "timestamp": written.created.isoformat(),
        "edited_timestamp": written.edited.isoformat() if written.edited else None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(u) for u in written.mentions],
        "mention_roles": [],
        "attachments": [attachment(a) for a in written.attachments],
        "embeds": written.embeds,
        "components": written.components,
        "pinned": False,
        "type": 0,
        "flags": int(written.flags),
    }
    if written.nonce is not None:
        payload["nonce"] = written.nonce
    if written.interaction is not None:
        payload |= _answer_fields(written, written.interaction)
    if written.reference is not None:
        payload["type"] = 19
        payload["message_reference"] = {
            "type": 0,
            "message_id": str(written.reference.id),
            "channel_id": str(written.reference.channel.id),
        }
    return payload


def _answer_fields(written: Message, cause: Interaction) -> Json:
    application_id = str(written.channel.world.bot.id)
    is_command_answer = cause.kind is Kind.COMMAND and written is cause.original
    return {
        "type": 20 if is_command_answer else 0,
        "webhook_id": application_id,
        "application_id": application_id,
        "interaction_metadata": _metadata(cause),
    }


def _metadata(cause: Interaction) -> Json:
    payload: Json = {
        "id": str(cause.id),
        "type": int(cause.kind),
        "user": user(cause.user),
        "authorizing_integration_owners": integration_owners(cause),
    }
    if cause.source is not None and cause.kind is Kind.COMPONENT:
        payload["interacted_message_id"] = str(cause.source.id)
    if cause.trigger is not None:
        payload["triggering_interaction_metadata"] = _metadata(cause.trigger)
    return payload


# ---------------------------------------------------------------------------- interactions
def context_of(place: Channel) -> int:
    """The context of an act: a guild, a DM with the bot, or a chat of people without it."""
    if place.kind is ChannelKind.GROUP_DM:
        return 2
    return 0 if place.guild else 1


def integration_owners(act: Interaction) -> Json:
    """Who installed the app in this context: the guild, "0" in a DM with the bot, or only the
    person where the bot is not a member.
    """
    if act.channel.foreign:
        return {"1": str(act.user.id)}
    return {"0": str(act.channel.guild.id) if act.channel.guild else "0"}


def interaction(act: Interaction) -> Json:
    """A person's act as a gateway event."""
    world, place = act.world, act.channel
    payload: Json = {
        "id": str(act.id),
        "application_id": str(world.bot.id),
        "type": int(act.kind),
        "token": act.token,
        "version": 1,
        "data": act.data,
        "channel_id": str(place.id),
        "channel": channel(place) | {"permissions": str(int(EVERYTHING))},
        "app_permissions": str(int(place.bot_permissions)),
        "locale": act.user.locale,
        "entitlements": [],
        "authorizing_integration_owners": integration_owners(act),
        "context": context_of(place),
        "attachment_size_limit": FILE_MAX,
    }
    if place.guild is None:
        payload["user"] = user(act.user)
    else:
        payload |= {
            "guild_id": str(place.guild.id),
            "guild": {"id": str(place.guild.id), "locale": place.guild.locale, "features": []},
            "guild_locale": place.guild.locale,
            "member": member(act.user, place.guild)
            | {"permissions": str(int(act.user.permissions))},
        }
    if act.source is not None:
        payload["message"] = message(act.source)
    return payload


def callback(act: Interaction) -> Json:
    """The result of answering an interaction, for callers that ask for it."""
    result: Json = {"id": str(act.id), "type": int(act.kind)}
    answered = act.original if act.response in (4, 5) else None
    if answered is not None:
        result |= {
            "response_message_id": str(answered.id),
            "response_message_loading": answered.is_loading,
            "response_message_ephemeral": answered.is_ephemeral,
        }
    shown = act.source if act.response == 7 else answered
    resource: Json = {"type": act.response}
    if shown is not None:
        resource["message"] = message(shown)
    return {"interaction": result, "resource": resource}


# --------------------------------------------------------------------------------- events
def _removed(written: Message) -> Json:
    payload = {"id": str(written.id), "channel_id": str(written.channel.id)}
    if written.channel.guild is not None:
        payload["guild_id"] = str(written.channel.guild.id)
    return payload


def _with_guild(written: Message) -> Json:
    payload = message(written)
    if written.channel.guild is not None:
        payload["guild_id"] = str(written.channel.guild.id)
        payload["member"] = member(written.author, written.channel.guild)
        del payload["member"]["user"]
    return payload


def _role_update(place: Guild) -> Json:
    return {"guild_id": str(place.id), "role": _bots_role(place)}


def _own_update(place: Guild) -> Json:
    return member(place.world.bot, place) | {"guild_id": str(place.id)}


def _thrown_out(place: Guild) -> Json:
    return {"id": str(place.id)}


EVENTS: dict[str, Callable[[Any], Json]] = {
    "GUILD_CREATE": gateway_guild,
    "GUILD_DELETE": _thrown_out,
    "GUILD_MEMBER_UPDATE": _own_update,
    "GUILD_ROLE_UPDATE": _role_update,
    "CHANNEL_CREATE": channel,
    "CHANNEL_UPDATE": channel,
    "THREAD_CREATE": channel,
    "THREAD_UPDATE": channel,
    "MESSAGE_CREATE": _with_guild,
    "MESSAGE_UPDATE": _with_guild,
    "MESSAGE_DELETE": _removed,
    "INTERACTION_CREATE": interaction,
}


def without_content(event: Json) -> Json:
    """A message event as a bot without the message content intent gets it."""
    return event | {"content": "", "embeds": [], "attachments": [], "components": []}
