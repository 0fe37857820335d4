"""A member of the fleet that tries more than it may: at the hub (NATS), and at a gym's mosquitto.

    /usr/bin/python3 Tests/Fleet/hub_test.py
"""
import json
import socket
import tempfile
import unittest
import uuid

from brokers import Client, Gym, plain_client, wait_until
from hub import PASSWORD, Hub

NODE, OTHER, FOREIGN = "spotter/v1/berlin/sp-1", "spotter/v1/berlin/sp-2", "spotter/v1/paris/sp-3"

# What a node may say of itself.
OWN = ["status", "info", "health", "log", "rec/session", "rec/rollup", "rec/gap", "res/ping", "cam/rack1/status",
       "cam/rack1/state", "cam/rack1/counts", "cam/rack1/event", "cam/rack1/enabled"]

# What it may not write: another's words, what others say to it, and ways around the rights.
FORBIDDEN = [
    f"{OTHER}/status", f"{OTHER}/rec/session", f"{OTHER}/info", f"{OTHER}/health", f"{OTHER}/res/ping",
    f"{FOREIGN}/rec/session", f"{OTHER}/cmd/restart", f"{OTHER}/ack/hq", f"{OTHER}/cam/rack1/enabled/set",
    f"{NODE}/ack/hq", f"{NODE}/cmd/ping", f"{NODE}/rec", f"{NODE}/rec/session/more", NODE, "spotter",
    "spotter/v1/berlin/_bridge/state", "spotter/v1/berlin", "spotter//v1/berlin/sp-2/rec/session", f"/{OTHER}/info",
    f"{NODE}/../sp-2/info", "spotter.v1.berlin.sp-2.info", "spotter/v1/berlin/sp-1.sp-2/info", f"{NODE}/info/",
    "spotter/v1/berlin/*/info", "spotter/v1/berlin/>", "spotter/v1/*/*/cmd/restart", "spotter/v1/berlin/sp-2/>",
]
# Subjects that NATS itself uses: its store's API, the stored and retained messages, sessions, and server commands.
RESERVED = [
    "$JS/API/STREAM/LIST", "$JS/API/STREAM/PURGE/$MQTT_msgs", "$JS/API/STREAM/DELETE/$MQTT_rmsgs",
    "$MQTT/msgs/spotter/v1/berlin/sp-2/rec/session", "$MQTT/rmsgs/spotter/v1/berlin/sp-2/status", "$MQTT/sess/x",
    "$MQTT/JSA/x/SD/1", "$SYS/REQ/SERVER/PING", "$SYS/ACCOUNT/SPOTTER/CONNECT", "_INBOX/x", "$G/x",
]
# What it may not hear.
DEAF = [
    "#", "+/#", "spotter/#", "spotter/v1/+/+/rec/#", "spotter/v1/berlin/#", "spotter/v1/+/sp-1/#", f"{OTHER}/cmd/+",
    f"{OTHER}/ack/+", f"{OTHER}/#", "spotter/v1/berlin/+/cmd/+", "spotter/v1/berlin/*/cmd/*", "spotter/v1/berlin/>",
    "*/>", ">", f"{FOREIGN}/status", "$SYS/#", "$JS/#", "$MQTT/#", "$MQTT/sub/#", "$MQTT/msgs/#", "$MQTT/rmsgs/#",
    "$MQTT/sub/>", "$MQTT/deliver/pubrel/#", "_INBOX/#", "$share/x/spotter/v1/+/+/rec/#", "$queue/spotter/#",
]


class Rights:
    """The checks that hold at both brokers. A subclass has `connect(user, …)`; `tester` sees and may do everything."""

    def watch(self):
        """A client that sees everything below spotter/."""
        watcher = self.connect("tester")
        self.assertEqual(watcher.subscribe("spotter/#"), 1)
        return watcher

    def barrier(self, watcher, user="sp-1", base=NODE):
        """Returns when everything published before has passed: a permitted message of another connection arrived."""
        word = uuid.uuid4().hex
        client = self.connect(user)
        self.assertTrue(client.publish(f"{base}/info", word))
        self.assertTrue(wait_until(lambda: word in watcher.payloads()), "a permitted message did not arrive")

    def attempt(self, user, topic, retain=False):
        """Publishes, each time with a new connection: a broker may close it for what was tried."""
        client = self.connect(user)
        try:
            client.publish(topic, "stolen", retain=retain)
        except ValueError:
            pass  # The client library itself refuses the topic.
        client.close()

    def test_a_node_says_what_it_may_and_hears_its_commands(self):
        watcher, node = self.watch(), self.connect("sp-1")
        for leaf in OWN:
            self.assertTrue(node.publish(f"{NODE}/{leaf}", leaf))
        self.assertTrue(wait_until(lambda: set(OWN) <= set(watcher.payloads())), set(OWN) - set(watcher.payloads()))
        for leaf in ["status", "cam/+/status", "cmd/+", "ack/+", "cam/+/enabled/set"]:
            self.assertIn(node.subscribe(f"{NODE}/{leaf}"), (0, 1), leaf)
        told = ["status", "cmd/ping", "ack/hq", "cam/rack1/enabled/set"]
        for leaf in told:
            watcher.publish(f"{NODE}/{leaf}", "told " + leaf)
        self.assertTrue(wait_until(lambda: {"told " + leaf for leaf in told} <= set(node.payloads())), node.arrived)

    def test_a_node_learns_a_retained_acknowledgement(self):
        word = uuid.uuid4().hex
        sink, watcher = self.connect("hq"), self.watch()
        self.assertTrue(sink.publish(f"{NODE}/ack/hq", word, retain=True))
        self.assertTrue(wait_until(lambda: word in watcher.payloads()))
        node = self.connect("sp-1")
        node.subscribe(f"{NODE}/ack/+")
        self.assertTrue(wait_until(lambda: (f"{NODE}/ack/hq", word, True) in [m[:3] for m in node.arrived]))

    def test_the_last_will_of_a_node_is_published(self):
        watcher, word = self.watch(), uuid.uuid4().hex
        node = self.connect("sp-1", will=(f"{NODE}/status", word, 1, True))
        node.die()
        self.assertTrue(wait_until(lambda: word in watcher.payloads()), "no will")

    def test_a_will_in_anothers_name_is_not_published(self):
        watcher = self.watch()
        node = self.connect("sp-1", will=(f"{OTHER}/status", "stolen", 1, True))
        node.die()
        self.barrier(watcher)
        self.assertNotIn("stolen", watcher.payloads())

    def test_a_node_cannot_write_in_anothers_name(self):
        watcher = self.watch()
        for topic in FORBIDDEN + RESERVED:
            for retain in (False, True):
                self.attempt("sp-1", topic, retain)
        self.barrier(watcher)
        self.assertEqual([m for m in watcher.arrived if m[1] == "stolen"], [])
        late = self.watch()
        self.barrier(late)
        self.assertEqual([m for m in late.arrived if m[1] == "stolen"], [], "retained")

    def test_a_node_hears_nothing_that_is_not_meant_for_it(self):
        tester = self.watch()
        tester.publish(f"{OTHER}/status", "private", retain=True)
        granted = {}
        nodes = []
        for topic in DEAF:
            node = self.connect("sp-1")
            granted[topic] = node.subscribe(topic)
            nodes.append((topic, node))
        for topic in [f"{OTHER}/rec/session", f"{OTHER}/cmd/ping", f"{OTHER}/ack/hq", f"{FOREIGN}/status", f"{NODE}/log"]:
            for qos in (0, 1):
                tester.publish(topic, "private", qos)
        self.barrier(tester)
        heard = {topic: node.arrived for topic, node in nodes if "private" in node.payloads() or node.payloads("$")}
        self.assertEqual(heard, {})
        self.check_granted(granted)

    def test_the_sink_reads_and_acknowledges_and_asks_again_and_nothing_else(self):
        watcher, sink, node = self.watch(), self.connect("hq"), self.connect("sp-1")
        for leaf in ["rec/#", "status", "info", "health"]:
            self.assertIn(sink.subscribe(f"spotter/v1/+/+/{leaf}"), (0, 1), leaf)
        wanted = ["rec/session", "rec/gap", "status", "info", "health"]
        for leaf in wanted + ["log", "cam/rack1/state"]:
            node.publish(f"{NODE}/{leaf}", "said " + leaf)
        self.assertTrue(wait_until(lambda: {"said " + leaf for leaf in wanted} <= set(sink.payloads())), sink.arrived)
        self.assertFalse({"said log", "said cam/rack1/state"} & set(sink.payloads()))
        for leaf in ["ack/hq", "cmd/sync"]:
            sink.publish(f"{NODE}/{leaf}", "answer " + leaf)
        self.assertTrue(wait_until(lambda: {"answer ack/hq", "answer cmd/sync"} <= set(watcher.payloads())))
        for leaf in ["ack/other", "cmd/restart", "cmd/session_delete", "rec/session", "status", "cam/rack1/enabled/set"]:
            self.attempt("hq", f"{NODE}/{leaf}")
        self.barrier(watcher)
        self.assertNotIn("stolen", watcher.payloads())

    def test_a_node_with_the_sinks_client_id_gets_nothing_of_the_sinks(self):
        watcher = self.watch()
        sink = self.connect("hq", client_id="spotter-sink", clean=False)
        self.assertIn(sink.subscribe("spotter/v1/+/+/rec/#"), (0, 1))
        sink.close()
        self.connect("sp-2").publish(f"{OTHER}/rec/session", "for the sink")
        thief = self.connect("sp-1", client_id="spotter-sink", clean=False)
        self.connect("sp-2").publish(f"{OTHER}/rec/session", "for the sink, too")
        self.barrier(watcher)
        self.assertFalse(wait_until(lambda: thief.arrived, 3), thief.arrived)
        thief.close()
        sink = self.connect("hq", client_id="spotter-sink", clean=False)
        self.check_returned(sink)

    def test_nobody_without_a_password_gets_in(self):
        for user, word in ((None, None), ("sp-1", "wrong"), ("sp-1", ""), ("stranger", PASSWORD)):
            client = plain_client("sp-1")
            client.username_pw_set(user, word)
            self.assertFalse(Client(client, self.port()).connected.is_set(), (user, word))


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


class MosquittoRights(Rights, unittest.TestCase):
    """At a gym's mosquitto with the shipped access list."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.gym = Gym(cls.folder.name, ["sp-1", "sp-2", "sp-3", "hq"])
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(cls.gym.stop)
        cls.gym.start()

    def port(self):
        return self.gym.port

    def connect(self, user, client_id="", clean=True, will=None):
        client = Client(plain_client(user, client_id, clean), self.gym.port, will)
        self.addCleanup(client.close)
        return client

    def check_granted(self, granted):
        """mosquitto grants every subscription with 3.1.1, and delivers nothing that may not be read."""

    def check_returned(self, sink):
        """mosquitto throws away what waited. Nothing is lost: the nodes wait for the sink's own acknowledgement."""


if __name__ == "__main__":
    unittest.main()
