#!/usr/bin/env bash
# Follows deploy/fleet/README.md word for word: runs the shell commands of "One gym, one small server" in a clean Debian
# under systemd, in a virtual machine, and then sends a session as a node would. Needs root.
#
#     deploy/package/sink/follow.sh package.deb [suite]         ACCEL=kvm is faster where it works
set -euo pipefail
cd "$(dirname "$0")/../../.."
[ "$(id -u)" -eq 0 ] || { echo "booting a root of its own needs root" >&2; exit 77; }
package=$(realpath "$1") suite=${2:-bookworm}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
deploy/package/root.sh "$suite" "$root"
cp "$package" "$root/root/"
# An ordinary Debian has these. The packages of the page are only fetched: the machine has no network.
within() { (cd / && DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"); }
within apt-get update -qq
within apt-get install -y -qq --no-install-recommends systemd-sysv sudo openssl mosquitto-clients >"$folder/log" 2>&1 \
    || { tail "$folder/log" >&2; exit 1; }
within apt-get install -y -qq --download-only "/root/$(basename "$package")" postgresql mosquitto >"$folder/log" 2>&1 \
    || { tail "$folder/log" >&2; exit 1; }
cp -n "$root"/var/cache/apt/archives/*.deb ".build/roots/$suite-amd64.archives/" 2>/dev/null || true
echo gym-server >"$root/etc/hostname"
echo "127.0.0.1 localhost gym-server" >"$root/etc/hosts"
cp deploy/package/sink/follow-checks.sh "$root/root/checks"
# Each block of the section, in a file of its own.
awk -v folder="$root/root" '
    /^## / { within = $0 == "## One gym, one small server" }
    /^```$/ { inside = 0 }
    inside { print > (folder "/block" number ".sh") }
    within && /^```sh$/ { number++; inside = 1 }' deploy/fleet/README.md
log=.build/package/follow-$suite.log
began=$SECONDS
deploy/package/machine.sh "$root" "$log" 4G | grep --line-buffered -aE '^(follow|\$|  )' || true
grep -qa '^follow: passed' "$log" || { echo "following the page: failed; see $log" >&2; exit 1; }
echo "deploy/fleet/README.md ($suite): followed in $((SECONDS - began)) s"
