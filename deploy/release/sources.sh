#!/usr/bin/env bash
# Makes the source archive of a release, of what is committed:
#
#     deploy/release/sources.sh VERSION archive.tar.gz
#
# It also holds what git does not: Package.resolved, the sources of all Swift packages in the folder Vendor, and the pose
# networks. It builds without a network. The same commit gives the same bytes.
set -euo pipefail
output=$(realpath -m "${2:?usage: sources.sh version archive.tar.gz}") version=$1
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
Models/fetch.sh >&2
deploy/release/packages.sh "$work/Vendor"
mkdir "$work/Models"
cp Models/*.tflite "$work/Models/"
archive=$work/sources.tar
git -c tar.umask=0022 archive --format=tar --prefix="spotter-$version/" --add-file=Package.resolved -o "$archive" HEAD
tar --append --file "$archive" -C "$work" --sort=name --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" --owner=0 --group=0 \
    --numeric-owner --mode='u=rwX,go=rX' --transform "s,^,spotter-$version/," Models Vendor
gzip -9n <"$archive" >"$output"
