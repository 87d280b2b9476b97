-- +goose Up
-- A wallet whose screening a person has decided is not decided anew by a newer list.
ALTER TABLE wallets ADD COLUMN screening_decided BOOLEAN NOT NULL DEFAULT FALSE;

-- What screening was asked and what it answered. Only ever added to.
CREATE TABLE screenings (
    id           TEXT PRIMARY KEY,
    organisation TEXT   NOT NULL,
    kind         TEXT   NOT NULL,      -- ADDRESS, NAME
    subject      TEXT   NOT NULL,      -- the address or name, as it was asked
    network      TEXT   NOT NULL,      -- of an address
    object       TEXT   NOT NULL,      -- the record for which it was asked
    purpose      TEXT   NOT NULL,      -- WALLET, SUBMIT, ACCEPT, SEND, DEPOSIT
    status       TEXT   NOT NULL,
    message      TEXT   NOT NULL,
    reference    TEXT   NOT NULL,      -- what the answer rests on: editions of lists, oracles
    hits         TEXT   NOT NULL,      -- JSON: listed names that the name is like
    asked_at     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE INDEX screenings_object ON screenings (object, id);
CREATE INDEX screenings_subject ON screenings (subject, id);

-- A name that is like a listed one: two people decide whether it is the listed party.
CREATE TABLE screening_cases (
    id           TEXT PRIMARY KEY,
    organisation TEXT   NOT NULL,
    subject      TEXT   NOT NULL,      -- the name, folded
    name         TEXT   NOT NULL,      -- as it was asked first
    hit          TEXT   NOT NULL,      -- key of the listed name
    listed       TEXT   NOT NULL,      -- JSON: the hit as it was found first
    object       TEXT   NOT NULL,      -- the record for which it was found first
    status       TEXT   NOT NULL,
    proposal     TEXT   NOT NULL,      -- CLEARED or CONFIRMED: what the first person says
    proposed_by  TEXT   NOT NULL,
    decided_by   TEXT   NOT NULL,
    reason       TEXT   NOT NULL,      -- of the latest decision
    version      BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX screening_cases_once ON screening_cases (organisation, subject, hit);
CREATE INDEX screening_cases_status ON screening_cases (status, id);

-- Which editions of lists were in use, with what they rest on, and whether everything stored was held against them.
CREATE TABLE screening_editions (
    edition    TEXT PRIMARY KEY,
    sources    TEXT   NOT NULL,        -- JSON
    used_from  BIGINT NOT NULL,
    swept_at   BIGINT NOT NULL         -- 0: not yet
);

-- +goose Down
DROP TABLE screening_editions;
DROP TABLE screening_cases;
DROP TABLE screenings;
ALTER TABLE wallets DROP COLUMN screening_decided;
