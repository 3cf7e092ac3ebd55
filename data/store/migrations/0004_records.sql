-- Match records that people brought along to look at.
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    person_id BIGINT NOT NULL,
    text TEXT NOT NULL,
    used_at BIGINT NOT NULL
);

CREATE INDEX records_by_person ON records (person_id, used_at);

-- Who does not want ratings and statistics to be shown.
CREATE TABLE unlisted (
    person_id BIGINT PRIMARY KEY
);
