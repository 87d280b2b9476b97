-- +goose Up
-- Links by which outside parties without an account hand in where they want to be paid, and what for.
CREATE TABLE invoice_links (
    id               TEXT PRIMARY KEY,
    organisation     TEXT    NOT NULL,
    token_hash       TEXT    NOT NULL,              -- SHA-256 of the token, hexadecimal; the token stands nowhere
    email            TEXT    NOT NULL,              -- to which the mail went
    email_key        TEXT    NOT NULL,              -- the same, to compare
    is_existing      BOOLEAN NOT NULL,              -- the receiver was there before
    receiver         TEXT    NOT NULL,              -- its identifier, which of a new one is kept for it
    other_address    BOOLEAN NOT NULL,              -- the receiver is known by another address
    requested        TEXT    NOT NULL,              -- JSON: what the member asks for
    sealed           TEXT    NOT NULL,              -- sealed: JSON of what the outside party has handed in
    receiver_changes BIGINT  NOT NULL DEFAULT 0,    -- how often it has handed in something new
    target_changes   BIGINT  NOT NULL DEFAULT 0,
    status           TEXT    NOT NULL,
    payable          TEXT    NOT NULL DEFAULT '',   -- that was made of it
    created_by       TEXT    NOT NULL,
    submitted_at     BIGINT  NOT NULL DEFAULT 0,
    expires_at       BIGINT  NOT NULL,
    version          BIGINT  NOT NULL,
    created_at       BIGINT  NOT NULL,
    updated_at       BIGINT  NOT NULL
);
CREATE UNIQUE INDEX invoice_links_token ON invoice_links (token_hash);
CREATE INDEX invoice_links_list ON invoice_links (organisation, id);
CREATE INDEX invoice_links_recent ON invoice_links (organisation, created_at);
CREATE INDEX invoice_links_open ON invoice_links (expires_at) WHERE status = 'OPEN';

-- +goose Down
DROP TABLE invoice_links;
