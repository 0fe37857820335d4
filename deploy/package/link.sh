#!/usr/bin/env bash
# Builds a program of this checkout for its Debian package, and prints its path:
#
#     deploy/package/link.sh spotter|spotter-sink
#
# The program is linked once more for the package, without the Unicode tables of languages that it does not use.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=deploy/package product=$1

deploy/packages.sh debhelper dpkg-dev fakeroot lintian binutils >&2

mkdir -p .build/package
tools=$(dirname "$(readlink -f "$(command -v swift)")")
tables=$PWD/.build/package/tables
symbol=$("$here/trim_icu.py" "$tools/../lib/swift_static/linux/lib_FoundationICU.a" "$tables.s" "$tools")
"$tools/clang" -c "$tables.s" -o "$tables.o"
scratch=${SCRATCH:-.build}
# Passes on what is read. SwiftPM waits for another build without ending its line, and does not say how to go on.
pass_on() {
    local piece status
    while :; do
        status=0
        IFS= read -r -t 1 piece || status=$?
        if [ "$status" -eq 0 ]; then echo "$piece"; else printf '%s' "$piece"; fi
        [[ $piece != *"Another instance of SwiftPM"* ]] || printf '\n%s\n' \
            "another build uses $scratch: waiting until it has ended; to build beside it, stop this and run it with SCRATCH=.build-deb"
        # More than 128 is a second without a line; 1 is the end.
        [ "$status" -ne 1 ] || return 0
    done
}
exec {messages}> >(pass_on >&2)
teller=$! status=0
swift build -c release --product "$product" --scratch-path "$scratch" -Xlinker "$tables.o" -Xlinker "--wrap=$symbol" \
    -Xlinker --no-export-dynamic 2>&"$messages" >&2 || status=$?
exec {messages}>&-
wait "$teller" # for the last message
[ "$status" -eq 0 ] || exit "$status"
# A copy: the next build, which may be waiting already, links another program into the same place.
install -D "$scratch/release/$product" ".build/package/program/$product"
echo ".build/package/program/$product"
