#!/usr/bin/env bash
# Trains the shipped classifier from nothing but the built-in motion generator; the same seed gives the same file.
# The temperature and the distance were fitted on clips of strangers, which were not trained on (Models/README.md).
set -euo pipefail
spotter=${1:?usage: Models/train.sh path/to/spotter [seed] [output]}
seed=${2:-2}
output=${3:-Models/exercises.safetensors}
cd "$(dirname "$0")/.."
"$spotter" train --synthetic 10000 --seed "$seed" --epochs 16 --date 2026-11-21 \
    --name exercises --author "the Spotter project" --licence Apache-2.0 \
    --about "Six exercises, other, none; trained on synthetic motion only. Figures on strangers: Models/README.md." \
    -o "$output"
exec "$spotter" calibrate "$output" --temperature 0.65 --maximum-distance 4 -o "$output"
