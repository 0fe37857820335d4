"""A member of the fleet that tries more than it may, at the hub.

    /usr/bin/python3 Tests/Fleet/hub_test.py
"""
import json
import socket
import tempfile
import unittest

from brokers import Client, wait_until
from hub import PASSWORD, Hub
from rights import FOREIGN, NODE, OTHER, OWN, Rights


class HubRights(Rights, unittest.TestCase):
    """At NATS, where each client uses another of the three servers."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        members = [("node", "berlin", "sp-1"), ("node", "berlin", "sp-2"), ("node", "paris", "sp-3"), ("sink", "hq"),
                   ("gym", "berlin"), ("dashboard", "wall")]
        cls.hub = Hub(cls.folder.name, members=members)
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(cls.hub.stop)
        cls.hub.start()
        cls.count = 0

    def port(self):
        HubRights.count += 1
        return self.hub.mqtt_ports[self.count % 3]

    def connect(self, user, client_id="", clean=True, will=None):
        client = Client(self.hub.client(user, client_id, clean), self.port(), will)
        self.addCleanup(client.close)
        return client

    def check_granted(self, granted):
        self.assertEqual({topic: code for topic, code in granted.items() if code not in (128, None)}, {})

    def check_returned(self, sink):
        """What waited for the sink waits on, whoever came with its client id."""
        self.assertTrue(wait_until(lambda: len(sink.arrived) == 2, 20), sink.arrived)

    def test_a_gym_speaks_for_its_own_nodes_only_and_without_live_and_preview(self):
        watcher = self.watch()
        gym = self.connect("gym-berlin")
        for leaf in OWN:
            gym.publish(f"{OTHER}/{leaf}", "gym " + leaf)
        self.assertTrue(wait_until(lambda: {"gym " + leaf for leaf in OWN} <= set(watcher.payloads())))
        for leaf in ["cmd/+", "ack/+"]:
            self.assertEqual(gym.subscribe(f"spotter/v1/berlin/+/{leaf}", 0), 0)
        for topic in ["spotter/v1/paris/+/cmd/+", "spotter/v1/+/+/ack/+", "spotter/v1/berlin/#"]:
            self.assertEqual(self.connect("gym-berlin").subscribe(topic), 128, topic)
        for topic in [f"{FOREIGN}/{leaf}" for leaf in OWN] + [
                f"{NODE}/cam/rack1/live", f"{NODE}/cam/rack1/preview", f"{NODE}/ack/hq", f"{NODE}/cmd/restart"]:
            self.attempt("gym-berlin", topic)
        self.barrier(watcher)
        self.assertNotIn("stolen", watcher.payloads())

    def test_a_dashboard_reads_everything_and_commands_and_acknowledges_nothing(self):
        watcher, wall = self.watch(), self.connect("wall")
        self.assertEqual(wall.subscribe("spotter/#"), 1)
        wall.publish(f"{NODE}/cmd/ping", "a command")
        self.assertTrue(wait_until(lambda: "a command" in watcher.payloads() and "a command" in wall.payloads()))
        for leaf in ["ack/hq", "rec/session", "status", "cmd/a/b"]:
            self.attempt("wall", f"{NODE}/{leaf}")
        self.barrier(watcher)
        self.assertNotIn("stolen", watcher.payloads())

    def test_a_members_password_is_of_no_use_at_the_port_for_nats_clients(self):
        with socket.create_connection(("127.0.0.1", self.hub.client_ports[0]), 5) as nats:
            nats.recv(4096)
            connect = {"user": "sp-1", "pass": PASSWORD, "verbose": False}
            nats.sendall(f"CONNECT {json.dumps(connect)}\r\nPING\r\n".encode())
            self.assertIn(b"Authorization Violation", nats.recv(4096))

    def test_a_removed_member_is_cut_off_and_does_not_come_back(self):
        client = self.connect("sp-3")
        self.hub.members.remove(("node", "paris", "sp-3"))
        self.addCleanup(self.hub.reload)
        self.addCleanup(self.hub.members.append, ("node", "paris", "sp-3"))
        stays = self.connect("sp-1")
        self.hub.reload()
        self.assertTrue(wait_until(client.lost.is_set))
        self.assertFalse(Client(self.hub.client("sp-3"), self.port()).connected.is_set())
        self.assertFalse(stays.lost.is_set(), "a member that was not touched was cut off")


if __name__ == "__main__":
    unittest.main()
