#!/usr/bin/python3
"""Asks the same question at a node and at the sink: sessions, sets, actions, days and absences must be the same.

Random people exercise in front of a simulated node, cameras are unplugged, sets are corrected and sessions deleted. What
`spotter history --json` says of the node must be what the views of the sink's database say, before and after.

    Tests/Fleet/history_test.py [-v]
    SPOTTER_SEED=5 Tests/Fleet/history_test.py     another random history
"""
import collections
import datetime
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import unittest
import zoneinfo

from scripted_node import ROOT, Place, wait_until

SPOTTER = os.environ.get("SPOTTER", str(ROOT / ".build/release/spotter"))
SIMULATOR = os.environ.get("SPOTTER_FLEET_NODES", str(ROOT / ".build/release/fleet-nodes"))
NODE, SITE, ZONE = "sp-n0000", "gym-0000", "Europe/Berlin"
LABELS = ("squat", "lunge", "push_up", "none")


def moment(text):
    """A time of JSON in milliseconds; None for none."""
    return text and round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


class HistoryTest(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.place.__enter__()
        self.addCleanup(self.place.__exit__, None, None, None)
        self.database = self.place.folder / "nodes" / NODE / "spotter.db"
        self.environment = os.environ | {
            "SPOTTER_NODE_SITE": SITE, "SPOTTER_NODE_ID": NODE, "SPOTTER_NODE_TIME_ZONE": ZONE,
            "SPOTTER_MQTT_CONSUMERS": "hq", "SPOTTER_MQTT_DISCOVERY": "false",
            "SPOTTER_MQTT_PORT": str(self.place.broker.port)}

    def spotter(self, *words):
        done = subprocess.run([SPOTTER, *words, "--database", str(self.database)], env=self.environment, cwd=ROOT,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        return done.stdout

    def history(self, table):
        return json.loads(self.spotter("history", table, "--json", "--limit", "100000"))

    def view(self, sql):
        """The rows of a view, as tuples."""
        text = self.place.cluster.psql(f"SELECT coalesce(json_agg(row), '[]') FROM ({sql}) row", dbname="spotter")
        return {tuple(row.values()) for row in json.loads(text)}

    def live(self, seed):
        """Lets people exercise until some dozens of records are made."""
        (self.place.folder / "nodes").mkdir(exist_ok=True)
        words = ["--nodes", "1", "--folder", str(self.place.folder / "nodes"), "--port", str(self.place.broker.port),
                 "--rate", "30", "--seconds", "8", "--speed", "4000", "--seed", str(seed), "--commit-interval", "0.2",
                 "--threads", "1"]
        nodes = subprocess.Popen([SIMULATOR, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            wait_until(lambda: self.database.exists() and self.last() > 150, 40, "the node made too few records")
            nodes.stdin.write('{"do":"stop"}\n')
            nodes.stdin.flush()
            self.wait_stored()
        finally:
            nodes.communicate('{"do":"quit"}\n', timeout=30)
        # The stop itself ends sessions, perhaps after the first look.
        self.wait_stored()

    def last(self):
        """The position of the node's last record; 0 before there is one."""
        try:
            with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=10) as connection:
                return connection.execute("SELECT ifnull(max(seq), 0) FROM record").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def wait_stored(self):
        def is_stored():
            return self.place.value("SELECT prefix FROM spotter.completeness WHERE is_current") == str(self.last())
        wait_until(is_stored, 60, lambda: f"{self.last()} records were made, stored are "
                   f"{self.place.rows('SELECT prefix, missing, rejected FROM spotter.completeness')}")

    def publish(self):
        """Sends what the command line recorded: a node in front of nobody, until the sink has everything."""
        stream = self.place.folder / "still.poses.jsonl"
        if not stream.exists():
            made = self.place.folder / "still"
            subprocess.run([SPOTTER, "synthesize", "--motion", "idle", "--clips", "1", "--seconds", "120", "-o", str(made)],
                           check=True, capture_output=True, cwd=ROOT)
            next(made.rglob("*.poses.jsonl")).rename(stream)
        node = subprocess.Popen([SPOTTER, "run", "--source", str(stream), "--realtime", "--quiet", "--database",
                                 str(self.database)], env=self.environment, cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            self.wait_stored()
        finally:
            node.terminate()
            node.wait(30)
        self.wait_stored()

    def check(self):
        sessions, sets = self.history("sessions"), self.history("sets")
        self.assertGreater(len(sessions), 10)
        local = zoneinfo.ZoneInfo(ZONE)

        def day(session):
            return str(datetime.datetime.fromtimestamp(moment(session["start"]) / 1000, local).date())

        milliseconds = "(extract(epoch FROM {0}) * 1000)::bigint AS {0}"
        started, ended = milliseconds.format("started"), milliseconds.format("ended")
        self.assertEqual(
            {(one["id"], one["camera"], moment(one["start"]), moment(one["end"]), one.get("zone"),
              one.get("end_reason"), day(one), len(one.get("sets") or [])) for one in sessions},
            self.view(f"SELECT id, camera, {started}, {ended}, zone, end_reason, day, sets FROM spotter.session_list"))
        self.assertEqual(
            {(one["session"], one["number"], one["label"], moment(one["start"]), moment(one["end"]), one["reps"],
              one.get("zone"), one.get("score"), (one.get("corrected") or {}).get("label"),
              (one.get("corrected") or {}).get("reps"), one.get("load_kg"), one.get("confidence"),
               one.get("reps_margin"), one.get("rpe"), one.get("left_reps"), one.get("right_reps")) for one in sets},
            self.view(f"SELECT id, number, label, {started}, {ended}, reps, zone, score, recognised_label, "
                      "recognised_reps, load_kg, confidence, reps_margin, rpe, left_reps, right_reps FROM spotter.session_set"))
        actions = [(one, action) for one in sessions for action in one["actions"]]
        self.assertEqual(
            {(one["id"], action["label"], action["frames"], round(action["seconds"], 3), action.get("reps"),
              action.get("conf_mean")) for one, action in actions},
            self.view("SELECT id, label, frames, round(active_s::numeric, 3) AS active_s, reps, "
                      "round(confidence::numeric, 3) AS confidence FROM spotter.session_action"))
        self.check_days(sessions, actions, day)
        self.assertEqual(
            {(one["camera"], moment(one["start"]), moment(one.get("end")), one["reason"])
             for one in self.history("cameras")},
            self.view(f"SELECT camera, {started}, {ended}, reason FROM spotter.absence_list"))

    def check_days(self, sessions, actions, day):
        """exercise_day is the sum of the sessions."""
        wanted = collections.defaultdict(lambda: [set(), 0, 0, 0])
        for one, action in actions:
            row = wanted[day(one), action["label"]]
            row[0].add(one["id"])
            row[2] += action.get("reps") or 0
            row[3] += round(action["seconds"] * 1000)
        for one in sessions:
            for part in one.get("sets") or []:
                row = wanted[day(one), part["label"]]
                row[0].add(one["id"])
                row[1] += 1
        wait_until(lambda: self.place.value("SELECT count(*) FROM spotter.day_mark") == "0", 30, "no sums")
        self.assertEqual(
            {(*key, len(row[0]), row[1], row[2], row[3]) for key, row in wanted.items()},
            self.view("SELECT day, label, sessions, sets, reps, round(active_s * 1000)::bigint AS ms "
                      "FROM spotter.exercise_day"))

    def correct_and_delete(self, dice):
        sets = self.history("sets")
        for one in dice.sample(sets, 12):
            label = dice.choice(LABELS)
            words = ["--label", label] if label == "none" else ["--label", label, "--reps", str(dice.randrange(1, 20))]
            self.spotter("session", "correct", one["session"], str(one["number"]), *words)
        for one in dice.sample(self.history("sessions"), 3):
            self.spotter("session", "delete", one["id"], "--yes")

    def test_the_node_and_the_sink_give_the_same_answers(self):
        seed = int(os.environ.get("SPOTTER_SEED", "1"))
        self.place.sink()
        self.live(seed)
        self.check()
        self.assertGreater(len(self.history("cameras")), 0, "no camera was away")
        self.correct_and_delete(random.Random(seed))
        self.publish()
        self.check()


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    unittest.main()
