-- +goose Up

-- How a token takes a payer's signature in place of an approval, as its contract has shown when it was asked: the EIP-712
-- domain that it verifies, and the manners that it has, by commas.
CREATE TABLE token_permits (
    network    TEXT   NOT NULL,
    token      TEXT   NOT NULL,
    address    TEXT   NOT NULL,
    name       TEXT   NOT NULL,
    version    TEXT   NOT NULL,
    manners    TEXT   NOT NULL,
    checked_at BIGINT NOT NULL,
    PRIMARY KEY (network, token)
);

-- What a payer has signed for a transaction. transactions.manner is '' for one that rests on an approval.
CREATE TABLE transaction_signatures (
    transaction_id TEXT   PRIMARY KEY,
    manner         TEXT   NOT NULL,
    units          TEXT   NOT NULL,              -- the debit that was signed
    deadline       BIGINT NOT NULL,              -- Unix seconds, as signed
    signature      BYTEA  NOT NULL,
    intent         BYTEA  NOT NULL,              -- PERMIT: the signature of the batch besides, or empty
    from_block     BIGINT NOT NULL,              -- OWN: the height from which the wallet's own payment is looked for
    created_at     BIGINT NOT NULL
);
ALTER TABLE transactions ADD COLUMN manner TEXT NOT NULL DEFAULT '';
ALTER TABLE reservations ADD COLUMN manner TEXT NOT NULL DEFAULT '';

-- Permits of a token are numbered one by one, and each replaces the approval: one may be under way.
CREATE UNIQUE INDEX reservations_permit ON reservations (network, address, token)
    WHERE manner = 'PERMIT' AND released_at = 0;

-- +goose Down
DROP INDEX reservations_permit;
ALTER TABLE reservations DROP COLUMN manner;
ALTER TABLE transactions DROP COLUMN manner;
DROP TABLE transaction_signatures;
DROP TABLE token_permits;
