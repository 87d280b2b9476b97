-- +goose Up

-- Who has settled a part of a receivable, and why. Nobody has for a deposit with its reference.
ALTER TABLE receivable_parts ADD COLUMN decided_by TEXT NOT NULL DEFAULT '';
ALTER TABLE receivable_parts ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE receivable_parts DROP COLUMN reason;
ALTER TABLE receivable_parts DROP COLUMN decided_by;
