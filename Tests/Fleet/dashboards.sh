#!/usr/bin/env bash
# Shows the fleet's dashboards: installs Superset into .build/fleet/superset, starts it on loopback, imports the bundle,
# checks that every chart has data, and takes pictures of the dashboards.
#
# Usage: Tests/Fleet/dashboards.sh [folder for pictures, .build/fleet/dashboards if none is given]
#   DATABASE="host=… dbname=spotter user=…"  a running database; without it a private one with demonstration data
#   KEEP=1                                   keeps it running until Ctrl-C, and prints the address and the log-in
set -euo pipefail
cd "$(dirname "$0")/../.."
pictures=$(realpath -m "${1:-.build/fleet/dashboards}")
environment=$PWD/.build/fleet/superset

Tests/Fleet/install.sh
deploy/packages.sh chromium chromium-driver python3-selenium python3-venv python3-yaml procps

# Superset comes with 150 packages; requirements.txt holds all their versions.
wanted=deploy/fleet/dashboards/requirements.txt
if ! cmp -s "$wanted" "$environment/requirements.txt"; then
    echo "installing Superset into $environment"
    rm -rf "$environment"
    /usr/bin/python3 -m venv "$environment"
    log=$environment/install.log
    begin=$SECONDS
    "$environment/bin/pip" install -q --disable-pip-version-check -r "$wanted" >"$log" 2>&1 || {
        tail -15 "$log" >&2
        exit 1
    }
    cp "$wanted" "$environment/requirements.txt"
    echo "installed in $((SECONDS - begin)) s, $(du -sm "$environment" | cut -f1) MB"
fi

exec /usr/bin/python3 Tests/Fleet/dashboards.py "$environment" "$pictures"
