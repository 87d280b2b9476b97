-- +goose Up
-- A session of an API client acts for one organisation; one of a person remembers when the second factor was last proven in it.
ALTER TABLE sessions ADD COLUMN client_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN organisation TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN second_factor_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN begun_from TEXT NOT NULL DEFAULT '';  -- address, or /64 for IPv6
CREATE INDEX sessions_client ON sessions (client_id);

ALTER TABLE users ADD COLUMN email_confirmed_at BIGINT NOT NULL DEFAULT 0;

-- Shorter than what may stand alone: good with a second factor only.
ALTER TABLE passwords ADD COLUMN needs_second_factor BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE two_factors (
    user_id       TEXT PRIMARY KEY,
    secret        TEXT   NOT NULL DEFAULT '',   -- sealed; empty until verified
    pending       TEXT   NOT NULL DEFAULT '',   -- sealed; a secret that was given out and not yet verified
    pending_until BIGINT NOT NULL DEFAULT 0,
    recovery      TEXT   NOT NULL DEFAULT '',   -- sealed: SHA-256 of the recovery codes that are left
    key_id        TEXT   NOT NULL,              -- of the sealing key, so that rotation finds what is left of an old one
    enabled_at    BIGINT NOT NULL DEFAULT 0,    -- 0: off
    last_step     BIGINT NOT NULL DEFAULT 0,    -- the newest time step that was used: none works twice
    failures      BIGINT NOT NULL DEFAULT 0,    -- wrong codes in a row
    blocked_until BIGINT NOT NULL DEFAULT 0,    -- codes of the app are not looked at before
    version       BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);
CREATE INDEX two_factors_key ON two_factors (key_id);

-- The password was right; the code is still missing.
CREATE TABLE login_challenges (
    hash       TEXT PRIMARY KEY,                -- SHA-256 of the tempToken
    user_id    TEXT   NOT NULL,
    password   BIGINT NOT NULL,                 -- version of the password that was given
    failures   BIGINT NOT NULL DEFAULT 0,
    used_at    BIGINT NOT NULL DEFAULT 0,
    expires_at BIGINT NOT NULL
);
CREATE INDEX login_challenges_age ON login_challenges (expires_at);

CREATE TABLE api_clients (
    id             TEXT PRIMARY KEY,            -- the clientId
    user_id        TEXT   NOT NULL,
    organisation   TEXT   NOT NULL,
    name           TEXT   NOT NULL DEFAULT '',
    salt           TEXT   NOT NULL,
    secret_hash    TEXT   NOT NULL,             -- SHA-256 of salt and secret, which holds 256 random bits
    scopes         TEXT   NOT NULL DEFAULT '',  -- with commas between; empty: all
    allowed_ips    TEXT   NOT NULL DEFAULT '',  -- addresses and prefixes with commas between; empty: every address
    expires_at     BIGINT NOT NULL DEFAULT 0,
    revoked_at     BIGINT NOT NULL DEFAULT 0,
    last_used_at   BIGINT NOT NULL DEFAULT 0,
    last_used_from TEXT   NOT NULL DEFAULT '',
    created_at     BIGINT NOT NULL
);
CREATE INDEX api_clients_user ON api_clients (user_id, id);

-- What a link in a mail can be used for, once.
CREATE TABLE link_tokens (
    hash       TEXT PRIMARY KEY,
    purpose    TEXT   NOT NULL,
    user_id    TEXT   NOT NULL,
    data       TEXT   NOT NULL DEFAULT '',      -- what the purpose needs: a new address, for example
    used_at    BIGINT NOT NULL DEFAULT 0,       -- also when a newer link took its place
    expires_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX link_tokens_user ON link_tokens (user_id, purpose, used_at);
CREATE INDEX link_tokens_age ON link_tokens (expires_at);

CREATE TABLE mails (
    id         TEXT PRIMARY KEY,
    kind       TEXT   NOT NULL,
    recipient  TEXT   NOT NULL,
    payload    TEXT   NOT NULL,                 -- sealed: links are credentials; empty once sent where no mailbox is kept
    state      TEXT   NOT NULL,                 -- QUEUED, SENT, FAILED
    attempts   BIGINT NOT NULL DEFAULT 0,
    last_error TEXT   NOT NULL DEFAULT '',
    sent_at    BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE INDEX mails_recipient ON mails (recipient, id);

-- +goose Down
DROP TABLE mails;
DROP TABLE link_tokens;
DROP TABLE api_clients;
DROP TABLE login_challenges;
DROP TABLE two_factors;
ALTER TABLE passwords DROP COLUMN needs_second_factor;
ALTER TABLE users DROP COLUMN email_confirmed_at;
DROP INDEX sessions_client;
ALTER TABLE sessions DROP COLUMN begun_from;
ALTER TABLE sessions DROP COLUMN second_factor_at;
ALTER TABLE sessions DROP COLUMN organisation;
ALTER TABLE sessions DROP COLUMN client_id;
