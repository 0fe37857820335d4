#!/usr/bin/env bash
# Runs the conformance kit against this build: a node that watches a looped clip, with a private mosquitto, and then,
# if Python can install it, with an independent second broker (amqtt, MQTT 3.1.1). Leaves nothing running.
set -euo pipefail
spotter=$(realpath "${1:?usage: run.sh path/to/spotter [mosquitto|amqtt]…}")
shift
cd "$(dirname "$0")/../.."
kit=Tests/Conformance
brokers=("${@:-mosquitto}")

# Debian's Python has the packages; another Python may have them, too.
python=python3
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import paho.mqtt.client, jsonschema' 2>/dev/null && python=$candidate
done

folder=$(mktemp -d)
tidy() {
    for file in "$folder"/*.pid; do [ -e "$file" ] && kill -9 "$(cat "$file")" 2>/dev/null; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap tidy EXIT
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$python" "$kit/loop_clip.py" Tests/Fixtures/clips/demo.json 12 >"$folder/loop.poses.jsonl"
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

# All commands except those that would end the node.
allowed=ping,info,health,sync,session_end,session_delete,camera_set,preview,model_set,log_level,config_check,restart

# Each broker has its own start script, so that the kit can restart it.
cat >"$folder/mosquitto.sh" <<SH
[ -e "$folder/broker.pid" ] && kill -9 "\$(cat "$folder/broker.pid")" && sleep 0.5
mosquitto -c "$folder/mosquitto.conf" >"$folder/broker.log" 2>&1 &
echo \$! >"$folder/broker.pid"
SH
cat >"$folder/amqtt.sh" <<SH
[ -e "$folder/broker.pid" ] && kill -9 "\$(cat "$folder/broker.pid")" && sleep 0.5
"${AMQTT:-amqtt}" -c "$folder/amqtt.yaml" >"$folder/broker.log" 2>&1 &
echo \$! >"$folder/broker.pid"
SH

status=0
for broker in "${brokers[@]}"; do
    echo "== $broker"
    bash "$folder/$broker.sh"
    for _ in $(seq 100); do
        python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1)" 2>/dev/null && break
        sleep 0.1
    done
    SPOTTER_MQTT_CONSUMERS=hq SPOTTER_MQTT_KEYPOINTS=true SPOTTER_COMMANDS_ALLOW=$allowed "$spotter" run --source "$folder/loop.poses.jsonl" --realtime \
        --mqtt-host 127.0.0.1 --mqtt-port "$port" --database "$folder/$broker.db" --quiet &
    echo $! >"$folder/node.pid"
    sleep 4
    # amqtt supports only 3.1.1.
    version=5
    [ "$broker" = amqtt ] && version=3
    "$python" "$kit/conformance.py" --port "$port" --mqtt "$version" --consumer hq --switch \
        --restart-broker "bash $folder/$broker.sh" --kill-node "kill -9 \$(cat $folder/node.pid)" || status=1
    # The kit killed the node, unless it failed before that.
    kill -9 "$(cat "$folder/node.pid")" 2>/dev/null || true
    rm -f "$folder/node.pid"
    kill -9 "$(cat "$folder/broker.pid")" 2>/dev/null || true
    rm -f "$folder/broker.pid"
done
exit "$status"
