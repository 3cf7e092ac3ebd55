-- Times are whole seconds since 1970 (UTC). JSON is text. Ids of Discord need 64 bits.

CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    guild_id BIGINT,
    channel_id BIGINT NOT NULL,
    host_id BIGINT NOT NULL,
    language TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'finished', 'ended', 'parked')),
    options TEXT NOT NULL,
    players INTEGER,
    seed TEXT NOT NULL,
    wanted_players INTEGER,
    ply INTEGER NOT NULL,
    announced_ply INTEGER NOT NULL,
    result TEXT,
    created_at BIGINT NOT NULL,
    moved_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX one_open_table_per_channel ON tables (channel_id)
    WHERE status IN ('lobby', 'running');
CREATE INDEX tables_by_channel ON tables (channel_id, moved_at);
CREATE INDEX tables_by_status ON tables (status);

CREATE TABLE members (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    person_id BIGINT,
    name TEXT NOT NULL,
    level TEXT,
    seat INTEGER,
    resigned INTEGER NOT NULL CHECK (resigned IN (0, 1)),
    PRIMARY KEY (table_id, number),
    UNIQUE (table_id, person_id),
    UNIQUE (table_id, seat)
);

CREATE INDEX members_by_person ON members (person_id);

CREATE TABLE events (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    at BIGINT NOT NULL,
    person_id BIGINT,
    interaction_id BIGINT UNIQUE,
    PRIMARY KEY (table_id, ply)
);

CREATE TABLE messages (
    message_id BIGINT PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    kind TEXT NOT NULL,
    channel_id BIGINT NOT NULL,
    person_id BIGINT,
    ply INTEGER NOT NULL
);

CREATE INDEX messages_by_table ON messages (table_id, kind);

CREATE TABLE servers (
    guild_id BIGINT PRIMARY KEY,
    language TEXT,
    channels TEXT NOT NULL,
    opener_role BIGINT
);

CREATE TABLE people (
    person_id BIGINT PRIMARY KEY,
    language TEXT,
    dm_closed INTEGER NOT NULL CHECK (dm_closed IN (0, 1))
);
