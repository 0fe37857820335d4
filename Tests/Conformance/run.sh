#!/usr/bin/env bash
# Runs the conformance kit against this build: a node that watches a looped clip, with private brokers. Leaves nothing
# running.
#
#   run.sh path/to/spotter [mosquitto | nats | nats-tls | amqtt]…
#
# nats is the fleet's hub: three servers, MQTT 3.1.1 only. With nats-tls the node has a certificate, and only the rights
# of a node. amqtt is another broker for 3.1.1, if Python can install it.
set -euo pipefail
spotter=$(realpath "${1:?usage: run.sh path/to/spotter [mosquitto|nats|nats-tls|amqtt]…}")
shift
cd "$(dirname "$0")/../.."
kit=$PWD/Tests/Conformance
brokers=("${@:-mosquitto}")

# Debian's Python has the packages; another Python may have them, too.
python=python3
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import paho.mqtt.client, jsonschema' 2>/dev/null && python=$candidate
done

folder=$(mktemp -d)
# shellcheck disable=SC2317 # It is called at the end.
tidy() {
    # The hub stops its servers when it is asked to.
    if [ -e "$folder/hub.pid" ]; then
        kill "$(cat "$folder/hub.pid")" 2>/dev/null || true
        while kill -0 "$(cat "$folder/hub.pid")" 2>/dev/null; do sleep 0.1; done
    fi
    rm -f "$folder/hub.pid"
    # The kit has killed some of them, and a failure here would be the script's result.
    for file in "$folder"/*.pid; do [ ! -e "$file" ] || kill -9 "$(cat "$file")" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap tidy EXIT
trap 'exit 130' INT TERM
"$python" "$kit/loop_clip.py" Tests/Fixtures/clips/demo.json 40 >"$folder/loop.poses.jsonl"

# All commands except those that would end the node.
allowed=ping,info,health,sync,session_end,session_delete,workout_start,workout_stop,workout_skip,workout_pain,name_delete,camera_set,preview,model_set,log_level,config_check,restart

# through_proxy PORT: the node reaches the broker through a proxy that the kit can cut.
through_proxy() {
    "$python" "$kit/cut_proxy.py" 127.0.0.1 "$1" "$folder/proxy.port" &
    echo $! >"$folder/proxy.pid"
    for _ in $(seq 100); do [ -e "$folder/proxy.port" ] && break; sleep 0.1; done
    SPOTTER_MQTT_PORT=$(cat "$folder/proxy.port")
    export SPOTTER_MQTT_PORT
    rm "$folder/proxy.port"
}

# start_small BROKER: mosquitto or amqtt, on one port. Each has its own start script, so that the kit can restart it.
start_small() {
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    printf 'listener %s 127.0.0.1\nallow_anonymous true\npersistence false\n' "$port" >"$folder/mosquitto.conf"
    cat >"$folder/amqtt.yaml" <<YAML
listeners:
  default:
    type: tcp
    bind: 127.0.0.1:$port
plugins:
  amqtt.plugins.authentication.AnonymousAuthPlugin:
    allow_anonymous: true
YAML
    local command="mosquitto -c $folder/mosquitto.conf"
    [ "$1" = amqtt ] && command="${AMQTT:-amqtt} -c $folder/amqtt.yaml"
    cat >"$folder/broker.sh" <<SH
[ -e "$folder/broker.pid" ] && kill -9 "\$(cat "$folder/broker.pid")" && sleep 0.5
$command >"$folder/broker.log" 2>&1 &
echo \$! >"$folder/broker.pid"
SH
    bash "$folder/broker.sh"
    for _ in $(seq 100); do
        python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1)" 2>/dev/null && break
        sleep 0.1
    done
    export SPOTTER_MQTT_HOST=127.0.0.1 SPOTTER_COMMANDS_ALLOW=$allowed
    through_proxy "$port"
    client=(--port "$port" --mqtt 5)
    # amqtt supports only 3.1.1.
    [ "$1" = amqtt ] && client=(--port "$port" --mqtt 3)
    return 0
}

# start_hub [--tls]: the node is at the first of the three servers, the kit at the second.
start_hub() {
    "$python" "$kit/../Fleet/hub_run.py" "$folder/hub" "$@" node:berlin:sp-1 >"$folder/hub.log" 2>&1 &
    echo $! >"$folder/hub.pid"
    cat >"$folder/broker.sh" <<SH
rm -f "$folder/hub/ports"
kill -USR1 "$(cat "$folder/hub.pid")"
for _ in \$(seq 900); do [ -e "$folder/hub/ports" ] && exit 0; sleep 0.1; done
exit 1
SH
    for _ in $(seq 900); do
        [ -e "$folder/hub/ports" ] && break
        kill -0 "$(cat "$folder/hub.pid")" 2>/dev/null || break
        sleep 0.1
    done
    [ -e "$folder/hub/ports" ] || { cat "$folder/hub.log"; return 1; }
    local ports own=$folder/hub/certificates
    mapfile -t ports <"$folder/hub/ports"
    echo secret >"$folder/password"
    export SPOTTER_MQTT_HOST=localhost SPOTTER_NODE_SITE=berlin SPOTTER_NODE_ID=sp-1
    through_proxy "${ports[0]}"
    client=(--host localhost --port "${ports[1]}" --mqtt 3)
    if [ $# -eq 0 ]; then
        export SPOTTER_MQTT_USER=tester SPOTTER_MQTT_PASSWORD_FILE=$folder/password SPOTTER_COMMANDS_ALLOW=$allowed
        client+=(--user tester --password-file "$folder/password")
    else
        # The hub carries no previews, no live predictions, and nothing for Home Assistant.
        export SPOTTER_COMMANDS_ALLOW=${allowed/preview,/} SPOTTER_MQTT_DISCOVERY=false SPOTTER_MQTT_LIVE=false
        export SPOTTER_MQTT_CA_FILE=$own/ca.crt SPOTTER_MQTT_CERTIFICATE_FILE=$own/sp-1.crt
        export SPOTTER_MQTT_KEY_FILE=$own/sp-1.key
        client+=(--ca-file "$own/ca.crt" --certificate "$own/tester.crt" --key "$own/tester.key")
    fi
}

# check BROKER: starts the broker and the node, and runs the kit.
check() {
    case $1 in
    nats) start_hub ;;
    nats-tls) start_hub --tls ;;
    *) start_small "$1" ;;
    esac
    cat >"$folder/node.sh" <<SH
[ -e "$folder/node.pid" ] && kill -9 "\$(cat "$folder/node.pid")" && sleep 0.5
"$spotter" run --source "$folder/loop.poses.jsonl" --realtime --database "$folder/$1.db" --quiet &
echo \$! >"$folder/node.pid"
SH
    bash "$folder/node.sh"
    sleep 4
    "$python" "$kit/conformance.py" "${client[@]}" --consumer hq --switch --restart-broker "bash $folder/broker.sh" \
        --cut-node "kill -USR1 $(cat "$folder/proxy.pid")" --restart-node "bash $folder/node.sh" \
        --kill-node "kill -9 \$(cat $folder/node.pid)"
}

status=0
export SPOTTER_MQTT_CONSUMERS=hq SPOTTER_MQTT_KEYPOINTS=true SPOTTER_ALARM_ENABLED=true
for broker in "${brokers[@]}"; do
    echo "== $broker"
    # A shell of its own, because the brokers differ in their settings.
    (check "$broker") || status=1
    for name in node proxy broker; do
        kill -9 "$(cat "$folder/$name.pid" 2>/dev/null)" 2>/dev/null || true
        rm -f "$folder/$name.pid"
    done
    if [ -e "$folder/hub.pid" ]; then
        kill "$(cat "$folder/hub.pid")" 2>/dev/null || true
        while kill -0 "$(cat "$folder/hub.pid")" 2>/dev/null; do sleep 0.1; done
        rm -rf "$folder/hub.pid" "$folder/hub"
    fi
done
echo "== lies"
"$python" "$kit/lying_broker.py" "$spotter" --seconds 40 || status=1
exit "$status"
