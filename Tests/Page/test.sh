#!/usr/bin/env bash
# Checks the node's page with the real program on real clips in Debian's Chromium: page_test.py does the work.
#
# Usage: Tests/Page/test.sh path/to/spotter [folder]. Pictures of every page are left in the folder, .build/page if none
# is given.
set -euo pipefail
spotter=$(realpath "${1:?usage: test.sh path/to/spotter [folder]}")
cd "$(dirname "$0")/../.."
pictures=$(realpath -m "${2:-.build/page}")

deploy/packages.sh chromium chromium-driver python3 python3-selenium libjs-chart.js node-qrcode-generator zbar-tools ffmpeg sqlite3

folder=$(mktemp -d)
tidy() {
    for file in "$folder"/*.pid; do [ -e "$file" ] && kill -9 "$(cat "$file")" 2>/dev/null; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap tidy EXIT

# The clip over and over, without coding it again, so that the node sees real pictures for as long as the test lasts.
ffmpeg -v error -stream_loop 19 -i Tests/Fixtures/clips/demo.mp4 -c copy -an "$folder/demo.mp4"
python3 Tests/Conformance/loop_clip.py Tests/Fixtures/clips/demo.json 2 >"$folder/demo.poses.jsonl"
python3 Tests/Conformance/loop_clip.py Tests/Fixtures/clips/two_people.json 40 >"$folder/two_people.poses.jsonl"

# Selenium is a package of Debian's Python. Fifteen minutes are twice the duration on a busy machine.
timeout --kill-after 20 900 /usr/bin/python3 Tests/Page/page_test.py "$spotter" "$folder" "$pictures"
