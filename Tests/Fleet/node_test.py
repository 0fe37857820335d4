"""A real node that speaks to the hub itself, with the rights of a node: $SPOTTER, or .build/release/spotter.

    SPOTTER=path/to/spotter /usr/bin/python3 Tests/Fleet/node_test.py
"""
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from brokers import Client, wait_until
from hub import PASSWORD, ROOT, Hub

NODE = "spotter/v1/berlin/sp-1"
PROGRAM = os.environ.get("SPOTTER", ".build/release/spotter")


class NodeAtTheHub(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.hub = Hub(cls.folder / "hub", members=[("node", "berlin", "sp-1"), ("dashboard", "wall")])
        cls.addClassCleanup(cls.hub.stop)
        cls.hub.start()
        (cls.folder / "password").write_text(PASSWORD + "\n")
        with open(cls.folder / "loop.poses.jsonl", "w") as poses:
            script, clip = ROOT / "Tests/Conformance/loop_clip.py", ROOT / "Tests/Fixtures/clips/demo.json"
            subprocess.run([str(script), str(clip), "20"], check=True, stdout=poses)

    def start_node(self, server):
        """The node, at one of the servers; it announces no cameras to Home Assistant and says nothing live."""
        environment = dict(
            os.environ, SPOTTER_NODE_SITE="berlin", SPOTTER_NODE_ID="sp-1", SPOTTER_MQTT_HOST="localhost",
            SPOTTER_MQTT_PORT=str(self.hub.mqtt_ports[server]), SPOTTER_MQTT_USER="sp-1",
            SPOTTER_MQTT_PASSWORD_FILE=str(self.folder / "password"), SPOTTER_MQTT_CONSUMERS="hq")
        node = subprocess.Popen(
            [str(ROOT / PROGRAM), "run", "--source", str(self.folder / "loop.poses.jsonl"), "--realtime", "--quiet",
             "--database", str(self.folder / "node.db")], env=environment, cwd=ROOT)
        self.addCleanup(node.wait)
        self.addCleanup(node.kill)
        return node

    def watch(self, server):
        client = Client(self.hub.client("wall"), self.hub.mqtt_ports[server])
        self.addCleanup(client.close)
        self.assertEqual(client.subscribe("spotter/#", 0), 0)
        return client

    def states(self, watcher):
        return [json.loads(payload)["state"] for payload in watcher.payloads(f"{NODE}/status")]

    def queues(self):
        """The receivers for which the hub keeps messages on its disks."""
        details = self.hub.monitor(1, "jsz?streams=true&accounts=true")["account_details"]
        return {stream["name"]: stream["state"]["consumer_count"] for one in details for stream in one["stream_detail"]}

    def test_a_node_is_no_queue_at_the_hub_and_answers_commands(self):
        """A few hundred nodes with a queue for each of their subscriptions would bring the hub to a stand."""
        self.assertTrue(wait_until(lambda: self.queues()["$MQTT_msgs"] == 0, 20), self.queues())
        watcher = self.watch(2)
        self.start_node(0)
        self.assertTrue(wait_until(lambda: "online" in self.states(watcher)[-1:], 20), watcher.arrived)
        watcher.publish(f"{NODE}/cmd/ping", json.dumps({"id": "a1"}))
        self.assertTrue(wait_until(lambda: watcher.payloads("res/ping"), 10), watcher.topics())
        time.sleep(2)
        self.assertEqual(self.queues()["$MQTT_msgs"], 0)

    def test_what_the_hub_refuses_does_not_disturb_the_node(self):
        """Home Assistant's description and live predictions are refused without a word; records come all the same."""
        watcher = self.watch(1)
        self.start_node(0)
        self.assertTrue(wait_until(lambda: "online" in self.states(watcher)[-1:], 20), watcher.arrived)
        connections = len(watcher.payloads(f"{NODE}/status"))
        self.assertTrue(wait_until(lambda: watcher.payloads("rec/"), 60), watcher.topics())
        time.sleep(5)
        self.assertEqual(len(watcher.payloads(f"{NODE}/status")), connections, "the node connected again")
        self.assertFalse([topic for topic in watcher.topics() if topic.endswith(("/live", "/config"))])


if __name__ == "__main__":
    unittest.main()
