-- +goose Up
-- The status HELD of a quote: check-allowance has locked it for a draft, which submit may still take. A draft has one.
CREATE UNIQUE INDEX quotes_held ON quotes (transaction_id) WHERE status = 'HELD';

-- +goose Down
DROP INDEX quotes_held;
