-- +goose Up
-- Reference rates of days, for the value of things in an organisation's books. A rate that is stored never changes.
CREATE TABLE day_rates (
    day      TEXT NOT NULL,                       -- 2026-11-23
    currency TEXT NOT NULL,
    per_euro TEXT NOT NULL,                       -- units of the currency for one euro
    source   TEXT NOT NULL,
    PRIMARY KEY (day, currency)
);

ALTER TABLE organisations ADD COLUMN home_currency TEXT NOT NULL DEFAULT ''; -- of its books; empty: the operator's

ALTER TABLE organisations ADD COLUMN tax TEXT NOT NULL DEFAULT '';           -- sealed: tax number, VAT identifier

-- Books are read by organisation, in the order of the journals.
CREATE INDEX journals_organisation ON journals (organisation, id);

-- +goose Down
DROP INDEX journals_organisation;
ALTER TABLE organisations DROP COLUMN tax;
ALTER TABLE organisations DROP COLUMN home_currency;
DROP TABLE day_rates;
