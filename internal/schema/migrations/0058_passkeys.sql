-- +goose Up

-- A passkey of a person: a second factor, and a way to sign in by itself. Only its public half is here.
CREATE TABLE passkeys (
    id              TEXT PRIMARY KEY,
    user_id         TEXT    NOT NULL,
    credential      TEXT    NOT NULL,            -- the authenticator's identifier of it, base64url
    public_key      TEXT    NOT NULL,            -- COSE, base64url
    transports      TEXT    NOT NULL DEFAULT '', -- how the browser reaches it, with commas between
    backup_eligible BOOLEAN NOT NULL,            -- it may be on several devices
    backed_up       BOOLEAN NOT NULL,
    sign_count      BIGINT  NOT NULL,            -- 0: the authenticator does not count
    name            TEXT    NOT NULL,
    version         BIGINT  NOT NULL,            -- rises with the name
    last_used_at    BIGINT  NOT NULL DEFAULT 0,
    created_at      BIGINT  NOT NULL
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential);
CREATE INDEX passkeys_user ON passkeys (user_id, id);

-- What was given to a browser to be signed. Whoever answers it deletes it.
CREATE TABLE passkey_challenges (
    hash       TEXT PRIMARY KEY,                 -- SHA-256 of the challenge
    purpose    TEXT   NOT NULL,                  -- add, sign-in, prove
    user_id    TEXT   NOT NULL DEFAULT '',       -- who must answer; empty: anybody, who then signs in
    held_by    TEXT   NOT NULL DEFAULT '',       -- the session, or the hash of the tempToken, that it was given to
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_age ON passkey_challenges (expires_at);

-- +goose Down
DROP TABLE passkey_challenges;
DROP TABLE passkeys;
