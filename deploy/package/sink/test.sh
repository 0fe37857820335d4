#!/usr/bin/env bash
# Installs the package of spotter-sink in clean Debian roots, runs it with PostgreSQL and mosquitto of the same root,
# upgrades, removes and purges it. Needs root for chroot. Everything runs in a network of its own.
#
#     deploy/package/sink/test.sh package.deb newer.deb [suite…]
set -euo pipefail
cd "$(dirname "$0")/../../.."
[ "$(id -u)" -eq 0 ] || { echo "make test-deb-sink needs root: it installs the package in a root of its own" >&2; exit 77; }
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
serve() { unshare --net sh -c 'ip link set lo up; exec "$@"' - deploy/package/within.sh "$root" bash /root/serve.sh "$1"; }
# shellcheck disable=SC2016 # dpkg-query's format
version() { within dpkg-query -W -f '${Version}' "${1:-spotter-sink}"; }
contents() { (cd "$root/etc/spotter-sink" && find . -type f -print0 | sort -z | xargs -0 sha256sum); }

for suite in "$@"; do
    root=$folder/$suite
    deploy/package/root.sh "$suite" "$root"
    echo "$suite ($(cat "$root/etc/debian_version")):"
    cp "$package" "$newer" deploy/package/sink/serve.sh "$root/root/"
    within apt-get update -qq
    install "/root/$(basename "$package")"
    check "is installed without PostgreSQL's and mosquitto's servers" test ! -e "$root/usr/sbin/mosquitto" -a ! -e "$root/usr/lib/postgresql"
    check "every library is found" sh -c "! chroot '$root' ldd /usr/bin/spotter-sink | grep 'not found'"
    check "the version is the package's" test "$(within spotter-sink --version)" = "$(version)"
    check "the shipped configuration is right" within spotter-sink config check --quiet
    check "only the user reads credentials" test "$(within stat -c '%U:%G %a' /etc/spotter-sink/credentials)" = "root:spotter_sink 750"
    unit=/usr/lib/systemd/system/spotter-sink.service
    check "the unit is sound" within systemd-analyze verify --man=no $unit
    check "exposure is 1.7 at most" within systemd-analyze security --offline=true --no-pager --threshold=17 $unit >"$folder/security"
    echo "    $(grep -o 'Overall.*' "$folder/security")"
    check "there are manual pages and completions" test -e "$root/usr/share/man/man1/spotter-sink-run.1.gz" -a -e "$root/usr/share/man/man5/spotter-sink.toml.5.gz" -a -e "$root/usr/share/bash-completion/completions/spotter-sink"
    status=0; within spotter-sink run --once >"$folder/log" 2>&1 || status=$?
    check "without PostgreSQL --once ends with 69" test "$status" = 69

    install postgresql mosquitto mosquitto-clients sudo curl
    echo "  with PostgreSQL $(version postgresql) and mosquitto $(version mosquitto):"
    serve first || fail "$suite: the sink at work"

    printf '\n# a remark of the operator\n' >>"$root/etc/spotter-sink/sink.toml"
    within sh -c 'echo "db.example.org:5432:spotter:spotter_sink:secret" | install -m 600 -o spotter_sink /dev/stdin /etc/spotter-sink/credentials/pgpass'
    before=$(contents)
    install "/root/$(basename "$newer")"
    check "upgraded to $(version)" test "$(version)" != "$(dpkg-deb -f "$package" Version)"
    check "the configuration survives the upgrade" test "$(contents)" = "$before"
    serve again || fail "$suite: the upgraded sink"

    within apt-get remove -y -qq spotter-sink >"$folder/log" 2>&1 || fail "$suite: removing"
    check "the configuration survives removal" test "$(contents)" = "$before" -a ! -e "$root/usr/bin/spotter-sink"
    within apt-get purge -y -qq spotter-sink >"$folder/log" 2>&1 || fail "$suite: purging"
    check "purging leaves nothing" test ! -e "$root/etc/spotter-sink" -a ! -e "$root/usr/lib/sysusers.d/spotter-sink.conf"
    check "but the database" sh -c "ls '$root'/var/lib/postgresql/*/main/base >/dev/null"
    mkdir -p ".build/roots/$suite-$(dpkg --print-architecture).archives"
    cp -n "$root"/var/cache/apt/archives/*.deb ".build/roots/$suite-$(dpkg --print-architecture).archives/" 2>/dev/null || true
    rm -rf "$root"
done
echo "the package of spotter-sink is right on: $*"
