-- +goose Up

-- The symbol that a token's contract told when it was first asked. What it tells later is compared with it.
ALTER TABLE token_addresses ADD COLUMN symbol TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE token_addresses DROP COLUMN symbol;
