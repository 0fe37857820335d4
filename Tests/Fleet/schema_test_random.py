"""Random records, shuffled, repeated and cut into random batches, against a plain model of the rules in Python.

SPOTTER_SEEDS=100 tries as many seeds; SPOTTER_SEED=7 begins with this one.
"""
import collections
import datetime
import os
import random
import unittest
import zoneinfo

from batch import Batch, instant, uuid7
from schema_case import SchemaCase

SITES = {"berlin": "Europe/Berlin", "tokyo": "Asia/Tokyo", "nowhere": "UTC"}
NODES = {"n1": "berlin", "n2": "berlin", "n3": "tokyo", "n4": "nowhere"}
LABELS = ("squat", "lunge", "push_up", "burpee")


class World:
    """What the nodes have to tell, and what must be stored of it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.records, self.sessions, self.deleted, self.absences = [], {}, set(), {}
        self.positions, self.lost = collections.defaultdict(set), collections.Counter()
        for node in NODES:
            epochs = [self.id(), self.id()]
            ids = [self.id() for _ in range(12)]
            self.revisions = collections.Counter()
            for epoch in epochs:
                for seq in range(1, self.random.randrange(15, 35)):
                    self.record(node, epoch, seq, self.random.choice(ids), epochs)

    def id(self):
        return uuid7(self.moment(), self.random.randbytes)

    def moment(self):
        # Around both changes of the clocks, and sometimes where no clock is right.
        base = self.random.choice(("2026-03-27 12:00", "2026-10-23 12:00", "2026-11-20 00:00", "2000-01-01 00:00"))
        return instant(base) + datetime.timedelta(minutes=self.random.randrange(3 * 1440))

    def record(self, node, epoch, seq, id, epochs):
        site, kind = NODES[node], self.random.random()
        if kind < 0.1:
            return  # never sent: a hole
        self.positions[node, epoch].add(seq)
        if kind < 0.2:
            low = self.random.randrange(1, 40)
            high, of, gap = low + self.random.randrange(4), self.random.choice(epochs), self.id()
            self.positions[node, of] |= set(range(low, high + 1))
            self.lost[node, of] += high - low + 1
            self.records.append(lambda b: b.gap(site, node, epoch, seq, low, high, of=of, id=gap))
        elif kind < 0.3:
            rollup = self.id()
            self.records.append(lambda b: b.rollup(site, node, epoch, seq, rollup))
        elif kind < 0.35:
            self.revisions[id] += 1
            rev = self.revisions[id]
            self.deleted.add((node, id))
            self.records.append(lambda b: b.tombstone(site, node, epoch, seq, id, rev))
        elif kind < 0.42:
            self.absence(site, node, epoch, seq, self.random.choice("abcd"))
        else:
            self.revisions[id] += 1
            self.session(site, node, epoch, seq, id, self.revisions[id])

    def session(self, site, node, epoch, seq, id, rev):
        chosen = self.random.sample(LABELS, self.random.randrange(4))
        body = {
            "started": self.moment(), "seconds": 60 * self.random.randrange(200),
            "camera": self.random.choice(("cam1", "cam2")), "final": self.random.random() < 0.5,
            "actions": [(label, self.random.randrange(90) / 2, self.random.choice((None, 0, 7))) for label in chosen],
            "sets": [(self.random.choice(LABELS), 10 * n, 9, n) for n in range(self.random.randrange(4))],
        }
        self.sessions[node, id] = (site, rev, body)  # revisions only grow
        self.records.append(lambda b: b.session(site, node, epoch, seq, id, rev, **body))

    def absence(self, site, node, epoch, seq, name):
        rev, id, _ = self.absences.get((node, name), (0, self.id(), None))
        started = self.moment()
        body = {"started": started, "camera": self.random.choice(("cam1", "cam2")),
                "ended": self.random.choice((None, started + datetime.timedelta(minutes=5)))}
        self.absences[node, name] = (rev + 1, id, body)
        self.records.append(lambda b: b.absence(site, node, epoch, seq, id, rev + 1, **body))

    def batches(self, shuffle):
        """The records and one info of each node, in random order, some more than once, in batches of random size."""
        told = [lambda b, node=node: b.report(NODES[node], node, "info", {"tz": SITES[NODES[node]]}) for node in NODES]
        told += self.records + shuffle.choices(self.records, k=len(self.records) // 3)
        shuffle.shuffle(told)
        while told:
            count, batch = shuffle.choice((1, 3, 20, 100)), Batch()
            for tell in told[:count]:
                tell(batch)
            del told[:count]
            yield batch

    def expected(self):
        """The rows of gym_day, exercise_day and the occupied seconds of camera_hour."""
        gyms, exercises, hours = (collections.defaultdict(collections.Counter) for _ in range(3))
        cameras = collections.defaultdict(set)
        for (node, id), (site, _, body) in self.sessions.items():
            if (node, id) in self.deleted:
                continue
            zone = zoneinfo.ZoneInfo(SITES[site])
            key = (site, body["started"].astimezone(zone).date())
            cameras[key].add((node, body["camera"]))
            parts = [(label, 0, reps or 0, seconds) for label, seconds, reps in body["actions"]]
            parts += [(label, 1, 0, 0) for label, _, _, _ in body["sets"]]
            gyms[key]["sessions"] += 1
            for label in {part[0] for part in parts}:
                exercises[(*key, label)]["sessions"] += 1
            for label, sets, reps, seconds in parts:
                for sums in (gyms[key], exercises[(*key, label)]):
                    sums.update({"sets": sets, "reps": reps, "active": seconds})
            for minute in range(body["seconds"] // 60):
                local = (body["started"] + datetime.timedelta(minutes=minute)).astimezone(zone)
                hours[site, node, body["camera"], local.replace(minute=0, second=0, tzinfo=None)]["occupied"] += 60
        gym_rows = {(*key, *(sums[name] for name in ("sessions", "sets", "reps", "active")), len(cameras[key]))
                    for key, sums in gyms.items()}
        exercise_rows = {(*key, *(sums[name] for name in ("sessions", "sets", "reps", "active")))
                         for key, sums in exercises.items()}
        return gym_rows, exercise_rows, {(*key, sums["occupied"]) for key, sums in hours.items()}

    def places(self):
        """The rows of completeness."""
        rows = set()
        for (node, epoch), seqs in self.positions.items():
            missing = set(range(1, max(seqs) + 1)) - seqs
            rows.add((node, epoch, min(missing, default=max(seqs) + 1) - 1, max(seqs), len(missing),
                      self.lost[node, epoch]))
        return rows


class RandomRecords(SchemaCase):
    def test_the_result_is_the_same_whatever_the_order_and_the_batches(self):
        first = int(os.environ.get("SPOTTER_SEED", "1"))
        for seed in range(first, first + int(os.environ.get("SPOTTER_SEEDS", "3"))):
            world, seen = World(seed), set()
            for order in range(3):
                with self.subTest(seed=seed, order=order):
                    seen.add(self.check(world, random.Random(f"{seed} {order}")))
            self.assertEqual(len(seen), 1, f"seed {seed}: another order gave another result")

    def check(self, world, shuffle):
        self.rows("TRUNCATE spotter.workout_part, spotter.workout, spotter.session, spotter.rollup, spotter.gap, "
                  "spotter.absence, spotter.tombstone, spotter.rejected, "
                  "spotter.day_mark, spotter.gym_sum, spotter.exercise_sum, spotter.hour_sum, spotter.stream, "
                  "spotter.word, spotter.node, spotter.site")
        for batch in world.batches(shuffle):
            said = self.store(batch)
            self.assertEqual(sum(row["stored"] + row["known"] for row in said.values()), len(batch.rows["message"]))
            if shuffle.random() < 0.2:
                self.value("SELECT spotter.refresh_days(%s)", shuffle.choice((1, 100)), user="spotter_sink")
        self.refresh()
        gyms, exercises, hours = world.expected()
        self.assertEqual(set(self.rows("SELECT * FROM spotter.gym_day")), gyms)
        self.assertEqual(set(self.rows("SELECT * FROM spotter.exercise_day")), exercises)
        self.assertEqual(set(self.rows("SELECT site, node, camera, hour, occupied_s FROM spotter.camera_hour "
                                       "WHERE occupied_s > 0")), hours)
        self.assertEqual(set(self.rows("SELECT node, epoch::text, prefix, highest, missing, declared_lost "
                                       "FROM spotter.completeness")), world.places())
        stored = self.rows("SELECT node, id::text, camera, started, final, sets FROM spotter.session_list "
                           "ORDER BY 1, 2")
        self.assertEqual(stored, sorted(
            (node, id, body["camera"], body["started"], body["final"], len(body["sets"]))
            for (node, id), (_, _, body) in world.sessions.items() if (node, id) not in world.deleted))
        self.assertEqual(
            set(self.rows("SELECT node, id::text, camera, started, ended FROM spotter.absence_list")),
            {(node, id, body["camera"], body["started"], body["ended"])
             for (node, _), (_, id, body) in world.absences.items()})
        return str([self.rows(f"SELECT t::text FROM spotter.{view} t ORDER BY 1")
                    for view in ("session_list", "session_set", "session_action", "rollup_action", "camera_hour")])


if __name__ == "__main__":
    unittest.main()
