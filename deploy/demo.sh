#!/usr/bin/env bash
# Shows all of Spotter on the bundled clips: a private broker, a subscriber, two runs, the history.
# Ends by itself and leaves nothing running; exits non-zero if any part failed.
set -euo pipefail
spotter=${1:?usage: demo.sh path/to/spotter}
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
pids=()
tidy() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap tidy EXIT

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf 'listener %s 127.0.0.1\nallow_anonymous true\n' "$port" >"$folder/mosquitto.conf"
mosquitto -c "$folder/mosquitto.conf" >"$folder/mosquitto.log" 2>&1 &
pids+=($!)
for _ in $(seq 50); do
    mosquitto_pub -p "$port" -t ready -m 1 2>/dev/null && break
    kill -0 "${pids[0]}" 2>/dev/null || { cat "$folder/mosquitto.log" >&2; exit 1; }
    sleep 0.1
done

# Print topics without their long prefix, and messages cut to one line of a terminal.
# With a named pipe the subscriber's process id is known; stopping it also ends the commands that read the pipe.
width=${COLUMNS:-150}
mkfifo "$folder/pipe"
tee "$folder/messages" <"$folder/pipe" |
    sed -u -E "s#^spotter/v1/[^/]+/[^/]+/##; s#^(.{$((width - 1))}).{2,}#\\1…#" &
printer=$!
mosquitto_sub -p "$port" -t 'spotter/v1/#' -F '%t %p' >"$folder/pipe" &
subscriber=$!
pids+=("$subscriber")
sleep 0.3

for clip in demo two_people; do
    echo
    echo "== spotter run --source Tests/Fixtures/clips/$clip.mp4"
    "$spotter" run --source "Tests/Fixtures/clips/$clip.mp4" --subjects everyone \
        --mqtt-host 127.0.0.1 --mqtt-port "$port" --database "$folder/spotter.db"
    sleep 0.5
done
echo
echo "== spotter run --plan Tests/Fixtures/demo-plan.toml --source Tests/Fixtures/clips/demo.mp4"
"$spotter" run --plan Tests/Fixtures/demo-plan.toml --source Tests/Fixtures/clips/demo.mp4 --quiet \
    --mqtt-host 127.0.0.1 --mqtt-port "$port" --database "$folder/spotter.db"
sleep 0.5
kill "$subscriber"
wait "$printer"

echo
echo "== spotter history"
"$spotter" history --database "$folder/spotter.db"
echo
echo "== spotter history sessions"
"$spotter" history sessions --database "$folder/spotter.db"

# Check that the history has every exercise of the clips, and that a record of each session was published.
for action in jumping_jack squat lunge burpee; do
    "$spotter" history --database "$folder/spotter.db" --action "$action" --fail-empty >/dev/null ||
        { echo "demo: no $action was recognised" >&2; exit 1; }
done
sessions=$("$spotter" history sessions --database "$folder/spotter.db" --json | grep -c '"end_reason"')
published=$(grep '/rec/session ' "$folder/messages" | grep -c '"final":true')
[ "$sessions" -gt 0 ] && [ "$sessions" -eq "$published" ] ||
    { echo "demo: $sessions sessions stored, but $published published" >&2; exit 1; }
grep -q '"state":"stopped"' "$folder/messages" || { echo "demo: the node did not say 'stopped'" >&2; exit 1; }

# Check that the workout was completed, and that event, record and history tell the same repetitions.
python3 - "$folder/messages" <(echo; "$spotter" history workouts --database "$folder/spotter.db" --json) <<'CHECK'
import json, sys
messages = [line.split(" ", 1) for line in open(sys.argv[1])]
stored = json.load(open(sys.argv[2]))[0]
ended = [json.loads(text)["reps"] for topic, text in messages if '"workout_ended"' in text]
records = [json.loads(text) for topic, text in messages if topic.endswith("/rec/workout")]
told = [ended[-1], [one["body"]["reps"] for one in records if one["final"]][-1], stored["reps"]]
if stored["end_reason"] != "completed" or len(set(told)) != 1:
    sys.exit(f"demo: the workout ended as {stored['end_reason']}; event, record and history tell {told} repetitions")
CHECK
echo
echo "demo: done, $(wc -l <"$folder/messages") messages, $sessions sessions"
