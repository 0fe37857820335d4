#!/usr/bin/env bash
# Makes a release with a key of its own, and follows the README's words for its apt repository in clean Debian 12 and 13
# roots. Then checks that what was changed is refused. Needs root for chroot.
#
#     deploy/release/test.sh program sink [suite…]
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] || { echo "make test-release needs root: it installs packages in roots of its own" >&2; exit 77; }
deploy/packages.sh debootstrap apt-utils gnupg python3 lintian debhelper dpkg-dev fakeroot
program=$(realpath "$1") sink=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- bookworm trixie
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; gpgconf --homedir "$folder/gnupg" --kill all || true; rm -rf "$folder"' EXIT
export GNUPGHOME=$folder/gnupg
mkdir -m 700 "$GNUPGHOME"
unset SPOTTER_SIGNING_KEY
checks=0
fail() { echo "FAILED: $*" >&2; tail -20 "$folder/log" >&2; exit 1; }
check() { local what=$1; shift; "$@" || fail "$what"; checks=$((checks + 1)); echo "  $what"; }
# Runs a command; the exit status goes into status, what it says into the log.
try() { status=0; "$@" >"$folder/log" 2>&1 || status=$?; }
said() { grep -Eq "$1" "$folder/log"; }
version=$("$program" --version)

echo "the key:"
release=$folder/release packages=$folder/packages
make_release() { deploy/release/release.sh --version "$version" --packages "$packages" "$@"; }
try make_release -o "$release"
check "without a key it ends with 78 and says how to make one" test "$status" = 78 -a -n "$(grep 'make release-key' "$folder/log")"
try make_release -o "$release" --key nobody
check "with an unknown key, too" test "$status" = 78 -a -n "$(grep "no secret key 'nobody'" "$folder/log")"
make_key() { deploy/release/key.sh --batch --pinentry-mode loopback --passphrase ''; }
try make_key
check "make release-key makes one" said '^made the key [0-9A-F]{40}$'
key=$(sed -n 's/^made the key //p' "$folder/log")
try make_key
check "and no second one" said "there is the key $key already"
export SPOTTER_SIGNING_KEY=$key

echo "the release:"
mkdir "$packages"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
try deploy/package/assemble.sh "$program" amd64 "$version"
[ "$status" = 0 ] || fail "making the package"
try deploy/package/sink/assemble.sh "$sink" amd64 "$version"
[ "$status" = 0 ] || fail "making the package of the sink"
# The same package under another version or architecture, without the large files if it is only to be listed.
again() {
    local from=$1 field=$2 value=$3 to=$4
    rm -rf "$folder/tree"
    dpkg-deb -R "$from" "$folder/tree"
    sed -i "s/^$field: .*/$field: $value/" "$folder/tree/DEBIAN/control"
    [ "$field" = Version ] || rm -rf "$folder/tree/usr/bin" "$folder/tree/usr/share"
    dpkg-deb -Zgzip -z1 --root-owner-group -b "$folder/tree" "$to" >/dev/null
}
for name in spotter spotter-sink; do
    cp ".build/package/${name}_${version}_amd64.deb" "$packages/"
    again "$packages/${name}_${version}_amd64.deb" Architecture arm64 "$folder/${name}_${version}_arm64.deb"
done
try make_release -o "$release"
check "a missing package is named" test "$status" = 66 -a -n "$(grep "no .*/spotter_${version}_arm64.deb" "$folder/log")"
mv "$folder"/*_arm64.deb "$packages/"
try make_release -o "$release"
check "so is a missing image" test "$status" = 66 -a -n "$(grep "no .*/spotter-container-${version}-amd64.tar.xz" "$folder/log")"
# Stand-ins: make test-container tests the real ones.
for architecture in amd64 arm64; do echo "$architecture" | xz >"$packages/spotter-container-$version-$architecture.tar.xz"; done
mkdir "$release" && touch "$release/mine"
try make_release -o "$release"
check "a folder that is no release is left alone" test "$status" = 73 -a -e "$release/mine"
rm -r "$release"
try make_release -o "$release"
check "is made" test "$status" = 0
. deploy/release/test-files.sh
. deploy/release/test-apt.sh
echo "release: $checks checks passed, on: $*"
