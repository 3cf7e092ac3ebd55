"""The commands to a tournament, and their consequences.

The person who announced a tournament and the managers of the server are its *organisers*. They may
start it early, change the game's options during sign-up, pause the tournament, remove somebody,
correct a result, and call it off. The journal records each of these acts. All but an early start
are posted, with the reason if one is needed. Nobody may rule on a table at which they play.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations
from typing import Any, ClassVar, Final

from data.store.trophies import TrophyRow
from play.aggregate import Command
from play.occasions.occasion import Occasion, OccasionKind, OccasionState, PlannedTable, TableNews
from play.occasions.tournament import Format, Phase, Tournament, TournamentMatch, table_result
from play.table import HINTS, OVER, PACE, SEATING, STRICT, refuse_if
from play.together import may_sit_together

NAME: Final = "tournament"

REASON_LIMIT: Final = 200
"""The longest reason that an organiser can give, in characters."""

Tourney = Occasion[Tournament]


# ------------------------------------------------------------------------------ people
@dataclass(frozen=True, slots=True)
class SignUp(Command[Tourney]):
    """Sign up, or wait for a place if none is left.

    :param rating: see ``Entrant``.
    """

    person_id: int
    name: str
    rating: int = 0

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_closed``, ``signed_up_already``."""
        state = occasion.state
        refuse_if(state.phase is not Phase.OPEN, "tournament_closed")
        refuse_if(state.signed_up(self.person_id), "signed_up_already")
        after = state.joined(self.person_id, self.name, self.rating)
        signed = replace(occasion, state=after).add("signup", now, self.person_id)
        full = len(after.entrants) == after.plan.most and after.plan.closes_at is None
        return begun(signed, now) if full else signed


@dataclass(frozen=True, slots=True)
class Withdraw(Command[Tourney]):
    """Leave the tournament, or stop waiting. A match in progress continues."""

    person_id: int

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_over``, ``not_signed_up``."""
        refuse_if(occasion.state.phase in (Phase.OVER, Phase.OFF), "tournament_over")
        after = withdrawn(occasion, self.person_id, now)
        refuse_if(after is occasion, "not_signed_up")
        return after


def withdrawn(
    occasion: Tourney, person_id: int, now: datetime, by: int | None = None, reason: str = ""
) -> Tourney:
    """Return the tournament without a person; the same object if the person no longer takes part,
    or while the lots are being drawn.

    :param by: the organiser who removed them; None: they left.
    """
    state = occasion.state
    place = state.place_of(person_id)
    if place is not None and state.phase is Phase.RUNNING:
        after = state.without(place)
        newcomer = after.places[place].person_id
        told = {"who": person_id, "for": None if newcomer == person_id else newcomer}
    elif state.signed_up(person_id) and state.phase is not Phase.DRAWING:
        after = replace(state, signed=tuple(e for e in state.signed if e.person_id != person_id))
        told = {"who": person_id}
    else:
        return occasion
    text = json.dumps({**told, "reason": reason}, ensure_ascii=False)
    kind = "withdraw" if by is None else "remove"
    return replace(occasion, state=after).add(kind, now, by or person_id, text)


# --------------------------------------------------------------------------- organisers
@dataclass(frozen=True, slots=True)
class Ruling(Command[Tourney]):
    """A command that only organisers may give.

    :param manages: whether the person may manage the tournament's server.
    :param reason: shown to everyone.
    """

    person_id: int
    manages: bool
    reason: str = ""

    def require_organiser(self, occasion: Tourney) -> None:
        """Refuse anyone but an organiser.

        :raises Refused: ``not_organiser``; ``tournament_over``: it was called off.
        """
        organises = self.manages or self.person_id == occasion.row.host_id
        refuse_if(not organises, "not_organiser")
        refuse_if(occasion.state.phase is Phase.OFF, "tournament_over")

    @property
    def why(self) -> str:
        """The reason, with single spaces, cut to ``REASON_LIMIT``."""
        return " ".join(self.reason.split())[:REASON_LIMIT]


@dataclass(frozen=True, slots=True)
class BeginNow(Ruling):
    """End sign-up; drawing the lots comes next."""

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_closed``, ``tournament_few``, or whatever
        ``require_organiser`` raises.
        """
        self.require_organiser(occasion)
        state = occasion.state
        refuse_if(state.phase is not Phase.OPEN, "tournament_closed")
        few = len(state.signed) < state.plan.least
        refuse_if(few, "tournament_few", present=len(state.signed), least=state.plan.least)
        return begun(occasion, now, self.person_id)


@dataclass(frozen=True, slots=True)
class ChooseOptions(Ruling):
    """Change options of the game during sign-up.

    :param changes: new values by key; None restores the default.
    """

    changes: Mapping[str, Any] = field(default_factory=dict)

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_closed``, or whatever ``require_organiser`` or
        ``TournamentPlan.check`` raises.
        """
        self.require_organiser(occasion)
        state = occasion.state
        refuse_if(state.phase is not Phase.OPEN, "tournament_closed")
        before = state.plan.options
        plan = state.plan.choosing(self.changes)
        plan.check()
        after = plan.options
        changed = {k: after.get(k) for k in {**before, **after} if before.get(k) != after.get(k)}
        if not changed:
            return occasion
        text = json.dumps(dict(sorted(changed.items())))
        return occasion.add("options", now, self.person_id, text, plan=plan)


@dataclass(frozen=True, slots=True)
class Pause(Ruling):
    """Pause the tournament, or resume it: a paused tournament pairs no rounds and opens no tables.
    Matches in progress continue.

    :param paused: True: pause; False: resume.
    """

    paused: bool = True

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_not_running``, or whatever ``require_organiser`` raises."""
        self.require_organiser(occasion)
        refuse_if(occasion.state.phase is not Phase.RUNNING, "tournament_not_running")
        if occasion.state.paused == self.paused:
            return occasion
        kind, text = "pause" if self.paused else "resume", json.dumps({"reason": self.why})
        return occasion.add(kind, now, self.person_id, text, paused=self.paused)


@dataclass(frozen=True, slots=True)
class Remove(Ruling):
    """Remove somebody; if the plan says so, the person who has waited longest takes the place."""

    who: int = 0

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_over``, ``not_in_tournament``, or whatever
        ``require_organiser`` raises.
        """
        self.require_organiser(occasion)
        refuse_if(occasion.state.phase is Phase.OVER, "tournament_over")
        after = withdrawn(occasion, self.who, now, self.person_id, self.why)
        refuse_if(after is occasion, "not_in_tournament")
        return after


@dataclass(frozen=True, slots=True)
class Correct(Ruling):
    """Set or replace the result of a table. In a knock-out this is possible only until the next
    round is paired.

    :param slot: the slot of the table; see ``slot_of``.
    :param ranks: the ranks by seat; 1 is best, and several seats may share a rank.
    """

    slot: str = ""
    ranks: tuple[int, ...] = ()

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_over``, ``no_such_meeting``, ``organiser_plays``,
        ``too_late_to_correct``, or whatever ``require_organiser`` raises.
        """
        self.require_organiser(occasion)
        state = occasion.state
        refuse_if(state.phase is Phase.OVER, "tournament_over")
        found = state.meeting(self.slot)
        refuse_if(found is None or found[2].bye, "no_such_meeting")
        number, at, meeting = found or (0, 0, None)
        players = () if meeting is None else meeting.players
        refuse_if(len(self.ranks) != len(players), "no_such_meeting")
        sits = any(state.places[place].person_id == self.person_id for place in players)
        refuse_if(sits, "organiser_plays")
        later = state.plan.format is Format.KNOCKOUT and number < len(state.rounds) - 1
        refuse_if(later, "too_late_to_correct")
        ranks, _ = table_result(self.ranks, (), len(players))
        after = state.with_result(number, at, ranks, played=False)
        told = {"slot": self.slot, "ranks": ranks, "reason": self.why}
        text = json.dumps(told, ensure_ascii=False)
        return replace(occasion, state=after).add("correct", now, self.person_id, text)


@dataclass(frozen=True, slots=True)
class CallOff(Ruling):
    """End the tournament without a result; matches in progress continue."""

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``tournament_over``, or whatever ``require_organiser`` raises."""
        self.require_organiser(occasion)
        refuse_if(occasion.state.phase is Phase.OVER, "tournament_over")
        return called_off(occasion, now, self.person_id, self.why)


# -------------------------------------------------------------------------------- lots
@dataclass(frozen=True, slots=True)
class DrawPlaces(Command[Tourney]):
    """Draw the places from the id of a message, which nobody can know before it is posted.

    :param drawing: the number of the line that ended sign-up.
    """

    drawing: int
    message_id: int

    def effect(self, occasion: Tourney, now: datetime) -> Tourney:
        """:raises Refused: ``stale``: the tournament is not waiting for the draw."""
        refuse_if(occasion.state.phase is not Phase.DRAWING, "stale")
        state = occasion.state.drawn(self.message_id)
        return replace(occasion, state=state).add("draw", now)


def drawing_of(occasion: Tourney) -> int:
    """Return the number of the line that ended sign-up; 0 before that."""
    begin = occasion.last_line("begin")
    return 0 if begin is None else begin.number


def begun(occasion: Tourney, now: datetime, by: int | None = None) -> Tourney:
    """Return the tournament with sign-up ended or, if there are too few people, called off."""
    if len(occasion.state.signed) < occasion.state.plan.least:
        return called_off(occasion, now, by)
    return occasion.add("begin", now, by, phase=Phase.DRAWING)


def called_off(
    occasion: Tourney, now: datetime, by: int | None = None, reason: str = ""
) -> Tourney:
    """Return the tournament called off, without a result."""
    text = json.dumps({"reason": reason}, ensure_ascii=False)
    return occasion.add("off", now, by, text, over=True, phase=Phase.OFF)


# -------------------------------------------------------------------------------- kind
class Tournaments(OccasionKind[Tournament]):
    """The rules of tournaments."""

    NAME: ClassVar[str] = NAME
    STATE: ClassVar[type[OccasionState]] = Tournament
    LINES: ClassVar[Mapping[str, str]] = {
        "signup": "A person signed up.",
        "withdraw": "A person withdrew.",
        "remove": "An organiser removed a person; the text has the reason.",
        "options": "An organiser changed options; the text has the new values.",
        "begin": "Sign-up ended; the lots are drawn once their message is posted.",
        "draw": "The lots were drawn.",
        "round": "A round began; the text is its number.",
        "table": "The table of a pairing was opened; the text is its slot.",
        "result": "The match of a pairing is over; the text is its slot.",
        "correct": "An organiser set a result; the text has it and the reason.",
        "pause": "An organiser paused the tournament; the text has the reason.",
        "resume": "An organiser resumed it; the text has the reason.",
        "off": "It was called off; the text has the reason.",
        "over": "The last round is over.",
    }
    GATHERS: ClassVar[bool] = True

    def follow(self, occasion: Tourney, now: datetime) -> Tourney:
        """End sign-up when it is due; after a round, pair the next one or end the tournament."""
        state = occasion.state
        closes = state.plan.closes_at
        if state.phase is Phase.OPEN and closes is not None and closes <= now:
            return begun(occasion, now)
        if state.ready:
            paired = replace(occasion, state=state.paired(_apart(occasion)))
            return paired.add("round", now, text=str(len(paired.state.rounds)))
        if state.phase is Phase.RUNNING and state.complete and not state.paused:
            return occasion.add("over", now, over=True, phase=Phase.OVER)
        return occasion

    def due(self, occasion: Tourney) -> datetime | None:
        """Return when sign-up ends; None if no time is set or sign-up has ended."""
        return occasion.state.plan.closes_at if occasion.state.phase is Phase.OPEN else None

    def leave(self, occasion: Tourney, person_id: int, now: datetime) -> Tourney:
        """Withdraw the person, except while the lots are being drawn; unlike ``Withdraw``, never
        refuse.
        """
        if occasion.state.phase in (Phase.OVER, Phase.OFF):
            return occasion
        return withdrawn(occasion, person_id, now)

    def trophies(self, occasion: Tourney) -> Sequence[TrophyRow]:
        """Return trophies for the first three ranks; everyone who shares a rank gets one."""
        state, row = occasion.state, occasion.row
        if state.phase is not Phase.OVER:
            return ()
        won = [(rank, state.places[place].person_id) for rank, place in state.ranks() if rank <= 3]
        title, game = state.plan.title, state.plan.game
        return [
            TrophyRow(person, NAME, row.code, game, row.guild_id, rank, title, row.changed_at)
            for rank, person in won
        ]

    # -- the message that the lots are drawn from
    def awaited(self, occasion: Tourney) -> str:
        """Return the key of the message from which the places are drawn, while it is awaited;
        otherwise empty.
        """
        drawing = occasion.state.phase is Phase.DRAWING
        return f"lots:{drawing_of(occasion)}" if drawing else ""

    def stands(self, occasion: Tourney, message_id: int) -> Command[Tourney]:
        """Return the command that draws the places from the message."""
        return DrawPlaces(drawing_of(occasion), message_id)

    # -- tables
    def seatings(self, occasion: Tourney) -> Sequence[PlannedTable]:
        """Return the tables of the current round that are not open yet."""
        state = occasion.state
        if state.phase is not Phase.RUNNING or state.paused:
            return ()
        return [
            self._seating(occasion, slot, meeting.players)
            for slot, meeting in state.slots
            if not meeting.over and slot not in state.tables
        ]

    def _seating(self, occasion: Tourney, slot: str, players: Sequence[int]) -> PlannedTable:
        state, plan = occasion.state, occasion.state.plan
        house = {PACE: plan.pace, STRICT: True, SEATING: "joined", HINTS: False}
        names = [state.name(place) for place in players]
        return PlannedTable(
            slot=slot,
            game=plan.game,
            people={state.places[p].person_id: state.name(p) for p in players},
            options={**plan.options_at(len(players)), **house},
            guild_id=occasion.guild_id,
            language=occasion.row.language,
            thread=f"{plan.title} · {slot} · {' – '.join(names)}",
        )

    def settled(self, occasion: Tourney) -> frozenset[str]:
        """Return the slots of tables with a result."""
        known = occasion.state.tables
        return frozenset(slot for slot, m in occasion.state.slots if m.over and slot in known)

    def told(self, occasion: Tourney, news: TableNews, now: datetime) -> Tourney:
        """Record that a table was opened or has ended. Keep a result that an organiser has set."""
        state = occasion.state
        found = state.meeting(news.slot)
        if found is None or state.phase is not Phase.RUNNING:
            return occasion
        number, at, meeting = found
        after = occasion
        if news.slot not in state.tables:
            tables = {**state.tables, news.slot: TournamentMatch(news.code, news.channel_id)}
            after = after.add("table", now, text=news.slot, tables=tables)
        if meeting.over or news.status not in OVER:
            return after
        ranks, played = _counted(news, len(meeting.players))
        state = after.state.with_result(number, at, ranks, played=played)
        return replace(after, state=state).add("result", now, text=news.slot)


def _apart(occasion: Tourney) -> set[frozenset[int]]:
    """Return the pairs of people in which one has blocked the other."""
    playing = [place.person_id for place in occasion.state.places if not place.gone]
    return {
        frozenset(pair)
        for pair in combinations(playing, 2)
        if not may_sit_together(map(occasion.settings, pair))
    }


def _counted(news: TableNews, seats: int) -> tuple[tuple[int, ...], bool]:
    """Return the ranks that count for a table, and whether it was played to a result; see
    ``table_result``.
    """
    ranks = (news.result or {}).get("ranks")
    if ranks is None or len(ranks) != seats:
        return table_result(None, (), seats)
    resigned = {seat for seat, person in enumerate(news.seats) if person in news.resigned}
    return table_result(ranks, resigned, seats)
