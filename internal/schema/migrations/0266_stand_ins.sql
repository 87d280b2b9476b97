-- +goose Up
-- A member may accept transactions for another one for a time.
ALTER TABLE members ADD COLUMN stands_in_for TEXT NOT NULL DEFAULT '';    -- the other member; '' for none
ALTER TABLE members ADD COLUMN stands_in_from BIGINT NOT NULL DEFAULT 0;
ALTER TABLE members ADD COLUMN stands_in_until BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE members DROP COLUMN stands_in_until;
ALTER TABLE members DROP COLUMN stands_in_from;
ALTER TABLE members DROP COLUMN stands_in_for;
