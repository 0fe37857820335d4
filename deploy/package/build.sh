#!/usr/bin/env bash
# Builds the Debian package of this checkout for this machine's architecture, into .build/package:
#
#     deploy/package/build.sh [version]
#
# The version is the program's own unless one is given.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p .build/package
exec 9>.build/package/.lock
flock --nonblock 9 || { echo "another make builds a package in .build/package: waiting until it has ended" >&2; flock 9; }
program=$(deploy/package/link.sh spotter 9>&-)
deploy/package/assemble.sh "$program" "$(dpkg --print-architecture)" "${1:-$("$program" --version)}"
