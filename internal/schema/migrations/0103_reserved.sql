-- +goose Up

-- Each accept asks what is reserved of a wallet's token, and what was released since its balance was read: one index
-- answers both. The one it replaces knew what is reserved alone, so every reservation that was ever made was read for
-- the other.
DROP INDEX reservations_open;
CREATE INDEX reservations_wallet ON reservations (network, address, token, released_at);

-- +goose Down
DROP INDEX reservations_wallet;
CREATE INDEX reservations_open ON reservations (network, address, token) WHERE released_at = 0;
