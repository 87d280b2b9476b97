-- +goose Up

-- The payment that this one makes again, because that one failed; empty: none. At most one live payment makes another
-- one again.
ALTER TABLE payments ADD COLUMN again TEXT NOT NULL DEFAULT '';
CREATE INDEX payments_again ON payments (again) WHERE again <> '';

-- What else was paid to a receiver. The last letters of an identifier tell receivers apart, and a short key costs each
-- payment that is written a third less than the whole identifier.
CREATE INDEX payments_receiver ON payments (substr(receiver, 24));

CREATE INDEX payment_terms_reference ON payment_terms (reference) WHERE reference <> '';

-- +goose Down
DROP INDEX payment_terms_reference;
DROP INDEX payments_receiver;
DROP INDEX payments_again;
ALTER TABLE payments DROP COLUMN again;
