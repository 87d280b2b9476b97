-- +goose Up
-- Balances of the house's own accounts, folded along the chain of hashes: the sum of their postings up to a link.
CREATE TABLE ledger_balances (
    account TEXT NOT NULL,
    asset   TEXT NOT NULL,
    units   TEXT NOT NULL,                        -- signed
    PRIMARY KEY (account, asset)
);

CREATE TABLE ledger_folds (
    name TEXT PRIMARY KEY,
    seq  BIGINT NOT NULL                          -- the newest link whose journal is in the balances
);
INSERT INTO ledger_folds (name, seq) VALUES ('balances', 0);

-- What a rule has stopped, and why. What is stopped starts nothing new; it goes on when the rule, or two persons, lift it.
CREATE TABLE halts (
    name       TEXT   NOT NULL,                   -- network/<id>, bank/<house account>
    cause      TEXT   NOT NULL,                   -- who stopped it and who lifts it
    reason     TEXT   NOT NULL,                   -- for people
    created_at BIGINT NOT NULL,
    PRIMARY KEY (name, cause)
);

-- What the house has by its books against what the chains and the banks say: the latest look at each.
CREATE TABLE house_checks (
    subject     TEXT PRIMARY KEY,                 -- treasury/<network>/<token>, bank/<house account>
    halts       TEXT   NOT NULL,                  -- what it stops
    asset       TEXT   NOT NULL,
    decimals    BIGINT NOT NULL,
    state       TEXT   NOT NULL,                  -- AGREES, ACCEPTED, SHORT, EXCESS, UNKNOWN
    books       TEXT   NOT NULL DEFAULT '',       -- signed units: what the ledger has
    outside     TEXT   NOT NULL DEFAULT '',       -- and what the other side says
    low         TEXT   NOT NULL DEFAULT '',       -- the other side may say no less,
    high        TEXT   NOT NULL DEFAULT '',       -- and no more: what is under way lies between
    difference  TEXT   NOT NULL DEFAULT '0',      -- signed units by which it lies outside of that
    accepted    TEXT   NOT NULL DEFAULT '0',      -- the difference that two persons have accepted
    point       TEXT   NOT NULL DEFAULT '',       -- a block or a statement, for people
    height      BIGINT NOT NULL DEFAULT 0,        -- the block's number
    in_row      BIGINT NOT NULL DEFAULT 0,        -- looks in a row that found a difference
    note        TEXT   NOT NULL DEFAULT '',       -- why nothing is known
    agreed_at   BIGINT NOT NULL,                  -- the last look that found none; before the first, when looking began
    checked_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL
);

-- What a wallet of the house had of a token when the books first saw it.
CREATE TABLE treasury_openings (
    network    TEXT   NOT NULL,
    token      TEXT   NOT NULL,
    address    TEXT   NOT NULL,
    units      TEXT   NOT NULL,
    block      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (network, token, address)
);

-- +goose Down
DROP TABLE treasury_openings;
DROP TABLE house_checks;
DROP TABLE halts;
DROP TABLE ledger_folds;
DROP TABLE ledger_balances;
