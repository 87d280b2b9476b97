-- +goose Up
CREATE TABLE payables (
    id             TEXT PRIMARY KEY,
    organisation   TEXT   NOT NULL,
    type           TEXT   NOT NULL,
    status         TEXT   NOT NULL,
    name           TEXT   NOT NULL,
    currency       TEXT   NOT NULL,               -- or token
    decimals       BIGINT NOT NULL,
    units          TEXT   NOT NULL,               -- base units of it
    amount_sort    TEXT   NOT NULL,               -- the amount in a form whose texts sort as the numbers do
    reason         TEXT   NOT NULL,
    instructions   TEXT   NOT NULL DEFAULT '',
    receiver       TEXT   NOT NULL,
    bank_account   TEXT   NOT NULL DEFAULT '',
    wallet         TEXT   NOT NULL DEFAULT '',
    invoice_number TEXT   NOT NULL DEFAULT '',
    reference      TEXT   NOT NULL DEFAULT '',
    document       TEXT   NOT NULL DEFAULT '',    -- storage key
    document_hash  TEXT   NOT NULL DEFAULT '',
    expected_at    BIGINT NOT NULL DEFAULT 0,     -- a date; 0: none
    origin         TEXT   NOT NULL,
    link           TEXT   NOT NULL DEFAULT '',    -- invoice link that it came by
    likeness       TEXT   NOT NULL,               -- equal for payables that may be one invoice
    search         TEXT   NOT NULL,               -- folded text
    authors        TEXT   NOT NULL,               -- users with commas between: the creator and whoever has changed it
    created_by     TEXT   NOT NULL,
    fingerprint    TEXT   NOT NULL DEFAULT '',    -- of what was approved
    transaction_id TEXT   NOT NULL DEFAULT '',    -- what it is reserved for, or was paid by
    position       BIGINT NOT NULL DEFAULT 0,
    locked         BOOLEAN NOT NULL DEFAULT FALSE, -- that was submitted: what happens to the payee changes nothing there
    payee_changed  BOOLEAN NOT NULL DEFAULT FALSE, -- while it was locked
    reject_reason  TEXT   NOT NULL DEFAULT '',
    rejected_by    TEXT   NOT NULL DEFAULT '',
    rejected_at    BIGINT NOT NULL DEFAULT 0,
    paid_at        BIGINT NOT NULL DEFAULT 0,
    version        BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
CREATE INDEX payables_list ON payables (organisation, created_at, id);
CREATE INDEX payables_status ON payables (organisation, status);
CREATE INDEX payables_likeness ON payables (organisation, likeness);
CREATE INDEX payables_document ON payables (organisation, document_hash) WHERE document_hash <> '';
CREATE INDEX payables_document_key ON payables (document) WHERE document <> '';
CREATE INDEX payables_receiver ON payables (receiver);
CREATE INDEX payables_bank_account ON payables (bank_account) WHERE bank_account <> '';
CREATE INDEX payables_wallet ON payables (wallet) WHERE wallet <> '';
CREATE UNIQUE INDEX payables_place ON payables (transaction_id, position) WHERE transaction_id <> '';

-- Every reservation there was. One that has paid is never released, so no other can ever be made.
CREATE TABLE payable_reservations (
    transaction_id TEXT   NOT NULL,
    position       BIGINT NOT NULL,
    payable        TEXT   NOT NULL,
    reserved_at    BIGINT NOT NULL,
    released_at    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (transaction_id, position)
);
CREATE UNIQUE INDEX payable_reservations_live ON payable_reservations (payable) WHERE released_at = 0;

CREATE TABLE payable_approvals (
    payable     TEXT   NOT NULL,
    version     BIGINT NOT NULL,                  -- that the payable had afterwards
    approved_by TEXT   NOT NULL,
    comment     TEXT   NOT NULL DEFAULT '',
    fingerprint TEXT   NOT NULL,                  -- of what was approved
    approved_at BIGINT NOT NULL,
    ended_at    BIGINT NOT NULL DEFAULT 0,
    why         TEXT   NOT NULL DEFAULT '',       -- it counts no longer
    PRIMARY KEY (payable, version)
);

-- The transaction is made of payables. Nothing but its making sets this, and nothing changes it.
ALTER TABLE transactions ADD COLUMN of_payables BOOLEAN NOT NULL DEFAULT FALSE;

-- Creditor reference that a FIAT payment carries to its payee's bank: ISO 11649 or Swiss QR; empty: none.
ALTER TABLE payment_terms ADD COLUMN reference TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_payouts ADD COLUMN reference TEXT NOT NULL DEFAULT '';

-- What an organisation's payables are paid with.
ALTER TABLE organisations ADD COLUMN default_wallet TEXT NOT NULL DEFAULT '';
ALTER TABLE organisations ADD COLUMN default_token TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE organisations DROP COLUMN default_token;
ALTER TABLE organisations DROP COLUMN default_wallet;
ALTER TABLE bank_payouts DROP COLUMN reference;
ALTER TABLE payment_terms DROP COLUMN reference;
ALTER TABLE transactions DROP COLUMN of_payables;
DROP TABLE payable_approvals;
DROP TABLE payable_reservations;
DROP TABLE payables;
