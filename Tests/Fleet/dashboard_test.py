"""Every statement of the Grafana file and of Superset's bundle, executed against PostgreSQL as readers would."""
import atexit
import datetime
import pathlib
import shutil
import tempfile
import unittest
import uuid

import psycopg2

import dashboard_bundle as bundle
import dashboard_grafana as grafana
import schema
from batch import UTC
from cluster import Cluster
from dashboard_expected import Expected
from dashboard_seed import GYMS, Seed

DAYS = 12
_shared = None


def shared():
    """One server with the seed's data for all tests."""
    global _shared
    if _shared is None:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="spotter-boards-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        cluster = Cluster(folder / "pg", {"full_page_writes": "off"})
        atexit.register(cluster.stop, "immediate")
        cluster.start()
        schema.install(cluster)
        seed = Seed(days=DAYS, scale=0.4)
        seed.store(cluster)
        for role, group in (("anna", ""), ("stranger", ""), ("chief", "_all")):
            cluster.psql(f"CREATE ROLE {role} LOGIN IN ROLE spotter_reader{group}", dbname="postgres")
        cluster.psql("INSERT INTO spotter.site_reader VALUES ('anna', 'berlin')")
        _shared = cluster, seed
    return _shared


class BoardCase(unittest.TestCase):
    def setUp(self):
        self.cluster, self.seed = shared()
        # As wide as the dashboards begin: to the end of the day in every time zone.
        self.since = datetime.datetime.now(UTC) - datetime.timedelta(days=28)
        self.until = datetime.datetime.now(UTC) + datetime.timedelta(hours=14)
        # Who reads, which gyms are chosen (none: all), and which gyms are therefore shown.
        self.readers = [("chief", None, set(GYMS)), ("chief", ["london", "tokyo"], {"london", "tokyo"}),
                        ("anna", None, {"berlin"})]

    def ask(self, sql, user):
        """(column names, rows as dictionaries)"""
        connection = psycopg2.connect(self.cluster.conninfo(user=user))
        try:
            with connection, connection.cursor() as cursor:
                cursor.execute(sql)
                names = [column.name for column in cursor.description]
                return names, [dict(zip(names, row)) for row in cursor.fetchall()]
        finally:
            connection.close()


class Grafana(BoardCase):
    def setUp(self):
        super().setUp()
        self.board = grafana.read()

    def rows(self, panel, user, chosen):
        sql = grafana.statement(panel["targets"][0]["rawSql"], grafana.variables(self.board, {"site": chosen}),
                                self.since, self.until)
        return self.ask(sql, user)

    def test_every_panel_shows_what_was_stored(self):
        for user, chosen, sites in self.readers:
            expected = Expected(self.seed, sites)
            for panel in grafana.panels(self.board):
                with self.subTest(panel=panel["title"], user=user, chosen=chosen):
                    names, rows = self.rows(panel, user, chosen)
                    self.assertLessEqual(grafana.named(panel), set(names))
                    self.assertEqual(len(set(names)), len(names))
                    check = expected.grafana[panel["title"]]
                    self.assertEqual(*check(rows))
                    if panel["title"] != "Declared losses" or "berlin" in sites:
                        self.assertGreater(len(rows), 0)

    def test_series_are_in_the_order_of_time(self):
        for panel in grafana.panels(self.board):
            if panel["targets"][0]["format"] == "time_series":
                with self.subTest(panel=panel["title"]):
                    times = [row["time"] for row in self.rows(panel, "chief", None)[1]]
                    self.assertEqual(times, sorted(times))
                    self.assertIsInstance(times[0], datetime.datetime)

    def test_the_choice_of_gyms_offers_those_that_the_reader_sees(self):
        query = next(one for one in self.board["templating"]["list"] if one["name"] == "site")["query"]
        for user, sites in (("chief", set(GYMS)), ("anna", {"berlin"}), ("stranger", set())):
            self.assertEqual({row["site"] for row in self.ask(query, user)[1]}, sites)

    def test_the_range_of_time_is_kept(self):
        self.since = self.until - datetime.timedelta(days=3)
        panel = next(one for one in grafana.panels(self.board) if one["title"] == "Chosen days")
        days = {day for _, day in self.seed.gym_day if self.since.date() <= day <= self.until.date()}
        wanted = sum(count["sessions"] for (_, day), count in self.seed.gym_day.items() if day in days)
        self.assertEqual(self.rows(panel, "chief", None)[1][0]["Sessions"], wanted)
        self.assertLess(wanted, sum(count["sessions"] for count in self.seed.gym_day.values()))

    def test_panels_have_titles_units_and_no_names_of_columns(self):
        titles = [panel["title"] for panel in grafana.panels(self.board)]
        self.assertEqual(len(set(titles)), len(titles))
        for panel in grafana.panels(self.board):
            with self.subTest(panel=panel["title"]):
                self.assertTrue(panel["fieldConfig"]["defaults"]["unit"])
                self.assertTrue(panel["description"])
                names, _ = self.rows(panel, "chief", None)
                self.assertEqual([name for name in names if "_" in name], [])

    def test_panels_do_not_overlap(self):
        taken = set()
        for panel in self.board["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells


class Macros(unittest.TestCase):
    def put(self, sql, chosen=None, all_value="site"):
        board = {"templating": {"list": [{"name": "site", "type": "query", "allValue": all_value},
                                         {"name": "datasource", "type": "datasource"}]}}
        since = datetime.datetime(2026, 11, 1, 8, tzinfo=UTC)
        return grafana.statement(sql, grafana.variables(board, {"site": chosen}), since,
                                 since + datetime.timedelta(hours=1.5))

    def test_macros_become_moments_in_utc(self):
        self.assertEqual(self.put("$__timeFilter(g.day)"),
                         "g.day BETWEEN '2026-11-01T08:00:00.000000Z' AND '2026-11-01T09:30:00.000000Z'")
        self.assertEqual(self.put("$__timeFrom() $__timeTo()"),
                         "'2026-11-01T08:00:00.000000Z' '2026-11-01T09:30:00.000000Z'")

    def test_values_are_quoted_and_all_is_not(self):
        self.assertEqual(self.put("site IN (${site:sqlstring})", ["a", "b's"]), "site IN ('a','b''s')")
        self.assertEqual(self.put("site IN (${site:sqlstring})"), "site IN (site)")

    def test_what_is_not_known_is_refused(self):
        for sql in ("$__timeGroup(day, '1h')", "$site", "${site}", "${site:csv}", "$__interval", "$__timeFilter()"):
            with self.subTest(sql=sql), self.assertRaises(ValueError):
                self.put(sql)


class Superset(BoardCase):
    def setUp(self):
        super().setUp()
        ranges = [bundle.time_range(dashboard) for dashboard in bundle.read("dashboards").values()]
        self.range = next(filter(None, ranges))
        self.since, self.until = bundle.moments(self.range, datetime.datetime.now(UTC).date())

    def test_the_first_range_of_days_holds_today_in_every_time_zone(self):
        since, until = bundle.moments(self.range, datetime.date(2026, 11, 24))
        self.assertLessEqual(since, datetime.datetime(2026, 10, 28))
        # It is tomorrow's date in Auckland already, and Superset leaves the last moment out.
        self.assertEqual(until, datetime.datetime(2026, 11, 26))

    def test_every_chart_shows_what_was_stored(self):
        for user, chosen, sites in self.readers:
            expected = Expected(self.seed, sites)
            for chart in bundle.charts():
                with self.subTest(chart=chart.name, user=user, chosen=chosen):
                    found = {}
                    for site in chosen or [None]:
                        names, rows = self.ask(chart.sql(self.since, self.until, site), user)
                        self.assertEqual(names, [*chart.columns, *chart.metrics])
                        found.setdefault("rows", []).extend(rows)
                    self.assertEqual(*expected.superset[chart.name](found["rows"]))
                    if chart.name != "Declared losses" or "berlin" in sites:
                        self.assertGreater(len(found["rows"]), 0)

    def test_every_column_and_metric_of_the_data_sets_exists(self):
        for content in bundle.read("datasets").values():
            dataset = bundle.Dataset(content)
            with self.subTest(dataset=dataset.table):
                for names in (dataset.columns, dataset.metrics):
                    self.ask(f"SELECT {', '.join(map(dataset.expression, names))} FROM {dataset.table}", "anna")
                real = self.ask(f"SELECT * FROM {dataset.table} LIMIT 0", "anna")[0]
                plain = [name for name, one in dataset.columns.items() if not one.get("expression")]
                self.assertEqual(sorted(plain), sorted(real))
                self.assertEqual([one for one in (dataset.columns | dataset.metrics).values()
                                  if "_" in one["verbose_name"]], [])

    def test_the_files_fit_together(self):
        databases, datasets, charts = (bundle.read(kind) for kind in ("databases", "datasets", "charts"))
        self.assertEqual(len(databases), 1)
        used = set()
        for dataset in datasets.values():
            self.assertIn(dataset["database_uuid"], databases)
        for dashboard in bundle.read("dashboards").values():
            used |= set(bundle.placed(dashboard))
            for one in dashboard["metadata"]["native_filter_configuration"]:
                for target in filter(None, one["targets"]):
                    columns = bundle.Dataset(datasets[target["datasetUuid"]]).columns
                    self.assertIn(target["column"]["name"], columns)
            for row in (cell for cell in dashboard["position"].values()
                        if isinstance(cell, dict) and cell["type"] == "ROW"):
                widths = [dashboard["position"][name]["meta"]["width"] for name in row["children"]]
                self.assertEqual(sum(widths), 12)
        self.assertEqual(used, set(charts))
        for kind in (databases, datasets, charts):
            for name in kind:
                uuid.UUID(name)

    def test_every_data_set_has_the_column_that_the_choice_of_gyms_filters(self):
        for content in bundle.read("datasets").values():
            self.assertIn("site", bundle.Dataset(content).columns)


def load_tests(loader, tests, pattern):
    """Running this file runs the tests of the import as well."""
    import dashboard_test_import
    tests.addTests(loader.loadTestsFromModule(dashboard_test_import))
    return tests


if __name__ == "__main__":
    unittest.main()
