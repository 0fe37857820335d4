"""What a member of the fleet may do, and what it tries beyond that: the same at the hub and at a gym's mosquitto."""
import uuid

from brokers import Client, plain_client, wait_until
from hub import PASSWORD

NODE, OTHER, FOREIGN = "spotter/v1/berlin/sp-1", "spotter/v1/berlin/sp-2", "spotter/v1/paris/sp-3"

# What a node may say of itself.
OWN = ["status", "info", "health", "log", "rec/session", "rec/rollup", "rec/workout", "rec/gap", "res/ping", "cam/rack1/status",
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
    """The checks that hold at both brokers. A subclass has `connect(user, …)`; `tester` may do and see everything."""

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
        private = [f"{OTHER}/{leaf}" for leaf in ("rec/session", "cmd/ping", "ack/hq")]
        for topic in [*private, f"{FOREIGN}/status", f"{NODE}/log"]:
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
        for leaf in ["ack/other", "cmd/restart", "cmd/session_delete", "rec/session", "status", "cam/r1/enabled/set"]:
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
