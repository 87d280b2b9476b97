-- Lets the service run as a role that owns nothing: it can add to the books and to the trail, and never change or remove what stands there.
--
--   1. As the owner: slipway --config owner.toml migrate
--   2. As the owner: CREATE ROLE slipway_service LOGIN PASSWORD '…'; then this file. Repeat this file after each migration.
--   3. Run serve with the address of slipway_service. It migrates nothing: it refuses to start while a migration waits.

GRANT USAGE ON SCHEMA public TO slipway_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO slipway_service;
REVOKE UPDATE, DELETE ON journals, postings, ledger_chain, transaction_history, audit_log, events, comment_documents, staff_grants FROM slipway_service;
REVOKE DELETE ON comments FROM slipway_service;
REVOKE INSERT, UPDATE, DELETE ON goose_db_version FROM slipway_service;
