"""The import of Superset's bundle, and the check that `make dashboards` makes of its charts."""
import io
import sys
import unittest
import zipfile

import dashboard_bundle as bundle

sys.path.insert(0, str(bundle.FOLDER.parent))
import import_bundle  # noqa: E402


class Import(unittest.TestCase):
    def test_a_connection_string_becomes_an_address_with_a_masked_password(self):
        self.assertEqual(
            import_bundle.sqlalchemy_uri("host=/var/run/postgresql dbname='my db' user=a@b password='se cret%'"),
            (f"postgresql+psycopg2://a%40b:{import_bundle.MASK}@/my%20db?host=%2Fvar%2Frun%2Fpostgresql", "se cret%"))
        self.assertEqual(import_bundle.sqlalchemy_uri("host=db.example.org port=5433 user=reader sslmode=verify-full"),
                         ("postgresql+psycopg2://reader@/spotter?host=db.example.org&port=5433&sslmode=verify-full",
                          None))

    def test_the_zip_file_holds_the_address_and_no_password(self):
        with zipfile.ZipFile(io.BytesIO(import_bundle.pack("postgresql+psycopg2://x@/y", "Dashboard"))) as packed:
            names = packed.namelist()
            self.assertEqual(len(names), len(list(bundle.FOLDER.rglob("*.yaml"))))
            self.assertIn(b"sqlalchemy_uri: postgresql+psycopg2://x@/y\n",
                          packed.read(f"spotter/{import_bundle.DATABASE_FILE}"))
            self.assertIn(b"type: Dashboard", packed.read("spotter/metadata.yaml"))


class Complaints(unittest.TestCase):
    """The check of `make dashboards` can fail."""

    def setUp(self):
        self.chart = next(chart for chart in bundle.charts() if chart.name == "Attendance by day")
        row = {name: 1 for name in [*self.chart.columns, *self.chart.metrics]}
        self.result = {"error": None, "status": "success", "rowcount": 1, "data": [row]}

    def complaint(self, **more):
        return bundle.complaint({"result": [self.result | more]}, self.chart)

    def test_a_good_answer_is_accepted(self):
        self.assertIsNone(self.complaint())

    def test_bad_answers_are_not(self):
        row = self.result["data"][0]
        self.assertEqual(self.complaint(error="relation does not exist"), "relation does not exist")
        self.assertIn("failed", self.complaint(status="failed"))
        self.assertEqual(self.complaint(rowcount=0, data=[]), bundle.EMPTY)
        self.assertIn("site", self.complaint(data=[{name: 1 for name in row if name != "site"}]))
        self.assertIn("total_sessions", self.complaint(data=[row | {"total_sessions": None}]))


if __name__ == "__main__":
    unittest.main()
