-- +goose Up
-- A number of the router that was used and moved nothing is followed by another one: the next round of the same sending.
ALTER TABLE treasury_sends ADD COLUMN round BIGINT NOT NULL DEFAULT 1;
DROP INDEX treasury_sends_open;
CREATE INDEX treasury_sends_open ON treasury_sends (state, updated_at) WHERE state IN ('WANTED', 'PLANNED', 'REFUSED', 'DOUBTFUL');

-- +goose Down
DROP INDEX treasury_sends_open;
CREATE INDEX treasury_sends_open ON treasury_sends (state, updated_at) WHERE state IN ('WANTED', 'PLANNED', 'DOUBTFUL');
ALTER TABLE treasury_sends DROP COLUMN round;
