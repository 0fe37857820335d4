#!/bin/bash
export SYSTEMD_COLORS=0 SYSTEMD_URLIFY=0 DEBIAN_FRONTEND=noninteractive
# Runs inside the virtual machine, under systemd: the commands of the page, in order, and what must be so after each block.
exec >/dev/ttyS0 2>&1
fail() {
    echo "follow: FAILED: $*"
    systemctl status --no-pager -l spotter-sink mosquitto
    journalctl --no-pager -u spotter-sink -u mosquitto | tail -40
    exit 1
}
# Shows a block as it is run.
follow() {
    sed 's/^/$ /' "/root/block$1.sh"
    bash -eo pipefail "/root/block$1.sh" 2>&1 | tee /root/output \
        | grep --line-buffered -vE '^(Selecting|Preparing|Unpacking|Processing|Get:|\(Reading)' | sed -u 's/^/  /'
    [ "${PIPESTATUS[0]}" = 0 ] || fail "block $1"
}
until_is() {
    local expected=$1 _
    shift
    for _ in $(seq 60); do [ "$("$@" 2>/dev/null)" = "$expected" ] && return; sleep 1; done
    fail "$* is '$("$@" 2>&1)', not '$expected'"
}
state() { systemctl show -P "$1" spotter-sink; }
ask() { (cd / && sudo -u postgres psql -AtXq -d spotter -c "$1"); }
cd /root || exit 1
echo "follow: systemd $(systemctl --version | head -1)"
cp /root/*.deb /tmp && cd /tmp || exit 1
follow 1
until_is active state ActiveState
grep -q '^bad' /root/output && fail "doctor"
echo "  | the service runs as $(stat -c %U /proc/"$(state MainPID)"), memory $(($(state MemoryCurrent) >> 20)) MB, threads $(state TasksCurrent)"
pid=$(state MainPID)
grep -q 'Seccomp:.*2' "/proc/$pid/status" || fail "no system call filter"
follow 2
grep -q '^bad' /root/output && fail "doctor with passwords"

base=spotter/v1/berlin/sp-k3v9q2m1xa
now() { date -u -d "$1" +%Y-%m-%dT%H:%M:%S.000Z; }
uuid() { printf '%012x-7%03x-8000-%012x' "$(date +%s%3N)" "$1" "$1" | sed 's/^\(.\{8\}\)/\1-/'; }
node=(-u sp-k3v9q2m1xa -P change-me -q 1)
epoch=$(uuid 1)
send() {
    mosquitto_pub "${node[@]}" -t $base/rec/session -m "{\"v\":1,\"node\":\"sp-k3v9q2m1xa\",\"site\":\"berlin\",\"epoch\":\"$epoch\",
        \"seq\":$1,\"type\":\"session\",\"id\":\"$(uuid "$1")\",\"rev\":1,\"final\":true,\"ts\":\"$(now now)\",\"clock\":\"synced\",\"hist\":false,
        \"body\":{\"camera\":\"rack-1\",\"start\":\"$(now '1 minute ago')\",\"end\":\"$(now now)\",\"model\":\"m\",\"fps\":30,
        \"actions\":[{\"label\":\"squat\",\"frames\":300,\"seconds\":10.5,\"reps\":10,\"conf_mean\":0.9}],
        \"sets\":[],\"excluded_frames\":{}}}"
}
acknowledged() { mosquitto_sub "${node[@]}" -C 1 -W 2 -t $base/ack/hq; }
mosquitto_pub "${node[@]}" -r -t $base/status -m '{"v":1,"state":"online","sid":1}'
mosquitto_pub "${node[@]}" -r -t $base/info -m "{\"v\":1,\"node\":\"sp-k3v9q2m1xa\",\"site\":\"berlin\",\"epoch\":\"$epoch\",\"tz\":\"Europe/Berlin\"}"
send 1
until_is "{\"epoch\":\"$epoch\",\"seq\":1}" acknowledged
until_is 1 ask 'SELECT sum(sessions) FROM spotter.gym_day'
mosquitto_pub -u sp-k3v9q2m1xa -P wrong -t $base/status -m x && fail "a wrong password is let in"
follow 3

kill -9 "$(state MainPID)"
until_is 1 state NRestarts
send 2
until_is "{\"epoch\":\"$epoch\",\"seq\":2}" acknowledged
echo "  | killed: is back, and stores"
systemctl stop postgresql
send 3
sleep 5
[ "$(state ActiveState)" = active ] || fail "without PostgreSQL it is $(state ActiveState)"
[ "$(acknowledged)" = "{\"epoch\":\"$epoch\",\"seq\":2}" ] || fail "without PostgreSQL it acknowledges"
systemctl start postgresql
until_is "{\"epoch\":\"$epoch\",\"seq\":3}" acknowledged
echo "  | PostgreSQL was away: nothing was acknowledged, and nothing is missing"
sudo -u spotter_sink spotter-sink status | sed 's/^/  | /'
echo 'nonsense = 1' >/etc/spotter-sink/broken && cat /etc/spotter-sink/broken >>/etc/spotter-sink/sink.toml
systemctl restart spotter-sink
sleep 8
[ "$(state ActiveState)/$(state ExecMainStatus)" = failed/78 ] || fail "wrong configuration: $(state ActiveState), $(state ExecMainStatus)"
echo "  | wrong configuration: ends with 78 and is not started again"
sed -i '/^nonsense/d' /etc/spotter-sink/sink.toml
systemctl reset-failed spotter-sink
systemctl start spotter-sink
until_is active state ActiveState
sleep 2
began=$SECONDS
systemctl stop spotter-sink || fail "does not stop"
[ "$(state Result)" = success ] || fail "stopping: $(state Result)"
echo "  | stops in $((SECONDS - began)) s"
journalctl --no-pager -o cat -u spotter-sink | sed 's/^/  | /'
journalctl --no-pager -u spotter-sink | grep -i 'not permitted' && fail "the confinement forbids what the program does"
echo "follow: passed"
