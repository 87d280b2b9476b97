-- +goose Up
-- Rooms of Slack, Teams or Matrix that an organisation has told what waits and what has happened.
CREATE TABLE chat_channels (
    id            TEXT    NOT NULL PRIMARY KEY,
    organisation  TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    kind          TEXT    NOT NULL,               -- SLACK, TEAMS or MATRIX
    address       TEXT    NOT NULL,               -- of the incoming webhook, which lets anybody write: sealed
    language      TEXT    NOT NULL,
    news          TEXT    NOT NULL,               -- kinds, joined by commas
    enabled       BOOLEAN NOT NULL,
    off_reason    TEXT    NOT NULL,               -- why the service switched it off
    failures      BIGINT  NOT NULL,               -- sends in a row that were not taken
    next_at       BIGINT  NOT NULL,               -- nothing is sent before
    failing_since BIGINT  NOT NULL,               -- first failure after the last success; 0: it works
    problem       TEXT    NOT NULL,               -- of the newest failure
    sent_at       BIGINT  NOT NULL,               -- last success; 0: none
    created_by    TEXT    NOT NULL,
    deleted       BOOLEAN NOT NULL,
    version       BIGINT  NOT NULL,
    created_at    BIGINT  NOT NULL,
    updated_at    BIGINT  NOT NULL
);
CREATE INDEX chat_channels_organisation ON chat_channels (organisation, id);

-- What a room is told: which event, and nothing of what it says. It is written out when it is sent.
CREATE TABLE chat_messages (
    id           TEXT   NOT NULL PRIMARY KEY,
    organisation TEXT   NOT NULL,
    channel      TEXT   NOT NULL,
    event        TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    object       TEXT   NOT NULL,
    state        TEXT   NOT NULL,                 -- QUEUED, SENT, FAILED, UNWANTED or DOUBTFUL
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,                 -- of the event
    ended_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX chat_messages_once ON chat_messages (channel, event);
CREATE INDEX chat_messages_open ON chat_messages (channel, attempts, id) WHERE state = 'QUEUED';
CREATE INDEX chat_messages_created ON chat_messages (created_at);

-- +goose Down
DROP TABLE chat_messages;
DROP TABLE chat_channels;
