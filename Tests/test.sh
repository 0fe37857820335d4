#!/usr/bin/env bash
# Runs the suite in the release configuration (the kernels are far too slow without optimisation), and ends with the
# failures and the number of tests.
#
# The tests of a process share few threads. Those that drive the program block them, and the networks' tests compute on
# them. So each kind has a process of its own, or else the timers of the connections to brokers would run out. A process
# that dies takes only its own tests with it: those that it ran are named and have failed, and the others follow.
set -uo pipefail
cd "$(dirname "$0")/.."
[ "${1-}" = --skip-build ] || swift build -c release --build-tests || exit 1
# Files that the tests leave behind are deleted with the folder.
TMPDIR=$(mktemp -d)
export TMPDIR
log=$TMPDIR/log
trap 'rm -rf "$TMPDIR"' EXIT
status=0 ran=0 failed=0 deaths=''
for choice in '--skip ^(MessagingTests|SpotterTests)\.' '--filter ^MessagingTests\.' '--filter ^SpotterTests\.'; do
    # shellcheck disable=SC2086  # a flag and its value
    swift test -c release --skip-build $choice 2>&1 | tee "$log.part"
    result=${PIPESTATUS[0]}
    [ "$result" -eq 0 ] || status=$result
    # Swift Testing may colour its marks.
    sed -i $'s/\e\\[[0-9;]*m//g' "$log.part"
    { read -r part_ran part_failed signal; unfinished=$(cat); } < <(awk -f Tests/outcome.awk "$log.part")
    [ "$part_ran" -gt 0 ] || { echo "no test was run with $choice" >&2; status=1; }
    if ! grep -qE '(✔|✘) Test run with' "$log.part"; then
        [ "$status" -ne 0 ] || status=1
        cause=$([ "$signal" -eq 0 ] && echo "exit status $result" || echo "signal $signal, $(kill -l "$signal")")
        deaths+="the process of swift test $choice died ($cause) while these tests ran:"$'\n'"$unfinished"$'\n'
    fi
    ran=$((ran + part_ran)) failed=$((failed + part_failed))
    cat "$log.part" >>"$log"
done
grep '✘ Test .* recorded an issue' "$log"
printf '%s' "$deaths"
echo "tests: $((ran - failed)) passed, $failed failed"
exit "$status"
