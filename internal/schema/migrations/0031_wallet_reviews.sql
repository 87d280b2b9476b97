-- +goose Up
-- What the platform's people say of a wallet in REVIEW: two of them decide. A wallet that they have decided is not decided anew by a newer list.
ALTER TABLE wallets ADD COLUMN review_verdict TEXT NOT NULL DEFAULT '';        -- APPROVED or REJECTED; empty: nobody has said anything
ALTER TABLE wallets ADD COLUMN review_proposed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE wallets ADD COLUMN review_decided_by TEXT NOT NULL DEFAULT '';     -- empty: a second person decides next
ALTER TABLE wallets ADD COLUMN review_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE wallets ADD COLUMN review_at BIGINT NOT NULL DEFAULT 0;            -- of the latest word
ALTER TABLE wallets DROP COLUMN screening_decided;

-- +goose Down
ALTER TABLE wallets ADD COLUMN screening_decided BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE wallets DROP COLUMN review_at;
ALTER TABLE wallets DROP COLUMN review_reason;
ALTER TABLE wallets DROP COLUMN review_decided_by;
ALTER TABLE wallets DROP COLUMN review_proposed_by;
ALTER TABLE wallets DROP COLUMN review_verdict;
