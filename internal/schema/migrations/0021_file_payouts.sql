-- +goose Up
-- Which payment file a payout is in: one, or none. Its row here is all that taking it into a file writes, and the primary key keeps it out
-- of a second one. The payout's own row says PLANNED until it is known that the file arrived.
CREATE TABLE bank_file_payouts (
    payout_id TEXT PRIMARY KEY,
    file_id   TEXT NOT NULL
);
CREATE UNIQUE INDEX bank_file_payouts_file ON bank_file_payouts (file_id, payout_id);
INSERT INTO bank_file_payouts (payout_id, file_id) SELECT id, file_id FROM bank_payouts WHERE file_id <> '';
UPDATE bank_payouts SET state = 'PLANNED' WHERE state = 'FILED';
DROP INDEX bank_payouts_file;
ALTER TABLE bank_payouts DROP COLUMN file_id;

-- +goose Down
ALTER TABLE bank_payouts ADD COLUMN file_id TEXT NOT NULL DEFAULT '';
UPDATE bank_payouts SET file_id = (SELECT file_id FROM bank_file_payouts WHERE payout_id = id) WHERE id IN (SELECT payout_id FROM bank_file_payouts);
UPDATE bank_payouts SET state = 'FILED' WHERE state = 'PLANNED' AND file_id <> '';
CREATE INDEX bank_payouts_file ON bank_payouts (file_id, state, id);
DROP TABLE bank_file_payouts;
