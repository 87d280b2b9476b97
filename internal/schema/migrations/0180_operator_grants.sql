-- +goose Up

-- When people with a complete account became operators. Rows stay: they show whether somebody is new, and when the
-- platform had its second operator.
CREATE TABLE operator_grants (
    user_id    TEXT   NOT NULL,
    granted_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, granted_at)
);
INSERT INTO operator_grants (user_id, granted_at) SELECT id, created_at FROM users
    WHERE staff = 'operator' AND is_account_setup = TRUE;

-- +goose Down
DROP TABLE operator_grants;
