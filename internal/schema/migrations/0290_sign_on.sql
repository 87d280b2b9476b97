-- +goose Up
-- Providers of OpenID Connect by which the people of an organisation sign in. Under a policy a new setting waits as a
-- row of its own until a second admin has approved it; the one in force is live.
CREATE TABLE sign_on_providers (
    id            TEXT    NOT NULL PRIMARY KEY,
    organisation  TEXT    NOT NULL,
    live          BOOLEAN NOT NULL,
    enabled       BOOLEAN NOT NULL,
    issuer        TEXT    NOT NULL,
    client_id     TEXT    NOT NULL,
    secret        TEXT    NOT NULL,               -- of the client: sealed
    rules         TEXT    NOT NULL,               -- which claims give which roles, as JSON
    vouches       BOOLEAN NOT NULL,               -- the directory alone sets addresses, whatever the claims say
    second_factor TEXT    NOT NULL,               -- values of amr and acr that count as a second factor, by commas
    required      BOOLEAN NOT NULL,               -- a password does not sign in
    emergency     TEXT    NOT NULL,               -- users whose password does, by commas
    created_by    TEXT    NOT NULL,
    version       BIGINT  NOT NULL,
    created_at    BIGINT  NOT NULL,
    updated_at    BIGINT  NOT NULL
);
CREATE UNIQUE INDEX sign_on_providers_live ON sign_on_providers (organisation) WHERE live;
CREATE INDEX sign_on_providers_organisation ON sign_on_providers (organisation, id);

-- Domains of which organisations say that they are theirs. They count from when that is proven.
CREATE TABLE sign_on_domains (
    id           TEXT   NOT NULL PRIMARY KEY,
    organisation TEXT   NOT NULL,
    domain       TEXT   NOT NULL,                 -- in lower case, as in DNS
    token        TEXT   NOT NULL,                 -- what the TXT record says
    proven_at    BIGINT NOT NULL,                 -- 0: not yet
    proven_by    TEXT   NOT NULL,                 -- dns, or the operator
    checked_at   BIGINT NOT NULL,
    created_by   TEXT   NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX sign_on_domains_proven ON sign_on_domains (domain) WHERE proven_at > 0;
CREATE UNIQUE INDEX sign_on_domains_organisation ON sign_on_domains (organisation, domain);

-- Who is who: a subject of an issuer is one person, and a person one subject. The platform's own have no organisation.
CREATE TABLE sign_on_links (
    id           TEXT   NOT NULL PRIMARY KEY,
    organisation TEXT   NOT NULL,
    issuer       TEXT   NOT NULL,
    subject      TEXT   NOT NULL,
    user_id      TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    used_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX sign_on_links_subject ON sign_on_links (organisation, issuer, subject);
CREATE UNIQUE INDEX sign_on_links_user ON sign_on_links (organisation, issuer, user_id);

-- Sign-ins that are at a provider. Nonce and verifier follow from the cookie, which is nowhere here.
CREATE TABLE sign_on_attempts (
    hash         TEXT   NOT NULL PRIMARY KEY,     -- SHA-256 of the state
    browser      TEXT   NOT NULL,                 -- SHA-256 of the cookie
    organisation TEXT   NOT NULL,                 -- '': the platform
    provider     TEXT   NOT NULL,                 -- which setting, and its version
    tester       TEXT   NOT NULL,                 -- the admin who only looks; '': somebody signs in
    next         TEXT   NOT NULL,
    used_at      BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX sign_on_attempts_age ON sign_on_attempts (expires_at);

-- What the directory of an organisation says of its people (SCIM).
CREATE TABLE scim_tokens (
    organisation TEXT   NOT NULL PRIMARY KEY,
    hash         TEXT   NOT NULL,
    created_by   TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    used_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX scim_tokens_hash ON scim_tokens (hash);

CREATE TABLE scim_people (
    id           TEXT    NOT NULL PRIMARY KEY,
    organisation TEXT    NOT NULL,
    user_name    TEXT    NOT NULL,                -- as the directory writes it
    user_key     TEXT    NOT NULL,                -- as it is compared
    external_id  TEXT    NOT NULL,
    given_name   TEXT    NOT NULL,
    family_name  TEXT    NOT NULL,
    active       BOOLEAN NOT NULL,                -- false: does not sign in by the provider
    version      BIGINT  NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL
);
CREATE UNIQUE INDEX scim_people_name ON scim_people (organisation, user_key);

-- Why a member is not active: scim, if the directory has ended the membership.
ALTER TABLE members ADD COLUMN left_by TEXT NOT NULL DEFAULT '';

-- A session that a provider has begun acts in its organisation alone; one that a password has begun does not act where
-- the provider is required.
ALTER TABLE sessions ADD COLUMN sign_on TEXT NOT NULL DEFAULT '';         -- an organisation, or platform
ALTER TABLE sessions ADD COLUMN without_sign_on TEXT NOT NULL DEFAULT ''; -- the same
ALTER TABLE login_challenges ADD COLUMN sign_on TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE login_challenges DROP COLUMN sign_on;
ALTER TABLE sessions DROP COLUMN without_sign_on;
ALTER TABLE sessions DROP COLUMN sign_on;
ALTER TABLE members DROP COLUMN left_by;
DROP TABLE scim_people;
DROP TABLE scim_tokens;
DROP TABLE sign_on_attempts;
DROP TABLE sign_on_links;
DROP TABLE sign_on_domains;
DROP TABLE sign_on_providers;
