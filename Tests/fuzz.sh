#!/usr/bin/env bash
# Builds every reader with AddressSanitizer and libFuzzer's coverage, and fuzzes it: fuzz.sh [SECONDS] [READER …],
# SECONDS for each reader, two readers at a time (LANES=1: one). What a broker sends has ten times as long, and ten minutes
# at least. `fuzz.sh 0` only builds.
# SEED=N repeats the mutations of an earlier run, so that a commit's verdict depends less on chance. Ends with 1 on a
# finding, and prints how to reproduce it.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
scratch=$PWD/.build-fuzz
# libFuzzer is beside the compiler. Use the variant without main: Tests/Fuzz/main.swift calls it.
libraries=$(dirname "$(readlink -f "$(command -v swift)")")/../lib/clang
SPOTTER_FUZZ=$(ls "$libraries"/*/lib/linux/libclang_rt.fuzzer_no_main-"$(uname -m)".a)
export SPOTTER_FUZZ
swift build -c release --product Fuzz --scratch-path "$scratch" --sanitize address --disable-index-store
[ "$seconds" -gt 0 ] || exit 0
fuzz=$scratch/release/Fuzz
runs=$scratch/runs
mkdir -p "$runs"
readers=("$@")
[ ${#readers[@]} -gt 0 ] || mapfile -t readers < <("$fuzz")

# Swift's permanent metadata is not a leak; what a broker sends reaches no code that makes any. The quarantine of freed memory is small, or it would count as used.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8:allocator_may_return_null=1
export OPENBLAS_NUM_THREADS=1
# libFuzzer needs the sanitizer's own report.
export SWIFT_BACKTRACE=enable=no

one() {
    local name=$1 folder=$runs/$1
    mkdir -p "$folder/found" "$folder/corpus"
    local words=() time=$seconds
    # The broker may be anybody's, and what it sends reaches a library in C.
    if [ "$name" = broker-packets ]; then
        time=$((seconds < 60 ? 600 : 10 * seconds))
        export ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=0/detect_leaks=1}
    fi
    [ ! -f "Tests/Fuzz/dictionaries/$name.dict" ] || words=("-dict=Tests/Fuzz/dictionaries/$name.dict")
    # New inputs go into the first folder; those of the repository stay unchanged.
    "$fuzz" "$name" -seed="${SEED:-0}" -max_total_time="$time" -timeout=120 -rss_limit_mb=768 -malloc_limit_mb=512 -max_len=16384 \
        -print_final_stats=1 -artifact_prefix="$folder/found/" "${words[@]}" \
        "$folder/corpus" "Tests/Fuzz/corpus/$name" > "$folder/log" 2>&1 < /dev/null && local status=0 || local status=$?
    local covered executed inputs
    covered=$(grep -oE 'cov: [0-9]+' "$folder/log" | tail -1 | cut -d' ' -f2)
    executed=$(grep -oE 'number_of_executed_units: [0-9]+' "$folder/log" | grep -oE '[0-9]+$' || true)
    inputs=$(grep -oE 'corp: [0-9]+' "$folder/log" | tail -1 | cut -d' ' -f2)
    printf '%-14s %9s runs  %6s edges  %5s inputs  %s\n' "$name" "${executed:-?}" "${covered:-?}" "${inputs:-?}" \
        "$([ "$status" -eq 0 ] && echo "nothing found" || echo "FOUND, see $folder/log")"
    [ "$status" -eq 0 ] && return
    # A failing seed ends the run before libFuzzer stores it; the log names it.
    local input
    input=$(grep -oE 'Test unit written to .*' "$folder/log" | tail -1 | cut -d' ' -f5)
    # Another machine has neither the log nor the input, so what it takes to see it again is printed.
    grep -E 'ERROR|SUMMARY|leak of|#[0-9]+ 0x' "$folder/log" | head -20 | sed 's/^/    /' || true
    [ ! -s "${input-}" ] || { echo "    the input, in base64:"; base64 -w 120 "$input" | head -200 | sed 's/^/    /'; }
    echo "    again: $fuzz $name ${input:-Tests/Fuzz/corpus/$name/*}"
    return 1
}
export -f one
export seconds runs fuzz SEED=${SEED:-0}
# The longest first, so that both lanes end at about the same time.
{ printf '%s\n' "${readers[@]}" | grep -x broker-packets || true; printf '%s\n' "${readers[@]}" | grep -vx broker-packets || true; } | xargs -P "${LANES:-2}" -I{} bash -c 'one {}' && exit 0
echo "put what was found into Tests/Fuzz/corpus/READER/ under a name that says what it is: FuzzCorpusTests replays it" >&2
exit 1
