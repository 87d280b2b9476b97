-- +goose Up
-- What kind of mail it is, and whose: asked when it is sent, since the person may have switched these mails off meanwhile.
ALTER TABLE mails ADD COLUMN category TEXT NOT NULL DEFAULT 'security';
ALTER TABLE mails ADD COLUMN user_id TEXT NOT NULL DEFAULT '';

-- A row is a category that a person has switched off; without one he gets its mails.
CREATE TABLE email_refusals (
    user_id    TEXT   NOT NULL,
    category   TEXT   NOT NULL,
    how        TEXT   NOT NULL,               -- link: by the one of a mail; account: signed in
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, category)
);

-- How far the mails about an organisation's transactions have come in its events.
CREATE TABLE notice_cursors (
    organisation TEXT PRIMARY KEY,
    last_event   TEXT   NOT NULL,             -- everything up to it was told, or was not worth a mail
    next_at      BIGINT NOT NULL DEFAULT 0    -- until then the organisation is left in peace
);
-- What happened before this version is told by nobody.
INSERT INTO notice_cursors (organisation, last_event) SELECT organisation, MAX(id) FROM events GROUP BY organisation;

-- +goose Down
DROP TABLE notice_cursors;
DROP TABLE email_refusals;
ALTER TABLE mails DROP COLUMN user_id;
ALTER TABLE mails DROP COLUMN category;
