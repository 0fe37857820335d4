"""Four gyms that do not exist: some weeks of sessions, and nodes with the troubles that nodes have.

Everything goes the sink's way, through the temporary tables and store_batch. The seed counts what it stores by itself,
so that a test can compare what the dashboards show.

    seed = Seed(days=28)
    seed.store(cluster)
    seed.gym_day["berlin", day]["reps"]
"""
import collections
import datetime
import random
import zoneinfo

from batch import UTC, Batch, connect, refresh, uuid7

# Sessions on a weekday, and the cameras of each node.
GYMS = {
    "berlin": ("Europe/Berlin", 64, {"berlin-1": ["rack-1", "rack-2"], "berlin-2": ["floor-1", "floor-2"]}),
    "london": ("Europe/London", 38, {"london-1": ["rack-1", "floor-1"]}),
    "new-york": ("America/New_York", 52, {"new-york-1": ["rack-1", "floor-1"], "new-york-2": ["mat-1"]}),
    "tokyo": ("Asia/Tokyo", 27, {"tokyo-1": ["floor-1"]}),
}
NAMES = {"berlin-1": "Racks", "berlin-2": "Floor", "london-1": "Main room", "new-york-1": "Ground floor",
         "new-york-2": "Mats", "tokyo-1": "Studio"}
# How many of a day's sessions begin in each hour, from 6 to 22 o'clock.
WEEKDAY = [3, 8, 9, 6, 4, 3, 5, 5, 3, 3, 5, 10, 15, 14, 9, 5, 2]
WEEKEND = [0, 1, 4, 8, 11, 11, 8, 6, 5, 6, 6, 5, 4, 2, 1, 0, 0]
# Seconds for one repetition, and how often the exercise is chosen on a rack, on the floor and on a mat.
EXERCISES = {"squat": (3.2, 9, 5, 2), "lunge": (3.0, 5, 5, 3), "push_up": (2.2, 1, 5, 6), "sit_up": (2.6, 0, 4, 8),
             "jumping_jack": (1.1, 1, 5, 4), "burpee": (4.1, 1, 4, 2)}
PLACES = ["rack", "floor", "mat"]
MISSING, LOST, REJECTED, PENDING, EARLY_EPOCH_DAYS = 7, 12, 2, 7, 9

# What store_batch cannot know, because it stores four weeks within seconds.
AGE = """
UPDATE spotter.stream SET last_stored = last_stored - interval '3 hours', last_made = last_made - interval '3 hours'
WHERE node_id IN (SELECT node_id FROM spotter.node WHERE node = 'tokyo-1');
UPDATE spotter.node SET heard = heard - interval '3 hours', status_received = status_received - interval '3 hours'
WHERE node = 'tokyo-1';
UPDATE spotter.stream s SET lag_s = 1.4, last_stored = s.last_made + interval '1.4 s'
FROM spotter.node n WHERE n.node_id = s.node_id AND s.epoch <> n.epoch;
ANALYZE
"""


class Seed:
    def __init__(self, days=28, scale=1.0, now=None, number=15):
        self.random = random.Random(number)
        self.now = now or datetime.datetime.now(UTC)
        self.days, self.scale = days, scale
        self.epochs = {node: [self._id(self.now - datetime.timedelta(days=days + 1))]
                       for _, _, nodes in GYMS.values() for node in nodes}
        self.epochs["london-1"].append(self._id(self.now - datetime.timedelta(days=min(EARLY_EPOCH_DAYS, days // 2))))
        self.gym_day = collections.defaultdict(collections.Counter)
        self.exercise_day = collections.defaultdict(collections.Counter)
        self.camera_hour = collections.Counter()
        self.camera_s = collections.Counter()

    def _id(self, moment):
        return uuid7(moment, self.random.randbytes)

    def sessions(self, site):
        """The sessions of a gym as (end, node, camera, start, seconds, sets), in the order of their end."""
        zone, busy, nodes = GYMS[site]
        zone, cameras = zoneinfo.ZoneInfo(zone), [(node, camera) for node in nodes for camera in nodes[node]]
        today, found = self.now.astimezone(zone).date(), []
        for back in range(self.days - 1, -1, -1):
            day = today - datetime.timedelta(days=back)
            weekend = day.weekday() > 4
            count = round(busy * self.scale * (0.72 if weekend else 1) * self.random.uniform(0.85, 1.15))
            for _ in range(count):
                hour = self.random.choices(range(6, 23), WEEKEND if weekend else WEEKDAY)[0]
                start = datetime.datetime(day.year, day.month, day.day, hour, self.random.randrange(60),
                                          self.random.randrange(60), tzinfo=zone).astimezone(UTC)
                node, camera = self.random.choice(cameras)
                sets = self._sets(camera)
                seconds = sets[-1][1] + sets[-1][2] + self.random.randrange(5, 40)
                end = start + datetime.timedelta(seconds=seconds)
                silent = datetime.timedelta(hours=3 if node == "tokyo-1" else 0)
                if end < self.now - silent:
                    found.append((end, node, camera, start, seconds, sets))
        return sorted(found, key=lambda one: (one[0], one[1]))

    def _sets(self, camera):
        place = PLACES.index(camera.split("-")[0])
        sets, at = [], self.random.randrange(10, 60)
        labels = self.random.choices(list(EXERCISES), [one[1 + place] for one in EXERCISES.values()],
                                     k=self.random.choice([1, 1, 2]))
        for label in labels:
            for _ in range(self.random.choice([2, 3, 3, 4])):
                reps = self.random.randrange(6, 21)
                seconds = round(reps * EXERCISES[label][0])
                sets.append((label, at, seconds, reps))
                at += seconds + self.random.randrange(45, 150)
        return sets

    def _count(self, site, node, camera, start, seconds, sets):
        self.camera_s[site, f"{node} · {camera}"] += seconds
        local = start.astimezone(zoneinfo.ZoneInfo(GYMS[site][0]))
        labels = {label for label, *_ in sets}
        reps, active = sum(one[3] for one in sets), sum(one[2] for one in sets)
        self.gym_day[site, local.date()].update(sessions=1, sets=len(sets), reps=reps, active_s=active)
        self.camera_hour[site, node, camera, local.replace(minute=0, second=0, tzinfo=None)] += 1
        for label in labels:
            own = [one for one in sets if one[0] == label]
            self.exercise_day[site, local.date(), label].update(
                sessions=1, sets=len(own), reps=sum(one[3] for one in own), active_s=sum(one[2] for one in own))

    def batches(self, site, size=300):
        """The gym's records in the order of time. Positions count for each epoch from 1."""
        positions, batch = collections.Counter(), Batch()
        sessions = self.sessions(site)
        last = {node: number for number, (_, node, *_) in enumerate(sessions)}
        left = collections.Counter(node for _, node, *_ in sessions)
        for number, (end, node, camera, start, seconds, sets) in enumerate(sessions):
            epoch = [one for one in self.epochs[node] if one <= uuid7(end)][-1]
            positions[epoch] += 1
            left[node] -= 1
            # These came to the node, but not yet to headquarters.
            if node == "new-york-2" and MISSING >= left[node] >= 1:
                continue
            self._count(site, node, camera, start, seconds, sets)
            labels = dict.fromkeys(label for label, *_ in sets)
            actions = [(label, float(sum(one[2] for one in sets if one[0] == label)),
                        sum(one[3] for one in sets if one[0] == label)) for label in labels]
            # The newest record of each node is as late as records are; the older ones are history.
            made = self.now - datetime.timedelta(seconds=self.random.uniform(0.2, 1.5))
            batch.session(site, node, epoch, positions[epoch], self._id(start), started=start, seconds=seconds,
                          actions=actions, sets=sets, camera=camera, made=made if number == last[node] else end)
            if node == "berlin-2" and left[node] == 20:
                self._gap(batch, site, node, epoch, positions, end)
            if batch.line >= size:
                yield batch
                batch = Batch()
        yield batch

    def _gap(self, batch, site, node, epoch, positions, made):
        first = positions[epoch] + 1
        positions[epoch] += LOST + 1
        batch.gap(site, node, epoch, positions[epoch], first, first + LOST - 1, id=self._id(made), made=made)

    def reports(self):
        batch, cpu = Batch(), iter((38.5, 61.2, 44.9, 72.3, 31.7, 40.4))
        problems = {"new-york-1": [{"code": "camera_offline", "camera": "floor-1"}],
                    "berlin-2": [{"code": "degraded", "camera": "floor-2"}]}
        for site, (zone, _, nodes) in GYMS.items():
            for node in nodes:
                load = next(cpu)
                batch.report(site, node, "info", {
                    "v": 1, "tz": zone, "name": f"{site.replace('-', ' ').title()}, {NAMES[node].lower()}",
                    "sw": "1.3.2" if site == "tokyo" else "1.4.0", "epoch": self.epochs[node][-1],
                    "model": {"id": "exercises@9f2c41"}})
                batch.report(site, node, "status", {"v": 1, "state": "online", "sid": 1})
                batch.report(site, node, "health", {
                    "v": 1, "ok": node not in problems, "problems": problems.get(node, []), "cpu_pct": load,
                    "temp_c": round(38 + load / 3, 1), "disk_free_mb": int(52000 - load * 400),
                    "outbox": {"pending": PENDING if node == "new-york-2" else 0}})
        for number in range(REJECTED):
            batch.rejected("spotter/v1/berlin/berlin-1/rec/session", "sets[0].reps is not a number",
                           f'{{"number": {number}}}')
        return batch

    def store(self, cluster, dbname="spotter"):
        """Stores everything, recomputes the sums, and lets one node fall silent three hours ago."""
        connection = connect(cluster, dbname=dbname)
        try:
            # The time zones come first, so that no day must be cut again.
            self.reports().store(connection)
            for site in GYMS:
                for batch in self.batches(site):
                    batch.store(connection)
            Batch().report("tokyo", "tokyo-1", "status", {"v": 1, "state": "offline", "sid": 1}).store(connection)
            refresh(connection)
        finally:
            connection.close()
        cluster.psql(AGE, dbname=dbname)
