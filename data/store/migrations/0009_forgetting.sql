-- People who are being forgotten, with the number and the name that stand for them in the games of
-- others. The row is the last thing of theirs to be deleted.

CREATE TABLE forgetting (
    person_id BIGINT PRIMARY KEY,
    stranger BIGINT NOT NULL,
    pseudonym TEXT NOT NULL
);
