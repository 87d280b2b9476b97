-- +goose Up

-- What one person has decided about a deposit is an approval of the kind DEPOSIT. What two have decided stays with it.
UPDATE deposits SET proposal = '' WHERE settled_by = ''; -- of one person alone: it is to be proposed again
ALTER TABLE deposits RENAME COLUMN proposal TO settled_as;
ALTER TABLE deposits DROP COLUMN proposed_for;
ALTER TABLE deposits DROP COLUMN proposed_by;

-- +goose Down
ALTER TABLE deposits RENAME COLUMN settled_as TO proposal;
ALTER TABLE deposits ADD COLUMN proposed_for TEXT NOT NULL DEFAULT '';
ALTER TABLE deposits ADD COLUMN proposed_by TEXT NOT NULL DEFAULT '';
