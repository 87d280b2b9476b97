-- +goose Up

-- When people with a complete account got a role of the platform. Rows stay: they show whether somebody is new, and
-- when the platform had its second operator.
CREATE TABLE staff_grants (
    user_id    TEXT   NOT NULL,
    granted_at BIGINT NOT NULL,
    staff      TEXT   NOT NULL,
    PRIMARY KEY (user_id, granted_at)
);
INSERT INTO staff_grants (user_id, granted_at, staff) SELECT id, created_at, staff FROM users
    WHERE staff <> '' AND is_account_setup = TRUE;

-- +goose Down
DROP TABLE staff_grants;
