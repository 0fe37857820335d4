#!/usr/bin/env bash
# Tests the service under a real systemd, with a camera. Boots a Debian root that has the package in a small virtual
# machine with a test camera, see machine.sh, and runs boot-checks.sh there. Needs root.
#
#     deploy/package/boot.sh package.deb [suite]            ACCEL=kvm is faster where it works
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] || { echo "booting a root of its own needs root" >&2; exit 77; }
package=$(realpath "$1") suite=${2:-trixie}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root

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

log=.build/package/boot-$suite.log
began=$SECONDS
deploy/package/machine.sh "$root" "$log" 1800M vivid | grep --line-buffered -aE '^(service|  )' || true
grep -qa '^service checks: passed' "$log" || { echo "the service under systemd: failed; see $log" >&2; exit 1; }
echo "the service under systemd ($suite): passed in $((SECONDS - began)) s"
