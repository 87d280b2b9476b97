-- +goose Up
-- Which key everything of a column, or of a kind of files, was found sealed with: a job looks through those that stand under another one.
CREATE TABLE resealed (
    place  TEXT PRIMARY KEY, -- table and column
    key_id TEXT NOT NULL
);

-- +goose Down
DROP TABLE resealed;
