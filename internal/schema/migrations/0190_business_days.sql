-- +goose Up

-- When the event of a journal happened, as its evidence says: the time of the block, or of posting. What a bank booked
-- has the days of the bank; its time is then the beginning of the booking day, in UTC.
ALTER TABLE journals ADD COLUMN happened_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE journals ADD COLUMN booked_on TEXT NOT NULL DEFAULT '';   -- 2026-12-31; empty: the day of happened_at where the book is kept
ALTER TABLE journals ADD COLUMN value_on TEXT NOT NULL DEFAULT '';    -- empty: the book's day

UPDATE journals SET happened_at = created_at;

CREATE INDEX journals_happened ON journals (organisation, happened_at);
CREATE INDEX journals_happened_all ON journals (happened_at); -- the house's book has all of them

ALTER TABLE deposits ADD COLUMN value_at BIGINT NOT NULL DEFAULT 0;    -- the value day; 0: the bank gives none
ALTER TABLE bank_debits ADD COLUMN value_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE organisations ADD COLUMN time_zone TEXT NOT NULL DEFAULT ''; -- in which its books' days are; empty: that of its country

-- +goose Down
ALTER TABLE organisations DROP COLUMN time_zone;
ALTER TABLE bank_debits DROP COLUMN value_at;
ALTER TABLE deposits DROP COLUMN value_at;
DROP INDEX journals_happened_all;
DROP INDEX journals_happened;
ALTER TABLE journals DROP COLUMN value_on;
ALTER TABLE journals DROP COLUMN booked_on;
ALTER TABLE journals DROP COLUMN happened_at;
