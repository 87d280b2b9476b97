-- +goose Up
-- Payments that were taken in with a table, by their keys: the same row of the same table is one payment.
CREATE TABLE intake_payments (
    id             TEXT PRIMARY KEY, -- organisation and key
    organisation   TEXT NOT NULL,
    transaction_id TEXT NOT NULL,    -- whose draft has the payment
    line           BIGINT NOT NULL,
    created_at     BIGINT NOT NULL
);
CREATE INDEX intake_payments_organisation ON intake_payments (organisation, created_at);

-- +goose Down
DROP TABLE intake_payments;
