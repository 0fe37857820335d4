#!/usr/bin/env bash
# AddressSanitizer: a node for some minutes with commands, scrapes, kills, and failures of broker and network (war.py). The
# kernels in C are checked, too. Usage: sanitize-address.sh [MINUTES].
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-5}
scratch=.build-asan
reports=$PWD/$scratch/reports
export SPOTTER_SANITIZED=1
swift build --product spotter --scratch-path "$scratch" --sanitize address
rm -rf "$reports"
mkdir -p "$reports"
# A node that ends by a signal has no time to free what it holds, so leaks tell nothing: war.py watches the memory. What was
# freed is kept back, to find its use; 256 MB of it, as usual, would look like a leak.
export ASAN_OPTIONS="log_path=$reports/error:detect_leaks=0:quarantine_size_mb=32"
status=0
SPOTTER_WAR_LIGHT=1 /usr/bin/python3 Tests/Soak/soak.py "$scratch/debug/spotter" war "$minutes" || status=1
errors=$(cat "$reports"/error.* 2>/dev/null | grep -c 'ERROR: AddressSanitizer' || true)
echo "errors: $errors"
if [ "$errors" -gt 0 ]; then
    grep -h 'SUMMARY: AddressSanitizer' "$reports"/error.* | sort | uniq -c | sort -rn
    echo "each is told in full in $reports/error.*" >&2
    exit 1
fi
exit "$status"
