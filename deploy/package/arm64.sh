#!/usr/bin/env bash
# Builds the Debian packages for arm64 on an x86-64 machine, and tests them in an emulated Debian 13, the base of Raspberry
# Pi OS. The package of spotter-sink is built where its native program is named:
#
#     deploy/package/arm64.sh native-program [native-sink]
#
# Neither the toolchain of swift.org nor Debian 13 can compile it for arm64, but Debian unstable has a Swift that
# can. The compiler comes from there, in its own root, and runs natively. Its arm64 runtime is linked statically; all
# other libraries are those of Debian 13. Needs root. Downloads and build products stay under .build/arm64 and
# .build/roots, 9 GB.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=deploy/package native=$(realpath "${1:?usage: arm64.sh native-program [native-sink]}")
sink=${2:+$(realpath "$2")}
work=$PWD/.build/arm64 within=$PWD/deploy/package/within.sh
[ "$(id -u)" -eq 0 ] || { echo "make arm64 needs root: it works in roots of its own" >&2; exit 77; }
deploy/packages.sh debootstrap qemu-user-static lintian mosquitto mosquitto-clients ffmpeg
mkdir -p "$work"

say() { echo "arm64: $*"; }
# Makes a root once. Arguments: name, suite, architecture, then the commands that set it up.
furnish() {
    local name=$1 suite=$2 architecture=$3
    shift 3
    [ -e "$work/$name.done" ] && return
    say "a root of $suite for $architecture"
    "$here/root.sh" "$suite" "$work/$name" "$architecture"
    "$within" "$work/$name" sh -ec "$*" >"$work/$name.log" 2>&1 || { tail -5 "$work/$name.log" >&2; exit 1; }
    touch "$work/$name.done"
}

# The compiler, and its runtime for arm64.
furnish compiler sid amd64 '
    dpkg --add-architecture arm64
    # Release files of unstable expire after a week; accept a mirror that lags behind.
    apt-get update -qq -o Acquire::Check-Valid-Until=false
    apt-get install -y -qq --no-install-recommends swiftlang gcc g++ libc6-dev git ca-certificates
    cd /root && apt-get download -qq swiftlang:arm64
    dpkg-deb --fsys-tarfile swiftlang_*_arm64.deb | tar x -C /opt ./usr/libexec/swift/lib/swift ./usr/libexec/swift/lib/swift_static ./usr/libexec/swift/lib/clang
    rm swiftlang_*_arm64.deb'
# The libraries of the board, and the packaging tools.
furnish board trixie arm64 '
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends libc6-dev libstdc++-14-dev libgcc-14-dev libmosquitto-dev libpq-dev libssl-dev libv4l-dev libopenblas-pthread-dev libturbojpeg0-dev libsqlite3-dev libtomlplusplus-dev debhelper dpkg-dev
    ln -sf openblas-pthread/libopenblas.so /usr/lib/aarch64-linux-gnu/libopenblas.so'
runtime=$work/compiler/opt/usr/libexec/swift/lib
# The linker looks here for the static runtime.
ln -sfn "$runtime/swift_static" "$work/board/usr/lib/swift_static"

# A Swift SDK description that names the runtime and the libraries.
sdk=$work/sdk/spotter.artifactbundle
mkdir -p "$sdk/arm64"
cat >"$sdk/info.json" <<JSON
{"schemaVersion": "1.0", "artifacts": {"spotter-arm64": {"type": "swiftSDK", "version": "1", "variants": [
    {"path": "arm64", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"]}]}}}
JSON
cat >"$sdk/arm64/swift-sdk.json" <<JSON
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
    "sdkRootPath": "$work/board", "swiftResourcesPath": "$runtime/swift",
    "swiftStaticResourcesPath": "$runtime/swift_static",
    "includeSearchPaths": ["$work/board/usr/include/aarch64-linux-gnu/openblas-pthread", "$work/board/usr/include/postgresql"],
    "toolsetPaths": ["toolset.json"]}}}
JSON
cat >"$sdk/arm64/toolset.json" <<JSON
{"schemaVersion": "1.0", "rootPath": "/usr/libexec/swift/bin", "linker": {"path": "ld.lld"},
    "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}
JSON

# Build the program. Fetch its packages outside the root, where the network is set up.
say "compiling"
scratch=$work/build
swift package resolve --scratch-path "$scratch" >"$work/build.log" 2>&1 || { tail -5 "$work/build.log" >&2; exit 1; }
tools=$(dirname "$(readlink -f "$(command -v swift)")")
symbol=$("$here/trim_icu.py" "$runtime/swift_static/linux/lib_FoundationICU.a" "$work/tables.s" "$tools")
"$tools/clang" --target=aarch64-linux-gnu -c "$work/tables.s" -o "$work/tables.o"
build() {
    "$within" "$work/compiler" sh -ec "
    git config --global --replace-all safe.directory '*'
    swift build -c release --product $1 --static-swift-stdlib --swift-sdks-path '$work/sdk' --swift-sdk spotter-arm64 --scratch-path '$scratch' \
        --disable-automatic-resolution --skip-update -Xlinker '$work/tables.o' -Xlinker '--wrap=$symbol' \
        -Xlinker --no-export-dynamic" >"$work/build.log" 2>&1 || { grep -m5 error: "$work/build.log" || tail -20 "$work/build.log"; exit 1; } >&2
}
build spotter
folder=$scratch/aarch64-unknown-linux-gnu/release
version=$("$native" --version)
PACKAGER="$within $work/board" "$here/assemble.sh" "$folder/spotter" arm64 "$version" "$native"
if [ -n "$sink" ]; then
    build spotter-sink
    PACKAGER="$within $work/board" "$here/sink/assemble.sh" "$folder/spotter-sink" arm64 "$version" "$sink"
fi

# The test system, set up as on an operator's board.
furnish gym trixie arm64 '
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends ffmpeg mosquitto mosquitto-clients'
"$here/try-arm64.sh" ".build/package/spotter_${version}_arm64.deb" "$native" "$work/gym"
if [ -n "$sink" ]; then
    package=spotter-sink_${version}_arm64.deb
    cp ".build/package/$package" "$work/gym/root/"
    (cd / && "$within" "$work/gym" sh -ec "
        apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 /root/$package >/dev/null
        if ldd /usr/bin/spotter-sink | grep 'not found'; then exit 1; fi
        [ \"\$(spotter-sink --version)\" = '$version' ]
        spotter-sink config check --quiet
        apt-get purge -y -qq spotter-sink >/dev/null")
    say "the package of spotter-sink is installed, starts and reads its configuration"
fi
