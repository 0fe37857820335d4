#!/usr/bin/env bash
# Builds the Debian package of this checkout for this machine's architecture, into .build/package:
#
#     deploy/package/build.sh [version]
#
# The version is the program's own unless one is given.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(deploy/package/link.sh spotter)
deploy/package/assemble.sh "$program" "$(dpkg --print-architecture)" "${1:-$("$program" --version)}"
