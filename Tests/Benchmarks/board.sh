#!/usr/bin/env bash
# Estimates the frame rate on a Raspberry Pi 4 and 5, from the instructions that a frame takes on an emulated one:
#
#     Tests/Benchmarks/board.sh
#
# Needs the program and the libraries that `make arm64` leaves under .build/arm64.
set -euo pipefail
cd "$(dirname "$0")/../.."
board=.build/arm64/board
program=.build/arm64/build/aarch64-unknown-linux-gnu/release/spotter
[ -x "$program" ] || { echo "there is no arm64 program yet: make arm64" >&2; exit 69; }
command -v qemu-aarch64 >/dev/null || deploy/packages.sh qemu-user
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
"$clang" -O2 -shared -fPIC -Wall -Werror Tests/Benchmarks/instructions.c -o "$folder/instructions.so"

# Both runs differ only in the number of frames, so the difference is the cost of frames: poses, tracking, classifier. The
# first search of the whole picture in small squares ends before the 16th frame. It is paid once.
few=16 many=36
for cpu in cortex-a72 cortex-a76; do
    for frames in $few $many; do
        ffmpeg -v error -y -i Tests/Fixtures/clips/squat_front.mp4 -frames:v $frames "$folder/$frames.mp4"
        # The target of the board's own links, which does not exist on this machine.
        qemu-aarch64 -cpu $cpu -L "$board" -E LD_LIBRARY_PATH=/usr/lib/aarch64-linux-gnu/openblas-pthread -plugin "$folder/instructions.so" "$program" \
            classify "$folder/$frames.mp4" --json 2>"$folder/$cpu.$frames" >/dev/null \
            || { tail -3 "$folder/$cpu.$frames" >&2; exit 1; }
    done
done
python3 Tests/Benchmarks/board.py $((many - few)) "$folder" $few $many
