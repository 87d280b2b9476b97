-- +goose Up
-- What is searched of a receiver, folded: SQLite folds letters of ASCII alone.
ALTER TABLE receivers ADD COLUMN search TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE receivers DROP COLUMN search;
