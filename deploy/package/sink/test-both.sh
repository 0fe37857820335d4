#!/usr/bin/env bash
# Makes a package with a newer version of the same program, and tests both packages.
#
#     deploy/package/sink/test-both.sh program [suite…]
set -euo pipefail
cd "$(dirname "$0")/../../.."
program=$1
shift
architecture=$(dpkg --print-architecture) version=$("$program" --version)
deploy/package/sink/assemble.sh "$program" "$architecture" "$version+next" >/dev/null
folder=.build/package
deploy/package/sink/test.sh "$folder/spotter-sink_${version}_$architecture.deb" \
    "$folder/spotter-sink_$version+next_$architecture.deb" "$@"
