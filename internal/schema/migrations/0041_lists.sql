-- +goose Up
-- The order of identifiers is that of creation, so one index serves both, and a new row goes to its end.
DROP INDEX transactions_list;
CREATE INDEX transactions_list ON transactions (organisation, id);

-- +goose Down
DROP INDEX transactions_list;
CREATE INDEX transactions_list ON transactions (organisation, created_at, id);
