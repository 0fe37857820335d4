#!/usr/bin/env bash
# Trains the shipped classifier with other seeds and measures each on the clips of strangers. Two designs differ only if
# their figures differ by more than those of two seeds do. Prints Markdown.
#
#   Models/figures/seeds.sh SPOTTER DATA CAPTURED [SEED…]
set -euo pipefail
usage="usage: seeds.sh SPOTTER DATA CAPTURED [SEED…]"
spotter=$(realpath "${1:?$usage}") data=$(realpath "${2:?$usage}") captured=$(realpath "${3:?$usage}")
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for seed in "${@:-1}"; do
    "$here/../train.sh" "$spotter" "$seed" "$work/$seed.safetensors" "$captured" > "$work/messages" 2>&1
    printf '\nSeed %s\n\n' "$seed"
    "$here/figures.sh" "$spotter" "$data" "$work/$seed.safetensors" strangers
done
