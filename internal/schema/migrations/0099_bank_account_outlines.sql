-- +goose Up

-- Keyed hashes of what the numbers of accounts share that are easily taken for each other: their ends, and four pieces.
-- An account that was stored before gets them when it is changed, or when the keys are changed.
ALTER TABLE bank_accounts ADD COLUMN alike_ends TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_accounts ADD COLUMN alike_one TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_accounts ADD COLUMN alike_two TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_accounts ADD COLUMN alike_three TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_accounts ADD COLUMN alike_four TEXT NOT NULL DEFAULT '';

CREATE INDEX bank_accounts_alike_ends ON bank_accounts (organisation, alike_ends);
CREATE INDEX bank_accounts_alike_one ON bank_accounts (organisation, alike_one);
CREATE INDEX bank_accounts_alike_two ON bank_accounts (organisation, alike_two);
CREATE INDEX bank_accounts_alike_three ON bank_accounts (organisation, alike_three);
CREATE INDEX bank_accounts_alike_four ON bank_accounts (organisation, alike_four);

-- +goose Down
DROP INDEX bank_accounts_alike_ends;
DROP INDEX bank_accounts_alike_one;
DROP INDEX bank_accounts_alike_two;
DROP INDEX bank_accounts_alike_three;
DROP INDEX bank_accounts_alike_four;
ALTER TABLE bank_accounts DROP COLUMN alike_ends;
ALTER TABLE bank_accounts DROP COLUMN alike_one;
ALTER TABLE bank_accounts DROP COLUMN alike_two;
ALTER TABLE bank_accounts DROP COLUMN alike_three;
ALTER TABLE bank_accounts DROP COLUMN alike_four;
