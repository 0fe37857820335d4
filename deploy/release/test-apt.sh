# shellcheck shell=bash disable=SC2154,SC2034,SC2016
# Part of test.sh: the apt repository, in clean roots.
address=https://packages.example.org/spotter
# The README's block of commands, for the address at which the repository is offered here. There is no sudo in a root.
python3 -u - "$folder/offered" >"$folder/port" 2>"$folder/requests" <<'PYTHON' &
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_port)
server.serve_forever()
PYTHON
server=$!
for _ in $(seq 100); do [ -s "$folder/port" ] && break; sleep 0.1; done
here=http://127.0.0.1:$(cat "$folder/port")
awk '/^```sh$/ { block = ""; inside = 1; next } /^```$/ { if (inside && block ~ /keyrings/) { printf "%s", block; exit } inside = 0 }
    inside { block = block $0 "\n" }' README.md | sed -e "s|$address|$here|" -e 's/^sudo //' >"$folder/readme.sh"
[ "$(grep -c "$here" "$folder/readme.sh")" = 2 ] || fail "README.md does not say how to add $address"

offer() { rm -rf "$folder/offered"; cp -r "$1" "$folder/offered"; }
# Run in the root's top folder, so that none of this checkout is used.
checkout=$PWD
within() { (cd / && exec "$checkout/deploy/package/within.sh" "$root" "$@"); }
# Fetches the package anew. Only the lists of this source are read, and nothing is known before.
fetch() {
    within sh -c 'rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/spotter*'
    try within sh -c 'only="-o Dir::Etc::sourcelist=/dev/null -o APT::Update::Error-Mode=any"
        apt-get update $only && apt-get install $only -y --reinstall --download-only spotter'
}
# What apt says to a repository that somebody changed.
refused() {
    local what=$1 words=$2
    fetch
    check "$what" test "$status" != 0
    check "  because: $(grep -Eom1 "$words" "$folder/log" || echo "something else")" said "$words"
}
mkdir -m 700 "$folder/other"
gpg --homedir "$folder/other" --batch --pinentry-mode loopback --passphrase '' --quick-generate-key Somebody ed25519 sign never 2>"$folder/log"
newer=$folder/newer/spotter_$version+1_amd64.deb
mkdir "$folder/newer"
again "$packages/spotter_${version}_amd64.deb" Version "$version+1" "$newer"
deploy/release/apt.sh "$folder/newer/apt" "$key" "$newer" >"$folder/log" 2>&1 || fail "a newer repository"

for suite in "$@"; do
    root=$folder/$suite
    deploy/package/root.sh "$suite" "$root"
    echo "$suite ($(cat "$root/etc/debian_version")):"
    offer "$release/apt"
    # What a usual system has. Questions are answered, and the 200 MB of ffmpeg are not needed.
    printf 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\nAcquire::Retries "0";\nDpkg::Use-Pty "0";\n' >"$root/etc/apt/apt.conf.d/99test"
    within apt-get update -qq
    try within apt-get install -qq wget
    cp "$folder/readme.sh" "$root/root/"
    try within sh -e /root/readme.sh
    check "the README's commands install the package" test "$status" = 0
    check "it runs, and has the version $version" test "$(within spotter --version)" = "$version"
    check "it comes from the repository" sh -c "'$checkout/deploy/package/within.sh' '$root' apt-cache policy spotter | grep -q '$here stable/main amd64'"
    check "apt has nothing to complain about" test "$(grep -E '^[WE]:' "$folder/log")" = ''
    try within apt-get install -qq --simulate spotter-sink
    check "the sink can be installed, too" test "$status" = 0
    try within sh -c 'apt-get update -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 && apt-cache -o APT::Architecture=arm64 -o APT::Architectures=arm64 show spotter'
    check "on arm64 the package is that of arm64" said '^Filename: .*_arm64.deb'
    fetch
    check "the package can be fetched again" test "$status" = 0
    lists=$folder/offered/dists/stable
    offer "$release/apt"
    printf '\1' | dd of="$(echo "$folder"/offered/pool/main/s/spotter/*_amd64.deb)" bs=1 seek=5000 conv=notrunc status=none
    refused "a changed package is refused" 'Hash Sum mismatch'
    offer "$release/apt"
    sed -i 's/^Description: /&not /' "$lists/main/binary-amd64/Packages"
    gzip -9nkf "$lists/main/binary-amd64/Packages"
    refused "changed Packages are refused" 'Hash Sum mismatch|File has unexpected size'
    offer "$release/apt"
    sed -i 's/^Label: Spotter/Label: Another/' "$lists/InRelease" "$lists/Release"
    refused "a changed Release is refused" 'BADSIG|Message has been manipulated|invalid signature|not signed|bad signature'
    offer "$release/apt"
    rm "$lists/InRelease" "$lists/Release.gpg"
    refused "a missing signature is refused" 'is not signed'
    offer "$release/apt"
    gpg --homedir "$folder/other" --batch --yes --armor --clearsign -o "$lists/InRelease" "$lists/Release"
    rm "$lists/Release.gpg"
    refused "the signature of another key is refused" 'NO_PUBKEY|Missing key|not signed'
    offer "$folder/newer/apt"
    try within sh -c 'apt-get update -qq && apt-get install -qq --only-upgrade spotter && dpkg-query -W spotter'
    check "a newer release is an upgrade" said "$version\+1$"
    rm -rf "$root"
done
