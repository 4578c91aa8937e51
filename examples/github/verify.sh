#!/usr/bin/env bash
# Checks every proof in a checkout. KEY: the public key that must have signed; empty: none must.
set -euo pipefail
shopt -s nullglob globstar
proofs=("${1:?the folder of the checkout}"/.signalbox/proofs/**/*.proof)
if [ "${#proofs[@]}" -eq 0 ]; then
  echo "There is no proof in .signalbox/proofs: signalbox adds one to the branch of a done task." >&2
  exit 1
fi
for proof in "${proofs[@]}"; do
  echo "== $proof"
  signalbox-verify "$proof" ${KEY:+--key "$KEY"}
done
