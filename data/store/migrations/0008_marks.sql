-- Who may not sit down at a table goes by a mark, which outlasts the deletion of the person and
-- names no one. version_8.py carries over who was sent away from tables that are not over.

ALTER TABLE barred RENAME TO barred_7;

CREATE TABLE barred (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    mark BIGINT NOT NULL,
    PRIMARY KEY (table_id, mark)
);

-- What people wanted at tables that are over serves nothing any more.
DELETE FROM plans WHERE table_id IN (SELECT id FROM tables WHERE status IN ('finished', 'ended'));
DELETE FROM hurried WHERE table_id IN (SELECT id FROM tables WHERE status IN ('finished', 'ended'));
DELETE FROM offers WHERE table_id IN (SELECT id FROM tables WHERE status IN ('finished', 'ended'));
