-- +goose Up
-- Whose identity is verified: one applicant at the provider for each person and each organisation.
CREATE TABLE idv_applicants (
    id                 TEXT PRIMARY KEY,
    kind               TEXT   NOT NULL,             -- user, organisation
    subject            TEXT   NOT NULL,             -- the user or organisation; the provider's externalUserId
    applicant_id       TEXT   NOT NULL DEFAULT '',  -- the provider's; empty until it has made the applicant
    level_name         TEXT   NOT NULL,             -- the level that we ask for: an answer on another one says nothing
    status             TEXT   NOT NULL,             -- PENDING, SUBMITTED, APPROVED, REJECTED: what the review means here
    review_status      TEXT   NOT NULL DEFAULT '',  -- the provider's words from here on
    review_answer      TEXT   NOT NULL DEFAULT '',
    reject_type        TEXT   NOT NULL DEFAULT '',
    reject_labels      TEXT   NOT NULL DEFAULT '',  -- with commas between
    moderation_comment TEXT   NOT NULL DEFAULT '',
    reviewed_at        BIGINT NOT NULL DEFAULT 0,   -- the provider's time of them
    event_at           BIGINT NOT NULL DEFAULT 0,   -- the provider's time of the newest event that they cover
    check_at           BIGINT NOT NULL DEFAULT 0,   -- when the provider is asked without an event; 0: it is not
    watch_until        BIGINT NOT NULL DEFAULT 0,   -- documents may be handed in until then
    version            BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);
CREATE UNIQUE INDEX idv_applicants_subject ON idv_applicants (subject);
CREATE UNIQUE INDEX idv_applicants_applicant ON idv_applicants (applicant_id) WHERE applicant_id <> '';
CREATE INDEX idv_applicants_due ON idv_applicants (check_at) WHERE check_at > 0;

-- What the provider has told us, as it came, written before it is answered.
CREATE TABLE idv_events (
    id               TEXT PRIMARY KEY,
    identity         TEXT   NOT NULL,               -- SHA-256 of what makes two deliveries the same event
    type             TEXT   NOT NULL,
    applicant_id     TEXT   NOT NULL,
    external_user_id TEXT   NOT NULL,
    provider_at      BIGINT NOT NULL,               -- createdAtMs
    raw              BYTEA  NOT NULL,               -- sealed: the bytes that were signed
    state            TEXT   NOT NULL,               -- RECEIVED, APPLIED, IGNORED
    outcome          TEXT   NOT NULL DEFAULT '',    -- a sentence: what came of it
    tries            BIGINT NOT NULL DEFAULT 0,     -- how often the provider was asked and said something else
    received_at      BIGINT NOT NULL,
    ended_at         BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX idv_events_identity ON idv_events (identity);
CREATE INDEX idv_events_open ON idv_events (external_user_id) WHERE state = 'RECEIVED';
CREATE INDEX idv_events_ended ON idv_events (ended_at) WHERE ended_at > 0;

-- +goose Down
DROP TABLE idv_events;
DROP TABLE idv_applicants;
