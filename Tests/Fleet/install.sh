#!/usr/bin/env bash
# Installs the Debian packages that the fleet's tests need. Does nothing if all are installed.
#
# Tried with Debian 12: PostgreSQL 15.20, psycopg2 2.9.5, paho-mqtt 1.6.1, mosquitto 2.0.11.
set -euo pipefail

packages=(
    postgresql libpq-dev pkg-config             # the store, and to build the sink
    mosquitto mosquitto-clients                 # the broker of a gym
    python3 python3-psycopg2 python3-paho-mqtt python3-jsonschema python3-yaml # for the tests
)

missing=()
for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then sudo=(); else sudo=(sudo); fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
"${sudo[@]}" apt-get update -qq
if ! "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    tail -5 "$log" >&2
    echo "could not install the packages; the whole log is in $log" >&2
    exit 1
fi
rm -f "$log"
# Only the programs are needed, so do not start the system's own servers.
if [ -d /run/systemd/system ]; then
    for service in postgresql mosquitto; do
        if [[ " ${missing[*]} " == *" $service "* ]]; then
            "${sudo[@]}" systemctl disable --now "$service" >/dev/null 2>&1 || true
        fi
    done
fi
