-- +goose Up

-- Proofs of the book that operators have asked for, and what they found. A job carries them out.
CREATE TABLE ledger_verifications (
    id         TEXT PRIMARY KEY,
    state      TEXT   NOT NULL, -- RUNNING, SOUND, UNSOUND
    asked_by   TEXT   NOT NULL,
    read       BIGINT NOT NULL, -- journals so far
    journals   BIGINT NOT NULL, -- that the book has
    postings   BIGINT NOT NULL,
    links      BIGINT NOT NULL, -- in the chain of hashes
    unlinked   BIGINT NOT NULL, -- journals that are too new for a link
    found      TEXT   NOT NULL, -- JSON: faults, assets, and what is under way
    head_at    BIGINT NOT NULL, -- of the head outside of the database; 0: there was none
    version    BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX ledger_verifications_running ON ledger_verifications (state) WHERE state = 'RUNNING';

-- +goose Down
DROP TABLE ledger_verifications;
