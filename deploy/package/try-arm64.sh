#!/usr/bin/env bash
# Installs an arm64 package in an emulated Debian 13, and compares its recognition with that of the native program.
#
#     deploy/package/try-arm64.sh package.deb native-program root
#
# The root must have ffmpeg and mosquitto for arm64; the script works on a copy.
set -euo pipefail
cd "$(dirname "$0")/../.."
package=$(realpath "$1") native=$(realpath "$2") from=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
cp -a --reflink=auto "$from" "$root"

# Run in the root's top folder, so that only installed files are used and none of this checkout.
checkout=$PWD
within() { (cd / && exec "$checkout/deploy/package/within.sh" "$root" "$@"); }
fail() { echo "FAILED: $*" >&2; exit 1; }
check() { local what=$1; shift; "$@" || fail "$what"; echo "  $what"; }
# Whether both recognised the same: actions, repetitions, and frames up to a tolerance.
alike() { python3 - "$@" <<'PY'
import json, sys
def actions(path):
    report = json.load(open(path))
    if isinstance(report, list):
        return [(s["camera"], s["end_reason"], a["label"], a["reps"], a["frames"]) for s in report for a in s["actions"]]
    return [(label, report["reps"].get(label), frames) for label, frames in sorted(report["frame_counts"].items())]
here, there = actions(sys.argv[1]), actions(sys.argv[2])
print("    here", here, "there", there)
sys.exit(not (here and [a[:-1] for a in here] == [a[:-1] for a in there]
              and all(abs(a[-1] - b[-1]) <= int(sys.argv[3]) for a, b in zip(here, there))))
PY
}

cp "$package" "$root/root/"
within apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "/root/$(basename "$package")" >"$folder/log" 2>&1 \
    || { tail -5 "$folder/log" >&2; fail "installing"; }
check "is installed in Debian $(cat "$root/etc/debian_version"), $(within dpkg --print-architecture)" test -x "$root/usr/bin/spotter"
check "every library is found" sh -c '! "$@" | grep "not found"' - "$checkout/deploy/package/within.sh" "$root" ldd /usr/bin/spotter
check "the version is the native program's" test "$(within spotter --version)" = "$("$native" --version)"
check "the shipped configuration is right" within spotter config check --quiet
# The processors of a Raspberry Pi 4 and of a 5, which has FEAT_FP16.
for processor in cortex-a72:neon cortex-a76:half; do
    within env "QEMU_CPU=${processor%:*}" spotter doctor --json >"$folder/doctor" 2>/dev/null || true
    check "takes the kernels ${processor#*:} on a ${processor%:*}" grep -q "\"${processor#*:}\"" "$folder/doctor"
done

# An emulated frame takes 4 s; ten frames a second test as much as thirty.
mkdir -p "$root/srv/clips"
for clip in squat_front jumping_jack_45; do
    ffmpeg -v error -i "Tests/Fixtures/clips/$clip.mp4" -vf fps=10 "$root/srv/clips/$clip.mp4"
done
for clip in squat_front jumping_jack_45; do
    begin=$SECONDS
    file=$root/srv/clips/$clip
    within spotter classify "/srv/clips/$clip.mp4" --json >"$folder/arm64"
    "$native" classify "$file.mp4" --json >"$folder/native"
    # Colours of the two ffmpegs differ in the last bit, so a window near the threshold may be decided differently.
    check "$clip as here, but for one window at most ($((SECONDS - begin)) s)" alike "$folder/native" "$folder/arm64" 10
    "$native" poses "$file.mp4" --output "$file.poses.jsonl" 2>/dev/null
    within spotter classify "/srv/clips/$clip.poses.jsonl" --json >"$folder/arm64"
    "$native" classify "$file.poses.jsonl" --json >"$folder/native"
    check "$clip from the same poses exactly as here" alike "$folder/native" "$folder/arm64" 0
done

cat >"$root/root/serve.sh" <<'SH'
set -e
mosquitto -p 18830 >/dev/null 2>&1 & broker=$!
sleep 3
mosquitto_sub -h 127.0.0.1 -p 18830 -t 'spotter/v1/+/+/rec/session' >/root/records & subscriber=$!
sleep 1
spotter run --source "$1" --mqtt-host 127.0.0.1 --mqtt-port 18830 --database /root/spotter.db --quiet
sleep 3
kill $subscriber $broker
SH
within sh /root/serve.sh /srv/clips/squat_front.mp4 || fail "spotter run with a broker"
"$native" run --source "$root/srv/clips/squat_front.mp4" --no-mqtt --database "$folder/spotter.db" --quiet
within spotter history sessions --database /root/spotter.db --json >"$folder/arm64"
"$native" history sessions --database "$folder/spotter.db" --json >"$folder/native"
check "run stores what it stores here, but for one window at most" alike "$folder/native" "$folder/arm64" 10
check "and a subscriber hears $(wc -l <"$root/root/records") session records" grep -q '"final":true' "$root/root/records"
echo "the arm64 package is right"
