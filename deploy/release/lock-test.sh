#!/usr/bin/env bash
# Checks what `make deb` does while another program installs packages and after one was interrupted, in a clean Debian 12
# root, and while another build uses SwiftPM's folder. Needs root for chroot.
#
#     deploy/release/lock-test.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] || { echo "make test-release needs root: it installs packages in a root of its own" >&2; exit 77; }
deploy/packages.sh debootstrap
folder=$(mktemp -d)
product=stand-in-$$
trap 'rm -rf "$folder" ".build/package/program/$product"' EXIT
checks=0
fail() { echo "FAILED: $*" >&2; cat "$folder/log" >&2; exit 1; }
check() { local what=$1; shift; "$@" || fail "$what"; checks=$((checks + 1)); echo "  $what"; }
root=$folder/root
deploy/package/root.sh bookworm "$root"

# Holds one of apt's locks in the root for some seconds.
hold() {
    python3 - "$root/var/$1" "$2" <<'PYTHON' &
import fcntl, sys, time
with open(sys.argv[1], "a") as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    time.sleep(float(sys.argv[2]))
PYTHON
    holder=$!
    sleep 1 # until Python has started
}
# Installs a small package as a build does. Sets status and the seconds that it took.
install() {
    local began=$SECONDS
    status=0
    deploy/package/within.sh "$root" env APT_LOCK_SECONDS="$1" deploy/packages.sh hello >"$folder/log" 2>&1 || status=$?
    seconds=$((SECONDS - began))
}
echo "apt is locked:"
for lock in lib/dpkg/lock-frontend lib/dpkg/lock lib/apt/lists/lock cache/apt/archives/lock; do
    hold $lock 30
    install 3
    check "$lock: ends with 75, after $seconds s" test "$status" = 75 -a "$seconds" -le 15
    check "$lock: says so in one line, and what to do" grep -q 'still installing packages; wait until it has ended, and run again' "$folder/log"
    check "$lock: apt's own words are not shown" test "$(grep -c '^E:' "$folder/log")" = 0
    kill $holder
    wait $holder 2>/dev/null || true
done
hold lib/dpkg/lock-frontend 12
install 60
check "released in time: the package is installed, after $seconds s" test "$status" = 0 -a -x "$root/usr/bin/hello"
check "it said that it waits" grep -q 'is installing packages; waiting up to 60 s' "$folder/log"
wait $holder
deploy/package/within.sh "$root" dpkg --purge hello >/dev/null
# dpkg leaves such a file behind when it is killed.
touch "$root/var/lib/dpkg/updates/0000"
install 3
check "after an interrupted installation: finished first, and the package is installed" \
    test "$status" = 0 -a -x "$root/usr/bin/hello"
check "it said so" grep -q 'an earlier installation of packages was interrupted; finishing it' "$folder/log"
status=0
deploy/package/within.sh "$root" deploy/packages.sh no-such-package >"$folder/log" 2>&1 || status=$?
check "another failure of apt is no lock" test "$status" = 1 -a -n "$(grep 'Unable to locate package' "$folder/log")"

echo "SwiftPM's folder is locked:"
# A toolchain whose swift says SwiftPM's words, which end without a new line, and then makes a program.
real=$(dirname "$(readlink -f "$(command -v swift)")")
mkdir -p "$folder/usr/bin"
ln -s "$real/../lib" "$folder/usr/lib"
for tool in "$real"/*; do [ "${tool##*/}" = swift ] || ln -s "$tool" "$folder/usr/bin/"; done
cat >"$folder/usr/bin/swift" <<'SWIFT'
#!/bin/sh
printf "Another instance of SwiftPM is already running using '/somewhere', waiting until that process has finished execution..." >&2
sleep 3
[ -z "${FAIL:-}" ] || { echo "error: no such target" >&2; exit 1; }
mkdir -p "$SCRATCH/release"
echo '#!/bin/sh' >"$SCRATCH/release/$5"
SWIFT
chmod +x "$folder/usr/bin/swift"
link() { PATH=$folder/usr/bin:$PATH SCRATCH=$folder/scratch deploy/package/link.sh "$product" 2>"$folder/log"; }
program=$(link) &
link=$!
for _ in $(seq 300); do grep -q 'waiting until it has ended' "$folder/log" && break; sleep 0.1; done
check "says so while it waits, and how to build beside it" grep -q 'SCRATCH=.build-deb' "$folder/log"
check "is still waiting then" kill -0 $link
wait $link
program=$(link)
check "goes on when it is free" test -x "$program"
status=0
FAIL=1 link >/dev/null || status=$?
check "a failing build fails, with its last words" test "$status" = 1 -a -n "$(grep 'no such target' "$folder/log")"

echo "another make builds a package:"
mkdir -p .build/package
(flock 9; sleep 3) 9>.build/package/.lock &
sleep 1
PATH=$folder/usr/bin:$PATH SCRATCH=$folder/scratch FAIL=1 deploy/package/build.sh 2>"$folder/log" >&2 || true
check "the second one waits, and says so" grep -q 'another make builds a package.*waiting' "$folder/log"
echo "locks: $checks checks passed"
