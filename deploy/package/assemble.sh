#!/usr/bin/env bash
# Makes the Debian package of a program that is built:
#
#     deploy/package/assemble.sh program architecture version [native program]
#
# What the program says of itself (man pages, completions) is asked of the native program, when the other cannot run here;
# the tools that make the package are then called by the command in PACKAGER, in a root of that architecture.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=deploy/package
program=$1 architecture=$2 version=$3 speaker=${4:-$1}
tree=.build/package/$architecture/spotter-$version
stage=$tree/stage

rm -rf "$tree"
mkdir -p "$stage"/{bin,etc,models,man,completions,examples}
cp -r "$here/debian" "$tree/debian"
cp "$program" "$stage/bin/spotter"
cp Models/*.tflite Models/exercises.safetensors "$stage/models/"
cp -r "$here"/examples/. deploy/contract "$stage/examples/"
cp "$here/README.Debian" "$stage/"

# The configuration of the checkout, with the places of an installed system.
sed -e 's|"Models/exercises.safetensors"|"/usr/share/spotter/exercises.safetensors"|' \
    -e 's|^pose_models = "Models"     |pose_models = "/usr/share/spotter"|' \
    -e 's|"state/spotter.db"|"/var/lib/spotter/spotter.db"|' config.toml >"$stage/etc/config.toml"
grep -q '"/usr/share/spotter"' "$stage/etc/config.toml" && ! grep -Eq '"(Models|state)' "$stage/etc/config.toml" \
    || { echo "config.toml names places that $here/assemble.sh does not know" >&2; exit 1; }
"$speaker" config check "$stage/etc/config.toml" --quiet

# What the program says of itself.
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH=$epoch
"$speaker" --experimental-dump-help >"$stage/help.json"
"$here/manual.py" "$stage/help.json" config.toml "$version" "$(date -u -d "@$epoch" +%Y-%m-%d)" "$stage/man"
"$speaker" --generate-completion-script bash | sed '1{/^#!/d}' >"$stage/completions/spotter"
"$speaker" --generate-completion-script zsh >"$stage/completions/_spotter"
"$speaker" --generate-completion-script fish >"$stage/completions/spotter.fish"

# Every dependency that is linked into the program stands in the copyright file.
identities=$(sed -n 's/.*"identity" : "\(.*\)".*/\1/p' Package.resolved)
for identity in $identities; do
    grep -qi "^ *$identity" "$tree/debian/copyright" \
        || { echo "$here/debian/copyright says nothing about $identity" >&2; exit 1; }
done

cat >"$tree/debian/changelog" <<CHANGELOG
spotter ($version) unstable; urgency=medium

  * The state of the sources at the time of building.

 -- The Spotter authors <spotter@users.noreply.github.com>  $(date -u -R -d "@$epoch")
CHANGELOG
mkdir -p "$tree/debian/source"
echo '3.0 (native)' >"$tree/debian/source/format"

(cd "$tree" && ${PACKAGER:-} dpkg-buildpackage --build=binary --no-sign --host-arch "$architecture" -d >../build.log 2>&1) \
    || { tail -20 "$tree/../build.log" >&2; exit 1; }
package=.build/package/spotter_${version}_$architecture.deb
mv "$tree/../spotter_${version}_$architecture.deb" "$package"
lintian --fail-on error --tag-display-limit 0 "$package"

# What it takes on disk.
unpacked=$tree/debian/spotter
size() { find "$@" -type f -printf '%s\n' | awk '{sum += $1} END {printf "%.1f MB", sum / 1e6}'; }
echo "$package: $(size "$package")"
echo "on disk: $(size "$unpacked" -not -path '*/DEBIAN/*'); networks $(size "$unpacked/usr/share/spotter")," \
    "program $(size "$unpacked/usr/bin"), the rest $(size "$unpacked/etc" "$unpacked/usr/share/doc" "$unpacked/usr/share/man")"
