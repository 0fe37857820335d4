#!/usr/bin/env bash
# Inside the virtual machine, among the host's files: what Spotter does with a real video device.
set -uo pipefail
cd "$1" || exit 1
v4l2-ctl --list-devices
v4l2-ctl -d /dev/video0 -L
v4l2-ctl -d /dev/video0 --list-formats | head -80
v4l2-ctl -d /dev/video0 --list-framesizes=YUYV
v4l2-ctl -d /dev/video0 --list-frameintervals=width=640,height=480,pixelformat=YUYV
ls -l /sys/bus/platform/drivers/vivid/ /sys/class/video4linux/ /sys/class/video4linux/video0/
cat /proc/uptime; nproc; grep -m1 flags /proc/cpuinfo
