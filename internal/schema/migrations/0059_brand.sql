-- +goose Up

-- How an organisation shows itself to outsiders. Whoever has no row shows its name alone.
CREATE TABLE organisation_brands (
    organisation TEXT PRIMARY KEY,
    name         TEXT   NOT NULL DEFAULT '',     -- empty: the organisation's
    colour       TEXT   NOT NULL DEFAULT '',     -- #rrggbb; empty: the service's
    logo         TEXT   NOT NULL DEFAULT '',     -- PNG as this service has written it, base64
    version      BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);

-- The language that a person gets mails in: en, de, fr; empty: not chosen.
ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE users DROP COLUMN language;
DROP TABLE organisation_brands;
