-- +goose Up

-- What the platform's people search organisations by, in the form in which texts are searched. It is written with the
-- names; here it is what SQL can make of it.
ALTER TABLE organisations ADD COLUMN search TEXT NOT NULL DEFAULT '';
UPDATE organisations SET search = lower(name || ' ' || first_name || ' ' || last_name || ' ' || reference_code);

-- +goose Down
ALTER TABLE organisations DROP COLUMN search;
