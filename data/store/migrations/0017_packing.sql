-- Journals of tables that have been over for a while, packed by data/store/packing.py. What a
-- later migration does to the journal, it does to these lines, too.

-- lines: of a table, from the first to that of the number in tables.packed_to.
CREATE TABLE packed (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    lines BYTEA NOT NULL,
    PRIMARY KEY (table_id)
);

ALTER TABLE tables ADD COLUMN packed_to INTEGER NOT NULL DEFAULT 0;

CREATE INDEX tables_to_pack ON tables (moved_at, id)
    WHERE status IN ('finished', 'ended') AND packed_to < revision;
