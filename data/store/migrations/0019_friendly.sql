-- Holidays of a person, in which clocks rest as long as a server lets them, and whom the person has
-- blocked; tables of which somebody wants to hear nothing unasked.
ALTER TABLE people ADD COLUMN away TEXT NOT NULL DEFAULT '[]';
ALTER TABLE people ADD COLUMN blocked_ids TEXT NOT NULL DEFAULT '[]';
ALTER TABLE servers ADD COLUMN away_limit INTEGER NOT NULL DEFAULT 14;

-- Where a server shows who seeks a match, and whether its people may meet those of other servers.
ALTER TABLE servers ADD COLUMN seek_channel BIGINT;
ALTER TABLE servers ADD COLUMN seek_abroad INTEGER NOT NULL DEFAULT 0;

CREATE TABLE muted (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id)
);
