-- +goose Up

-- What has shown that the database is older than the world outside, although the record kept outside of it did not.
ALTER TABLE rereadings ADD COLUMN sign TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE rereadings DROP COLUMN sign;
