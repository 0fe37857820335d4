#!/usr/bin/env bash
# Makes a newer package of the same program beside the one that was just built, and tests both.
#
#     deploy/package/test-both.sh program [suite…]
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$1
shift
architecture=$(dpkg --print-architecture) version=$("$program" --version)
deploy/package/assemble.sh "$program" "$architecture" "$version+next" >/dev/null
folder=.build/package
deploy/package/test.sh "$folder/spotter_${version}_$architecture.deb" "$folder/spotter_$version+next_$architecture.deb" "$@"
