-- +goose Up
CREATE TABLE chain_signers (
    network     TEXT   NOT NULL,
    address     TEXT   NOT NULL,
    chain_id    TEXT   NOT NULL,             -- a network keeps its chain for ever
    next_nonce  BIGINT NOT NULL DEFAULT -1,  -- -1: never used; then the chain's own count is taken over
    owner       TEXT   NOT NULL DEFAULT '',  -- the process that sends for this signer
    fence       BIGINT NOT NULL DEFAULT 0,   -- rises with each change of owner; every write of a sender carries its own
    lease_until BIGINT NOT NULL DEFAULT 0,
    paused      BOOLEAN NOT NULL DEFAULT FALSE, -- by a person
    frozen      TEXT   NOT NULL DEFAULT '',  -- by a rule, with the reason; only a person undoes it
    note        TEXT   NOT NULL DEFAULT '',  -- why planned sends wait at the moment
    final_block BIGINT NOT NULL DEFAULT -1,  -- the newest block on which something was posted
    final_hash  TEXT   NOT NULL DEFAULT '',
    PRIMARY KEY (network, address)
);

CREATE TABLE chain_sends (
    id         TEXT PRIMARY KEY,
    key        TEXT   NOT NULL,              -- the effect's business identity
    network    TEXT   NOT NULL,
    signer     TEXT   NOT NULL,
    recipient  TEXT   NOT NULL,
    data       BYTEA  NOT NULL,
    value      TEXT   NOT NULL,
    gas_asked  BIGINT NOT NULL,              -- what the planner gave; 0: estimate
    object     TEXT   NOT NULL,              -- the record it is about
    state      TEXT   NOT NULL,
    reason     TEXT   NOT NULL DEFAULT '',   -- of REFUSED and HOLD
    nonce      BIGINT NOT NULL DEFAULT -1,
    gas_limit  BIGINT NOT NULL DEFAULT 0,
    tx_hash    TEXT   NOT NULL DEFAULT '',   -- the attempt that is in a block
    block      BIGINT NOT NULL DEFAULT -1,
    block_hash TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX chain_sends_key ON chain_sends (key);
CREATE UNIQUE INDEX chain_sends_nonce ON chain_sends (network, signer, nonce) WHERE nonce >= 0;
CREATE INDEX chain_sends_queue ON chain_sends (network, signer, state, nonce, id);
CREATE INDEX chain_sends_block ON chain_sends (network, signer, state, block);
CREATE INDEX chain_sends_open ON chain_sends (state, created_at);

CREATE TABLE chain_attempts (
    send_id    TEXT   NOT NULL,
    number     BIGINT NOT NULL,              -- 1, then one more for each raised fee
    nonce      BIGINT NOT NULL,
    tx_hash    TEXT   NOT NULL,
    raw        BYTEA  NOT NULL,              -- what is sent, every time
    tip        TEXT   NOT NULL,
    fee_cap    TEXT   NOT NULL,
    broadcasts BIGINT NOT NULL DEFAULT 0,
    outcome    TEXT   NOT NULL DEFAULT '',   -- of the latest broadcast; evidence of nothing
    created_at BIGINT NOT NULL,
    PRIMARY KEY (send_id, number)
);
CREATE UNIQUE INDEX chain_attempts_hash ON chain_attempts (tx_hash);

CREATE TABLE chain_receipts (
    send_id    TEXT PRIMARY KEY,
    network    TEXT   NOT NULL,
    tx_hash    TEXT   NOT NULL,
    block      BIGINT NOT NULL,
    block_hash TEXT   NOT NULL,
    ok         BOOLEAN NOT NULL,
    gas_used   BIGINT NOT NULL,
    gas_price  TEXT   NOT NULL,
    logs       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX chain_receipts_hash ON chain_receipts (network, tx_hash);

-- +goose Down
DROP TABLE chain_receipts;
DROP TABLE chain_attempts;
DROP TABLE chain_sends;
DROP TABLE chain_signers;
