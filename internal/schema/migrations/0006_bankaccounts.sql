-- +goose Up
CREATE TABLE bank_accounts (
    id                TEXT PRIMARY KEY,
    organisation      TEXT    NOT NULL,
    receiver          TEXT    NOT NULL,
    country           TEXT    NOT NULL,               -- of the bank, alpha-2
    currency          TEXT    NOT NULL,               -- ISO 4217
    sealed            TEXT    NOT NULL,               -- sealed: IBAN in electronic form (no spaces, capitals), account number
    iban_hash         TEXT    NOT NULL,               -- keyed hash of organisation and IBAN; empty without one
    bic               TEXT    NOT NULL,
    sort_code         TEXT    NOT NULL,               -- six digits
    routing_number    TEXT    NOT NULL,
    ifsc              TEXT    NOT NULL,
    account_type      TEXT    NOT NULL,
    ach_said          TEXT    NOT NULL,               -- YES, NO or empty: what the client said of ACH, and below of Fedwire
    fed_said          TEXT    NOT NULL,
    ach               TEXT    NOT NULL,               -- YES, NO or empty (not a US account): as it counts
    fed               TEXT    NOT NULL,
    bank              TEXT    NOT NULL,               -- JSON: what the client said of the bank
    bank_found        TEXT    NOT NULL,               -- JSON: what the validation provider said of it
    sepa              TEXT    NOT NULL,               -- JSON: SEPA schemes the account can be reached by
    validation_status TEXT    NOT NULL,
    error_code        BIGINT  NOT NULL,               -- 0: none
    error_message     TEXT    NOT NULL,
    validated_at      BIGINT  NOT NULL,
    cool_until        BIGINT  NOT NULL,               -- no payment before: the account behind a known name was changed
    soft_deleted      BOOLEAN NOT NULL,
    version           BIGINT  NOT NULL,
    created_at        BIGINT  NOT NULL,
    updated_at        BIGINT  NOT NULL
);
CREATE INDEX bank_accounts_list ON bank_accounts (organisation, id);
CREATE INDEX bank_accounts_iban ON bank_accounts (iban_hash) WHERE iban_hash <> '';
CREATE INDEX bank_accounts_receiver ON bank_accounts (receiver, id);

-- +goose Down
DROP TABLE bank_accounts;
