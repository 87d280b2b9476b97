-- +goose Up
-- What the members of a record were that an event has changed: JSON, empty if there is nothing to say.
ALTER TABLE feed ADD COLUMN previous TEXT NOT NULL DEFAULT '';

-- The newest event of each record that has a number. The sealer compares the next one with it.
CREATE TABLE feed_records (
    object       TEXT NOT NULL,
    organisation TEXT NOT NULL,
    event        TEXT NOT NULL,
    PRIMARY KEY (object, organisation)
) WITHOUT ROWID;
INSERT INTO feed_records (object, organisation, event)
    SELECT e.object, e.organisation, max(e.id) FROM feed f JOIN events e ON e.organisation = f.organisation AND e.id = f.event
    GROUP BY e.object, e.organisation;

-- +goose Down
DROP TABLE feed_records;
ALTER TABLE feed DROP COLUMN previous;
