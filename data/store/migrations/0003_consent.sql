-- Moves taken back, seats that change hands, planned moves, and those who look on.

ALTER TABLE tables ADD COLUMN undos INTEGER NOT NULL DEFAULT 0;

CREATE TABLE undos (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    asked_by BIGINT NOT NULL,
    agreed TEXT NOT NULL,
    moves TEXT NOT NULL,
    at BIGINT NOT NULL,
    announced INTEGER NOT NULL CHECK (announced IN (0, 1)),
    PRIMARY KEY (table_id, number)
);

CREATE TABLE undone_events (
    table_id INTEGER NOT NULL,
    undo INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    at BIGINT NOT NULL,
    person_id BIGINT,
    interaction_id BIGINT UNIQUE,
    PRIMARY KEY (table_id, undo, ply),
    FOREIGN KEY (table_id, undo) REFERENCES undos (table_id, number)
);

-- Who was sent away from a lobby and may not join it again.
CREATE TABLE barred (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);

-- Seats that somebody else may take; person_id: only this person may.
CREATE TABLE seat_offers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    person_id BIGINT,
    offered_at BIGINT NOT NULL,
    PRIMARY KEY (table_id, seat)
);

-- Moves planned ahead, in the order in which they are to be played.
CREATE TABLE plans (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    move TEXT NOT NULL,
    answer_to TEXT
);

CREATE INDEX plans_by_table ON plans (table_id, person_id);

-- Who wants the only legal move to be played without being asked.
CREATE TABLE hurried (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);

CREATE TABLE followers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);

CREATE INDEX followers_by_person ON followers (person_id);
