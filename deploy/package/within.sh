#!/usr/bin/env bash
# Runs a command in a Debian root, in the current folder: this checkout is mounted in the root at the same path.
# Leaves nothing mounted or running.
#
#     deploy/package/within.sh root command…
set -euo pipefail
checkout=$(realpath "$(dirname "$0")/../..") root=$(realpath "$1") folder=$PWD
shift
mkdir -p "$root$checkout"
exec unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" sh -ec '
    mount --bind "$1" "$2$1"
    root=$2 folder=$3
    shift 3
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${SOURCE_DATE_EPOCH:+SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH} sh -c "cd \"\$0\" 2>/dev/null || cd /; exec \"\$@\"" "$folder" "$@"' \
    - "$checkout" "$root" "$folder" "$@"
