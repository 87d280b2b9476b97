-- +goose Up

-- A commit that has no other purpose inserts a row here and deletes it again: it proves that the database confirms
-- commits, and with it everything that was committed before.
CREATE TABLE confirmations (
    id TEXT NOT NULL PRIMARY KEY
);

-- +goose Down
DROP TABLE confirmations;
