-- +goose Up

CREATE TABLE ebics_contracts (              -- a subscriber of ours at a bank's EBICS server
    id         TEXT   PRIMARY KEY,          -- HostID/PartnerID/UserID
    version    TEXT   NOT NULL,             -- H005 or H004
    state      TEXT   NOT NULL,
    keys       BYTEA  NOT NULL,             -- sealed: our three keys, as JSON
    bank_keys  TEXT   NOT NULL,             -- the bank's keys that two people have accepted, as JSON; or empty
    expires_at BIGINT NOT NULL,             -- the first of our certificates
    fetched_at BIGINT NOT NULL,             -- when the bank's files were fetched last; 0: never
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE ebics_uploads (                -- one attempt to hand a payment file over
    staged         TEXT   PRIMARY KEY,      -- its temporary name, which no other attempt has
    contract       TEXT   NOT NULL,
    message        TEXT   NOT NULL,         -- MsgId of the file
    state          TEXT   NOT NULL,
    reason         TEXT   NOT NULL,         -- why the bank refused it, or why nobody knows
    prepared       BYTEA  NOT NULL,         -- sealed: what is sent, every time, with its transaction key
    size           BIGINT NOT NULL,         -- of the file
    segments       BIGINT NOT NULL,
    sent           BIGINT NOT NULL,         -- segments that the bank has confirmed
    transaction_id TEXT   NOT NULL,         -- of EBICS; empty before the bank has accepted the order
    order_id       TEXT   NOT NULL,         -- that the bank has assigned
    began_at       BIGINT NOT NULL,         -- when the bank accepted the order
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);

CREATE TABLE ebics_downloads (              -- what was fetched from a bank
    name       TEXT    PRIMARY KEY,         -- as the channel lists it
    contract   TEXT    NOT NULL,
    hash       TEXT    NOT NULL,            -- SHA-256 of the content: what is offered twice is stored once
    content    BYTEA   NOT NULL,            -- sealed; empty once it is imported
    size       BIGINT  NOT NULL,
    done       BOOLEAN NOT NULL,
    created_at BIGINT  NOT NULL
);

CREATE UNIQUE INDEX ebics_downloads_by_hash ON ebics_downloads (contract, hash);
CREATE INDEX ebics_downloads_open ON ebics_downloads (contract, name) WHERE NOT done;

-- +goose Down
DROP TABLE ebics_downloads;
DROP TABLE ebics_uploads;
DROP TABLE ebics_contracts;
