#!/bin/sh
# A small certificate authority for the fleet: the hub's servers, the gyms, the nodes and the sinks.
#
#   certificates.sh server hub-1 hub-1.example.org 10.0.0.1    a server, with all names and addresses it is reached by
#   certificates.sh client sp-k3v9q2m1xa                       a node, gym-<site> or the sink: the user is the name
#   certificates.sh client sp-k3v9q2m1xa sp-k3v9q2m1xa.2       … with another user, after the first one was stolen
#   certificates.sh revoke sp-k3v9q2m1xa                       takes all certificates of this name back
#   certificates.sh list                                       what was made, until when, and what was taken back
#
# The files lie in the folder $CERTIFICATES (./certificates): ca.crt, <name>.crt, <name>.key and crl.pem. Keep ca.key
# away from the servers. Making a certificate again renews it; the old one stays valid until its end or until it is
# revoked. $DAYS says how long a certificate lasts (400 days), $CA_DAYS how long the authority does (7300 days).
set -eu

folder=${CERTIFICATES:-certificates}
umask 077

fail() {
    echo "certificates.sh: $1" >&2
    exit 1
}

settings() {
    cat <<TEXT
[ca]
default_ca = fleet
[fleet]
dir = .
database = index.txt
new_certs_dir = issued
serial = serial
crlnumber = crlnumber
certificate = ca.crt
private_key = ca.key
default_md = sha256
default_days = ${DAYS:-400}
default_crl_days = 3650
policy = names
unique_subject = no
copy_extensions = none
[names]
commonName = supplied
[req]
distinguished_name = nothing
[nothing]
[authority]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth,clientAuth
subjectAltName = ${names:-DNS:none}
[client]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = clientAuth
subjectAltName = ${names:-DNS:none}
TEXT
}

# The authority is made at the first use.
prepare() {
    mkdir -p "$folder/issued"
    cd "$folder"
    settings >openssl.cnf
    [ -e ca.crt ] && return
    : >index.txt
    echo 1000 >crlnumber
    openssl rand -hex 16 >serial
    openssl ecparam -name prime256v1 -genkey -noout -out ca.key
    openssl req -new -x509 -config openssl.cnf -extensions authority -key ca.key -days "${CA_DAYS:-7300}" \
        -subj "/CN=Spotter fleet" -out ca.crt.part
    mv ca.crt.part ca.crt
    openssl ca -config openssl.cnf -gencrl -out crl.pem 2>/dev/null
    chmod 644 ca.crt crl.pem
}

# issue KIND NAME: makes a key and a certificate; $names holds the alternative names. Both files change at the end.
issue() {
    openssl ecparam -name prime256v1 -genkey -noout -out "$2.key.part"
    openssl req -new -config openssl.cnf -key "$2.key.part" -subj "/CN=$2" -out "$2.csr"
    openssl ca -batch -notext -config openssl.cnf -extensions "$1" -in "$2.csr" -out "$2.crt.part" 2>"$2.log" \
        || fail "the certificate of $2 could not be made: $(cat "$2.log")"
    rm "$2.csr" "$2.log"
    chmod 644 "$2.crt.part"
    mv "$2.key.part" "$2.key"
    mv "$2.crt.part" "$2.crt"
    echo "$folder/$2.crt, $2.key"
}

is_name() {
    printf '%s' "$1" | LC_ALL=C grep -Eq '^[a-z0-9][a-z0-9._-]{0,62}$' \
        || fail "$1 is no name: small letters, digits, . - _"
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
server)
    [ $# -ge 2 ] || fail "server needs its name and the names or addresses that others reach it by"
    name=$1 names=
    is_name "$name"
    shift
    for word in "$@"; do
        case $word in
        *:* | *[!0-9.]*) kind=DNS ;;
        *) kind=IP ;;
        esac
        case $word in *:*) kind=IP ;; esac
        names=$names${names:+,}$kind:$word
    done
    prepare
    issue server "$name"
    ;;
client)
    name=${1:?"client needs a name"}
    is_name "$name"
    is_name "${2:-$name}"
    names=DNS:${2:-$name}
    prepare
    issue client "$name"
    ;;
revoke)
    name=${1:?"revoke needs a name"}
    is_name "$name"
    prepare
    serials=$(awk -F '\t' -v name="/CN=$name" '$1 == "V" && $6 == name { print $4 }' index.txt)
    [ -n "$serials" ] || fail "no certificate of $name is valid"
    for serial in $serials; do openssl ca -config openssl.cnf -revoke "issued/$serial.pem" 2>/dev/null; done
    openssl ca -config openssl.cnf -gencrl -out crl.pem 2>/dev/null
    chmod 644 crl.pem
    echo "$folder/crl.pem: give it to every mosquitto (crlfile); on the hub: users.sh remove"
    ;;
list)
    prepare
    awk -F '\t' '{ print ($1 == "V" ? "valid until 20" substr($2, 1, 6) : "taken back"), substr($6, 5) }' index.txt
    ;;
*) fail "usage: certificates.sh server NAME ADDRESS… | client NAME [USER] | revoke NAME | list" ;;
esac
