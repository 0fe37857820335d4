#!/usr/bin/env bash
# Runs inside the virtual machine, on the host's files: tests Spotter with a real video device.
#
# Emulation is slow, so pictures are small and time limits wide; counts must be exact.
set -uo pipefail
cd "$1" || exit 1
spotter=$PWD/$2/spotter
folder=$(mktemp -d)
failures=0
bus=/sys/bus/platform/drivers/vivid

check() { # what, then a command
    local what=$1
    shift
    if "$@" >"$folder/check" 2>&1; then
        echo "camera check: ok: $what"
    else
        echo "camera check: FAILED: $what"
        sed 's/^/    /' "$folder/check" | head -20
        failures=$((failures + 1))
    fi
}
# Evaluates a Python expression on a JSON document, called x.
holds() {
    python3 -c '
import json, sys
x = json.load(open(sys.argv[1]))
if not eval(sys.argv[2]): sys.exit("not so: " + sys.argv[2] + "\n" + json.dumps(x, indent=1)[:1500])' "$1" "$2"
}
# Monotonic seconds: bash's SECONDS would follow a change of the clock.
uptime() { cut -d. -f1 /proc/uptime; }
# Marks the clock as synchronised, as a time service does after setting it (adjtimex(2): ADJ_STATUS and the errors).
keep_clock() {
    python3 -c '
import ctypes, struct
ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(struct.pack("I4xqqqqi", 0x1C, 0, 0, 0, 0, 0), 256))'
}
# Waits until a file has a line. Arguments: seconds, file, pattern.
waits() {
    local deadline=$(($(uptime) + $1))
    until grep -qE "$3" "$2"; do
        [ "$(uptime)" -lt $deadline ] || { echo "no '$3' within $1 s; last:"; tail -5 "$2" | cut -c1-300; return 1; }
        sleep 0.3
    done
}
status() { # wanted exit status, then a command
    local wanted=$1
    shift
    "$@" >"$folder/out" 2>"$folder/err"
    local found=$?
    [ $found -eq "$wanted" ] || { echo "exit status $found instead of $wanted"; cat "$folder/out" "$folder/err"; return 1; }
}
says() { grep -qE "$1" "$folder/out" "$folder/err" || { cat "$folder/out" "$folder/err"; return 1; }; }

# Enumeration, with ids that do not change.
"$spotter" cameras list --modes --json --width 640 --height 360 >"$folder/list"
check "two cameras are found, each with its own id" holds "$folder/list" \
    "[c['id'] for c in x] == ['platform:vivid-000:vivid', 'platform:vivid-001:vivid'] and x[0]['device'] == '/dev/video0'"
check "the mode is the wanted size at the model's rate, in the cheapest format" holds "$folder/list" \
    "x[0]['mode'] == {'format': 'YUYV', 'width': 640, 'height': 360, 'fps': 30}"
check "every size and rate of vivid is there" holds "$folder/list" \
    "{(m['width'], m['height']) for m in x[0]['modes']} == {(320, 180), (640, 360), (640, 480), (1280, 720), (1920, 1080), (3840, 2160)} and max(m['fps'] for m in x[0]['modes']) >= 60"
formats=$(python3 -c "import json; print(' '.join(sorted({m['format'] for m in json.load(open('$folder/list'))[0]['modes']})))")
echo "    libv4l converts $(wc -w <<<"$formats") of vivid's $(v4l2-ctl -d /dev/video0 --list-formats | grep -c '^.\[') formats: $formats"
# Test every pixel format; no picture may be broken.
every_format() {
    local format
    for format in $formats; do
        "$spotter" cameras test --format "$format" --width 320 --height 180 --seconds 0.5 --json >"$folder/format" 2>"$folder/err"
        # In so short a time few frames may arrive, but they must be whole.
        [ -s "$folder/format" ] || { echo "$format:"; cat "$folder/err"; return 1; }
        holds "$folder/format" "x['mode']['format'] == '$format' and x['frames'] >= 2 and x['broken'] + x['black'] == 0" || return 1
    done
}
began=$(uptime)
check "pictures come in every one of them" every_format
echo "    in $(($(uptime) - began)) s"

# Thirty frames a second for ten seconds; every lost one must be counted.
"$spotter" cameras test --width 320 --height 180 --seconds 10 --json >"$folder/ten" 2>&1
check "ten seconds at 30 Hz by the driver's clock" holds "$folder/ten" "29 <= x['fps'] <= 31"
check "frames seen and frames missed are all there were" holds "$folder/ten" \
    "10 <= (x['frames'] + x['missed'] + x['broken'] - 1) / x['fps'] <= 10.1 + x['longest_gap_s'] and x['repeated'] == 0 and x['black'] == 0"
python3 -c "
import json
x = json.load(open('$folder/ten'))
print(f\"    {x['frames']} frames seen at {x['fps']} Hz, {x['missed']} missed, longest gap {x['longest_gap_s']} s\")"
v4l2-ctl -d /dev/video0 -c percentage_of_dropped_buffers=20
"$spotter" cameras test --width 320 --height 180 --seconds 5 --json >"$folder/flawed" 2>&1 &
flawed=$!
while kill -0 $flawed 2>/dev/null; do
    v4l2-ctl -d /dev/video0 -c inject_v4l2_buf_flag_error=1
    sleep 0.5
done
v4l2-ctl -d /dev/video0 -c percentage_of_dropped_buffers=0
check "frames that the camera drops are counted as missed" holds "$folder/flawed" "x['missed'] >= 10"
check "frames that the driver marks as damaged are counted as broken" holds "$folder/flawed" "x['broken'] >= 1"

# Controls, and their replacement in software if the camera lacks one.
cat >"$folder/controls.toml" <<END
[[camera]]
mirror = true
gain = 42
exposure = 10
controls = { brightness = 77, no_such_control = 1 }
END
check "controls are set, and missing ones are told" status 0 \
    "$spotter" cameras test --config "$folder/controls.toml" --width 320 --height 180 --seconds 1
check "the mirror is the camera's own" says 'turns its pictures itself'
check "an exposure that cannot be set is said" says 'has no exposure to set'
check "a control that the camera lacks is said, with those it has" says 'has no control no_such_control; it has .*brightness'
check "a control is set by the name that v4l2-ctl shows" bash -c "
    v4l2-ctl -d /dev/video0 -C brightness | tee /dev/stderr | grep -q 'brightness: 77'"
check "mirror and gain stand in the camera" bash -c "
    v4l2-ctl -d /dev/video0 -C horizontal_flip,gain,gain_automatic | tr '\n' ' ' | tee /dev/stderr |
        grep -q 'horizontal_flip: 1 gain: 42 gain_automatic: 0'"
v4l2-ctl -d /dev/video0 -c horizontal_flip=0,gain_automatic=1

# Faulty pictures.
v4l2-ctl -d /dev/video0 -c osd_text_mode=2
check "a frozen picture is told" status 1 "$spotter" cameras test --width 320 --height 180 --seconds 1
check "as frozen" says 'picture is frozen'
v4l2-ctl -d /dev/video0 -c osd_text_mode=0

# A camera in use, without permission, and missing.
v4l2-ctl -d /dev/video1 --stream-mmap --stream-count=1000 >/dev/null 2>&1 &
holder=$!
sleep 1
check "a camera in use ends with 75" status 75 "$spotter" cameras test /dev/video1 --seconds 1
check "and says who has it" says "in use by v4l2-ctl \(process $holder\)"
kill $holder
wait $holder 2>/dev/null
chown root:video /dev/video1
chmod 660 /dev/video1
check "a camera without permission ends with 77" status 77 \
    setpriv --reuid 65534 --regid 65534 --clear-groups "$spotter" cameras test /dev/video1 --seconds 1
check "and says which group has it" says 'usermod -aG video'
check "a camera that is not there ends with 69" status 69 "$spotter" cameras test /dev/video7 --seconds 1

# The agent with two cameras, whose driver is removed.
cat >"$folder/config.toml" <<END
[node]
site = "vm"
[[camera]]
id = "rack1"
source = "/dev/video0"
width = 320
height = 180
[[camera]]
id = "rack2"
source = "/dev/video9"
[recognition]
# Pose detection is emulated, too; there is no person in the picture.
maximum_load = 0.05
detection_interval_seconds = 60
[history]
path = "$folder/spotter.db"
[mqtt]
host = "127.0.0.1"
port = 18830
END
printf 'listener 18830 127.0.0.1\nallow_anonymous true\n' >"$folder/mosquitto.conf"
PATH=$PATH:/usr/sbin mosquitto -c "$folder/mosquitto.conf" >"$folder/broker" 2>&1 &
broker=$!
until mosquitto_pub -p 18830 -t ready -m 1 2>/dev/null || ! kill -0 $broker; do sleep 0.3; done
mosquitto_sub -p 18830 -t 'spotter/#' -v >"$folder/messages" &
listener=$!
keep_clock
nice "$spotter" run --config "$folder/config.toml" 2>"$folder/log" &
agent=$!
check "the agent sees its first frame" waits 120 "$folder/messages" 'cam/rack1/status .*"state":"online"'
check "a camera that is not there yet is waited for" waits 20 "$folder/messages" \
    'cam/rack2/status .*"reason":"not_found"'
check "the mode is in the log" grep -q 'rack1: delivers YUYV 320×180 at 30 Hz' "$folder/log"
# Two hours, so that a slow frame cannot be mistaken for the step.
date -s '+2 hours' >/dev/null && keep_clock
check "the clock is set, and the camera's times follow" waits 180 "$folder/log" 'rack1: its times were 7[12][0-9]{2}\.[0-9] s behind'
date -s '-2 hours' >/dev/null && keep_clock
# Another process holds the old device, so that the camera returns under another number.
exec 9</dev/video0
lost=$(uptime)
echo vivid.0 >$bus/unbind
# A loss is reported after the current frame: milliseconds on a board, up to fifteen seconds under emulation.
check "the loss is told" waits 120 "$folder/messages" 'cam/rack1/event .*"event_type":"camera_lost"'
echo "    after $(($(uptime) - lost)) s"
check "with its reason" waits 20 "$folder/messages" 'cam/rack1/status .*"reason":"unplugged"'
found=$(uptime)
echo vivid.0 >$bus/bind
sleep 0.5
check "the driver gave it another number" test ! -e /dev/video0
check "it is found again by its id" waits 120 "$folder/messages" 'cam/rack1/event .*"event_type":"camera_recovered"'
echo "    after $(($(uptime) - found)) s as $(sed -n 's/.*there again as //p' "$folder/log" | tail -1)"
exec 9<&-
v4l2-ctl -d "$(sed -n 's/.*there again as //p' "$folder/log" | tail -1)" -c test_pattern=5,osd_text_mode=2
check "a picture that stays black is stalled" waits 120 "$folder/messages" 'cam/rack1/status .*"reason":"stalled"'
kill -TERM $agent
wait $agent
ended=$?
check "it ends cleanly" test $ended -eq 0
check "and says so" grep -qE '/status .*"state":"stopped"' "$folder/messages"
kill $listener $broker
[ $failures -eq 0 ] || sed 's/^/    log: /' "$folder/log" | tail -40
echo "camera checks: $failures failed, done after $(cut -d' ' -f1 /proc/uptime) s"
exit $((failures > 0))
