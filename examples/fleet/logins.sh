#!/bin/sh
# Gives each worker a login that can append and read, and nothing else. It has no password: its certificate is its proof.
set -eu
: "${LOGINS:?the workers logins}"
. "$(dirname "$0")/place.sh"
psql "$(conninfo postgres primary)" -Xq -v ON_ERROR_STOP=1 -v logins="$LOGINS" <<'SQL'
SELECT format('CREATE ROLE %I LOGIN', login) FROM unnest(string_to_array(:'logins', ' ')) login
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login) \gexec
SELECT format('GRANT shop_host TO %I', login) FROM unnest(string_to_array(:'logins', ' ')) login \gexec
-- So that no worker can hold the log up by a transaction that it leaves open, or take all connections.
SELECT format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''60s''', login) FROM unnest(string_to_array(:'logins', ' ')) login \gexec
SELECT format('ALTER ROLE %I CONNECTION LIMIT 30', login) FROM unnest(string_to_array(:'logins', ' ')) login \gexec
SQL
