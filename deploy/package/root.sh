#!/usr/bin/env bash
# Makes a fresh Debian root from a cached one, and prints its folder. A foreign architecture runs under qemu-user.
#
#     deploy/package/root.sh bookworm|trixie|sid folder [architecture]
set -euo pipefail
cd "$(dirname "$0")/../.."
suite=$1 root=$2 architecture=${3:-$(dpkg --print-architecture)}
# Use this machine's own package source, without its security part.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -1)}
cache=.build/roots/$suite-$architecture

foreign=()
if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
    foreign=(--foreign)
    # Make the kernel run programs of the other architecture by qemu, in every root.
    formats=/proc/sys/fs/binfmt_misc
    [ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats
    [ -e $formats/qemu-aarch64 ] || printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$(command -v qemu-aarch64-static):F" >$formats/register
fi

if [ ! -d "$cache" ]; then
    # An interrupted debootstrap leaves its mounts behind, and nothing may be deleted in these.
    for place in proc/sys/fs/binfmt_misc proc sys dev/pts dev; do
        ! mountpoint -q "$cache.part/$place" || umount "$cache.part/$place"
    done
    rm -rf --one-file-system "$cache.part"
    mkdir -p "$(dirname "$cache")"
    debootstrap --variant=minbase --arch="$architecture" "${foreign[@]}" "$suite" "$cache.part" "$mirror" >"$cache.log" 2>&1 \
        || { tail -5 "$cache.log" >&2; exit 1; }
    if [ ${#foreign[@]} -gt 0 ]; then
        chroot "$cache.part" /debootstrap/debootstrap --second-stage >>"$cache.log" 2>&1 \
            || { tail -5 "$cache.log" >&2; exit 1; }
    fi
    mv "$cache.part" "$cache"
fi
rm -rf "$root"
cp -a --reflink=auto "$cache" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Keep downloads between runs.
mkdir -p "$cache.archives" && cp -n "$cache.archives"/*.deb "$root/var/cache/apt/archives/" 2>/dev/null || true
echo 'APT::Keep-Downloaded-Packages "true";' >"$root/etc/apt/apt.conf.d/99keep"
