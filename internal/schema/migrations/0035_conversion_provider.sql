-- +goose Up
-- Who was asked, by the name in the configuration. Orders from before providers had names are of the one in [liquidity].
ALTER TABLE conversions ADD COLUMN provider TEXT NOT NULL DEFAULT 'main';

-- +goose Down
ALTER TABLE conversions DROP COLUMN provider;
