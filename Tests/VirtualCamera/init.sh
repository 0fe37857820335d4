#!/bin/busybox sh
# The init program of the virtual machine: loads the modules, mounts the host's files, and runs the checks there.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
. /settings
while read -r module; do
    options=
    # Two webcams; any further inputs are webcams as well.
    [ "$module" = vivid ] && options="n_devs=2 node_types=0x1,0x1 num_inputs=1,1 input_types=0x0,0x0"
    insmod "/lib/$module.ko" $options || echo "camera machine: cannot load $module"
done </modules
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,ro,cache=loose host /host
# The project may be in a folder that the machine also has, such as /tmp.
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,ro,cache=loose project /host/mnt
mount -t proc proc /host/proc
mount -t sysfs sys /host/sys
mount --bind /dev /host/dev
mount -t tmpfs tmp /host/tmp
mkdir -p /host/dev/shm
mount -t tmpfs shm /host/dev/shm
ip link set lo up
echo "camera machine: ready after $(cut -d' ' -f1 /proc/uptime) s"
chroot /host /usr/bin/env -i PATH="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" HOME=/tmp TMPDIR=/tmp LANG=C.UTF-8 \
    /bin/bash /mnt/Tests/VirtualCamera/checks.sh /mnt "$build"
echo "camera checks: exit $?"
poweroff -f
