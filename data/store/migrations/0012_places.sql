-- A channel holds any number of tables. What becomes of old boards, and whether tables get a thread
-- of their own where that is possible, is a setting of the server.

DROP INDEX one_open_table_per_channel;

ALTER TABLE servers ADD COLUMN boards TEXT NOT NULL DEFAULT 'fold';
ALTER TABLE servers ADD COLUMN threads INTEGER NOT NULL DEFAULT 1;
