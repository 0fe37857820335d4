#!/usr/bin/env bash
# Makes a signed apt repository of packages, in a folder that any web server can offer as it is:
#
#     deploy/release/apt.sh folder key package.deb…
#
# The packages themselves carry no signature: their checksums stand in Packages, its checksum stands in Release, and
# Release is signed. apt checks this chain. The date is SOURCE_DATE_EPOCH, so that the same packages make the same lists.
set -euo pipefail
folder=$1 key=$2
shift 2
[ $# -gt 0 ] || { echo "usage: deploy/release/apt.sh folder key package.deb…" >&2; exit 64; }
suite=dists/stable
# SHA-256 is what apt needs; shorter lists without the others.
only_sha256=(-o APT::FTPArchive::MD5=false -o APT::FTPArchive::SHA1=false -o APT::FTPArchive::SHA512=false)
sign() { gpg --batch --yes --local-user "$key" --digest-algo SHA256 --armor "$@"; }

mkdir -p "$folder"
for deb in "$@"; do
    place=$folder/pool/main/s/$(dpkg-deb -f "$deb" Package)
    mkdir -p "$place"
    install -m 644 "$deb" "$place/"
done
cd "$folder"
gpg --batch --export --export-options export-minimal "$key" >spotter.gpg
gpg --batch --export --export-options export-minimal --armor "$key" >spotter.asc

mapfile -t architectures < <(find pool -name '*.deb' -printf '%f\n' | sed 's/.*_\(.*\)\.deb/\1/' | sort -u)
for architecture in "${architectures[@]}"; do
    list=$suite/main/binary-$architecture
    mkdir -p "$list"
    # One at a time: apt-ftparchive reads a folder in the order of the file system.
    find pool -name "*_$architecture.deb" | LC_ALL=C sort | while read -r deb; do
        apt-ftparchive "${only_sha256[@]}" packages "$deb"
    done >"$list/Packages"
    gzip -9nk "$list/Packages"
done
{
    echo "Origin: Spotter"
    echo "Label: Spotter"
    echo "Suite: stable"
    echo "Codename: stable"
    echo "Architectures: ${architectures[*]}"
    echo "Components: main"
    echo "Description: Spotter for Debian 12 and 13 and for Raspberry Pi OS"
    # No Valid-Until: a gym that is offline for a year can still install.
    echo "Date: $(LC_ALL=C date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" '+%a, %d %b %Y %H:%M:%S +0000')"
    # The tool's own date is the time of running.
    apt-ftparchive "${only_sha256[@]}" release "$suite" | sed '/^Date:/d'
} >Release.new
mv Release.new "$suite/Release"
sign --clearsign --output "$suite/InRelease" "$suite/Release"
sign --detach-sign --output "$suite/Release.gpg" "$suite/Release"
