-- +goose Up
-- The organisation's policy: what a second person has to look at.
ALTER TABLE organisations ADD COLUMN four_eyes BIGINT NOT NULL DEFAULT 0;           -- 0: off; else the policy_version since when it is as it is
ALTER TABLE organisations ADD COLUMN four_eyes_limits TEXT NOT NULL DEFAULT '';     -- CODE=amount with commas between: up to that one person is enough
ALTER TABLE organisations ADD COLUMN payee_approval BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE organisations ADD COLUMN payee_delay BIGINT NOT NULL DEFAULT 0;         -- seconds that nothing is paid to a new payee
ALTER TABLE organisations ADD COLUMN policy_version BIGINT NOT NULL DEFAULT 0;

-- Who besides the creator has had a say in what is paid to whom: users with commas between.
ALTER TABLE transactions ADD COLUMN authors TEXT NOT NULL DEFAULT '';

-- changed_by: users with commas between who have made or changed the record since a second person approved it.
-- approval: the approval that it waits for, or that was refused; empty: it can be used.
ALTER TABLE receivers ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE receivers ADD COLUMN approval TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_accounts ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE bank_accounts ADD COLUMN approval TEXT NOT NULL DEFAULT '';
ALTER TABLE wallets ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE wallets ADD COLUMN approval TEXT NOT NULL DEFAULT '';
ALTER TABLE wallets ADD COLUMN payable_from BIGINT NOT NULL DEFAULT 0;

CREATE TABLE approvals (
    id           TEXT PRIMARY KEY,
    organisation TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    object       TEXT   NOT NULL,                 -- the record that it is about
    summary      TEXT   NOT NULL,                 -- what is asked for, for people
    data         TEXT   NOT NULL DEFAULT '',      -- what the kind needs to carry it out
    authors      TEXT   NOT NULL,                 -- users with commas between, none of whom may approve it
    requested_by TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    decided_by   TEXT   NOT NULL DEFAULT '',
    comment      TEXT   NOT NULL DEFAULT '',
    decided_at   BIGINT NOT NULL DEFAULT 0,
    not_before   BIGINT NOT NULL DEFAULT 0,       -- until then it may be rejected and not approved
    not_after    BIGINT NOT NULL DEFAULT 0,       -- from then on it may not be approved; 0: at any time
    outcome      TEXT   NOT NULL DEFAULT '',      -- of one that a job carries out: WAITING, CARRIED_OUT or REFUSED
    outcome_info TEXT   NOT NULL DEFAULT '',      -- why it was REFUSED
    version      BIGINT NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX approvals_open ON approvals (organisation, kind, object) WHERE status = 'PENDING';
CREATE INDEX approvals_list ON approvals (organisation, id);

-- +goose Down
DROP TABLE approvals;
ALTER TABLE wallets DROP COLUMN payable_from;
ALTER TABLE wallets DROP COLUMN approval;
ALTER TABLE wallets DROP COLUMN changed_by;
ALTER TABLE bank_accounts DROP COLUMN approval;
ALTER TABLE bank_accounts DROP COLUMN changed_by;
ALTER TABLE receivers DROP COLUMN approval;
ALTER TABLE receivers DROP COLUMN changed_by;
ALTER TABLE transactions DROP COLUMN authors;
ALTER TABLE organisations DROP COLUMN policy_version;
ALTER TABLE organisations DROP COLUMN payee_delay;
ALTER TABLE organisations DROP COLUMN payee_approval;
ALTER TABLE organisations DROP COLUMN four_eyes_limits;
ALTER TABLE organisations DROP COLUMN four_eyes;
