-- +goose Up

-- What has shown that the database is older than the world outside, although the record kept outside of it did not.
ALTER TABLE rereadings ADD COLUMN sign TEXT NOT NULL DEFAULT '';

-- Every sign that was seen, and the re-reading that has dealt with it. A sign is dealt with once.
CREATE TABLE rereading_signs (
    sign TEXT NOT NULL PRIMARY KEY,
    rereading TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE rereading_signs;
ALTER TABLE rereadings DROP COLUMN sign;
