-- +goose Up
-- Where an organisation wants to be told of its events. keys are sealed: those that sign now, each with its end.
CREATE TABLE webhook_endpoints (
    id            TEXT    NOT NULL PRIMARY KEY,
    organisation  TEXT    NOT NULL,
    url           TEXT    NOT NULL,
    description   TEXT    NOT NULL,
    types         TEXT    NOT NULL,               -- joined by commas; none: all
    body          TEXT    NOT NULL,               -- FULL or THIN
    api_version   TEXT    NOT NULL,
    enabled       BOOLEAN NOT NULL,
    off_reason    TEXT    NOT NULL,               -- why the service switched it off
    failing_since BIGINT  NOT NULL,               -- first failure after the last success; 0: it works
    keys          TEXT    NOT NULL,
    deleted       BOOLEAN NOT NULL,
    version       BIGINT  NOT NULL,
    created_at    BIGINT  NOT NULL,
    updated_at    BIGINT  NOT NULL
);
CREATE INDEX webhook_endpoints_organisation ON webhook_endpoints (organisation, id);

-- What an endpoint is told. The body's bytes are made once, so that each try sends the same. round is '' for what the feed
-- brought, or the replay or resending that asked for it again.
CREATE TABLE webhook_deliveries (
    id           TEXT   NOT NULL PRIMARY KEY,
    organisation TEXT   NOT NULL,
    endpoint     TEXT   NOT NULL,
    event        TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    object       TEXT   NOT NULL,
    number       BIGINT NOT NULL,
    round        TEXT   NOT NULL,
    body         TEXT   NOT NULL,
    status       TEXT   NOT NULL,                 -- PENDING, DELIVERED or FAILED
    attempts     BIGINT NOT NULL,
    next_at      BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    ended_at     BIGINT NOT NULL,
    version      BIGINT NOT NULL
);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (endpoint, event, round);
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint, status, number, id);
CREATE INDEX webhook_deliveries_object ON webhook_deliveries (endpoint, object, status, number);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);

-- Each try: what was sent and what came back.
CREATE TABLE webhook_attempts (
    id             TEXT   NOT NULL PRIMARY KEY,
    organisation   TEXT   NOT NULL,
    delivery       TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    elapsed_micros BIGINT NOT NULL,
    http_status    BIGINT NOT NULL,               -- 0: there was no answer
    problem        TEXT   NOT NULL,
    signature      TEXT   NOT NULL,
    answer         TEXT   NOT NULL                -- the first 16 kB
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery, id);

-- An organisation asks for a range of its feed again. next is the number that is looked at next.
CREATE TABLE webhook_replays (
    id           TEXT    NOT NULL PRIMARY KEY,
    organisation TEXT    NOT NULL,
    endpoint     TEXT    NOT NULL,
    next_number  BIGINT  NOT NULL,
    last_number  BIGINT  NOT NULL,
    only_failed  BOOLEAN NOT NULL,
    made         BIGINT  NOT NULL,
    version      BIGINT  NOT NULL,
    created_at   BIGINT  NOT NULL
);

-- +goose Down
DROP TABLE webhook_replays;
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
DROP TABLE webhook_endpoints;
