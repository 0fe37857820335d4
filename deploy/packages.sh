#!/usr/bin/env bash
# Installs the Debian packages needed to build and run Spotter, or those that are named. Does nothing if all are
# installed.
#
#     deploy/packages.sh [package…]
#
# Tried on 2026-11-22 with Debian 12: libmosquitto and mosquitto 2.0.11, OpenSSL 3.0.19, libv4l 1.22.1, OpenBLAS 0.3.21,
# SQLite 3.40.1, libturbojpeg 2.1.5, ffmpeg 5.1.9, libjs-chart.js 3.9.1.
set -euo pipefail

packages=(
    libmosquitto-dev libpq-dev libssl-dev libv4l-dev libopenblas-dev libturbojpeg0-dev libsqlite3-dev pkg-config # to build
    mosquitto mosquitto-clients sqlite3                                  # a broker and clients, for demo and tests
    ffmpeg fonts-dejavu-core                                             # to read and write video
    libjs-chart.js                                                       # for the charts of the page
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

if [ "$(id -u)" -eq 0 ]; then sudo=(); else sudo=(sudo); fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
if ! "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/tmp/spotter-packages.log 2>&1; then
    tail -5 /tmp/spotter-packages.log >&2
    echo "could not install the packages; the whole log is in /tmp/spotter-packages.log" >&2
    exit 1
fi
# Only the programs are needed, so do not start the system's own servers.
if [ -d /run/systemd/system ]; then
    for service in mosquitto rtsp-server-perl postgresql; do
        [[ " ${missing[*]} " != *" $service "* ]] || "${sudo[@]}" systemctl disable --now "$service" >/dev/null 2>&1 || true
    done
fi
