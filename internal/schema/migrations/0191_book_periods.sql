-- +goose Up

-- Closed months of organisations' books, with what the values of their lines depend on. A month that is reopened has no
-- row any more; the audit log has both.
CREATE TABLE book_periods (
    organisation TEXT   NOT NULL,
    period       TEXT   NOT NULL,   -- 2026-12
    kept         TEXT   NOT NULL,   -- JSON: home currency, accounts, and which day's rates count on each day
    closed_by    TEXT   NOT NULL,
    reason       TEXT   NOT NULL,
    closed_at    BIGINT NOT NULL,
    PRIMARY KEY (organisation, period)
);

-- The journals of closed months, with their days as of the closing. What comes later is not among them, and counts on
-- the first open day.
CREATE TABLE closed_journals (
    journal      TEXT PRIMARY KEY,
    organisation TEXT NOT NULL,
    period       TEXT NOT NULL,
    day          TEXT NOT NULL,     -- of the book
    booked_on    TEXT NOT NULL,
    value_on     TEXT NOT NULL
);
CREATE INDEX closed_journals_day ON closed_journals (organisation, day);

-- +goose Down
DROP TABLE closed_journals;
DROP TABLE book_periods;
