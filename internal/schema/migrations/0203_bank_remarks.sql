-- +goose Up

-- What people should know about a file that is used all the same.
ALTER TABLE bank_inbox ADD COLUMN remark TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE bank_inbox DROP COLUMN remark;
