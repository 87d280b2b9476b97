-- +goose Up
CREATE TABLE transactions (
    id                TEXT PRIMARY KEY,
    organisation      TEXT   NOT NULL,
    number            BIGINT NOT NULL,            -- single-use batch number on chain, fixed at creation
    type              TEXT   NOT NULL,
    status            TEXT   NOT NULL,
    settlement_status TEXT   NOT NULL,
    status_info       TEXT   NOT NULL DEFAULT '',
    token             TEXT   NOT NULL,
    decimals          BIGINT NOT NULL,
    network           TEXT   NOT NULL,
    wallet            TEXT   NOT NULL,            -- the paying wallet
    wallet_address    TEXT   NOT NULL,
    partner           TEXT   NOT NULL DEFAULT '',
    debit             TEXT   NOT NULL,            -- base units of the token, fees included
    content_hash      TEXT   NOT NULL DEFAULT '', -- of what was locked by submit
    search            TEXT   NOT NULL DEFAULT '', -- folded text
    is_hidden         BOOLEAN NOT NULL DEFAULT FALSE,
    deleted           BOOLEAN NOT NULL DEFAULT FALSE,
    created_by        TEXT   NOT NULL,
    accepted_by       TEXT   NOT NULL DEFAULT '',
    accepted_at       BIGINT NOT NULL DEFAULT 0,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    version           BIGINT NOT NULL
);
CREATE UNIQUE INDEX transactions_number ON transactions (number);
CREATE INDEX transactions_list ON transactions (organisation, created_at, id);
CREATE INDEX transactions_open ON transactions (status, updated_at) WHERE status IN ('PROCESSING', 'RELEASED');

CREATE TABLE payments (
    transaction_id TEXT   NOT NULL,
    position       BIGINT NOT NULL,
    outcome        TEXT   NOT NULL DEFAULT '',    -- '' while it follows its transaction; then COMPLETED, FAILED, CANCELLED
    status_info    TEXT   NOT NULL DEFAULT '',
    units          TEXT   NOT NULL,               -- base units of the token
    reason         TEXT   NOT NULL,
    instructions   TEXT   NOT NULL DEFAULT '',
    document       TEXT   NOT NULL DEFAULT '',
    receiver       TEXT   NOT NULL,
    snapshot       TEXT   NOT NULL,               -- JSON of the receiver as it was
    wallet         TEXT   NOT NULL DEFAULT '',    -- of a stored wallet; '' for an inline address
    address        TEXT   NOT NULL,
    wallet_type    TEXT   NOT NULL,
    network        TEXT   NOT NULL,
    updated_at     BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, position)
);

CREATE TABLE transaction_history (
    transaction_id    TEXT   NOT NULL,
    version           BIGINT NOT NULL,
    status            TEXT   NOT NULL,
    settlement_status TEXT   NOT NULL,
    info              TEXT   NOT NULL DEFAULT '',
    actor             TEXT   NOT NULL,
    at                BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, version)
);

-- Words of 256 batch numbers that a process has taken for itself.
CREATE TABLE batch_words (
    word     BIGINT PRIMARY KEY,
    taken_at BIGINT NOT NULL
);

-- What submitted transactions may still pull from a wallet.
CREATE TABLE reservations (
    transaction_id TEXT PRIMARY KEY,
    network        TEXT   NOT NULL,
    address        TEXT   NOT NULL,
    token          TEXT   NOT NULL,
    units          TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    released_at    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX reservations_open ON reservations (network, address, token) WHERE released_at = 0;

CREATE TABLE journals (
    id             TEXT PRIMARY KEY,
    key            TEXT   NOT NULL,               -- one journal for one effect
    kind           TEXT   NOT NULL,
    organisation   TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL,
    hash           TEXT   NOT NULL,               -- of this journal's content
    signature      TEXT   NOT NULL DEFAULT '',    -- of the hash, by the service's keyring: who can only write here makes none
    created_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX journals_key ON journals (key);
CREATE INDEX journals_transaction ON journals (transaction_id);

CREATE TABLE postings (
    journal TEXT   NOT NULL,
    line    BIGINT NOT NULL,
    account TEXT   NOT NULL,
    asset   TEXT   NOT NULL,
    units   TEXT   NOT NULL,                      -- signed base units; a journal sums to zero per asset
    memo    TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (journal, line)
);
CREATE INDEX postings_account ON postings (account);

-- The chain of hashes over journals, written by one sealer behind the ledger's back so that posting has no hot row.
CREATE TABLE ledger_chain (
    seq       BIGINT PRIMARY KEY,
    journal   TEXT   NOT NULL,
    hash      TEXT   NOT NULL,
    sealed_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX ledger_chain_journal ON ledger_chain (journal);

-- +goose Down
DROP TABLE ledger_chain;
DROP TABLE postings;
DROP TABLE journals;
DROP TABLE reservations;
DROP TABLE batch_words;
DROP TABLE transaction_history;
DROP TABLE payments;
DROP TABLE transactions;
