-- +goose Up

-- What an endpoint has to answer before it is told of anything; '' for one that has. Those that there are were told already.
ALTER TABLE webhook_endpoints ADD COLUMN challenge TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE webhook_endpoints DROP COLUMN challenge;
