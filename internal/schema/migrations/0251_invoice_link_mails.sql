-- +goose Up

-- How often a link was mailed, and when it was mailed last: a link can be sent again, and the limits count mails.
ALTER TABLE invoice_links ADD COLUMN mails BIGINT NOT NULL DEFAULT 1;
ALTER TABLE invoice_links ADD COLUMN mailed_at BIGINT NOT NULL DEFAULT 0;
UPDATE invoice_links SET mailed_at = created_at;
DROP INDEX invoice_links_recent;
CREATE INDEX invoice_links_mailed ON invoice_links (organisation, mailed_at);
CREATE INDEX invoice_links_submitted ON invoice_links (organisation) WHERE status = 'SUBMITTED';

-- +goose Down
DROP INDEX invoice_links_submitted;
DROP INDEX invoice_links_mailed;
CREATE INDEX invoice_links_recent ON invoice_links (organisation, created_at);
ALTER TABLE invoice_links DROP COLUMN mailed_at;
ALTER TABLE invoice_links DROP COLUMN mails;
