"""The lesson steps that people have solved."""

from __future__ import annotations

from collections.abc import Mapping

from data.store.access import Repository


class LessonRepository(Repository):
    """The solved steps of all people."""

    async def solve(self, person_id: int, game: str, step: str) -> None:
        """Record that a person has solved a step; repeated calls change nothing."""
        await self._database.write(
            lambda db: db.execute(
                """INSERT INTO lessons (person_id, game, step) VALUES (?, ?, ?)
                ON CONFLICT (person_id, game, step) DO NOTHING""",
                [person_id, game, step],
            )
        )

    async def of_person(self, person_id: int) -> Mapping[str, frozenset[str]]:
        """Return the keys of the steps that a person has solved, by game."""
        records = await self._database.fetch(
            "SELECT game, step FROM lessons WHERE person_id = ? ORDER BY game, step", person_id
        )
        solved: dict[str, set[str]] = {}
        for record in records:
            solved.setdefault(record["game"], set()).add(record["step"])
        return {game: frozenset(steps) for game, steps in solved.items()}
