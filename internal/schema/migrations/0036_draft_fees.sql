-- +goose Up
-- The fees of a FIAT draft at the rates of its last change, as JSON: they are part of its debit, and no quote is locked.
ALTER TABLE transaction_terms ADD COLUMN fees TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE transaction_terms DROP COLUMN fees;
