-- +goose Up

-- Why a mail was not delivered, or waits: mail.Problem; empty: nothing is known against it.
ALTER TABLE mails ADD COLUMN problem TEXT NOT NULL DEFAULT '';
CREATE INDEX mails_problem ON mails (problem, id) WHERE problem <> '';

-- Why the mail of a link was not delivered; empty: it was, or is still on its way.
ALTER TABLE invoice_links ADD COLUMN mail_problem TEXT NOT NULL DEFAULT '';

-- Whether the end of an invitation that nobody has used is written down as an event.
ALTER TABLE invitations ADD COLUMN end_told BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX invitations_untold ON invitations (expires_at) WHERE used_at = 0 AND end_told = FALSE;

-- +goose Down
DROP INDEX invitations_untold;
ALTER TABLE invitations DROP COLUMN end_told;
ALTER TABLE invoice_links DROP COLUMN mail_problem;
DROP INDEX mails_problem;
ALTER TABLE mails DROP COLUMN problem;
