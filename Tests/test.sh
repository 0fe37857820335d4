#!/usr/bin/env bash
# Runs the suite in the release configuration (the kernels are far too slow without optimisation), one process,
# and ends with the failures and the number of tests.
set -uo pipefail
cd "$(dirname "$0")/.."
swift build -c release --build-tests || exit 1
# Files that the tests leave behind are deleted with the folder.
TMPDIR=$(mktemp -d)
export TMPDIR
log=$TMPDIR/log
trap 'rm -rf "$TMPDIR"' EXIT
swift test -c release --skip-build 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
ran=$(grep -oE 'Test run with [0-9]+ tests?' "$log" | grep -oE '[0-9]+' | tail -1)
failed=$(grep -c '✘ Test ".* failed after' "$log")
grep '✘ Test .* recorded an issue' "$log"
echo "tests: $((${ran:-0} - failed)) passed, $failed failed"
[ "${ran:-0}" -gt 0 ] || { echo "no test was run" >&2; exit 1; }
exit "$status"
