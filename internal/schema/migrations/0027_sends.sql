-- +goose Up
-- A send whose final block was replaced is looked for again. What was posted of it stands meanwhile, and is compared with what comes.
ALTER TABLE chain_sends ADD COLUMN reopened BOOLEAN NOT NULL DEFAULT FALSE;
-- The nonce that a send had and the signer would not sign: it can be sent anew, or given up, when another one of ours is final under it.
ALTER TABLE chain_sends ADD COLUMN refused_nonce BIGINT NOT NULL DEFAULT -1;

-- +goose Down
ALTER TABLE chain_sends DROP COLUMN refused_nonce;
ALTER TABLE chain_sends DROP COLUMN reopened;
