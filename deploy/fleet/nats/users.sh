#!/bin/sh
# Keeps the hub's users: a list of members, from which it writes users.conf with each member's rights.
#
#   users.sh add node berlin sp-k3v9q2m1xa    a node that speaks to the hub itself; its user is its id
#   users.sh add gym berlin                   a gym whose mosquitto forwards for its nodes: gym-berlin
#   users.sh add sink hq                      the sink, with the consumer's name: hq
#   users.sh add dashboard wall               reads everything and sends commands: wall
#   users.sh add operator operator            limits the hub's queue with limit.py, on a server only
#   users.sh remove sp-k3v9q2m1xa             by its user
#   users.sh write                            writes users.conf; add and remove do it too
#
# `add` prints a password once and keeps its hash. With --certificate there is none: the certificate has the user as its
# name. --user NAME takes another user name. The files lie in the folder $HUB (/etc/spotter-hub), the same on all three
# servers. Afterwards: nats-server --signal reload.
set -eu

folder=${HUB:-/etc/spotter-hub}
members=$folder/members
umask 027

fail() {
    echo "users.sh: $1" >&2
    exit 1
}

# is_id WORD: whether it may stand in a topic. A dot or a wildcard would reach beyond the member's own subjects.
is_id() {
    printf '%s' "$1" | LC_ALL=C grep -Eq '^[a-z0-9][a-z0-9_-]{0,62}$'
}

hash_of() {
    # The password is random and long, so one cheap round is enough; a costly hash would slow down thousands of logins.
    # shellcheck disable=SC2016 # Perl's variables, not the shell's.
    perl -e 'open my $r, "<", "/dev/urandom" or die; read $r, my $b, 22; my @c = ("a".."z", "A".."Z", 0..9);
        print crypt($ARGV[0], "\$2b\$04\$" . join "", map { $c[ord($_) % 62] } split //, $b)' "$1"
}

add() {
    role=${1:-} secret=password user=
    shift || true
    case $role in
    node) words=2 ;;
    gym | sink | dashboard | operator) words=1 ;;
    *) fail "add needs a role: node, gym, sink, dashboard or operator" ;;
    esac
    [ $# -ge $words ] || fail "add $role needs $words name(s)"
    site=- name=$1
    [ "$role" = node ] && site=$1 && name=$2
    shift "$words"
    while [ $# -gt 0 ]; do
        case $1 in
        --certificate) secret=- ;;
        --user) user=${2:?"--user needs a name"} && shift ;;
        *) fail "unknown word $1" ;;
        esac
        shift
    done
    is_id "$name" || fail "$name is no id: small letters, digits, - and _, at most 63, no dot"
    [ "$site" = - ] || is_id "$site" || fail "$site is no id: small letters, digits, - and _, at most 63, no dot"
    [ -n "$user" ] || user=$name
    [ "$role" = gym ] && [ "$user" = "$name" ] && user=gym-$name
    printf '%s' "$user" | LC_ALL=C grep -Eq '^[a-z0-9][a-z0-9._-]{0,127}$' || fail "$user is no user name"
    [ -e "$members" ] || : >"$members"
    awk -v user="$user" '$4 == user { exit 1 }' "$members" || fail "the user $user exists: remove it first"
    if [ "$secret" = password ]; then
        word=$(head -c 18 /dev/urandom | base64 | tr '+/' '-_')
        secret=$(hash_of "$word")
        echo "user $user, password $word"
    fi
    echo "$role $site $name $user $secret" >>"$members"
}

remove() {
    awk -v user="$1" '$4 == user { found = 1 } END { exit !found }' "$members" || fail "there is no user $1"
    awk -v user="$1" '$4 != user' "$members" >"$members.part"
    mv "$members.part" "$members"
}

# Rights are NATS subjects: the levels of the topic with dots between them. Nobody gets a right that ends with `>`
# below a place where somebody else writes. Nodes and gyms cannot publish live predictions and pictures at all.
write() {
    awk '
    function list(base, leaves, count, words, i, text) {
        count = split(leaves, words, " ")
        for (i = 1; i <= count; i++) text = text (i > 1 ? ", " : "") "\"" base words[i] "\""
        return text
    }
    function rights(publish, subscribe) {
        return "permissions: {publish: {allow: [" publish "]}, subscribe: {allow: [" subscribe "]}}"
    }
    BEGIN {
        said = "status info health log rec.* res.* cam.*.status cam.*.state cam.*.counts cam.*.event cam.*.enabled"
        heard = "cmd.* ack.* status cam.*.status cam.*.enabled.set"
        print "# Written by users.sh from the list of members. Do not edit."
        print "SYS: {}"
        print "SPOTTER: {\n    jetstream: enabled\n    users: ["
    }
    NF == 5 && $1 !~ /^#/ {
        kind = "MQTT"
        if ($1 == "node") {
            base = "spotter.v1." $2 "." $3 "."
            granted = rights(list(base, said), list(base, heard))
        } else if ($1 == "gym") {
            base = "spotter.v1." $3 "."
            all = list(base "*.", said)
            granted = rights(all ", \"" base "_bridge.state\"", list(base "*.", "cmd.* ack.*"))
        } else if ($1 == "sink") {
            granted = rights(list("spotter.v1.*.*.", "ack." $3 " cmd.sync"), \
                list("spotter.v1.*.*.", "rec rec.> status info health"))
        } else if ($1 == "dashboard") {
            granted = rights("\"spotter.v1.*.*.cmd.*\"", "\"spotter\", \"spotter.>\"")
        } else if ($1 == "operator") {
            # The port for this kind of connection is open to the server itself only.
            kind = "STANDARD"
            granted = rights(list("$JS.API.STREAM.", "INFO.$MQTT_msgs UPDATE.$MQTT_msgs"), "\"_INBOX.limit\"")
        } else next
        secret = $5 == "-" ? "" : ", password: \"" $5 "\""
        printf "        {user: \"%s\"%s, allowed_connection_types: [\"%s\"],\n         %s}\n", \
            $4, secret, kind, granted
    }
    END { print "    ]\n}" }' "$members" >"$folder/users.conf.part"
    mv "$folder/users.conf.part" "$folder/users.conf"
}

case ${1:-} in
add) shift && add "$@" ;;
remove) remove "${2:?"remove needs a user"}" ;;
write) ;;
*) fail "usage: users.sh add ROLE NAME… | remove USER | write" ;;
esac
write
