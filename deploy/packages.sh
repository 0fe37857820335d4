#!/usr/bin/env bash
# Installs the Debian packages needed to build and run Spotter, or those that are named. Does nothing if all are
# installed.
#
#     deploy/packages.sh [package…]
#
# While another program installs packages it waits, a minute at most (APT_LOCK_SECONDS), and then ends with 75. An
# installation that was interrupted, as by a loss of power, is finished first.
#
# Tried on 2026-11-22 with Debian 12: libmosquitto and mosquitto 2.0.11, OpenSSL 3.0.19, libv4l 1.22.1, OpenBLAS 0.3.21,
# SQLite 3.40.1, toml++ 3.3.0, libturbojpeg 2.1.5, ffmpeg 5.1.9, libjs-chart.js 3.9.1, node-qrcode-generator 1.4.4.
set -euo pipefail

packages=(
    libmosquitto-dev libpq-dev libssl-dev libv4l-dev libopenblas-dev libturbojpeg0-dev libsqlite3-dev libtomlplusplus-dev pkg-config # to build
    mosquitto mosquitto-clients sqlite3                                  # a broker and clients, for demo and tests
    ffmpeg fonts-dejavu-core                                             # to read and write video
    libjs-chart.js node-qrcode-generator                                 # for the charts and QR codes of the page
    python3 python3-pip                                                  # to fetch the pose networks
    python3-paho-mqtt python3-jsonschema                                 # for the conformance kit
    rtsp-server-perl                                                     # a network camera, for tests
    libfaketime                                                          # a clock that is set, for the soak
)
[ $# -eq 0 ] || packages=("$@")

missing=()
for package in "${packages[@]}"; do
    # Another Python than Debian's may be installed.
    case $package in
    python3) command -v python3 >/dev/null && continue ;;
    python3-pip) python3 -m pip --version >/dev/null 2>&1 && continue ;;
    esac
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

log=$(mktemp -t spotter-packages.XXXXXX)
limit=${APT_LOCK_SECONDS:-60}
# sudo keeps no other variables.
apt=(env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq)
if [ "$(id -u)" -eq 0 ]; then sudo=(); else sudo=(sudo); fi
# Finishes an installation that was interrupted: dpkg configures what it has unpacked, and apt-get fetches the rest.
# What cannot be mended shows at the next try.
finish_interrupted() {
    echo "an earlier installation of packages was interrupted; finishing it" >&2
    "${sudo[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive dpkg --configure -a >/dev/null 2>&1 || true
    "${sudo[@]}" "${apt[@]}" install -y --fix-broken >/dev/null 2>&1 || true
}
# Runs apt-get. It has several locks, and waits by itself (DPkg::Lock::Timeout) for some of them only.
locked_apt() {
    local holder='' started=$SECONDS finished=
    until "${sudo[@]}" "${apt[@]}" "$@" >"$log" 2>&1; do
        if [ -z "$finished" ] && grep -Eq 'dpkg was interrupted|fix-broken install' "$log"; then
            finished=yes
            finish_interrupted
            continue
        fi
        grep -Eq 'Could not get lock|is another process using it' "$log" || return 1
        if [ -z "$holder" ]; then
            holder=$(sed -n 's/.*It is held by process \([1-9][0-9]*\( ([^)]*)\)\?\).*/process \1/p' "$log" | head -1)
            holder=${holder:-another program}
            echo "$holder is installing packages; waiting up to $limit s until it has ended" >&2
        fi
        if [ $((SECONDS - started)) -ge "$limit" ]; then
            echo "$holder is still installing packages; wait until it has ended, and run again" >&2
            rm -f "$log"
            exit 75
        fi
        sleep 1
    done
}
fail() {
    tail -5 "$log" >&2
    echo "$1; the whole log is in $log" >&2
    exit 1
}
echo "installing: ${missing[*]}"
locked_apt update || fail "could not read the lists of packages; check the network and /etc/apt, and run again"
locked_apt install -y --no-install-recommends "${missing[@]}" \
    || fail "could not install the packages; try 'apt-get install ${missing[*]}', and run again when it works"
rm -f "$log"
# Only the programs are needed, so do not start the system's own servers.
if [ -d /run/systemd/system ]; then
    for service in mosquitto rtsp-server-perl postgresql; do
        [[ " ${missing[*]} " != *" $service "* ]] || "${sudo[@]}" systemctl disable --now "$service" >/dev/null 2>&1 || true
    done
fi
