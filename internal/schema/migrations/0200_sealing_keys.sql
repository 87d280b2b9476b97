-- +goose Up

-- The keys that have sealed something which may be there still, each with a value that it has sealed.
CREATE TABLE sealing_keys (
    id    TEXT PRIMARY KEY,
    proof TEXT NOT NULL
);

-- +goose Down
DROP TABLE sealing_keys;
