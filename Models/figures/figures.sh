#!/usr/bin/env bash
# Measures a model on people it has never seen, also under difficult conditions. Prints Markdown for the model card.
#
#   Models/figures/figures.sh SPOTTER                       synthetic people, rendered clips and crowds
#   Models/figures/figures.sh SPOTTER DATA [MODEL]          the same, and collections; about an hour
#   Models/figures/figures.sh SPOTTER DATA MODEL strangers  only the clips of strangers, to compare models
#
# DATA is a folder of collections as Models/figures/convert.py and repcount.py describe them. They are not ours and
# not part of this repository; missing ones are skipped. What it needs is installed: python3-numpy, jq and ffmpeg.
set -euo pipefail
usage='usage: figures.sh SPOTTER [DATA [MODEL [strangers]]]'
spotter=$(realpath "${1:?$usage}")
data=${2:-}
if [ -n "$data" ] && [ ! -d "$data" ]; then
    echo "figures.sh: there is no folder $data; $usage" >&2
    exit 66
fi
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
# What a program that failed had to say.
touch "$work/messages"
trap '[ $? -eq 0 ] || cat "$work/messages" >&2; rm -rf "$work"' EXIT
needed=(jq ffmpeg)
python3 -c 'import numpy' 2>/dev/null || needed+=(python3-numpy)
"$here/../../deploy/packages.sh" "${needed[@]}"
if [ -n "$data" ]; then
    data=$(realpath "$data")
    python3 "$here/convert.py" "$data" "$work"
else
    echo "figures.sh: without a folder of collections only synthetic people, rendered clips and crowds are measured" >&2
    data=$work/none
    mkdir "$data"
fi
cd "$here/../.."
model=${3:-Models/exercises.safetensors}
part=${4:-all}

# measure NAME ARGUMENTS…: prints one line of the table.
measure() {
    local name=$1
    shift
    "$spotter" evaluate "$model" "$@" --json 2> "$work/messages" | jq -r --arg name "$name" '
        def percent: . * 1000 | round / 10 | "\(.) %";
        .clips | "| \($name) | \(.verdicts | length) | \(.macro_recall | percent) | \(.macro_reported_recall | percent) | "
            + "\(.false_answers | percent) | \(.false_reports | percent) | \(.calibration_error | percent) |"'
}

echo "| clips | number | recall | reported | taken for an exercise | reported as one | calibration error |"
echo "|---|---|---|---|---|---|---|"
[ -e "$work/web" ] && measure "videos of strangers" "$work/web/annotations.csv"
[ -e "$work/penn" ] && measure "Penn Action" "$work/penn"
[ -e "$work/pushfit" ] && measure "push-ups of strangers (MediaPipe)" "$work/pushfit"
if [ "$part" = all ]; then
    measure "synthetic, other seeds" --synthetic 1200
    for rate in 15 10 8; do measure "… at $rate poses a second" --synthetic 1200 --rate $rate; done
    measure "… 30 % of the joints dropped" --synthetic 1200 --drop-joints 0.3
    for yaw in 0 45 90 135 180; do measure "… seen from ${yaw}°" --synthetic 1200 --yaw $yaw; done
    for distance in 2 4.5 7; do measure "… from $distance m" --synthetic 1200 --distance $distance; done
fi
if [ -e "$work/penn" ]; then
    echo
    "$spotter" evaluate "$model" "$work/penn" 2> "$work/messages" | sed -n '/^exercise/,/^mean/p'
    echo
    python3 "$here/sets.py" "$spotter" "$model" "$work/penn"
fi
if [ "$part" = all ] && [ -e "$work/web" ]; then
    measure "videos at 8 poses a second" "$work/web/annotations.csv" --rate 8
    measure "videos, 30 % of the joints dropped" "$work/web/annotations.csv" --drop-joints 0.3
    echo
    "$spotter" evaluate "$model" "$work/web/annotations.csv" 2> "$work/messages" | sed -n '/^exercise/,$p'
fi
if [ -e "$work/web" ]; then
    # Poses are found once; a model is measured on them in seconds.
    poses=$PWD/.build/figures/poses
    for video in "$data"/videos/*/*; do
        name=$(basename "$(dirname "$video")")/$(basename "$video")
        mkdir -p "$(dirname "$poses/$name")" "$(dirname "$work/shown/$name")"
        if [ ! -s "$poses/$name.poses.jsonl" ]; then
            "$spotter" poses "$video" -o "$poses/$name.part" 2> "$work/messages"
            mv "$poses/$name.part" "$poses/$name.poses.jsonl"
        fi
        "$spotter" classify "$poses/$name.poses.jsonl" --model "$model" --json >"$work/shown/$name.json" 2> "$work/messages"
    done
    echo
    python3 "$here/shown.py" "$data/videos/index.csv" "$work/shown"
    echo
    penn=()
    [ ! -e "$work/penn" ] || penn=("$work/penn")
    python3 "$here/named.py" "$spotter" "$model" "$poses" "${penn[@]}"
fi
[ "$part" = all ] || exit 0
if [ -e "$data/counting/repcount_dev.npz" ]; then
    echo
    python3 "$here/repcount.py" "$data/counting/repcount_dev.npz" "$work/repcount"
    "$spotter" count --truth "$work/repcount/counts.csv" --model "$model"
    echo
    python3 "$here/repcount.py" "$data/counting/repcount_dev.npz" "$work/new" --new
    python3 "$here/newcount.py" "$spotter" "$model" "$work/new"
fi
if [ -e "$work/penn" ]; then
    echo
    python3 "$here/newlabels.py" "$spotter" "$model" "$work/penn" --seeds 1 2 3
    echo
    python3 "$here/newlabels.py" "$spotter" "$model" "$work/penn" --teach --clips 1 3 --seeds 1
    echo
    # A month takes six minutes of two cores; --months 20 tells more.
    python3 "$here/learning.py" "$spotter" "$model" "$work/penn" --months 1 --answers 10,30,50
fi
if [ -e "$work/web" ]; then
    echo
    python3 "$here/workouts.py" "$spotter" "$data"
fi
echo
python3 "$here/delay.py" "$spotter" Tests/Fixtures/clips/{squat,lunge,jumping_jack,burpee}_{45,front}.json
echo
# More clips for the angles: Tests/Fixtures/render/render.sh --angles, half an hour.
rendered=(Tests/Fixtures/clips)
[ ! -e Tests/Fixtures/render/out ] || rendered+=(Tests/Fixtures/render/out)
python3 "$here/angles.py" "$spotter" "${rendered[@]}"
echo
python3 "$here/coaching.py" "$spotter" "$data"
echo
# Crowds of fixed seeds are drawn once, in ten minutes of a processor. That takes a C compiler, and no Blender.
render=Tests/Fixtures/render
if command -v cc >/dev/null; then "$render/render.sh" --crowds >&2 || true; fi
if compgen -G "$render/out/crowd_*.mp4" >/dev/null; then
    python3 "$here/tracking.py" "$spotter" "$render/out"
    echo
    python3 "$here/crowd_actions.py" "$spotter" "$render/out" Tests/Fixtures/clips
else
    echo "figures.sh: no crowds to measure tracking on; install gcc and run $render/render.sh --crowds" >&2
fi
echo
# Half an hour more.
if command -v cc >/dev/null; then "$render/render.sh" --stations >&2 || true; fi
if compgen -G "$render/out/stations_*.mp4" >/dev/null; then
    "$spotter" evaluate --tracking "$render"/out/stations_*.mp4 --truth "$render"/out/stations_*.json
fi

if command -v cc >/dev/null; then "$render/render.sh" --views >&2 || true; fi
views=()
for file in "$render"/out/turned_views_*.mp4; do
    [ ! -e "$file" ] || views+=("$(basename "${file#*turned_}" .mp4)")
done
if [ "${#views[@]}" -gt 0 ]; then "$here/views.py" "$spotter" "${views[@]}"; fi
stations=()
for file in "$render"/out/stations_*.mp4; do
    [ ! -e "$file" ] || stations+=("$(basename "$file" .mp4)")
done
"$here/sides.py" "$spotter" "${stations[@]}"
echo
# Half an hour more, and 20 hours of synthetic floor work in some minutes.
if command -v cc >/dev/null; then "$render/render.sh" --falls >&2 || true; fi
"$here/falls.py" "$spotter"
echo
"$here/unseen.sh" "$spotter"
