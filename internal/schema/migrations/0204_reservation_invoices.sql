-- +goose Up

-- The number of the invoice that a payment pays, as it was when the payable was reserved. What is booked keeps it when
-- the payment fails and the payable is changed or paid by another.
ALTER TABLE payable_reservations ADD COLUMN invoice_number TEXT NOT NULL DEFAULT '';

UPDATE payable_reservations SET invoice_number =
    COALESCE((SELECT p.invoice_number FROM payables p WHERE p.id = payable_reservations.payable), '');

-- +goose Down
ALTER TABLE payable_reservations DROP COLUMN invoice_number;
