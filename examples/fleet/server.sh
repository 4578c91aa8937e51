#!/bin/sh
# A server of the log. The first one of $NAMES begins empty, once; every other one begins as a copy of the primary. Started again, a server
# goes on with the data that it has.
set -eu
: "${NAME:?its name}" "${NAMES:?the names of all servers}" "${PGDATA:?the folder of its data}"
PORT=${PORT:-5432}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/place.sh"
new=$PGDATA.new

ask() { # primary|any SQL
  psql "$(conninfo replicator "$1")" -XAtq -v ON_ERROR_STOP=1 -c "$2"
}

# SQL on the new data, by a server that nobody else can reach.
prepare() {
  private=$(mktemp -d)
  echo "local all postgres trust" >"$private/hba"
  pg_ctl start -w -s -D "$new" -l "$private/log" -o "-c config_file=$here/postgresql.conf -c hba_file=$private/hba -c ssl=off \
    -c listen_addresses= -c unix_socket_directories=$private -c port=$PORT" || { cat "$private/log" >&2; exit 1; }
  # There is no standby yet that a commit could wait for.
  PGOPTIONS="-c synchronous_commit=local" psql -Xq -v ON_ERROR_STOP=1 -h "$private" -p "$PORT" -U postgres -o /dev/null -c "$1"
  pg_ctl stop -w -s -D "$new"
  rm -r "$private"
}

# Each server has a slot for each other one: the standbys of today need them when this server is promoted.
slots="SELECT pg_create_physical_replication_slot(name) FROM unnest(string_to_array('$NAMES', ' ')) name WHERE name <> '$NAME'"

if [ ! -e "$PGDATA/PG_VERSION" ]; then
  rm -rf "$new"
  if [ "$NAME" = "${NAMES%% *}" ] && [ ! -e "$KEYS/begun" ]; then
    initdb -D "$new" -U postgres -E UTF8 --no-locale --data-checksums --auth=reject >/dev/null
    prepare "CREATE ROLE replicator LOGIN REPLICATION; GRANT pg_monitor TO replicator; $slots"
  else
    # An old slot of this server may have lost what it kept.
    until ask primary "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '$NAME'" >/dev/null 2>&1 &&
      ask primary "SELECT pg_create_physical_replication_slot('$NAME')" >/dev/null; do
      echo "$NAME waits for a primary to copy" >&2
      sleep 1
    done
    pg_basebackup -d "$(conninfo replicator primary)" -D "$new" -S "$NAME" -R -c fast
    prepare "$slots"
  fi
  mv "$new" "$PGDATA"
elif [ ! -e "$PGDATA/standby.signal" ] && [ -z "${ALONE:-}" ]; then
  # It was the primary, and may have been replaced. Each promotion begins a timeline: did another server follow a later one?
  until theirs=$(ask any "SELECT max(name) FROM pg_ls_waldir() WHERE name LIKE '%.history'"); do
    echo "$NAME waits until another server says who is the primary. If all others are lost, start it with ALONE=yes." >&2
    sleep 1
  done
  ours=$(ls "$PGDATA/pg_wal" | grep 'history$' | tail -n 1)
  if [ "$(printf '%s\n' "$theirs" "$ours" | sort | tail -n 1)" != "$ours" ]; then
    echo "Another server took the place of $NAME. Remove the data of $NAME; it then starts as a standby." >&2
    exit 1
  fi
fi
# From now on no server begins empty: if its data are gone, it copies the primary.
touch "$KEYS/begun"

exec postgres -D "$PGDATA" -c config_file="$here/postgresql.conf" -c hba_file="$here/pg_hba.conf" -c port="$PORT" \
  -c listen_addresses="${LISTEN:-*}" -c cluster_name="$NAME" -c ssl_ca_file="$KEYS/ca.crt" \
  -c ssl_cert_file="$KEYS/server.crt" -c ssl_key_file="$KEYS/server.key"
