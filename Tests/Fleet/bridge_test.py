"""A gym's mosquitto with the shipped bridge, at the hub: what leaves the gym, what comes in, what a dead server costs.

    /usr/bin/python3 Tests/Fleet/bridge_test.py
"""
import pathlib
import tempfile
import time
import unittest
import uuid

from brokers import Client, Gym, bridge_text, plain_client, wait_until
from hub import PASSWORD, Hub

NODE = "spotter/v1/berlin/sp-1"
MEMBERS = [("gym", "berlin"), ("sink", "hq"), ("dashboard", "wall")]


class Bridge:
    """The checks, with passwords or certificates. Another gym's node is at the broker, too."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.hub = Hub(cls.folder / "hub", tls=cls.tls, members=MEMBERS)
        cls.addClassCleanup(cls.hub.stop)
        cls.hub.start()
        bridge = bridge_text(cls.hub.mqtt_ports, cls.lines(cls.hub))
        if not cls.hub.tls:
            bridge = bridge.replace("remote_password change-me", f"remote_password {PASSWORD}")
        cls.gym = Gym(cls.folder / "gym", ["sp-1", "sp-2"], bridge)
        cls.addClassCleanup(cls.gym.stop)
        cls.gym.start()
        watcher = cls().at_hub("tester")
        watcher.subscribe("spotter/#")
        log = cls.folder / "gym/log"
        assert wait_until(lambda: watcher.payloads("_bridge/state")[-1:] == ["1"], 60), log.read_text()
        watcher.close()

    def at_hub(self, user, client_id="", clean=True, server=0):
        client = Client(self.hub.client(user, client_id, clean), self.hub.mqtt_ports[server])
        self.addCleanup(client.close)
        return client

    def in_gym(self, user="sp-1"):
        client = Client(plain_client(user), self.gym.port)
        self.addCleanup(client.close)
        return client

    def test_records_go_out_and_acknowledgements_and_commands_come_in(self):
        word = uuid.uuid4().hex
        sink, wall, node = self.at_hub("hq"), self.at_hub("wall", server=1), self.in_gym()
        sink.subscribe("spotter/v1/+/+/rec/#")
        wall.subscribe(f"{NODE}/res/+")
        node.subscribe(f"{NODE}/ack/+")
        node.subscribe(f"{NODE}/cmd/+")
        node.publish(f"{NODE}/rec/session", word)
        self.assertTrue(wait_until(lambda: word in sink.payloads("rec/session")))
        sink.publish(f"{NODE}/ack/hq", "ack " + word, retain=True)
        wall.publish(f"{NODE}/cmd/ping", "ping " + word)
        self.assertTrue(wait_until(lambda: {"ack " + word, "ping " + word} <= set(node.payloads())), node.arrived)
        node.publish(f"{NODE}/res/ping", "pong " + word)
        self.assertTrue(wait_until(lambda: "pong " + word in wall.payloads()))

    def test_only_what_the_fleet_needs_leaves_the_gym(self):
        word = uuid.uuid4().hex
        watcher, node = self.at_hub("tester"), self.in_gym("tester")
        watcher.subscribe("spotter/#")
        leaving = ["status", "info", "health", "rec/session", "rec/rollup", "rec/workout", "rec/gap", "res/ping"] + [
            f"cam/rack1/{leaf}" for leaf in ("status", "state", "counts", "event", "enabled")]
        staying = [f"{NODE}/cam/rack1/live", f"{NODE}/cam/rack1/preview", f"{NODE}/log", f"{NODE}/ack/hq",
                   f"{NODE}/cmd/ping", f"{NODE}/cam/rack1/enabled/set", "spotter/v1/paris/sp-1/rec/session",
                   "homeassistant/device/spotter_sp-1/config", "private/x"]
        for topic in staying + [f"{NODE}/{leaf}" for leaf in leaving]:
            node.publish(topic, f"{word} {topic}")
        wanted = {f"{word} {NODE}/{leaf}" for leaf in leaving}
        self.assertTrue(wait_until(lambda: wanted <= set(watcher.payloads())), wanted - set(watcher.payloads()))
        time.sleep(1)
        self.assertEqual({p for p in watcher.payloads() if p.startswith(word)}, wanted)

    def test_an_acknowledgement_made_while_the_gym_was_away_comes_when_it_is_back(self):
        word = uuid.uuid4().hex
        self.gym.stop()
        self.at_hub("hq").publish(f"{NODE}/ack/hq", word, retain=True)
        self.gym.start()
        node = self.in_gym()
        node.subscribe(f"{NODE}/ack/+")
        self.assertTrue(wait_until(lambda: word in node.payloads(), 30), node.arrived)

    def test_a_gym_keeps_its_records_while_the_whole_hub_is_away_and_itself_restarts(self):
        word = uuid.uuid4().hex
        sink = Sink(self, f"sink-{word}")
        sink.clients[0].close()
        node = self.in_gym()
        wanted = {f"{word} {number}" for number in range(200)}
        for number in range(200):
            if number == 100:
                time.sleep(1)
                for server in range(3):
                    self.hub.kill(server)
            self.assertTrue(node.publish(f"{NODE}/rec/session", f"{word} {number}"))
        self.gym.stop()
        self.gym.start()
        self.hub.start()
        sink.move(away_from=0)
        self.assertTrue(wait_until(lambda: wanted <= sink.payloads(), 60), sorted(wanted - sink.payloads()))

    def test_nothing_is_missing_after_a_hub_server_died(self):
        """Each server is killed and comes back while 2,000 records flow, the bridge's and the sink's among them."""
        count, word = 2000, uuid.uuid4().hex
        sink = Sink(self, f"sink-{word}")
        node, killed = self.in_gym(), []
        began = time.monotonic()
        for number in range(count):
            self.assertTrue(node.publish(f"{NODE}/rec/session", f"{word} {number}"), "the gym's own broker must answer")
            if number in (300, 900, 1500):
                killed.append(len(killed))
                self.hub.kill(killed[-1])
                sink.move(away_from=killed[-1])
            elif number in (700, 1300, 1900):
                self.hub.restart(killed[-1])
            time.sleep(max(0, began + number * 0.02 - time.monotonic()))
        wanted = {f"{word} {number}" for number in range(count)}
        complete = wait_until(lambda: wanted <= sink.payloads(), 90)
        arrivals = [message for client in sink.clients for message in client.arrived]
        times = sorted(at for _, payload, _, at in arrivals if payload.startswith(word))
        stall = max(b - a for a, b in zip(times, times[1:]))
        print(f"\n{len(wanted & sink.payloads())} of {count} records, {len(times)} arrivals, "
              f"longest stall {stall:.1f} s, all after {times[-1] - began:.0f} s", flush=True)
        self.assertTrue(complete, f"{len(wanted - sink.payloads())} are missing")


class Sink:
    """A receiver with a session that lasts, at one server or another."""

    def __init__(self, test, name):
        self.test, self.name, self.server, self.clients = test, name, 0, []
        self.move(away_from=2)

    def move(self, away_from):
        """Goes to another server if it was at this one."""
        if self.clients and self.server != away_from:
            return
        self.server = (away_from + 1) % 3
        for client in self.clients:
            client.close()
        # While the servers elect a leader, connecting may fail: a sink tries again.
        for _ in range(60):
            try:
                client = self.test.at_hub("hq", self.name, clean=False, server=self.server)
                if client.connected.is_set() and client.subscribe("spotter/v1/+/+/rec/#") == 1:
                    self.clients.append(client)
                    return
                client.close()
            except (OSError, TimeoutError):
                pass
            time.sleep(1)
        self.test.fail(f"the sink could not connect to server {self.server}")

    def payloads(self):
        return {payload for client in self.clients for payload in client.payloads("rec/session")}


class BridgeWithPassword(Bridge, unittest.TestCase):
    tls = False

    @staticmethod
    def lines(hub):
        return []


class BridgeWithCertificate(Bridge, unittest.TestCase):
    tls = True

    @staticmethod
    def lines(hub):
        certificate, key = hub.certificate("gym-berlin")
        return [f"bridge_cafile {hub.ca_file}", f"bridge_certfile {certificate}", f"bridge_keyfile {key}"]

    # Once is enough.
    test_nothing_is_missing_after_a_hub_server_died = None
    test_a_gym_keeps_its_records_while_the_whole_hub_is_away_and_itself_restarts = None


if __name__ == "__main__":
    unittest.main()
