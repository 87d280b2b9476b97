-- +goose Up
CREATE TABLE bank_payouts (
    id            TEXT PRIMARY KEY,
    key           TEXT   NOT NULL,             -- the effect's business identity
    object        TEXT   NOT NULL,             -- the record it is about
    house         TEXT   NOT NULL,             -- the house account it leaves from
    rail          TEXT   NOT NULL,
    currency      TEXT   NOT NULL,
    units         TEXT   NOT NULL,
    sealed        TEXT   NOT NULL,             -- sealed: JSON of who gets it, and on which account; the text for him
    charges       TEXT   NOT NULL,
    purpose       TEXT   NOT NULL,
    end_to_end_id TEXT   NOT NULL,
    uetr          TEXT   NOT NULL,
    state         TEXT   NOT NULL,
    reason_code   TEXT   NOT NULL DEFAULT '',  -- of REJECTED, HELD, RETURNED: the bank's
    reason        TEXT   NOT NULL DEFAULT '',
    conflict      TEXT   NOT NULL DEFAULT '',  -- what the bank told that contradicts the state; a person looks at it
    file_id       TEXT   NOT NULL DEFAULT '',
    handed_at     BIGINT NOT NULL DEFAULT 0,   -- when it was known to be at the bank, and its observer told
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX bank_payouts_key ON bank_payouts (key);
CREATE UNIQUE INDEX bank_payouts_end_to_end ON bank_payouts (end_to_end_id);
CREATE UNIQUE INDEX bank_payouts_uetr ON bank_payouts (uetr);
CREATE INDEX bank_payouts_queue ON bank_payouts (state, house, rail, id);
CREATE INDEX bank_payouts_object ON bank_payouts (object, id);
CREATE INDEX bank_payouts_conflict ON bank_payouts (id) WHERE conflict <> '';
CREATE INDEX bank_payouts_file ON bank_payouts (file_id, state, id);

CREATE TABLE bank_files (                      -- payment files of ours
    id          TEXT PRIMARY KEY,
    house       TEXT   NOT NULL,
    rail        TEXT   NOT NULL,
    execute_on  TEXT   NOT NULL,               -- 2026-11-23
    message_id  TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    state       TEXT   NOT NULL,
    reason      TEXT   NOT NULL DEFAULT '',
    payouts     BIGINT NOT NULL,
    control_sum TEXT   NOT NULL,
    sha256      TEXT   NOT NULL DEFAULT '',
    size        BIGINT NOT NULL DEFAULT 0,
    attempts    BIGINT NOT NULL DEFAULT 0,     -- to hand it over
    staged      TEXT   NOT NULL DEFAULT '',    -- its temporary name in the newest try
    asked_since BIGINT NOT NULL DEFAULT 0,     -- since when it has been unknown whether it arrived
    sent_at     BIGINT NOT NULL DEFAULT 0,     -- when it was known to be at the bank
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX bank_files_message ON bank_files (message_id);
CREATE UNIQUE INDEX bank_files_name ON bank_files (name);
CREATE INDEX bank_files_state ON bank_files (state, id);

CREATE TABLE bank_file_bytes (
    file_id TEXT PRIMARY KEY,
    content BYTEA NOT NULL                     -- sealed: what is sent, every time
);

CREATE TABLE bank_inbox (                      -- files of the bank
    id          TEXT PRIMARY KEY,
    hash        TEXT   NOT NULL,               -- SHA-256 of its bytes, which the archive folder keeps under this name
    name        TEXT   NOT NULL,               -- under which it came first
    kind        TEXT   NOT NULL,               -- camt.053, pain.002 …; '' when that could not be told
    size        BIGINT NOT NULL,
    state       TEXT   NOT NULL,
    reason_code TEXT   NOT NULL DEFAULT '',
    reason      TEXT   NOT NULL DEFAULT '',
    entries     BIGINT NOT NULL DEFAULT 0,
    fresh       BIGINT NOT NULL DEFAULT 0,     -- entries no earlier file told of
    matched     BIGINT NOT NULL DEFAULT 0,
    statuses    BIGINT NOT NULL DEFAULT 0,
    done        BIGINT NOT NULL DEFAULT 0,     -- how far its import has come
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX bank_inbox_hash ON bank_inbox (hash);
CREATE INDEX bank_inbox_state ON bank_inbox (state, id);

CREATE TABLE bank_statements (
    id           TEXT PRIMARY KEY,
    file_id      TEXT   NOT NULL,
    number       BIGINT NOT NULL,              -- position in its file
    account      TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    statement_id TEXT   NOT NULL,              -- the bank's
    sequence     BIGINT NOT NULL,              -- its electronic number; -1: none
    page         BIGINT NOT NULL,
    year         BIGINT NOT NULL,              -- of its closing day: numbers begin anew with a year
    opening      TEXT   NOT NULL,              -- signed units; '' when the statement names no balance
    opening_on   TEXT   NOT NULL,
    closing      TEXT   NOT NULL,
    closing_on   TEXT   NOT NULL,
    first_on     TEXT   NOT NULL,              -- the first day that it accounts for
    base         TEXT   NOT NULL,              -- signed units: up to this balance earlier statements account for everything
    place        TEXT   NOT NULL,              -- among the account's statements: NEXT, OVER, AGAIN; '' without balances
    created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX bank_statements_file ON bank_statements (file_id, number);
CREATE INDEX bank_statements_chain ON bank_statements (account, kind, closing_on, id);

CREATE TABLE bank_counted (                    -- what was booked for a statement: a line for each write, their sum is held against its balances
    statement  TEXT   NOT NULL,                -- row of bank_statements
    number     BIGINT NOT NULL,
    units      TEXT   NOT NULL,                -- signed
    created_at BIGINT NOT NULL,
    PRIMARY KEY (statement, number)
);

CREATE TABLE bank_entries (                    -- one row for each booking, for ever
    id                   TEXT PRIMARY KEY,     -- made from what identifies the booking, and its number among those that agree in it
    account              TEXT   NOT NULL,      -- house account
    file_id              TEXT   NOT NULL,      -- the file that first told of it
    kind                 TEXT   NOT NULL,      -- and its message
    position             BIGINT NOT NULL,      -- in that file
    status               TEXT   NOT NULL,      -- BOOK, or PDNG, INFO, FUTR, DOUBT, which move nothing
    named                BOOLEAN NOT NULL,     -- the bank gave it a reference of its own
    statement            TEXT   NOT NULL,      -- row of the statement that accounts for it; '' until one does
    advised              BOOLEAN NOT NULL,     -- a camt.054 told of it
    bare                 BOOLEAN NOT NULL,     -- nothing is known but amount, day and reference: neither payer nor text
    units                TEXT   NOT NULL,
    currency             TEXT   NOT NULL,
    credit               BOOLEAN NOT NULL,
    reversal             BOOLEAN NOT NULL,
    booked_at            BIGINT NOT NULL,
    value_at             BIGINT NOT NULL,
    bank_ref             TEXT   NOT NULL,
    code                 TEXT   NOT NULL,
    end_to_end_id        TEXT   NOT NULL,
    uetr                 TEXT   NOT NULL,
    instr_id             TEXT   NOT NULL,
    payment_info_id      TEXT   NOT NULL,
    mandate_id           TEXT   NOT NULL,
    sealed               TEXT   NOT NULL,      -- sealed: the other side's account, remittance, text of a return, info
    refs                 TEXT   NOT NULL,      -- structured references, a line each
    counterparty         TEXT   NOT NULL,
    return_code          TEXT   NOT NULL,
    parts                BIGINT NOT NULL       -- rows in bank_parts; 0: it is one movement
);
CREATE INDEX bank_entries_account ON bank_entries (account, booked_at);
CREATE INDEX bank_entries_advised ON bank_entries (account, booked_at) WHERE statement = '' AND status = 'BOOK';
CREATE INDEX bank_entries_unadvised ON bank_entries (account, booked_at) WHERE statement <> '' AND NOT advised;
CREATE INDEX bank_entries_lumps ON bank_entries (account, bank_ref) WHERE bare AND NOT advised;

CREATE TABLE bank_tellers (                    -- which messages ever told of an account's bookings
    account TEXT NOT NULL,
    kind    TEXT NOT NULL,
    PRIMARY KEY (account, kind)
);

CREATE TABLE bank_parts (                      -- what a booking of several transactions is made of
    entry_id             TEXT   NOT NULL,
    number               BIGINT NOT NULL,      -- never given again: what a booking is made of may be told anew
    units                TEXT   NOT NULL,
    credit               BOOLEAN NOT NULL,
    end_to_end_id        TEXT   NOT NULL,
    uetr                 TEXT   NOT NULL,
    instr_id             TEXT   NOT NULL,
    payment_info_id      TEXT   NOT NULL,
    mandate_id           TEXT   NOT NULL,
    sealed               TEXT   NOT NULL,      -- as of a booking
    refs                 TEXT   NOT NULL,
    counterparty         TEXT   NOT NULL,
    return_code          TEXT   NOT NULL,
    replaced             BOOLEAN NOT NULL,     -- told anew since, with more of it
    PRIMARY KEY (entry_id, number)
);

CREATE TABLE bank_matches (                    -- evidence: which movement shows which payout
    payout_id  TEXT   NOT NULL,
    kind       TEXT   NOT NULL,                -- BOOKED, once for a payout
    movement   TEXT   NOT NULL,
    units      TEXT   NOT NULL,
    settled    BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (payout_id, kind)
);
CREATE INDEX bank_matches_movement ON bank_matches (movement);

CREATE TABLE bank_notices (                    -- pacs.004: returns announced; the booked credit follows
    file_id    TEXT   NOT NULL,
    number     BIGINT NOT NULL,
    payout_id  TEXT   NOT NULL,
    code       TEXT   NOT NULL,
    text       TEXT   NOT NULL,
    units      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (file_id, number)
);
CREATE INDEX bank_notices_payout ON bank_notices (payout_id);

CREATE TABLE bank_reports (                    -- pain.002: what the bank said, status by status
    file_id    TEXT   NOT NULL,
    number     BIGINT NOT NULL,
    level      TEXT   NOT NULL,
    message_id TEXT   NOT NULL,                -- the payment file it speaks of
    target     TEXT   NOT NULL,                -- block or payout; '' for the whole file
    status     TEXT   NOT NULL,
    code       TEXT   NOT NULL,
    text       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (file_id, number)
);
CREATE INDEX bank_reports_message ON bank_reports (message_id);

CREATE TABLE bank_doubts (                     -- entries that may be another one told in other words: counted only when two persons say so
    entry_id   TEXT PRIMARY KEY,
    like_entry TEXT   NOT NULL,                -- '' where only the balances speak against it
    state      TEXT   NOT NULL,                -- OPEN, COUNTED, SAME
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX bank_doubts_state ON bank_doubts (state, entry_id);

CREATE TABLE bank_late (                       -- bookings whose details came when the whole had been decided about
    entry_id   TEXT PRIMARY KEY,
    file_id    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE bank_blocks (                     -- debits of a block of payouts whose sum is not theirs as far as the bank has told
    entry_id   TEXT PRIMARY KEY,
    message    TEXT   NOT NULL,                -- the payment file of the block
    settled    BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX bank_blocks_message ON bank_blocks (message) WHERE NOT settled;

CREATE TABLE bank_resolutions (                -- what two persons decided
    id          TEXT PRIMARY KEY,
    subject     TEXT   NOT NULL,               -- payout, incoming file or entry
    action      TEXT   NOT NULL,
    asked_by    TEXT   NOT NULL,
    approved_by TEXT   NOT NULL,
    note        TEXT   NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE INDEX bank_resolutions_subject ON bank_resolutions (subject, id);

-- +goose Down
DROP TABLE bank_resolutions;
DROP TABLE bank_blocks;
DROP TABLE bank_late;
DROP TABLE bank_doubts;
DROP TABLE bank_reports;
DROP TABLE bank_notices;
DROP TABLE bank_matches;
DROP TABLE bank_parts;
DROP TABLE bank_tellers;
DROP TABLE bank_entries;
DROP TABLE bank_counted;
DROP TABLE bank_statements;
DROP TABLE bank_inbox;
DROP TABLE bank_file_bytes;
DROP TABLE bank_files;
DROP TABLE bank_payouts;
