"""The step to version 7: every table gets its journal.

Before, a log was cut at an undo, and a decision went by the number of events and of undos before
it. Now each goes by the number of a line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from data.store.access import Database, Record
from data.store.columns import json_text
from data.store.migrations.history import History, courses

NOT_OVER = ("lobby", "running", "parked")
"""The states of a table that is not over."""

STRIP, DELETE = '{"strip": true}', '{"delete": true}'
"""What remains of a message: itself without controls, or nothing."""

GONE = (
    *("answers", "votes_6", "deadlines", "turns_6", "plans_6", "messages_6", "seat_offers"),
    *("hints", "undone_events", "undos", "events"),
)


def transform(db: Database) -> None:
    """Carry everything over from the tables of version 6, then drop them."""
    for table in db.execute("SELECT * FROM tables ORDER BY id").fetchall():
        _Carrier(db, table).carry_over()
    db.execute(
        """INSERT INTO people (person_id, dm_closed, dm_channel)
        SELECT person_id, 0, max(channel_id) FROM messages_6
        WHERE kind = 'hand' AND person_id IS NOT NULL GROUP BY person_id
        ON CONFLICT (person_id) DO UPDATE SET dm_channel = excluded.dm_channel"""
    )
    for name in GONE:
        db.execute(f"DROP TABLE {name}")
    for column in ("ply", "announced_ply", "undos"):
        db.execute(f"ALTER TABLE tables DROP COLUMN {column}")


# ------------------------------------------------------------------------------ one table
class _Carrier:
    """Carries one table over."""

    def __init__(self, db: Database, table: Record) -> None:
        self._db = db
        self._table = table
        self._id: int = table["id"]
        self._revision = 0
        self._is_open = table["status"] in NOT_OVER
        self._members = self._fetch("SELECT * FROM members WHERE table_id = ? ORDER BY number")
        self._undos = self._fetch("SELECT * FROM undos WHERE table_id = ? ORDER BY number")
        self._events = self._fetch("SELECT * FROM events WHERE table_id = ? ORDER BY ply")

    def carry_over(self) -> None:
        """Write the journal and all that goes by its lines."""
        table = self._table
        self._add("open", None, table["host_id"], "", table["created_at"])
        history = self._match() if table["players"] is not None else History(1, logs=[[]])
        for hint in self._fetch("SELECT * FROM hints WHERE table_id = ? ORDER BY undos, ply, seat"):
            decision = history.decision(hint["ply"], hint["undos"])
            self._add("hint", hint["seat"], None, str(decision), table["moved_at"])
        decisions = self._carry_turns(history)
        votes = self._carry_votes(history, decisions)
        if self._is_open:
            self._carry_plans()
        offers = self._carry_offers() if self._is_open else {}
        if not self._is_open:
            kind = "finish" if table["status"] == "finished" else "end"
            self._add(kind, None, None, "", table["moved_at"])
        result_told = self._carry_messages(votes, offers)
        self._write(history, result_told)

    # -- the match
    def _match(self) -> History:
        seated = sorted((m["seat"], m["number"]) for m in self._members if m["seat"] is not None)
        sql = "SELECT * FROM undone_events WHERE table_id = ? AND undo = ? ORDER BY ply"
        undone = [self._fetch(sql, undo["number"]) for undo in self._undos]
        logs = courses(
            self._events,
            [
                (undo["ply"], out[0]["ply"] if out else undo["ply"], out)
                for undo, out in zip(self._undos, undone, strict=True)
            ],
        )
        # Chance draws at the start; else all that is known is that it came after the opening.
        first = next(iter(logs[0]), None)
        begun = self._table["created_at"] if first is None or first["seat"] >= 0 else first["at"]
        text = json_text({"seating": [number for _, number in seated]})
        history = History(self._add("start", None, self._table["host_id"], text, begun))
        numbers: list[int] = []
        for log, undo, out in zip(logs, self._undos, undone, strict=False):
            numbers += [self._add_event(event) for event in log[len(numbers) :]]
            history.logs.append(list(numbers))
            place = out[0]["ply"] if out else len(numbers)
            taken = numbers[place : place + len(out)]
            del numbers[place : place + len(out)]
            history.undos.append(self._add_undo(undo, taken))
            history.left.append(len(numbers))
        numbers += [self._add_event(event) for event in logs[-1][len(numbers) :]]
        history.logs.append(numbers)
        return history

    def _add_event(self, event: Record) -> int:
        kind = "draw" if event["seat"] < 0 else "move"
        said = _picked(event, "seat person_id move at interaction_id")
        return self._add(kind, *said.values())

    def _add_undo(self, undo: Record, taken: Sequence[int]) -> int:
        said = {"out": list(taken), "moves": json.loads(undo["moves"])}
        if agreed := json.loads(undo["agreed"]):
            said["agreed"] = agreed
        return self._add("undo", undo["seat"], undo["asked_by"], json_text(said), undo["at"])

    # -- what goes by its lines
    def _carry_turns(self, history: History) -> dict[int, int]:
        """Carry the clocks over; returns the decisions of turns by their old numbers."""
        turns = self._fetch("SELECT * FROM turns_6 WHERE table_id = ? ORDER BY id")
        decisions = {turn["id"]: history.decision(turn["ply"], turn["undos"]) for turn in turns}
        in_effect = {history.start, *history.effective}
        last = {
            (turn["seat"], turn["person_id"]): turn["id"]
            for turn in turns
            if turn["time_left"] is not None
        }
        kept: dict[tuple[int, int], Record] = {}
        for turn in turns:
            running, decision = turn["time_left"] is None, decisions[turn["id"]]
            if running or decision in in_effect or turn["id"] in last.values():
                key = (turn["seat"], decision)
                if running or key not in kept or kept[key]["time_left"] is not None:
                    kept.pop(key, None)  # whichever is newer stands where it opened
                    kept[key] = turn
        for place, ((seat, decision), turn) in enumerate(kept.items()):
            alarms = json_text(self._alarms(turn))
            same = _picked(turn, "person_id opened_at budget ends_at misses missed_at time_left")
            rest = {"seat": seat, "decision": decision, "place": place, "helped": 0}
            self._insert("turns", **same, **rest, alarms=alarms)
        return decisions

    def _alarms(self, turn: Record) -> dict[str, int]:
        """What is still to be done about a turn; without the end, if that was acted upon."""
        if turn["time_left"] is not None:
            return {}
        sql = "SELECT alarm, due_at FROM deadlines WHERE turn_id = ? ORDER BY due_at, alarm"
        return dict(self._db.execute(sql, [turn["id"]]).fetchall())

    def _carry_votes(self, history: History, decisions: dict[int, int]) -> dict[int, int]:
        """Carry the votes over; returns the lines that asked by the votes' old numbers."""
        asked: dict[int, int] = {}
        for vote in self._fetch("SELECT * FROM votes_6 WHERE table_id = ? ORDER BY id"):
            line = asked[vote["id"]] = self._add(
                "ask", vote["seat"], vote["asked_by"], vote["kind"], vote["asked_at"]
            )
            # What was decided and not carried out is decided again.
            again = not vote["done"] and self._table["status"] == "running"
            decision = None if again else vote["decision"]
            settled = None
            if decision is not None:
                text = f"{line}.{decision}"
                settled = self._add("settle", vote["seat"], None, text, vote["asked_at"])
            sql = "SELECT person_id, choice FROM answers WHERE vote_id = ? ORDER BY number"
            answers = [list(answer) for answer in self._db.execute(sql, [vote["id"]]).fetchall()]
            subject = _subject(json.loads(vote["subject"]), history, decisions)
            same = "kind seat rule choices fallback asked_by asked_at closes_at"
            texts = {"subject": json_text(subject), "answers": json_text(answers)}
            rest = {"asked": line, "decision": decision, "settled": settled}
            self._insert("votes", **_picked(vote, same), **texts, **rest)
        return asked

    def _carry_plans(self) -> None:
        for plan in self._fetch("SELECT * FROM plans_6 WHERE table_id = ? ORDER BY id"):
            person = plan["person_id"]
            seat = next((m["seat"] for m in self._members if m["person_id"] == person), None)
            number = self._add("plan", seat, person, "", self._table["moved_at"])
            self._insert("plans", **_picked(plan, "person_id move answer_to"), number=number)

    def _carry_offers(self) -> dict[int, int]:
        """Carry the offered seats over; returns the lines that offered them by seat."""
        lines: dict[int, int] = {}
        for offer in self._fetch("SELECT * FROM seat_offers WHERE table_id = ? ORDER BY seat"):
            seat = offer["seat"]
            lines[seat] = self._add("offer", seat, None, "", offer["offered_at"])
            self._insert("offers", **_picked(offer, "seat person_id"), number=lines[seat])
        return lines

    # -- messages
    def _carry_messages(self, votes: dict[int, int], offers: dict[int, int]) -> bool:
        """Carry the messages over by what they show; returns whether the result was told."""
        records = self._fetch("SELECT * FROM messages_6 WHERE table_id = ? ORDER BY message_id")
        taken: set[str] = set()
        for message in reversed(records):  # the newest is the one that stands
            kind = message["kind"]
            if kind == "result":
                continue
            key = _key(message, votes, offers)
            if key is None or key in taken:
                key = f"old:{message['message_id']}"
            taken.add(key)
            advice = key.startswith("advice:")
            rest = None if advice else DELETE if kind == "notice" else STRIP
            same = _picked(message, "channel_id person_id message_id")
            state = {"pinged": 1, "final": int(advice), "since": 0, "told_from": 0}
            self._insert("messages", **same, **state, key=key, rest=rest)
        return any(message["kind"] == "result" for message in records)

    # -- the table itself
    def _write(self, history: History, result_told: bool) -> None:
        told = self._told(history, result_told)
        self._db.execute(
            "UPDATE tables SET revision = ?, told = ?, due_at = ?, result = ? WHERE id = ?",
            [self._revision, told, self._due_at(), self._result(), self._id],
        )

    def _told(self, history: History, result_told: bool) -> int:
        """How far the table was told; one line less than that if its messages are to be renewed."""
        table, wholly = self._table, self._revision - self._is_open
        if table["players"] is None or table["status"] == "ended":
            return wholly
        heard = table["announced_ply"] >= table["ply"] and all(u["announced"] for u in self._undos)
        if not heard or (table["status"] == "finished" and not result_told):
            return self._announced(history)
        return wholly

    def _announced(self, history: History) -> int:
        """The last line of the match that its channel has heard of; 0: not even of the start."""
        heard = self._table["announced_ply"]
        if heard < 0:
            return 0
        event = history.decision(min(heard, len(history.effective)), len(history.undos))
        undos = [
            line for line, undo in zip(history.undos, self._undos, strict=True) if undo["announced"]
        ]
        return max(event, *undos, 0)

    def _due_at(self) -> int | None:
        if self._table["status"] != "running":
            return None
        closing = self._fetch(
            """SELECT closes_at FROM votes
            WHERE table_id = ? AND decision IS NULL AND closes_at IS NOT NULL"""
        )
        running = self._fetch("SELECT alarms FROM turns WHERE table_id = ? AND time_left IS NULL")
        alarms = [at for turn in running for at in json.loads(turn["alarms"]).values()]
        return min([*(vote["closes_at"] for vote in closing), *alarms], default=None)

    def _result(self) -> str | None:
        """The result, and whether each seat was played by one person from beginning to end."""
        text: str | None = self._table["result"]
        if text is None or self._table["status"] != "finished":
            return text
        result = json.loads(text)
        # Who resigns at a table of two is followed by a computer player that never moves.
        taken_over = any(m["level"] for m in self._members) and result.get("how") != "resigned"
        people = {member["seat"]: member["person_id"] for member in self._members}
        by_others = any(
            event["seat"] in people and event["person_id"] != people[event["seat"]]
            for event in self._events
        )
        alone = "ranks" in result and not taken_over and not by_others
        return json_text({**result, "by_people": alone and None not in people.values()})

    # -- inside
    def _add(
        self,
        kind: str,
        seat: int | None,
        person_id: int | None,
        text: str,
        at: int,
        interaction_id: int | None = None,
    ) -> int:
        """Append a line; returns its number."""
        self._revision += 1
        said = {"kind": kind, "seat": seat, "person_id": person_id, "text": text, "at": at}
        self._insert("journal", number=self._revision, **said, interaction_id=interaction_id)
        return self._revision

    def _insert(self, name: str, **columns: Any) -> None:
        """Write a row of the table."""
        names, marks = ", ".join(columns), ", ?" * len(columns)
        sql = f"INSERT INTO {name} (table_id, {names}) VALUES (?{marks})"  # noqa: S608
        self._db.execute(sql, [self._id, *columns.values()])

    def _fetch(self, sql: str, *values: Any) -> list[Record]:
        return self._db.execute(sql, [self._id, *values]).fetchall()


def _picked(record: Record, columns: str) -> dict[str, Any]:
    """Some of the columns of a record."""
    return {column: record[column] for column in columns.split()}


def _subject(
    subject: dict[str, Any], history: History, decisions: dict[int, int]
) -> dict[str, Any]:
    """What a question needs to be carried out, its point of the match as a line."""
    rest = {key: value for key, value in subject.items() if key not in {"ply", "undos", "turn"}}
    if "ply" in subject:
        rest["position"] = history.position(subject["ply"], subject.get("undos", 0))
    if "turn" in subject:
        rest["decision"] = decisions.get(subject["turn"], 0)
    return rest


def _key(message: Record, votes: dict[int, int], offers: dict[int, int]) -> str | None:
    """The surface that a message stands for, if it is still the one that does."""
    kind, _, number = message["kind"].partition(".")
    person = message["person_id"]
    plain = {"lobby": "lobby", "board": "board:0", "hand": f"hand:{person}:0"}
    if kind == "advised":
        return f"advice:{person}"
    if kind == "vote" and int(number) in votes:
        return f"vote:{votes[int(number)]}"
    if kind == "offer" and int(number) in offers:
        return f"offer:{number}:{offers[int(number)]}"
    return plain.get(kind)
