-- The riddle and the deal of each day, and what people have made of them. day: 2026-11-22, in UTC.

CREATE TABLE riddles (
    day TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    riddle TEXT NOT NULL
);

-- guild_id: where the person asked for it; 0: on no server. points: NULL while it is being solved.
CREATE TABLE attempts (
    person_id BIGINT NOT NULL,
    day TEXT NOT NULL,
    guild_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    wrong TEXT NOT NULL,
    hints INTEGER NOT NULL,
    solved INTEGER NOT NULL CHECK (solved IN (0, 1)),
    points INTEGER,
    PRIMARY KEY (person_id, day)
);

CREATE INDEX attempts_by_day ON attempts (day, points DESC);

-- secret: the seed of the day's deal follows from it; told the day after.
CREATE TABLE deals (
    day TEXT PRIMARY KEY,
    secret TEXT NOT NULL
);

-- points: NULL while the deal is being played. shared: the result was shown to others.
CREATE TABLE plays (
    person_id BIGINT NOT NULL,
    day TEXT NOT NULL,
    guild_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    moves TEXT NOT NULL,
    points INTEGER,
    shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
    PRIMARY KEY (person_id, day)
);

CREATE INDEX plays_by_day ON plays (day, points DESC);
