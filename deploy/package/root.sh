#!/usr/bin/env bash
# Makes a fresh Debian root, from a cached one, and prints its folder; with a foreign architecture under qemu-user.
#
#     deploy/package/root.sh bookworm|trixie folder [architecture]
set -euo pipefail
cd "$(dirname "$0")/../.."
suite=$1 root=$2 architecture=${3:-$(dpkg --print-architecture)}
# Where this machine gets its own packages from, less what is only for security.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -1)}
cache=.build/roots/$suite-$architecture

if [ ! -d "$cache" ]; then
    foreign=()
    [ "$architecture" = "$(dpkg --print-architecture)" ] || foreign=(--foreign)
    rm -rf "$cache.part"
    mkdir -p "$(dirname "$cache")"
    debootstrap --variant=minbase --arch="$architecture" "${foreign[@]}" "$suite" "$cache.part" "$mirror" >"$cache.log" 2>&1 \
        || { tail -5 "$cache.log" >&2; exit 1; }
    if [ ${#foreign[@]} -gt 0 ]; then
        cp "$(command -v qemu-aarch64-static)" "$cache.part/usr/bin/"
        chroot "$cache.part" /usr/bin/qemu-aarch64-static /bin/sh /debootstrap/debootstrap --second-stage >>"$cache.log" 2>&1 \
            || { tail -5 "$cache.log" >&2; exit 1; }
    fi
    mv "$cache.part" "$cache"
fi
rm -rf "$root"
cp -a --reflink=auto "$cache" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Downloads are kept between runs.
mkdir -p "$cache.archives" && cp -n "$cache.archives"/*.deb "$root/var/cache/apt/archives/" 2>/dev/null || true
echo 'APT::Keep-Downloaded-Packages "true";' >"$root/etc/apt/apt.conf.d/99keep"
