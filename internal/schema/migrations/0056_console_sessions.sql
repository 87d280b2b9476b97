-- +goose Up

-- A session of the console has a cookie in place of tokens. Its rotated_at is when a person last used it, at most a minute
-- behind.
ALTER TABLE sessions ADD COLUMN console BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE console_cookies (
    hash       TEXT PRIMARY KEY,                    -- SHA-256 in hex; the cookie itself is nowhere
    session_id TEXT    NOT NULL,
    user_id    TEXT    NOT NULL,
    expires_at BIGINT  NOT NULL,                    -- with the session; of one that was replaced: soon
    used_at    BIGINT  NOT NULL DEFAULT 0,          -- the first use: the browser has it, and those before it end
    replaced   BOOLEAN NOT NULL DEFAULT FALSE       -- by a step-up, which does not count for it
);
CREATE INDEX console_cookies_session ON console_cookies (session_id);
CREATE INDEX console_cookies_age ON console_cookies (expires_at);

-- +goose Down
DROP TABLE console_cookies;
ALTER TABLE sessions DROP COLUMN console;
