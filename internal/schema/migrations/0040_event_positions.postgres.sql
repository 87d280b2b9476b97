-- +goose Up
-- How far a reader of changes has come. On PostgreSQL, where writers commit side by side, it is the number of the
-- transaction that wrote the row: a snapshot says up to which number all have ended.
ALTER TABLE events ADD COLUMN position BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text::bigint);
CREATE INDEX events_position ON events (position);

-- +goose Down
DROP INDEX events_position;
ALTER TABLE events DROP COLUMN position;
