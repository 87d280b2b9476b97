-- +goose Up

-- Keyed hashes by which an account is searched: of the number that is no IBAN, and of the last characters of either.
ALTER TABLE bank_accounts ADD COLUMN number_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_accounts ADD COLUMN number_end TEXT NOT NULL DEFAULT '';

CREATE INDEX bank_accounts_number ON bank_accounts (organisation, number_hash) WHERE number_hash <> '';
CREATE INDEX bank_accounts_number_end ON bank_accounts (organisation, number_end) WHERE number_end <> '';

-- +goose Down
DROP INDEX bank_accounts_number_end;
DROP INDEX bank_accounts_number;
ALTER TABLE bank_accounts DROP COLUMN number_end;
ALTER TABLE bank_accounts DROP COLUMN number_hash;
