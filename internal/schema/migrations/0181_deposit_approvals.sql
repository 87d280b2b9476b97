-- +goose Up

-- What one person has decided about a deposit is an approval of the kind DEPOSIT.
ALTER TABLE deposits DROP COLUMN proposal;
ALTER TABLE deposits DROP COLUMN proposed_for;
ALTER TABLE deposits DROP COLUMN proposed_by;

-- +goose Down
ALTER TABLE deposits ADD COLUMN proposal TEXT NOT NULL DEFAULT '';
ALTER TABLE deposits ADD COLUMN proposed_for TEXT NOT NULL DEFAULT '';
ALTER TABLE deposits ADD COLUMN proposed_by TEXT NOT NULL DEFAULT '';
