-- +goose Up
-- Why a person has paused a network, who, and when.
ALTER TABLE chain_signers ADD COLUMN pause_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE chain_signers ADD COLUMN paused_by TEXT NOT NULL DEFAULT '';
ALTER TABLE chain_signers ADD COLUMN paused_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE chain_signers DROP COLUMN paused_at;
ALTER TABLE chain_signers DROP COLUMN paused_by;
ALTER TABLE chain_signers DROP COLUMN pause_reason;
