-- +goose Up
CREATE TABLE quotes (
    id              TEXT PRIMARY KEY,
    transaction_id  TEXT   NOT NULL,
    organisation    TEXT   NOT NULL,
    sequence        BIGINT NOT NULL,                  -- from 1, for each transaction
    status          TEXT   NOT NULL,                  -- CURRENT, REPLACED, DEAD
    kind            TEXT   NOT NULL,                  -- FIAT, ONRAMP
    network         TEXT   NOT NULL,
    token           TEXT   NOT NULL,
    decimals        BIGINT NOT NULL,
    token_debit     TEXT   NOT NULL,
    token_credit    TEXT   NOT NULL,
    value_usd       TEXT   NOT NULL,                  -- cents
    commission_type TEXT   NOT NULL,
    content         TEXT   NOT NULL,                  -- JSON: lines and fees
    locked_at       BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX quotes_sequence ON quotes (transaction_id, sequence);
CREATE UNIQUE INDEX quotes_current ON quotes (transaction_id) WHERE status = 'CURRENT';
CREATE INDEX quotes_worth ON quotes (organisation, status);

-- What a trading pair costs an organisation, or those who come through a partner, when it is not the pair's default.
CREATE TABLE commissions (
    kind       TEXT    NOT NULL,                      -- CUSTOM: owner is an organisation; PARTNER: a partner
    owner      TEXT    NOT NULL,
    pair       TEXT    NOT NULL,                      -- identifier of the trading pair
    percent    TEXT    NOT NULL,                      -- decimal text
    is_hidden  BOOLEAN NOT NULL,
    updated_at BIGINT  NOT NULL,
    PRIMARY KEY (kind, owner, pair)
);

-- +goose Down
DROP TABLE commissions;
DROP TABLE quotes;
