-- +goose Up

-- A wallet that is a Safe, as it was when it was proven: it is compared before money moves.
CREATE TABLE wallet_safes (
    wallet       TEXT PRIMARY KEY,
    organisation TEXT   NOT NULL,
    facts        TEXT   NOT NULL, -- hash of version, singleton, owners, threshold, fallback handler and guards
    account      TEXT   NOT NULL, -- what is hashed, and the modules; JSON
    read_at      BIGINT NOT NULL
);

-- What a Safe's owners are asked to sign, so that whoever asks again is given the same.
CREATE TABLE safe_transactions (
    id             TEXT PRIMARY KEY,
    safe_tx_hash   TEXT   NOT NULL,
    wallet         TEXT   NOT NULL,
    organisation   TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL, -- the payment that it is for
    network        TEXT   NOT NULL,
    account        TEXT   NOT NULL, -- address of the Safe
    version        TEXT   NOT NULL, -- of the Safe's contract
    nonce          BIGINT NOT NULL,
    destination    TEXT   NOT NULL,
    data           TEXT   NOT NULL,
    operation      BIGINT NOT NULL,
    purposes       TEXT   NOT NULL, -- of its calls, with commas between
    created_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX safe_transactions_hash ON safe_transactions (wallet, safe_tx_hash);
CREATE INDEX safe_transactions_payment ON safe_transactions (organisation, transaction_id, id);
CREATE INDEX safe_transactions_nonce ON safe_transactions (wallet, nonce);

-- What owners have confirmed. Each was verified; whether an owner still is one is asked when it is used.
CREATE TABLE safe_confirmations (
    wallet       TEXT NOT NULL,
    safe_tx_hash TEXT NOT NULL,
    organisation TEXT NOT NULL,
    owner        TEXT NOT NULL,
    kind         TEXT NOT NULL,
    signature    TEXT NOT NULL,
    source       TEXT NOT NULL, -- API, SERVICE
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (wallet, safe_tx_hash, owner)
);

-- +goose Down
DROP TABLE safe_confirmations;
DROP TABLE safe_transactions;
DROP TABLE wallet_safes;
