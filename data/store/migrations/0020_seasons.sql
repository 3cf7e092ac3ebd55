-- Seasons of servers, ratings in each of them, and what people have won.

-- A match belongs to the season in which it was finished. zone: by whose calendar it ends.
-- final: no season follows it. closed: it is over, and its trophies have been given.
CREATE TABLE seasons (
    guild_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    length TEXT NOT NULL CHECK (length IN ('month', 'quarter', 'year')),
    zone TEXT NOT NULL,
    begins_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    final INTEGER NOT NULL DEFAULT 0 CHECK (final IN (0, 1)),
    closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
    PRIMARY KEY (guild_id, number)
);

-- season: 0: all time. streak, longest: victories in a row, now and at most; version_20.py counts
-- them in the matches there are.
CREATE TABLE ratings_by_season (
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

INSERT INTO ratings_by_season
SELECT person_id, guild_id, game, 0, name, matches, won, uncounted, rating, mu, sigma, 0, 0
FROM ratings;

DROP TABLE ratings;

ALTER TABLE ratings_by_season RENAME TO ratings;

CREATE INDEX ratings_by_place ON ratings (guild_id, game, season, rating DESC, person_id)
    WHERE matches > 0;

-- kind: what was won: a season, a tournament ... source, game: which of them, so that it counts
-- once. guild_id: NULL: on no server. title: what it is called, in the words of its kind.
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
