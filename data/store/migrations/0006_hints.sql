-- Hints that were given, one row for each decision: asking again for the same one costs nothing.

CREATE TABLE hints (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    undos INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat, ply, undos)
);
