PRAGMA journal_mode = WAL;
PRAGMA application_id = 1415669356;
PRAGMA user_version = 16;
BEGIN TRANSACTION;
CREATE TABLE barred (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    mark BIGINT NOT NULL,
    PRIMARY KEY (table_id, mark)
);
INSERT INTO "barred" VALUES(3,3428055083);
CREATE TABLE finished (
    number INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL UNIQUE REFERENCES tables (id)
);
INSERT INTO "finished" VALUES(1,2);
CREATE TABLE followers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);
INSERT INTO "followers" VALUES(1,103);
INSERT INTO "followers" VALUES(1,104);
CREATE TABLE forgetting (
    person_id BIGINT PRIMARY KEY,
    stranger BIGINT NOT NULL,
    pseudonym TEXT NOT NULL
);
INSERT INTO "forgetting" VALUES(104,-77,'Fremde 4');
CREATE TABLE hurried (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);
INSERT INTO "hurried" VALUES(1,102);
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
INSERT INTO "journal" VALUES(1,1,'open',NULL,101,'',1785585600,NULL);
INSERT INTO "journal" VALUES(1,2,'start',NULL,101,'{"seating":[2,0,1]}',1785585660,NULL);
INSERT INTO "journal" VALUES(1,3,'draw',-1,NULL,'deal:3',1785585660,71);
INSERT INTO "journal" VALUES(1,4,'move',1,101,'K4',1785585720,72);
INSERT INTO "journal" VALUES(1,5,'move',1,101,'K5',1785585805,74);
INSERT INTO "journal" VALUES(1,6,'undo',1,101,'{"out":[5],"moves":[[1,"K5"]],"agreed":[102]}',1785585810,NULL);
INSERT INTO "journal" VALUES(1,7,'hint',1,NULL,'3',1785585720,NULL);
INSERT INTO "journal" VALUES(1,8,'ask',NULL,101,'end',1785585800,NULL);
INSERT INTO "journal" VALUES(1,9,'plan',2,102,'',1785585720,NULL);
INSERT INTO "journal" VALUES(1,10,'offer',0,NULL,'',1785585820,NULL);
INSERT INTO "journal" VALUES(2,1,'open',NULL,101,'',1785585600,NULL);
INSERT INTO "journal" VALUES(2,2,'start',NULL,101,'{"seating":[1,0]}',1785585600,NULL);
INSERT INTO "journal" VALUES(2,3,'move',0,102,'P',1785585780,73);
INSERT INTO "journal" VALUES(2,4,'hint',0,NULL,'3',1785585780,NULL);
INSERT INTO "journal" VALUES(2,5,'finish',NULL,NULL,'',1785585780,NULL);
INSERT INTO "journal" VALUES(3,1,'open',NULL,101,'',1785585600,NULL);
INSERT INTO "journal" VALUES(1,11,'follow',NULL,104,'',1785589200,75);
CREATE TABLE lessons (
    person_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    step TEXT NOT NULL,
    PRIMARY KEY (person_id, game, step)
);
INSERT INTO "lessons" VALUES(101,'lancelot','taking');
CREATE TABLE members (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    person_id BIGINT,
    name TEXT NOT NULL,
    level TEXT,
    seat INTEGER,
    resigned INTEGER NOT NULL CHECK (resigned IN (0, 1)), word TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (table_id, number),
    UNIQUE (table_id, person_id),
    UNIQUE (table_id, seat)
);
INSERT INTO "members" VALUES(1,0,101,'Ada',NULL,1,0,'');
INSERT INTO "members" VALUES(1,1,102,'Ben',NULL,2,0,'');
INSERT INTO "members" VALUES(1,2,NULL,'Merlin','strong',0,0,'');
INSERT INTO "members" VALUES(2,0,101,'Ada',NULL,1,0,'');
INSERT INTO "members" VALUES(2,1,102,'Ben',NULL,0,0,'');
INSERT INTO "members" VALUES(3,0,101,'Ada',NULL,NULL,0,'Drache');
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
INSERT INTO "messages" VALUES(1,'hand:102:0',600,102,82,NULL,'{"strip": true}',1,0,0,0);
INSERT INTO "messages" VALUES(1,'board:0',500,NULL,81,'f00d','{"strip": true}',1,0,0,3);
INSERT INTO "messages" VALUES(1,'vote:7',500,NULL,NULL,NULL,NULL,0,0,1785589260,0);
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
INSERT INTO "occasion_journal" VALUES(1,1,'open',101,'',1785585600,90);
INSERT INTO "occasion_journal" VALUES(1,2,'enter',102,'',1785585660,91);
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
INSERT INTO "occasion_messages" VALUES(1,'relay',500,NULL,77,NULL,NULL,1,0,1785585600,0);
CREATE TABLE occasion_people (
    occasion_id INTEGER NOT NULL REFERENCES occasions (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (occasion_id, person_id)
);
INSERT INTO "occasion_people" VALUES(1,101);
INSERT INTO "occasion_people" VALUES(1,102);
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
INSERT INTO "occasions" VALUES(1,'H4RD','relay',NULL,900,500,101,'de','{"names":{"101":"Anna","102":"Ben"}}',0,1785585600,1785585660,2,1785589200,2);
CREATE TABLE offers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    number INTEGER NOT NULL,
    person_id BIGINT,
    PRIMARY KEY (table_id, seat)
);
INSERT INTO "offers" VALUES(1,0,10,103);
CREATE TABLE people (
    person_id BIGINT PRIMARY KEY,
    language TEXT,
    dm_closed INTEGER NOT NULL CHECK (dm_closed IN (0, 1))
, zone TEXT, quiet_from INTEGER, quiet_to INTEGER, dm_too INTEGER NOT NULL DEFAULT 0 CHECK (dm_too IN (0, 1)), dm_channel BIGINT, coach INTEGER NOT NULL DEFAULT 0 CHECK (coach IN (0, 1)));
INSERT INTO "people" VALUES(102,'en',1,'Europe/Berlin',1320,420,1,600,1);
CREATE TABLE plans (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    person_id BIGINT NOT NULL,
    move TEXT NOT NULL,
    answer_to TEXT,
    PRIMARY KEY (table_id, number)
);
INSERT INTO "plans" VALUES(1,9,102,'K6','K4');
CREATE TABLE ratings (
    person_id BIGINT NOT NULL,
    guild_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    matches INTEGER NOT NULL,
    won INTEGER NOT NULL,
    uncounted INTEGER NOT NULL,
    rating INTEGER NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (person_id, guild_id, game)
);
INSERT INTO "ratings" VALUES(102,900,'lancelot','Ben',1,0,0,927,2.23646105068595026912e+01,8.06590141354368);
INSERT INTO "ratings" VALUES(101,900,'lancelot','Ada',1,1,0,1138,2.76353894931404973087e+01,8.06590141354368);
INSERT INTO "ratings" VALUES(102,-1,'lancelot','Ben',1,0,0,927,2.23646105068595026912e+01,8.06590141354368);
INSERT INTO "ratings" VALUES(101,-1,'lancelot','Ada',1,1,0,1138,2.76353894931404973087e+01,8.06590141354368);
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    person_id BIGINT NOT NULL,
    text TEXT NOT NULL,
    used_at BIGINT NOT NULL
);
INSERT INTO "records" VALUES(1,102,'Tafelrunde record 1',1785585700);
CREATE TABLE servers (
    guild_id BIGINT PRIMARY KEY,
    language TEXT,
    channels TEXT NOT NULL,
    opener_role BIGINT
, quiet_limit INTEGER NOT NULL DEFAULT 10, tables_limit INTEGER, boards TEXT NOT NULL DEFAULT 'fold', threads INTEGER NOT NULL DEFAULT 1, grandmasters INTEGER NOT NULL DEFAULT 0);
INSERT INTO "servers" VALUES(900,'de','[500,501]',7,8,3,'keep',0,1);
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
    result TEXT,
    created_at BIGINT NOT NULL,
    moved_at BIGINT NOT NULL
, revision INTEGER NOT NULL DEFAULT 0, told INTEGER NOT NULL DEFAULT 0, due_at BIGINT, secret TEXT, occasion_id INTEGER REFERENCES occasions (id), slot TEXT);
INSERT INTO "tables" VALUES(1,'K7Q2','lancelot',1,900,500,101,'de','running','{"komi":7,"seating":"lot"}',3,'5eed',NULL,NULL,1785585600,1785589200,11,10,1785661320,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(2,'M3X9','lancelot',1,900,501,101,'de','finished','{"komi":7}',2,'5eed',NULL,'{"ranks":[2,1],"by_people":true}',1785585600,1785585780,5,0,NULL,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(3,'T4WD','lancelot',1,NULL,502,101,'de','parked','{"name":"Gral „ß“"}',NULL,'',2,NULL,1785585600,1785585840,1,0,NULL,'5ec2e70000000000000000000000000000000000000000000000000000000000',NULL,NULL);
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
INSERT INTO "turns" VALUES(1,1,3,0,101,1785585660,86400,1785672060,'{}',1,1785672060,0,0);
INSERT INTO "turns" VALUES(1,2,4,1,102,1785585720,86400,1785672120,'{"soon":1785661320,"end":1785672120}',0,NULL,NULL,1);
CREATE TABLE unlisted (
    person_id BIGINT PRIMARY KEY
);
INSERT INTO "unlisted" VALUES(102);
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
INSERT INTO "votes" VALUES(1,8,'end',NULL,'{}','majority','["yes","no"]','no',101,1785585800,1785845000,'[[101,"yes"],[102,null]]',NULL,NULL);
CREATE INDEX tables_by_channel ON tables (channel_id, moved_at);
CREATE INDEX tables_by_status ON tables (status);
CREATE INDEX members_by_person ON members (person_id);
CREATE INDEX followers_by_person ON followers (person_id);
CREATE INDEX records_by_person ON records (person_id, used_at);
CREATE INDEX tables_by_due ON tables (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tables_behind ON tables (id) WHERE told < revision;
CREATE INDEX tables_by_guild ON tables (guild_id, status);
CREATE INDEX turns_helped ON turns (table_id) WHERE helped = 1;
CREATE INDEX messages_by_id ON messages (message_id);
CREATE INDEX ratings_by_place ON ratings (guild_id, game, rating DESC, person_id)
    WHERE matches > 0;
CREATE INDEX occasions_by_server ON occasions (guild_id, kind);
CREATE INDEX occasions_due ON occasions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX occasions_of_person ON occasion_people (person_id);
CREATE UNIQUE INDEX one_table_per_slot ON tables (occasion_id, slot) WHERE occasion_id IS NOT NULL;
COMMIT;
