"""The programs of a fleet under test: simulated nodes, sinks, and one gym with a real node.

Each is started, stopped and killed like any program. What it says goes to a log in the run's folder.
"""
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "TestSupport"))

from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "secret"
NODES_IN_A_PROCESS = 200


def allow_many_files():
    """A thousand histories and connections need more descriptors than a program usually may open."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def password_file(folder):
    """The file with everybody's password. It is written once: a changed file makes its users connect again."""
    file = pathlib.Path(folder) / "password"
    if not file.exists():
        file.write_text(PASSWORD + "\n")
    return file


class Program:
    """A process with a log."""

    def __init__(self, name, folder):
        self.name, self.folder, self.process = name, pathlib.Path(folder), None

    def launch(self, words, environment=None, **pipes):
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(
                [str(word) for word in words], env=dict(os.environ, **(environment or {})), cwd=ROOT,
                stdout=pipes.get("stdout", log), stderr=log, stdin=pipes.get("stdin", subprocess.DEVNULL))

    @property
    def pid(self):
        return self.process.pid if self.process else None

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        if self.is_running():
            self.process.kill()
            self.process.wait()

    def stop(self, seconds=15):
        if not self.is_running():
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def log(self):
        file = self.folder / f"{self.name}.log"
        return file.read_text(errors="replace") if file.exists() else ""


class Nodes(Program):
    """A process of simulated nodes. Its lines of JSON are read by a thread of its own."""

    def __init__(self, program, folder, first, count, options):
        super().__init__(f"nodes-{first}", folder)
        self.program, self.first, self.count, self.options = program, first, count, options
        self.made = self.pending = self.online = 0
        self.lines, self.news, self.failure = [], threading.Condition(), None
        # Held by whoever gives orders or ends the process.
        self.busy = threading.Lock()

    def start(self):
        words = [self.program, "--first", self.first, "--count", self.count]
        for name, value in self.options.items():
            for one in value if isinstance(value, list) else [value]:
                words += [f"--{name}", one]
        self.launch(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            said = json.loads(line)
            with self.news:
                if said["at"] == "progress":
                    self.made, self.pending, self.online = said["made"], said["pending"], said["online"]
                else:
                    self.lines.append(said)
                if said["at"] == "failed":
                    self.failure = said["reason"]
                self.news.notify_all()

    def order(self, **order):
        self.process.stdin.write((json.dumps(order) + "\n").encode())
        self.process.stdin.flush()

    def wait(self, what, seconds, **facts):
        """The first line of this kind with these facts; None when it does not come in time."""
        def found():
            return next((line for line in self.lines if line["at"] == what and facts.items() <= line.items()), None)
        with self.news:
            self.news.wait_for(lambda: found() or self.failure or not self.is_running(), seconds)
            return found()

    def forget(self, what):
        """Drops the lines of a kind, so that the next one is waited for."""
        with self.news:
            self.lines = [line for line in self.lines if line["at"] != what]

    def quit(self, seconds=60):
        if not self.is_running():
            return
        try:
            self.order(do="quit")
            self.process.wait(seconds)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()

    def stop(self, seconds=60):
        self.quit(seconds)


class Sink(Program):
    """A sink, with its metrics."""

    def __init__(self, program, folder, number, broker_port, connection, **settings):
        super().__init__(f"sink-{number}", folder)
        self.program, self.port = program, free_port()
        self.config = self.folder / f"sink-{number}.toml"
        tables = {
            "mqtt": {"host": "127.0.0.1", "port": broker_port, "user": "hq",
                     "password_file": str(password_file(self.folder))},
            "database": {"connection": connection},
            "sink": {"consumer": "hq", **settings},
            "metrics": {"enabled": True, "listen": f"127.0.0.1:{self.port}"},
            "log": {"level": "info"},
        }
        self.config.write_text("".join(
            f"[{table}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
            for table, keys in tables.items()))

    def start(self):
        self.launch([self.program, "run", "--config", self.config])

    def command(self, *words):
        """Runs another command of the program with the same configuration."""
        return subprocess.run(
            [self.program, *words, "--config", str(self.config)], cwd=ROOT, capture_output=True, text=True)

    def metrics(self):
        """The numbers by name with labels, as they stand in the text; empty while nobody answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=2) as answer:
                text = answer.read().decode()
        except (OSError, ValueError):
            return {}
        return {name: float(value) for name, value in re.findall(r"^([a-z_]+(?:{[^}]*})?) (\S+)$", text, re.M)}


class Gym:
    """A gym of its own: mosquitto with the shipped bridge, and a real node in front of a looped clip."""

    site, node_id = "real", "sp-real"

    def __init__(self, spotter, folder, histories, hub_ports, seconds):
        self.spotter, self.folder, self.hub_ports = spotter, pathlib.Path(folder), hub_ports
        self.seconds, self.port = seconds, free_port()
        self.database = pathlib.Path(histories) / self.node_id / "spotter.db"
        self.broker, self.node = Program("mosquitto", folder), Program("spotter", folder)

    def start(self):
        (self.folder / "mosquitto").mkdir(exist_ok=True)
        lines = [
            f"listener {self.port} 127.0.0.1", "allow_anonymous true", "persistence true",
            f"persistence_location {self.folder}/mosquitto/", "max_queued_messages 100000", self._bridge()]
        (self.folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        self.start_broker()
        self._play("demo", self.seconds)

    def start_broker(self):
        self.broker.launch(["mosquitto", "-c", self.folder / "mosquitto.conf"])
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("mosquitto does not start:\n" + self.broker.log()[-800:])

    def finish(self):
        """Ends the training, and starts the node again in front of nobody, so that it sends what is left."""
        self.node.stop()
        self._play("walk_stand", 3600, is_empty=True)

    def _play(self, clip, seconds, is_empty=False):
        """Starts the node in front of a clip, over and over; with `is_empty` without the people in it."""
        source = ROOT / f"Tests/Fixtures/clips/{clip}.json"
        stream = self.folder / f"{clip}.poses.jsonl"
        data = json.loads(source.read_text())
        if is_empty:
            # A minute without people.
            data.update(data=[{"t": number / 5, "people": []} for number in range(300)], fps=5)
            source = self.folder / f"{clip}.json"
            source.write_text(json.dumps(data))
        turns = int(seconds / data["data"][-1]["t"]) + 2
        with stream.open("w") as out:
            subprocess.run(
                [sys.executable, str(ROOT / "Tests/Conformance/loop_clip.py"), str(source), str(turns)], stdout=out,
                check=True)
        environment = {
            "SPOTTER_NODE_SITE": self.site, "SPOTTER_NODE_ID": self.node_id, "SPOTTER_NODE_TIME_ZONE": "Europe/Berlin",
            "SPOTTER_MQTT_CONSUMERS": "hq", "SPOTTER_MQTT_DISCOVERY": "false"}
        self.node.launch(
            [self.spotter, "run", "--source", stream, "--realtime", "--mqtt-host", "127.0.0.1", "--mqtt-port",
             self.port, "--database", self.database, "--quiet"], environment)

    def _bridge(self):
        """The shipped file, with this hub's addresses, this gym's name, and no TLS on loopback."""
        text = (ROOT / "deploy/package/examples/mosquitto/spotter-bridge.conf").read_text()
        text = re.sub(r"^bridge_(cafile|capath|certfile|keyfile|insecure|alpn).*\n", "", text, flags=re.M)
        hub = "addresses " + " ".join(f"127.0.0.1:{port}" for port in self.hub_ports)
        text = re.sub(r"^address(es)? .*", hub, text, flags=re.M)
        text = re.sub(r"^remote_username .*", f"remote_username gym-{self.site}", text, flags=re.M)
        text = re.sub(r"^remote_password .*", f"remote_password {PASSWORD}", text, flags=re.M)
        return text.replace("berlin", self.site)

    def stop(self):
        # Nothing may be written after the records were compared.
        self.node.kill()
        self.broker.stop()
