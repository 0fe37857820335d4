#!/usr/bin/env bash
# Makes the key that signs releases, in the GNUPGHOME of whoever runs it, unless there is one:
#
#     deploy/release/key.sh [option of gpg…]
#
# It does not expire: nodes run for years, and one whose key has expired gets no upgrades. gpg puts a revocation
# certificate beside it. gpg asks for a passphrase unless its options say otherwise.
set -euo pipefail
cd "$(dirname "$0")/../.."
name='Spotter releases'
deploy/packages.sh gnupg
fingerprint() {
    gpg --batch --with-colons --list-secret-keys "=$name" 2>/dev/null | awk -F: '$1 == "fpr" { print $10; exit }' || true
}

found=$(fingerprint)
if [ -z "$found" ]; then
    GPG_TTY=$(tty) || GPG_TTY=''
    export GPG_TTY
    gpg "$@" --quick-generate-key "$name" ed25519 sign never
    found=$(fingerprint)
    echo "made the key $found"
    echo "Keep a copy of it away from this machine: gpg --export-secret-keys --armor $found"
else
    echo "there is the key $found already"
fi
echo "sign with it: make release SPOTTER_SIGNING_KEY=$found"
