"""A hub whose queue is full: new records are refused, not lost, and the sink can come back and fetch what waits.

    /usr/bin/python3 Tests/Fleet/full_test.py
"""
import sys
import tempfile
import unittest

from brokers import Client, wait_until
from hub import FILES, PASSWORD, Hub

sys.path.insert(0, str(FILES / "nats"))
import limit  # noqa: E402

TOPIC = "spotter/v1/berlin/sp-1/rec/session"


class FullHub(unittest.TestCase):
    def test_a_full_queue_refuses_new_records_and_goes_on_once_the_sink_is_back(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        hub = Hub(folder.name, members=[("node", "berlin", "sp-1"), ("sink", "hq")], disk="64MB", limit="16MB")
        self.addCleanup(hub.stop)
        hub.start()
        # The limit holds over a restart.
        hub.stop()
        hub.start()

        def sink(server):
            client = Client(hub.client("hq", "sink", clean=False), hub.mqtt_ports[server])
            self.addCleanup(client.close)
            self.assertEqual(client.subscribe("spotter/v1/+/+/rec/#"), 1)
            return client

        sink(0).close()
        node = Client(hub.client("sp-1", "spotter-sp-1"), hub.mqtt_ports[1])
        self.addCleanup(node.close)
        sent = []
        while len(sent) < 400:
            sent.append(node.client.publish(TOPIC, f"{len(sent)} " + "x" * 100_000, 1))
            if not wait_until(sent[-1].is_published, 8):
                break
        self.assertLess(len(sent), 200, "the limit did not hold")
        back = sink(2)
        self.assertTrue(wait_until(lambda: len(back.arrived) >= len(sent) - 1, 30), len(back.arrived))
        # paho sends again what was not acknowledged, as a node does.
        self.assertTrue(wait_until(sent[-1].is_published, 30), "nothing goes on")
        numbers = {int(payload.split()[0]) for payload in back.payloads()}
        self.assertTrue(wait_until(lambda: len({p.split()[0] for p in back.payloads()}) == len(sent), 10), numbers)

    def test_the_operator_can_do_nothing_else(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        hub = Hub(folder.name)
        self.addCleanup(hub.stop)
        hub.start()
        self.assertFalse(Client(hub.client("operator"), hub.mqtt_ports[0]).connected.is_set(), "over MQTT")
        port = hub.client_ports[0]
        self.assertIn("config", limit.Server(port, "operator", PASSWORD).ask("$JS.API.STREAM.INFO.$MQTT_msgs"))
        for subject in ["DELETE.$MQTT_msgs", "PURGE.$MQTT_msgs", "INFO.$MQTT_rmsgs", "LIST"]:
            with self.assertRaisesRegex(SystemExit, "Permissions Violation"):
                limit.Server(port, "operator", PASSWORD).ask(f"$JS.API.STREAM.{subject}")
        with self.assertRaisesRegex(SystemExit, "Authorization Violation"):
            limit.Server(port, "operator", "wrong").ask("$JS.API.STREAM.INFO.$MQTT_msgs")


if __name__ == "__main__":
    unittest.main()
