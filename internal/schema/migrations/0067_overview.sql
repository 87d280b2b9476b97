-- +goose Up

-- What an organisation's completed transactions have paid, by day (UTC) and currency, and how long they took from accept
-- to the end, by day and class. A job adds them up; overview_cursors is how far it has read an organisation's events.
CREATE TABLE overview_cursors (
    organisation TEXT PRIMARY KEY,
    last_event   TEXT NOT NULL
);
CREATE TABLE paid_days (
    organisation TEXT   NOT NULL,
    day          TEXT   NOT NULL,               -- 2026-11-23
    currency     TEXT   NOT NULL,               -- or token
    decimals     BIGINT NOT NULL,               -- of units: a token may have others on another network
    units        TEXT   NOT NULL,
    payments     BIGINT NOT NULL,
    PRIMARY KEY (organisation, day, currency, decimals)
);
CREATE TABLE settled_days (
    organisation TEXT   NOT NULL,
    day          TEXT   NOT NULL,
    seconds      BIGINT NOT NULL,               -- upper end of the class; 0: longer than all of them
    transactions BIGINT NOT NULL,
    PRIMARY KEY (organisation, day, seconds)
);
CREATE INDEX payables_due ON payables (organisation, expected_at)
    WHERE expected_at > 0 AND status IN ('DRAFT', 'APPROVED');

-- +goose Down
DROP INDEX payables_due;
DROP TABLE settled_days;
DROP TABLE paid_days;
DROP TABLE overview_cursors;
