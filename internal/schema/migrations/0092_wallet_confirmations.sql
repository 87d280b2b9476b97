-- +goose Up

-- What owners of a Safe have signed of the text that proves a wallet, one after the other, until they are enough.
CREATE TABLE wallet_confirmations (
    wallet       TEXT   NOT NULL,
    message_hash TEXT   NOT NULL, -- of the SafeMessage over the text
    organisation TEXT   NOT NULL,
    owner        TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    signature    TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (wallet, message_hash, owner)
);

-- +goose Down
DROP TABLE wallet_confirmations;
