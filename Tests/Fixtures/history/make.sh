#!/usr/bin/env bash
# Makes the files of this version for the tests of upgrades, once, when it is released:
#
#     Tests/Fixtures/history/make.sh .build/release/spotter
#
# The next run of UpgradeTests writes VERSION.names.txt and fails. Commit what it wrote.
set -euo pipefail
spotter=$(realpath "${1:?usage: make.sh PROGRAM}")
cd "$(dirname "$0")/../../.."
target=Tests/Fixtures/history/$("$spotter" --version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Two recordings, one after the other; the second run adds to the history of the first.
for motion in squat jumping_jack; do
    "$spotter" synthesize --motion "$motion" --clips 1 --seed 7 --seconds 25 -o "$work/$motion"
    "$spotter" run --source "$(find "$work/$motion" -name "*.poses.jsonl")" --no-mqtt --quiet --database "$work/spotter.db"
done
sqlite3 "$work/spotter.db" 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM' >/dev/null
install -m 644 "$work/spotter.db" "$target.db"

for question in sessions actions days; do
    "$spotter" history "$question" --json --database "$work/spotter.db" >"$work/$question.json"
done
jq -S -n '[inputs | {(input_filename | split("/")[-1][:-5]): .}] | add' "$work"/{sessions,actions,days}.json >"$target.json"

# Every key, also those of the examples: of their comments the two signs before them are taken away.
sed -E '/^# (\[\[|[a-z_]+ = )/ s/^# //; s/^site = .*/site = "berlin"/' config.toml >"$target.toml"
