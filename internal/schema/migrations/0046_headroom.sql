-- +goose Up
-- By how much a wallet approves more than a FIAT transaction costs, in percent as decimal text. Empty: what the
-- deployment has set.
ALTER TABLE organisations ADD COLUMN quote_headroom_percent TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE organisations DROP COLUMN quote_headroom_percent;
