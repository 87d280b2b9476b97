-- +goose Up

-- What the lines of a book before a day have summed up to, so that a month costs what the month holds. Every row can be
-- computed anew from the journals; one that does not count any more is computed anew.
CREATE TABLE book_sums (
    organisation TEXT   NOT NULL,   -- empty: the house's book
    day          TEXT   NOT NULL,   -- the first that is not in it: 2026-12-01
    after        TEXT   NOT NULL,   -- a journal with a later identifier that counts before the day is not in it
    basis        TEXT   NOT NULL,   -- digest of what the values depend on
    sums         TEXT   NOT NULL,   -- JSON
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (organisation, day)
);

-- The journals that were posted days after their business day. There are few of them.
CREATE TABLE late_journals (
    organisation TEXT   NOT NULL,
    journal      TEXT   NOT NULL,
    happened_at  BIGINT NOT NULL,
    PRIMARY KEY (organisation, journal)
);
CREATE UNIQUE INDEX late_journals_all ON late_journals (journal); -- for the house's book

INSERT INTO late_journals (organisation, journal, happened_at)
SELECT organisation, id, happened_at FROM journals WHERE created_at - happened_at > 345600000000;

-- +goose Down
DROP TABLE late_journals;
DROP TABLE book_sums;
