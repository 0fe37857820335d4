#!/usr/bin/env bash
# Builds the Debian package of spotter-sink for this machine's architecture, into .build/package:
#
#     deploy/package/sink/build.sh [version]
#
# The version is the program's own unless one is given.
set -euo pipefail
cd "$(dirname "$0")/../../.."
program=$(deploy/package/link.sh spotter-sink)
deploy/package/sink/assemble.sh "$program" "$(dpkg --print-architecture)" "${1:-$("$program" --version)}"
