"""What each panel and chart must show of the seed's data: {title: rows → (seen, expected)}.

The expected numbers are the seed's own counts; none of them comes from the database.
"""
import collections

from dashboard_seed import GYMS, LOST, MISSING, PENDING, REJECTED


def words(label):
    """`push_up` as a dashboard writes it."""
    return label[:1].upper() + label[1:].replace("_", " ")


def total(rows, name):
    return sum(row[name] or 0 for row in rows)


def by(rows, keys, name):
    """{key: sum} of a column."""
    sums = collections.Counter()
    for row in rows:
        sums[tuple(str(row[key]) for key in keys) if len(keys) > 1 else str(row[keys[0]])] += row[name] or 0
    return {key: float(value) for key, value in sums.items()}


class Expected:
    def __init__(self, seed, sites):
        self.sites = sites
        self.nodes = [node for site in sites for node in GYMS[site][2]]
        self.days = {key: count for key, count in seed.gym_day.items() if key[0] in sites}
        self.exercises = {key: count for key, count in seed.exercise_day.items() if key[0] in sites}
        self.hours = {key: count for key, count in seed.camera_hour.items() if key[0] in sites}
        self.cameras = {name: round(seconds / 3600, 6) for (site, name), seconds in seed.camera_s.items()
                        if site in sites}
        self.minutes = {label: seconds / 60 for label, seconds in self.labels("active_s").items()}
        self.superset = self._superset_gyms() | self._superset_operation()
        self.grafana = self._grafana_gyms() | self._grafana_operation()

    def sum(self, name):
        return sum(count[name] for count in self.days.values())

    def site_days(self):
        return {(site, str(day)): float(count["sessions"]) for (site, day), count in self.days.items()}

    def hour_sums(self, key):
        sums = collections.Counter()
        for (site, node, camera, hour), count in self.hours.items():
            sums[key(site, node, camera, hour)] += float(count)
        return dict(sums)

    def labels(self, name):
        sums = collections.Counter()
        for (_, _, label), count in self.exercises.items():
            sums[words(label)] += float(count[name])
        return dict(sums)

    def has(self, site, number):
        return number if site in self.sites else 0

    def waiting(self):
        return {node: float(PENDING if node == "new-york-2" else 0) for node in self.nodes}

    def epochs(self):
        return len(self.nodes) + self.has("london", 1)

    def _both(self):
        """Sums that both dashboards show in one row."""
        return {"silent": self.has("tokyo", 1), "problems": self.has("berlin", 1) + self.has("new-york", 1),
                "missing": self.has("new-york", MISSING), "lost": self.has("berlin", LOST),
                "rejected": self.has("berlin", REJECTED), "earlier": self.has("london", 1)}

    def _superset_gyms(self):
        return {
            "Sessions": lambda rows: (total(rows, "total_sessions"), self.sum("sessions")),
            "Sets": lambda rows: (total(rows, "total_sets"), self.sum("sets")),
            "Repetitions": lambda rows: (total(rows, "total_reps"), self.sum("reps")),
            "Hours of exercise": lambda rows: (round(total(rows, "active_hours"), 6),
                                               round(self.sum("active_s") / 3600, 6)),
            "Attendance by day": lambda rows: (by(rows, ["site", "day"], "total_sessions"), self.site_days()),
            "Attendance by hour": lambda rows: (
                self._begun(by(rows, ["site", "hour_of_day"], "total_sessions")),
                self.hour_sums(lambda site, node, camera, hour: (site, f"{hour:%H}:00"))),
            "Busy hours": lambda rows: (
                self._begun(by(rows, ["weekday", "hour_of_day"], "total_sessions")),
                self.hour_sums(lambda site, node, camera, hour: (f"{hour.isoweekday()} {hour:%a}", f"{hour:%H}:00"))),
            "Use of each camera": lambda rows: (self._rounded(by(rows, ["camera_name"], "occupied_hours")),
                                                self.cameras),
            "Exercises by day": lambda rows: (self._rounded(by(rows, ["exercise"], "active_minutes")),
                                              self._rounded(self.minutes)),
            "Repetitions and sets": lambda rows: (
                (by(rows, ["exercise"], "total_reps"), by(rows, ["exercise"], "total_sets")),
                (self.labels("reps"), self.labels("sets"))),
        }

    def _superset_operation(self):
        one = self._both()
        return {
            "Nodes": lambda rows: (total(rows, "nodes"), len(self.nodes)),
            "Silent nodes": lambda rows: (total(rows, "silent_nodes"), one["silent"]),
            "Nodes with a problem": lambda rows: (total(rows, "troubled_nodes"), one["problems"]),
            "Records missing": lambda rows: (total(rows, "total_missing"), one["missing"]),
            "Records declared lost": lambda rows: (total(rows, "total_lost"), one["lost"]),
            "Earlier epochs": lambda rows: (total(rows, "earlier_epochs"), one["earlier"]),
            "Health of the nodes": lambda rows: (by(rows, ["node"], "outbox_pending"), self.waiting()),
            "Completeness": lambda rows: (
                (len(rows), total(rows, "missing"), total(rows, "declared_lost"), total(rows, "rejected")),
                (self.epochs(), one["missing"], one["lost"], one["rejected"])),
            "Declared losses": lambda rows: (total(rows, "records"), one["lost"]),
            "Lag by node": lambda rows: ({row["node"] for row in rows if 0 < row["longest_lag"] < 60},
                                         set(self.nodes)),
        }

    def _grafana_gyms(self):
        return {
            "Chosen days": lambda rows: (
                [rows[0]["Sessions"], rows[0]["Sets"], rows[0]["Repetitions"], round(rows[0]["Hours of exercise"], 6)],
                [self.sum("sessions"), self.sum("sets"), self.sum("reps"), round(self.sum("active_s") / 3600, 6)]),
            "Attendance by day and gym": lambda rows: (
                {(row["metric"], f"{row['time']:%Y-%m-%d}"): float(row["Sessions"]) for row in rows},
                self.site_days()),
            "Attendance by hour and gym": lambda rows: (
                self._begun({(row["metric"], row["time"]): float(row["Sessions"]) for row in rows}),
                self.hour_sums(lambda site, node, camera, hour: (site, hour))),
            "Attendance by hour of the day": lambda rows: (
                self._begun(by(rows, ["Hour of the day"], "Sessions")),
                self.hour_sums(lambda site, node, camera, hour: f"{hour:%H}:00")),
            "Repetitions and sets by day": lambda rows: (
                (total(rows, "Repetitions"), total(rows, "Sets")), (self.sum("reps"), self.sum("sets"))),
            "Exercises by day": lambda rows: (self._rounded(by(rows, ["metric"], "Minutes")),
                                              self._rounded(self.minutes)),
            "Repetitions and sets by exercise": lambda rows: (
                (by(rows, ["Exercise"], "Repetitions"), by(rows, ["Exercise"], "Sets")),
                (self.labels("reps"), self.labels("sets"))),
            "Use of each camera": lambda rows: (
                {row["Camera"]: round(sum(row[f"{hour:02}"] for hour in range(24)), 6) for row in rows},
                self.cameras),
        }

    def _grafana_operation(self):
        one = self._both()
        return {
            "Records": lambda rows: (
                [rows[0][name] for name in ("Missing", "Declared lost", "Rejected", "Earlier epochs")],
                [one["missing"], one["lost"], one["rejected"], one["earlier"]]),
            "Completeness by node and epoch": lambda rows: (
                (len(rows), by(rows, ["Node"], "Missing")),
                (self.epochs(), {node: float(MISSING if node == "new-york-2" else 0) for node in self.nodes})),
            "Lag by node": lambda rows: ({row["Node"] for row in rows if 0 < row["Lag"] < 60}, set(self.nodes)),
            "Declared losses": lambda rows: (total(rows, "Records lost"), one["lost"]),
            "Nodes": lambda rows: (
                [rows[0][name] for name in ("Nodes", "Silent", "With a problem", "Records waiting")],
                [len(self.nodes), one["silent"], one["problems"], self.has("new-york", PENDING)]),
            "Health of the nodes": lambda rows: (by(rows, ["Node"], "Records waiting"), self.waiting()),
        }

    @staticmethod
    def _begun(sums):
        """Without the hours into which sessions only reached."""
        return {key: value for key, value in sums.items() if value}

    @staticmethod
    def _rounded(sums):
        return {key: round(value, 6) for key, value in sums.items()}
