-- +goose Up
-- The accounts that an organisation's bookkeeping has for the kinds of accounts of the ledger. A kind without a row has
-- the number and name that the service proposes.
CREATE TABLE bookkeeping_accounts (
    organisation TEXT NOT NULL,
    kind         TEXT NOT NULL,                   -- of the ledger's account: wallet, payee, income/commission
    number       TEXT NOT NULL,
    name         TEXT NOT NULL,
    PRIMARY KEY (organisation, kind)
);

-- +goose Down
DROP TABLE bookkeeping_accounts;
