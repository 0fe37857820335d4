#!/usr/bin/env bash
# Shows a node's page until Ctrl-C: a made-up week of a gym, and the bundled clips, looped and paced like cameras.
# It uses neither a broker nor the installed node's history. Nothing that the clips show is stored.
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
cameras=()
for camera in mats=demo rack=two_people; do
    stream=$(free_port)
    ffmpeg -nostdin -v quiet -re -stream_loop -1 -i "Tests/Fixtures/clips/${camera#*=}.mp4" -an -c:v mpeg2video -q:v 3 -g 10 \
        -f mpegts "udp://127.0.0.1:$stream?pkt_size=1316" &
    pids+=($!)
    cameras+=(--camera "${camera%=*}=udp://127.0.0.1:$stream")
done

"$spotter" setup --demo --config config.toml --folder "$folder/demo" "${cameras[@]}" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
head -n 1 "$folder/log" >&2
echo "Open the address below in a browser. Ctrl-C ends it."
SPOTTER_WEB_LISTEN="127.0.0.1:$port" "$spotter" run --demo --config "$folder/demo/config.toml" &
pids+=($!)
wait "${pids[-1]}"
