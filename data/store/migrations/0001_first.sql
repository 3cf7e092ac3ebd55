-- Times are whole seconds since 1970 (UTC). JSON is text. Discord's ids need 64 bits; person_id,
-- guild_id, channel_id, message_id and interaction_id are such ids, except that a negative
-- person_id stands for a forgotten person. Booleans are 0 or 1.

-- ------------------------------------------------------------------------------------ occasions
-- Tournaments, seeks, seasons, daily posts. state: JSON; the kind of occasion defines its format.
-- scope: at most one occasion has it, such as a server's season. host_id: the person who began it
-- or last chose its channel; NULL: nobody. due_at: when the bot must act next; NULL: never. told:
-- the revision that all messages show.
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

-- Append-only, except that forgetting a person rewrites lines. number: from 1 without gaps; the
-- last one is the occasion's revision.
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

-- The people named in an occasion's state.
CREATE TABLE occasion_people (
    occasion_id INTEGER NOT NULL REFERENCES occasions (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (occasion_id, person_id)
);
CREATE INDEX occasions_of_person ON occasion_people (person_id);

-- The columns are those of the table messages.
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

-- --------------------------------------------------------------------------------------- tables
-- A match, from its lobby on. rules: the version of the game's rules. occasion_id, slot: the
-- occasion that opened the table, and the table's role in it; NULL: a person opened it. home_id: if
-- the table is in a thread, the channel where somebody asked for it; otherwise NULL. options: JSON.
-- players: NULL until the start. secret, seed: all chance follows from the seed, which is derived
-- from the secret at the start and is empty before. due_at: when the bot must act next; NULL:
-- never. told: the revision that all messages show. packed_to: the last journal line that is in
-- packed.
CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    guild_id BIGINT,
    channel_id BIGINT NOT NULL,
    host_id BIGINT NOT NULL,
    language TEXT NOT NULL,
    occasion_id INTEGER REFERENCES occasions (id),
    slot TEXT,
    home_id BIGINT,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'finished', 'ended', 'parked')),
    options TEXT NOT NULL,
    wanted_players INTEGER,
    players INTEGER,
    secret TEXT NOT NULL,
    seed TEXT NOT NULL,
    result TEXT,
    created_at BIGINT NOT NULL,
    moved_at BIGINT NOT NULL,
    revision INTEGER NOT NULL,
    due_at BIGINT,
    told INTEGER NOT NULL DEFAULT 0,
    packed_to INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX tables_by_channel ON tables (channel_id, moved_at);
CREATE INDEX tables_by_guild ON tables (guild_id, status);
CREATE INDEX tables_by_status ON tables (status);
CREATE INDEX tables_by_due ON tables (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tables_behind ON tables (id) WHERE told < revision;
CREATE INDEX tables_to_pack ON tables (moved_at, id)
    WHERE status IN ('finished', 'ended') AND packed_to < revision;
CREATE UNIQUE INDEX one_table_per_slot ON tables (occasion_id, slot) WHERE occasion_id IS NOT NULL;

-- number: in order of joining; the host is 0. person_id: NULL: a computer player from the start.
-- level: the level of the computer player that moves for the seat; NULL: the person moves. word:
-- the lucky word.
CREATE TABLE members (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    person_id BIGINT,
    name TEXT NOT NULL,
    level TEXT,
    seat INTEGER,
    resigned INTEGER NOT NULL CHECK (resigned IN (0, 1)),
    word TEXT NOT NULL,
    PRIMARY KEY (table_id, number),
    UNIQUE (table_id, person_id),
    UNIQUE (table_id, seat)
);
CREATE INDEX members_by_person ON members (person_id);

-- Append-only, except that forgetting a person rewrites lines, and packing moves them to packed.
-- number: from 1 without gaps; the last one is the table's revision. seat: -1: chance.
-- interaction_id: the press or command that caused the line; unique, so that it counts once.
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
CREATE INDEX invitations_by_person ON journal (person_id) WHERE kind = 'invite';

-- The journals of tables that ended long ago, packed by data/store/packing.py. A migration that
-- changes the journal must change these lines as well. lines: the lines up to tables.packed_to.
CREATE TABLE packed (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    lines BYTEA NOT NULL,
    PRIMARY KEY (table_id)
);

-- Votes. asked, settled: the journal lines that asked and settled it. subject, choices: JSON.
-- answers: JSON, a list of [person, answer] in order. closes_at: NULL: never.
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

-- The decisions that people owe while others wait, with their clocks. decision: the journal line
-- after which it opened. place: the order of the rows. budget, time_left: seconds; time_left is
-- NULL while the clock runs. alarms: JSON, times by kind. helped: a computer player decides it.
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

-- Moves planned ahead. number: the journal line that planned it. answer_to: play it only after this
-- move.
CREATE TABLE plans (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    person_id BIGINT NOT NULL,
    move TEXT NOT NULL,
    answer_to TEXT,
    PRIMARY KEY (table_id, number)
);

-- Seats on offer. number: the journal line that offered it. person_id: NULL: anybody may take it.
CREATE TABLE offers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    number INTEGER NOT NULL,
    person_id BIGINT,
    PRIMARY KEY (table_id, seat)
);

-- People who may not sit down. mark: identifies nobody, so it stays when the person is forgotten.
CREATE TABLE barred (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    mark BIGINT NOT NULL,
    PRIMARY KEY (table_id, mark)
);

-- People whose only legal move is played for them.
CREATE TABLE hurried (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);

-- People who want to hear how the match ends.
CREATE TABLE followers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);
CREATE INDEX followers_by_person ON followers (person_id);

-- People who want no notifications from the table.
CREATE TABLE muted (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);

-- The bot's messages. key: of the surface that the message shows. message_id: NULL: being posted.
-- stands: the fingerprint of its content; NULL: unknown. rest: JSON, what to do with the message
-- once its surface is no longer wanted; NULL: leave it as it is. final: it never changes again.
-- since: when the bot first tried to post it. told_from: the revision that the messages showed when
-- this one was begun.
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

-- ------------------------------------------------------------------------------------- settings
-- language: the one that the person last used on Discord; NULL: not known yet. quiet_from,
-- quiet_to: quiet hours, in minutes after midnight in the person's zone. call_at: where the bot
-- calls the person; NULL: the game decides. dm_channel: NULL: not known yet. away: JSON, holidays
-- as [begins, ends]. blocked_ids: JSON.
CREATE TABLE people (
    person_id BIGINT PRIMARY KEY,
    language TEXT CHECK (length(language) = 2),
    zone TEXT,
    quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
    quiet_to INTEGER CHECK (quiet_to BETWEEN 0 AND 1439),
    away TEXT NOT NULL,
    call_at TEXT CHECK (call_at IN ('dm', 'table')),
    dm_closed INTEGER NOT NULL CHECK (dm_closed IN (0, 1)),
    dm_channel BIGINT,
    coach INTEGER NOT NULL CHECK (coach IN (0, 1)),
    blocked_ids TEXT NOT NULL
);

-- People whose ratings and statistics are hidden.
CREATE TABLE unlisted (
    person_id BIGINT PRIMARY KEY
);

-- language: NULL: the server's language on Discord. channels: JSON, where people may open tables;
-- empty: anywhere. opener_role: NULL: anybody may open tables. quiet_limit: the most hours per turn
-- that a clock stops for quiet hours. away_limit: the most days that clocks stop for a holiday.
-- tables_limit: open tables per person; NULL: any number. boards: which boards stay in a channel.
-- seek_channel: NULL: seeks are not shown.
CREATE TABLE servers (
    guild_id BIGINT PRIMARY KEY,
    language TEXT CHECK (length(language) = 2),
    channels TEXT NOT NULL,
    opener_role BIGINT,
    quiet_limit INTEGER NOT NULL CHECK (quiet_limit >= 0),
    away_limit INTEGER NOT NULL CHECK (away_limit >= 0),
    tables_limit INTEGER CHECK (tables_limit > 0),
    boards TEXT NOT NULL CHECK (boards IN ('clean', 'lines', 'keep')),
    threads INTEGER NOT NULL CHECK (threads IN (0, 1)),
    grandmasters INTEGER NOT NULL CHECK (grandmasters IN (0, 1)),
    seek_channel BIGINT,
    seek_abroad INTEGER NOT NULL CHECK (seek_abroad IN (0, 1))
);

-- ---------------------------------------------------------------------------- ratings and trophies
-- Finished matches in order; ratings are computed from them.
CREATE TABLE finished (
    number INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL UNIQUE REFERENCES tables (id)
);

-- guild_id: -1: all servers and direct messages together. season: 0: all time. won: first places.
-- mu, sigma: estimated skill and its uncertainty. streak, longest: wins in a row, current and
-- longest.
CREATE TABLE ratings (
    person_id BIGINT NOT NULL,
    guild_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    season INTEGER NOT NULL,
    name TEXT NOT NULL,
    matches INTEGER NOT NULL,
    won INTEGER NOT NULL,
    uncounted INTEGER NOT NULL,
    rating INTEGER NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    streak INTEGER NOT NULL,
    longest INTEGER NOT NULL,
    PRIMARY KEY (person_id, guild_id, game, season)
);
CREATE INDEX ratings_by_place ON ratings (guild_id, game, season, rating DESC, person_id)
    WHERE matches > 0;

-- A match belongs to the season in which it was finished. zone: the time zone whose calendar sets
-- its end. final: no season follows. closed: it is over and its trophies have been awarded.
CREATE TABLE seasons (
    guild_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    length TEXT NOT NULL CHECK (length IN ('month', 'quarter', 'year')),
    zone TEXT NOT NULL,
    begins_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    final INTEGER NOT NULL CHECK (final IN (0, 1)),
    closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
    PRIMARY KEY (guild_id, number)
);

-- kind: season, tournament ... source: which season or tournament. guild_id: NULL: no server.
-- title: its name; the kind defines the format.
CREATE TABLE trophies (
    person_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    game TEXT NOT NULL,
    guild_id BIGINT,
    place INTEGER NOT NULL,
    title TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person_id, kind, source, game)
);
CREATE INDEX trophies_of_a_server ON trophies (guild_id, kind, at);

-- --------------------------------------------------------------------- riddles, deals and lessons
-- The riddle of each day. day: such as 2026-11-22, in UTC.
CREATE TABLE riddles (
    day TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    riddle TEXT NOT NULL
);

-- guild_id: the server where the person first answered or took a hint; 0: none. points: NULL until
-- the person has finished.
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

-- The deal of each day. secret: its seed is derived from it; the bot publishes it the day after.
CREATE TABLE deals (
    day TEXT PRIMARY KEY,
    secret TEXT NOT NULL
);

-- guild_id: the server where the person placed the first tile; 0: none. points: NULL until the
-- person has finished. shared: the person has shown the result to others.
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

-- Stops people from replaying a day's riddle or deal after they had everything deleted. mark:
-- identifies nobody.
CREATE TABLE begun_days (
    day TEXT NOT NULL,
    mark BIGINT NOT NULL,
    PRIMARY KEY (day, mark)
);

-- Steps of lessons that people have solved. step: its key.
CREATE TABLE lessons (
    person_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    step TEXT NOT NULL,
    PRIMARY KEY (person_id, game, step)
);

-- ----------------------------------------------------------------------------- records, forgetting
-- Match records that people uploaded. used_at: when their owner last looked at it.
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    person_id BIGINT NOT NULL,
    text TEXT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX records_by_person ON records (person_id, used_at);

-- People who are being forgotten. stranger, pseudonym: the number and name that replace theirs in
-- other people's matches. The bot deletes this row last.
CREATE TABLE forgetting (
    person_id BIGINT PRIMARY KEY,
    stranger BIGINT NOT NULL,
    pseudonym TEXT NOT NULL
);

-- ---------------------------------------------------------------------------------------- icons
-- The application's emojis, which all processes share. used_at: when a process last used it.
CREATE TABLE icons (
    name TEXT PRIMARY KEY,
    used_at BIGINT NOT NULL
);
