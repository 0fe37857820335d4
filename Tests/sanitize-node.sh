#!/usr/bin/env bash
# A node for some minutes under a sanitizer, with commands, scrapes, and failures of broker and network (war.py). The tests of
# Agent, Messaging and History run before it under ThreadSanitizer.
#
# Usage: sanitize-node.sh thread|address [MINUTES]. Tests/sanitize-thread.supp lists the suppressed reports with reasons.
set -euo pipefail
cd "$(dirname "$0")/.."
usage='usage: sanitize-node.sh thread|address [MINUTES]'
sanitizer=${1:?$usage}
minutes=${2:-5}
scratch=.build-$sanitizer
reports=$PWD/$scratch/reports
export SPOTTER_SANITIZED=1
status=0
case $sanitizer in
thread)
    name=ThreadSanitizer kind=races report='WARNING: ThreadSanitizer' build=(--build-tests)
    # Continue after a race, to find all in one run. Reports go to files, since a test may swallow the output.
    export TSAN_OPTIONS="suppressions=$PWD/Tests/sanitize-thread.supp:log_path=$reports/report:exitcode=0:history_size=4"
    ;;
address)
    name=AddressSanitizer kind=errors report='ERROR: AddressSanitizer' build=(--product spotter)
    # A node that ends by a signal has no time to free what it holds, so leaks tell nothing: war.py watches the memory. What
    # was freed is kept back, to find its use; 256 MB of it, as usual, would look like a leak.
    export ASAN_OPTIONS="log_path=$reports/report:detect_leaks=0:quarantine_size_mb=32"
    ;;
*)
    echo "$usage" >&2
    exit 64
    ;;
esac
swift build "${build[@]}" --scratch-path "$scratch" --sanitize "$sanitizer"
rm -rf "$reports"
mkdir -p "$reports"
if [ "$sanitizer" = thread ]; then
    # Do not use `swift test`: it sets its own sanitizer options and ends at the first report.
    "$scratch/debug/spotterPackageTests.xctest" --testing-library swift-testing \
        --filter 'AgentTests|MessagingTests|HistoryTests' > "$reports/tests.log" 2>&1 < /dev/null || status=1
    grep -E 'Test run with|recorded an issue' "$reports/tests.log" | cut -c1-200 || true
    [ "$status" -eq 0 ] || echo "a test failed, see $reports/tests.log; limits of time may be too short for this build"
fi
# Run without the pose networks' thread team: its C kernels are not instrumented for threads, and slow here.
SPOTTER_WAR_LIGHT=1 /usr/bin/python3 Tests/Soak/soak.py "$scratch/debug/spotter" war "$minutes" || status=1
found=$(cat "$reports"/report.* 2>/dev/null | grep -c "$report" || true)
echo "$kind: $found"
if [ "$found" -gt 0 ]; then
    grep -h "SUMMARY: $name" "$reports"/report.* | sort | uniq -c | sort -rn
    echo "each is told in full in $reports/report.*" >&2
    exit 1
fi
exit "$status"
