#!/usr/bin/env bash
# Counts false sets where there is no exercise: on motions known from training, and on unknown motions.
#
#   Models/figures/unseen.sh SPOTTER [CLIPS]
#
# Trains a model like the shipped one, but on fewer clips a motion (40) and without ten kinds of negative motion. Then
# synthetic people do nothing but negative motions for a while: known ones, then the ten unknown ones. The shipped
# model, which knows them all, is measured for comparison. Prints Markdown.
set -euo pipefail
spotter=$(realpath "${1:?usage: unseen.sh SPOTTER [CLIPS]}")
clips=${2:-40}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unseen="sit_to_stand glute_bridge deadlift kettlebell_swing skater pull_up bench_press star_jump side_shuffle knee_to_elbow"
exercises="jumping_jack squat lunge burpee push_up sit_up"
negatives=$("$spotter" synthesize --list | awk '$2 == "other" || $2 == "none" { print $1 }')
known=$(comm -23 <(sort <<< "$negatives") <(tr ' ' '\n' <<< "$unseen" | sort))

# make FOLDER CLIPS SECONDS SEED MOTIONS…
make() {
    local folder=$1 count=$2 seconds=$3 seed=$4
    shift 4
    "$spotter" synthesize --clips "$count" --seconds "$seconds" --seed "$seed" -o "$folder" \
        $(printf -- '--motion %s ' "$@") 2> "$work/messages"
}

make "$work/learn" "$clips" 6 1 $known
make "$work/learn" "$((clips * 6))" 6 1 $exercises
"$spotter" train "$work/learn" --epochs 16 --validation none --force -o "$work/part.safetensors" \
    > "$work/messages" 2>&1
"$spotter" calibrate "$work/part.safetensors" --temperature 0.65 --maximum-distance 4 -o "$work/part.safetensors" \
    > "$work/messages" 2>&1
make "$work/known" 2 100 77 $known
make "$work/unseen" 8 100 77 $unseen

# measure MODEL NAME FOLDER
measure() {
    "$spotter" evaluate "$1" "$3" --json 2> "$work/messages" | jq -r --arg name "$2" --arg model "$(basename "$1" .safetensors)" '
        .clips.log | "| \($model) | \($name) | \(.idle_seconds / 60 | round) | \(.false_seconds * 1000 | round / 10) % | "
            + "\(.false_sets) | \(.false_sets_per_hour * 10 | round / 10) |"'
}

echo "| model | motions | minutes | seconds reported as an exercise | sets | sets an hour |"
echo "|---|---|---|---|---|---|"
for model in "$work/part.safetensors" Models/exercises.safetensors; do
    measure "$model" "that both know" "$work/known"
    measure "$model" "that only the shipped model knows" "$work/unseen"
done
