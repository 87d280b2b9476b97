-- +goose Up

-- When the session's person gave the password. It is proof enough for a few minutes for what an access token alone must
-- not open.
ALTER TABLE sessions ADD COLUMN password_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE sessions DROP COLUMN password_at;
