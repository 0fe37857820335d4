#!/usr/bin/env bash
# Installs, runs, upgrades, removes and purges the package in clean Debian 12 and 13 roots. Needs root for chroot.
#
#     deploy/package/test.sh package.deb newer.deb [suite…]
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] || { echo "make test-deb needs root: it installs the package in a root of its own" >&2; exit 77; }
deploy/packages.sh debootstrap
package=$(realpath "$1") newer=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- bookworm trixie
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
# Run in the root's top folder, so that only installed files are used and none of this checkout.
checkout=$PWD
within() { (cd / && exec "$checkout/deploy/package/within.sh" "$root" "$@"); }
check() { local what=$1; shift; "$@" || fail "$suite: $what"; echo "  $what"; }
install() { within apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >"$folder/log" 2>&1 || { tail -20 "$folder/log" >&2; fail "$suite: installing $*"; }; }
# Run the service's command as its user, with its folder.
unit() { sed -n "s/^$1=//p" "$root/usr/lib/systemd/system/spotter.service" "$root/lib/systemd/system/spotter.service" 2>/dev/null | head -1; }
serve() { within sh -c "cd $(unit WorkingDirectory) && umask $(unit UMask) && exec setpriv --reuid $(unit User) --regid $(unit Group) --init-groups --no-new-privs $(unit ExecStart)"; }
sessions() { within spotter history sessions --json | grep -c '"id"' || true; }
# The status of an answer of the page.
page() { local path=$1; shift; curl -s -o "$folder/answer" -w '%{http_code}' "$@" "http://127.0.0.1:8080$path"; }
# Starts the service as it is after installation, and asks for its page. Run it in a network of its own.
check_page() {
    ip link set lo up
    serve >"$folder/log" 2>&1 &
    for _ in $(seq 150); do [ "$(page /)" = 200 ] && break; sleep 0.2; done
    [ "$(page /)" = 200 ] || cat "$folder/log" >&2
    check "the page answers on 127.0.0.1:8080" test "$(page /)" = 200
    check "its charts are there" test "$(page /assets/chart.js)" = 200
    check "its QR codes are there" test "$(page /assets/qrcode.js)" = 200
    check "it answers to no foreign name" test "$(page / -H 'Host: gym.example.org')" = 421
    local link
    link=$(within spotter web url --role viewer 2>/dev/null)
    check "spotter web url prints a link" grep -Eqx 'http://127\.0\.0\.1:8080/enter\?token=[0-9a-f]{32}' <<<"$link"
    within spotter web password >"$folder/password" 2>/dev/null
    check "only the service's user reads the password file" test "$(within stat -c '%U %a' /var/lib/spotter/web-passwords.json)" = "spotter 600"
    check "with a password the page asks for it" test "$(page /)" = 303
    # A new password ends every link.
    link=$(within spotter web url --role viewer 2>/dev/null)
    local json=(-H 'Content-Type: application/json' -H 'Origin: http://127.0.0.1:8080')
    check "the link logs in" test "$(page /api/v1/enter "${json[@]}" -d "{\"token\": \"${link#*=}\"}")" = 200
    check "once" test "$(page /api/v1/enter "${json[@]}" -d "{\"token\": \"${link#*=}\"}")" = 401
    check "so does the password" test "$(page /api/v1/login "${json[@]}" -d "{\"password\": \"$(cat "$folder/password")\"}")" = 200
    within rm /var/lib/spotter/web-passwords.json
}
contents() { (cd "$root/etc/spotter" && find . -type f -print0 | sort -z | xargs -0 sha256sum); }

for suite in "$@"; do
    root=$folder/$suite
    deploy/package/root.sh "$suite" "$root"
    echo "$suite ($(cat "$root/etc/debian_version")):"
    cp "$package" "$newer" "$root/root/"
    within apt-get update -qq
    install "/root/$(basename "$package")"
    check "is installed without ffmpeg and mosquitto" test ! -e "$root/usr/bin/ffmpeg"
    check "every library is found" sh -c "! chroot '$root' ldd /usr/bin/spotter | grep 'not found'"
    check "the version is the package's" test "$(within spotter --version)" = "$(within dpkg-query -W -f '${Version}' spotter)"
    check "the shipped configuration is right" within spotter config check --quiet
    check "the history's folder is the user's own" test "$(within stat -c '%U:%G %a' /var/lib/spotter)" = "spotter:spotter 750"
    check "only root reads credentials" test "$(within stat -c '%U %a' /etc/spotter/credentials)" = "root 700"
    check "the user may use cameras" sh -c "grep -q '^video:.*spotter' '$root/etc/group'"
    check "the unit is sound" within systemd-analyze verify --man=no /usr/lib/systemd/system/spotter.service
    check "exposure is 1.7 at most" within systemd-analyze security --offline=true --no-pager --threshold=17 /usr/lib/systemd/system/spotter.service >"$folder/security"
    echo "    $(grep -o 'Overall.*' "$folder/security")"
    check "there are manual pages and completions" test -e "$root/usr/share/man/man1/spotter-run.1.gz" -a -e "$root/usr/share/man/man5/spotter.toml.5.gz" -a -e "$root/usr/share/bash-completion/completions/spotter"

    export -f page check_page serve within unit check fail
    suite=$suite root=$root folder=$folder checkout=$checkout unshare --net --pid --fork --kill-child bash -euo pipefail -c check_page

    # An operator's override, with a clip instead of a camera.
    cp Tests/Fixtures/clips/demo.mp4 "$root/srv/clip.mp4"
    chmod 644 "$root/srv/clip.mp4"
    printf '[[camera]]\nid = "rack-1"\nsource = "/srv/clip.mp4"\n[node]\nsite = "berlin"\ntime_zone = "Europe/Berlin"\n' >"$root/etc/spotter/conf.d/gym.toml"
    printf '\n# a remark of the operator\n' >>"$root/etc/spotter/config.toml"
    status=0; serve >"$folder/log" 2>&1 || status=$?
    check "without ffmpeg it ends with 69 and says how to get it" test "$status" = 69 -a -n "$(grep 'apt-get install ffmpeg' "$folder/log")"
    install ffmpeg
    status=0; serve >"$folder/log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || cat "$folder/log" >&2
    check "the service's command recognises a clip as its user" test "$status" = 0
    found=$(sessions)
    check "and stores $found session(s)" test "$found" -ge 1
    within spotter history actions | sed 's/^/    /'
    check "the history belongs to the user" test "$(within stat -c '%U' /var/lib/spotter/spotter.db)" = spotter
    before=$(contents)

    install "/root/$(basename "$newer")"
    check "upgraded to $(within dpkg-query -W -f '${Version}' spotter)" test "$(within dpkg-query -W -f '${Version}' spotter)" != "$(dpkg-deb -f "$package" Version)"
    check "the configuration survives the upgrade" test "$(contents)" = "$before"
    check "the history survives the upgrade" test "$(sessions)" = "$found"
    serve >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "$suite: the upgraded service"; }
    check "the upgraded service goes on with it" test "$(sessions)" -gt "$found"
    found=$(sessions)

    within apt-get remove -y -qq spotter >"$folder/log" 2>&1 || fail "$suite: removing"
    check "the configuration survives removal" test "$(contents)" = "$before"
    check "the history survives removal" test -s "$root/var/lib/spotter/spotter.db" -a ! -e "$root/usr/bin/spotter"
    install "/root/$(basename "$newer")"
    check "and is there again after installing" test "$(sessions)" = "$found"
    within apt-get purge -y -qq spotter >"$folder/log" 2>&1 || fail "$suite: purging"
    check "purging says where the history was" grep -q 'The history was in /var/lib/spotter' "$folder/log"
    check "and leaves nothing" test ! -e "$root/var/lib/spotter" -a ! -e "$root/etc/spotter" -a ! -e "$root/usr/share/spotter"
    mkdir -p ".build/roots/$suite-$(dpkg --print-architecture).archives"
    cp -n "$root"/var/cache/apt/archives/*.deb ".build/roots/$suite-$(dpkg --print-architecture).archives/" 2>/dev/null || true
    rm -rf "$root"
done
echo "the package is right on: $*"
