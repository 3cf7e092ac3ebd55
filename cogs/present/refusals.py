"""Explains refusals, with a sentence for each reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from cogs.gateway.texts import escape
from cogs.present.absent import WAITING
from cogs.present.times import moment
from cogs.present.words import GameWords
from data.store.problems import Conflict, StoreProblem
from data.texts import N_, Texts
from games import GAMES
from games.engine import CHANCE
from games.spelling import plain
from play.records import RefusedRecord
from play.table import Refused, RefusedByRules

BUSY = N_("I cannot access my records right now, so nothing was changed. Please try again.")

MESSAGES = {
    # technical problems
    "store_busy": BUSY,
    "server_full": BUSY,
    "commit_unknown": N_(
        "I do not know yet whether that counts. Please check later; if it did not count, do it"
        " again."
    ),
    "disk_full": N_(
        "I have no space left to record this, so nothing was changed. Please try again later."
    ),
    "store_closed": N_("I am restarting; nothing was changed. Please try again in a minute."),
    "cut_short": N_("I am restarting. Please check in a minute; if it did not count, do it again."),
    "our_fault": N_("Something went wrong on my side. Nothing was changed; please try again."),
    "counts_all_the_same": N_(
        "That counts, but then something went wrong on my side; I will catch up as soon as I can."
    ),
    "not_allowed": N_("You may not do that here."),
    "bad_value": N_("I do not understand “{value}”."),
    # the match
    "at_it_already": N_("I am already working on it; this takes a moment."),
    "no_move": N_("Say which move: at least one option is needed."),
    "not_your_turn": N_("It is not your turn."),
    "no_lesson": N_("I have no lesson for this game yet."),
    "chosen_already": N_(
        "You have already chosen. “Take back” lets you choose again until everybody else has."
    ),
    "stale": N_("That button is from an earlier position. Use the latest board."),
    "turn_is_over": N_("Your turn was over before the last of these moves. Nothing was played."),
    "no_such_move": N_("“{text}” is not a move I know here."),
    "already_counted": N_("That has already been counted."),
    "no_hints": N_("This table plays without hints."),
    "slow_form": N_(
        "I am slow at the moment and could not open the form in time. Please press again."
    ),
    "day_over": N_("That day is over. “/riddle” and “/deal” show today's."),
    "shown_already": N_("You have already shown this result."),
    "cannot_show_here": N_("I cannot show it to the others here."),
    "no_advice": N_("I have too much to think about right now. Please ask again in a minute."),
    "hint_under_way": N_(
        "I am still thinking about another hint for you. Please ask again when it is ready."
    ),
    "analysis_under_way": N_(
        "I am still analysing another match for you. Please ask again when that is done."
    ),
    "no_hands": N_("There are no hands in this game."),
    "not_a_computer": N_("That seat has no computer player."),
    # the table
    "no_table_here": N_(
        "There is no table in this channel. Open one, for example with “/lancelot new”."
    ),
    "which_table": N_(
        "That could be any of these tables: {tables}. Say which one with the option “table”."
    ),
    "other_game": N_("Table `{code}` plays another game."),
    "no_such_table": N_("I do not know of any table with that code."),
    "no_such_occasion": N_("I cannot find that; it may be over."),
    "rematch_runs": N_("The rematch is already running, at table {code}."),
    "seats_are_given": N_("The players at this table have already been chosen."),
    # tournaments
    "server_only": N_("Tournaments work only on servers I am a member of."),
    "no_tournament": N_("I do not know of any such tournament still running on this server."),
    "which_tournament": N_(
        "That could be any of these tournaments: {codes}. Say which one with the option “code”."
    ),
    "tournament_seats": N_(
        "A tournament table seats two people, or more in the Swiss system if the game allows it."
    ),
    "no_such_preset": N_(
        "Choose a preset from the list. This one does not work with this many players."
    ),
    "tournament_people": N_("A tournament is for {least} to {most} people."),
    "tournament_closed": N_("Sign-up for this tournament is over."),
    "tournament_over": N_("This tournament is over."),
    "tournament_not_running": N_("That is possible only while the tournament is running."),
    "tournament_few": N_("It takes {least} people to begin; so far there are {present}."),
    "signed_up_already": N_("You have already signed up."),
    "not_signed_up": N_("You are not in this tournament, or are already out of it."),
    "not_in_tournament": N_("That person is not in this tournament, or is already out of it."),
    "not_organiser": N_(
        "Only the person who announced the tournament and people who manage the server may do that."
    ),
    "organiser_plays": N_("You play at that table, so somebody else has to decide it."),
    "no_such_meeting": N_("There is no such table in this tournament."),
    "too_late_to_correct": N_("The next round has already been paired using that result."),
    "no_such_member": N_("That player is not at this table."),
    "not_a_member": N_("You are not playing at this table."),
    "not_started": N_("This table has not started yet."),
    "not_in_lobby": N_("This table has already started or is closed."),
    "match_runs": N_(
        "The match is running. Under **More…** you can hand over your seat, end the match or"
        " resign."
    ),
    "drawing": N_("The lots are already being drawn; the match begins in a moment."),
    "cannot_draw": N_(
        "I could not post in <#{place}> to draw the lots. I will keep trying; press Start to try"
        " at once. Please check that I may write there."
    ),
    "cannot_draw_yet": N_(
        "I could not post in <#{place}> to draw the lots. I will keep trying; press Start to try "
        "at once."
    ),
    "table_over": N_("This table has ended."),
    "other_rules": N_(
        "Table {code} was played under different rules from those I know today. I can neither "
        "show nor continue it; if the match is not over, “/table end” ends it."
    ),
    "no_game": WAITING,
    "unreadable": N_(
        "Table {code} cannot continue: because of a bug I can no longer replay its moves. My log "
        "tells my operator why; if the match is not over, “/table end” ends it."
    ),
    "nothing_decided": N_("Nobody made a move in that match, so there is nothing to analyse."),
    "not_over": N_("The match is still running; you can do that once it is over."),
    "only_host": N_("Only the person who opened the table may do that."),
    "already_member": N_("You are already at this table."),
    "no_computer": N_("There is no computer player at this table."),
    "seating": N_("Seats are drawn by lot or taken in order of joining."),
    "unknown_option": N_("This game has no option “{option}”."),
    # taking back, seats, plans
    "nothing_to_undo": N_("You have not moved yet, so there is nothing to take back."),
    "undo_drawn": N_(
        "Something has been drawn by lot since your last move, so your move is final."
    ),
    "undo_revealed": N_("Something has been revealed since your last move, so your move is final."),
    "overtaken": N_("The match has moved on in the meantime. Nothing was changed."),
    "option_value": N_("“{value}” is not possible for the option “{option}”."),
    "parked": N_("This table has lost its channel. “/tables” lets you move it elsewhere."),
    "not_parked": N_("This table still has its channel, so it stays there."),
    "cannot_show": N_("The table is here now, but I could not post its board."),
    "no_draws": N_("This game has no draws by agreement."),
    "draw_with_computers": N_(
        "There is a computer player in this match, and computer players never agree to a draw."
    ),
    "barred": N_("You cannot sit down at this table. “/play” opens one of your own."),
    "barred_seat": N_("You cannot take a seat in this match."),
    "knows_hand": N_(
        "You know the hand of another seat here, so you may only take that seat again."
    ),
    "seat_offered": N_("A seat has already been offered to that person, who has not answered yet."),
    "not_manager": N_("To end a match you do not play in, you have to manage this server."),
    "manager_plays": N_(
        "You play at this table, so you cannot end its match on your own: “/table end” asks the"
        " others."
    ),
    "no_reason": N_("Give a reason of up to {limit} characters; everybody can read it."),
    "not_sure": N_("There are others at this table, so please confirm first."),
    "elsewhere": N_(
        "That table is played elsewhere. From here, only people who play at it, follow it or are"
        " invited can reach it."
    ),
    "host_stays": N_("You cannot send yourself away. “Leave” closes the whole table."),
    "sits_already": N_("That person is already at this table."),
    "was_sent_away": N_("That person was sent away from this table and cannot join it."),
    "invited_already": N_("That person has already been invited and has not answered yet."),
    "invited_enough": N_(
        "I will not pass on any more invitations to that person for now. Tell them the code of"
        " your table, so that they can use “/join”."
    ),
    "no_bot_guests": N_("That is a bot. Use the menu in the lobby to add computer players."),
    "nobody_to_send_away": N_("You are the only one at this table."),
    "plays_in_person": N_("{name} plays in person, and only they can hand over that seat."),
    "bots_do_not_play": N_("That is a bot; a seat can only be handed to a person."),
    "not_offered": N_("That seat is not on offer to you, or no longer is."),
    "never_left": N_("You already have your seat."),
    "resigned": N_("You have resigned, and that is final."),
    "away": N_(
        "A computer player keeps your seat. “I am back” under “More…” gives it back to you."
    ),
    "cannot_ask": N_("I could not post the question in the channel of the table."),
    "plan_now": N_("It is your turn: play your move instead of planning it."),
    "no_plan": N_("That is not a move: a move is one line of at most {limit} characters."),
    "no_such_level": N_(
        "This server does not allow grandmasters. The next strongest level is master."
    ),
    "plans_full": N_("You have already planned five moves."),
    "member_follows": N_("You play here yourself, so I keep you posted anyway."),
    "not_following": N_("You do not follow this table."),
    # votes
    "asked_before": N_("You have asked that before, and nothing has happened since."),
    "no_such_vote": N_("I no longer know anything about that question."),
    "no_such_answer": N_("That is not an answer to this question."),
    "already_asked": N_("That has already been asked; some answers are still missing."),
    "not_asked": N_("This question is for others to answer."),
    "vote_decided": N_("This question has already been settled."),
    # looking back
    "no_such_record": N_(
        "I no longer have that record: I keep records for at most thirty days after you last viewed"
        " them. Please send it again."
    ),
    "no_post": N_("Discord did not accept the picture. Please try again."),
    "no_download": N_("I could not fetch the file from Discord. Please try again."),
    "already_drawing": N_("I am still drawing your last animation. One at a time, please."),
    "page_overtaken": N_("You have asked for another page since then, so I show only that one."),
    "unknown_game": N_("I do not know the game “{text}”."),
    "unlisted": N_("These statistics are hidden."),
    "begun_before": N_(
        "You began this one today, before you had your data deleted. There is a new one tomorrow."
    ),
    "still_at_table": N_(
        "You have just joined another table. Please press again to leave that one too."
    ),
    # time
    "no_such_pace": N_(
        "I do not understand the pace “{text}”. Write “12h” or “2d” for a turn, or “3d+6h” for a"
        " time bank."
    ),
    "impossible_turn": N_("The time for a turn is at least one hour and at most seven days."),
    "impossible_bank": N_(
        "A time bank holds 1 to 30 days; each turn adds 1 hour to 7 days, but no more than the"
        " bank holds."
    ),
    "no_such_time": N_("“{text}” is not a time of day. Write it like 22:00 or 7:30."),
    "impossible_quiet": N_(
        "Quiet hours can last {limit} hours at most; the rest of the day is needed for playing."
    ),
    "no_such_day": N_(
        "I do not know the day “{text}”. Write 2026-12-03 or 3.12., or pick a suggestion."
    ),
    "impossible_day": N_(
        "The day you are back has to be in the future, at most {limit} days from now."
    ),
    "being_seated": N_("Your table is being opened. I will tell you where it is."),
    "not_seeking": N_("You are not seeking a match here."),
    "seat_gone": N_("This person is no longer seeking."),
    "own_seat": N_("This is your own search. Its button is for others."),
    "not_abroad": N_("This server does not allow matches with people on other servers."),
    "needs_direct_messages": N_(
        "Tables across servers need direct messages, and mine do not reach you. Please allow them"
        " from members of this server."
    ),
    "seek_on_server": N_("You can only look for a match on a server: please type “/seek” there."),
    "not_away": N_("You are not away."),
    "blocks_self": N_("You cannot block yourself."),
    "blocked_already": N_("You have already blocked this person."),
    "too_many_blocked": N_("You can block up to {limit} people."),
    "not_blocked": N_("You have not blocked this person."),
    "nothing_to_mute": N_(
        "You neither play at this table nor follow it, so I send you nothing about it."
    ),
    "half_quiet": N_("Say both when your quiet hours begin and when they end."),
    "zone_first": N_("First tell me your time zone with “/preferences zone”."),
    # opening a table
    "no_direct_messages": N_(
        "I can neither post here nor send you direct messages. Please allow direct messages, or"
        " open the table on a server I am on."
    ),
    "role_needed": N_("On this server, only <@&{role}> may open tables."),
    "cannot_post": N_("I could not post in that channel. The table was not opened."),
    "no_thread": N_("I could not open a thread here. The table was not opened."),
}
"""Sentences for refusals, by code; their placeholders are filled with the refusal's data, in which
only text typed by people is changed: shortened and escaped.
"""

FOR_THE_OPERATOR = {problem.code for problem in StoreProblem.__subclasses__()} - MESSAGES.keys()
"""Problems of the store that only the operator can fix."""

OPERATOR = N_(
    "I cannot access my records, so nothing was changed. Please try again later; my log says why."
)

FAULTS = {
    "too_large": N_("The file is larger than a megabyte; match records are smaller."),
    "not_text": N_("Line {line} is not text (UTF-8)."),
    "not_a_record": N_("Line {line}: a match record begins with “Tafelrunde record”."),
    "other_version": N_(
        "Line {line}: the record is written in version {version}; I can read version {known}."
    ),
    "expected": N_("Line {line}: expected “{key}”, found “{text}”."),
    "missing": N_("Line {line}: expected “{key}”."),
    "bad_value": N_("Line {line}: “{text}” is not a possible value for “{key}”."),
    "unknown_game": N_("Line {line}: I do not know the game “{text}”."),
    "other_rules": N_(
        "Line {line}: the match was played under version {version} of the rules. I play under"
        " version {known}, so I cannot replay it."
    ),
    "bad_setup": N_("Line {line}: the rules do not allow these options."),
    "seal_mismatch": N_("Line {line}: this is not the seal of the secret."),
    "seed_mismatch": N_("Line {line}: secret, message and lucky words do not give this seed."),
    "seats_mismatch": N_(
        "Line {line}: these seats do not follow from the lot or the order of joining."
    ),
    "unreadable": N_("Line {line}: I cannot read “{text}”. A move looks like “1. seat 2: K4”."),
    "wrong_number": N_("Line {line} has the number {number}, but should have {due}."),
    "not_their_turn": N_("Line {line}: it is not seat {seat}'s turn."),
    "no_draw": N_("Line {line}: there is nothing to draw here."),
    "illegal_move": N_("Line {line}: seat {seat} may not play “{text}”."),
    "draw_mismatch": N_("Line {line}: drawing from the seed does not give “{text}”."),
    "after_the_end": N_("Line {line}: the match is over before this line."),
    "result_mismatch": N_("Line {line}: the moves lead to another result."),
    "not_over": N_("Line {line}: the record ends before the match does."),
}
"""Why a match record is not valid: a sentence for each fault, with its line."""

TYPED_BY_PEOPLE = frozenset({"text", "value", "name"})
"""The keys, in a refusal's data, of texts that people have typed."""

QUOTE_LIMIT = 100
"""How many characters of typed text are quoted back to a person."""

EXAMPLES = 3
"""How many examples of moves to show after an invalid move."""

FEW = 8
"""If there are more legal moves than this, they are counted rather than listed."""


def explain(refusal: Refused | Conflict, words: Mapping[str, GameWords], say: Texts) -> str:
    """Explain why something was refused, and what the person can do instead."""
    if isinstance(refusal, RefusedByRules):
        return _explain_rules(refusal, words[refusal.game], say)
    if isinstance(refusal, RefusedRecord):
        return _explain_record(refusal, words, say)
    data = _without_formatting(refusal.data) if isinstance(refusal, Refused) else {}
    return _common(refusal.code, data, say)


def _explain_rules(refusal: RefusedByRules, words: GameWords, say: Texts) -> str:
    names = [escape(name) for name in refusal.names]
    data = _without_formatting(refusal.data)
    if data.get("option") in words.options:
        data["option"] = say(words.options[data["option"]].label)
    told = words.refusal(refusal.code, data, say)
    sentences = [_common(refusal.code, data, say) if told is None else told]
    if 0 < len(refusal.legal) <= FEW:
        moves = [words.coded(move, names, say) for move in refusal.legal]
        sentences.append(say("Possible: {moves}.", moves=say.list(moves, choice=True)))
    elif refusal.legal:
        if "text" in refusal.data:
            near = _nearest(refusal, words, names, say)
            sentences.append(say("Examples of moves: {moves}.", moves=say.list(near)))
        sentences.append(_number_of_moves(refusal, say))
    return " ".join(sentences)


def _nearest(
    refusal: RefusedByRules, words: GameWords, names: Sequence[str], say: Texts
) -> list[str]:
    """Guess what the person meant: return the legal moves that are closest to the typed text."""
    typed = plain(str(refusal.data["text"]))
    called = [words.coded(move, names, say) for move in refusal.legal]
    spelled = {plain(name): name for name in called}
    near = get_close_matches(typed, spelled, EXAMPLES, cutoff=0)
    return [say("“{text}”", text=spelled[each]) for each in near]


def _number_of_moves(refusal: RefusedByRules, say: Texts) -> str:
    """Say how many legal moves there are, and where to find them."""
    count = len(refusal.legal)
    if GAMES[refusal.game].info.hidden:
        return say.plural(
            "There is {n} possible move; “My hand” shows it.",
            "There are {n} possible moves; “My hand” shows them.",
            count,
        )
    return say.plural(
        "There is {n} possible move; the buttons under the board show it.",
        "There are {n} possible moves; the buttons under the board show them.",
        count,
    )


def _explain_record(refusal: RefusedRecord, words: Mapping[str, GameWords], say: Texts) -> str:
    fault = fault_in_words(refusal.code, _without_formatting(refusal.data), say)
    return fault if refusal.cause is None else f"{fault} {explain(refusal.cause, words, say)}"


def fault_in_words(code: str, data: Mapping[str, Any], say: Texts) -> str:
    """Say what is wrong with a record.

    :param data: the values for the sentence; texts in it must be escaped.
    """
    if code == "expected" and not data["text"]:
        code = "missing"
    if code == "not_their_turn" and data["seat"] == CHANCE:
        code = "no_draw"
    shown = {**data, "seat": data["seat"] + 1} if "seat" in data else data
    return say(FAULTS[code], **shown)


def _common(code: str, data: Mapping[str, Any], say: Texts) -> str:
    if code in SPECIAL:
        return SPECIAL[code](data, say)
    return say(OPERATOR if code in FOR_THE_OPERATOR else MESSAGES[code], **data)


def _without_formatting(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data, with any text that people typed shortened and escaped; the rest comes from
    the bot.
    """
    return {
        key: escape(shorten(str(value))) if key in TYPED_BY_PEOPLE else value
        for key, value in data.items()
    }


def shorten(text: str) -> str:
    """Return a typed text, cut after ``QUOTE_LIMIT`` characters."""
    return text if len(text) <= QUOTE_LIMIT else text[:QUOTE_LIMIT] + "…"


def _player_count(data: Mapping[str, Any], say: Texts) -> str:
    allowed = say.list([str(n) for n in data["allowed"]], choice=True)
    present = data.get("present", data.get("players"))
    return say.plural(
        "This game starts with {allowed} players, computer players included; so far there is {n}.",
        "This game starts with {allowed} players, computer players included; so far there are {n}.",
        present,
        allowed=allowed,
    )


def _unknown_zone(data: Mapping[str, Any], say: Texts) -> str:
    unknown = say("I do not know the time zone “{text}”.", text=data["text"])
    if not data["near"]:
        return f"{unknown} {say('Name a large city in your zone, or type “Europe/Berlin”.')}"
    near = say.list([say("“{text}”", text=city) for city in data["near"]], choice=True)
    return f"{unknown} {say('Did you mean {cities}?', cities=near)}"


SPECIAL: Mapping[str, Callable[[Mapping[str, Any], Texts], str]] = {
    "table_full": lambda data, say: say.plural(
        "This table has room for {n} player, and is full.",
        "This table has room for {n} players, and is full.",
        data["limit"],
    ),
    "too_few_seats": lambda data, say: say.plural(
        "{n} player is already at this table.",
        "{n} players are already at this table.",
        data["present"],
    ),
    "player_count": _player_count,
    "option_players": lambda data, say: say.plural(
        "The option “{option}” does not exist with {n} player.",
        "The option “{option}” does not exist with {n} players.",
        data["players"],
        option=data["option"],
    ),
    "bot_may_not": lambda data, say: say(
        "I cannot run a table here because I lack these permissions: {missing}.",
        missing=say.list([say("“{text}”", text=say(name)) for name in data["missing"]]),
    ),
    "channel_not_allowed": lambda data, say: say(
        "On this server, tables may be opened in {places}.",
        places=say.list([f"<#{channel}>" for channel in data["channels"]], choice=True),
    ),
    "too_many_open": lambda data, say: say.plural(
        "You are already at {n} open table. End or leave it before you open another one.",
        "You are already at {n} open tables. End or leave one before you open another.",
        data["limit"],
    ),
    "too_many_tournaments": lambda data, say: say.plural(
        "{n} tournament you announced is still running, which is the most one person may have.",
        "{n} tournaments you announced are still running, which is the most one person may have.",
        data["limit"],
    ),
    "too_much_at_once": lambda data, say: say.plural(
        "That was a lot at once. You can do this again in {n} second.",
        "That was a lot at once. You can do this again in {n} seconds.",
        data["seconds"],
    ),
    "too_many_tables": lambda data, say: say.plural(
        "On this server, everybody may play at up to {n} open table, and you already play at one.",
        "On this server, everybody may play at up to {n} open tables, and you already play at "
        "that many.",
        data["limit"],
    ),
    "rematch_waits": lambda data, say: say(
        "I am still waiting for {names}. Seats of players who have not answered become free at"
        " {time}.",
        names=say.list([escape(name) for name in data["names"]]),
        time=moment(data["until"]),
    ),
    "unknown_zone": _unknown_zone,
    "not_posted": lambda data, say: say(
        "I may not post pictures in {channel}.", channel=f"<#{data['channel']}>"
    ),
}
"""For refusals whose data must first be put into words: functions that explain them, by code."""
