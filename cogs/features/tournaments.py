"""``/tournament``: announcing one, taking part, watching and organising."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from discord import app_commands
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.allowance import TOURNAMENTS, Cost
from cogs.features.feature import (
    REQUIRED,
    Choices,
    CommandOption,
    Feature,
    choices,
    command,
    form,
    made_of,
    marked,
    offer_games,
    offer_paces,
    press,
)
from cogs.features.lobby import Lobby
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.forms import Form, FormField
from cogs.gateway.permissions import may_manage_server
from cogs.gateway.places import InteractionContext, context_of
from cogs.gateway.texts import escape
from cogs.gateway.translator import L_, name_
from cogs.present.setup import value_meant, values_card
from cogs.present.tournaments import (
    FORMATS,
    control_of,
    counting_in_words,
    decide_card,
    leave_card,
    manage_card,
    meeting_in_words,
    proof_in_words,
    rules_in_words,
    tournament_card,
    tournament_draft,
)
from cogs.present.words import GameWords, Preset
from data.store.problems import NoSuchOccasion
from data.texts import N_
from games import GAMES
from games.fairness import new_secret
from play.aggregate import Command
from play.occasions.tournament import (
    MOST,
    Dropouts,
    Format,
    Phase,
    Seeding,
    Tournament,
    TournamentPlan,
)
from play.occasions.tournament_acts import (
    NAME,
    REASON_LIMIT,
    BeginNow,
    CallOff,
    ChooseOptions,
    Correct,
    Pause,
    Remove,
    SignUp,
    Tourney,
    Withdraw,
)
from play.table import Refused, refuse_if

TITLE_LIMIT: Final = 60
"""Maximum length of a tournament's title, in characters."""

LONGEST_SIGN_UP: Final = 14 * 24
"""Longest sign-up period, in hours."""

CODE: Final = (
    name_("code"),
    L_("The code of the tournament; default: the only one that is not over"),
)


async def _offer_presets(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """Suggest the presets of the chosen game for the chosen table size."""
    chosen, say = interaction.namespace, feature.say(interaction)
    seats = chosen.seats if isinstance(chosen.seats, int) else 2
    offered = _presets_of(feature.acting.presenter.words, str(chosen.game), seats)
    return choices({key: say(each.label) for key, each in offered.items()}, typed)


def _presets_of(words: Mapping[str, GameWords], game: str, seats: int) -> dict[str, Preset]:
    """Return a game's presets for tables of this size, by number."""
    presets = words[game].presets if game in words else ()
    fitting = enumerate(presets, start=1)
    return {str(n): each for n, each in fitting if each.players in (None, seats)}


ANNOUNCING: Final = {
    "title": CommandOption(
        (name_("title"), L_("The name of the tournament")),
        app_commands.Range[str, 1, TITLE_LIMIT],
        REQUIRED,
    ),
    "game": CommandOption((name_("game"), L_("The game to play"), offer_games), str, REQUIRED),
    "format": CommandOption(
        (name_("format"), L_("Who meets whom"), marked(FORMATS)), str, Format.SWISS
    ),
    "most": CommandOption(
        (name_("most"), L_("Maximum number of people; others wait for a place")),
        app_commands.Range[int, 3, MOST],
        16,
    ),
    "least": CommandOption(
        (
            name_("least"),
            L_(
                "Minimum number of people; with fewer, or too few for one table, it is called "
                "off; default: 3"
            ),
        ),
        app_commands.Range[int, 3, MOST],
        3,
    ),
    "hours": CommandOption(
        (name_("hours"), L_("Sign-up ends after this many hours; default: when full")),
        app_commands.Range[int, 1, LONGEST_SIGN_UP] | None,
    ),
    "pace": CommandOption(
        (name_("pace"), L_("How long a turn may take; default: one day"), offer_paces), str, "1d"
    ),
    "seats": CommandOption(
        (name_("seats"), L_("People per table; more than two only in the Swiss system")),
        app_commands.Range[int, 2, 5],
        2,
    ),
    "rounds": CommandOption(
        (name_("rounds"), L_("Rounds in the Swiss system; default: as many as needed")),
        app_commands.Range[int, 1, 9] | None,
    ),
    "seeding": CommandOption(
        (
            name_("seeding"),
            L_("How people are seeded; default: by rating"),
            {Seeding.RATING: L_("By rating"), Seeding.LOT: L_("By lot")},
        ),
        str,
        Seeding.RATING,
    ),
    "dropouts": CommandOption(
        (
            name_("dropouts"),
            L_("Who gets the place of somebody who leaves; default: the next person waiting"),
            {
                Dropouts.REPLACE: L_("The next person waiting takes it over"),
                Dropouts.COUNT: L_("Their remaining matches count as wins for their opponents"),
            },
        ),
        str,
        Dropouts.REPLACE,
    ),
    "preset": CommandOption(
        (
            name_("preset"),
            L_("Options that go well together; you can still change each of them"),
            _offer_presets,
        ),
        str | None,
    ),
}
"""The options of the command ``new``, by key."""


def plan_of(given: Mapping[str, Any], now: datetime) -> TournamentPlan:
    """Return the plan that the options of ``new`` describe, leaving out the preset.

    :param given: a value for each key of ``ANNOUNCING``.
    """
    hours = given["hours"]
    return TournamentPlan(
        title=" ".join(given["title"].split()),
        game=given["game"],
        format=Format(given["format"]),
        seats=given["seats"],
        rounds=given["rounds"] or 0,
        pace=given["pace"],
        least=max(given["least"], given["seats"]),
        most=given["most"],
        closes_at=None if hours is None else now.replace(microsecond=0) + timedelta(hours=hours),
        seeding=Seeding(given["seeding"]),
        dropouts=Dropouts(given["dropouts"]),
    )


@app_commands.guild_only()
class TournamentCog(
    Feature,
    commands.GroupCog,
    group_name=name_("tournament"),
    group_description=L_("Tournaments on this server"),
):
    """``/tournament``, and the buttons below its messages."""

    def __init__(self, acting: Acting, lobby: Lobby) -> None:
        super().__init__(acting)
        self._lobby = lobby
        self._words = acting.presenter.words
        if self.app_command is not None:
            announce = made_of(
                self,
                name_("new"),
                L_("Announce a tournament in this channel"),
                [option.parameter(key) for key, option in ANNOUNCING.items()],
                {key: option.shown for key, option in ANNOUNCING.items()},
                self._announce,
            )
            self.app_command.add_command(announce)

    # -- announcing
    async def _announce(self, interaction: Interaction, **given: Any) -> None:
        """Carry out the command ``new``: announce a tournament.

        :param given: the values of ``ANNOUNCING``.
        """
        await self.replies.defer(interaction)
        await self._require_may_announce(interaction, given["game"])
        plan = plan_of(given, self.tables.clock())
        if given["preset"] is not None:
            offered = _presets_of(self._words, plan.game, plan.seats)
            refuse_if(given["preset"] not in offered, "no_such_preset")
            plan = plan.choosing(offered[given["preset"]].options)
        plan.check()
        channel = await self._lobby.welcoming_channel(interaction, in_thread=False)
        opened = await self.occasions.open(
            NAME,
            Tournament(plan=plan, secret=new_secret()),
            guild_id=interaction.guild_id,
            channel_id=channel,
            host_id=interaction.user.id,
            language=(await self.acting.server_texts(interaction)).language,
            interaction_id=interaction.id,
        )
        code = f"`{opened.row.code}`"
        told = N_("Tournament {code} is announced: {place}.")
        await self.acting.tell(interaction, told, code=code, place=f"<#{channel}>")

    async def _require_may_announce(self, interaction: Interaction, game: str) -> None:
        """Make sure the person may announce a tournament in this game here.

        :raises Refused: ``unknown_game``, ``server_only``, ``too_many_tournaments``,
            ``too_much_at_once``.
        """
        refuse_if(game not in GAMES, "unknown_game", text=game)
        refuse_if(context_of(interaction) is not InteractionContext.SERVER, "server_only")
        own = await self.tables.store.occasions.count_by(interaction.user.id, NAME)
        refuse_if(own >= TOURNAMENTS, "too_many_tournaments", limit=TOURNAMENTS)
        self.acting.allowance.spend(interaction.user.id, Cost.TOURNAMENT)

    # -- taking part
    @command(name_("join"), L_("Take part in a tournament"), code=CODE)
    async def join(self, interaction: Interaction, code: str | None = None) -> None:
        """Sign up."""
        await self._sign_up(interaction, await self._meant(interaction, code))

    @press("toursign", Acknowledge.PRIVATELY)
    async def sign_up(self, interaction: Interaction, control: Control) -> None:
        """Sign up."""
        await self._sign_up(interaction, await self.occasions.get(control.occasion))

    async def _sign_up(self, interaction: Interaction, occasion: Tourney) -> None:
        user = interaction.user
        rating = await self._rating(occasion, user.id)
        sign_up = SignUp(user.id, user.display_name, rating)
        after = (await self.acting.act_in(interaction, occasion.id, sign_up)).after
        # the copy in memory may hold settings from an earlier sign-up
        self.occasions.forget(occasion.id)
        message = N_(
            "You are in {title}. I will open your matches automatically and tell you when it is"
            " your turn."
        )
        if any(entrant.person_id == user.id for entrant in after.state.waiting):
            message = N_(
                "{title} is full. You are on the waiting list, which shows who is ahead of you."
            )
        await self.acting.note(interaction, message, title=escape(after.state.plan.title))

    async def _rating(self, occasion: Tourney, person_id: int) -> int:
        """Return the rating used to seed a person; 0 if they are unranked."""
        standings = self.tables.store.standings
        there = await standings.of_person(person_id, occasion.guild_id or 0)
        mine = there.get(occasion.state.plan.game)
        return 0 if mine is None or mine.place is None else mine.row.rating

    @command(name_("leave"), L_("Withdraw from a tournament"), code=CODE)
    async def leave(self, interaction: Interaction, code: str | None = None) -> None:
        """Ask the person to confirm that they want to leave."""
        await self._ask_to_leave(interaction, await self._meant(interaction, code))

    @press("tourleave", Acknowledge.PRIVATELY)
    async def ask_to_leave(self, interaction: Interaction, control: Control) -> None:
        """Ask the person to confirm that they want to leave."""
        await self._ask_to_leave(interaction, await self.occasions.get(control.occasion))

    async def _ask_to_leave(self, interaction: Interaction, occasion: Tourney) -> None:
        """:raises Refused: ``not_signed_up``."""
        state, person_id = occasion.state, interaction.user.id
        inside = state.signed_up(person_id) or state.place_of(person_id) is not None
        refuse_if(not inside, "not_signed_up")
        await self.replies.show(interaction, leave_card(occasion, self.say(interaction)))

    @press("tourgone", Acknowledge.PRIVATELY)
    async def withdraw(self, interaction: Interaction, control: Control) -> None:
        """Withdraw from a tournament."""
        await self.acting.act_in(interaction, control.occasion, Withdraw(interaction.user.id))
        await self.acting.note(interaction, N_("You have withdrawn."))

    # -- looking
    @command(name_("show"), L_("Show how a tournament is going"), code=CODE)
    async def show(self, interaction: Interaction, code: str | None = None) -> None:
        """Show a tournament, to this person only."""
        occasion = await self._meant(interaction, code, over=True)
        await self.replies.answer(
            interaction, tournament_card(occasion, self._words, self.say(interaction))
        )

    @press("tourmine", Acknowledge.PRIVATELY)
    async def show_mine(self, interaction: Interaction, control: Control) -> None:
        """Show the person's match in this round."""
        occasion = await self.occasions.get(control.occasion)
        state, say = occasion.state, self.say(interaction)
        place = state.place_of(interaction.user.id)
        number = len(state.rounds) - 1
        for at, meeting in enumerate(state.last_round):
            if place is not None and place in meeting.players:
                text = meeting_in_words(state, number, at, meeting, say)
                await self.replies.show(interaction, Card((text,)))
                return
        await self.acting.note(interaction, N_("You have no match in this round."))

    @press("tourrules", Acknowledge.PRIVATELY)
    async def show_rules(self, interaction: Interaction, control: Control) -> None:
        """Show the announced rules; after the end, the proof of the lots as well."""
        occasion = await self.occasions.get(control.occasion)
        state, say = occasion.state, self.say(interaction)
        parts = [rules_in_words(state.plan, self._words, say), counting_in_words(state.plan, say)]
        if state.phase is Phase.OVER:
            parts.append(proof_in_words(state, say))
        await self.replies.show(interaction, Card(tuple(parts)))

    # -- organising
    @command(
        name_("manage"),
        L_("Begin or pause a tournament, decide tables, and so on (organisers only)"),
        code=CODE,
    )
    async def manage(self, interaction: Interaction, code: str | None = None) -> None:
        """Show an organiser's actions."""
        await self._show_manage(interaction, await self._meant(interaction, code))

    @press("tourmanage", Acknowledge.PRIVATELY)
    async def manage_by_button(self, interaction: Interaction, control: Control) -> None:
        """Show an organiser's actions."""
        await self._show_manage(interaction, await self.occasions.get(control.occasion))

    async def _show_manage(self, interaction: Interaction, occasion: Tourney) -> None:
        self._require_organiser(interaction, occasion)
        await self.replies.show(
            interaction, manage_card(occasion, self._words, self.say(interaction))
        )

    @press("tourbegin", Acknowledge.PRIVATELY)
    async def begin(self, interaction: Interaction, control: Control) -> None:
        """End sign-up."""
        occasion = await self.occasions.get(control.occasion)
        manages = may_manage_server(interaction, occasion.guild_id)
        await self.acting.act_in(interaction, occasion.id, BeginNow(interaction.user.id, manages))
        await self.acting.note(interaction, N_("Sign-up is over; the places are being drawn."))

    @press("touropt", Acknowledge.PRIVATELY)
    async def choose_options(self, interaction: Interaction, control: Control) -> None:
        """Apply a menu choice; if it names an option but no value, ask for the value first."""
        occasion = await self.occasions.get(control.occasion)
        self._require_organiser(interaction, occasion)
        draft, say = tournament_draft(occasion), self.say(interaction)
        words = self._words[occasion.state.plan.game]
        key, meant = value_meant(draft, words, control.argument, say)
        if meant is None:
            await self.replies.show(interaction, values_card(draft, words, key, say))
            return
        manages = may_manage_server(interaction, occasion.guild_id)
        choice = ChooseOptions(interaction.user.id, manages, changes=meant.changes)
        change = await self.acting.act_in(interaction, occasion.id, choice)
        await self._show_manage(interaction, change.after)

    @press("tourfix", Acknowledge.PRIVATELY)
    async def choose_result(self, interaction: Interaction, control: Control) -> None:
        """Ask who finished where at the chosen table, showing what has been chosen so far."""
        occasion = await self.occasions.get(control.occasion)
        self._require_organiser(interaction, occasion)
        slot, chosen = slot_and_ranks(control.argument)
        found = occasion.state.meeting(slot)
        if found is None:
            raise Refused("stale")
        ranks = chosen or found[2].ranks
        card = decide_card(occasion, slot, found[2], ranks, self.say(interaction))
        await self.replies.show(interaction, card)

    @press("tourout", Acknowledge.FORM)
    async def ask_why_out(self, interaction: Interaction, control: Control) -> None:
        """Open the form that asks why somebody is being removed."""
        await self._ask_why(interaction, control)

    @press("tourwhy", Acknowledge.FORM)
    async def ask_why(self, interaction: Interaction, control: Control) -> None:
        """Open the form that asks for the reason for an organiser's decision."""
        await self._ask_why(interaction, control)

    async def _ask_why(self, interaction: Interaction, control: Control) -> None:
        occasion = await self.occasions.get(control.occasion)
        self._require_organiser(interaction, occasion)
        say = self.say(interaction)
        asked = FormField("reason", say("Your reason"), say("Everyone can read it"), REASON_LIMIT)
        sent = control_of(occasion, "tourdo", control.argument)
        await self.replies.ask(interaction, Form(sent, say("Organise"), [asked]))

    @form("tourdo")
    async def rule(
        self, interaction: Interaction, control: Control, written: Mapping[str, str]
    ) -> None:
        """Carry out an organiser's decision, with the reason given."""
        occasion = await self.occasions.get(control.occasion)
        manages = may_manage_server(interaction, occasion.guild_id)
        ruling = ruling_of(control.argument, interaction.user.id, manages, written["reason"])
        await self.acting.act_in(interaction, occasion.id, ruling)
        await self.acting.tell(interaction, N_("Done, and everyone can see it."))

    # -- inside
    def _require_organiser(self, interaction: Interaction, occasion: Tourney) -> None:
        """Make sure the person may organise this tournament.

        :raises Refused: ``not_organiser``.
        """
        manages = may_manage_server(interaction, occasion.guild_id)
        refuse_if(not manages and interaction.user.id != occasion.row.host_id, "not_organiser")

    async def _meant(
        self, interaction: Interaction, code: str | None, *, over: bool = False
    ) -> Tourney:
        """Return the tournament with this code; without a code, the only open one on the server.

        :param over: a code may also name a finished tournament.
        :raises Refused: ``server_only``, ``no_tournament``, ``which_tournament``.
        """
        await self.replies.defer(interaction)
        here = interaction.guild_id
        refuse_if(here is None, "server_only")
        if code:
            try:
                found = await self.occasions.by_code(code)
            except NoSuchOccasion:
                raise Refused("no_tournament") from None
            known = found.row.kind == NAME and found.guild_id == here and (over or not found.over)
            refuse_if(not known, "no_tournament")
            return found
        there = await self.occasions.of_kind(NAME, here)
        refuse_if(not there, "no_tournament")
        if len(there) > 1:
            codes = ", ".join(
                f"`{each.row.code}` {escape(each.state.plan.title)}" for each in there
            )
            raise Refused("which_tournament", codes=codes)
        return there[0]


def ruling_of(argument: str, person_id: int, manages: bool, reason: str) -> Command[Tourney]:
    """Return the decision in a control's argument.

    :raises Refused: ``stale``: it contains no decision.
    """
    what, _, rest = argument.partition(".")
    who = person_id, manages, reason
    if what in ("pause", "resume"):
        return Pause(*who, paused=what == "pause")
    if what == "off":
        return CallOff(*who)
    if what == "remove" and rest.isdecimal():
        return Remove(*who, who=int(rest))
    if what == "correct":
        slot, ranks = slot_and_ranks(rest)
        refuse_if(not ranks or 0 in ranks, "stale")
        return Correct(*who, slot=slot, ranks=ranks)
    raise Refused("stale")


def slot_and_ranks(argument: str) -> tuple[str, tuple[int, ...]]:
    """Return the table and its ranks in a control's argument: ``2.3`` or ``2.3.1-2-2``. A rank of 0
    has not been chosen yet.

    :raises Refused: ``stale``: the argument is not in this format.
    """
    said = re.fullmatch(r"(\d+\.\d+)(?:\.(\d(?:-\d)*))?", argument)
    if said is None:
        raise Refused("stale")
    return said[1], tuple(int(rank) for rank in (said[2] or "").split("-") if rank)
