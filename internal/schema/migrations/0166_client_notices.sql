-- +goose Up

-- When the end of an API client is told next, first before it and then at it; 0: never.
ALTER TABLE api_clients ADD COLUMN notice_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX api_clients_notice ON api_clients (notice_at) WHERE notice_at > 0;

-- +goose Down
DROP INDEX api_clients_notice;
ALTER TABLE api_clients DROP COLUMN notice_at;
