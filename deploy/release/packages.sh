#!/usr/bin/env bash
# Copies the sources of all Swift packages that this checkout is built of, without their tests and documents, into a folder:
#
#     deploy/release/packages.sh FOLDER
#
# Package.swift takes the packages from the folder Vendor beside it, where there is one.
set -euo pipefail
folder=$(realpath -m "${1:?usage: packages.sh folder}")
cd "$(dirname "$0")/../.."
scratch=${SCRATCH:-.build}
swift package resolve --scratch-path "$scratch" >/dev/null
mkdir -p "$folder"
# All but sources and licences: git's folders, tests, benchmarks, documents, projects of Xcode.
(cd "$scratch/checkouts" && tar c --sort=name --anchored --no-wildcards-match-slash \
    --exclude='*/Tests' --exclude='*/IntegrationTests' --exclude='*/Benchmarks' --exclude='*/Examples' --exclude='*/Documentation' \
    --exclude='*/docs' --exclude='*/dev' --exclude='*/Scripts' --exclude='*/*.xc*' \
    --no-anchored --exclude='.*' --exclude='*.docc' --exclude='*.png' -- *) | tar x -C "$folder"
# They name each other by address; here they lie side by side.
perl -0pi -e 's#\.package\(\s*url: "https://github\.com/[^/"]+/([^"]+?)(?:\.git)?",(?:[^()]|\([^()]*\))*\)#.package(path: "../$1")#g' \
    "$folder"/*/Package*.swift
cp Package.resolved "$folder/"
