#!/usr/bin/env python3
"""Reads a compose file, and checks that it says what the page says and names files that are there:

    check-compose.py compose.yaml version "docker run …"
"""

import sys
from pathlib import Path

import yaml


def main(path, version, command):
    text = yaml.safe_load(Path(path).read_text())
    node = text["services"]["spotter"]
    assert node["image"] == f"spotter:{version}", f"the image is {node['image']}"
    # Each of these options stands in the page's command as well.
    for option, key in {
        "--read-only": "read_only", "--tmpfs /tmp": "tmpfs", "--cap-drop ALL": "cap_drop", "no-new-privileges": "security_opt",
        "--device /dev/video0": "devices", "--group-add": "group_add", "--restart unless-stopped": "restart",
        "/var/lib/spotter": "volumes", "/etc/spotter/conf.d/gym.toml:ro": "volumes", "8080:8080": "ports",
    }.items():
        assert option in command and key in node, f"{option} and {key} are not in both"
    named = set(text["volumes"])
    mounts = [(name, mount) for name, service in text["services"].items() for mount in service.get("volumes", [])]
    for name, mount in mounts:
        source = mount.split(":")[0]
        made = source in ("./passwords",)  # by the page's commands
        assert source in named or made or (Path(path).parent / source).exists(), f"{name}: {source} is not there"
    for name, service in text["services"].items():
        for other in service.get("depends_on", []):
            assert other in text["services"], f"{name} waits for {other}, which is no service"
        for secret in service.get("secrets", []):
            assert secret in text["secrets"], f"{name}: no secret {secret}"
    print(f"{len(text['services'])} services, {len(mounts)} mounts")


if __name__ == "__main__":
    main(*sys.argv[1:])
