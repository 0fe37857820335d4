#!/usr/bin/env bash
# Checks what the documents say with the programs of others: Prometheus reads a node and answers the dashboard's questions,
# GStreamer's RTSP server is a network camera, and Home Assistant takes the files for it (as root, because it runs in a root
# with Debian 13).
#
#   test.sh path/to/spotter
set -euo pipefail
spotter=$(realpath "${1:?usage: test.sh path/to/spotter}")
cd "$(dirname "$0")/../.."
deploy/packages.sh mosquitto prometheus ffmpeg gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-base \
    gstreamer1.0-plugins-good gstreamer1.0-plugins-bad
status=0
/usr/bin/python3 Tests/Recipes/grafana_test.py "$spotter" || status=1
/usr/bin/python3 Tests/Recipes/rtsp_test.py "$spotter" || status=1
if [ "$(id -u)" -eq 0 ]; then
    Tests/Recipes/home_assistant.sh "$spotter" || status=1
else
    echo "Home Assistant was left out: it needs root"
fi
exit "$status"
