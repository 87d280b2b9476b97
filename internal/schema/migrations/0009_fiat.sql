-- +goose Up
-- What FIAT and ONRAMP transactions have besides. CRYPTO ones have no row here and cost no read of it.
CREATE TABLE transaction_terms (
    transaction_id   TEXT PRIMARY KEY,
    commission_type  TEXT   NOT NULL DEFAULT 'STANDARD', -- STANDARD or CUSTOM: how the commission was set
    currency         TEXT   NOT NULL DEFAULT '',  -- ONRAMP: of the deposit, ISO 4217
    decimals         BIGINT NOT NULL DEFAULT 0,
    fiat_units       TEXT   NOT NULL DEFAULT '0', -- ONRAMP: what is to be deposited, in minor units
    reference        TEXT   NOT NULL DEFAULT '',  -- ONRAMP: what the deposit has to carry; '' before submit
    house            TEXT   NOT NULL DEFAULT '',  -- ONRAMP: the account the deposit goes to, as JSON, as it was told at submit
    treasury         TEXT   NOT NULL DEFAULT '',  -- the house's wallet that takes or gives the tokens, as submit locked it
    sender           TEXT   NOT NULL DEFAULT '',  -- ONRAMP: who was declared to send it
    expected_at      BIGINT NOT NULL DEFAULT 0,   -- ONRAMP: when the transfer is to start
    expires_at       BIGINT NOT NULL DEFAULT 0    -- ONRAMP: until when the deposit is waited for
);
CREATE UNIQUE INDEX transaction_terms_reference ON transaction_terms (reference) WHERE reference <> '';
CREATE INDEX transaction_terms_expiry ON transaction_terms (expires_at) WHERE expires_at > 0;

-- What a payment of a FIAT transaction has besides, and the deposit of an ONRAMP one.
CREATE TABLE payment_terms (
    transaction_id TEXT   NOT NULL,
    position       BIGINT NOT NULL,
    currency       TEXT   NOT NULL,              -- ISO 4217
    decimals       BIGINT NOT NULL,
    fiat_units     TEXT   NOT NULL,              -- minor units: what the receiver gets, or what leaves the bank with BEN
    bank_account   TEXT   NOT NULL DEFAULT '',   -- FIAT
    sealed         TEXT   NOT NULL DEFAULT '',   -- sealed: JSON of the receiver's address and of the bank account, as submit locked them
    fees_option    TEXT   NOT NULL DEFAULT '',   -- OUR, SHA, BEN
    estimated_rate TEXT   NOT NULL DEFAULT '',   -- what the client expects, as it was written
    PRIMARY KEY (transaction_id, position)
);

-- +goose Down
DROP TABLE payment_terms;
DROP TABLE transaction_terms;
