-- Questions put to people at a table. A vote without a decision is open.

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

CREATE INDEX votes_by_table ON votes (table_id);
CREATE INDEX unfinished_votes ON votes (closes_at) WHERE done = 0;

CREATE TABLE answers (
    vote_id INTEGER NOT NULL REFERENCES votes (id),
    number INTEGER NOT NULL,
    person_id BIGINT NOT NULL,
    choice TEXT,
    PRIMARY KEY (vote_id, person_id)
);
