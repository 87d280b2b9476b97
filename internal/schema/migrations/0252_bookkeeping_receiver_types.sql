-- +goose Up
-- Accounts for payments to receivers of one type: people, companies, or the organisation itself.
ALTER TABLE bookkeeping_accounts RENAME TO bookkeeping_accounts_before;
CREATE TABLE bookkeeping_accounts (
    organisation  TEXT NOT NULL,
    kind          TEXT NOT NULL,            -- of the ledger's accounts
    asset         TEXT NOT NULL DEFAULT '', -- '' for all
    place         TEXT NOT NULL DEFAULT '', -- '' for all
    receiver_type TEXT NOT NULL DEFAULT '', -- INDIVIDUAL, COMPANY or SELF; '' for all
    number        TEXT NOT NULL,
    name          TEXT NOT NULL,
    tax_code      TEXT NOT NULL DEFAULT '',
    cost_centre   TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (organisation, kind, asset, place, receiver_type)
);
INSERT INTO bookkeeping_accounts (organisation, kind, asset, place, number, name, tax_code, cost_centre)
    SELECT organisation, kind, asset, place, number, name, tax_code, cost_centre FROM bookkeeping_accounts_before;
DROP TABLE bookkeeping_accounts_before;

-- +goose Down
ALTER TABLE bookkeeping_accounts RENAME TO bookkeeping_accounts_after;
CREATE TABLE bookkeeping_accounts (
    organisation TEXT NOT NULL,
    kind         TEXT NOT NULL,
    asset        TEXT NOT NULL DEFAULT '',
    place        TEXT NOT NULL DEFAULT '',
    number       TEXT NOT NULL,
    name         TEXT NOT NULL,
    tax_code     TEXT NOT NULL DEFAULT '',
    cost_centre  TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (organisation, kind, asset, place)
);
INSERT INTO bookkeeping_accounts (organisation, kind, asset, place, number, name, tax_code, cost_centre)
    SELECT organisation, kind, asset, place, number, name, tax_code, cost_centre
    FROM bookkeeping_accounts_after WHERE receiver_type = '';
DROP TABLE bookkeeping_accounts_after;
