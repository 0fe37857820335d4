#!/usr/bin/env bash
# Trains the shipped classifier from nothing but the built-in motion generator; the same seed gives the same file.
set -euo pipefail
spotter=${1:?usage: train-exercises.sh path/to/spotter}
cd "$(dirname "$0")/.."
exec "$spotter" train --synthetic 8000 --seed 1 --epochs 30 --date 2026-11-21 \
    --name exercises --author "the Spotter project" --licence Apache-2.0 \
    --about "Six exercises, other, none; trained on synthetic motion only. A first model: see README, Measured." \
    -o Models/exercises.safetensors
