#!/bin/sh
# signalbox fleet COMMAND for the log of this fleet, as a superuser: `operator.sh promote`.
set -eu
. "$(dirname "$0")/place.sh"
command=$1
shift
exec signalbox fleet "$command" "$(log_url postgres)" "$@"
