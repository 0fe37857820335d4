#!/usr/bin/env bash
# The checks that take too long for every change: package, boot, arm64, thread sanitizer, an hour of fuzzing for each
# reader, the release, and the soak. Writes one row for each into Sources/Node/spotter/Spotter.docc/DurabilityNotes.md, between
# the comments release-check:begin and release-check:end. Continues after a failure and then ends with 1.
#
# release-check.sh [CHECK …]: deb boot arm64 release threads fuzz soak; all of them without arguments. About eight hours.
set -uo pipefail
cd "$(dirname "$0")/.."
page=Sources/Node/spotter/Spotter.docc/DurabilityNotes.md
logs=$PWD/.build/release-check
mkdir -p "$logs"
declare -A commands=(
    [deb]="make test-deb" [boot]="make test-boot" [arm64]="make arm64" [release]="make test-release" [threads]="make sanitize-thread"
    [fuzz]="make fuzz SECONDS=${FUZZ_SECONDS:-3600}" [soak]="make soak")
checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(deb boot arm64 release threads fuzz soak)
status=0
rows=()
for check in "${checks[@]}"; do
    command=${commands[$check]:-}
    [ -n "$command" ] || { echo "no check '$check'; known: ${!commands[*]}" >&2; exit 64; }
    echo "== $command, log in $logs/$check"
    start=$SECONDS
    if $command > "$logs/$check" 2>&1; then result=passed; else result="**failed**"; status=1; fi
    minutes=$(((SECONDS - start + 30) / 60))
    echo "   $result after $minutes min"
    rows+=("| \`$command\` | $result | $minutes min |")
done
{
    sed '/<!-- release-check:begin -->/q' "$page"
    echo
    echo "Version $(.build/release/spotter --version), $(date -u +%Y-%m-%d), commit $(git rev-parse --short HEAD), $(uname -m), $(nproc) cores."
    echo
    echo "| Check | Result | Time |"
    echo "|---|---|---|"
    printf '%s\n' "${rows[@]}"
    echo
    sed -n '/<!-- release-check:end -->/,$p' "$page"
} > "$page.new"
grep -q 'release-check:end' "$page.new" || { echo "$page has no release-check section" >&2; exit 70; }
mv "$page.new" "$page"
exit "$status"
