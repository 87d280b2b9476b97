-- +goose Up
-- What came back of payouts: any number of parts of each, up to its amount.
CREATE TABLE bank_returns (
    movement   TEXT PRIMARY KEY,               -- the booked credit
    payout_id  TEXT   NOT NULL,
    units      TEXT   NOT NULL,
    evidence   TEXT   NOT NULL,                -- reason, reversal, notice, code, sender; people: two persons say so
    settled    BOOLEAN NOT NULL,               -- false: it came before the payout's debit was booked
    created_at BIGINT NOT NULL
);
CREATE INDEX bank_returns_payout ON bank_returns (payout_id);

-- Deposits that name a payout without being its proven return, for two persons to look at.
CREATE TABLE return_claims (
    entry  TEXT PRIMARY KEY,                   -- the deposit
    payout TEXT NOT NULL,                      -- key of the payout
    why    TEXT NOT NULL
);

-- Locked quotes that an organisation let lapse are counted by when they were locked.
CREATE INDEX quotes_locked ON quotes (organisation, locked_at);

-- +goose Down
DROP INDEX quotes_locked;
DROP TABLE return_claims;
DROP TABLE bank_returns;
