"""What the store remembers of seats that change hands, and of people sent away from lobbies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from data.access import Access, Database
from data.columns import moment, seconds
from data.plans import forget_planner
from data.problems import AlreadyMember, Conflict, NoSuchMember, NotInLobby


class NotOffered(Conflict):
    """The seat is not offered, or to somebody else."""

    code = "not_offered"


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A seat that somebody else may take.

    :param person_id: only this person may; None: whoever comes first.
    """

    table_id: int
    seat: int
    person_id: int | None
    offered_at: datetime


class Seats:
    """The seats of all tables. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    # -- the lobby
    async def send_away(self, table_id: int, number: int) -> None:
        """Remove a member from the lobby; a person may not join it again.

        :raises Conflict: ``NotInLobby`` or ``NoSuchMember``.
        """

        def change(db: Database) -> None:
            table = db.execute("SELECT status FROM tables WHERE id = ?", [table_id]).fetchone()
            if table["status"] != "lobby":
                raise NotInLobby(table_id)
            person_id = _person(db, table_id, "number", number)
            db.execute("DELETE FROM members WHERE table_id = ? AND number = ?", [table_id, number])
            if person_id is not None:
                db.execute(
                    "INSERT INTO barred (table_id, person_id) VALUES (?, ?)", [table_id, person_id]
                )

        await self._database.write(change)

    async def is_barred(self, table_id: int, person_id: int) -> bool:
        """Whether the person was sent away from the lobby."""
        return bool(
            await self._database.fetch(
                "SELECT 1 FROM barred WHERE table_id = ? AND person_id = ?", table_id, person_id
            )
        )

    # -- the match
    async def offer(self, table_id: int, seat: int, person_id: int | None, at: datetime) -> None:
        """Offer a seat to a person, or to whoever comes first; in place of an earlier offer."""

        def change(db: Database) -> None:
            _withdraw(db, table_id, seat)
            db.execute(
                """INSERT INTO seat_offers (table_id, seat, person_id, offered_at)
                VALUES (?, ?, ?, ?)""",
                [table_id, seat, person_id, seconds(at)],
            )

        await self._database.write(change)

    async def offers(self, table_id: int) -> list[OfferRow]:
        """The seats that are offered at a table."""
        records = await self._database.fetch(
            "SELECT * FROM seat_offers WHERE table_id = ? ORDER BY seat", table_id
        )
        return [
            OfferRow(table_id, seat, person_id, moment(offered_at))
            for table_id, seat, person_id, offered_at in records
        ]

    async def take(self, table_id: int, seat: int, person_id: int, name: str) -> int | None:
        """Let a person take an offered seat, with the host's rights if the host gave it up.

        :returns: the person who had the seat before; None: a computer player.
        :raises Conflict: ``NotOffered``, or ``AlreadyMember`` if the person has another seat.
        """

        def change(db: Database) -> int | None:
            offer = db.execute(
                "SELECT * FROM seat_offers WHERE table_id = ? AND seat = ?", [table_id, seat]
            ).fetchone()
            if offer is None or offer["person_id"] not in (None, person_id):
                raise NotOffered(seat)
            before = _person(db, table_id, "seat", seat)
            if person_id != before and _is_member(db, table_id, person_id):
                raise AlreadyMember(person_id)
            db.execute(
                """UPDATE members SET person_id = ?, name = ?, level = NULL, resigned = 0
                WHERE table_id = ? AND seat = ?""",
                [person_id, name, table_id, seat],
            )
            _withdraw(db, table_id, seat)
            if before is not None:
                db.execute(
                    "UPDATE tables SET host_id = ? WHERE id = ? AND host_id = ?",
                    [person_id, table_id, before],
                )
                forget_planner(db, table_id, before)
            return before

        return await self._database.write(change)

    async def come_back(self, table_id: int, person_id: int) -> None:
        """Let a person play again whose seat a computer player has kept; it is offered no more.

        :raises NoSuchMember: there is no such seat.
        """

        def change(db: Database) -> None:
            seat = db.execute(
                """UPDATE members SET level = NULL
                WHERE table_id = ? AND person_id = ? AND level IS NOT NULL AND resigned = 0
                RETURNING seat""",
                [table_id, person_id],
            ).fetchone()
            if seat is None:
                raise NoSuchMember(person_id)
            _withdraw(db, table_id, seat["seat"])

        await self._database.write(change)


# ------------------------------------------------------------- parts of the transactions
def _person(db: Database, table_id: int, column: str, value: int) -> int | None:
    """Whose place it is that has this number or seat.

    :raises NoSuchMember: there is none.
    """
    member = db.execute(
        f"SELECT person_id FROM members WHERE table_id = ? AND {column} = ?",  # noqa: S608
        [table_id, value],
    ).fetchone()
    if member is None:
        raise NoSuchMember(value)
    person_id: int | None = member["person_id"]
    return person_id


def _is_member(db: Database, table_id: int, person_id: int) -> bool:
    found = db.execute(
        "SELECT 1 FROM members WHERE table_id = ? AND person_id = ?", [table_id, person_id]
    )
    return found.fetchone() is not None


def _withdraw(db: Database, table_id: int, seat: int) -> None:
    db.execute("DELETE FROM seat_offers WHERE table_id = ? AND seat = ?", [table_id, seat])
