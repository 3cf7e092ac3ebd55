-- Ratings as rows that each finished match carries on; version_11.py makes them of those there are.

-- Finished matches in the order in which they were finished: what ratings follow from.
CREATE TABLE finished (
    number INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL UNIQUE REFERENCES tables (id)
);

-- guild_id: -1: all servers together. won: first places. mu, sigma: the model's terms.
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

CREATE INDEX ratings_by_place ON ratings (guild_id, game, rating DESC, person_id)
    WHERE matches > 0;
