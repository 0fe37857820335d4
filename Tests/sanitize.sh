#!/usr/bin/env bash
# Runs the kernels of every level this machine has with AddressSanitizer and UndefinedBehaviorSanitizer watching.
set -euo pipefail
cd "$(dirname "$0")/.."
# The compiler that builds the package: clang stands beside swift.
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$clang" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fuse-ld=lld -ISources/Node/CKernels/include -Wall -Werror \
    Sources/Node/CKernels/*.c Tests/KernelChecks/main.c -lm -o "$folder/kernels"
echo -n "sanitized: "
# The checks never free what they allocate.
ASAN_OPTIONS=detect_leaks=0 "$folder/kernels" || { echo "the kernels touch what is not theirs" >&2; exit 1; }
