-- +goose Up
-- People whose mails about payments come together each morning. next_at is when the next one is written: it is what keeps a
-- morning from having two.
CREATE TABLE morning_mails (
    user_id    TEXT   NOT NULL PRIMARY KEY,
    next_at    BIGINT NOT NULL,              -- 0: it is found out first
    ends       BOOLEAN NOT NULL,             -- the person has chosen otherwise: the next one is the last
    created_at BIGINT NOT NULL
);
CREATE INDEX morning_mails_due ON morning_mails (next_at, user_id);
CREATE INDEX mails_gathered ON mails (user_id, id) WHERE state = 'GATHERED';

-- +goose Down
DROP INDEX mails_gathered;
DROP TABLE morning_mails;
