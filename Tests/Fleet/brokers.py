"""What the fleet's tests share: a private mosquitto, and clients that note what happens to them."""
import atexit
import pathlib
import socket
import subprocess
import threading
import time

import paho.mqtt.client as mqtt

from hub import PASSWORD, ROOT, free_port

EXAMPLES = ROOT / "deploy/package/examples/mosquitto"


def wait_until(condition, seconds=10):
    """Whether the condition became true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


class Gym:
    """A gym's mosquitto from the shipped example files, with a folder and a port of its own.

    `bridge` is text that stands in place of the example's bridge, see `bridge_text`. The users all have the password
    `secret`; `tester` may read and write everything.
    """

    def __init__(self, folder, users, bridge="", more=""):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.process = None
        atexit.register(self.stop, hard=True)
        passwords = self.folder / "passwords"
        for number, user in enumerate([*users, "tester"]):
            words = ["mosquitto_passwd", "-b"] + ([] if number else ["-c"]) + [str(passwords), user, PASSWORD]
            subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
        rights = (EXAMPLES / "spotter.acl").read_text()
        (self.folder / "acl").write_text(rights + "\nuser tester\ntopic readwrite #\n")
        text = (EXAMPLES / "spotter-node.conf").read_text()
        for old, new in (
            ("listener 1883", f"listener {self.port} 127.0.0.1"), ("/etc/mosquitto/spotter.passwords", passwords),
            ("/etc/mosquitto/spotter.acl", self.folder / "acl"),
        ):
            assert old in text, old
            text = text.replace(old, str(new))
        # As root mosquitto would change to a user that cannot write here. Debian's own file names the place.
        own = f"user root\npersistence_location {self.folder}/\n"
        (self.folder / "mosquitto.conf").write_text(f"{own}{text}\n{more}\n{bridge}\n")

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["mosquitto", "-c", str(self.folder / "mosquitto.conf")], stdout=log, stderr=log)
        assert wait_until(self._answers), (self.folder / "log").read_text()
        return self

    def _answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self, hard=False):
        if self.process and self.process.poll() is None:
            self.process.kill() if hard else self.process.terminate()
            self.process.wait(20)


def bridge_text(ports, lines=()):
    """The shipped example of the bridge, with these servers, and with further lines in place of its CA file."""
    text = (EXAMPLES / "spotter-bridge.conf").read_text()
    kept = [line for line in text.splitlines() if not line.startswith(("addresses ", "bridge_cafile "))]
    if lines:  # Certificates: without user and password, as the file says.
        kept = [line for line in kept if not line.startswith(("remote_username ", "remote_password "))]
    at = kept.index("connection fleet") + 1
    servers = " ".join(f"localhost:{port}" for port in ports)
    return "\n".join(kept[:at] + [f"addresses {servers}", *lines] + kept[at:])


class Client:
    """A connected client: what arrived, and how its subscriptions were answered."""

    def __init__(self, client, port, will=None):
        self.client, self.arrived, self.codes = client, [], {}
        self.connected, self.lost, self.refused = threading.Event(), threading.Event(), None
        client.on_connect, client.on_message = self._answered, self._message
        client.on_subscribe = lambda c, u, mid, codes: self.codes.__setitem__(mid, codes)
        client.on_disconnect = lambda c, u, code: self.lost.set()
        client.reconnect_delay_set(1, 1)
        if will:
            client.will_set(*will)
        client.connect("localhost", port)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        if not wait_until(lambda: self.connected.is_set() or self.refused is not None or self.lost.is_set(), 20):
            raise TimeoutError("no answer to CONNECT")

    def _run(self):
        try:
            self.client.loop_forever()
        except (OSError, ValueError):  # A refusal of TLS ends paho's loop with an exception.
            self.lost.set()

    def _answered(self, client, userdata, flags, code):
        if code == 0:
            self.connected.set()
        else:
            self.refused = code

    def _message(self, client, userdata, message):
        self.arrived.append((message.topic, message.payload.decode(), bool(message.retain), time.monotonic()))

    def subscribe(self, topic, qos=1):
        """The answer of the broker: 0 to 2, or 128 for a refusal; None when it closed the connection instead."""
        _, mid = self.client.subscribe(topic, qos)
        wait_until(lambda: mid in self.codes or self.lost.is_set(), 10)
        return self.codes.get(mid, (None,))[0]

    def publish(self, topic, payload="{}", qos=1, retain=False):
        """Whether it was acknowledged (or, with QoS 0, sent)."""
        info = self.client.publish(topic, payload, qos, retain)
        return wait_until(lambda: info.is_published() or self.lost.is_set(), 10) and info.is_published()

    def topics(self):
        return {topic for topic, *_ in self.arrived}

    def payloads(self, part=""):
        return [payload for topic, payload, *_ in self.arrived if part in topic]

    def close(self):
        try:
            self.client.disconnect()
        except (OSError, ValueError):
            pass
        self.thread.join(5)

    def die(self):
        """Ends without a word, so that the broker publishes the last will."""
        self.client.on_disconnect = lambda client, *_: client.disconnect()
        self.client._sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)


def plain_client(user, client_id="", clean=True):
    client = mqtt.Client(client_id=client_id, clean_session=clean, protocol=mqtt.MQTTv311)
    client.username_pw_set(user, PASSWORD)
    return client
