-- +goose Up
-- What a statement said when its link was given out. Rows are swept away when no link can be good any more.
CREATE TABLE statements (
    id             TEXT PRIMARY KEY,
    organisation   TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL,
    digest         TEXT   NOT NULL, -- of the content without the time it was made
    sealed         TEXT   NOT NULL, -- sealed: content, as JSON
    made_at        BIGINT NOT NULL
);
CREATE INDEX statements_transaction ON statements (organisation, transaction_id, made_at);
CREATE INDEX statements_made ON statements (made_at);

-- Invoices of the operator for the fees of transactions. Nothing is ever changed or removed.
CREATE TABLE invoices (
    id             TEXT PRIMARY KEY,
    organisation   TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL,
    year           BIGINT NOT NULL,
    number         BIGINT NOT NULL, -- from 1 in each year, without gaps
    sealed         TEXT   NOT NULL, -- sealed: content, as JSON
    issued_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX invoices_transaction ON invoices (transaction_id);
CREATE UNIQUE INDEX invoices_number ON invoices (year, number);

-- +goose Down
DROP TABLE invoices;
DROP TABLE statements;
