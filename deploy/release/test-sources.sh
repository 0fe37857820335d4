#!/usr/bin/env bash
# Builds a release's source archive where there is no network and no cache, and compares what the program recognises with the
# native program's:
#
#     deploy/release/test-sources.sh native-program
#
# CONFIGURATION=debug builds faster. Needs the right to make a network of its own (unshare), and takes a quarter of an hour.
set -euo pipefail
cd "$(dirname "$0")/../.."
native=$(realpath "${1:?usage: test-sources.sh native-program}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checks=0
fail() { echo "FAILED: $*" >&2; tail -n 20 "$folder/log" >&2; exit 1; }
check() { local what=$1; shift; "$@" >"$folder/log" 2>&1 || fail "$what"; checks=$((checks + 1)); echo "  ok: $what"; }
# No caches, and no way out.
alone() { (cd "$folder/source" && HOME=$folder/home exec unshare --net "$@"); }

version=$("$native" --version)
check "the archive is made" deploy/release/sources.sh "$version" "$folder/one.tar.gz"
check "a second one is the same" sh -c 'deploy/release/sources.sh "$1" "$2/two.tar.gz" && cmp "$2/one.tar.gz" "$2/two.tar.gz"' - "$version" "$folder"
echo "    $(stat -c %s "$folder/one.tar.gz" | awk '{ printf "%.1f MB", $1 / 1e6 }')"
mkdir "$folder/home" "$folder/source"
tar xz -C "$folder/source" --strip-components=1 -f "$folder/one.tar.gz"
check "there is no network" sh -c '! unshare --net getent hosts pypi.org'
check "the networks need not be fetched" alone Models/fetch.sh
check "every package has its licence" sh -c 'for package in "$1"/Vendor/*/; do ls "$package"/LICENSE* >/dev/null || exit 1; done' - "$folder/source"
check "it builds" alone swift build -c "${CONFIGURATION:-release}" --product spotter
built=$folder/source/.build/${CONFIGURATION:-release}/spotter
check "the program has the version" test "$("$built" --version)" = "$version"
clip=Tests/Fixtures/clips/squat_front.mp4
"$native" classify "$clip" --json >"$folder/native"
# Without optimisation the last digits of measures differ.
told() { python3 -c 'import json, sys; told = json.load(sys.stdin); print(told["reps"], told["frame_counts"])'; }
(cd "$folder/source" && "$built" classify "$clip" --json) >"$folder/alone"
echo "    $(told <"$folder/alone")"
check "and recognises a clip as the native program does" test "$(told <"$folder/alone")" = "$(told <"$folder/native")"
rm "$folder/source/Models"/*.tflite
check "without networks, the archive gives them" alone Models/fetch.sh "$folder/one.tar.gz"
check "and refuses wrong ones" sh -c 'rm "$1/source/Models/pose_detection.tflite"; mkdir -p "$1/bad/x/Models"; echo no >"$1/bad/x/Models/pose_detection.tflite"
    tar cz -C "$1/bad" -f "$1/bad.tar.gz" x; ! unshare --net "$1/source/Models/fetch.sh" "$1/bad.tar.gz"' - "$folder"
check "without an archive it says how to get them" sh -c '(cd "$1/source" && ! HOME=$1/home unshare --net Models/fetch.sh) 2>&1 | grep "source archive"' - "$folder"
echo "sources: $checks checks passed"
