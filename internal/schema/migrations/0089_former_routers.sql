-- +goose Up

-- Routers that a network had before its present one. Wallets may still have approved them.
CREATE TABLE former_routers (
    network     TEXT   NOT NULL,
    address     TEXT   NOT NULL,
    replaced_at BIGINT NOT NULL,
    PRIMARY KEY (network, address)
);

-- +goose Down
DROP TABLE former_routers;
