#!/usr/bin/env bash
# Makes the Debian package of a built spotter-sink:
#
#     deploy/package/sink/assemble.sh program architecture version [native program]
#
# The arguments and PACKAGER mean the same as for ../assemble.sh.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=deploy/package/sink
program=$1 architecture=$2 version=$3 speaker=${4:-$1}
tree=.build/package/$architecture/spotter-sink-$version
stage=$tree/stage

rm -rf "$tree"
mkdir -p "$stage"/{bin,etc,examples}
cp -r "$here/debian" "$tree/debian"
cp "$program" "$stage/bin/spotter-sink"
cp deploy/fleet/sink.toml "$stage/etc/"
cp -r deploy/fleet/. "$stage/examples/"
rm "$stage/examples/sink.toml"
cp -r deploy/package/examples/mosquitto "$stage/examples/"
cp "$here/README.Debian" "$stage/"
"$speaker" config check "$stage/etc/sink.toml" --quiet

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
deploy/package/describe.sh spotter-sink "$speaker" deploy/fleet/sink.toml "$version" "$stage"

# The licences in full are those of the node's package.
awk -v RS= '/^License:/ {print "\n" $0}' deploy/package/debian/copyright >>"$tree/debian/copyright"
# The copyright file must name every package that is linked into the program: Swift's symbols begin with the module's name.
while read -r module identity; do
    grep -aq "\$s${#module}$module" "$program" || continue
    grep -qi "^ *$identity" "$tree/debian/copyright" \
        || { echo "$here/debian/copyright says nothing about $identity" >&2; exit 1; }
done <<'MODULES'
ArgumentParser swift-argument-parser
Logging swift-log
ServiceLifecycle swift-service-lifecycle
AsyncAlgorithms swift-async-algorithms
Collections swift-collections
DequeModule swift-collections
GRDB grdb.swift
NIOCore swift-nio
Atomics swift-atomics
MODULES

deploy/package/pack.sh "$tree" spotter-sink "$architecture" "$version"
