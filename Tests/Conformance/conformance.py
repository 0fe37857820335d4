#!/usr/bin/env python3
"""Checks any Spotter node at any broker against the MQTT contract, clause by clause.

    conformance.py --host gym-hub --node sp-k3v9q2m1xa
    conformance.py --switch --restart-broker 'systemctl restart mosquitto' --json

Needs paho-mqtt and jsonschema (Debian: python3-paho-mqtt, python3-jsonschema). Every check has the number of its clause;
checks that are impossible here are skipped with the reason. Ends with 0 if nothing failed, otherwise with 1.
The tested commands leave nothing behind. With --switch cameras are switched off and on again; --restart-broker,
--cut-node, --restart-node and --kill-node run the given commands.
"""
import argparse
import json
import pathlib
import sys
import time
import uuid

from mqtt_client import MQTTClient
import checks
import checks_commands
import checks_consumer
import checks_faults
import checks_homeassistant


class Skip(Exception):
    """The check cannot be tried here."""


class Node:
    """State shared by the checks: the node's ids, the client, the schemas."""

    def __init__(self, options, client, site, node):
        self.options, self.client, self.site, self.node = options, client, site, node
        self.base = f"{options.prefix}/v1/{site}/{node}"
        self.schemas = {}
        for file in pathlib.Path(options.schemas).glob("*.schema.json"):
            self.schemas[file.name.removesuffix(".schema.json")] = json.loads(file.read_text())

    def leaf(self, message):
        return message.topic.removeprefix(self.base + "/")

    def on(self, leaf, since=0):
        return self.client.all(lambda message: message.topic == f"{self.base}/{leaf}", since)

    def own(self, since=0):
        return self.client.all(lambda message: message.topic.startswith(self.base + "/"), since)

    def kept(self):
        """The retained messages of this node. Only a new subscription gets the retain flag from every broker."""
        own = self.late.all(lambda message: message.topic.startswith(self.base + "/"))
        return [message for message in own if message.retained and message.payload]

    def info(self):
        return self.on("info")[-1].json()

    def status(self):
        return self.on("status")[-1].json()

    def cameras(self):
        return [camera["id"] for camera in self.info()["cameras"]]

    def command(self, name, arguments=None, seconds=10, **more):
        """The answer to a command, or None."""
        request = {"id": "tck-" + uuid.uuid4().hex[:12], **more}
        if arguments is not None:
            request["args"] = arguments
        since = self.client.mark()
        self.client.publish(f"{self.base}/cmd/{name}", request)
        answer = self.client.wait_for(
            lambda message: message.topic == f"{self.base}/res/{name}" and message.json().get("id") == request["id"],
            seconds, since)
        return answer.json() if answer else None

    def skip(self, reason):
        raise Skip(reason)


def find_node(options, client):
    """The requested node, or the only one online."""
    def wanted():
        found = set()
        for message in client.all():
            levels = message.topic.removeprefix(options.prefix + "/").split("/")
            if len(levels) == 4 and levels[0] == "v1" and levels[3] == "status" and message.payload:
                found.add((levels[1], levels[2]))
        return [(s, n) for s, n in found if options.site in (None, s) and options.node in (None, n)]

    client.wait(wanted, 120)
    time.sleep(1)
    wanted = found = wanted()
    if len(wanted) != 1:
        sys.exit(f"conformance: expected one node, found {sorted(found) or 'none'}: name it with --site and --node")
    return wanted[0]


def run(node, groups):
    results = []
    for group in groups:
        for number, title, check in group.checks:
            began = time.monotonic()
            try:
                check(node)
                outcome, reason = "ok", ""
            except Skip as skip:
                outcome, reason = "skip", str(skip)
            except Exception as error:  # A check that raises on the node's message has failed.
                outcome, reason = "FAIL", f"{type(error).__name__}: {error}"[:300]
            results.append(
                {"clause": number, "check": title, "outcome": outcome, "reason": reason,
                 "seconds": round(time.monotonic() - began, 2)})
            if not node.options.json:
                print(f"{outcome:4}  {number:8} {title}" + (f"  ({reason})" if reason else ""), flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--user")
    parser.add_argument("--password-file")
    parser.add_argument("--ca-file")
    parser.add_argument("--certificate", help="this script's own certificate, with --key")
    parser.add_argument("--key")
    parser.add_argument("--prefix", default="spotter")
    parser.add_argument("--site")
    parser.add_argument("--node")
    parser.add_argument("--mqtt", type=int, choices=(3, 5), default=5, help="protocol of this script (3: 3.1.1)")
    parser.add_argument("--schemas", default=str(pathlib.Path(__file__).resolve().parents[2] / "deploy/contract"))
    parser.add_argument("--listen", type=float, default=12, help="seconds to listen before anything is judged")
    parser.add_argument("--switch", action="store_true", help="switch a camera off and on")
    parser.add_argument("--consumer", help="a consumer the node is configured with: its acknowledgements are tried")
    parser.add_argument("--restart-broker", help="a command that restarts the broker without its memory")
    parser.add_argument("--cut-node", help="a command that cuts the node's connection")
    parser.add_argument("--restart-node", help="a command that kills the node and starts it again")
    parser.add_argument("--kill-node", help="a command that kills the node without a word")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    topics = [f"{options.prefix}/v1/#", "homeassistant/device/#", "spotter-conformance/#"]
    client = MQTTClient(options, topics, options.mqtt)
    if not client.ready():
        sys.exit(f"conformance: no broker answers at {options.host}:{options.port}")
    site, name = find_node(options, client)
    node = Node(options, client, site, name)
    if not options.json:
        print(f"listening to {node.base} for {options.listen:g} s", flush=True)
    time.sleep(options.listen)
    node.late = MQTTClient(options, topics, options.mqtt)
    node.late.ready()
    time.sleep(1)
    results = run(node, [checks, checks_homeassistant, checks_commands, checks_consumer, checks_faults])
    counts = {word: sum(result["outcome"] == word for result in results) for word in ("ok", "FAIL", "skip")}
    if options.json:
        print(json.dumps({"node": name, "site": site, "results": results, **counts}, indent=1))
    else:
        print(f"conformance: {counts['ok']} ok, {counts['FAIL']} failed, {counts['skip']} skipped")
    client.close()
    node.late.close()
    sys.exit(1 if counts["FAIL"] else 0)


if __name__ == "__main__":
    main()
