"""The war of soak.py: a node at work while broker, network, disk, camera and node fail at random, at 100 commands a
second, with a history of years and viewers who ask it the worst questions. A seed, which is printed, determines the order
of the faults."""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request
import uuid

from mqtt_client import MQTTClient
from ports import free_port
from proxy import Proxy
from siege import Pauses, Stream, Viewers, Watchdog, write_history

ROOT = pathlib.Path(__file__).parents[2]
ALLOWED = "ping,info,health,sync,session_end,camera_set,config_check,reload"
# The faults, their relative frequency, and the most seconds that each lasts.
FAULTS = {
    "broker killed": (4, 8), "broker frozen": (3, 40), "network cut": (4, 15), "network slow": (3, 20),
    "disk full": (2, 25), "camera lost": (3, 12), "reload": (2, 0), "node killed": (2, 2),
    "clock set": (3, 15), "broker lies": (4, 20)}
# libfaketime changes the wall clock of one process; the monotonic clock goes on, as it does when a real clock is set.
FAKETIME = next(iter(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)


# How many years of history the node has. Each takes about 100 MB, and as much again during the import.
YEARS = float(os.environ.get("SPOTTER_WAR_YEARS", 0 if os.environ.get("SPOTTER_WAR_LIGHT") else 5))
VIEWERS = 6


class Commander:
    """Sends commands of all kinds, 100 a second, each with its own id, and records the answers."""

    def __init__(self, scene, seed):
        options = type("Options", (), {"user": None, "ca_file": None, "host": "127.0.0.1", "port": scene.port})
        self.scene, self.random = scene, random.Random(seed)
        self.client = MQTTClient(options, ["spotter/v1/+/+/res/#", "spotter/v1/+/+/info"])
        self.client.ready()
        self.base, self.sent, self.answers, self.unreadable = None, {}, {}, 0
        self.calm_since = time.monotonic()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.send, self.hear)]
        for thread in self.threads:
            thread.start()

    def one(self):
        """A command's name, payload, and whether it has a readable id."""
        kind, name = self.random.random(), uuid.uuid4().hex
        if kind < 0.70:
            return name, "ping", json.dumps({"id": name}), True
        if kind < 0.78:
            camera = self.random.choice(["rack1", "rack2", "nowhere"])
            # Most switches are ON, or nothing would be recognised.
            return name, "camera_set", json.dumps(
                {"id": name, "args": {"camera": camera, "enabled": self.random.random() < 0.8}}), True
        if kind < 0.80:
            return name, "session_end", json.dumps({"id": name, "args": {"camera": "rack1"}}), True
        if kind < 0.82:
            return name, "sync", json.dumps({"id": name, "args": {"epoch": "e", "from_seq": 1, "to_seq": 5}}), True
        if kind < 0.90:
            return name, self.random.choice(["info", "health", "config_check", "jump"]), json.dumps({"id": name}), True
        if kind < 0.97:
            return name, "ping", self.random.choice(["", "{", "[" * 4000, '{"id":7}', '{"id":"' + "x" * 99 + '"}']), False
        return name, "ping", json.dumps({"id": name, "args": {"fill": "x" * 17_000}}), False

    def send(self):
        beat = time.monotonic()
        while not self.is_over.is_set():
            beat += 0.01
            time.sleep(max(0, beat - time.monotonic()))
            if not self.base:
                continue
            name, word, payload, is_whole = self.one()
            # Use qos 0: a command that the library sends twice would rightly be answered twice.
            done = self.client.client.publish(f"{self.base}/cmd/{word}", payload, 0)
            if is_whole and done.rc == 0:
                self.sent[name] = time.monotonic()
            elif not is_whole:
                self.unreadable += 1

    def hear(self):
        while not self.is_over.is_set():
            time.sleep(0.1)
            with self.client.lock:
                news, self.client.messages = self.client.messages, []
            for message in news:
                if message.topic.split("/")[4] == "info":
                    self.base = message.topic.removesuffix("/info") if message.payload else self.base
                    continue
                # The doctors of the siege try the broker at a topic of their own.
                if message.topic.endswith("/_test"):
                    continue
                name = message.json().get("id")
                if name:
                    self.answers.setdefault(name, []).append(message.at)

    def wait_for_answer(self, seconds):
        """Seconds until the node answers a command that is sent from now on; None if it does not in time."""
        start = time.monotonic()
        while time.monotonic() < start + seconds:
            time.sleep(0.2)
            if any(self.sent.get(name, 0) > start for name in list(self.answers)[-2000:]):
                return time.monotonic() - start
        return None

    def verdict(self, calm):
        """The number of commands in calm periods, of those without an answer, and of those with two."""
        inside = [name for name, at in self.sent.items() if any(start <= at <= end for start, end in calm)]
        lost = [name for name in inside if name not in self.answers]
        twice = [name for name in inside if len(self.answers.get(name, [])) > 1]
        return inside, lost, twice


class Front:
    """The faults and how to undo them."""

    def __init__(self, scene, proxy, camera, disk, seed):
        self.scene, self.proxy, self.camera, self.disk = scene, proxy, camera, disk
        self.random, self.done = random.Random(seed), {}
        missing = {"disk full": not disk, "camera lost": not camera, "clock set": not scene.clock}
        names = [name for name in FAULTS if not missing.get(name)]
        self.names = [name for name in names for _ in range(FAULTS[name][0])]

    def strike(self):
        name = self.random.choice(self.names)
        seconds = self.random.uniform(0.3, 1) * FAULTS[name][1]
        getattr(self, name.replace(" ", "_"))(seconds)
        count, total = self.done.get(name, (0, 0))
        self.done[name] = (count + 1, total + seconds)
        return name

    def broker_killed(self, seconds):
        self.scene.broker.kill()
        self.scene.broker.wait()
        time.sleep(seconds)
        self.scene.start_broker()

    def broker_frozen(self, seconds):
        self.scene.broker.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.scene.broker.send_signal(signal.SIGCONT)

    def network_cut(self, seconds):
        self.proxy.mode("cut")
        time.sleep(seconds)
        self.proxy.mode("pass")

    def network_slow(self, seconds):
        self.proxy.mode("slow")
        time.sleep(seconds)
        self.proxy.mode("pass")

    def broker_lies(self, seconds):
        self.proxy.mode("lie")
        time.sleep(seconds)
        self.proxy.mode("pass")

    def disk_full(self, seconds):
        ballast = self.disk / "ballast"
        # dd ends when the disk is full.
        subprocess.run(["dd", "if=/dev/zero", f"of={ballast}", "bs=64k"], stderr=subprocess.DEVNULL, check=False)
        time.sleep(seconds)
        ballast.unlink()

    def camera_lost(self, seconds):
        self.camera.stop()
        time.sleep(seconds)
        self.camera.start()

    def clock_set(self, seconds):
        """Sets the clock by up to an hour, forward or back, and later back to what it was."""
        set_clock(self.scene.clock, self.random.choice([-1, 1]) * self.random.uniform(5, 3600))
        time.sleep(seconds)
        set_clock(self.scene.clock, 0)

    def reload(self, _):
        self.scene.configure(level=self.random.choice(["info", "warning"]))
        self.scene.node.send_signal(signal.SIGHUP)

    def node_killed(self, seconds):
        self.scene.node.kill()
        self.scene.node.wait()
        time.sleep(seconds)
        self.scene.begin()


def set_clock(file, seconds):
    """Writes the offset beside the file and renames it, so that nobody reads half a number."""
    new = file.with_suffix(".new")
    new.write_text(f"{seconds:+.0f}\n")
    new.replace(file)


class Film:
    """Serves an endless clip over HTTP, for a camera that needs the pose networks."""
    SERVER = """
import subprocess, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Live(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Type", "video/mp2t"); self.end_headers()
        film = subprocess.Popen(["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", sys.argv[1],
            "-c", "copy", "-f", "mpegts", "-"], stdout=subprocess.PIPE)
        try:
            while piece := film.stdout.read1(65536): self.wfile.write(piece)
        except OSError: pass
        finally: film.kill(); film.wait()
    def log_message(self, *words): pass
ThreadingHTTPServer.allow_reuse_address = True
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Live).serve_forever()
"""

    def __init__(self, port):
        self.port, self.process = port, None
        self.start()

    def start(self):
        clip = str(ROOT / "Tests/Fixtures/clips/demo.mp4")
        self.process = subprocess.Popen(
            ["python3", "-c", self.SERVER, clip, str(self.port)], start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        # Also end the clients' ffmpeg.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Scrapes:
    """Acts as Prometheus, and as a client that does not speak HTTP."""

    def __init__(self, port):
        self.port, self.good, self.failed = port, 0, 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            time.sleep(1)
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as page:
                    self.good += b"spotter_build_info" in page.read()
                with socket.create_connection(("127.0.0.1", self.port), 2) as stranger:
                    stranger.send(os.urandom(200))
            except OSError:
                self.failed += 1


def small_disk(folder):
    """A file system of 64 MB beside the history of years, or None if mounting is not permitted."""
    place = folder / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={64 + round(YEARS * 160)}m", "tmpfs", str(place)], capture_output=True, check=False)
    if mounted.returncode == 0:
        return place
    print("disk full: left out, since only root may mount a small disk")
    return None


def sample(pid):
    process = pathlib.Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines() if ":" in line)
    return (int(status["VmRSS"].split()[0]), len(list((process / "fd").iterdir())), int(status["Threads"]))


def prepare(scene, minutes, imported):
    """Two cameras, a broker behind a proxy, a small disk, metrics; `begin` starts or restarts the node."""
    disk = small_disk(scene.folder)
    scene.disk = disk
    scene.database = (disk or scene.folder) / "spotter.db"
    proxy = Proxy(scene.port)
    has_networks = (ROOT / "Models/pose_landmark_full.tflite").exists() and not os.environ.get("SPOTTER_WAR_LIGHT")
    film = Film(free_port()) if has_networks else None
    if not film:
        print("camera lost: left out, since it needs the pose networks")
    scene.clock, surroundings = None, dict(os.environ)
    if FAKETIME and not os.environ.get("SPOTTER_WAR_LIGHT"):
        scene.clock = scene.folder / "clock"
        set_clock(scene.clock, 0)
        surroundings |= {
            "LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(scene.clock), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    else:
        print("clock set: left out, since it needs libfaketime and an uninstrumented build")
    metrics, page = free_port(), free_port()
    scene.page = page
    if YEARS:
        write_history(scene, YEARS)
        scene.imported = imported(scene)
    scene.watchdog = Watchdog(scene.folder)
    surroundings |= scene.watchdog.environment
    # A clip of 27 s over and over, for longer than the run.
    poses = scene.clip(minutes * 60 // 27 + 20)
    second = f"http://127.0.0.1:{film.port}/live" if film else str(poses)
    file = scene.folder / "config.toml"

    def configure(level="info"):
        allow = json.dumps(ALLOWED.split(","))
        file.write_text(f"""
[[camera]]
id = "rack1"
source = "{poses}"
[[camera]]
id = "rack2"
source = "{second}"
[node]
time_zone = "UTC"
[history]
path = "{scene.database}"
maximum_megabytes = {512 + round(YEARS * 200)}
[mqtt]
host = "127.0.0.1"
port = {proxy.port}
consumers = ["hq"]
live = true
[commands]
allow = {allow}
[metrics]
enabled = true
port = {metrics}
[web]
enabled = true
listen = "127.0.0.1:{page}"
[log]
level = "{level}"
""")

    def begin():
        scene.began = time.monotonic()
        scene.node = subprocess.Popen(
            # The first preloaded process gets a new environment, behind which Swift would not find its arguments.
            ["env", scene.program, "run", "--config", str(file), "--realtime"], cwd=ROOT, env=surroundings,
            stdout=subprocess.DEVNULL, stderr=(scene.folder / "log").open("a"))

    scene.configure, scene.begin = configure, begin
    configure()
    begin()
    return proxy, film, disk, metrics


# The longest delay before the node tries a broker again is 60 s; a dead connection is noticed after 40 s.
LONGEST_ABSENCE = 110


def fight(scene, front, commander, consumer, samples, minutes):
    """Causes faults with calm periods between. Returns those, how often the node ended by itself, and the longest time
    in seconds until it answered again."""
    calm, fallen, longest = [], 0, 0.0
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        # Wait until the node is back, then until it has answered all earlier commands.
        back = commander.wait_for_answer(LONGEST_ABSENCE)
        longest = max(longest, LONGEST_ABSENCE if back is None else back)
        if back is None:
            print(f"no answer for {LONGEST_ABSENCE} s")
        time.sleep(front.random.uniform(3, 8) + 12)
        start = time.monotonic()
        stop = start + front.random.uniform(5, 15)
        while time.monotonic() < stop:
            time.sleep(1)
            consumer.acknowledge()
            if scene.node.poll() is None and time.monotonic() - scene.began > 30:
                samples.append(sample(scene.node.pid))
        # Answers must arrive within ten seconds.
        calm.append((start, stop - 4))
        if scene.node.poll() is not None:
            fallen += 1
            print(f"{(end - time.monotonic()) / 60:5.1f} min left: the node ended by itself with {scene.node.returncode}")
            # It spoke to nobody from then on: that is one fault, and not a silence as well.
            calm.pop()
            scene.begin()
            continue
        name = front.strike()
        print(f"{(end - time.monotonic()) / 60:5.1f} min left: {name}", flush=True)
    return calm, fallen, longest


def flat(samples):
    """Medians of the first and the last quarter, and the values that grew too much.

    ThreadSanitizer takes five to ten times the memory, so with it memory may grow by eight times as much.
    """
    quarter = max(1, len(samples) // 4)
    rows, grown = {}, []
    for place, (name, limit) in enumerate({"resident KB": 16_384, "open files": 6, "threads": 4}.items()):
        early, late = (sorted(row[place] for row in part)[quarter // 2] for part in (
            samples[:quarter], samples[-quarter:]))
        rows[name] = f"median {early} in the first quarter, {late} in the last, most " \
                     f"{max(row[place] for row in samples)}"
        if name == "resident KB" and os.environ.get("SPOTTER_SANITIZED"):
            limit *= 8
        if late - early > limit:
            grown.append(name)
    return rows, grown


class Live:
    """A client of the broker that hears whatever the node says: a camera may be switched off, but commands are answered."""

    def __init__(self, port):
        options = type("Options", (), {"user": None, "ca_file": None, "host": "127.0.0.1", "port": port})
        self.client, self.pauses = MQTTClient(options, ["spotter/v1/+/+/cam/#", "spotter/v1/+/+/res/#"]), Pauses()
        self.client.ready()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            time.sleep(0.02)
            with self.client.lock:
                news, self.client.messages = self.client.messages, []
            if news:
                self.pauses.hear()


def silence(report, calm, stream, live, watchdog):
    """Reports the longest pauses of calm stretches. Returns what was silent for too long."""
    limits = {"live stream": (stream.pauses, 1), "MQTT": (live.pauses, 2), "watchdog": (watchdog.pauses, 10)}
    if os.environ.get("SPOTTER_SANITIZED"):
        limits = {name: (pauses, 10 * limit) for name, (pauses, limit) in limits.items()}
    silent = []
    for name, (pauses, limit) in limits.items():
        longest = pauses.longest(calm)
        report[f"longest pauses of the {name}"] = ", ".join(f"{one:.2f} s" for one in longest) or "never heard"
        if not longest or longest[0] > limit:
            silent.append(name)
    return silent


def war(scene, minutes, consumer_kind, settle, judge, imported):
    seed = int(os.environ.get("SPOTTER_WAR_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"seed {seed}: the same order again with SPOTTER_WAR_SEED={seed}")
    proxy, film, disk, metrics = prepare(scene, minutes, imported)
    try:
        consumer, scrapes = consumer_kind(scene.port), Scrapes(metrics)
        stream, viewers, live = Stream(scene.page), Viewers(scene.page, VIEWERS), Live(scene.port)
        commander = Commander(scene, seed)
        front, samples = Front(scene, proxy, film, disk, seed), []
        calm, fallen, longest = fight(scene, front, commander, consumer, samples, minutes)
        # Wait for the answers of the last calm period.
        time.sleep(10)
        commander.is_over.set()
        settled = settle(scene, consumer, 300)
        scene.node.send_signal(signal.SIGTERM)
        code = scene.node.wait(60)
        time.sleep(2)
        consumer.take()
        report = {"minutes": minutes, "seed": seed, "all came": settled, "exit code": code, "fallen": fallen}
        for name, (count, seconds) in sorted(front.done.items()):
            report[name] = f"{count} times, {seconds:.0f} s"
        inside, lost, twice = commander.verdict(calm)
        report["commands"] = f"{len(commander.sent)} with an id, {commander.unreadable} that could not be read"
        report["of calm stretches"] = f"{len(inside)}, without answer {len(lost)}, answered twice {len(twice)}"
        report["back after a fault"] = f"within {longest:.0f} s"
        report["scrapes"] = f"{scrapes.good}, failed {scrapes.failed}"
        report["questions of viewers"] = ", ".join(f"{count} {code}" for code, count in sorted(
            viewers.codes.items(), key=str))
        silent = silence(report, calm, stream, live, scene.watchdog)
        rows, grown = flat(samples)
        report |= rows
        good = judge(scene, consumer, report) and settled and code == 0 and not (fallen or grown or lost or twice or silent)
        good = good and scrapes.good > 0 and inside and longest < LONGEST_ABSENCE
        report["verdict"] = "ok" if good else "FAILED" + (f": {', '.join(grown)} grew" if grown else "") + (
            f": {', '.join(silent)} silent for too long" if silent else "")
        if not good:
            kept = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"spotter-war-{seed}"
            kept.mkdir(exist_ok=True)
            for file in [scene.folder / "log", scene.database]:
                shutil.copy(file, kept)
            report["kept"] = str(kept)
        return bool(good), report
    finally:
        if film:
            film.stop()
        if scene.node and scene.node.poll() is None:
            scene.node.kill()
            scene.node.wait()
        if disk:
            subprocess.run(["umount", "-l", str(disk)], check=False)
