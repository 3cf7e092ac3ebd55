-- Whether a person wants to be asked before a move that loses clearly counts.
ALTER TABLE people ADD COLUMN coach INTEGER NOT NULL DEFAULT 0 CHECK (coach IN (0, 1));
