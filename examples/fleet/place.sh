# Read by the other scripts: how to reach the log's servers, with the certificate in $KEYS.
: "${SERVERS:?all servers, as in db1:5432,db2:5432,db3:5432}"
KEYS=${KEYS:-/keys}

# For programs of PostgreSQL: `conninfo LOGIN primary` leads to the primary, whichever server that is, `any` to the first that answers.
conninfo() {
  hosts=$(echo "$SERVERS" | sed 's/:[0-9]*//g')
  ports=$(echo "$SERVERS" | sed 's/[^,:]*://g')
  echo "host=$hosts port=$ports dbname=postgres user=$1 target_session_attrs=$2 connect_timeout=5" \
    "sslmode=verify-full sslrootcert=$KEYS/ca.crt sslcert=$KEYS/client.crt sslkey=$KEYS/client.key"
}

# The log, for signalbox.
log_url() {
  echo "postgres://$1@$SERVERS/postgres?schema=shop&sslmode=verify-full&sslrootcert=$KEYS/ca.crt&sslcert=$KEYS/client.crt&sslkey=$KEYS/client.key"
}
