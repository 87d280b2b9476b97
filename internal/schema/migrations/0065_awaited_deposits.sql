-- +goose Up
-- Transactions that wait for a deposit, for whoever looks for the one that a deposit in suspense pays.
CREATE INDEX transactions_awaited ON transactions (id)
    WHERE settlement_status IN ('AWAITING_DEPOSIT', 'DEPOSIT_MISMATCH');

-- +goose Down
DROP INDEX transactions_awaited;
