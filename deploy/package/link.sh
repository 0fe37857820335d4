#!/usr/bin/env bash
# Builds a program of this checkout for its Debian package, and prints its path:
#
#     deploy/package/link.sh spotter|spotter-sink
#
# The program is linked once more for the package, without the Unicode tables of languages that it does not use.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=deploy/package product=$1

need() {
    dpkg-query -W "$@" >/dev/null 2>&1 && return
    if [ "$(id -u)" -eq 0 ]; then sudo=(); else sudo=(sudo); fi
    "${sudo[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
need debhelper dpkg-dev fakeroot lintian binutils

mkdir -p .build/package
tools=$(dirname "$(readlink -f "$(command -v swift)")")
tables=$PWD/.build/package/tables
symbol=$("$here/trim_icu.py" "$tools/../lib/swift_static/linux/lib_FoundationICU.a" "$tables.s" "$tools")
"$tools/clang" -c "$tables.s" -o "$tables.o"
scratch=${SCRATCH:-.build}
swift build -c release --product "$product" --scratch-path "$scratch" -Xlinker "$tables.o" -Xlinker "--wrap=$symbol" \
    -Xlinker --no-export-dynamic >&2
echo "$scratch/release/$product"
