#!/bin/sh
# A worker: a folder that works on the fleet's log, and a loop that runs an agent on one ready task after the other.
set -eu
: "${NAME:?its login}"
. "$(dirname "$0")/place.sh"
cd "${FOLDER:-/project}"
if [ -n "${REPOSITORY:-}" ] && [ ! -e .git ]; then git clone -q "$REPOSITORY" .; fi
signalbox fleet join --title "${TITLE:-Shop}" "$(log_url "$NAME")"
exec signalbox run --agent "${AGENT:-pretend}" --wait
