#!/bin/sh
# Makes an authority and the certificates by which servers and logins know each other, so that nobody needs a password: a folder for each
# party below $KEYS. Run again, it renews those that end within 30 days.
set -eu
umask 077
: "${NAMES:?the servers names}" "${LOGINS:?the workers logins}"
KEYS=${KEYS:-/keys}

quietly() {
  "$@" 2>"$KEYS/authority/errors" || { cat "$KEYS/authority/errors" >&2; exit 1; }
}

certify() { # FOLDER FILE NAME EXTENSION...: NAME is the login, or what the server is called
  folder=$KEYS/$1 file=$KEYS/$1/$2 name=$3
  shift 3
  mkdir -p "$folder"
  cp "$KEYS/authority/ca.crt" "$folder/ca.crt"
  if [ -e "$file.crt" ] && openssl x509 -in "$file.crt" -noout -checkend 2592000 >/dev/null; then return; fi
  quietly openssl req -new -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$file.key.new" -out "$file.csr"
  printf '%s\n' "$@" >"$file.extensions"
  quietly openssl x509 -req -in "$file.csr" -days 365 -extfile "$file.extensions" -out "$file.crt.new" \
    -CA "$KEYS/authority/ca.crt" -CAkey "$KEYS/authority/ca.key" -CAcreateserial
  mv "$file.key.new" "$file.key"
  mv "$file.crt.new" "$file.crt"
  rm "$file.csr" "$file.extensions"
}

mkdir -p "$KEYS/authority"
if [ ! -e "$KEYS/authority/ca.crt" ]; then
  quietly openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=fleet" \
    -keyout "$KEYS/authority/ca.key" -out "$KEYS/authority/ca.crt.new"
  mv "$KEYS/authority/ca.crt.new" "$KEYS/authority/ca.crt"
fi

names=DNS:localhost
for name in $NAMES; do names=$names,DNS:$name; done
certify server server server "subjectAltName=$names" extendedKeyUsage=serverAuth
certify server client replicator extendedKeyUsage=clientAuth
certify operator client postgres extendedKeyUsage=clientAuth
for login in $LOGINS; do certify "$login" client "$login" extendedKeyUsage=clientAuth; done

# In containers: the servers run as postgres, everybody else as 1000, which is `node` in the workers' image.
if [ "$(id -u)" -eq 0 ]; then
  chown -R postgres "$KEYS/server"
  for party in operator $LOGINS; do chown -R 1000 "$KEYS/$party"; done
fi
