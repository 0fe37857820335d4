#!/usr/bin/env bash
# Tests the service under a real systemd, with a camera. Boots a Debian root that has the package in a small virtual
# machine with Debian's kernel and its test camera vivid, and runs boot-checks.sh there. Needs root.
#
#     deploy/package/boot.sh package.deb [suite]            ACCEL=kvm is faster where it works
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] || { echo "booting a root of its own needs root" >&2; exit 77; }
package=$(realpath "$1") suite=${2:-trixie}
for need in qemu-system-x86 busybox-static kmod cpio xz-utils e2fsprogs; do
    dpkg-query -W "$need" >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends "$need" >/dev/null
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root

# Unpack the kernel without installing it.
kernel=.build/kernel
if [ ! -e "$kernel/vmlinuz" ]; then
    mkdir -p "$kernel"
    image=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -1)
    (cd "$kernel" && apt-get download -qq "$image" && dpkg-deb -x "$image"_*.deb . && rm "$image"_*.deb)
    ln -sfn "boot/vmlinuz-${image#linux-image-}" "$kernel/vmlinuz"
fi
version=$(readlink "$kernel/vmlinuz")
version=${version#*vmlinuz-}
/usr/sbin/depmod -b "$kernel" "$version"

# An initramfs that loads the modules for the root and the camera, and starts the root's init.
first=$folder/first
mkdir -p "$first"/{bin,lib,dev,proc,sys,root}
cp "$(command -v busybox)" "$first/bin/"
for module in virtio_pci virtio_blk ext4 vivid; do
    /usr/sbin/modprobe -d "$PWD/$kernel" -S "$version" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r file; do
    name=$(basename "$file")
    name=${name%%.ko*}
    case $file in *.xz) xz -dc "$file" >"$first/lib/$name.ko" ;; *) cp "$file" "$first/lib/$name.ko" ;; esac
    echo "$name"
done >"$first/modules"
cat >"$first/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read -r module; do
    options=
    [ "$module" = vivid ] && options="n_devs=1 node_types=0x1 num_inputs=1 input_types=0x0"
    insmod "/lib/$module.ko" $options
done </modules
mount -t ext4 /dev/vda /root
mount --move /dev /root/dev
umount /proc /sys
exec switch_root /root /lib/systemd/systemd
INIT
chmod +x "$first/init"
(cd "$first" && find . | cpio -o -H newc --quiet | gzip -1) >"$folder/first.gz"

deploy/package/root.sh "$suite" "$root"
cp "$package" "$root/root/package.deb"
cp deploy/package/boot-checks.sh "$root/root/checks"
chroot "$root" apt-get update -qq
DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -qq --no-install-recommends systemd-sysv udev /root/package.deb >"$folder/log" 2>&1 \
    || { tail "$folder/log" >&2; exit 1; }
# vivid's camera. The service must also run without a broker.
printf '[[camera]]\nid = "rack-1"\nsource = "/dev/video0"\nwidth = 320\nheight = 180\n' >"$root/etc/spotter/conf.d/gym.toml"
# A frame takes seconds under emulation.
mkdir -p "$root/etc/systemd/system/spotter.service.d"
printf '[Service]\nWatchdogSec=80s\n' >"$root/etc/systemd/system/spotter.service.d/emulated.conf"
printf 'secret\n' >"$root/etc/spotter/credentials/mqtt-password"
chmod 600 "$root/etc/spotter/credentials/mqtt-password"
cp -n "$root"/var/cache/apt/archives/*.deb ".build/roots/$suite-amd64.archives/" 2>/dev/null || true
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
mke2fs -q -t ext4 -d "$root" "$folder/disk.img" 1800M >/dev/null

log=.build/package/boot-$suite.log
began=$SECONDS
timeout 900 qemu-system-x86_64 -accel "${ACCEL:-tcg,thread=multi}" -cpu max -smp 2 -m 1536 -nographic -no-reboot \
    -kernel "$kernel/vmlinuz" -initrd "$folder/first.gz" -nic none \
    -drive "file=$folder/disk.img,format=raw,if=virtio,cache=unsafe" \
    -append "console=ttyS0 panic=-1 mitigations=off systemd.show_status=no loglevel=3 audit=0 systemd.run=/root/checks systemd.run_success_action=poweroff systemd.run_failure_action=poweroff" \
    </dev/null 2>&1 | stdbuf -oL tr -d '\r' | tee "$log" | grep --line-buffered -aE '^(service|  )' || true
grep -qa '^service checks: passed' "$log" || { echo "the service under systemd: failed; see $log" >&2; exit 1; }
echo "the service under systemd ($suite): passed in $((SECONDS - began)) s"
