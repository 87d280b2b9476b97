-- +goose Up

-- Logos by their content: documents that were made keep the logo that they were made with. The picture is PNG as this
-- service has written it, in base64. The column logo of a brand has the SHA-256 of its picture from now on; those that
-- stand there as pictures are set anew.
CREATE TABLE brand_logos (
    organisation TEXT   NOT NULL,
    sha256       TEXT   NOT NULL,
    content      TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (organisation, sha256)
);

UPDATE organisation_brands SET logo = '';

-- +goose Down
UPDATE organisation_brands SET logo = '';
DROP TABLE brand_logos;
