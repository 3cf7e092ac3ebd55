-- Steps of lessons that people have solved, by the keys of the steps.
CREATE TABLE lessons (
    person_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    step TEXT NOT NULL,
    PRIMARY KEY (person_id, game, step)
);
