#!/usr/bin/env bash
# Installs the Debian packages that the fleet's tests need: the store, a gym's broker, and what the tests are written in.
#
# Tried with Debian 12: PostgreSQL 15.20, psycopg2 2.9.5, paho-mqtt 1.6.1, mosquitto 2.0.11.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec deploy/packages.sh postgresql libpq-dev pkg-config mosquitto mosquitto-clients \
    python3 python3-psycopg2 python3-paho-mqtt python3-jsonschema python3-yaml
