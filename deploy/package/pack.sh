#!/usr/bin/env bash
# Makes a Debian package of a tree that has debian/ and stage/, and checks it with lintian:
#
#     deploy/package/pack.sh tree name architecture version
#
# The packaging tools are run by the command in PACKAGER, in a root of that architecture, where one is given.
set -euo pipefail
cd "$(dirname "$0")/../.."
tree=$1 name=$2 architecture=$3 version=$4

cat >"$tree/debian/changelog" <<CHANGELOG
$name ($version) unstable; urgency=medium

  * The state of the sources at the time of building.

 -- The Spotter authors <spotter@users.noreply.github.com>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG
mkdir -p "$tree/debian/source"
echo '3.0 (native)' >"$tree/debian/source/format"

(cd "$tree" && ${PACKAGER:-} dpkg-buildpackage --build=binary --no-sign --host-arch "$architecture" -d >../build.log 2>&1) \
    || { tail -20 "$tree/../build.log" >&2; exit 1; }
package=.build/package/${name}_${version}_$architecture.deb
mv "$tree/../${name}_${version}_$architecture.deb" "$package"
lintian --fail-on error --tag-display-limit 0 "$package"
echo "$package: $(stat -c %s "$package" | awk '{printf "%.1f MB", $1 / 1e6}')"
