-- +goose Up

-- What banks have found of the names on our payments (verification of payee). The table holds the last word about each
-- payout, and only of those that a report names.
CREATE TABLE bank_payee_checks (
    payout_id TEXT PRIMARY KEY,
    code TEXT NOT NULL,       -- as the bank wrote it: RVNM
    sealed TEXT NOT NULL,     -- the name that the bank knows, if it is close to ours
    file_id TEXT NOT NULL,    -- the report
    waits BOOLEAN NOT NULL,   -- the bank waits for a decision
    created_at BIGINT NOT NULL
);
CREATE INDEX bank_payee_checks_waiting ON bank_payee_checks (payout_id) WHERE waits;

-- +goose Down
DROP TABLE bank_payee_checks;
