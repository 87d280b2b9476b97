-- +goose Up
CREATE TABLE networks (
    id                    TEXT PRIMARY KEY,
    name                  TEXT   NOT NULL,
    type                  TEXT   NOT NULL,
    chain_id              BIGINT NOT NULL,            -- 0: not given yet
    rpc_url               TEXT   NOT NULL,
    internal_rpc_url      TEXT   NOT NULL,            -- may hold a key of the node's provider: never in an answer
    ws_rpc_url            TEXT   NOT NULL,
    block_explorer_url    TEXT   NOT NULL,
    is_client_visible     BOOLEAN NOT NULL,
    is_testnet            BOOLEAN NOT NULL,
    contracts             TEXT   NOT NULL,            -- JSON: name to address
    native_token          TEXT   NOT NULL,
    features              TEXT   NOT NULL,            -- words with a comma between
    min_transaction_fee   TEXT   NOT NULL,
    aml_provider_name     TEXT   NOT NULL,
    screen_on_provider    BOOLEAN NOT NULL,
    multisig_chain_prefix TEXT   NOT NULL,
    wallet_address        TEXT   NOT NULL,            -- the treasury
    finality_tag          TEXT   NOT NULL,            -- 'finalized' or 'safe'; empty: by depth
    finality_depth        BIGINT NOT NULL,
    max_fee_per_gas_wei   TEXT   NOT NULL,
    stuck_after_seconds   BIGINT NOT NULL,
    block_time_ms         BIGINT NOT NULL,
    used_at               BIGINT NOT NULL,            -- the first wallet; from then on its chain and contracts are fixed
    deleted_at            BIGINT NOT NULL,
    version               BIGINT NOT NULL,
    created_at            BIGINT NOT NULL,
    updated_at            BIGINT NOT NULL
);

CREATE TABLE token_addresses (
    network  TEXT   NOT NULL,
    token    TEXT   NOT NULL,                         -- isoCode
    address  TEXT   NOT NULL,                         -- EIP-55
    decimals BIGINT NOT NULL,                         -- of this contract: the same token differs from chain to chain
    PRIMARY KEY (network, token)
);

CREATE TABLE receivers (
    id             TEXT PRIMARY KEY,
    organisation   TEXT   NOT NULL,
    owner          TEXT   NOT NULL,                   -- the user who made it; empty for the organisation's own
    type           TEXT   NOT NULL,
    first_name     TEXT   NOT NULL,
    middle_name    TEXT   NOT NULL,
    last_name      TEXT   NOT NULL,
    legal_name     TEXT   NOT NULL,
    email          TEXT   NOT NULL,
    sealed         TEXT   NOT NULL,                   -- sealed: tax number, telephone, street, post code, city, date of birth
    country        TEXT   NOT NULL,                   -- alpha-2; empty only for an own receiver that is not completed yet
    is_hidden      BOOLEAN NOT NULL,
    is_self        BOOLEAN NOT NULL,
    partner_id     TEXT   NOT NULL,
    partner_client TEXT   NOT NULL,
    deleted_at     BIGINT NOT NULL,
    version        BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX receivers_self ON receivers (organisation) WHERE is_self;
CREATE INDEX receivers_list ON receivers (organisation, id);

CREATE TABLE wallets (
    id                TEXT PRIMARY KEY,
    organisation      TEXT   NOT NULL,
    receiver          TEXT   NOT NULL,
    network           TEXT   NOT NULL,
    address           TEXT   NOT NULL,                -- EIP-55
    type              TEXT   NOT NULL,
    ownership_status  TEXT   NOT NULL,
    ownership_note    TEXT   NOT NULL,                -- the caller's words for the statement line
    message           TEXT   NOT NULL,                -- the text to sign, and after that the text that was signed
    nonce             TEXT   NOT NULL,                -- of that text; empty when it was used
    expires_at        BIGINT NOT NULL,
    failures          BIGINT NOT NULL,                -- wrong signatures for this text
    signed_message    TEXT   NOT NULL,
    approved_at       BIGINT NOT NULL,
    screening_status  TEXT   NOT NULL,
    screening_id      TEXT   NOT NULL,                -- of the latest analysis: an answer to an older one is dropped
    screening_error   TEXT   NOT NULL,
    screened_at       BIGINT NOT NULL,
    soft_deleted      BOOLEAN NOT NULL,
    version           BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL
);
CREATE UNIQUE INDEX wallets_once ON wallets (receiver, network, address) WHERE NOT soft_deleted;
CREATE INDEX wallets_list ON wallets (organisation, id);
CREATE INDEX wallets_receiver ON wallets (receiver, id);
CREATE INDEX wallets_screened ON wallets (screening_status, screened_at);

-- +goose Down
DROP TABLE wallets;
DROP TABLE receivers;
DROP TABLE token_addresses;
DROP TABLE networks;
