-- +goose Up

-- The organisation in whose book a deposit stands; empty: it is not known whose it is.
ALTER TABLE deposits ADD COLUMN owner TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE deposits DROP COLUMN owner;
