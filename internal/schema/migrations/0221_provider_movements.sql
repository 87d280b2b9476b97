-- +goose Up

-- What the statements of providers of liquidity say, line by line, as it was read last.
CREATE TABLE provider_movements (
    provider  TEXT   NOT NULL,
    id        TEXT   NOT NULL,  -- the provider's own
    kind      TEXT   NOT NULL,  -- FILL, FEE, REFUND, WITHDRAWAL, DEPOSIT
    order_key TEXT   NOT NULL,  -- empty: of no order
    network   TEXT   NOT NULL,  -- of a token; empty: a currency
    asset     TEXT   NOT NULL,
    decimals  BIGINT NOT NULL,
    units     TEXT   NOT NULL,  -- signed base units: above zero the provider has given it
    day       TEXT   NOT NULL,  -- on which the provider has booked it: 2026-11-21
    restated  TEXT   NOT NULL,  -- what it was when it was first read, if it was another one; empty: it was the same
    gone_at   BIGINT NOT NULL,  -- since when the statement does not have it any more; 0: it has it
    seen_at   BIGINT NOT NULL,  -- when it was first read
    PRIMARY KEY (provider, id)
);
CREATE INDEX provider_movements_order ON provider_movements (provider, order_key);
CREATE INDEX provider_movements_day ON provider_movements (provider, day);

CREATE INDEX effects_provider ON effects (provider, updated_at);

-- Positions towards providers are folded from now on, and so all of them anew.
DELETE FROM ledger_balances;
UPDATE ledger_folds SET seq = 0 WHERE name = 'balances';

-- +goose Down
DROP INDEX effects_provider;
DROP TABLE provider_movements;
