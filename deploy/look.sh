#!/usr/bin/env bash
# Runs a node on the bundled clips, looped and paced like cameras, with its page, until Ctrl-C.
# It uses neither a broker nor the installed node's history, and deletes its own afterwards.
set -euo pipefail
spotter=${1:?usage: look.sh path/to/spotter [port]}
port=${2:-8080}
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
pids=()
tidy() {
    trap - EXIT
    kill "${pids[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap tidy EXIT
trap 'exit 0' INT TERM

# ffmpeg plays each clip for ever, as a stream like a network camera's. Each port was free a moment ago.
free_port() { python3 -c 'import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
cameras=""
for clip in demo two_people; do
    stream=$(free_port)
    ffmpeg -nostdin -v quiet -re -stream_loop -1 -i "Tests/Fixtures/clips/$clip.mp4" -an -c:v mpeg2video -q:v 3 -g 10 \
        -f mpegts "udp://127.0.0.1:$stream?pkt_size=1316" &
    pids+=($!)
    name=$([ "$clip" = demo ] && echo "Front mat" || echo "Two at the rack")
    cameras+=$'\n[[camera]]\n'"id = \"$clip\""$'\n'"name = \"$name\""$'\n'"source = \"udp://127.0.0.1:$stream\""$'\n'
done

cat >"$folder/config.toml" <<EOF
$cameras
[node]
name = "Spotter"
[recognition]
subjects = "everyone"
[history]
path = "$folder/spotter.db"
[mqtt]
enabled = false
[web]
enabled = true
listen = "127.0.0.1:$port"
EOF
echo "Open the address below in a browser. Ctrl-C ends it."
"$spotter" run --config "$folder/config.toml" &
pids+=($!)
wait "${pids[-1]}"
