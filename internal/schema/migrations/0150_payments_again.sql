-- +goose Up

-- The payment that this one makes again, because that one failed; empty: none. At most one live payment makes another
-- one again.
ALTER TABLE payments ADD COLUMN again TEXT NOT NULL DEFAULT '';
CREATE INDEX payments_again ON payments (again) WHERE again <> '';

-- What else was paid to a receiver. The key is a number made of the identifier: each payment that is written pays for
-- this index, and a number costs half of what a text or an expression does.
ALTER TABLE payments ADD COLUMN receiver_key BIGINT NOT NULL DEFAULT 0;
CREATE INDEX payments_receiver ON payments (receiver_key);

CREATE INDEX payment_terms_reference ON payment_terms (reference) WHERE reference <> '';

-- +goose Down
DROP INDEX payment_terms_reference;
DROP INDEX payments_receiver;
DROP INDEX payments_again;
ALTER TABLE payments DROP COLUMN again;
