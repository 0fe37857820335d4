"""A node that says exactly what a test wants, over MQTT, and a sink under test with its broker and its PostgreSQL."""
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request
import uuid

import paho.mqtt.client as mqtt

import schema
from cluster import Cluster, free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINK = os.environ.get("SPOTTER_SINK", str(ROOT / ".build" / "release" / "spotter-sink"))


def uuid7(seed=0):
    """A UUIDv7 of this month."""
    milliseconds = int(time.time() * 1000) + seed % 1000
    random = uuid.uuid4().int & ((1 << 62) - 1)
    return str(uuid.UUID(int=(milliseconds << 80) | (7 << 76) | (seed & 0xFFF) << 64 | (2 << 62) | random))


def moment(offset=0.0):
    now = time.time() + offset
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03d}Z"


def wait_until(check, seconds=20.0, what="it did not happen"):
    """Calls `check` until it returns something true, and returns that. `what` may be a function: it is called at the end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = check()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{what() if callable(what) else what} within {seconds} s")


class Broker:
    """A mosquitto on a free port of loopback, which keeps everything for absent clients."""

    def __init__(self, folder):
        self.folder, self.port, self.process = pathlib.Path(folder), free_port(), None
        (self.folder / "mosquitto.conf").write_text(
            # As root it would change to a user who cannot read the certificates.
            f"user root\nper_listener_settings true\nmax_queued_messages 0\nmax_inflight_messages 0\n"
            f"message_size_limit 2000000\nlistener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.start()

    def listen_with_tls(self, certificates):
        """Opens a second port, which asks for a certificate of this authority; returns it after a restart."""
        port = free_port()
        with open(self.folder / "mosquitto.conf", "a") as file:
            file.write(f"listener {port} 127.0.0.1\nrequire_certificate true\nuse_identity_as_username true\n"
                       f"cafile {certificates}/ca.crt\ncertfile {certificates}/hub.crt\n"
                       f"keyfile {certificates}/hub.key\ncrlfile {certificates}/crl.pem\n")
        self.stop()
        self.start()
        return port

    def start(self):
        with open(self.folder / "mosquitto.log", "a") as log:
            self.process = subprocess.Popen(["mosquitto", "-c", self.folder / "mosquitto.conf"], stdout=log, stderr=log)
        time.sleep(0.3)

    def stop(self):
        self.process.kill()
        self.process.wait()


class Sink:
    """One process of spotter-sink."""

    def __init__(self, place, arguments=("run",), **settings):
        self.metrics_port = free_port()
        named = {f"SPOTTER_SINK_{key.upper()}": str(value) for key, value in settings.items()}
        self.environment = os.environ | {
            "SPOTTER_SINK_MQTT_PORT": str(place.broker.port), "SPOTTER_SINK_SINK_HOLE_SECONDS": "1",
            "SPOTTER_SINK_DATABASE_CONNECTION": place.cluster.conninfo("spotter", "spotter_sink"),
            "SPOTTER_SINK_METRICS_LISTEN": f"127.0.0.1:{self.metrics_port}"} | named
        self.log = place.folder / f"sink-{self.metrics_port}.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([SINK, *arguments], env=self.environment, stdout=log, stderr=log,
                                            cwd=place.folder)

    def metric(self, name):
        """The value of a metric; None while the sink does not answer."""
        try:
            page = urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=2).read().decode()
        except OSError:
            return None
        values = [line.split()[1] for line in page.splitlines() if line.startswith(f"spotter_sink_{name} ")]
        return float(values[0]) if values else None

    def wait_ready(self):
        wait_until(lambda: self.metric("broker_up") == 1, 20, "the sink did not connect")

    def text(self):
        return self.log.read_text()

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(15)


class Place:
    """A broker, a database with the schema, and sinks; everything is gone after `with`."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sink", dir="/tmp"))
        os.chmod(self.folder, 0o755)
        database = self.folder / "pg"
        database.mkdir()
        if os.geteuid() == 0:
            os.chown(database, pwd.getpwnam("postgres").pw_uid, -1)
        self.cluster = Cluster(database)
        self.cluster.__enter__()
        schema.install(self.cluster)
        self.broker, self.sinks, self.nodes = Broker(self.folder), [], []
        return self

    def __exit__(self, *error):
        for node in self.nodes:
            node.close()
        for sink in self.sinks:
            sink.stop(signal.SIGKILL)
            if os.environ.get("SHOW_LOGS"):
                print(sink.text())
        self.broker.stop()
        self.cluster.__exit__(*error)
        shutil.rmtree(self.folder, ignore_errors=True)

    def sink(self, *arguments, ready=True, **settings):
        sink = Sink(self, arguments or ("run",), **settings)
        self.sinks.append(sink)
        if ready:
            sink.wait_ready()
        return sink

    def node(self, name="sp-a", site="berlin", **more):
        node = ScriptedNode(self.broker.port, name, site, **more)
        self.nodes.append(node)
        return node

    def rows(self, sql):
        return [line.split("|") for line in self.cluster.psql(sql, dbname="spotter").splitlines()]

    def value(self, sql):
        rows = self.rows(sql)
        return rows[0][0] if rows else None


class ScriptedNode:
    """One node: it keeps its log in memory, sends what it is told, and answers `cmd/sync` unless it is told not to."""

    def __init__(self, port, name, site, epoch=None, answers=True):
        self.name, self.site, self.epoch, self.answers = name, site, epoch or uuid7(), answers
        self.log, self.acks, self.syncs = {}, [], []
        self.base = f"spotter/v1/{site}/{name}"
        self.lock = threading.Lock()
        self.client = mqtt.Client(client_id=f"test-{name}-{port}", protocol=mqtt.MQTTv311)
        self.client.on_message = self._receive
        self.client.max_inflight_messages_set(1000)
        self.client.on_connect = lambda client, *_: client.subscribe(
            [(f"{self.base}/ack/+", 1), (f"{self.base}/cmd/+", 1)])
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.info()

    def close(self):
        self.client.loop_stop()
        self.client.disconnect()

    def info(self, **more):
        self.send("info", {"v": 1, "node": self.name, "site": self.site, "epoch": self.epoch, "tz": "Europe/Berlin",
                           **more}, retain=True)
        self.send("status", {"v": 1, "state": "online", "sid": 1}, retain=True)

    def health(self, pending, acked):
        self.send("health", {"v": 1, "ts": moment(), "outbox": {"pending": pending, "oldest_s": 1, "acked": acked}})

    def send(self, leaf, body, retain=False):
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        self.client.publish(f"{self.base}/{leaf}", text, qos=1, retain=retain)

    def session(self, seq, session_id=None, rev=1, reps=10, send=True, end_reason=None, **envelope):
        body = {"camera": "rack-1", "start": moment(-60), "end": moment(-1), "model": "m", "fps": 30,
                "actions": [{"label": "squat", "frames": 300, "seconds": 10.5, "reps": reps, "conf_mean": 0.9}],
                "sets": [{"number": 1, "label": "squat", "start": moment(-50), "end": moment(-40), "reps": reps}],
                "excluded_frames": {"no_person": 3}}
        if end_reason:
            body["end_reason"] = end_reason
        return self.record("session", seq, session_id or uuid7(seq), rev, body, send, **envelope)

    def workout(self, seq, workout_id=None, rev=1, name="anna", reps=12, send=True, **envelope):
        body = {"camera": "rack-1", "plan": "legs", "plan_name": "Legs", "start": moment(-60), "end": moment(-1),
                "end_reason": "completed", "completed_steps": 1, "reps": reps,
                "steps": [{"round": 1, "action": "squat", "planned_reps": 12, "planned_rest_s": 60, "reps": reps,
                           "start": moment(-50), "end": moment(-10), "seconds": 30.5, "skipped": False,
                           "complete": True, "score": 81}]}
        if name:
            body["name"] = name
        return self.record("workout", seq, workout_id or uuid7(seq), rev, body, send, **envelope)

    def absence(self, seq, absence_id=None, rev=1, ended=False, reason="unplugged", send=True, **body):
        body = {"camera": "rack-1", "start": moment(-60), "reason": reason, **body}
        if ended:
            body["end"] = moment(-20)
        return self.record("absence", seq, absence_id or uuid7(seq), rev, body, send, final=ended)

    def tombstone(self, seq, session_id, rev, merged_into=None):
        body = {"deleted": True}
        if merged_into:
            body["merged_into"] = merged_into
        return self.record("session", seq, session_id, rev, body)

    def gap(self, seq, first, last, **body):
        return self.record("gap", seq, uuid7(seq), 1,
                           {"from_seq": first, "to_seq": last, "reason": "retention", "records": last - first + 1,
                            **body})

    def record(self, kind, seq, record_id, rev, body, send=True, **envelope):
        record = {"v": 1, "node": self.name, "site": self.site, "epoch": self.epoch, "seq": seq, "type": kind,
                  "id": record_id, "rev": rev, "final": True, "ts": moment(), "clock": "synced", "hist": False,
                  "body": body, **envelope}
        with self.lock:
            self.log[(record["epoch"], seq)] = record
        if send:
            self.send(f"rec/{kind}", record)
        return record_id

    def _receive(self, client, user, message):
        leaf = message.topic.removeprefix(self.base + "/")
        if leaf.startswith("ack/"):
            self.acks.append(json.loads(message.payload))
        elif leaf == "cmd/sync":
            wanted = json.loads(message.payload)["args"]
            self.syncs.append((wanted["from_seq"], wanted["to_seq"]))
            if self.answers:
                with self.lock:
                    again = [record for (epoch, seq), record in sorted(self.log.items())
                             if epoch == wanted["epoch"] and wanted["from_seq"] <= seq <= wanted["to_seq"]]
                for record in again:
                    self.send(f"rec/{record['type']}", {**record, "hist": True})

    def acked(self):
        """The newest acknowledged position of the current epoch; 0 for none."""
        return max((ack["seq"] for ack in self.acks if ack["epoch"] == self.epoch), default=0)

    def wait_acked(self, seq, seconds=20.0, heartbeat=False):
        """Waits until everything up to `seq` is acknowledged; with `heartbeat` it says once a second how it is."""
        end = time.monotonic() + seconds
        while self.acked() < seq:
            if time.monotonic() > end:
                raise AssertionError(f"{self.name} was acknowledged up to {self.acked()}, not {seq}, within {seconds} s")
            if heartbeat:
                self.health(pending=seq - self.acked(), acked={"hq": self.acked()})
            time.sleep(1 if heartbeat else 0.1)
