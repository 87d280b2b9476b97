-- +goose Up

-- How many receivers an organisation has deleted. A draft in memory whose receivers were there at this number has them
-- still.
CREATE TABLE receiver_deletions (
    organisation TEXT   PRIMARY KEY,
    n            BIGINT NOT NULL
);
INSERT INTO receiver_deletions (organisation, n)
    SELECT organisation, count(*) FROM receivers WHERE deleted_at <> 0 GROUP BY organisation;

-- +goose Down
DROP TABLE receiver_deletions;
