-- +goose Up

-- What an organisation wants of the wallets that pay: the signature of every batch, and a daily cap of tokens that the
-- wallet has set on the router (CODE=amount, sorted, by commas).
ALTER TABLE organisations ADD COLUMN signed_intents BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE organisations ADD COLUMN daily_caps TEXT NOT NULL DEFAULT '';

-- Like four_eyes: 0 while the policy wants neither, and else the version of the policy.
ALTER TABLE organisations ADD COLUMN payer_rules BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE organisations DROP COLUMN payer_rules;
ALTER TABLE organisations DROP COLUMN daily_caps;
ALTER TABLE organisations DROP COLUMN signed_intents;
