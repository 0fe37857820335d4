#!/usr/bin/env bash
# Counts false sets where there is no exercise: on kinds of motion known from training, and on kinds that are not.
#
#   Models/figures/unseen.sh SPOTTER [CLIPS]
#
# Trains two models like the shipped one, but on fewer clips a motion (40) and without ten kinds that are no exercise. One of
# them also learns composed motions. Then synthetic people do nothing but such motions for a while: known ones, then the ten
# unknown ones. Prints Markdown.
set -euo pipefail
spotter=$(realpath "${1:?usage: unseen.sh SPOTTER [CLIPS]}")
clips=${2:-40}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
touch "$work/messages"
# What a program that failed had to say.
trap '[ $? -eq 0 ] || cat "$work/messages" "$work"/*.log >&2; rm -rf "$work"' EXIT

unseen="sit_to_stand good_morning skater star_jump side_shuffle knee_to_elbow bat_swing kick ball_slam toe_touch"
"$spotter" synthesize --list | tail -n +2 > "$work/list"
exercises=$(awk '$2 != "other" && $2 != "none" { print $1 }' "$work/list")
composed=$(awk '$1 ~ /^composed_/ { print $1 }' "$work/list")
negatives=$(awk '($2 == "other" || $2 == "none") && $1 !~ /^composed_/ { print $1 }' "$work/list")
known=$(comm -23 <(sort <<< "$negatives") <(tr ' ' '\n' <<< "$unseen" | sort))

# make FOLDER CLIPS SECONDS SEED MOTIONS…
make() {
    local folder=$1 count=$2 seconds=$3 seed=$4
    shift 4
    "$spotter" synthesize --clips "$count" --seconds "$seconds" --seed "$seed" -o "$folder" \
        $(printf -- '--motion %s ' "$@") 2>> "$work/messages"
}

# learn NAME: trains a model on the folder of that name.
learn() {
    "$spotter" train "$work/$1" --epochs 12 --validation none --force -o "$work/$1.safetensors" > "$work/$1.log" 2>&1
    "$spotter" calibrate "$work/$1.safetensors" --temperature 0.65 --maximum-distance 4 -o "$work/$1.safetensors" \
        >> "$work/$1.log" 2>&1
}

# Both learn as many clips that are no exercise.
make "$work/without" "$((clips * 4))" 6 1 $exercises
cp -r "$work/without" "$work/with"
make "$work/with" "$clips" 6 1 $known
make "$work/with" "$((clips * $(wc -w <<< "$known") / 2 / $(wc -w <<< "$composed")))" 6 1 $composed
make "$work/without" "$((clips * 3 / 2))" 6 1 $known
learn with &
learn without
wait $!
make "$work/known" 2 100 77 $known
make "$work/unseen" 8 100 77 $unseen

# measure MODEL NAME FOLDER
measure() {
    "$spotter" evaluate "$work/$1.safetensors" "$3" --json 2>> "$work/messages" | jq -r --arg name "$2" --arg model "$1" '
        .clips.log | "| \($model) composed motions | \($name) | \(.idle_seconds / 60 | round) | "
            + "\(.false_seconds * 1000 | round / 10) % | \(.false_sets) | \(.false_sets_per_hour * 10 | round / 10) |"'
}

echo "| model | kinds | minutes | seconds reported as an exercise | sets | sets an hour |"
echo "|---|---|---|---|---|---|"
for model in without with; do
    measure "$model" known "$work/known"
    measure "$model" unknown "$work/unseen"
done
