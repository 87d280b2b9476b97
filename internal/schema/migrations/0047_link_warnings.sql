-- +goose Up
-- What the invoice link had to be looked at for when the payable was made of it: codes, separated by commas.
ALTER TABLE payables ADD COLUMN link_warnings TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE payables DROP COLUMN link_warnings;
