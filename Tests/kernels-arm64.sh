#!/usr/bin/env bash
# Compiles the kernels for arm64 and checks them under emulation, as a Raspberry Pi 4 (Cortex-A72) and 5 (A76).
set -euo pipefail
cd "$(dirname "$0")/.."
deploy/packages.sh libc6-dev-arm64-cross libgcc-12-dev-arm64-cross qemu-user-static
# Use the clang that comes with the Swift toolchain.
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$clang" --target=aarch64-linux-gnu --gcc-toolchain=/usr -isystem /usr/aarch64-linux-gnu/include -O2 -static \
    -fuse-ld=lld -L/usr/aarch64-linux-gnu/lib -L/usr/lib/gcc-cross/aarch64-linux-gnu/12 \
    -B/usr/lib/gcc-cross/aarch64-linux-gnu/12 -B/usr/aarch64-linux-gnu/lib \
    -ISources/Node/CKernels/include -Wall -Werror \
    Sources/Node/CKernels/*.c Tests/KernelChecks/main.c -lm -o "$folder/kernels"
for cpu in cortex-a72 cortex-a76; do
    echo -n "arm64 $cpu: "
    qemu-aarch64-static -cpu "$cpu" "$folder/kernels" || { echo "the kernels are wrong on arm64" >&2; exit 1; }
done
