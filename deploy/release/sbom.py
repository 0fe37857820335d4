#!/usr/bin/env python3
"""Writes what a release is made of, as CycloneDX JSON (an SBOM), to standard output:

    deploy/release/sbom.py version commit package.deb…

It names the Debian packages of the release with their checksums, the Swift packages that are linked into the programs
with their revisions (Package.resolved), the Swift runtime, the Debian packages that they depend on, and the networks
with their checksums. Licences are those of deploy/package/debian/copyright, and for Debian's libraries those of LICENSE.
The same input makes the same output: the time is SOURCE_DATE_EPOCH, and the serial number follows from the content.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Debian's names of licences, as SPDX writes them.
SPDX = {
    "Expat": "MIT",
    "Apache-2.0": "Apache-2.0",
    "Apache-2.0 with Runtime Library Exception": "Apache-2.0 WITH Swift-exception",
    "Unicode-3.0": "Unicode-3.0",
}
# What LICENSE says about the libraries of Debian. EDL-1.0 is BSD-3-Clause.
DEBIAN = {
    "libmosquitto": "EPL-2.0 OR BSD-3-Clause",
    "libssl": "Apache-2.0",
    "libv4l": "LGPL-2.1-or-later",
    "libturbojpeg": "BSD-3-Clause AND IJG",
    "libopenblas": "BSD-3-Clause",
    "libsqlite3": "blessing",
    "libjs-chart.js": "MIT",
    "node-qrcode-generator": "MIT",
}


def component(kind, name, reference, version=None, licence=None, sha256=None, **more):
    """A component, without the fields of which nothing is known."""
    fields = {"type": kind, "bom-ref": reference, "name": name, "version": version}
    fields["hashes"] = sha256 and [{"alg": "SHA-256", "content": sha256}]
    fields["licenses"] = licence and [{"expression": licence}]
    return {key: value for key, value in (fields | more).items() if value}


def stanzas():
    """The file patterns of the copyright file, each with its licence and copyright."""
    for text in (ROOT / "deploy/package/debian/copyright").read_text().split("\n\n"):
        fields = dict(re.findall(r"^(Files|Copyright|License): (.*)$", text, re.M))
        if "Files" in fields:
            yield fields["Files"].split(), SPDX[fields["License"]], fields["Copyright"]


def swift_packages():
    licences = {pattern.removesuffix("/*"): rest for patterns, *rest in stanzas() for pattern in patterns}
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        address, state = pin["location"].removesuffix(".git"), pin["state"]
        version = state.get("version", state["revision"])
        licence, copyright_line = licences[pin["identity"]]
        yield component(
            "library", pin["identity"], f"swift:{pin['identity']}", version, licence, copyright=copyright_line,
            purl=f"pkg:swift/{address.split('://')[-1]}@{version}",
            externalReferences=[{"type": "vcs", "url": address}],
            properties=[{"name": "git:revision", "value": state["revision"]}])
    for pattern, (licence, copyright_line) in licences.items():
        if pattern.startswith("runtime/"):
            name = pattern.removeprefix("runtime/")
            yield component("library", name, f"runtime:{name}", licence=licence, copyright=copyright_line)


def debian_packages(files):
    """The packages of the release, what they depend on, and which depends on which."""
    packages, libraries, edges = [], {}, []
    for file in files:
        shown = subprocess.run(
            ["dpkg-deb", "-f", file, "Package", "Version", "Architecture", "Depends"], check=True,
            capture_output=True, text=True).stdout
        fields = dict(re.findall(r"^(\S+): (.*)$", shown, re.M))
        name, version, architecture = fields["Package"], fields["Version"], fields["Architecture"]
        reference = f"deb:{name}:{architecture}"
        digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()
        packages.append(component(
            "application", name, reference, version, "Apache-2.0", digest,
            purl=f"pkg:deb/spotter/{name}@{version}?arch={architecture}"))
        needs = []
        for clause in fields.get("Depends", "").split(", "):
            needed = clause.split(" ")[0]
            needs.append(f"debian:{needed}")
            licence = next((text for prefix, text in DEBIAN.items() if needed.startswith(prefix)), None)
            library = libraries.setdefault(needed, component(
                "library", needed, f"debian:{needed}", licence=licence, purl=f"pkg:deb/debian/{needed}"))
            wanted = {"name": "debian:depends", "value": clause}
            properties = library.setdefault("properties", [])
            if wanted not in properties:
                properties.append(wanted)
        edges.append({"ref": reference, "dependsOn": sorted(set(needs))})
    return packages, [libraries[name] for name in sorted(libraries)], edges


def networks():
    fetched = (ROOT / "Models/fetch.sh").read_text()
    wheel = re.search(r"^package=mediapipe==(\S+)$", fetched, re.M)[1]
    for name, digest in re.findall(r"^(\S+\.tflite) ([0-9a-f]{64}) ", fetched, re.M):
        yield component(
            "machine-learning-model", name, f"network:{name}", wheel, "Apache-2.0", digest,
            supplier={"name": "The MediaPipe authors"}, purl=f"pkg:pypi/mediapipe@{wheel}")
    name = "exercises.safetensors"
    digest = hashlib.sha256((ROOT / "Models" / name).read_bytes()).hexdigest()
    yield component("machine-learning-model", name, f"network:{name}", None, "Apache-2.0", digest)


def main(version, commit, files):
    packages, libraries, edges = debian_packages(files)
    linked = list(swift_packages()) + list(networks())
    edges.append({"ref": "spotter", "dependsOn": [each["bom-ref"] for each in packages + linked]})
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    content = packages + linked + libraries
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([version, commit, content]))
    bill = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": component(
                "application", "spotter", "spotter", version, "Apache-2.0",
                properties=[{"name": "git:revision", "value": commit}]),
        },
        "components": content, "dependencies": edges,
    }
    json.dump(bill, sys.stdout, indent=1, ensure_ascii=False)
    print()


main(sys.argv[1], sys.argv[2], sys.argv[3:])
