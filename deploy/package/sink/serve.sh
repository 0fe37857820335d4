#!/usr/bin/env bash
# Runs inside a root, in a network of its own. Starts PostgreSQL and mosquitto, sets up the database as README.Debian says,
# runs the service's command as its user, and sends a session as a node would. `again` finds what `first` has stored.
set -euo pipefail
step=$1
unit=/usr/lib/systemd/system/spotter-sink.service
[ -e $unit ] || unit=/lib/systemd/system/spotter-sink.service
of_unit() { sed -n "s/^$1=//p" $unit | head -1; }
fail() { echo "FAILED: $*" >&2; cat /root/sink.log >&2 || true; exit 1; }
# Asks every 0.2 s until a command's output is as expected, for 20 s at most.
until_is() {
    local expected=$1 _
    shift
    for _ in $(seq 100); do [ "$("$@" 2>/dev/null)" = "$expected" ] && return; sleep 0.2; done
    fail "$* is '$("$@" 2>&1)', not '$expected'"
}
sink() { sudo -u "$(of_unit User)" spotter-sink "$@"; }
ask() { sudo -u postgres psql -AtXq -d spotter -c "$1"; }
metric() { curl -s http://127.0.0.1:9108/metrics | awk -v name="spotter_sink_$1" '$1 == name { print $2 }'; }

echo "127.0.0.1 localhost $(hostname)" >/etc/hosts
cluster=$(pg_lsclusters -h | awk '{ print $1, $2; exit }')
# Debian gives another port where 5432 was taken on this machine during the installation.
# shellcheck disable=SC2086 # two words
pg_conftool $cluster set port 5432
# shellcheck disable=SC2086
pg_ctlcluster $cluster start
# The unit does this where systemd runs.
install -d -o mosquitto /run/mosquitto
mosquitto -d -c /etc/mosquitto/mosquitto.conf
trap 'pg_ctlcluster $cluster stop -m fast' EXIT

if [ "$step" = first ]; then
    spotter-sink migrate --print-roles | sudo -u postgres psql -q
    sudo -u postgres createdb --owner spotter_owner spotter
fi
sudo -u postgres spotter-sink migrate --connection "dbname=spotter options='-c role=spotter_owner'" | tail -1 | sed 's/^/    /'
owners=$(ask "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'spotter'")
[ "$owners" = spotter_owner ] || fail "the tables belong to $owners"

sessions() { ask "SELECT coalesce(sum(sessions), 0) FROM spotter.gym_day"; }
before=$(sessions)
# shellcheck disable=SC2046 # words of a command
(umask "$(of_unit UMask)" && exec setpriv --reuid "$(of_unit User)" --regid "$(of_unit Group)" --init-groups --no-new-privs \
    env "$(of_unit Environment)" $(of_unit ExecStart)) >/root/sink.log 2>&1 &
service=$!
until_is 1 metric broker_up
sink doctor >/root/doctor || { cat /root/doctor >&2; fail "doctor"; }
sed 's/^/    /' /root/doctor

now() { date -u -d "$1" +%Y-%m-%dT%H:%M:%S.000Z; }
uuid() { printf '%012x-7%03x-8000-%012x' "$(date +%s%3N)" "$1" "$1" | sed 's/^\(.\{8\}\)/\1-/'; }
base=spotter/v1/berlin/sp-test
epoch=$(uuid 1)
mosquitto_pub -q 1 -r -t $base/info -m "{\"v\":1,\"node\":\"sp-test\",\"site\":\"berlin\",\"epoch\":\"$epoch\",\"tz\":\"Europe/Berlin\"}"
mosquitto_pub -q 1 -t $base/rec/session -m "{\"v\":1,\"node\":\"sp-test\",\"site\":\"berlin\",\"epoch\":\"$epoch\",\"seq\":1,
    \"type\":\"session\",\"id\":\"$(uuid 2)\",\"rev\":1,\"final\":true,\"ts\":\"$(now now)\",\"clock\":\"synced\",\"hist\":false,
    \"body\":{\"camera\":\"rack-1\",\"start\":\"$(now '1 minute ago')\",\"end\":\"$(now now)\",\"model\":\"m\",\"fps\":30,
    \"actions\":[{\"label\":\"squat\",\"frames\":300,\"seconds\":10.5,\"reps\":10,\"conf_mean\":0.9}],
    \"sets\":[{\"number\":1,\"label\":\"squat\",\"start\":\"$(now '50 seconds ago')\",\"end\":\"$(now '40 seconds ago')\",\"reps\":10}],
    \"excluded_frames\":{\"no_person\":3}}}"
ack="{\"epoch\":\"$epoch\",\"seq\":1}"
until_is "$ack" mosquitto_sub -q 1 -C 1 -W 2 -t $base/ack/hq
until_is $((before + 1)) sessions
sink status --nodes | sed 's/^/    /'
echo "    a session is stored and acknowledged; gym_day counts $(sessions)"
kill $service
status=0; wait $service || status=$?
[ "$status" = 0 ] || fail "stopping ends with $status"
sed 's/^/    | /' /root/sink.log
