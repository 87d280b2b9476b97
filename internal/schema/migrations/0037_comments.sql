-- +goose Up
-- What people write about records. Rows are only ever added.
CREATE TABLE comments (
	id TEXT PRIMARY KEY,
	organisation TEXT NOT NULL, -- of the record; '': the platform's
	object TEXT NOT NULL,
	author TEXT NOT NULL,
	sealed TEXT NOT NULL,
	internal BOOLEAN NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE INDEX comments_by_object ON comments (object, id);

CREATE TABLE comment_documents (
	comment TEXT NOT NULL REFERENCES comments (id),
	position BIGINT NOT NULL,
	organisation TEXT NOT NULL,
	document TEXT NOT NULL,
	PRIMARY KEY (comment, position)
);

CREATE INDEX comment_documents_by_document ON comment_documents (document);

-- How many comments a transaction shows. A poll that finds none asks for none.
ALTER TABLE transactions ADD COLUMN comments BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE transactions DROP COLUMN comments;
DROP TABLE comment_documents;
DROP TABLE comments;
