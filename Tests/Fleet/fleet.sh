#!/usr/bin/env bash
# Runs one of the fleet's long tests: fleet.sh fleet|chaos|catch_up [options]. Installs the packages it needs, and expects
# the programs in .build/release.
set -euo pipefail
what=${1:?usage: fleet.sh fleet|chaos|catch_up [options]}
shift
cd "$(dirname "$0")/../.."
Tests/Fleet/install.sh
for program in spotter spotter-sink fleet-nodes; do
    [ -x ".build/release/$program" ] || {
        echo "fleet.sh: .build/release/$program is missing; run make build-fleet first" >&2
        exit 1
    }
done
# Debian's Python has the packages.
exec /usr/bin/python3 "Tests/Fleet/$what.py" "$@"
