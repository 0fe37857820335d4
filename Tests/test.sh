#!/usr/bin/env bash
# Runs the suite in the release configuration (the kernels are far too slow without optimisation), and ends with the
# failures and the number of tests.
#
# The tests of a process share few threads. Those that drive the program block them, and those that compute keep them
# busy. So each kind has a process of its own, or else the timers of the connections to brokers would run out. Kinds that
# mostly wait follow each other, those that drive the program in two processes side by side. What computes runs beside all
# of them with a low priority: it has what the others leave idle. A process that dies takes only its own tests with it: those
# that it ran are named and have failed, and the others follow.
set -uo pipefail
cd "$(dirname "$0")/.."
[ "${1-}" = --skip-build ] || swift build -c release --build-tests || exit 1
# Files that the tests leave behind are deleted with the folder.
TMPDIR=$(mktemp -d)
export TMPDIR
log=$TMPDIR/log
trap 'rm -rf "$TMPDIR"' EXIT
status=0 ran=0 failed=0 deaths=''
tests=$(ls .build/release/*PackageTests.xctest)

# run FILE FLAG…: runs the tests that the flags choose; their output goes to the file, and their exit status to FILE.status.
run() {
    local file=$1
    shift
    "$tests" --testing-library swift-testing "$@" >"$file" 2>&1
    echo $? >"$file.status"
}

# note FILE CHOICE: adds up what a run printed.
note() {
    local result part_ran part_failed signal unfinished cause
    result=$(cat "$1.status")
    [ "$result" -eq 0 ] || status=$result
    # Swift Testing may colour its marks.
    sed -i $'s/\e\\[[0-9;]*m//g' "$1"
    { read -r part_ran part_failed signal; unfinished=$(cat); } < <(awk -f Tests/outcome.awk "$1")
    [ "$part_ran" -gt 0 ] || { echo "no test was run of $2" >&2; status=1; }
    if ! grep -qE '(✔|✘|━) Test run with' "$1"; then
        [ "$status" -ne 0 ] || status=1
        # A shell adds 128 to the number of a signal.
        [ "$signal" -ne 0 ] || [ "$result" -le 128 ] || signal=$((result - 128))
        cause=$([ "$signal" -eq 0 ] && echo "exit status $result" || echo "signal $signal, $(kill -l "$signal")")
        deaths+="the process of $2 died ($cause) while these tests ran:"$'\n'"$unfinished"$'\n'
    fi
    ran=$((ran + part_ran)) failed=$((failed + part_failed))
    cat "$1" >>"$log"
}

# follow FILE FLAG…: runs them, and prints what they print.
follow() {
    : >"$1"
    run "$@" &
    tail -n +1 -f --pid=$! "$1"
}

computing='^(ActionsTests|NeuralNetTests|PosesTests|SyntheticMotionTests|TrainingTests)\.'
(
    renice -n 15 "$BASHPID" >/dev/null
    run "$log.computing" --filter "$computing"
) &
computes=$!
follow "$log.rest" --skip '^(MessagingTests|SpotterTests)\.' --skip "$computing"
note "$log.rest" 'the targets that do not compute'
run "$log.messaging" --filter '^MessagingTests\.' &
messaging=$!
run "$log.attacks" --filter '^SpotterTests\.PageAttackTests'
wait "$messaging"
cat "$log.attacks" "$log.messaging"
note "$log.messaging" MessagingTests
note "$log.attacks" PageAttackTests
# These wait for programs, and block both threads of their process meanwhile.
half='^SpotterTests\.[A-P]'
run "$log.second" --filter '^SpotterTests\.' --skip "$half" &
second=$!
follow "$log.first" --filter "$half" --skip '^SpotterTests\.PageAttackTests'
wait "$second"
cat "$log.second"
wait "$computes"
cat "$log.computing"
note "$log.computing" 'the targets that compute'
note "$log.first" 'SpotterTests A to P'
note "$log.second" 'the other SpotterTests'
grep '✘ Test .* recorded an issue' "$log"
printf '%s' "$deaths"
echo "tests: $((ran - failed)) passed, $failed failed"
exit "$status"
