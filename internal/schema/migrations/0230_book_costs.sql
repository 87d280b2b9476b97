-- +goose Up

-- What an organisation's wallets and accounts had when its book began, with the evidence.
CREATE TABLE book_openings (
    id           TEXT PRIMARY KEY,
    organisation TEXT   NOT NULL,
    account      TEXT   NOT NULL,   -- of the ledger: wallet/<network>/<address>, sender/<currency>
    asset        TEXT   NOT NULL,
    decimals     BIGINT NOT NULL,
    units        TEXT   NOT NULL,
    day          TEXT   NOT NULL,   -- the first of the book: the balance is that of its beginning
    source       TEXT   NOT NULL,   -- CHAIN or STATED
    block        BIGINT NOT NULL,   -- 0: stated
    block_hash   TEXT   NOT NULL,
    reason       TEXT   NOT NULL,
    opened_by    TEXT   NOT NULL,
    opened_at    BIGINT NOT NULL,
    withdrawn_at BIGINT NOT NULL DEFAULT 0, -- 0: it counts
    withdrawn    TEXT   NOT NULL DEFAULT '' -- its identifier once it does not count any more
);
CREATE UNIQUE INDEX book_openings_place ON book_openings (organisation, account, asset, withdrawn);

-- How an organisation values what its book has. One without a row has the defaults.
CREATE TABLE book_settings (
    organisation         TEXT PRIMARY KEY,
    cost_method          TEXT    NOT NULL,  -- FIFO, AVERAGE
    fees_in_cost         BOOLEAN NOT NULL,
    revalue_tokens       BOOLEAN NOT NULL,
    revalue_currencies   BOOLEAN NOT NULL
);

-- What lines of wallets in closed months have taken from lots of tokens. A month that is reopened has none.
CREATE TABLE book_costs (
    journal      TEXT   NOT NULL,
    line         BIGINT NOT NULL,
    organisation TEXT   NOT NULL,
    period       TEXT   NOT NULL,   -- 2026-12
    value        TEXT   NOT NULL,   -- base units of the home currency
    lots         TEXT   NOT NULL,   -- JSON: which lots, how much of each, and at which cost
    PRIMARY KEY (journal, line)
);
CREATE INDEX book_costs_period ON book_costs (organisation, period);

-- +goose Down
DROP TABLE book_costs;
DROP TABLE book_settings;
DROP TABLE book_openings;
