-- +goose Up
CREATE TABLE epochs (                      -- how far this instance has come; the newest is kept outside of the database too
    number     BIGINT PRIMARY KEY,
    token      TEXT   NOT NULL,            -- random: two databases that went apart never share one
    instance   TEXT   NOT NULL,            -- the token of the first one
    created_at BIGINT NOT NULL
);

CREATE TABLE rereadings (                  -- each time that this database did not follow the instance's own last state
    id          TEXT PRIMARY KEY,
    cause       TEXT   NOT NULL,           -- BEHIND, OTHER, LOST
    outside     TEXT   NOT NULL,           -- the newest epoch outside, as it was found: number and token, or ''
    state       TEXT   NOT NULL,           -- OPEN, WAITING, ENDED
    found       TEXT   NOT NULL,           -- what the last reading has found, a line each
    last_error  TEXT   NOT NULL,           -- why the last reading did not come to its end
    asked_by    TEXT   NOT NULL,
    approved_by TEXT   NOT NULL,
    note        TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    ended_at    BIGINT NOT NULL            -- 0: nothing leaves
);
CREATE UNIQUE INDEX rereadings_open ON rereadings (ended_at) WHERE ended_at = 0; -- one at a time

CREATE TABLE bank_handed (                 -- payments in files that left, of payouts that this database does not have
    end_to_end_id TEXT PRIMARY KEY,
    file_id       TEXT   NOT NULL,
    house         TEXT   NOT NULL,
    currency      TEXT   NOT NULL,
    units         TEXT   NOT NULL,
    settled       BOOLEAN NOT NULL,        -- two persons have looked at it
    created_at    BIGINT NOT NULL
);
CREATE INDEX bank_handed_file ON bank_handed (file_id);

-- A file's name and MsgId follow from its payouts. One that was dropped never left, and its payouts may go in another file of the same name.
DROP INDEX bank_files_message;
DROP INDEX bank_files_name;
CREATE UNIQUE INDEX bank_files_message ON bank_files (message_id) WHERE state <> 'DROPPED';
CREATE UNIQUE INDEX bank_files_name ON bank_files (name) WHERE state <> 'DROPPED';

-- +goose Down
DROP INDEX bank_files_name;
DROP INDEX bank_files_message;
CREATE UNIQUE INDEX bank_files_message ON bank_files (message_id);
CREATE UNIQUE INDEX bank_files_name ON bank_files (name);
DROP TABLE bank_handed;
DROP TABLE rereadings;
DROP TABLE epochs;
