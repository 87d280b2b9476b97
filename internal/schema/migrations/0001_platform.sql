-- +goose Up
CREATE TABLE replicas (
    id      TEXT PRIMARY KEY,              -- a process that works on this database; leases name it as their owner
    beat_at BIGINT NOT NULL                -- by the database's clock; one that is silent is gone, and its leases end
);

CREATE TABLE jobs (
    id          TEXT PRIMARY KEY,
    kind        TEXT   NOT NULL,
    key         TEXT   NOT NULL,           -- one live job per key
    payload     TEXT   NOT NULL,
    run_at      BIGINT NOT NULL,           -- due from then on, by the database's clock
    planned_at  BIGINT NOT NULL,           -- when run_at was chosen; in the future: the clock was set back since
    owner       TEXT   NOT NULL DEFAULT '', -- the replica that holds the job, or held it last
    lease_until BIGINT NOT NULL DEFAULT 0, -- a worker that holds a job past this has lost it
    fence       BIGINT NOT NULL DEFAULT 0, -- rises with each claim; a worker's writes carry the one it was given
    attempts    BIGINT NOT NULL DEFAULT 0, -- failures in a row
    wakes       BIGINT NOT NULL DEFAULT 0, -- rises with each wake-up, so that one that comes while the job runs is not lost
    dead        BOOLEAN NOT NULL DEFAULT FALSE,
    last_error  TEXT   NOT NULL DEFAULT '',
    created_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX jobs_key ON jobs (key);
CREATE INDEX jobs_due ON jobs (dead, run_at);

CREATE TABLE idempotency (
    scope       TEXT   NOT NULL,           -- organisation, credential, method, path
    key         TEXT   NOT NULL,
    fingerprint TEXT   NOT NULL,           -- SHA-256 of the canonical body
    status      BIGINT NOT NULL,
    headers     TEXT   NOT NULL DEFAULT '',
    body        BYTEA  NOT NULL,           -- sealed
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE events (
    id           TEXT   NOT NULL,          -- time-ordered
    type         TEXT   NOT NULL,
    organisation TEXT   NOT NULL,
    object       TEXT   NOT NULL,          -- the record it is about
    sequence     BIGINT NOT NULL,          -- the record's version: strictly rising per object
    data         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (organisation, id)         -- the order of an organisation's feed; one index, since every change adds a row
);

CREATE TABLE audit_log (
    id           TEXT   NOT NULL,          -- time-ordered
    organisation TEXT   NOT NULL,
    actor        TEXT   NOT NULL,          -- user or API client or 'system'
    action       TEXT   NOT NULL,
    object       TEXT   NOT NULL,
    request_id   TEXT   NOT NULL,
    source       TEXT   NOT NULL,          -- where from: the address of the caller
    detail       TEXT   NOT NULL DEFAULT '',
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (organisation, id)
);

-- +goose Down
DROP TABLE audit_log;
DROP TABLE events;
DROP TABLE idempotency;
DROP TABLE jobs;
DROP TABLE replicas;
