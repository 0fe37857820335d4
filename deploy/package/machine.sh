#!/usr/bin/env bash
# Boots a Debian root in a small virtual machine with Debian's kernel, whose systemd runs /root/checks and then switches the
# machine off. What it prints on the console is printed, and written into a file:
#
#     deploy/package/machine.sh root log disk-size module…
#
# The modules are loaded first; vivid is Debian's test camera. ACCEL=kvm is faster where it works. The root must hold
# systemd-sysv.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$1 log=$2 size=$3
shift 3
deploy/packages.sh qemu-system-x86 busybox-static kmod cpio xz-utils e2fsprogs >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

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

# An initramfs that loads the modules, and starts the root's init.
first=$folder/first
mkdir -p "$first"/{bin,lib,dev,proc,sys,root}
cp "$(command -v busybox)" "$first/bin/"
for module in virtio_pci virtio_blk ext4 "$@"; do
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

mke2fs -q -t ext4 -d "$root" "$folder/disk.img" "$size" >/dev/null
timeout 1800 qemu-system-x86_64 -accel "${ACCEL:-tcg,thread=multi}" -cpu max,avx2=off,fma=off -smp 2 -m 1536 -nographic -no-reboot \
    -kernel "$kernel/vmlinuz" -initrd "$folder/first.gz" -nic none \
    -drive "file=$folder/disk.img,format=raw,if=virtio,cache=unsafe" \
    -append "console=ttyS0 panic=-1 mitigations=off systemd.show_status=no loglevel=3 audit=0 systemd.run=/root/checks systemd.run_success_action=poweroff systemd.run_failure_action=poweroff" \
    </dev/null 2>&1 | stdbuf -oL tr -d '\r' | tee "$log"
