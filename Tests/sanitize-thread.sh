#!/usr/bin/env bash
# ThreadSanitizer: the tests of Agent, Messaging and History, then a node for some minutes with commands, scrapes,
# and failures of broker and network (war.py). Usage: sanitize-thread.sh [MINUTES]. Tests/sanitize-thread.supp lists the
# suppressed reports with reasons.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-5}
scratch=.build-tsan
reports=$PWD/$scratch/reports
export SPOTTER_SANITIZED=1
swift build --build-tests --scratch-path "$scratch" --sanitize thread
rm -rf "$reports"
mkdir -p "$reports"
# Continue after a race, to find all in one run. Reports go to files, since a test may swallow the output.
export TSAN_OPTIONS="suppressions=$PWD/Tests/sanitize-thread.supp:log_path=$reports/race:exitcode=0:history_size=4"
status=0
# Do not use `swift test`: it sets its own sanitizer options and ends at the first report.
"$scratch/debug/spotterPackageTests.xctest" --testing-library swift-testing \
    --filter 'AgentTests|MessagingTests|HistoryTests' > "$reports/tests.log" 2>&1 < /dev/null || status=1
grep -E 'Test run with|recorded an issue' "$reports/tests.log" | cut -c1-200 || true
[ "$status" -eq 0 ] || echo "a test failed, see $reports/tests.log; limits of time may be too short for this build"
# Run without the pose networks' thread team: its C kernels are not instrumented, and slow here.
SPOTTER_WAR_LIGHT=1 /usr/bin/python3 Tests/Soak/soak.py "$scratch/debug/spotter" war "$minutes" || status=1
races=$(cat "$reports"/race.* 2>/dev/null | grep -c 'WARNING: ThreadSanitizer' || true)
echo "races: $races"
if [ "$races" -gt 0 ]; then
    grep -h 'SUMMARY: ThreadSanitizer' "$reports"/race.* | sort | uniq -c | sort -rn
    echo "each is told in full in $reports/race.*" >&2
    exit 1
fi
exit "$status"
