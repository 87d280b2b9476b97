-- +goose Up
-- How far a reader of changes has come. On SQLite, where one writer commits after the other, it is the row's number. The
-- first migration's key becomes a unique index, which is what it was in the file.
CREATE TABLE events_in_order (
    position     INTEGER PRIMARY KEY,
    id           TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    organisation TEXT   NOT NULL,
    object       TEXT   NOT NULL,
    sequence     BIGINT NOT NULL,
    data         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    UNIQUE (organisation, id)
);
INSERT INTO events_in_order (id, type, organisation, object, sequence, data, created_at)
    SELECT id, type, organisation, object, sequence, data, created_at FROM events ORDER BY created_at, id;
DROP TABLE events;
ALTER TABLE events_in_order RENAME TO events;

-- +goose Down
CREATE TABLE events_before (
    id           TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    organisation TEXT   NOT NULL,
    object       TEXT   NOT NULL,
    sequence     BIGINT NOT NULL,
    data         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (organisation, id)
);
INSERT INTO events_before (id, type, organisation, object, sequence, data, created_at)
    SELECT id, type, organisation, object, sequence, data, created_at FROM events ORDER BY position;
DROP TABLE events;
ALTER TABLE events_before RENAME TO events;
