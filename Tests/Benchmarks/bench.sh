#!/usr/bin/env bash
# Compares Spotter with LiteRT, XNNPACK and MediaPipe, in a scratch environment that the product does not use.
set -euo pipefail
spotter=${1:?usage: bench.sh path/to/spotter}
cd "$(dirname "$0")/../.."
environment=.build/bench
if [ ! -x "$environment/bin/python3" ] || ! "$environment/bin/python3" -c 'import ai_edge_litert' 2>/dev/null; then
    python3 -m venv "$environment"
    # Tried on 2026-11-22 with these versions.
    "$environment/bin/pip" install --quiet ai-edge-litert==2.3.0 numpy==1.26.4
    # Not every platform has this package; the table says if it is missing.
    "$environment/bin/pip" install --quiet mediapipe==0.10.21 || echo "MediaPipe could not be installed" >&2
fi

# LiteRT's XNNPACK uses all features of the processor. Debian's can be limited to those of a smaller one.
# (Its package does not name the two others, whose headers it includes and is limited by.)
packages=(libxnnpack-dev libpthreadpool-dev libcpuinfo-dev)
installed() { dpkg-query -W "${packages[@]}" >/dev/null 2>&1; }
! command -v apt-get >/dev/null || deploy/packages.sh "${packages[@]}" || true
# Use the clang that comes with the Swift toolchain.
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
peer=$environment/xnnpack_peer
rm -f "$peer"
if installed; then
    "$environment/bin/python3" Tests/Benchmarks/flatten.py "$environment"
    "$clang" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror Tests/Benchmarks/xnnpack_peer.c \
        -lXNNPACK -lcpuinfo -lpthreadpool -lm -o "$peer" || echo "XNNPACK's peer could not be built" >&2
fi

# On a processor with AVX-512, LiteRT and MediaPipe are measured once more as on one without.
hidden=()
if grep -qw avx512f /proc/cpuinfo; then
    command -v objdump >/dev/null || { echo "objdump is missing: apt-get install binutils" >&2; exit 69; }
    limited=$PWD/$environment/without_avx512
    rm -rf "$limited"
    "$environment/bin/python3" Tests/Benchmarks/hide_avx512.py "$limited" ai_edge_litert mediapipe
    "$clang" -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC Tests/Benchmarks/hide_avx512.c -o "$limited/hide_avx512.so"
    hidden=(env "LD_PRELOAD=$limited/hide_avx512.so" "PYTHONPATH=$limited" "$environment/bin/python3")
fi

quiet() { "$@" 2> >(grep -v -E '(INFO|W0|E0|I0|WARNING)' >&2); }
quiet "$environment/bin/python3" Tests/Benchmarks/compare.py "$spotter" "${ROUNDS:-12}"
quiet "$environment/bin/python3" Tests/Benchmarks/frames.py "$spotter" "$((${ROUNDS:-12} / 2 + 1))"
if [ ${#hidden[@]} -gt 0 ]; then
    echo
    echo "As on a processor without AVX-512:"
    echo
    quiet "${hidden[@]}" Tests/Benchmarks/compare.py "$spotter" "${ROUNDS:-12}" avx2
    if [ -d "$limited/mediapipe" ]; then
        quiet "${hidden[@]}" Tests/Benchmarks/frames.py "$spotter" "$((${ROUNDS:-12} / 2 + 1))" avx2
    fi
fi

# The node's page.
"$environment/bin/python3" Tests/Benchmarks/page.py "$spotter" "$((${ROUNDS:-12} / 2))"
