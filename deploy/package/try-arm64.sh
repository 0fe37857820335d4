#!/usr/bin/env bash
# Installs an arm64 package in an emulated Debian 13 and holds what it recognises there against this machine's program.
#
#     deploy/package/try-arm64.sh package.deb native-program root
#
# The root has ffmpeg and mosquitto already, for arm64 like all else; it is copied.
set -euo pipefail
cd "$(dirname "$0")/../.."
package=$(realpath "$1") native=$(realpath "$2") from=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
cp -a --reflink=auto "$from" "$root"

within() { deploy/package/within.sh "$root" "$@"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
check() { local what=$1; shift; "$@" || fail "$what"; echo "  $what"; }
# What was recognised, without what tells of time and place.
heard() { python3 -c 'import json, sys; report = json.load(sys.stdin); print(json.dumps({key: report[key] for key in ("frame_counts", "reps", "frames")}, sort_keys=True))'; }
sessions() { python3 -c 'import json, sys
for session in json.load(sys.stdin): print(session["camera"], session["end_reason"], [(a["label"], a["frames"], a["reps"]) for a in session["actions"]])'; }

cp "$package" "$root/root/"
within apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "/root/$(basename "$package")" >"$folder/log" 2>&1 \
    || { tail -5 "$folder/log" >&2; fail "installing"; }
check "is installed in Debian $(cat "$root/etc/debian_version"), $(within dpkg --print-architecture)" test -x "$root/usr/bin/spotter"
check "every library is found" sh -c '! "$@" | grep "not found"' - deploy/package/within.sh "$root" ldd /usr/bin/spotter
check "the version is the native program's" test "$(within spotter --version)" = "$("$native" --version)"
check "the shipped configuration is right" within spotter config check --quiet
within spotter doctor --json >"$folder/doctor" 2>/dev/null || true
check "takes the kernels of arm64" grep -q neon "$folder/doctor"

# An emulated frame takes 4 s; ten a second are as good as thirty.
mkdir -p "$root/srv/clips"
for clip in squat_front jumping_jack_45; do
    ffmpeg -v error -i "Tests/Fixtures/clips/$clip.mp4" -vf fps=10 "$root/srv/clips/$clip.mp4"
done
for clip in squat_front jumping_jack_45; do
    begin=$SECONDS
    within spotter classify "/srv/clips/$clip.mp4" --json >"$folder/arm64.json"
    "$native" classify "$root/srv/clips/$clip.mp4" --json >"$folder/native.json"
    heard <"$folder/arm64.json" >"$folder/arm64"
    heard <"$folder/native.json" >"$folder/native"
    check "$clip: $(cat "$folder/arm64"), as here ($((SECONDS - begin)) s)" cmp "$folder/arm64" "$folder/native"
done

cat >"$root/root/serve.sh" <<'SH'
set -e
mosquitto -p 18830 >/dev/null 2>&1 & broker=$!
sleep 3
mosquitto_sub -p 18830 -t 'spotter/v1/+/+/rec/session' >/root/records & ear=$!
sleep 1
spotter run --source "$1" --mqtt-host 127.0.0.1 --mqtt-port 18830 --database /root/spotter.db --quiet
sleep 3
kill $ear $broker
SH
within sh /root/serve.sh /srv/clips/squat_front.mp4 || fail "spotter run with a broker"
"$native" run --source "$root/srv/clips/squat_front.mp4" --no-mqtt --database "$folder/spotter.db" --quiet
within spotter history sessions --database /root/spotter.db --json | sessions >"$folder/arm64"
"$native" history sessions --database "$folder/spotter.db" --json | sessions >"$folder/native"
check "run stores what it stores here: $(cat "$folder/arm64")" cmp "$folder/arm64" "$folder/native"
check "and a subscriber hears $(wc -l <"$root/root/records") session records" grep -q '"final":true' "$root/root/records"
echo "the arm64 package is right"
