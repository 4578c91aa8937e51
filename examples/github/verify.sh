#!/usr/bin/env bash
# Checks the proofs of one task in a checkout: verify.sh FOLDER BRANCH. KEY is the public key that must have signed them.
set -euo pipefail
shopt -s nullglob
folder=${1:?the folder of the checkout}
branch=${2:?the branch, such as signalbox/task-7}
: "${KEY:?the public key of the log, as \`signalbox key show\` prints it}"
if [[ ! $branch =~ ^signalbox/task-([0-9]+)$ ]]; then
  echo "$branch is no branch of a task: there is nothing to prove." >&2
  exit 1
fi
task=${BASH_REMATCH[1]}
isDone=""
for proof in "$folder/.signalbox/proofs/task-$task"/*.proof; do
  echo "== $proof"
  said=$(signalbox-verify "$proof" --key "$KEY" --json)
  echo "$said"
  # The payload stands in there as a text of JSON.
  if grep -q '"type":"signal.done"' <<<"$said" && grep -Eq "task\\\\*\":$task[,}]" <<<"$said"; then isDone=yes; fi
done
if [ -z "$isDone" ]; then
  echo "There is no proof of a done of task $task: signalbox adds one to its branch." >&2
  exit 1
fi
