-- +goose Up
-- Booked credits that are no return of a payout of ours, each once for ever, and what became of them.
CREATE TABLE deposits (
    entry          TEXT PRIMARY KEY,              -- the bank entry
    house          TEXT   NOT NULL,               -- the house account it was booked to
    currency       TEXT   NOT NULL,
    decimals       BIGINT NOT NULL,
    units          TEXT   NOT NULL,               -- minor units
    sealed         TEXT   NOT NULL DEFAULT '',    -- sealed: what the bank passed on, a line each (remittance, references); the sender's account
    bank_ref       TEXT   NOT NULL DEFAULT '',    -- the bank's own reference of the entry, to tell a reversal by
    sender_name    TEXT   NOT NULL DEFAULT '',
    sender_bank    TEXT   NOT NULL DEFAULT '',
    booked_at      BIGINT NOT NULL,
    state          TEXT   NOT NULL,               -- NEW, MATCHED, SUSPENSE, ASSIGNED, HELD, REFUNDING, REFUNDED, REVERSED, WITHDRAWN
    reason         TEXT   NOT NULL DEFAULT '',    -- why it is in suspense
    transaction_id TEXT   NOT NULL DEFAULT '',    -- that it names, or pays
    organisation   TEXT   NOT NULL DEFAULT '',    -- of that transaction
    proposal       TEXT   NOT NULL DEFAULT '',    -- what a first person wants done: ASSIGN, REFUND, HOLD
    proposed_for   TEXT   NOT NULL DEFAULT '',    -- the transaction of ASSIGN
    proposed_by    TEXT   NOT NULL DEFAULT '',
    settled_by     TEXT   NOT NULL DEFAULT '',    -- the second person
    note           TEXT   NOT NULL DEFAULT '',
    attempts       BIGINT NOT NULL DEFAULT 0,     -- to send it back
    version        BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
CREATE INDEX deposits_state ON deposits (state, created_at, entry);
CREATE INDEX deposits_transaction ON deposits (transaction_id) WHERE transaction_id <> '';
CREATE INDEX deposits_amount ON deposits (currency, units);

-- Which deposit paid which transaction: one line for a deposit, for ever.
CREATE TABLE deposit_matches (
    entry          TEXT PRIMARY KEY,
    transaction_id TEXT   NOT NULL,
    matched_by     TEXT   NOT NULL,               -- a rule, or the second of two persons
    matched_at     BIGINT NOT NULL
);
CREATE INDEX deposit_matches_transaction ON deposit_matches (transaction_id);

-- Booked debits that are no payout of ours: a deposit that the sender's bank took back, a charge, or what nobody knows.
CREATE TABLE bank_debits (
    entry      TEXT PRIMARY KEY,
    house      TEXT   NOT NULL,
    currency   TEXT   NOT NULL,
    decimals   BIGINT NOT NULL,
    units      TEXT   NOT NULL,
    reversal   BOOLEAN NOT NULL,
    sealed     TEXT   NOT NULL DEFAULT '',        -- sealed: what the bank passed on
    bank_ref   TEXT   NOT NULL DEFAULT '',
    deposit    TEXT   NOT NULL DEFAULT '',        -- the deposit that it takes back; '' while nobody knows
    withdrawn  BOOLEAN NOT NULL DEFAULT FALSE,    -- the bank told later what it is made of
    booked_at  BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX bank_debits_deposit ON bank_debits (deposit) WHERE deposit <> '';

-- What organisations owe the house; while one is open nothing is paid out for them.
CREATE TABLE receivables (
    entry          TEXT PRIMARY KEY,              -- the booked debit
    organisation   TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL,
    currency       TEXT   NOT NULL,
    decimals       BIGINT NOT NULL,
    units          TEXT   NOT NULL,
    proposed_by    TEXT   NOT NULL DEFAULT '',
    settled_by     TEXT   NOT NULL DEFAULT '',
    note           TEXT   NOT NULL DEFAULT '',
    created_at     BIGINT NOT NULL,
    settled_at     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX receivables_open ON receivables (organisation) WHERE settled_at = 0;

-- What the house does outside by itself: the treasury's sends of tokens (refunds, returns, deliveries), and orders to providers of
-- liquidity. One row for each effect, for ever.
CREATE TABLE effects (
    key            TEXT PRIMARY KEY,              -- as package effect builds it, without an attempt
    transaction_id TEXT   NOT NULL,
    word           TEXT   NOT NULL,               -- of the key
    position       BIGINT NOT NULL,               -- of the payment; -1: of the whole transaction
    organisation   TEXT   NOT NULL,
    network        TEXT   NOT NULL,
    asset          TEXT   NOT NULL,               -- what is sent, or sold
    decimals       BIGINT NOT NULL,
    units          TEXT   NOT NULL,

    recipient      TEXT   NOT NULL,               -- of a send
    number         BIGINT NOT NULL,               -- the router's, used once, so that a second try can never pay twice; 0: not taken yet
    round          BIGINT NOT NULL,               -- a number that was used and moved nothing is followed by another one
    attempt        BIGINT NOT NULL,               -- rises after proof that the last one is dead

    provider       TEXT   NOT NULL,               -- of an order: who was asked, by the name in the configuration
    buy            TEXT   NOT NULL,               -- by the locked quote
    buy_decimals   BIGINT NOT NULL,
    buy_units      TEXT   NOT NULL,
    sold_units     TEXT   NOT NULL,               -- what the provider carried out; '' before
    bought_units   TEXT   NOT NULL,
    ref            TEXT   NOT NULL,               -- of the provider

    state          TEXT   NOT NULL,               -- WANTED, PLANNED, DOUBTFUL, REFUSED, FINAL, FAILED, KEPT
    info           TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    version        BIGINT NOT NULL
);
CREATE UNIQUE INDEX effects_number ON effects (number) WHERE number <> 0;
CREATE INDEX effects_transaction ON effects (transaction_id);
CREATE INDEX effects_open ON effects (state, updated_at) WHERE state IN ('WANTED', 'PLANNED', 'REFUSED', 'DOUBTFUL', 'KEPT');

-- Payouts that a bank sent back after they were booked.
CREATE TABLE payout_returns (
    id              TEXT PRIMARY KEY,             -- the bank entry
    payout          TEXT   NOT NULL,              -- the key of what was sent back
    transaction_id  TEXT   NOT NULL,
    position        BIGINT NOT NULL,
    organisation    TEXT   NOT NULL,
    currency        TEXT   NOT NULL,
    decimals        BIGINT NOT NULL,
    units           TEXT   NOT NULL,              -- what came back
    deducted        TEXT   NOT NULL,              -- what the banks kept of it
    reason          TEXT   NOT NULL,              -- normalised
    raw_reason      TEXT   NOT NULL,              -- the scheme's own code
    scheme          TEXT   NOT NULL,
    end_to_end_id   TEXT   NOT NULL,
    policy          TEXT   NOT NULL,              -- RECREDIT, HOLD, RESEND
    state           TEXT   NOT NULL,              -- RECEIVED, HELD, GIVEN_BACK, RESENT, SET_OFF
    rate            TEXT   NOT NULL,              -- fiat for one token, at which it was given back; '' before
    token_units     TEXT   NOT NULL,              -- what that came to, in base units
    received_at     BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE INDEX payout_returns_transaction ON payout_returns (transaction_id);
CREATE INDEX payout_returns_received ON payout_returns (updated_at) WHERE state = 'RECEIVED';

-- What an organisation wants done with returned payments; without a line: RECREDIT.
CREATE TABLE return_policies (
    organisation TEXT PRIMARY KEY,
    policy       TEXT   NOT NULL,
    set_by       TEXT   NOT NULL,
    set_at       BIGINT NOT NULL
);

-- +goose Down
DROP TABLE return_policies;
DROP TABLE payout_returns;
DROP TABLE effects;
DROP TABLE receivables;
DROP TABLE bank_debits;
DROP TABLE deposit_matches;
DROP TABLE deposits;
