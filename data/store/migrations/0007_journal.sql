-- One journal a table, one revision, messages by their surfaces. What stands in the tables that
-- are renamed here is carried over by version_7.py, which then drops them.

ALTER TABLE votes RENAME TO votes_6;
ALTER TABLE turns RENAME TO turns_6;
ALTER TABLE plans RENAME TO plans_6;
ALTER TABLE messages RENAME TO messages_6;

-- Only ever appended to. number: from 1 without gaps; the last is the table's revision.
CREATE TABLE journal (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER,
    person_id BIGINT,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    interaction_id BIGINT UNIQUE,
    PRIMARY KEY (table_id, number)
);

-- told: the revision that all messages show. due_at: when something is to be done unasked.
ALTER TABLE tables ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN due_at BIGINT;

CREATE INDEX tables_by_due ON tables (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tables_behind ON tables (id) WHERE told < revision;
CREATE INDEX tables_by_guild ON tables (guild_id, status);

-- Questions put to people, by the line that asked. answers: [person, answer] in order.
CREATE TABLE votes (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    asked INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER,
    subject TEXT NOT NULL,
    rule TEXT NOT NULL,
    choices TEXT NOT NULL,
    fallback TEXT NOT NULL,
    asked_by BIGINT,
    asked_at BIGINT NOT NULL,
    closes_at BIGINT,
    answers TEXT NOT NULL,
    decision TEXT,
    settled INTEGER,
    PRIMARY KEY (table_id, asked)
);

-- Decisions that people owe, by seat and the line after which they opened. place: their order.
-- alarms: times by kind. time_left: NULL while the clock runs.
CREATE TABLE turns (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person_id BIGINT NOT NULL,
    opened_at BIGINT NOT NULL,
    budget INTEGER NOT NULL,
    ends_at BIGINT NOT NULL,
    alarms TEXT NOT NULL,
    misses INTEGER NOT NULL,
    missed_at BIGINT,
    time_left INTEGER,
    helped INTEGER NOT NULL CHECK (helped IN (0, 1)),
    PRIMARY KEY (table_id, seat, decision)
);

CREATE INDEX turns_helped ON turns (table_id) WHERE helped = 1;

-- Moves planned ahead, by the line that planned them.
CREATE TABLE plans (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    person_id BIGINT NOT NULL,
    move TEXT NOT NULL,
    answer_to TEXT,
    PRIMARY KEY (table_id, number)
);

-- Seats that are offered, by the line that offered them. person_id: only this person may.
CREATE TABLE offers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    number INTEGER NOT NULL,
    person_id BIGINT,
    PRIMARY KEY (table_id, seat)
);

-- message_id: NULL: a post is under way. rest: what remains of it, as JSON; NULL: as it is.
CREATE TABLE messages (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    key TEXT NOT NULL,
    channel_id BIGINT,
    person_id BIGINT,
    message_id BIGINT,
    stands TEXT,
    rest TEXT,
    pinged INTEGER NOT NULL CHECK (pinged IN (0, 1)),
    final INTEGER NOT NULL CHECK (final IN (0, 1)),
    since BIGINT NOT NULL,
    told_from INTEGER NOT NULL,
    PRIMARY KEY (table_id, key)
);

CREATE INDEX messages_by_id ON messages (message_id);

ALTER TABLE people ADD COLUMN dm_channel BIGINT;
