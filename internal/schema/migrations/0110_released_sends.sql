-- +goose Up
-- Until when the holder of the signer may be broadcasting the send's bytes; 0: it is not.
ALTER TABLE chain_sends ADD COLUMN sending_until BIGINT NOT NULL DEFAULT 0;
-- The number of the last attempt that was made before a person had the send sent anew; 0: none. Those attempts are not
-- sent again. What they have done still counts.
ALTER TABLE chain_sends ADD COLUMN released BIGINT NOT NULL DEFAULT 0;
UPDATE chain_sends SET released = COALESCE((SELECT max(a.number) FROM chain_attempts a
	WHERE a.send_id = chain_sends.id AND a.nonce <> chain_sends.nonce), 0)
	WHERE state NOT IN ('FINAL', 'REFUSED');
CREATE INDEX chain_sends_released ON chain_sends (network, state) WHERE released > 0;
-- What an earlier signer may still do, as two nodes say of one final block: how many transactions it has made, -1 before
-- that was read, and whether the router has taken its power away.
ALTER TABLE chain_signers ADD COLUMN final_nonce BIGINT NOT NULL DEFAULT -1;
ALTER TABLE chain_signers ADD COLUMN deposed BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE chain_signers DROP COLUMN deposed;
ALTER TABLE chain_signers DROP COLUMN final_nonce;
DROP INDEX chain_sends_released;
ALTER TABLE chain_sends DROP COLUMN released;
ALTER TABLE chain_sends DROP COLUMN sending_until;
