#!/usr/bin/env bash
# Generates a program's man pages and completions into the stage of its package:
#
#     deploy/package/describe.sh name program settings version stage
#
# The program must run on this machine; it is asked for its help. settings is the shipped file, which has every key.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=$1 program=$2 settings=$3 version=$4 stage=$5
mkdir -p "$stage"/{man,completions}
"$program" --experimental-dump-help >"$stage/help.json"
date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)
deploy/package/manual.py "$stage/help.json" "$settings" "$version" "$date" "$stage/man"
"$program" --generate-completion-script bash | sed '1{/^#!/d}' >"$stage/completions/$name"
"$program" --generate-completion-script zsh >"$stage/completions/_$name"
"$program" --generate-completion-script fish >"$stage/completions/$name.fish"
