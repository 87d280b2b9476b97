-- +goose Up
-- Files that belong to payables and payments. Their bytes lie in a folder or bucket, under the name in blob.
CREATE TABLE documents (
    id           TEXT PRIMARY KEY,                -- the documentStorageKey
    organisation TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    content_type TEXT    NOT NULL,
    sha256       TEXT    NOT NULL,
    size         BIGINT  NOT NULL,
    width        BIGINT  NOT NULL,                -- pixels of a picture, else 0
    height       BIGINT  NOT NULL,
    uploaded_by  TEXT    NOT NULL,                -- the user; empty: whoever held the invoice link
    link         TEXT    NOT NULL,
    blob         TEXT    NOT NULL,
    key_id       TEXT    NOT NULL,                -- of the keyring's key that sealed sealed_key; empty: the bytes are not encrypted
    sealed_key   TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    sweep_at     BIGINT  NOT NULL,                -- when the bytes go and the row with them; 0: they stay
    created_at   BIGINT  NOT NULL
);
CREATE INDEX documents_list ON documents (organisation, id) WHERE status = 'STORED';
CREATE INDEX documents_same ON documents (organisation, sha256);
CREATE INDEX documents_room ON documents (organisation, size);
CREATE INDEX documents_sweep ON documents (sweep_at) WHERE sweep_at > 0;
CREATE INDEX documents_keys ON documents (key_id) WHERE key_id <> '';
CREATE INDEX payments_document ON payments (document) WHERE document <> '';

-- +goose Down
DROP INDEX payments_document;
DROP TABLE documents;
