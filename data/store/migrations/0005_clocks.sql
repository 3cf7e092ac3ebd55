-- The time that people have: decisions that a seat owes, and when somebody is to be told of it.

-- One row for each decision at a table with a pace. Times in seconds; time_left: NULL while the
-- clock runs.
CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    undos INTEGER NOT NULL,
    person_id BIGINT NOT NULL,
    opened_at BIGINT NOT NULL,
    budget INTEGER NOT NULL,
    ends_at BIGINT NOT NULL,
    misses INTEGER NOT NULL,
    missed_at BIGINT,
    time_left INTEGER
);

CREATE UNIQUE INDEX one_open_turn_per_seat ON turns (table_id, seat) WHERE time_left IS NULL;
CREATE INDEX turns_by_table ON turns (table_id, seat);

-- What is still to be done about an open turn. A row goes when its effect has happened;
-- claimed_until: somebody is at it and has so long before others may try.
CREATE TABLE deadlines (
    turn_id INTEGER NOT NULL REFERENCES turns (id),
    alarm TEXT NOT NULL CHECK (alarm IN ('half', 'soon', 'end')),
    due_at BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (turn_id, alarm)
);

CREATE INDEX deadlines_by_time ON deadlines (due_at);

-- How people want to be told; quiet hours in minutes after midnight, by the clock of the zone.
ALTER TABLE people ADD COLUMN zone TEXT;
ALTER TABLE people ADD COLUMN quiet_from INTEGER;
ALTER TABLE people ADD COLUMN quiet_to INTEGER;
ALTER TABLE people ADD COLUMN dm_too INTEGER NOT NULL DEFAULT 0 CHECK (dm_too IN (0, 1));

-- quiet_limit: hours that a clock rests in quiet hours at most, for each turn.
ALTER TABLE servers ADD COLUMN quiet_limit INTEGER NOT NULL DEFAULT 10;
ALTER TABLE servers ADD COLUMN tables_limit INTEGER;
