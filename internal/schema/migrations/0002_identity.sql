-- +goose Up
CREATE TABLE users (
    id                  TEXT PRIMARY KEY,
    email               TEXT   NOT NULL,            -- as the person wrote it
    email_key           TEXT   NOT NULL,            -- lower case: one account for each address
    first_name          TEXT   NOT NULL,
    last_name           TEXT   NOT NULL,
    sealed              TEXT   NOT NULL DEFAULT '', -- sealed: address, telephone, messaging handle, citizenship, date of birth
    country             TEXT   NOT NULL DEFAULT '', -- ISO 3166-1 alpha-2
    features            TEXT   NOT NULL DEFAULT '', -- words with commas between
    staff               TEXT   NOT NULL DEFAULT '', -- '', staff, operator
    two_factor_required BOOLEAN NOT NULL DEFAULT FALSE,
    is_account_setup    BOOLEAN NOT NULL DEFAULT FALSE,
    is_active           BOOLEAN NOT NULL DEFAULT TRUE,
    version             BIGINT NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (email_key);

CREATE TABLE passwords (
    user_id    TEXT PRIMARY KEY,
    hash       TEXT   NOT NULL,                     -- argon2id, PHC text form
    version    BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);

-- A session is a login and everything refreshed from it. No foreign keys: these rows are written on every login and refresh.
CREATE TABLE sessions (
    id             TEXT PRIMARY KEY,
    user_id        TEXT   NOT NULL,
    generation     BIGINT NOT NULL,                 -- of the newest refresh token
    rotated_at     BIGINT NOT NULL,                 -- when that generation was first given out
    rotated_source TEXT   NOT NULL,                 -- to whom: the address of the caller
    siblings       BIGINT NOT NULL DEFAULT 0,       -- further pairs of that generation, given out within the grace
    revoked_at     BIGINT NOT NULL DEFAULT 0,
    revoked_why    TEXT   NOT NULL DEFAULT '',
    expires_at     BIGINT NOT NULL,                 -- absolute
    created_at     BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_age ON sessions (expires_at);

CREATE TABLE access_tokens (
    hash       TEXT PRIMARY KEY,                    -- SHA-256 in hex; the token itself is nowhere
    session_id TEXT   NOT NULL,
    user_id    TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX access_tokens_age ON access_tokens (expires_at);

CREATE TABLE refresh_tokens (
    hash       TEXT PRIMARY KEY,
    session_id TEXT   NOT NULL,
    user_id    TEXT   NOT NULL,
    generation BIGINT NOT NULL,
    expires_at BIGINT NOT NULL                      -- idle limit
);
CREATE INDEX refresh_tokens_age ON refresh_tokens (expires_at);

CREATE TABLE organisations (
    id                      TEXT PRIMARY KEY,
    organisation_type       TEXT   NOT NULL,
    name                    TEXT   NOT NULL,
    first_name              TEXT   NOT NULL DEFAULT '',
    last_name               TEXT   NOT NULL DEFAULT '',
    sealed                  TEXT   NOT NULL DEFAULT '', -- sealed: date of birth, registration number, street, post code, city
    reference_code          TEXT   NOT NULL,
    payables_email          TEXT   NOT NULL DEFAULT '',
    country                 TEXT   NOT NULL DEFAULT '',
    onboarding_status       TEXT   NOT NULL,
    transaction_value_limit TEXT   NOT NULL DEFAULT '0', -- decimal USD; 0: none of its own
    min_usd_payment_amount  TEXT   NOT NULL DEFAULT '0',
    cumulative_amount       TEXT   NOT NULL DEFAULT '0',
    is_on_chain             BOOLEAN NOT NULL DEFAULT FALSE,
    complex_structure       BOOLEAN NOT NULL DEFAULT FALSE,
    is_active               BOOLEAN NOT NULL DEFAULT TRUE,
    require_idempotency_key BOOLEAN NOT NULL DEFAULT FALSE,
    risk                    TEXT   NOT NULL DEFAULT 'LOW',
    features                TEXT   NOT NULL DEFAULT '',
    created_by              TEXT   NOT NULL,
    version                 BIGINT NOT NULL,
    created_at              BIGINT NOT NULL,
    updated_at              BIGINT NOT NULL
);
CREATE UNIQUE INDEX organisations_reference ON organisations (reference_code);

CREATE TABLE members (
    id                TEXT PRIMARY KEY,
    organisation      TEXT   NOT NULL,
    user_id           TEXT   NOT NULL,
    user_type         TEXT   NOT NULL,              -- lower case; 'authorized' may accept transactions
    roles             TEXT   NOT NULL DEFAULT '',   -- viewer, initiator, approver, admin with commas between
    applicant_id      TEXT   NOT NULL DEFAULT '',
    onboarding_status TEXT   NOT NULL DEFAULT 'PENDING',
    is_active         BOOLEAN NOT NULL DEFAULT TRUE,
    version           BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL
);
CREATE UNIQUE INDEX members_person ON members (organisation, user_id);
CREATE INDEX members_user ON members (user_id, organisation);

CREATE TABLE invitations (
    id           TEXT PRIMARY KEY,
    organisation TEXT   NOT NULL,
    email_key    TEXT   NOT NULL,
    address      TEXT   NOT NULL,                  -- as it was written: where the mail goes
    token_hash   TEXT   NOT NULL,
    roles        TEXT   NOT NULL,
    approved_by  TEXT   NOT NULL DEFAULT '',       -- the second admin; under an approval policy nobody joins before there is one
    created_by   TEXT   NOT NULL,
    used_by      TEXT   NOT NULL DEFAULT '',
    used_at      BIGINT NOT NULL DEFAULT 0,
    expires_at   BIGINT NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX invitations_token ON invitations (token_hash);
CREATE INDEX invitations_open ON invitations (organisation, used_at, expires_at);
CREATE INDEX invitations_day ON invitations (organisation, created_at);
CREATE INDEX invitations_address ON invitations (email_key, created_at);

-- +goose Down
DROP TABLE invitations;
DROP TABLE members;
DROP TABLE organisations;
DROP TABLE refresh_tokens;
DROP TABLE access_tokens;
DROP TABLE sessions;
DROP TABLE passwords;
DROP TABLE users;
