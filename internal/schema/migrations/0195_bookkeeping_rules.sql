-- +goose Up
-- Accounts finer than a kind: for one asset, or for one place, with the tax code and the cost centre of their lines.
ALTER TABLE bookkeeping_accounts RENAME TO bookkeeping_accounts_before;
CREATE TABLE bookkeeping_accounts (
    organisation TEXT NOT NULL,
    kind         TEXT NOT NULL,            -- of the ledger's accounts
    asset        TEXT NOT NULL DEFAULT '', -- '' for all
    place        TEXT NOT NULL DEFAULT '', -- '' for all
    number       TEXT NOT NULL,
    name         TEXT NOT NULL,
    tax_code     TEXT NOT NULL DEFAULT '',
    cost_centre  TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (organisation, kind, asset, place)
);
INSERT INTO bookkeeping_accounts (organisation, kind, number, name)
    SELECT organisation, kind, number, name FROM bookkeeping_accounts_before;
DROP TABLE bookkeeping_accounts_before;

-- +goose Down
ALTER TABLE bookkeeping_accounts RENAME TO bookkeeping_accounts_after;
CREATE TABLE bookkeeping_accounts (
    organisation TEXT NOT NULL,
    kind         TEXT NOT NULL,
    number       TEXT NOT NULL,
    name         TEXT NOT NULL,
    PRIMARY KEY (organisation, kind)
);
INSERT INTO bookkeeping_accounts (organisation, kind, number, name)
    SELECT organisation, kind, number, name FROM bookkeeping_accounts_after WHERE asset = '' AND place = '';
DROP TABLE bookkeeping_accounts_after;
