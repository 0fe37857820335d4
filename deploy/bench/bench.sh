#!/usr/bin/env bash
# Measures Spotter beside LiteRT and MediaPipe, installed into a scratch environment that the product never sees.
set -euo pipefail
spotter=${1:?usage: bench.sh path/to/spotter}
cd "$(dirname "$0")/../.."
environment=.build/bench
if [ ! -x "$environment/bin/python3" ] || ! "$environment/bin/python3" -c 'import ai_edge_litert' 2>/dev/null; then
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet ai-edge-litert numpy
    # Not every platform has one; the table says when it is missing.
    "$environment/bin/pip" install --quiet 'mediapipe<0.10.30' || echo "MediaPipe could not be installed" >&2
fi
exec "$environment/bin/python3" deploy/bench/compare.py "$spotter" "${ROUNDS:-12}" 2> >(grep -v -E '^(INFO|W0|E0|I0|WARNING)' >&2)
