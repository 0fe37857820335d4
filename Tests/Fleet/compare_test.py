#!/usr/bin/env python3
"""The comparison itself is compared: each kind of damage must be found, and nothing else. Needs no servers."""
import copy
import json
import pathlib
import sqlite3
import tempfile
import unittest

import compare
import truth
from stored import Row

NODE, EPOCH = "sp-n0001", "019aa0c4-6d2e-7c11-9f00-3f6a2c1d9e55"
SESSION, ROLLUP, DELETED, ABSENCE = "session-1", "rollup-1", "session-2", "absence-1"
ACTION = {"label": "squat", "frames": 300, "seconds": 10.0, "reps": 5, "conf_mean": 0.9}
BODY = {
    "camera": "rack-1", "start": "2026-11-21T23:30:00.000Z", "end": "2026-11-21T23:31:00.000Z", "end_reason": "idle",
    "model": "gym14@9f2c41", "fps": 30, "actions": [ACTION], "excluded_frames": {"no_person": 7},
    "sets": [{"number": 1, "label": "squat", "start": "2026-11-21T23:30:00.000Z", "end": "2026-11-21T23:30:30.000Z",
              "reps": 5}]}
SUMS = {"camera": "rack-1", "start": BODY["start"], "end": "2026-11-21T23:35:00.000Z", "model": "gym14@9f2c41",
        "fps": 30, "actions": [{"label": "squat", "frames": 300, "seconds": 10.0}]}
AWAY = {"camera": "rack-1", "start": BODY["start"], "reason": "unplugged"}
BACK = AWAY | {"end": BODY["end"]}
GONE = {"deleted": True}


def write(path, records, epoch=EPOCH, acked=0):
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.executescript("""
            CREATE TABLE meta(k, v); CREATE TABLE cursor(consumer, epoch, acked_seq);
            CREATE TABLE record(seq INTEGER PRIMARY KEY AUTOINCREMENT, type, id, rev, body);""")
        connection.executemany(
            "INSERT INTO meta VALUES(?, ?)", [("node_id", NODE), ("epoch", epoch), ("tz", "Europe/Berlin")])
        connection.execute("INSERT INTO cursor VALUES('hq', ?, ?)", (epoch, acked))
        connection.executemany(
            "INSERT INTO record(type, id, rev, body) VALUES(?, ?, ?, ?)",
            [(kind, identity, rev, json.dumps(body)) for kind, identity, rev, body in records])
    connection.close()


class Database:
    """What is stored, as Stored says it."""

    def __init__(self):
        start, end = compare.milliseconds(BODY["start"]), compare.milliseconds(BODY["end"])
        self.table = {
            (NODE, "session", SESSION): Row(2, "rack-1", start, end, None, "idle", True, 7,
                                            {"squat": (300, 10_000, 5)}, {1: ("squat", 5)}),
            (NODE, "rollup", ROLLUP): Row(1, "rack-1", start, start + 300_000,
                                          actions={"squat": (300, 10_000, None)}),
            (NODE, "absence", ABSENCE): Row(2, "rack-1", start, end, None, "unplugged")}
        self.gone, self.named = {(NODE, DELETED)}, set()
        # 23:30 in UTC is the next day in Berlin.
        self.days = {("gym-0000", "2026-11-22", "squat"): (1, 1, 5, 10_000)}

    def rows(self):
        return copy.deepcopy(self.table), 0

    def tombstones(self):
        return self.gone

    def rejected(self, session):
        return session in self.named

    def wait_for_sums(self):
        return True

    def sums(self):
        return self.days


class CompareTest(unittest.TestCase):
    RECORDS = [("session", SESSION, 1, dict(BODY, end_reason=None)), ("rollup", ROLLUP, 1, SUMS),
               ("session", SESSION, 2, BODY), ("session", DELETED, 1, GONE), ("session", DELETED, 2, GONE),
               ("absence", ABSENCE, 1, AWAY), ("absence", ABSENCE, 2, BACK)]

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / NODE / "spotter.db"
        self.database = Database()
        self.addCleanup(self.folder.cleanup)

    def result(self, records=None):
        if not self.path.exists():
            write(self.path, records or self.RECORDS)
        return compare.compare(truth.collect(self.folder.name), self.database, [(NODE, DELETED)])

    def found(self):
        """The names of the lists that are not empty."""
        result = self.result()
        return [name for name in ("missing", "wrong", "foreign", "undeleted", "sums") if getattr(result, name)]

    def test_what_was_made_and_stored_is_good(self):
        result = self.result()
        self.assertTrue(result.is_good, vars(result))
        self.assertEqual(result.stored, 4)

    def test_a_row_that_is_not_there_is_missing(self):
        del self.database.table[(NODE, "rollup", ROLLUP)]
        self.assertEqual(self.found(), ["missing"])

    def test_an_old_revision_is_missing(self):
        self.database.table[(NODE, "session", SESSION)].rev = 1
        self.assertIn("missing", self.found())

    def test_each_value_counts(self):
        changes = {
            "camera": "mat-1", "started": 5, "ended": 5, "zone": "left", "reason": "left", "excluded": 8,
            "actions": {"squat": (301, 10_000, 5)}, "sets": {1: ("squat", 6)}, "rev": 3}
        for name, value in changes.items():
            with self.subTest(name):
                self.database = Database()
                setattr(self.database.table[(NODE, "session", SESSION)], name, value)
                self.assertIn("wrong", self.found())

    def test_each_value_of_an_absence_counts(self):
        for name, value in {"camera": "mat-1", "started": 5, "ended": None, "reason": "left", "final": False}.items():
            with self.subTest(name):
                self.database = Database()
                setattr(self.database.table[(NODE, "absence", ABSENCE)], name, value)
                self.assertIn("wrong", self.found())

    def test_what_nobody_made_is_found(self):
        self.database.table[(NODE, "rollup", "other")] = Row(1, "rack-1", 0, 0)
        self.assertEqual(self.found(), ["foreign"])

    def test_a_deletion_reaches_everything(self):
        self.database.named.add(DELETED)
        self.assertEqual(self.found(), ["undeleted"])
        self.database = Database()
        self.database.gone.clear()
        self.assertEqual(self.found(), ["missing"])
        self.database = Database()
        self.database.table[(NODE, "session", DELETED)] = Row(1, "rack-1", 0, 0)
        self.assertEqual(self.found(), ["undeleted"])

    def test_sums_are_of_the_day_in_the_gyms_time_zone(self):
        self.database.days = {("gym-0000", "2026-11-21", "squat"): (1, 1, 5, 10_000)}
        self.assertEqual(self.found(), ["sums"])

    def test_a_replaced_history_promised_what_was_acknowledged(self):
        lost = [("session", "late-1", 1, BODY), ("session", "late-2", 1, BODY)]
        old = self.path.with_name("spotter.db.before-restore-20261121T120000")
        write(old, self.RECORDS + lost, epoch="other", acked=len(self.RECORDS) + 1)
        result = self.result()
        self.assertEqual((len(result.missing), result.unpromised), (1, 1))
        self.assertIn("late-1", result.missing[0])


if __name__ == "__main__":
    unittest.main()
