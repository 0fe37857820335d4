#!/usr/bin/env bash
# Makes a package with a newer version of the same program, and tests both packages.
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
