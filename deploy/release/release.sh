#!/usr/bin/env bash
# Makes a release of this checkout: packages and container images for amd64 and arm64, the sources, checksums, a list of
# everything that is in it (SBOM), notes, and a signed apt repository that any web server can offer:
#
#     deploy/release/release.sh [--version V] [--key ID] [--packages FOLDER] [-o FOLDER]
#
# --key       the key that signs; SPOTTER_SIGNING_KEY names it, too. `make release-key` makes one.
# --packages  take the packages and images from this folder and build none.
# -o          where to; .build/release-VERSION unless given. The folder appears only when it is complete.
#
# All but the signatures and what names the key is the same, byte for byte, for the same commit, packages and images.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/../.."
here=deploy/release
say() { echo "release: $*"; }
fail() { local status=$1; shift; echo "release: $*" >&2; exit "$status"; }

program_version=$(sed -n 's/.* text = "\(.*\)"/\1/p' Sources/Shared/Records/Version.swift)
version=$program_version key=${SPOTTER_SIGNING_KEY:-} packages='' output=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail 64 "$1 needs a value; the head of $here/release.sh shows the options"
    case $1 in
    --version) version=$2 ;;
    --key) key=$2 ;;
    --packages) packages=$(cd "$caller" && realpath -m "$2") ;;
    -o) output=$(cd "$caller" && realpath -m "$2") ;;
    *) fail 64 "no option '$1'; the head of $here/release.sh shows the options" ;;
    esac
    shift 2
done
[[ $version =~ ^[0-9][A-Za-z0-9.+~]*$ ]] || fail 64 "'$version' is no version; give one such as 0.2.0"
output=${output:-$PWD/.build/release-$version}

# Everything that can be wrong is said now, and not after an hour of building.
[ -n "$key" ] \
    || fail 78 "no key to sign with; make one with 'make release-key', or name yours: make release SPOTTER_SIGNING_KEY=ID"
deploy/packages.sh apt-utils dpkg-dev git gnupg
gpg --batch --list-secret-keys "$key" >/dev/null 2>&1 \
    || fail 78 "gpg has no secret key '$key'; import it, or make one with 'make release-key'"
GPG_TTY=$(tty) || GPG_TTY=''
export GPG_TTY
gpg --batch --local-user "$key" --sign </dev/null >/dev/null \
    || fail 78 "gpg cannot sign with '$key'; try 'gpg --local-user $key --clearsign /etc/hostname', and run again when it works"
section() { awk -v wanted="## [$1]" 'index($0, "## [") == 1 { inside = index($0, wanted) == 1; next } inside' CHANGELOG.md; }
[ -n "$(section "$version")" ] \
    || fail 65 "CHANGELOG.md has no section [$version]; give the changes of [Unreleased] this version, commit, and run again"
[ -z "$(section Unreleased | tr -d '[:space:]')" ] \
    || say "CHANGELOG.md has changes under [Unreleased]; NOTES.md does not name them" >&2
if [ -e "$output" ] && [ ! -e "$output/SHA256SUMS.asc" ]; then
    fail 73 "$output is there and is no release; name another folder with -o"
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

if [ -z "$packages" ]; then
    [ "$version" = "$program_version" ] \
        || fail 65 "the program says $program_version; write $version into Sources/Shared/Records/Version.swift, commit, and run again"
    # The packages must be made of the sources that lie beside them.
    [ -z "$(git status --porcelain)" ] \
        || fail 65 "there are files that are not committed (git status); commit or stash them, and run again"
    [ "$(dpkg --print-architecture)" = amd64 ] \
        || fail 69 "the packages are built on amd64; run there, or name finished ones with --packages"
    deploy/packages.sh
    Models/fetch.sh
    say "building the packages for amd64"
    deploy/package/build.sh
    deploy/package/sink/build.sh
    say "building the packages for arm64, which takes an hour the first time"
    as_root=()
    # arm64.sh works in roots of its own; root's PATH may lack the toolchain.
    [ "$(id -u)" -eq 0 ] || as_root=(sudo env "PATH=$PATH" "SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH")
    "${as_root[@]}" deploy/package/arm64.sh .build/package/program/spotter .build/package/program/spotter-sink
    packages=$PWD/.build/package
    say "building the container images"
    for architecture in amd64 arm64; do
        "${as_root[@]}" deploy/container/build.sh "$packages/spotter_${version}_$architecture.deb" -o "$packages" >/dev/null
    done
fi
debs=()
for name in spotter spotter-sink; do
    for architecture in amd64 arm64; do
        deb=$packages/${name}_${version}_$architecture.deb
        [ -e "$deb" ] || fail 66 "there is no $deb; build it, or run without --packages"
        debs+=("$deb")
    done
done
images=()
for architecture in amd64 arm64; do
    image=$packages/spotter-container-$version-$architecture.tar.xz
    [ -e "$image" ] || fail 66 "there is no $image; build it with deploy/container/build.sh, or run without --packages"
    images+=("$image")
done
[ -e Package.resolved ] || swift package resolve >/dev/null

part=$output.part
rm -rf "$part"
mkdir -p "$part"
install -m 644 "${debs[@]}" "${images[@]}" "$part/"
say "the sources"
"$here/sources.sh" "$version" "$part/spotter-$version.tar.gz"
say "the list of what is in it"
"$here/sbom.py" "$version" "$(git rev-parse HEAD)" "${debs[@]}" >"$part/spotter-$version.cdx.json"
say "the apt repository"
"$here/apt.sh" "$part/apt" "$key" "${debs[@]}"
cp "$part/apt/spotter.asc" "$part/"
fingerprint=$(gpg --batch --with-colons --show-keys "$part/spotter.asc" | awk -F: '$1 == "fpr" { print $10; exit }')
# shellcheck disable=SC2016 # Markdown
{
    echo "# Spotter $version"
    section "$version"
    printf '\n## Verify\n\nThe key that signs has the fingerprint `%s`.\n' "$fingerprint"
    printf 'It signs `SHA256SUMS` and the lists of the apt repository, which hold the checksums of the packages.\n'
    printf '\n```sh\ngpg --import spotter.asc\ngpg --verify SHA256SUMS.asc SHA256SUMS\nsha256sum --check SHA256SUMS\n```\n'
} >"$part/NOTES.md"
sums=$(cd "$part" && find . -maxdepth 1 -type f -printf '%f\n' | LC_ALL=C sort | xargs sha256sum)
echo "$sums" >"$part/SHA256SUMS"
gpg --batch --yes --local-user "$key" --digest-algo SHA256 --armor --detach-sign "$part/SHA256SUMS"
rm -rf "$output"
mv "$part" "$output"
say "$output holds:"
(cd "$output" && du -sh -- * | sed 's/^/    /')
say "offer the folder apt on a web server; the page Releases says how"
