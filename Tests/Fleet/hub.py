"""The fleet's hub for tests: three nats-servers on loopback, from the very files of deploy/fleet/nats.

    with Hub(folder, members=[("gym", "berlin"), ("node", "paris", "sp-1"), ("sink", "hq")]) as hub:
        hub.start()
        hub.mqtt_ports                      # of the three servers
        hub.kill(1), hub.restart(1)

Every member has the password `secret`; with tls=True it has a certificate instead, see `certificate`. There are two
more users: `tester` may read and write everything that nodes do, `probe` serves `ready`.
"""
import atexit
import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.request

import paho.mqtt.client as mqtt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "TestSupport"))

from hub_files import FILES, PASSWORD, ROOT, HubFiles
from ports import free_port


class Hub(HubFiles):
    """Three servers in a folder.

    `tls` is False, True (certificates are the users) or "passwords" (TLS and passwords). `disk` is what a server may
    store, `limit` what may wait for receivers.
    """

    def __init__(self, folder, tls=False, members=(), disk="4GB", limit="3GB"):
        self.folder = pathlib.Path(folder).resolve()
        self.tls, self.members, self.disk, self.limit = tls, list(members), disk, limit
        # Members with another user than their name.
        self.logins = {}
        ports = [free_port() for _ in range(12)]
        self.mqtt_ports, self.cluster_ports, self.client_ports, self.monitor_ports = (
            ports[0:3], ports[3:6], ports[6:9], ports[9:12])
        self.processes = [None, None, None]
        self.logs = [self.folder / f"hub-{i + 1}.log" for i in range(3)]
        atexit.register(self.stop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    # Starting and stopping

    def start(self, seconds=90):
        """Starts all three and waits until they work. The logs and data of an earlier start are kept."""
        self.program = subprocess.run(
            [str(ROOT / "Tests/Fleet/fetch-nats.sh")], check=True, capture_output=True, text=True).stdout.strip()
        self.folder.mkdir(parents=True, exist_ok=True)
        for i in range(3):
            (self.home(i) / "data").mkdir(parents=True, exist_ok=True)
        if self.tls:
            self._make_certificates()
        self._write_files()
        for i in range(3):
            self._launch(i)
        self.ready(seconds)
        if not (self.folder / "operator.password").exists():
            self._limit()

    def _limit(self):
        """Limits what waits for receivers. It holds over restarts."""
        password = self.folder / "operator.password"
        password.write_text(PASSWORD)
        words = ["--password-file", str(password), "--port", str(self.client_ports[0]), self.limit]
        subprocess.run([str(FILES / "nats/limit.py"), *words], check=True, stdout=subprocess.DEVNULL)

    def stop(self):
        running = [process for process in self.processes if process and process.poll() is None]
        for process in running:
            process.terminate()
        for process in running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def kill(self, i):
        """As if the machine had lost its power."""
        self.processes[i].kill()
        self.processes[i].wait()

    def restart(self, i, seconds=60):
        """Starts server i again, with its data, and waits until it has caught up and works."""
        if self.processes[i].poll() is None:
            self.processes[i].terminate()
            self.processes[i].wait(30)
        self._launch(i)
        self.ready(seconds)

    def reload(self):
        """Writes the users again, as `users.sh write` does, and makes all servers read them."""
        self._write_files()
        for i in self.alive():
            self.processes[i].send_signal(signal.SIGHUP)
        time.sleep(1)

    def alive(self):
        return [i for i in range(3) if self.processes[i] and self.processes[i].poll() is None]

    def _launch(self, i):
        home = self.home(i)
        scheme = "tls" if self.tls else "nats"
        routes = [f"{scheme}://localhost:{port}" for port in self.cluster_ports]
        environment = dict(
            os.environ, HUB_NAME=f"hub-{i + 1}", HUB_MQTT=f"127.0.0.1:{self.mqtt_ports[i]}",
            HUB_CLUSTER=f"127.0.0.1:{self.cluster_ports[i]}", HUB_ROUTES=f"[{','.join(routes)}]",
            HUB_CLIENTS=f"127.0.0.1:{self.client_ports[i]}", HUB_MONITOR=f"127.0.0.1:{self.monitor_ports[i]}",
            HUB_STORE=str(home / "data"), HUB_DISK=self.disk)
        with open(self.logs[i], "ab") as log:
            self.processes[i] = subprocess.Popen(
                [self.program, "-c", str(home / "hub.conf")], env=environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log,
                # hub_run.py blocks signals, and a child inherits that.
                preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, ()))

    # Clients

    def client(self, user, client_id="", clean=True, certificate=None):
        """A paho client that may log in as this member, not connected yet."""
        client = mqtt.Client(client_id=client_id, clean_session=clean, protocol=mqtt.MQTTv311)
        if self.tls is not True:
            client.username_pw_set(user, PASSWORD)
        if self.tls:
            files = certificate or self.certificate(user) if self.tls is True else (None, None)
            context = ssl.create_default_context(cafile=str(self.ca_file))
            if files[0]:
                context.load_cert_chain(*files)
            client.tls_set_context(context)
        return client

    def monitor(self, i, path):
        """What server i says of itself at its monitoring port, such as `varz` or `jsz?consumers=true`."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor_ports[i]}/{path}", timeout=5) as answer:
            return json.load(answer)

    def memory_mb(self, i):
        """The resident memory of server i."""
        text = pathlib.Path(f"/proc/{self.processes[i].pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024

    def ready(self, seconds=60):
        """Waits until a message of QoS 1 gets from every running server to every other one.

        Raises RuntimeError with the end of the logs if that does not happen.
        """
        deadline = time.monotonic() + seconds
        reason = "no server runs"
        while time.monotonic() < deadline:
            if any(process.poll() is not None for process in self.processes if process) and not self.alive():
                break
            try:
                # healthz says 503 while a server is still catching up with the others. A client that comes before
                # there is a leader waits long.
                for i in self.alive():
                    self.monitor(i, "healthz")
                leaders = {self.monitor(i, "jsz").get("meta_cluster", {}).get("leader") for i in self.alive()}
                if len(self.alive()) >= 2 and len(leaders) == 1 and None not in leaders and self._carries():
                    return
                reason = "messages do not get through"
            except OSError as error:
                reason = str(error)
            time.sleep(0.3)
        tails = "".join(f"\n{log}:\n{log.read_text()[-1500:]}" for log in self.logs if log.exists())
        raise RuntimeError(f"the hub is not ready: {reason}{tails}")

    def _carries(self):
        """Whether a message published at each server arrives at clients of all of them."""
        alive, arrived, lock = self.alive(), set(), threading.Lock()
        clients = {}
        word = os.urandom(6).hex()
        granted = set()
        try:
            for i in alive:
                def came(client, userdata, message, i=i):
                    with lock:
                        arrived.add((int(message.payload), i))

                client = clients[i] = self.client("probe", f"probe-{word}-{i}")
                client.on_message = came
                client.on_connect = lambda client, *_: client.subscribe(f"spotter-probe/{word}", 1)
                client.on_subscribe = lambda c, u, mid, codes, i=i: granted.add(i) if codes == (1,) else None
                client.connect("localhost", self.mqtt_ports[i])
                client.loop_start()
            if not _soon(lambda: len(granted) == len(alive), 8):
                return False
            sent = [clients[i].publish(f"spotter-probe/{word}", str(i), 1) for i in alive]
            return _soon(lambda: all(s.is_published() for s in sent) and len(arrived) == len(alive) ** 2, 10)
        finally:
            for client in clients.values():
                client.disconnect()
                client.loop_stop()


def _soon(condition, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return condition()
