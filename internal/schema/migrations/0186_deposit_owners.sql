-- +goose Up

-- The organisation in whose book a deposit stands; empty: it is not known whose it is.
ALTER TABLE deposits ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE deposits SET owner = organisation WHERE state IN ('MATCHED', 'SETTLED', 'RETURN')
    OR state IN ('REFUNDING', 'REFUNDED') AND settled_as <> 'REFUND';

-- +goose Down
ALTER TABLE deposits DROP COLUMN owner;
