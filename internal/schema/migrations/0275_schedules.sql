-- +goose Up
-- Payments that an organisation makes on a day, once or again and again.
CREATE TABLE schedules (
    id            TEXT    NOT NULL PRIMARY KEY,
    organisation  TEXT    NOT NULL,
    state         TEXT    NOT NULL,
    input         TEXT    NOT NULL,   -- JSON of the transaction as it is created on each day
    payees        TEXT    NOT NULL,   -- their names, for people
    most_code     TEXT    NOT NULL,   -- what may leave the wallet on a day at most
    most_decimals BIGINT  NOT NULL,
    most_units    TEXT    NOT NULL,
    first_day     BIGINT  NOT NULL,   -- midnight UTC, as all days
    repeats       TEXT    NOT NULL,
    until_day     BIGINT  NOT NULL,   -- 0 for none
    times         BIGINT  NOT NULL,   -- 0 for no limit
    calendars     TEXT    NOT NULL,   -- of the rails that carry it; '' for none
    next_number   BIGINT  NOT NULL,   -- of the next planned day, from 0
    next_day      BIGINT  NOT NULL,   -- on which it is paid; 0 for none
    told_day      BIGINT  NOT NULL,   -- the newest next_day that a mail was about
    created_by    TEXT    NOT NULL,
    accepted_by   TEXT    NOT NULL,
    accepted_for  TEXT    NOT NULL,   -- the member for whom a stand-in has accepted
    accepted_at   BIGINT  NOT NULL,
    accepted_hash TEXT    NOT NULL,   -- of the payments as they were accepted
    stopped_by    TEXT    NOT NULL,
    version       BIGINT  NOT NULL,
    created_at    BIGINT  NOT NULL,
    updated_at    BIGINT  NOT NULL
);
CREATE INDEX schedules_due ON schedules (next_day, id) WHERE state = 'ACTIVE';
CREATE INDEX schedules_list ON schedules (organisation, created_at, id);

-- A day on which something was made. The key is what keeps a day from being paid twice.
CREATE TABLE schedule_days (
    schedule       TEXT   NOT NULL,
    day            BIGINT NOT NULL,   -- as planned, before it is moved to a working day
    state          TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL,   -- '' if none could be made
    why            TEXT   NOT NULL,   -- it waits for a person; a value of words.Phrase
    made_at        BIGINT NOT NULL,
    PRIMARY KEY (schedule, day)
);
CREATE INDEX schedule_days_open ON schedule_days (schedule) WHERE state = 'MADE';

-- +goose Down
DROP TABLE schedule_days;
DROP TABLE schedules;
