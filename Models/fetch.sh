#!/bin/sh
# Fetches the two pose networks into this folder and checks them.
#
# They are BlazePose (Apache-2.0) as shipped inside the Python wheel mediapipe 0.10.21; every platform's wheel holds
# the same two files, so the wheel is fetched by name and version and only unpacked, never installed.
# Without a network, a release's source archive has them too: Models/fetch.sh spotter-VERSION.tar.gz
# Nothing is fetched if both files are present with the right checksums. The script may be interrupted and run
# again: files get their final names only once they are complete and their checksums match.
set -eu

archive=${1:+$(realpath "$1")}
cd "$(dirname "$0")"
download=.download
package=mediapipe==0.10.21

# name, checksum, path in the wheel
models="
pose_detection.tflite 9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c mediapipe/modules/pose_detection
pose_landmark_full.tflite e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f mediapipe/modules/pose_landmark
"

fail() {
    echo "fetch.sh: $1" >&2
    exit 1
}

# is_right FILE SHA256: whether the file exists and has this checksum.
is_right() {
    [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$2  -" ]
}

all_right() {
    echo "$models" | while read -r name sum _; do
        [ -z "$name" ] || is_right "$name" "$sum" || exit 1
    done
}

fetch_wheel() {
    command -v python3 >/dev/null || fail "python3 is missing; install it (apt install python3 python3-pip) and run again"
    python3 -m pip --version >/dev/null 2>&1 \
        || fail "pip is missing; install it (apt install python3-pip) and run again"
    mkdir -p "$download"
    # Name the platform, so that boards without their own wheel get the same files.
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --platform manylinux_2_28_x86_64 --python-version 3.11 --dest "$download" "$package" \
        || fail "could not download $package; check the network connection and run again, or take the files from a release's source archive: Models/fetch.sh spotter-VERSION.tar.gz"
}

# unpack NAME SHA256 FOLDER: extracts a file from the wheel, checks it, and gives it its final name.
unpack() {
    python3 - "$download" "$3/$1" "$1.part" <<'PYTHON' || fail "the wheel does not hold $3/$1; remove Models/$download and run again"
import glob, shutil, sys, zipfile
folder, member, part = sys.argv[1:]
wheel = sorted(glob.glob(folder + "/mediapipe-0.10.21-*.whl"))[0]
with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, open(part, "wb") as target:
    shutil.copyfileobj(source, target)
PYTHON
    if ! is_right "$1.part" "$2"; then
        rm -f "$1.part"
        rm -rf "$download"
        fail "wrong checksum for $1: the download was damaged or is another version; run again"
    fi
    mv "$1.part" "$1"
    echo "Models/$1"
}

# unarchive NAME SHA256: extracts a file from the source archive, checks it, and gives it its final name.
unarchive() {
    if ! tar -xzOf "$archive" --wildcards "*/Models/$1" >"$1.part" 2>/dev/null; then
        rm -f "$1.part"
        fail "$archive is no archive that holds Models/$1; name a release's source archive"
    fi
    if ! is_right "$1.part" "$2"; then
        rm -f "$1.part"
        fail "wrong checksum for $1 in $archive: it was damaged or is of another version; copy it again"
    fi
    mv "$1.part" "$1"
    echo "Models/$1"
}

all_right && exit 0
if [ -n "$archive" ]; then
    echo "$models" | while read -r name sum _; do
        [ -z "$name" ] || is_right "$name" "$sum" || unarchive "$name" "$sum"
    done
    all_right || fail "the models are still not complete; run again"
    exit 0
fi
fetch_wheel
echo "$models" | while read -r name sum folder; do
    [ -z "$name" ] || is_right "$name" "$sum" || unpack "$name" "$sum" "$folder"
done
all_right || fail "the models are still not complete; run again"
rm -rf "$download"
