-- Computer players have five levels; the middle one was called "player" when there were three.
UPDATE members SET level = 'skilled' WHERE level = 'player';

-- Whether a server allows grandmasters, who think for ten seconds.
ALTER TABLE servers ADD COLUMN grandmasters INTEGER NOT NULL DEFAULT 0;
