#!/usr/bin/env python3
"""Five endurance tests with the real program, a real mosquitto and a consumer that acknowledges what it has stored.

    soak.py path/to/spotter kills 1000     kill -9 the node at random moments while a clip is replayed
    soak.py path/to/spotter broker 10000   kill -9 the broker in the middle of a backlog of so many records
    soak.py path/to/spotter steady 60      so many minutes of a looped video: memory, open files and log must not grow
    soak.py path/to/spotter steady 60 FOLDER   … of the videos in a folder, all of one size, such as the rendered crowds
    soak.py path/to/spotter life 24 [CLIP.mp4]   so many hours of one looped clip whose truth is known: the counts of
                                           each part of the run beside those of the clip, memory, files, threads
    soak.py path/to/spotter war 60         so many minutes of random faults and 100 commands a second (war.py); the
                                           seed is printed, SPOTTER_WAR_SEED=… repeats its order of faults

`steady` ends with 0 if they did not grow and no message violated its schema. The others end with 0 if the database is
intact, no position was used twice, the consumer has every final session once, and the totals of node and consumer are
the same. `war` also requires that every command of calm periods is answered once, and that memory, open files and
threads are as before. Prints a report.
"""
import json
import os
import pathlib
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

import jsonschema

for folder in ("Conformance", "TestSupport"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))

from mqtt_client import MQTTClient
from ports import free_port
from war import war

ROOT = pathlib.Path(__file__).parents[2]


class Consumer:
    """Stores records by (node, type, id), the highest revision wins, and acknowledges gapless positions."""

    def __init__(self, port):
        options = type("Options", (), {"user": None, "ca_file": None, "host": "127.0.0.1", "port": port})
        self.client = MQTTClient(options, ["spotter/v1/+/+/rec/#", "spotter/v1/+/+/info"])
        self.client.ready()
        self.read = 0
        self.records, self.by_seq = {}, {}
        self.epoch, self.base, self.received, self.duplicates, self.conflicts = None, None, 0, 0, 0

    def take(self):
        news = self.client.all(since=self.read)
        self.read += len(news)
        for message in news:
            if message.topic.endswith("/info"):
                self.epoch, self.base = message.json()["epoch"], message.topic.removesuffix("/info")
                continue
            record = message.json()
            self.received += 1
            key = (record["epoch"], record["seq"])
            identity = (record["type"], record["id"], record["rev"])
            if key in self.by_seq:
                self.duplicates += 1
                # A position must always have the same record.
                self.conflicts += self.by_seq[key] != identity and self.by_seq[key][0] != "gap"
            self.by_seq[key] = identity
            if record["type"] == "gap":
                # Do not wait for records that no longer exist.
                body = record["body"]
                for seq in range(body["from_seq"], body["to_seq"] + 1):
                    self.by_seq.setdefault((body.get("epoch") or record["epoch"], seq), ("gap", record["id"], 0))
            name = (record["node"], record["type"], record["id"])
            if record["rev"] > self.records.get(name, {"rev": 0})["rev"]:
                self.records[name] = record

    def whole(self):
        """The position up to which nothing is missing."""
        seq = 0
        while (self.epoch, seq + 1) in self.by_seq:
            seq += 1
        return seq

    def acknowledge(self):
        self.take()
        if self.base:
            self.client.client.publish(
                self.base + "/ack/hq", json.dumps({"epoch": self.epoch, "seq": self.whole()}), 1, True)

    def ask_for_missing(self, last):
        """Requests a replay, as a consumer does that has missed records for 30 s."""
        self.client.client.publish(self.base + "/cmd/sync", json.dumps(
            {"id": uuid.uuid4().hex, "args": {"epoch": self.epoch, "from_seq": self.whole() + 1, "to_seq": last}}), 1)

    def totals(self):
        sums = {}
        for (_, kind, _), record in self.records.items():
            for action in record["body"].get("actions", []) if kind == "rollup" else []:
                sums[action["label"]] = sums.get(action["label"], 0) + action["frames"]
        return sums


class Scene:
    def __init__(self, program):
        self.program = os.path.realpath(program)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spotter-soak-"))
        self.database = self.folder / "spotter.db"
        self.port = free_port()
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.broker = self.node = None
        self.start_broker()

    def start_broker(self):
        self.broker = subprocess.Popen(
            ["mosquitto", "-c", str(self.folder / "mosquitto.conf")], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        sys.exit("soak: mosquitto does not start")

    def start_node(self, source, *more):
        environment = dict(os.environ, SPOTTER_MQTT_CONSUMERS="hq", SPOTTER_NODE_TIME_ZONE="UTC",
                           SPOTTER_RECOGNITION_SUBJECTS="everyone")
        self.node = subprocess.Popen(
            [self.program, "run", "--source", str(source), "--database", str(self.database), "--mqtt-host",
             "127.0.0.1", "--mqtt-port", str(self.port), "--quiet", *more], cwd=ROOT, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def clip(self, times):
        file = self.folder / f"loop{times}.poses.jsonl"
        with file.open("w") as out:
            subprocess.run(
                [sys.executable, str(ROOT / "Tests/Conformance/loop_clip.py"),
                 str(ROOT / "Tests/Fixtures/clips/demo.json"), str(times)], stdout=out, check=True)
        return file

    def ask(self, sql, *values):
        with sqlite3.connect(self.database, timeout=10) as connection:
            return connection.execute(sql, values).fetchall()

    def end(self):
        for process in (self.node, self.broker):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        subprocess.run(["rm", "-rf", str(self.folder)])


def settle(scene, consumer, seconds):
    """Waits until the consumer has everything, and requests missing records."""
    deadline = time.monotonic() + seconds
    asked = time.monotonic() + 5
    while time.monotonic() < deadline:
        consumer.acknowledge()
        last = (scene.ask("SELECT seq FROM sqlite_sequence WHERE name = 'record'") or [(0,)])[0][0]
        if consumer.whole() >= last:
            return True
        if time.monotonic() > asked and consumer.base:
            asked = time.monotonic() + 5
            consumer.ask_for_missing(last)
        time.sleep(0.2)
    return False


def imported(scene):
    """What the node has from an import, and so never sent: its sessions, and its totals by label."""
    return ({row[0] for row in scene.ask("SELECT id FROM session")},
            dict(scene.ask("SELECT label, sum(frames) FROM day_action GROUP BY label")))


def judge(scene, consumer, report):
    report["integrity"] = scene.ask("PRAGMA integrity_check")[0][0]
    known, earlier = getattr(scene, "imported", (set(), {}))
    final = {row[0] for row in scene.ask("SELECT id FROM session WHERE end_reason IS NOT NULL")} - known
    final |= {row[0] for row in scene.ask("SELECT DISTINCT id FROM record WHERE type = 'session' AND final = 1")}
    have = {key[2] for key, record in consumer.records.items() if key[1] == "session" and record["final"]}
    report["final sessions"] = len(final)
    report["missing at the consumer"] = len(final - have)
    report["only at the consumer"] = len(have - final)
    report["received"], report["duplicates before deduplication"] = consumer.received, consumer.duplicates
    report["positions used twice"] = consumer.conflicts
    # Rollups that are still open are only in the tables.
    node = {label: frames - earlier.get(label, 0) for label, frames in scene.ask(
        "SELECT label, sum(frames) FROM day_action GROUP BY label") if frames != earlier.get(label, 0)}
    report["totals"] = "equal" if node == consumer.totals() else f"node {node}, consumer {consumer.totals()}"
    good = (report["integrity"] == "ok" and report["totals"] == "equal" and not any(
        report[key] for key in ("missing at the consumer", "only at the consumer", "positions used twice")))
    report["verdict"] = "ok" if good else "FAILED"
    return good


def kills(scene, cycles):
    consumer = Consumer(scene.port)
    short, long = scene.clip(1), scene.clip(200)
    began = time.monotonic()
    for cycle in range(cycles):
        # Two kills in three hit the end of a short clip, where sessions close and everything is written; one hits the
        # middle of a long clip, with a commit every five seconds.
        is_short = cycle % 3 != 2
        scene.start_node(short if is_short else long)
        time.sleep(random.uniform(0.1, 1.5) if is_short else random.uniform(1, 9))
        os.kill(scene.node.pid, signal.SIGKILL)
        scene.node.wait()
        consumer.acknowledge()
        if cycle % 50 == 49:
            print(f"{cycle + 1} kills, {consumer.received} records received", flush=True)
    # A last undisturbed run, which closes what the last kill left open.
    scene.start_node(scene.clip(1))
    scene.node.wait(120)
    scene.start_node(scene.clip(20), "--realtime")
    settled = settle(scene, consumer, 300)
    os.kill(scene.node.pid, signal.SIGTERM)
    scene.node.wait(20)
    settle_after(consumer)
    report = {"kills": cycles, "seconds": round(time.monotonic() - began), "all came": settled}
    return judge(scene, consumer, report) and settled, report


def settle_after(consumer):
    time.sleep(1)
    consumer.take()


def broker(scene, count):
    # Let the node create its tables, then add the backlog.
    scene.start_node(scene.clip(1))
    scene.node.wait(120)
    now = int(time.time() * 1000)
    body = json.dumps({
        "camera": "camera1", "start": "2026-11-21T18:11:40.200Z", "end": "2026-11-21T18:19:12.000Z",
        "end_reason": "idle", "model": "soak", "fps": 30, "actions": [], "excluded_frames": {}})
    with sqlite3.connect(scene.database) as connection:
        connection.executemany(
            "INSERT INTO record(type, id, rev, final, ts_ms, clock, body) VALUES('session', ?, 1, 1, ?, 'unsynced', ?)",
            [(str(uuid.uuid4()), now + 600_000, body) for _ in range(count)])
    consumer = Consumer(scene.port)
    began = time.monotonic()
    scene.start_node(scene.clip(40), "--realtime")
    killed = 0
    for share in (0.2, 0.5, 0.8):
        while consumer.received < share * count and time.monotonic() - began < 300:
            consumer.acknowledge()
            time.sleep(0.05)
        scene.broker.kill()
        scene.broker.wait()
        killed += 1
        time.sleep(0.5)
        scene.start_broker()
    settled = settle(scene, consumer, 600)
    os.kill(scene.node.pid, signal.SIGTERM)
    scene.node.wait(20)
    settle_after(consumer)
    report = {"records": count, "broker kills": killed, "seconds": round(time.monotonic() - began), "all came": settled}
    return judge(scene, consumer, report) and settled, report


def looped_video(scene, minutes, clips):
    """Clips of one size one after the other, over and over, for longer than the run."""
    names = scene.folder / "clips.txt"
    # A clip takes at least three seconds.
    turns = minutes * 60 // (3 * len(clips)) + 2
    names.write_text("".join(f"file '{clip}'\n" for clip in clips * turns))
    video = scene.folder / "loop.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "concat", "-safe", "0", "-i", str(names), "-c", "copy", str(video)], check=True)
    return video


class Judge:
    """Checks every message of a node against its schema as it arrives, and discards it."""

    def __init__(self, port):
        options = type("Options", (), {"user": None, "ca_file": None, "host": "127.0.0.1", "port": port})
        self.validators = {}
        for file in (ROOT / "deploy/contract").glob("*.schema.json"):
            self.validators[file.name.removesuffix(".schema.json")] = jsonschema.Draft202012Validator(
                json.loads(file.read_text()))
        self.counts, self.wrong = {}, []
        self.client = MQTTClient(options, ["spotter/v1/#"])
        self.client.ready()

    def look(self):
        with self.client.lock:
            news, self.client.messages = self.client.messages, []
        for message in news:
            levels = message.topic.split("/")[4:]
            if levels[0] in ("cmd", "ack"):
                continue
            name = {"cam": "cam_" + levels[-1], "rec": "rec_" + levels[-1]}.get(levels[0], levels[0])
            value = message.payload.decode() if name == "cam_enabled" else message.json()
            self.counts[name] = self.counts.get(name, 0) + 1
            if name not in self.validators:
                self.wrong.append(f"{message.topic}: no schema")
            self.wrong += [
                f"{message.topic}: {error.message}" for error in self.validators.get(name, jsonschema.Draft202012Validator(
                    True)).iter_errors(value)]


def sample(scene):
    process = pathlib.Path(f"/proc/{scene.node.pid}")
    pages = int((process / "statm").read_text().split()[1])
    log = pathlib.Path(str(scene.database) + "-wal")
    return (pages * os.sysconf("SC_PAGE_SIZE") / 1024, len(list((process / "fd").iterdir())),
            log.stat().st_size / 1024 if log.exists() else 0)


def bundled_clips():
    folder = ROOT / "Tests/Fixtures/clips"
    return sorted(folder.glob("*_front.mp4")) + [folder / "walk_stand.mp4"]


def steady(scene, minutes, clips):
    judge = Judge(scene.port)
    scene.start_node(looped_video(scene, minutes, clips), "--realtime")
    began = time.monotonic()
    samples = []
    while (elapsed := time.monotonic() - began) < minutes * 60:
        time.sleep(1)
        judge.look()
        if scene.node.poll() is not None:
            print(f"the node ended after {elapsed:.0f} s")
            break
        # The first minute fills caches: batches, the page cache of SQLite, the arenas of the allocator.
        if elapsed > min(60, minutes * 15):
            samples.append(sample(scene))
    has_lasted = scene.node.poll() is None
    scene.node.terminate()
    scene.node.wait(20)
    judge.look()
    quarter = max(1, len(samples) // 4)

    def median(values):
        return sorted(values)[len(values) // 2]

    report = {"minutes": minutes, "samples": len(samples)}
    first, last = zip(*samples[:quarter]), zip(*samples[-quarter:])
    largest = [max(column) for column in zip(*samples)]
    grown = []
    # Differences that are not leaks: a megabyte or two of fragmentation, a file that is open just now, a log of
    # 1,000 pages before SQLite checkpoints it.
    limits = {"resident KB": 2048, "open files": 2, "write-ahead log KB": 4200}
    for (name, limit), early, late, most in zip(limits.items(), first, last, largest):
        report[name] = f"median {median(early):.0f} in the first quarter, {median(late):.0f} in the last, " \
                       f"largest {most:.0f}"
        if median(late) - median(early) > limit:
            grown.append(name)
    report["messages"] = ", ".join(f"{name} {count}" for name, count in sorted(judge.counts.items()))
    report["violations of a schema"] = len(judge.wrong)
    for wrong in judge.wrong[:5]:
        print(wrong)
    good = has_lasted and not grown and not judge.wrong and judge.counts.get("cam_live", 0) > 0
    report["verdict"] = "ok" if good else f"FAILED: {', '.join(grown) or 'the run or its messages'}"
    return good, report


PARTS = 12


def truth_of(clip):
    """Seconds of a clip, and the repetitions in it by exercise: from the JSON beside it."""
    truth = json.loads(clip.with_suffix(".json").read_text())
    found = {}
    for person in truth["people"]:
        for one in person["repetitions"]:
            found[one["exercise"]] = found.get(one["exercise"], 0) + 1
    return truth["frames"] / truth["fps"], found


def life(scene, hours, clip):
    """A long run: what is counted must not drift from the truth, and what the process holds must not grow."""
    seconds, repetitions = truth_of(clip)
    judge = Judge(scene.port)
    scene.start_node(looped_video(scene, round(hours * 60), [clip]), "--realtime")
    began, samples, rows = time.monotonic(), [], []
    part = hours * 3600 / PARTS
    wall = time.time()
    print(f"{seconds:.0f} s of {clip.name}, over and over; in one turn {repetitions}")
    print("| hours | RSS MB | files | threads | database MB | turns | counted of true repetitions | sets a turn |", flush=True)
    print("|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    while (elapsed := time.monotonic() - began) < hours * 3600 and scene.node.poll() is None:
        time.sleep(1)
        judge.look()
        if elapsed > min(60, part / 4):
            samples.append(sample(scene))
        if elapsed >= part * (len(rows) + 1):
            rows.append(counted(scene, wall + part * len(rows), part, seconds, sum(repetitions.values())))
            status = pathlib.Path(f"/proc/{scene.node.pid}/status").read_text()
            threads = int(status.split("Threads:")[1].split()[0])
            memory, files, _ = samples[-1]
            size = scene.database.stat().st_size / 2**20
            turns, share, sets = rows[-1]
            print(f"| {elapsed / 3600:.2f} | {memory / 1024:.1f} | {files} | {threads} | {size:.1f} | {turns:.0f} | "
                  f"{share:.3f} | {sets:.1f} |", flush=True)
    has_lasted = scene.node.poll() is None
    scene.node.terminate()
    scene.node.wait(30)
    judge.look()
    if not samples or not rows:
        return False, {"hours": hours, "verdict": "FAILED: the node ended before the first part did"}
    # The first part begins with a cold start, and the last one ends within a turn.
    shares = [share for _, share, _ in rows[1:]] or [0]
    third = max(1, len(shares) // 3)
    early, late = sum(shares[:third]) / third, sum(shares[-third:]) / third
    quarter = max(1, len(samples) // 4)
    memory = [sorted(column)[len(column) // 2] / 1024 for column in (
        [one[0] for one in samples[:quarter]], [one[0] for one in samples[-quarter:]])]
    files = [sorted(one[1] for one in part)[quarter // 2] for part in (samples[:quarter], samples[-quarter:])]
    faults = ([] if has_lasted else ["the node ended"]) + (["memory"] if memory[1] - memory[0] > 4 else []) \
        + (["open files"] if files[1] - files[0] > 2 else []) + (["counts"] if abs(late - early) > 0.1 * early else []) \
        + (["messages"] if judge.wrong else [])
    report = {"hours": hours, "memory MB": f"{memory[0]:.1f} in the first quarter, {memory[1]:.1f} in the last",
              "open files": f"{files[0]}, then {files[1]}",
              "counted of true repetitions": f"{early:.3f} in the first third, {late:.3f} in the last",
              "messages": sum(judge.counts.values()), "violations of a schema": len(judge.wrong),
              "verdict": "FAILED: " + ", ".join(faults) if faults else "ok"}
    return not faults, report


def counted(scene, since, seconds, turn, repetitions):
    """Turns of the clip in a part of the run, the share of their repetitions that sets have, and sets a turn."""
    first, last = int(1000 * since), int(1000 * (since + seconds))
    (reps, sets), = scene.ask("SELECT coalesce(sum(reps), 0), count(*) FROM session_set WHERE start_ms >= ? AND start_ms < ?",
                              first, last)
    turns = seconds / turn
    return turns, reps / (turns * repetitions), sets / turns


def wage(scene, minutes):
    return war(scene, minutes, Consumer, settle, judge, imported)


def main():
    tests = {"kills": kills, "broker": broker, "steady": steady, "life": life, "war": wage}
    arguments = sys.argv[4:]
    if len(sys.argv) < 4 or sys.argv[2] not in tests or len(arguments) > (1 if sys.argv[2] in ("steady", "life") else 0):
        sys.exit(__doc__)
    if sys.argv[2] == "steady":
        arguments = [sorted(pathlib.Path(arguments[0]).resolve().glob("*.mp4")) if arguments else bundled_clips()]
        if not arguments[0]:
            sys.exit(f"soak: no .mp4 file in {sys.argv[4]}; render the crowds with Tests/Fixtures/render/render.sh --crowds")
    if sys.argv[2] == "life":
        arguments = [pathlib.Path(arguments[0] if arguments else ROOT / "Tests/Fixtures/clips/demo.mp4").resolve()]
    scene = Scene(sys.argv[1])
    try:
        good, report = tests[sys.argv[2]](scene, float(sys.argv[3]) if sys.argv[2] == "life" else int(sys.argv[3]), *arguments)
    finally:
        scene.end()
    for key, value in report.items():
        print(f"{key}: {value}")
    sys.exit(0 if good else 1)


main()
