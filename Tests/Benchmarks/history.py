#!/usr/bin/env python3
"""Measures a history of years: history.py SPOTTER YEARS...

Writes an export as four cameras of a gym would leave it, imports it, and asks what people ask. One year has 109,500
sessions with three sets each, and about a million rows. Printed for each number of years: rows for each second of
processor and the memory of an import and of an export, the largest log of the import, and how long each question takes.
`history.py --write FILE YEARS` only writes the export.
"""
import datetime
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

CAMERAS = ["rack-1", "rack-2", "mat", "stage"]
SESSIONS_A_DAY = 75  # of each camera
SETS = 3
WORKOUTS_A_YEAR = 300
LABELS = ["squat", "lunge", "push_up", "sit_up", "burpee", "jumping_jack"]
MODEL = "exercises@bc1757"
NAMES = ["anna", "ben", "cora", "dirk", "ella"]
# Single predictions and five-minute sums leave after some days, so their number does not grow with the years.
PREDICTION_DAYS, ROLLUP_DAYS = 14, 90
# As `spotter` writes it for a plan file of four steps.
PLAN = json.dumps({
    "description": "", "id": "legs", "name": "Legs", "rounds": 2, "steps": [
        {"action": "squat", "repetitions": 12, "rest_seconds": 60}, {"action": "lunge", "repetitions": 8, "rest_seconds": 90}]})
MEASURES = [
    ("knee_flexion", 92.4, 4.1), ("hip_flexion", 88.1, 5.2), ("hip_drop", 0.412, 0.031), ("trunk_lean", 31.2, 3.3),
    ("standing_bend", 6.4, 2.9), ("asymmetry", 0.021, 0.012), ("seconds", 2.31, 0.04), ("lowering_seconds", 1.12, 0.05),
    ("raising_seconds", 1.03, 0.05), ("rhythm", 0.052, 0.017)]


def moment(seconds):
    text = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{int(seconds * 1000) % 1000:03d}Z"


def identifier(seconds, number):
    """A UUIDv7 of a moment."""
    milliseconds = int(seconds * 1000)
    return f"{milliseconds >> 16:08x}-{milliseconds & 0xffff:04x}-7cb4-b705-{number:012x}"


class History:
    """An export of some years that end today."""

    def __init__(self, years, out):
        self.days, self.out, self.rows = max(1, round(365 * years)), out, 0
        self.midnight = int(time.time()) // 86400 * 86400
        self.workouts = max(1, round(WORKOUTS_A_YEAR * years))

    def line(self, text):
        self.out.write(text + "\n")
        self.rows += 1

    def begin(self, day):
        return self.midnight - (self.days - day) * 86400

    def sessions(self):
        """Every session: its id, number, camera and beginning, in order of time."""
        for day in range(self.days):
            for place in range(SESSIONS_A_DAY):
                for index, camera in enumerate(CAMERAS):
                    number = (day * SESSIONS_A_DAY + place) * len(CAMERAS) + index
                    start = self.begin(day) + 25200 + place * 700 + index * 37 + number % 997 / 1000
                    yield identifier(start, number), number, camera, start

    def write(self):
        self.line(json.dumps({
            "table": "about", "format": "spotter.history", "version": 1, "node": "sp-aaaaaaaaaa",
            "epoch": "01a21853-6d7f-7206-a997-323eb3636587", "seq": 3, "tz": "Europe/Berlin",
            "written": moment(time.time())}))
        for name, number, camera, start in self.sessions():
            self.line(
                f'{{"table":"sessions","id":"{name}","camera":"{camera}","track":{number % 50 + 1},"start":"{moment(start)}",'
                f'"end":"{moment(start + 400)}","end_reason":"idle","model":"{MODEL}","fps":30.0,"rev":2,"zone":"{camera}"}}')
        for name, number, camera, start in self.sessions():
            for position in range(SETS):
                label = "other" if position == 2 else LABELS[(number + position) % len(LABELS)]
                reps = "" if position == 2 else '"reps":15,'
                self.line(
                    f'{{"table":"session_actions","session":"{name}","label":"{label}","position":{position},'
                    f'"frames":{900 + number % 89},"seconds":{30 + number % 89 / 30:.6f},{reps}"conf_mean":0.9{number % 97:02d}}}')
        for name, number, camera, start in self.sessions():
            self.line(
                f'{{"table":"session_excluded","session":"{name}","reason":"low_confidence","frames":{number % 311}}}')
        for name, number, camera, start in self.sessions():
            for position in range(SETS):
                began = start + 10 + position * 120
                self.line(
                    f'{{"table":"sets","session":"{name}","number":{position + 1},'
                    f'"label":"{LABELS[(number + position % 2) % len(LABELS)]}","start":"{moment(began)}",'
                    f'"end":"{moment(began + 32.5)}","reps":{8 + number % 7},"score":{60 + number % 40},'
                    f'"zone":"{camera}"}}')
        self.write_days()
        self.write_rollups()
        self.write_workouts()
        self.write_occupancy()
        self.write_predictions()

    def dates(self):
        for day in range(self.days):
            for camera in CAMERAS:
                yield moment(self.begin(day))[:10], camera

    def write_days(self):
        for day, camera in self.dates():
            self.line(f'{{"table":"days","day":"{day}","camera":"{camera}","sessions":{SESSIONS_A_DAY},"rev":900}}')
        for day, camera in self.dates():
            for label in LABELS:
                self.line(
                    f'{{"table":"day_actions","day":"{day}","camera":"{camera}","label":"{label}","frames":22500,'
                    '"seconds":750.0,"reps":380}')
        for day, camera in self.dates():
            self.line(f'{{"table":"day_excluded","day":"{day}","camera":"{camera}","reason":"no_person","frames":99000}}')
        for day, camera in self.dates():
            self.line(
                f'{{"table":"day_zones","day":"{day}","camera":"{camera}","zone":"{camera}","sets":225,"reps":2475,'
                '"seconds":7312.5}')

    def rollups(self):
        for day in range(max(0, self.days - ROLLUP_DAYS), self.days):
            for slot in range(144):
                for index, camera in enumerate(CAMERAS):
                    start = self.begin(day) + 25200 + slot * 300
                    yield identifier(start, 1 << 40 | (day * 144 + slot) * 4 + index), camera, start

    def write_rollups(self):
        for name, camera, start in self.rollups():
            self.line(
                f'{{"table":"rollups","id":"{name}","camera":"{camera}","start":"{moment(start)}","model":"{MODEL}",'
                '"fps":30.0,"rev":1}')
        for name, camera, start in self.rollups():
            for label in LABELS[:3]:
                self.line(
                    f'{{"table":"rollup_actions","rollup":"{name}","label":"{label}","frames":1200,"seconds":40.0}}')

    def started(self):
        for number in range(self.workouts):
            start = self.begin(0) + 36000 + number * self.days * 86400 // self.workouts
            yield identifier(start, 1 << 41 | number), number, start

    def write_workouts(self):
        for name, number, start in self.started():
            self.line(json.dumps({
                "table": "workouts", "id": name, "camera": CAMERAS[number % 4], "name": NAMES[number % 5], "plan": PLAN,
                "start": moment(start), "end": moment(start + 600), "end_reason": "completed", "step": 3,
                "phase": "active", "rev": 6}))
        for name, number, start in self.started():
            for step in range(4):
                began, reps = start + step * 140, 12 if step % 2 == 0 else 8
                measured = [{
                    "range": "knee_flexion", "whole": 92, "primary": 95, "control": 88,
                    "readings": {key: {"value": value, "uncertainty": error} for key, value, error in MEASURES}}] * reps
                self.line(json.dumps({
                    "table": "workout_steps", "workout": name, "number": step, "action": "squat" if step % 2 == 0 else "lunge",
                    "start": moment(began), "end": moment(began + 40), "reps": reps, "seconds": 38.2,
                    "score": 88, "skipped": 0, "measured": json.dumps(measured), "cues": "[]"}))

    def quarters(self):
        for day in range(self.days):
            for slot in range(96):
                for index, camera in enumerate(CAMERAS):
                    yield self.begin(day) + slot * 900, slot, index, camera

    def write_occupancy(self):
        for start, slot, index, camera in self.quarters():
            people = 0 if slot < 28 or slot > 86 else slot % 7 + index
            self.line(
                f'{{"table":"occupancy","start":"{moment(start)}","camera":"{camera}","watched_seconds":900.0,'
                f'"person_seconds":{people * 900.0},"most":{people + 1},"most_of_all":{people + 4}}}')
        for start, slot, index, camera in self.quarters():
            if 28 <= slot <= 86:
                self.line(
                    f'{{"table":"occupancy_zones","start":"{moment(start)}","camera":"{camera}","zone":"{camera}",'
                    f'"person_seconds":{slot % 3 * 450.0},"waiting_seconds":{slot % 5 * 20.0},"most":2}}')

    def write_predictions(self):
        for day in range(max(0, self.days - PREDICTION_DAYS), self.days):
            for second in range(0, 43200, 60):
                for index, camera in enumerate(CAMERAS):
                    self.line(
                        f'{{"table":"predictions","end":"{moment(self.begin(day) + 25200 + second + index / 8)}",'
                        f'"camera":"{camera}","track":{second % 50 + 1},"label":"{LABELS[second // 60 % 6]}",'
                        '"confidence":0.973,"frames":10}')


def write(path, years):
    with open(path, "w") as file:
        history = History(years, file)
        history.write()
    return history.rows


def largest(path, done, sizes):
    """Watches the size of a file that comes and goes."""
    while not done.is_set():
        try:
            sizes.append(os.path.getsize(path))
        except OSError:
            pass
        done.wait(0.05)


def run(arguments, watch=()):
    """Runs a command: its seconds, seconds of processor, largest memory in MB, and the largest size of each watched file."""
    done, sizes = threading.Event(), {path: [0] for path in watch}
    watchers = [threading.Thread(target=largest, args=(path, done, sizes[path])) for path in watch]
    for watcher in watchers:
        watcher.start()
    began = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    for watcher in watchers:
        watcher.join()
    if process.returncode:
        sys.exit(f"{' '.join(arguments[:4])} ended with {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, [max(sizes[path]) / 1e6 for path in watch]


def measure(spotter, years, folder):
    export, database = f"{folder}/history.jsonl", f"{folder}/{years}.db"
    rows = write(export, years)
    print(f"{years:g} years: {rows:,} rows, {os.path.getsize(export) / 1e6:.0f} MB of export", flush=True)
    logs = [database + "-wal", database + "-journal"]
    seconds, processor, memory, sizes = run([spotter, "import", export, "--database", database], logs)
    print(f"  import          {rows / processor:10,.0f} rows a second of processor, {seconds:.1f} s, {memory:.0f} MB, "
          f"log {max(sizes):.1f} MB, database {os.path.getsize(database) / 1e6:.0f} MB", flush=True)
    os.remove(export)
    seconds, processor, memory, _ = run([spotter, "export", "--database", database, "-o", export])
    print(f"  export          {rows / processor:10,.0f} rows a second of processor, {seconds:.1f} s, {memory:.0f} MB", flush=True)
    sets = sets_of(database)
    seconds, processor, memory, _ = run(
        [spotter, "history", "sets", "--since", f"{round(years * 366)} days", "--csv", "--database", database])
    print(f"  sets as CSV     {sets / processor:10,.0f} rows a second of processor, {seconds:.1f} s, {memory:.0f} MB", flush=True)
    questions = {
        "totals": [], "sessions": ["sessions"], "sets": ["sets"], "days": ["days"], "days, other zone": ["days", "--tz", "Asia/Tokyo"],
        "a week, JSON": ["sessions", "--last", "7d", "--json"], "zones": ["zones"],
        "hours": ["hours"], "weekdays": ["weekdays"], "weekdays of a camera": ["weekdays", "--camera", "mat"],
        "one action": ["sessions", "--action", "squat"], "one zone": ["sessions", "--zone", "mat"],
        "sets of an action": ["sets", "--action", "squat"], "predictions": ["predictions"],
        "workouts": ["workouts", "--limit", "600"], "workouts, JSON": ["workouts", "--limit", "600", "--json"]}
    for name, arguments in questions.items():
        seconds, _, memory, _ = best(lambda: run([spotter, "history", *arguments, "--database", database]))
        print(f"  {name:17} {seconds * 1000:8,.0f} ms, {memory:.0f} MB", flush=True)
    for name, arguments in {"workout show": ["workout", "show"], "report": ["report", "--name", "anna", "--weeks", "520"]}.items():
        seconds, _, memory, _ = best(lambda: run([spotter, *arguments, "--database", database]))
        print(f"  {name:17} {seconds * 1000:8,.0f} ms, {memory:.0f} MB", flush=True)
    os.remove(export)


def best(measured):
    """The quickest of three: other programs of the machine make each slower, and none quicker."""
    return min((measured() for _ in range(3)), key=lambda result: result[0])


def sets_of(database):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT count(*) FROM session_set").fetchone()[0]
    finally:
        connection.close()


def main():
    if sys.argv[1] == "--write":
        print(f"{write(sys.argv[2], float(sys.argv[3])):,} rows")
        return
    spotter = os.path.abspath(sys.argv[1])
    for years in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            measure(spotter, float(years), folder)


main()
