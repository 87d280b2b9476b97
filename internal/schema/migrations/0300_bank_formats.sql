-- +goose Up
-- Payment files have a format, and a number among those of their account and rail on the day they were made.
ALTER TABLE bank_files ADD COLUMN format TEXT NOT NULL DEFAULT 'pain.001';
ALTER TABLE bank_files ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
CREATE INDEX bank_files_day ON bank_files (house, rail, created_at);

-- What all identifications of a payment begin with, whatever the format of its file.
CREATE INDEX bank_payouts_root ON bank_payouts ((substr(end_to_end_id, 1, 13)));
CREATE INDEX bank_handed_root ON bank_handed ((substr(end_to_end_id, 1, 13)));

CREATE TABLE bank_corrections (                -- what a bank says is right about a payee's account
    id         TEXT PRIMARY KEY,
    file_id    TEXT   NOT NULL,
    number     BIGINT NOT NULL,                -- position in its file
    payout_id  TEXT   NOT NULL,                -- the payment that showed it, and that was made
    code       TEXT   NOT NULL,                -- C01
    sealed     TEXT   NOT NULL,                -- sealed: JSON of what is right
    state      TEXT   NOT NULL,                -- OPEN, APPLIED, DROPPED
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX bank_corrections_file ON bank_corrections (file_id, number);
CREATE INDEX bank_corrections_payout ON bank_corrections (payout_id, id);
CREATE INDEX bank_corrections_open ON bank_corrections (id) WHERE state = 'OPEN';

-- +goose Down
DROP TABLE bank_corrections;
DROP INDEX bank_handed_root;
DROP INDEX bank_payouts_root;
DROP INDEX bank_files_day;
ALTER TABLE bank_files DROP COLUMN number;
ALTER TABLE bank_files DROP COLUMN format;
