#!/usr/bin/env bash
# Takes deploy/home-assistant into a real Home Assistant beside a real node: home_assistant.py does the work. Home Assistant
# needs a newer Python than Debian 12 has, so it runs in a root with Debian 13. Needs root, and a gigabyte of disk.
#
#   home_assistant.sh path/to/spotter [folder for the picture]
set -euo pipefail
[ "$(id -u)" -eq 0 ] || { echo "making a root of its own needs root" >&2; exit 77; }
spotter=$(realpath "${1:?usage: home_assistant.sh path/to/spotter [folder]}")
cd "$(dirname "$0")/../.."
pictures=$(realpath -m "${2:-.build/recipes}")
wanted=$PWD/Tests/Recipes/requirements.txt
root=$PWD/.build/home-assistant

deploy/packages.sh debootstrap mosquitto chromium chromium-driver python3 python3-aiohttp python3-selenium

# The folder appears under its final name only when it is complete.
within() { chroot "$1" env -u PIP_FIND_LINKS HOME=/root PATH=/opt/ha/bin:/usr/sbin:/usr/bin:/sbin:/bin "${@:2}"; }
if ! cmp -s "$wanted" "$root/root/requirements.txt"; then
    rm -rf "$root" "$root.part"
    deploy/package/root.sh trixie "$root.part"
    within "$root.part" apt-get update -qq
    within "$root.part" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates \
        python3-venv python3-dev g++ libturbojpeg0 ffmpeg >"$root.log" 2>&1 || { tail "$root.log" >&2; exit 1; }
    # The machine's own authorities, such as those of a proxy.
    cp /etc/ssl/certs/ca-certificates.crt "$root.part/etc/ssl/certs/"
    within "$root.part" python3 -m venv /opt/ha
    cp "$wanted" "$root.part/root/requirements.txt"
    within "$root.part" /opt/ha/bin/pip install -q --disable-pip-version-check -r /root/requirements.txt
    mv "$root.part" "$root"
fi

folder=$(mktemp -d)
tidy() {
    umount "$root$folder" "$root/dev" "$root/proc" 2>/dev/null || true
    rmdir "$root$folder" 2>/dev/null || true
    rm -rf "$folder"
}
trap tidy EXIT
mkdir -p "$root$folder"
mount --bind "$folder" "$root$folder"
mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc"
cat >"$folder/hass" <<SH
#!/bin/sh
exec chroot "$root" env -u PIP_FIND_LINKS HOME=/root PATH=/opt/ha/bin:/usr/bin:/bin /opt/ha/bin/hass "\$@"
SH
chmod +x "$folder/hass"
TMPDIR=$folder timeout --kill-after 20 900 /usr/bin/python3 Tests/Recipes/home_assistant.py "$spotter" "$folder/hass" "$pictures"
