#!/usr/bin/env bash
# Follows the page Containers word for word with podman, in a network without routes, and tries what can go wrong: no camera,
# a foreign user, a wrong configuration, kill -9, a history of an older version, and of a newer one:
#
#     deploy/container/test.sh archive.tar.xz
#
# Needs root. What the page calls docker is podman here; it leaves nothing behind.
set -euo pipefail
cd "$(dirname "$0")/../.."
archive=$(realpath "${1:?usage: test.sh archive.tar.xz}")
if [ -z "${INSIDE_CONTAINER_TEST:-}" ]; then
    [ "$(id -u)" -eq 0 ] || { echo "make test-container needs root: it runs containers" >&2; exit 77; }
    deploy/packages.sh podman crun xz-utils mosquitto mosquitto-clients curl sqlite3 docker-compose iproute2
    exec env INSIDE_CONTAINER_TEST=yes unshare --mount --net --pid --fork --kill-child --mount-proc "$0" "$archive"
fi

here=$PWD/deploy/container page=$PWD/Sources/Node/spotter/Spotter.docc/Containers.md fixtures=$PWD/Tests/Fixtures
folder=$(mktemp -d)
chmod 755 "$folder"
cd "$folder"
checks=0
fail() { echo "FAILED: $*" >&2; tail -n 20 "$folder/log" >&2; exit 1; }
check() { local what=$1; shift; "$@" || fail "$what"; checks=$((checks + 1)); echo "  ok: $what"; }
# Runs a command; the exit status goes into status, what it says into the log.
try() { status=0; "$@" >"$folder/log" 2>&1 || status=$?; }
said() { grep -Eq -- "$1" "$folder/log"; }
# Tries a command for a minute.
soon() { local until=$((SECONDS + 60)); until "$@"; do [ "$SECONDS" -lt "$until" ] || return 1; sleep 0.5; done; }

# podman with a store of its own. Without overlays every container is a copy of the image. The limits are those that this
# process may set.
mkdir -p try/{lower,upper,work,merged}
driver=vfs
if mount -t overlay -o lowerdir=try/lower,upperdir=try/upper,workdir=try/work none try/merged 2>/dev/null; then
    umount try/merged
    driver=overlay
fi
store=(--root "$folder/store" --runroot "$folder/run" --storage-driver "$driver" --cgroup-manager cgroupfs --tmpdir "$folder/tmp" --log-level fatal)
own=(--network host --cgroups disabled --pull never --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 --read-only-tmpfs=false)
docker() {
    case $1 in
    run) shift; podman "${store[@]}" run "${own[@]}" "$@" ;;
    # The images of others are not here. What is run in the broker's one, this machine's mosquitto can do as well.
    compose) [ "$2" != run ] || sh -c "$(sed "s|/made/|$folder/|g" <<<"${!#}")" ;;
    *) podman "${store[@]}" "$@" ;;
    esac
}
trap 'docker rm -f -a >/dev/null 2>&1 || true; [ -z "${broker:-}" ] || kill "$broker" 2>/dev/null || true; umount "$folder/store/overlay" 2>/dev/null || true; rm -rf --one-file-system "$folder"' EXIT
trap 'echo "FAILED: line $LINENO: $BASH_COMMAND" >&2; tail -n 5 "$folder/log" >&2' ERR
# crun wants the second version of control groups, or none.
mount -t cgroup2 none /sys/fs/cgroup
ip link set lo up
# A camera that nobody drives: it can be opened or not, and delivers nothing.
mkdir dev
mount -t tmpfs -o mode=755 none dev
for device in null zero full random urandom tty; do cp -a "/dev/$device" dev/; done
mkdir dev/pts dev/shm
mount --bind /dev/pts dev/pts
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mknod -m 660 dev/video0 c 81 0
chown 0:4242 dev/video0
mount --move dev /dev

architecture=$(basename "$archive" .tar.xz) architecture=${architecture##*-}
version=$(basename "$archive" "-$architecture.tar.xz") version=${version#spotter-container-}
# The blocks of commands below a heading of the page, with this archive's version.
block() {
    awk -v heading="## $1" -v wanted="$2" '
        /^## / { inside = $0 == heading }
        inside && /^```/ { if (open) open = 0; else { open = /^```sh/; if (open) number++; next } }
        inside && open && number == wanted' "$page" | sed "s/0\.1\.0/$version/g; s/amd64/$architecture/g"
}
follow() { block "$1" "$2" >commands; [ -s commands ] || fail "the page has no block $2 below '$1'"; try eval "set -e; $(cat commands)"; }
image=spotter:$version
node() { { docker exec "${1:-spotter}" spotter status --json || true; } | python3 -c 'import json, sys; print(json.load(sys.stdin)["history"]["node"])'; }
sessions() { docker run --rm --volume "$1:/var/lib/spotter" "$image" history sessions --json | grep -c '"id"' || true; }
running() { [ "$(docker inspect -f '{{.State.Running}}' "$1")" = true ]; }
healthy() { docker healthcheck run "${1:-spotter}" >/dev/null 2>&1; }
ended() { docker inspect -f '{{.State.ExitCode}}' "$1"; }
of_image() { docker image inspect -f "$1" "$image"; }

echo "the image ($(stat -c %s "$archive" | awk '{ printf "%.1f MB", $1 / 1e6 }')):"
check "is 120 MB at most" test "$(stat -c %s "$archive")" -le 120000000
cp "$archive" .
follow "Start a node" 1
check "is loaded, and tells its version" said "^$version\$"
rm -f -- *.tar.xz
check "is for $architecture" test "$(of_image '{{.Architecture}}')" = "$architecture"
check "runs as the user 880" test "$(docker run --rm --entrypoint id "$image" -u)" = 880
check "who is in the group video" sh -c 'echo " $1 " | grep -q " 44 "' - "$(docker run --rm --entrypoint id "$image" -G)"
check "has a health check and a volume" test "$(of_image '{{len .HealthCheck.Test}} {{len .Config.Volumes}}')" = "2 1"
check "has no machine's id" docker run --rm --entrypoint test "$image" ! -e /etc/machine-id
try docker run --rm --entrypoint sh "$image" -c 'ldd /usr/bin/spotter /usr/bin/ffmpeg | grep "not found"'
check "every library is found" test "$status" = 1
check "has the licences" docker run --rm --entrypoint test "$image" -s /usr/share/doc/spotter/copyright -a -s /usr/share/doc/ffmpeg/copyright

# An emulated node takes seconds for a frame; try-arm64.sh tests the package's program.
if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
    echo "container: $checks checks passed, $architecture (emulated: the image alone)"
    exit 0
fi

echo "a node:"
cp "$here/gym.toml" .
follow "Start a node" 2
check "is started with the page's words" test "$status" = 0
check "answers at its socket" soon healthy
check "is still there without a camera that delivers" running spotter
page() { local path=$1; shift; curl -s -o answer -w '%{http_code}' "$@" "http://127.0.0.1:8080$path"; }
check "shows its page after a log-in" test "$(page /)" = 303
docker logs spotter >log 2>&1
password=$(sed -n 's/.*password is \([a-z0-9-]*\)\..*/\1/p' log)
json=(-H 'Content-Type: application/json' -H 'Origin: http://127.0.0.1:8080')
check "printed the password once" test "$(page /api/v1/login "${json[@]}" -d "{\"password\": \"$password\"}")" = 200
follow "Start a node" 3
check "takes commands as the page says, and reports its camera's problem" said "camera_offline|rack-1.*no camera"
try docker exec spotter touch /etc/spotter/x
check "writes nowhere else" said 'Read-only file system'
check "has an id" test -n "$(node)"
first=$(node)
starts() { [ "$(docker logs spotter 2>&1 | grep -c 'the page is at')" -ge "$1" ]; }
printf '\n[log]\nlevel = "debug"\n' >>gym.toml
docker kill --signal HUP spotter >log
check "loads a changed gym.toml on HUP" soon starts 2
check "and answers then" soon healthy
before=$SECONDS
docker stop spotter >log
check "ends cleanly within $((SECONDS - before)) s" test "$(ended spotter)" = 0 -a $((SECONDS - before)) -le 10
docker start spotter >log
check "comes again" soon healthy
check "with the same id" test "$(node)" = "$first"
docker kill --signal KILL spotter >log
docker start spotter >log
check "comes again after kill -9, with the same id" soon healthy
check "with the same id after that" test "$(node)" = "$first"
docker stop spotter >log
docker rm spotter >log
docker run -d --name other --volume other:/var/lib/spotter "$image" >log
soon healthy other
check "another node has another id" test "$(node other)" != "$first"
docker rm -f other >/dev/null

echo "a clip, and a broker with a password:"
sed "s|/mosquitto/config|$folder|; s|/mosquitto/data/|$folder/broker/|" "$here/mosquitto.conf" >mosquitto.conf
mkdir -m 777 broker poses
chmod 777 poses
sudo() { "$@"; }
follow "With a broker and Home Assistant" 1
check "the passwords are made with the page's words" test "$(cut -d: -f1 passwords | xargs)" = "spotter homeassistant"
chmod 644 passwords
mosquitto -c mosquitto.conf >broker.log 2>&1 &
broker=$!
soon sh -c 'echo >/dev/tcp/127.0.0.1/1883' 2>/dev/null || sleep 2
mosquitto_sub -u homeassistant -P CHOOSE-ONE -t 'spotter/v1/+/+/rec/session' -t 'homeassistant/device/+/config' >heard &
subscriber=$!
sleep 1
cp "$fixtures/clips/squat_front.mp4" clip.mp4
chmod 644 clip.mp4
try docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --volume spotter:/var/lib/spotter \
    --volume "$folder/clip.mp4:/srv/clip.mp4:ro" --volume "$folder/mqtt-password:/run/secrets/mqtt-password:ro" \
    --env SPOTTER_MQTT_HOST=127.0.0.1 --env SPOTTER_MQTT_USER=spotter \
    "$image" run --config /etc/spotter/config.toml --source /srv/clip.mp4
check "a clip is recognised" test "$status" = 0
check "and its sessions are in the volume" test "$(sessions spotter)" -ge 1
sleep 1
kill "$subscriber"
check "the broker heard the record, with the secret's password" grep -q '"final":true' heard
check "Home Assistant hears of the device" grep -q '"device"' heard
kept=$(sessions spotter)

echo "what goes wrong:"
try docker run --rm --user 1234:1234 --volume spotter:/var/lib/spotter "$image"
check "a foreign user ends with 77 and words" test "$status" = 77
mkdir -m 755 place
try docker run --rm --volume "$folder/place:/var/lib/spotter" "$image"
check "so does a folder of root's" test "$status" = 77
install -d -o 880 -g 880 -m 750 place
docker run -d --name place --volume "$folder/place:/var/lib/spotter" "$image" >log
check "a folder of the user's own is taken" soon healthy place
docker rm -f place >log
try docker run --rm --env SPOTTER_MQTT_PORT=none "$image"
check "a wrong setting ends with 78" test "$status" = 78 -a -n "$(grep -i port log)"
echo 'site = ' >wrong.toml
try docker run --rm --volume "$folder/wrong.toml:/etc/spotter/conf.d/gym.toml:ro" "$image"
check "so does a wrong file, with its line" test "$status" = 78 -a -n "$(grep 'gym.toml' log)"
camera() { docker run --rm --device /dev/video0 "$@" --entrypoint spotter "$image" cameras test /dev/video0; }
try camera
check "without the camera's group it says so" said 'no permission to open'
try camera --group-add 4242
check "with it, the camera is opened" sh -c '[ "$1" != 0 ] && ! grep -q "no permission" log' - "$status"

echo "back up, restore, upgrade:"
block "Start a node" 2 >start
try eval "$(cat start)"
check "the history is there again" soon healthy
follow "Back up and restore" 1
check "a backup is made with the page's words" test "$status" = 0 -a -s backup.db
chmod 644 backup.db
follow "Back up and restore" 2
check "and restored" test "$status" = 0
check "with its sessions" test "$(sessions spotter)" -ge "$kept"
follow "Upgrade, and go back" 1
check "the container is removed with the page's words" test "$status" = 0
check "and the volume keeps the history" test "$(sessions spotter)" -ge "$kept"

echo "a history that version 0.1.0 wrote:"
cp "$fixtures/history/0.1.0.db" old.db
expected=$(sqlite3 old.db 'SELECT count(*) FROM session')
prepare() {
    docker run --rm --user root --volume "$1:/var/lib/spotter" --volume "$folder/$2:/old.db:ro" --entrypoint install "$image" \
        -o 880 -g 880 -m 640 /old.db /var/lib/spotter/spotter.db
}
prepare old old.db
docker run -d --name old --volume old:/var/lib/spotter "$image" >log
check "is taken" soon healthy old
docker stop old >log
check "with its $expected sessions" test "$(sessions old)" = "$expected"
copy=$(docker run --rm --volume old:/var/lib/spotter --entrypoint sh "$image" -c 'ls spotter.db.before-v*')
check "a copy of before is kept ($copy)" test -n "$copy"
docker cp old:/var/lib/spotter/spotter.db newer.db
sqlite3 newer.db "PRAGMA user_version = $((${copy##*-v} + 1))"
docker rm old >log
prepare old newer.db
try docker run --rm --volume old:/var/lib/spotter "$image"
check "an older program refuses a newer history with 78" test "$status" = 78
check "and names the command that goes back" said "spotter db restore .*$copy --database"
block "Upgrade, and go back" 2 | sed 's/volume spotter:/volume old:/' >commands
check "which the page has, too" grep -q "db restore .*$copy --database" commands
try eval "$(cat commands)"
check "it works" test "$status" = 0
docker run -d --name old --volume old:/var/lib/spotter "$image" >log
check "the node goes on from there" soon healthy old
docker rm -f old >log
check "with the old sessions" test "$(sessions old)" = "$expected"

echo "the files of compose (read, not run):"
try python3 "$here/check-compose.py" "$here/compose.yaml" "$version" "$(block 'Start a node' 2)"
check "compose.yaml: $(tail -n 1 log)" test "$status" = 0
try docker-compose -f "$here/compose.yaml" config --quiet
check "is right for docker-compose" test "$status" = 0
echo "container: $checks checks passed, $architecture"
