-- +goose Up

-- What organisations owe the house, with what is owed of it still and how it is paid.
ALTER TABLE receivables RENAME COLUMN entry TO id;
ALTER TABLE receivables ADD COLUMN house TEXT NOT NULL DEFAULT '';        -- the house account that the money is missing on
ALTER TABLE receivables ADD COLUMN reference TEXT NOT NULL DEFAULT '';    -- that a deposit has to carry to pay it
ALTER TABLE receivables ADD COLUMN owed TEXT NOT NULL DEFAULT '0';        -- minor units that are owed still
ALTER TABLE receivables ADD COLUMN state TEXT NOT NULL DEFAULT 'SETTLED'; -- OPEN, SETTLED
ALTER TABLE receivables ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
UPDATE receivables SET owed = units, state = 'OPEN' WHERE settled_at = 0;
UPDATE receivables SET house = COALESCE((SELECT d.house FROM bank_debits d WHERE d.entry = receivables.id), '');
UPDATE receivables SET reference = COALESCE((SELECT t.reference FROM transaction_terms t
	WHERE t.transaction_id = receivables.transaction_id), '');
DROP INDEX receivables_open;
ALTER TABLE receivables DROP COLUMN proposed_by;
ALTER TABLE receivables DROP COLUMN settled_by;
ALTER TABLE receivables DROP COLUMN note;
CREATE INDEX receivables_open ON receivables (organisation) WHERE state = 'OPEN';
CREATE INDEX receivables_reference ON receivables (reference) WHERE state = 'OPEN';
CREATE INDEX receivables_transaction ON receivables (transaction_id) WHERE state = 'OPEN';
CREATE INDEX receivables_organisation ON receivables (organisation, created_at);

-- What has settled receivables, each thing once for a receivable.
CREATE TABLE receivable_parts (
    receivable TEXT   NOT NULL,
    means      TEXT   NOT NULL, -- DEPOSIT, SET_OFF, WRITE_OFF
    source     TEXT   NOT NULL, -- the deposit, the return, or nothing
    units      TEXT   NOT NULL, -- minor units
    created_at BIGINT NOT NULL,
    PRIMARY KEY (receivable, means, source)
);
CREATE INDEX receivable_parts_source ON receivable_parts (source);

-- +goose Down
DROP TABLE receivable_parts;
DROP INDEX receivables_organisation;
DROP INDEX receivables_transaction;
DROP INDEX receivables_reference;
DROP INDEX receivables_open;
ALTER TABLE receivables ADD COLUMN proposed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE receivables ADD COLUMN settled_by TEXT NOT NULL DEFAULT '';
ALTER TABLE receivables ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE receivables DROP COLUMN version;
ALTER TABLE receivables DROP COLUMN state;
ALTER TABLE receivables DROP COLUMN owed;
ALTER TABLE receivables DROP COLUMN reference;
ALTER TABLE receivables DROP COLUMN house;
ALTER TABLE receivables RENAME COLUMN id TO entry;
CREATE INDEX receivables_open ON receivables (organisation) WHERE settled_at = 0;
