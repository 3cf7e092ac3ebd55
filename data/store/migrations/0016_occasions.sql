-- What goes on beside the tables: tournaments, seeks, seasons, daily posts. Their state is data of
-- their kind; what people are named in it stands in occasion_people as well.
CREATE TABLE occasions (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    scope TEXT UNIQUE,
    guild_id BIGINT,
    channel_id BIGINT NOT NULL,
    host_id BIGINT,
    language TEXT NOT NULL,
    state TEXT NOT NULL,
    over INTEGER NOT NULL CHECK (over IN (0, 1)),
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    revision INTEGER NOT NULL,
    due_at BIGINT,
    told INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX occasions_by_server ON occasions (guild_id, kind);
CREATE INDEX occasions_due ON occasions (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE occasion_journal (
    occasion_id INTEGER NOT NULL REFERENCES occasions (id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    person_id BIGINT,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    interaction_id BIGINT UNIQUE,
    PRIMARY KEY (occasion_id, number)
);

CREATE TABLE occasion_people (
    occasion_id INTEGER NOT NULL REFERENCES occasions (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (occasion_id, person_id)
);

CREATE INDEX occasions_of_person ON occasion_people (person_id);

CREATE TABLE occasion_messages (
    occasion_id INTEGER NOT NULL REFERENCES occasions (id),
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
    PRIMARY KEY (occasion_id, key)
);

ALTER TABLE tables ADD COLUMN occasion_id INTEGER REFERENCES occasions (id);
ALTER TABLE tables ADD COLUMN slot TEXT;

CREATE UNIQUE INDEX one_table_per_slot ON tables (occasion_id, slot) WHERE occasion_id IS NOT NULL;
