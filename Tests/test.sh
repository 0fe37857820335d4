#!/usr/bin/env bash
# Runs the suite in the release configuration (the kernels are far too slow without optimisation), and ends with the
# failures and the number of tests.
#
# The tests of a process share few threads. Those that drive the program block them, and the networks' tests compute on
# them. So each kind has a process of its own, or else the timers of the connections to brokers would run out.
set -uo pipefail
cd "$(dirname "$0")/.."
swift build -c release --build-tests || exit 1
# Files that the tests leave behind are deleted with the folder.
TMPDIR=$(mktemp -d)
export TMPDIR
log=$TMPDIR/log
trap 'rm -rf "$TMPDIR"' EXIT
status=0 ran=0
for choice in '--skip ^(MessagingTests|SpotterTests)\.' '--filter ^MessagingTests\.' '--filter ^SpotterTests\.'; do
    # shellcheck disable=SC2086  # a flag and its value
    swift test -c release --skip-build $choice 2>&1 | tee "$log.part"
    result=${PIPESTATUS[0]}
    [ "$result" -eq 0 ] || status=$result
    count=$(grep -oE 'Test run with [0-9]+ tests?' "$log.part" | grep -oE '[0-9]+' | tail -1)
    [ "${count:-0}" -gt 0 ] || { echo "no test was run with $choice" >&2; status=1; }
    ran=$((ran + ${count:-0}))
    cat "$log.part" >>"$log"
done
failed=$(grep -c '✘ Test ".* failed after' "$log")
grep '✘ Test .* recorded an issue' "$log"
echo "tests: $((ran - failed)) passed, $failed failed"
exit "$status"
