#!/usr/bin/env bash
# Inside the virtual machine, among the host's files: what Spotter does with a real video device.
set -uo pipefail
cd "$1" || exit 1
spotter=$PWD/$2/spotter
cat /proc/uptime
$spotter cameras list
cat /proc/uptime
$spotter cameras list --modes --json --width 640 --height 360 | head -30
$spotter cameras test --width 640 --height 360 --seconds 5
cat /proc/uptime
$spotter cameras test --width 320 --height 180 --seconds 5
cat /proc/uptime
