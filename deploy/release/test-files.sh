# shellcheck shell=bash disable=SC2154
# Part of test.sh: the files of the release.
try make_release -o "$folder/second"
check "a second one is the same but for the signatures" diff -r -x '*.asc' -x '*.gpg' -x InRelease "$release" "$folder/second"
rm -r "$folder/second"

verify() { gpgv --keyring "$release/apt/spotter.gpg" "$release/SHA256SUMS.asc" "$release/SHA256SUMS"; }
sums() { (cd "$release" && sha256sum --check --strict SHA256SUMS); }
try verify
check "the signature of SHA256SUMS is right" test "$status" = 0
try sums
check "the sums are right" test "$status" = 0
listed() { diff <(cd "$release" && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%f\n' | sort) <(awk '{ print $2 }' "$release/SHA256SUMS" | sort); }
check "every file has one" listed
cp "$release/NOTES.md" "$folder/notes"
echo >>"$release/NOTES.md"
try sums
check "a changed file is found" test "$status" = 1 -a -n "$(grep 'NOTES.md: FAILED' "$folder/log")"
cp "$folder/notes" "$release/NOTES.md"
cp "$release/SHA256SUMS" "$folder/sums"
echo "$(sha256sum <CHANGELOG.md | cut -d' ' -f1)  more" >>"$release/SHA256SUMS"
try verify
check "changed sums are found" test "$status" != 0
cp "$folder/sums" "$release/SHA256SUMS"

python3 - "$release/spotter-$version.cdx.json" "$release" Package.resolved Models/fetch.sh <<'PYTHON' >"$folder/log" 2>&1 || fail "the SBOM"
import hashlib, json, pathlib, re, sys
bill, release, resolved, fetch = (pathlib.Path(each) for each in sys.argv[1:])
parts = json.loads(bill.read_text())["components"]
named = {(part["name"], part.get("version"), part.get("properties", [{}])[0].get("value")) for part in parts}
for pin in json.loads(resolved.read_text())["pins"]:
    assert (pin["identity"], pin["state"]["version"], pin["state"]["revision"]) in named, pin["identity"]
sums = {part["hashes"][0]["content"] for part in parts if "hashes" in part}
for deb in release.glob("*.deb"):
    assert hashlib.sha256(deb.read_bytes()).hexdigest() in sums, deb
networks = re.findall(r"^\S+\.tflite ([0-9a-f]{64}) ", fetch.read_text(), re.M)
assert len(networks) == 2 and sums.issuperset(networks)
assert all("licenses" in part for part in parts if part["bom-ref"].startswith(("swift:", "network:")))
assert {"libssl3", "libpq5", "libopenblas0"} <= {part["name"] for part in parts}
PYTHON
check "the SBOM names every Swift package with its revision" true
check "and the packages and networks with their checksums" true

mkdir "$folder/sources"
tar xzf "$release/spotter-$version.tar.gz" -C "$folder/sources"
sources=$folder/sources/spotter-$version
check "the sources are those of the commit" test "$(cd "$sources" && find . -path ./Vendor -prune -o \( -type f -o -type l \) -print | wc -l)" \
    = $(($(git ls-tree -r HEAD | wc -l) + 3))
check "with the pose networks" sh -c 'cd "$1/Models" && grep -E "^[0-9a-f]{64}  " NOTICE | sha256sum --check --strict' - "$sources"
check "with the versions of the Swift packages" cmp Package.resolved "$sources/Package.resolved"
check "and their sources" test "$(find "$sources/Vendor" -maxdepth 2 -name Package.swift | wc -l)" = "$(grep -c '"identity"' Package.resolved)"
check "the notes are those of this version" test "$(grep -c '^## \[' "$release/NOTES.md")" = 0 -a "$(head -1 "$release/NOTES.md")" = "# Spotter $version"
check "and name the key" grep -q "$key" "$release/NOTES.md"
