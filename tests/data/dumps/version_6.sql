PRAGMA journal_mode = WAL;
PRAGMA application_id = 1415669356;
PRAGMA user_version = 6;
BEGIN TRANSACTION;
CREATE TABLE answers (
    vote_id INTEGER NOT NULL REFERENCES votes (id),
    number INTEGER NOT NULL,
    person_id BIGINT NOT NULL,
    choice TEXT,
    PRIMARY KEY (vote_id, person_id)
);
INSERT INTO "answers" VALUES(1,0,101,'yes');
INSERT INTO "answers" VALUES(1,1,102,NULL);
CREATE TABLE barred (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);
INSERT INTO "barred" VALUES(3,103);
CREATE TABLE deadlines (
    turn_id INTEGER NOT NULL REFERENCES turns (id),
    alarm TEXT NOT NULL CHECK (alarm IN ('half', 'soon', 'end')),
    due_at BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (turn_id, alarm)
);
INSERT INTO "deadlines" VALUES(2,'soon',1785661320,0);
INSERT INTO "deadlines" VALUES(2,'end',1785672120,0);
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
INSERT INTO "events" VALUES(1,0,-1,'deal:3',1785585660,NULL,71);
INSERT INTO "events" VALUES(1,1,1,'K4',1785585720,101,72);
INSERT INTO "events" VALUES(2,0,0,'P',1785585780,102,73);
CREATE TABLE followers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);
INSERT INTO "followers" VALUES(1,103);
CREATE TABLE hints (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    undos INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat, ply, undos)
);
INSERT INTO "hints" VALUES(1,1,1,0);
INSERT INTO "hints" VALUES(2,0,3,0);
CREATE TABLE hurried (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);
INSERT INTO "hurried" VALUES(1,102);
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
INSERT INTO "members" VALUES(1,0,101,'Ada',NULL,1,0);
INSERT INTO "members" VALUES(1,1,102,'Ben',NULL,2,0);
INSERT INTO "members" VALUES(1,2,NULL,'Merlin','strong',0,0);
INSERT INTO "members" VALUES(2,0,101,'Ada',NULL,1,0);
INSERT INTO "members" VALUES(2,1,102,'Ben',NULL,0,0);
INSERT INTO "members" VALUES(3,0,101,'Ada',NULL,NULL,0);
CREATE TABLE messages (
    message_id BIGINT PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    kind TEXT NOT NULL,
    channel_id BIGINT NOT NULL,
    person_id BIGINT,
    ply INTEGER NOT NULL
);
INSERT INTO "messages" VALUES(81,1,'board',500,NULL,2);
INSERT INTO "messages" VALUES(82,1,'hand',600,102,2);
CREATE TABLE people (
    person_id BIGINT PRIMARY KEY,
    language TEXT,
    dm_closed INTEGER NOT NULL CHECK (dm_closed IN (0, 1))
, zone TEXT, quiet_from INTEGER, quiet_to INTEGER, dm_too INTEGER NOT NULL DEFAULT 0 CHECK (dm_too IN (0, 1)));
INSERT INTO "people" VALUES(102,'en',1,'Europe/Berlin',1320,420,1);
CREATE TABLE plans (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    move TEXT NOT NULL,
    answer_to TEXT
);
INSERT INTO "plans" VALUES(1,1,102,'K6','K4');
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    person_id BIGINT NOT NULL,
    text TEXT NOT NULL,
    used_at BIGINT NOT NULL
);
INSERT INTO "records" VALUES(1,102,'Tafelrunde record 1',1785585700);
CREATE TABLE seat_offers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    person_id BIGINT,
    offered_at BIGINT NOT NULL,
    PRIMARY KEY (table_id, seat)
);
INSERT INTO "seat_offers" VALUES(1,0,103,1785585820);
CREATE TABLE servers (
    guild_id BIGINT PRIMARY KEY,
    language TEXT,
    channels TEXT NOT NULL,
    opener_role BIGINT
, quiet_limit INTEGER NOT NULL DEFAULT 10, tables_limit INTEGER);
INSERT INTO "servers" VALUES(900,'de','[500,501]',7,8,3);
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
, undos INTEGER NOT NULL DEFAULT 0);
INSERT INTO "tables" VALUES(1,'K7Q2','lancelot',1,900,500,101,'de','running','{"komi":7,"seating":"lot"}',3,'5eed',NULL,2,1,NULL,1785585600,1785585720,1);
INSERT INTO "tables" VALUES(2,'M3X9','lancelot',1,900,501,101,'de','finished','{"komi":7}',2,'5eed',NULL,1,-1,'{"ranks":[2,1]}',1785585600,1785585780,0);
INSERT INTO "tables" VALUES(3,'T4WD','lancelot',1,NULL,502,101,'de','parked','{"name":"Gral „ß“"}',NULL,'5eed',2,0,-1,NULL,1785585600,1785585840,0);
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
INSERT INTO "turns" VALUES(1,1,1,1,1,101,1785585660,86400,1785672060,1,1785672060,0);
INSERT INTO "turns" VALUES(2,1,2,2,1,102,1785585720,86400,1785672120,0,NULL,NULL);
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
INSERT INTO "undone_events" VALUES(1,1,2,1,'K5',1785585805,101,74);
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
INSERT INTO "undos" VALUES(1,1,2,1,101,'[102]','[[1,"K5"]]',1785585810,1);
CREATE TABLE unlisted (
    person_id BIGINT PRIMARY KEY
);
INSERT INTO "unlisted" VALUES(102);
CREATE TABLE votes (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    kind TEXT NOT NULL,
    seat INTEGER,
    subject TEXT NOT NULL,
    rule TEXT NOT NULL,
    choices TEXT NOT NULL,
    fallback TEXT NOT NULL,
    asked_by BIGINT,
    asked_at BIGINT NOT NULL,
    closes_at BIGINT,
    decision TEXT,
    done INTEGER NOT NULL CHECK (done IN (0, 1))
);
INSERT INTO "votes" VALUES(1,1,'end',NULL,'{}','majority','["yes","no"]','no',101,1785585800,1785845000,NULL,0);
CREATE UNIQUE INDEX one_open_table_per_channel ON tables (channel_id)
    WHERE status IN ('lobby', 'running');
CREATE INDEX tables_by_channel ON tables (channel_id, moved_at);
CREATE INDEX tables_by_status ON tables (status);
CREATE INDEX members_by_person ON members (person_id);
CREATE INDEX messages_by_table ON messages (table_id, kind);
CREATE INDEX votes_by_table ON votes (table_id);
CREATE INDEX unfinished_votes ON votes (closes_at) WHERE done = 0;
CREATE INDEX plans_by_table ON plans (table_id, person_id);
CREATE INDEX followers_by_person ON followers (person_id);
CREATE INDEX records_by_person ON records (person_id, used_at);
CREATE UNIQUE INDEX one_open_turn_per_seat ON turns (table_id, seat) WHERE time_left IS NULL;
CREATE INDEX turns_by_table ON turns (table_id, seat);
CREATE INDEX deadlines_by_time ON deadlines (due_at);
COMMIT;
