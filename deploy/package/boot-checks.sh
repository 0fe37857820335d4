#!/bin/bash
export SYSTEMD_COLORS=0 SYSTEMD_URLIFY=0
# Runs inside the virtual machine, under systemd. Checks that the service starts, reports its status, feeds the
# watchdog and is confined.
exec >/dev/ttyS0 2>&1
fail() {
    echo "service checks: FAILED: $*"
    systemctl status --no-pager -l spotter
    journalctl --no-pager -u spotter | tail -40
    exit 1
}
state() { systemctl show -P "$1" spotter; }
# Waits until a property has a value.
until_is() {
    for _ in $(seq "$3"); do
        [[ "$(state "$1")" == $2 ]] && return
        sleep 1
    done
    fail "$1 is '$(state "$1")', not '$2', after $3 s"
}
echo "service checks: systemd $(systemctl --version | head -1), up for $(cut -d' ' -f1 /proc/uptime) s"
systemctl start spotter || fail "does not start"
echo "  ready without a broker, as $(stat -c %U /proc/"$(state MainPID)")"
until_is StatusText 'rack-1: * frames/s*' 60
echo "  status: $(state StatusText)"
# The camera existed before the udev rules.
udevadm trigger --settle --subsystem-match=video4linux
[ "$(systemctl show -P ActiveState dev-video0.device)" = active ] || fail "systemd does not know the camera"
[ "$(stat -c '%G %a' /dev/video0)" = "video 660" ] || fail "the camera's group"
echo "  memory: $(($(state MemoryCurrent) >> 20)) MB of $(($(state MemoryMax) >> 20)), threads: $(state TasksCurrent) of $(state TasksMax)"
[ "$(stat -c '%U %a' /var/lib/spotter)" = "spotter 750" ] || fail "the history's folder"
pid=$(state MainPID)
tr '\0' '\n' <"/proc/$pid/environ" | grep -q '^CREDENTIALS_DIRECTORY=' || fail "no credentials"
[ "$(grep -c . "/run/credentials/spotter.service/mqtt-password")" = 1 ] || fail "the password did not arrive"
echo "  the password is there, and nobody else's: $(stat -c '%U %a' /run/credentials/spotter.service/mqtt-password)"
grep -q 'Seccomp:.*2' "/proc/$pid/status" || fail "no system call filter"
journalctl --no-pager -u spotter | grep -i 'priority' && fail "the confinement forbids what the program does"
spotter doctor | grep -E 'permissions|camera|running|database' | sed 's/^/  | /'
# There is no curl. A fake name must be refused, which also shows that the answer is the page's own.
page() {
    exec 3<>/dev/tcp/127.0.0.1/8080 || fail "nobody listens at the page's port"
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$1" "$2" >&3
    head -1 <&3 | grep -q "HTTP/1.1 $3" || fail "the page at $1 for $2 does not answer $3"
    exec 3>&-
}
page / 127.0.0.1 200
page / gym.example.org 421
page /assets/chart.js 127.0.0.1 200
spotter web password >/dev/null || fail "no password"
page / 127.0.0.1 303
[ "$(stat -c '%U %a' /var/lib/spotter/web-passwords.json)" = "spotter 600" ] || fail "the page's password file"
rm /var/lib/spotter/web-passwords.json
echo "  the page answers within the confinement, and asks for a password once there is one"

printf '[node]\nsite = "berlin"\n' >/etc/spotter/conf.d/site.toml
systemctl reload spotter
sleep 8
[ "$(state MainPID)" = "$pid" ] && [ "$(state ActiveState)" = active ] || fail "reload: $(state ActiveState), process $(state MainPID) for $pid"
until_is StatusText 'rack-1: * frames/s*' 30
echo "  reloaded in the same process, restarts: $(state NRestarts)"

kill -9 "$pid"
until_is NRestarts 1 30
until_is ActiveState active 30
until_is StatusText 'rack-1: * frames/s*' 60
echo "  killed: is back"

# A stopped process does not feed the watchdog.
kill -STOP "$(state MainPID)"
began=$SECONDS
until_is NRestarts 2 200
echo "  standing still: restarted after $((SECONDS - began)) s"
until_is StatusText 'rack-1: * frames/s*' 60

printf 'nonsense = 1\n' >/etc/spotter/conf.d/site.toml
systemctl restart spotter
sleep 8
[ "$(state ActiveState)/$(state ExecMainStatus)" = failed/78 ] || fail "wrong configuration: $(state ActiveState), $(state ExecMainStatus)"
echo "  wrong configuration: ends with 78 and is not started again"
rm /etc/spotter/conf.d/site.toml
systemctl reset-failed spotter
systemctl start spotter
until_is StatusText 'rack-1: * frames/s*' 60
began=$SECONDS
systemctl stop spotter || fail "does not stop"
[ "$(state Result)" = success ] || fail "stopping: $(state Result)"
echo "  stops in $((SECONDS - began)) s"
[ -s /var/lib/spotter/spotter.db ] || fail "no history"
echo "service checks: passed"
