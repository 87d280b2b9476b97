-- +goose Up

-- How the name of a receiver is read: the same for names that look the same. A receiver that was stored before gets it
-- when it is changed.
ALTER TABLE receivers ADD COLUMN name_key TEXT NOT NULL DEFAULT '';

CREATE INDEX receivers_name_key ON receivers (organisation, name_key);

-- +goose Down
DROP INDEX receivers_name_key;
ALTER TABLE receivers DROP COLUMN name_key;
