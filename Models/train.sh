#!/usr/bin/env bash
# Trains the shipped classifier from the built-in motion generator and recorded motion; the same seed gives the same file.
# CAPTURED is the file that Models/motion-capture.py makes of UI-PRMD and CMU; without it only the generator is used. The
# temperature and the distance were fitted on clips of strangers, which were not trained on (Models/README.md).
set -euo pipefail
spotter=${1:?usage: Models/train.sh path/to/spotter [seed] [output] [captured]}
seed=${2:-2}
output=${3:-Models/exercises.safetensors}
captured=${4:-}
[ -n "$captured" ] || echo "Models/train.sh: no recorded motion is given; the shipped model also learned from UI-PRMD and CMU" >&2
cd "$(dirname "$0")/.."
"$spotter" train --synthetic 28000 --seed "$seed" --epochs 12 --date 2026-11-27 ${captured:+--motion-capture "$captured"} \
    --name exercises --author "the Spotter project" --licence Apache-2.0 \
    --about "35 exercises, other, none; trained on synthetic and recorded motion. Figures on strangers: Models/README.md." \
    -o "$output"
exec "$spotter" calibrate "$output" --temperature 0.65 --maximum-distance 4 -o "$output"
