-- +goose Up

-- Above which amounts several people accept a transaction, as JSON, and the version of the policy that says so; 0: one
-- person is always enough.
ALTER TABLE organisations ADD COLUMN accept_rules TEXT NOT NULL DEFAULT '';
ALTER TABLE organisations ADD COLUMN several_accept BIGINT NOT NULL DEFAULT 0;

-- Who agrees that a transaction is paid, before the last one accepts it. It counts while the transaction pays the same
-- payees the same (payments_hash) and the person may accept.
CREATE TABLE agreements (
    transaction_id TEXT   NOT NULL,
    user_id        TEXT   NOT NULL,
    for_user       TEXT   NOT NULL,               -- the member for whom a stand-in agrees; '': for himself
    payments_hash  TEXT   NOT NULL,
    at             BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, user_id)
);

-- +goose Down
DROP TABLE agreements;
ALTER TABLE organisations DROP COLUMN several_accept;
ALTER TABLE organisations DROP COLUMN accept_rules;
