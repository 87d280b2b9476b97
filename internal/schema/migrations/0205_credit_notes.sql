-- +goose Up

-- Credit notes and collective invoices have their numbers in the series of invoices.
ALTER TABLE invoices ADD COLUMN kind TEXT NOT NULL DEFAULT 'INVOICE'; -- INVOICE and CREDIT_NOTE of a transaction, COLLECTIVE of a month
ALTER TABLE invoices ADD COLUMN month TEXT NOT NULL DEFAULT '';       -- 2026-12; empty: of a transaction
DROP INDEX invoices_transaction;
CREATE UNIQUE INDEX invoices_subject ON invoices (organisation, kind, transaction_id, month);

-- The journals whose fees a collective invoice has. A journal is in one at most.
CREATE TABLE collected_journals (
    journal      TEXT PRIMARY KEY,
    organisation TEXT NOT NULL,
    invoice      TEXT NOT NULL,
    day          TEXT NOT NULL -- of the book, when it was collected: 2026-12-31
);
CREATE INDEX collected_journals_day ON collected_journals (organisation, day);

-- +goose Down
DROP TABLE collected_journals;
DELETE FROM invoices WHERE kind <> 'INVOICE';
DROP INDEX invoices_subject;
CREATE UNIQUE INDEX invoices_transaction ON invoices (transaction_id);
ALTER TABLE invoices DROP COLUMN month;
ALTER TABLE invoices DROP COLUMN kind;
