-- +goose Up
-- A number of the router that was used and moved nothing is followed by another one: the next round of the same sending.
ALTER TABLE treasury_sends ADD COLUMN round BIGINT NOT NULL DEFAULT 1;
DROP INDEX treasury_sends_open;
CREATE INDEX treasury_sends_open ON treasury_sends (state, updated_at) WHERE state IN ('WANTED', 'PLANNED', 'REFUSED', 'DOUBTFUL');

-- A send whose final block was replaced is looked for again. What was posted of it stands meanwhile, and is compared with what comes.
ALTER TABLE chain_sends ADD COLUMN reopened BOOLEAN NOT NULL DEFAULT FALSE;
-- The nonce that a send had and the signer would not sign: it can be sent anew, or given up, when another one of ours is final under it.
ALTER TABLE chain_sends ADD COLUMN refused_nonce BIGINT NOT NULL DEFAULT -1;

-- +goose Down
ALTER TABLE chain_sends DROP COLUMN refused_nonce;
ALTER TABLE chain_sends DROP COLUMN reopened;
DROP INDEX treasury_sends_open;
CREATE INDEX treasury_sends_open ON treasury_sends (state, updated_at) WHERE state IN ('WANTED', 'PLANNED', 'DOUBTFUL');
ALTER TABLE treasury_sends DROP COLUMN round;
