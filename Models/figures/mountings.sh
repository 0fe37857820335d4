#!/usr/bin/env bash
# Renders one person as cameras at several places see them, measures what is recognised, and draws the pictures of the page
# Hardware and mounting into deploy/mounting. Half an hour of two cores.
#
#   mountings.sh path/to/spotter
set -euo pipefail
spotter=$(realpath "${1:?usage: mountings.sh path/to/spotter}")
cd "$(dirname "$0")/../.."
clips=Tests/Fixtures/render/out/mountings
out=deploy/mounting
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Tests/Fixtures/render/render.sh --mountings
mkdir -p "$out"

# still CLIP SECOND WORDS: a picture of what Spotter sees in the clip, with words below.
still() {
    local name=$1-$2
    [ -e "$folder/$1.mp4" ] || "$spotter" preview "$clips/$1.mp4" -o "$folder/$1.mp4" >/dev/null 2>&1
    ffmpeg -v error -y -ss "$2" -i "$folder/$1.mp4" -frames:v 1 -vf \
        "crop=640:480:0:0,scale=320:240,drawbox=y=ih-26:h=26:color=black@0.7:t=fill,drawtext=text='$3':x=8:y=h-20:fontsize=15:fontcolor=white:font=DejaVu Sans" \
        "$folder/$name.png"
    echo "$folder/$name.png"
}

# sheet FILE COLUMNS PICTURE…: puts pictures side by side, with few colours.
sheet() {
    local file=$1 columns=$2 inputs=() layout='' number=0
    shift 2
    for picture in "$@"; do
        inputs+=(-i "$picture")
        layout+="|$((number % columns * 320))_$((number / columns * 240))"
        number=$((number + 1))
    done
    ffmpeg -v error -y "${inputs[@]}" -filter_complex \
        "xstack=inputs=$number:layout=${layout#|},split[a][b];[a]palettegen=max_colors=40[p];[b][p]paletteuse=dither=none" \
        -frames:v 1 "$file"
}

pictures=()
for height in 05 12 22 30; do
    for side in '000 front' '045 turned' '090 side' '180 back'; do
        pictures+=("$(still "squat-${side%% *}-$height-040" 3.3 "${side#* }, camera at ${height:0:1}.${height:1} m")")
    done
done
sheet "$out/heights.png" 4 "${pictures[@]}"
pictures=()
for height in 05 12 22 30; do
    for side in '000 head first' '090 side'; do
        pictures+=("$(still "push_up-${side%% *}-$height-040" 2.5 "${side#* }, camera at ${height:0:1}.${height:1} m")")
    done
done
sheet "$out/floor.png" 4 "${pictures[@]}"
pictures=()
for distance in 020 030 040 060 090 120; do
    pictures+=("$(still "squat-045-12-$distance" 3.3 "$((10#$distance / 10)) m")")
done
sheet "$out/distances.png" 3 "${pictures[@]}"
"$(dirname "$0")/mountings.py" "$spotter" --measures
