-- The lots of a match are drawn from a secret that was sealed before, lucky words, and the id of a
-- message. secret: NULL: the match had started before, with a seed drawn when the table opened.
-- seed: empty until the match starts.

ALTER TABLE tables ADD COLUMN secret TEXT;
ALTER TABLE members ADD COLUMN word TEXT NOT NULL DEFAULT '';
