-- +goose Up
-- What quotes have promised out of the house's own stock, one row for each order of a conversion. The key is the
-- order's: it is drawn once.
CREATE TABLE stock_reservations (
    key            TEXT PRIMARY KEY,              -- transaction/<id>/convert/<currency>
    transaction_id TEXT   NOT NULL,
    organisation   TEXT   NOT NULL,
    currency       TEXT   NOT NULL,               -- of the fiat side
    out_place      TEXT   NOT NULL,               -- what leaves the stock: of a network, or of a currency
    out_asset      TEXT   NOT NULL,
    out_decimals   BIGINT NOT NULL,
    out_units      TEXT   NOT NULL,
    in_place       TEXT   NOT NULL,               -- what comes in for it
    in_asset       TEXT   NOT NULL,
    in_decimals    BIGINT NOT NULL,
    in_units       TEXT   NOT NULL,
    state          TEXT   NOT NULL,               -- RESERVED, DRAWN, BOOKED, FREED, REFUSED
    reason         TEXT   NOT NULL DEFAULT '',    -- of REFUSED
    expires_at     BIGINT NOT NULL DEFAULT 0,     -- until then RESERVED counts; 0: until it is drawn or freed
    reserved_at    BIGINT NOT NULL,
    done_at        BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX stock_reservations_transaction ON stock_reservations (transaction_id);
CREATE INDEX stock_reservations_live ON stock_reservations (expires_at) WHERE state IN ('RESERVED', 'DRAWN');

-- +goose Down
DROP TABLE stock_reservations;
