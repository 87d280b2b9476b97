-- +goose Up

-- What banks have kept of returned payments, as it is booked with each return.
ALTER TABLE payout_returns ADD COLUMN charges TEXT NOT NULL DEFAULT '0'; -- minor units; below zero: less than before

-- +goose Down
ALTER TABLE payout_returns DROP COLUMN charges;
