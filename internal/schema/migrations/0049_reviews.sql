-- +goose Up
-- Verification by hand: one case for each person and organisation, with what the applicant has filled in.
CREATE TABLE review_cases (
    id              TEXT PRIMARY KEY,                  -- the applicant's identifier
    kind            TEXT   NOT NULL,                   -- user, organisation: which form
    subject         TEXT   NOT NULL,                   -- the user or organisation
    level_name      TEXT   NOT NULL,
    status          TEXT   NOT NULL,                   -- OPEN, SUBMITTED, APPROVED, REJECTED
    retry           BOOLEAN NOT NULL DEFAULT FALSE,    -- of REJECTED: another try is allowed
    personal        TEXT   NOT NULL,                   -- sealed: the form, the words of a rejection
    checklist       TEXT   NOT NULL DEFAULT '{}',      -- who has checked what
    screening       TEXT   NOT NULL DEFAULT '',        -- PENDING, CLEAR, FOUND, or empty before the form was sent
    basis           BIGINT NOT NULL DEFAULT 1,         -- grows with everything that a decision rests on
    proposal        TEXT   NOT NULL DEFAULT '',        -- what the first person has proposed
    proposed_by     TEXT   NOT NULL DEFAULT '',
    proposed_basis  BIGINT NOT NULL DEFAULT 0,
    decided_by      TEXT   NOT NULL DEFAULT '',
    submitted_at    BIGINT NOT NULL DEFAULT 0,
    decided_at      BIGINT NOT NULL DEFAULT 0,
    version         BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX review_cases_subject ON review_cases (subject);
CREATE INDEX review_cases_status ON review_cases (status, updated_at);

-- What was handed in; the files are documents of the case.
CREATE TABLE review_documents (
    document   TEXT PRIMARY KEY,
    case_id    TEXT   NOT NULL,
    kind       TEXT   NOT NULL,                        -- what it is to prove
    created_at BIGINT NOT NULL
);
CREATE INDEX review_documents_case ON review_documents (case_id, created_at);

-- What the platform's people say to each other about a case.
CREATE TABLE review_comments (
    id         TEXT PRIMARY KEY,
    case_id    TEXT   NOT NULL,
    author     TEXT   NOT NULL,
    sealed     TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX review_comments_case ON review_comments (case_id, created_at);

-- What opens the hosted form: a token, once, and then the visit that it began.
CREATE TABLE review_visits (
    hash       TEXT PRIMARY KEY,                       -- SHA-256 of the secret
    case_id    TEXT   NOT NULL,
    kind       TEXT   NOT NULL,                        -- TOKEN, VISIT
    expires_at BIGINT NOT NULL
);
CREATE INDEX review_visits_expiry ON review_visits (expires_at);

-- +goose Down
DROP TABLE review_visits;
DROP TABLE review_comments;
DROP TABLE review_documents;
DROP TABLE review_cases;
