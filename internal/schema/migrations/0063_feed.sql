-- +goose Up
-- The events of each organisation in the order in which they were committed, numbered without a gap. A sealer writes it
-- behind the events, because what numbers a transaction knows of itself are made before it commits.
CREATE TABLE feed (
    organisation TEXT   NOT NULL,
    number       BIGINT NOT NULL,
    event        TEXT   NOT NULL,
    sealed_at    BIGINT NOT NULL,
    PRIMARY KEY (organisation, number)
);
CREATE UNIQUE INDEX feed_event ON feed (event);
CREATE INDEX feed_sealed_at ON feed (sealed_at);

-- Up to which position of events everything has a number. Its version lets one sealer write at a time.
CREATE TABLE feed_head (
    id       TEXT   NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL,
    version  BIGINT NOT NULL
);
INSERT INTO feed_head (id, position, version) VALUES ('feed', 0, 1);

-- +goose Down
DROP TABLE feed_head;
DROP TABLE feed;
