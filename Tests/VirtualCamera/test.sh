#!/usr/bin/env bash
# Tests Spotter with a real /dev/video0: boots Debian's kernel with vivid, the kernel's own test camera, in a small
# virtual machine, mounts this machine's files there read-only, and runs Tests/VirtualCamera/checks.sh.
#
# Usage: Tests/VirtualCamera/test.sh [build folder]. Everything is emulated; where KVM works, ACCEL=kvm is faster.
set -euo pipefail
cd "$(dirname "$0")/../.."
project=$PWD
build=${1:-.build/release}
cache=.build/camera
began=$SECONDS

deploy/packages.sh qemu-system-x86 busybox-static kmod cpio xz-utils v4l-utils

# Unpack the kernel that the meta package names, without installing it.
mkdir -p "$cache"
if [ ! -e "$cache/kernel" ]; then
    image=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -1)
    if [ -z "$image" ]; then
        if [ "$(id -u)" -eq 0 ]; then sudo=(); else sudo=(sudo); fi
        "${sudo[@]}" apt-get update -qq
        image=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -1)
    fi
    echo "fetching: $image"
    rm -rf "$cache/tree"
    (cd "$cache" && apt-get download -qq "$image")
    dpkg-deb -x "$cache/$image"_*.deb "$cache/tree"
    rm "$cache/$image"_*.deb
    ln -sfn "tree/boot/vmlinuz-${image#linux-image-}" "$cache/kernel"
fi
version=$(readlink "$cache/kernel")
version=${version#*vmlinuz-}

# An initramfs: busybox, the modules in loading order, and the init script.
first=$cache/first
rm -rf "$first"
mkdir -p "$first"/{bin,lib,dev,proc,sys,tmp,host}
cp "$(command -v busybox)" "$first/bin/busybox"
cp Tests/VirtualCamera/init.sh "$first/init"
# modprobe looks for lib/modules, and distributions differ in whether /lib is a link.
[ -e "$cache/tree/lib/modules" ] || ln -sfn usr/lib "$cache/tree/lib"
depmod=$(PATH=$PATH:/usr/sbin:/sbin command -v depmod)
modprobe=$(PATH=$PATH:/usr/sbin:/sbin command -v modprobe)
"$depmod" -b "$cache/tree" "$version"
for module in virtio_pci 9p 9pnet_virtio vivid; do
    "$modprobe" -d "$PWD/$cache/tree" -S "$version" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r file; do
    name=$(basename "$file")
    name=${name%%.ko*}
    case $file in
    *.xz) xz -dc "$file" >"$first/lib/$name.ko" ;;
    *) cp "$file" "$first/lib/$name.ko" ;;
    esac
    echo "$name"
done >"$first/modules"
printf 'build=%q\n' "$build" >"$first/settings"
(cd "$first" && find . | cpio -o -H newc --quiet | gzip -1) >"$cache/first.gz"

log=$cache/console.log
: >"$log"
# Twelve minutes are three times the duration on a busy machine. Emulated multiply-add costs nine times as much as the
# four-lane kernels, which a processor without it uses.
timeout 720 qemu-system-x86_64 -accel "${ACCEL:-tcg,thread=multi}" -cpu max,avx2=off,fma=off -smp 2 -m 1536 -nographic -no-reboot \
    -kernel "$cache/kernel" -initrd "$cache/first.gz" -append "console=ttyS0 quiet panic=-1 mitigations=off" \
    -nic none -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
    -virtfs "local,path=${project//,/,,},mount_tag=project,security_model=none,readonly=on,multidevs=remap" \
    </dev/null >"$log" 2>&1 &
machine=$!
tail -f --pid "$machine" "$log" | tr -d '\r' | grep --line-buffered -aE '^(camera|    )' &
trap 'kill "$machine" 2>/dev/null || true' EXIT
wait "$machine" || true
if tr -d '\r' <"$log" | grep -qa '^camera checks: exit 0$'; then
    echo "test-camera: passed in $((SECONDS - began)) s"
else
    echo "test-camera: failed; what the machine said is in $log" >&2
    exit 1
fi
