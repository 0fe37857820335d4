#!/usr/bin/env bash
# Builds the image of a node from its Debian package, without a registry, and prints the archive's path:
#
#     deploy/container/build.sh package.deb [-o FOLDER]
#
# The image has the package's architecture; a foreign one is built under qemu-user. The base is made by debootstrap from
# this machine's own package source, as Debian's slim images are. Needs root. The archive, spotter-container-VERSION-ARCHITECTURE.tar.xz,
# lies in .build/container unless -o is given; docker load and podman load take it.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/../.."
here=deploy/container
[ "$(id -u)" -eq 0 ] || { echo "make container needs root: it makes a Debian root of its own" >&2; exit 77; }
package=$(cd "$caller" && realpath "${1:?usage: build.sh package.deb [-o folder]}")
output=$PWD/.build/container
[ "${2:-}" != -o ] || output=$(cd "$caller" && realpath -m "$3")
deploy/packages.sh buildah debootstrap xz-utils >&2
architecture=$(dpkg-deb -f "$package" Architecture) version=$(dpkg-deb -f "$package" Version)
[ "$architecture" = "$(dpkg --print-architecture)" ] || deploy/packages.sh qemu-user-static >&2
tag=${version//[+~]/-}
mkdir -p "$output" .build/container
work=$(mktemp -d -p .build/container)
work=$(realpath "$work")
trap 'rm -rf --one-file-system "$work"' EXIT
say() { echo "container: $*" >&2; }
# An image's store of its own, so that nothing of this machine changes.
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
run() { "$@" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }; }

say "a base of Debian 13 for $architecture"
deploy/package/root.sh trixie "$work/base" "$architecture"
(
    cd "$work/base"
    find usr/share/doc -mindepth 2 -not -name copyright -not -type d -delete
    rm -rf usr/share/man/* usr/share/locale/* usr/share/info/* usr/share/lintian/* var/lib/apt/lists/* var/cache/apt/*.bin \
        var/cache/apt/archives/*.deb var/cache/debconf/*-old var/log/* etc/resolv.conf etc/machine-id debootstrap \
        etc/apt/apt.conf.d/99keep
)
base=$(buildah "${store[@]}" from --arch "$architecture" scratch)
# A tar archive keeps files with two names one file.
tar c -C "$work/base" . >"$work/base.tar"
run buildah "${store[@]}" add "$base" "$work/base.tar" /
run buildah "${store[@]}" config --cmd bash "$base"
run buildah "${store[@]}" commit --format docker --rm "$base" localhost/debian:trixie-slim
rm -rf "$work/base" "$work/base.tar"

say "the image"
mkdir "$work/context"
cp "$package" "$work/context/"
run buildah "${store[@]}" build --isolation chroot --format docker --arch "$architecture" --pull-never \
    --build-arg "BASE=localhost/debian:trixie-slim" --build-arg "PACKAGE=$(basename "$package")" \
    ${RECOMMENDED+--build-arg "RECOMMENDED=$RECOMMENDED"} \
    --label "org.opencontainers.image.title=Spotter" --label "org.opencontainers.image.version=$version" \
    --label "org.opencontainers.image.licenses=Apache-2.0" \
    -f "$here/Containerfile" -t "localhost/spotter:$tag" "$work/context"
plain=$work/image.tar
run buildah "${store[@]}" push "localhost/spotter:$tag" "docker-archive:$plain:spotter:$tag"
archive=$output/spotter-container-$version-$architecture.tar.xz
xz -9 -T0 --stdout "$plain" >"$archive.part"
mv "$archive.part" "$archive"
size() { stat -c %s "$1" | awk '{ printf "%.1f MB", $1 / 1e6 }'; }
say "$(size "$archive"), unpacked $(size "$plain")"
echo "$archive"
