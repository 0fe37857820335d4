#!/usr/bin/env bash
# Checks what the node hands on with the programs of others: FIT files with fitdecode and fitparse, the signature of webhooks
# with standardwebhooks, and what is sent to wger with its API client. They are installed into .build/sharing.
#
#   test.sh path/to/spotter
set -euo pipefail
spotter=$(realpath "${1:?usage: test.sh path/to/spotter}")
cd "$(dirname "$0")/../.."
environment=$PWD/.build/sharing
wanted=Tests/Sharing/requirements.txt

deploy/packages.sh curl python3-venv
if ! cmp -s "$wanted" "$environment/requirements.txt"; then
    rm -rf "$environment"
    /usr/bin/python3 -m venv "$environment"
    "$environment/bin/pip" install -q --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$environment/requirements.txt"
fi
exec "$environment/bin/python" Tests/Sharing/sharing_test.py "$spotter"
