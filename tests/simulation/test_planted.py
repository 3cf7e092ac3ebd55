"""Checks that the simulation finds bugs: some history must find each fault planted here. A fault is
planted where the code decides, even if that is in a private function.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.delivery import delivery, message, reconcile
from cogs.gateway.cards import Card, Gallery, Pictures
from cogs.gateway.failures import Failure
from cogs.present import surfaces
from data.store import tables as stored
from data.store.rows import MessageRow, VoteRow
from games.fairness import seed_of
from play import decide, lobby, motions, moves, plans, tables, undo
from play.table import Table
from play.votes import YES
from tests.simulation.history import failure_of, raced, steps_of, stub_drawn
from tests.stores import opened

Patch = pytest.MonkeyPatch


def change_surfaces(
    patch: Patch, owner: type, method: str, change: Callable[[Any, Any], surfaces.Surface]
) -> None:
    """Modify each surface that a method returns."""
    real = getattr(owner, method)
    patch.setattr(owner, method, lambda it, *given: [change(it, each) for each in real(it, *given)])


# --------------------------------------------------------------------------- delivery
def posted_before_noted(patch: Patch) -> None:
    """Post before recording the intention."""

    async def write(self: Any, told: int | None) -> None:
        if told is not None or any(row.message_id for row in self._changed.values()):
            await real(self, told)

    real = reconcile.Reconciliation._write
    patch.setattr(reconcile.Reconciliation, "_write", write)


def nonce_of_the_revision(patch: Patch) -> None:
    """Give two messages of one revision the same nonce."""
    patch.setattr(message, "_nonce", lambda table, row: f"{table.id}:{table.revision}")


def told_despite_failure(patch: Patch) -> None:
    """Record undelivered changes as delivered."""

    async def make(self: Any) -> reconcile.Undone:
        undone = await real(self)
        if undone.tried_again is not None:
            await self._write(self.owner.revision)
        return undone

    real = reconcile.Reconciliation.make
    patch.setattr(reconcile.Reconciliation, "make", make)


def unknown_message_left(patch: Patch) -> None:
    """If the post of a message was not answered, leave that message as it is."""

    async def found(self: Any, table: Table, row: MessageRow) -> MessageRow | None:
        return row if row.message_id is not None else None

    patch.setattr(message.Messenger, "_found", found)


def pinged_again(patch: Patch) -> None:
    """Ping people again when a message is posted again."""
    real = message.Messenger._anew
    patch.setattr(
        message.Messenger, "_anew", lambda self, row: replace(real(self, row), pinged=False)
    )


def board_deleted_too_early(patch: Patch) -> None:
    """Delete the old board although the new one could not be posted."""
    patch.setattr(reconcile.Reconciliation, "_exists", lambda self, surface: True)


def hand_left(patch: Patch) -> None:
    """Keep a hand when its owner has been called again or has left."""

    async def rest(self: Any, table: Table, row: MessageRow) -> Failure | None:
        return None if row.key.startswith("hand") else await real(self, table, row)

    real = message.Messenger.rest
    patch.setattr(message.Messenger, "rest", rest)


def picture_left(patch: Patch) -> None:
    """Keep any picture that a message already has."""

    def keeping(card: Card, standing: Pictures) -> Card:
        kept = iter(standing.values())
        parts = [next(kept, part) if isinstance(part, Gallery) else part for part in card.parts]
        return replace(card, parts=tuple(parts))

    patch.setattr(message, "keeping", keeping)


def memory_not_kept(patch: Patch) -> None:
    """Store deliveries, but do not keep them in memory."""

    async def write(self: Any, told: int | None) -> None:
        before = self.memory.told
        await real(self, told)
        self.memory.told = before

    real = reconcile.Reconciliation._write
    patch.setattr(reconcile.Reconciliation, "_write", write)


def memory_not_forgotten(patch: Patch) -> None:
    """Assume that a deleted message exists, even after a check."""

    async def stand(self: Any, *given: Any, look: bool, **named: Any) -> message.Result:
        result: message.Result = await real(self, *given, look=False, **named)
        return result

    real: Any = message.Messenger.stand
    patch.setattr(message.Messenger, "stand", stand)


def late_calls_forgotten(patch: Patch) -> None:
    """Assume that calls under way at a kill have taken effect or never will."""
    patch.setattr(reconcile.Memory, "inherit", lambda self, settles: None)


def trail_forgotten(patch: Patch) -> None:
    """Forget a full message of the trail, and post it again with the next change."""

    def change(presenter: Any, surface: surfaces.Surface) -> surfaces.Surface:
        if not surface.key.startswith("trail"):
            return surface
        full = surface.retire is surfaces.Retire.STAY
        return replace(surface, final=surface.final or full, late=True)

    change_surfaces(patch, surfaces.Presenter, "surfaces", change)


def not_called_at_the_table(patch: Patch) -> None:
    """Never call people whom no direct message reaches."""
    patch.setattr(surfaces.Presenter, "when_unreached", lambda self, table, person: None)


# ---------------------------------------------------------------------------- surfaces
def hand_of_the_neighbour(patch: Patch) -> None:
    """Show everyone the hand of the next seat."""

    def card(table: Table, words: Any, say: Any, seat: int, *given: Any, **named: Any) -> Any:
        return real(table, words, say, (seat + 1) % len(table.members), *given, **named)

    real: Any = getattr(surfaces, "hand_card")  # noqa: B009 - imported there
    patch.setattr(surfaces, "hand_card", card)


def hand_on_the_board(patch: Patch) -> None:
    """Put the next player's choices below the board, though they reveal the hand."""

    def wanted(self: Any, table: Table, *given: Any) -> list[surfaces.Surface]:
        all_ = real(self, table, *given)
        rows = [surface.card.rows for surface in all_ if surface.key.startswith("hand")]
        return [
            replace(surface, card=replace(surface.card, rows=rows[0]))
            if rows and surface.key.startswith("board")
            else surface
            for surface in all_
        ]

    real = surfaces.Presenter.surfaces
    patch.setattr(surfaces.Presenter, "surfaces", wanted)


def called_by_edit(patch: Patch) -> None:
    """Edit the first board forever, so that no one is called."""

    def change(presenter: Any, surface: surfaces.Surface) -> surfaces.Surface:
        return replace(surface, key="board:0") if surface.key.startswith("board") else surface

    change_surfaces(patch, surfaces.Presenter, "surfaces", change)


def silenced(presenter: Any, surface: surfaces.Surface) -> surfaces.Surface:
    return replace(surface, silent=True)


def called_silently(patch: Patch) -> None:
    """Send every call silently."""
    change_surfaces(patch, surfaces.Presenter, "surfaces", silenced)


def hands_called_silently(patch: Patch) -> None:
    """Send a hand silently even if it calls its owner."""

    def change(presenter: Any, surface: surfaces.Surface) -> surfaces.Surface:
        return silenced(presenter, surface) if surface.key.startswith("hand") else surface

    change_surfaces(patch, surfaces.Presenter, "surfaces", change)


def hand_posted_with_every_change(patch: Patch) -> None:
    """Post a hand again, loudly, after every change."""

    def change(wanted: Any, surface: surfaces.Surface) -> surfaces.Surface:
        _, person, _ = surface.key.split(":")
        return replace(surface, key=f"hand:{person}:{wanted.table.revision}")

    change_surfaces(patch, surfaces._Wanted, "hands", change)


def last_call_alone(patch: Patch) -> None:
    """Count only the last of several calls on one board."""

    def called(self: Any, key: str) -> tuple[int, ...]:
        last = next((call for call in self.table.calls() if call.table), None)
        seats = () if last is None else last.table
        people = [self.table.members[s].person_id for s in self.table.awaited_persons if s in seats]
        return tuple(person for person in people if person in real(self, key))

    real: Any = surfaces._Wanted.called
    patch.setattr(surfaces._Wanted, "called", called)


def rematch_asks_nobody(patch: Patch) -> None:
    """Call nobody with a rematch offer."""
    patch.setattr(surfaces._Wanted, "asked", lambda self: iter(()))


def rematch_asks_twice(patch: Patch) -> None:
    """Call everybody with a rematch offer both in the lobby and by direct message."""
    offers = surfaces._Wanted.rematch_offers
    asked_by_dm = Table.asked_by_dm

    def rematch_offers(self: Any) -> Any:
        with pytest.MonkeyPatch.context() as inside:
            inside.setattr(Table, "asked_by_dm", asked_by_dm)
            yield from list(offers(self))

    patch.setattr(surfaces._Wanted, "rematch_offers", rematch_offers)
    patch.setattr(Table, "asked_by_dm", lambda self, person: False)


# -------------------------------------------------------------------------- decisions
def called_again(patch: Patch) -> None:
    """Call everybody who is to move whenever anybody acts."""
    patch.setattr(decide, "_called", lambda before, after, new: list(after.awaited_persons))


def not_called(patch: Patch) -> None:
    """Call only the first of several people whose decisions open together."""
    real = decide._called
    patch.setattr(decide, "_called", lambda *given: real(*given)[:1])


def called_by_own_act(patch: Patch) -> None:
    """Also call people for decisions that their own act has opened."""
    patch.setattr(decide, "_opened_by_owner", lambda *given: False)


def undo_not_reopened(patch: Patch) -> None:
    """Do not record who has to decide again after an undo."""

    def dumps(said: Any) -> str:
        return json.dumps({**said, "reopened": []})

    patch.setattr(undo, "json", SimpleNamespace(dumps=dumps))


def plan_not_struck_off(patch: Patch) -> None:
    """Play a planned move but keep the plan."""
    real = plans._played_plan

    def played(table: Table, seat: int, plan: Any, now: datetime) -> Table:
        after = real(table, seat, plan, now)
        return replace(after, plans=table.plans) if after.lines != table.lines else after

    patch.setattr(plans, "_played_plan", played)


def carried_out_unsettled(patch: Patch) -> None:
    """Carry out a vote but leave it open until it is overtaken."""

    def unsettled(motion: motions.Motion) -> motions.Motion:
        def carry_out(table: Table, vote: VoteRow, now: datetime) -> Table:
            if vote.decision != YES:
                return motion.carry_out(table, vote, now)
            votes = tuple(
                replace(v, decision=None, settled=None) if v.asked == vote.asked else v
                for v in table.votes
            )
            return motion.carry_out(replace(table, votes=votes), vote, now)

        return replace(motion, carry_out=carry_out)

    some = {kind: unsettled(motions.MOTIONS[kind]) for kind in ("undo", "draw", "end")}
    patch.setattr(motions, "MOTIONS", {**motions.MOTIONS, **some})


def interaction_not_noted(patch: Patch) -> None:
    """Leave no trace of a press in the journal."""

    def decide(table: Table, *given: Any) -> Any:
        after = real(table, *given)
        new = [replace(x, interaction_id=None) for x in after.journal[table.revision :]]
        return replace(after, journal=(*table.journal, *new)) if new else after

    real: Any = getattr(tables, "decide")  # noqa: B009 - imported there
    patch.setattr(tables, "decide", decide)


def stale_press_counts(patch: Patch) -> None:
    """Accept a press on a control made for an earlier decision."""
    patch.setattr(moves, "refuse_stale", lambda *given: None)


def committed_unguarded(patch: Patch) -> None:
    """Treat a change overtaken by another as stored."""
    real = stored.TableRepository.commit

    async def commit(self: Any, before: Any, after: Any) -> bool:
        await real(self, before, after)
        return True

    patch.setattr(stored.TableRepository, "commit", commit)


def words_forgotten(patch: Patch) -> None:
    """Ignore lucky words when drawing lots."""
    patch.setattr(lobby, "seed_of", lambda secret, message, words: seed_of(secret, message, []))


def drawn_by_any_message(patch: Patch) -> None:
    """Draw the lots from the id of any recorded message."""

    async def go_on(self: Any, table: Table, memory: reconcile.Memory) -> Table:
        some = next((row for row in memory.rows.values() if row.message_id), None)
        if not table.drawing or some is None:
            return table
        command = lobby.DrawLots(table.drawing, some.message_id or 0)
        return (await self._all.act(table.id, command)).after  # type: ignore[no-any-return]

    patch.setattr(delivery.Delivery, "_go_on", go_on)


PLANTED: tuple[tuple[Callable[[Patch], None], int, int], ...] = (
    (posted_before_noted, 27, 200),
    (nonce_of_the_revision, 0, 40),
    (told_despite_failure, 15, 200),
    (unknown_message_left, 3, 100),
    (pinged_again, 4, 100),
    (board_deleted_too_early, 4, 100),
    (hand_left, 17, 100),
    (picture_left, 10, 40),
    (memory_not_kept, 18, 40),
    (memory_not_forgotten, 0, 40),
    (not_called_at_the_table, 4, 100),
    (called_silently, 1, 40),
    (rematch_asks_nobody, 0, 40),
    (rematch_asks_twice, 0, 40),
    (late_calls_forgotten, 18, 200),
    (trail_forgotten, 139, 200),
    (hands_called_silently, 9, 40),
    (hand_posted_with_every_change, 9, 40),
    (last_call_alone, 131, 300),
    (called_again, 1, 40),
    (not_called, 8, 40),
    (called_by_own_act, 3, 40),
    (hand_of_the_neighbour, 9, 40),
    (hand_on_the_board, 9, 40),
    (called_by_edit, 1, 40),
    (undo_not_reopened, 3, 100),
    (plan_not_struck_off, 19, 100),
    (carried_out_unsettled, 3, 300),
    (interaction_not_noted, 0, 40),
    (stale_press_counts, 1, 100),
    (committed_unguarded, 39, 200),
    (words_forgotten, 1, 40),
    (drawn_by_any_message, 10, 40),
)
"""For each fault: its function, a history that finds it, and how many histories to search for
another if that one no longer does.
"""


RACED = frozenset({committed_unguarded})
"""Faults that only show while two processes race."""


@pytest.mark.slow("planted faults")
@pytest.mark.parametrize(
    ("plant", "known", "within"),
    [
        pytest.param(*each, id=each[0].__name__, marks=[pytest.mark.long] if n % 2 else [])
        for n, each in enumerate(PLANTED)
    ],
)
async def test_a_planted_fault_is_found(
    plant: Callable[[Patch], None], known: int, within: int, tmp_path: Path, monkeypatch: Patch
) -> None:
    """The known history finds the fault, or one of a number of others does."""
    monkeypatch.setattr(message, "with_pictures", stub_drawn)
    plant(monkeypatch)
    store = await opened(tmp_path / "house.sqlite3")
    steps = raced if plant in RACED else steps_of
    try:
        for seed in chain([known], range(within)):
            if why := await failure_of(store, seed, steps(seed)):
                print(f"{plant.__name__}: seed {seed}: {why}")
                return
    finally:
        await store.close()
    pytest.fail(f"not found in {within} histories: {plant.__doc__}")
