"""Every SQL block of the fleet's pages does what the page says, as the role it names."""
import re
import unittest

import schema
from batch import Batch, connect, uuid7
from schema_case import SchemaCase

FLEET = schema.FOLDER.parents[3] / "deploy" / "fleet"
PAGE = FLEET / "SCHEMA.md"
PAGES = [FLEET / name for name in ("SCHEMA.md", "README.md")]
ID, NODE = "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90", "sp-k3v9q2m1xa"


def blocks(pages=(PAGE,)):
    """(role, SQL) of each block; what has no note is for those who read everything."""
    text = "".join(page.read_text() for page in pages)
    found = re.findall(r"(?:<!-- as: (\w+) -->\n)?```sql\n(.*?)```", text, re.DOTALL)
    return [(role or "chief", sql) for role, sql in found]


class Page(SchemaCase):
    def setUp(self):
        super().setUp()
        sets = {"label": "squat", "reps": 12, "recognised_label": "lunge", "recognised_reps": 11}
        batch = Batch()
        start = self.value("SELECT now()")
        for number, (id, day) in enumerate(((ID, "2026-11-21 18:00+00"), (uuid7(), start)), 1):
            moment = self.value("SELECT %s::timestamptz", day)
            batch.session("berlin", NODE, self.epoch, 2 * number, id, started=moment,
                          sets=[{**sets, "started": moment, "ended": moment}])
        batch.report("berlin", NODE, "health", {"problems": [{"code": "camera_offline"}]})
        batch.absence("berlin", NODE, self.epoch, 3, uuid7(), started=start)
        batch.report("berlin", NODE, "info", {"epoch": self.epoch, "tz": "PST"})
        batch.rejected(f"spotter/v1/berlin/{NODE}/rec/session", "bad", "{}")
        self.store(batch)

    def test_every_block_runs_and_every_question_has_an_answer(self):
        self.refresh()
        self.assertGreater(len(blocks(PAGES)), 12)
        for role, sql in blocks(PAGES):
            with self.subTest(sql=sql):
                connection = connect(self.cluster, role, self.dbname, temporary=False)
                self.connections.append(connection)
                with connection.cursor() as cursor:
                    if "day_mark" in sql:
                        self.session(ID, 2, seq=9, node=NODE)
                    cursor.execute(sql)
                    if sql.startswith("SELECT"):
                        self.assertGreater(cursor.rowcount, 0)
                connection.rollback()

    def test_every_view_is_in_the_table_of_views_and_no_other(self):
        table = PAGE.read_text().split("### Questions")[0]
        listed = re.findall(r"^\| `(\w+)` \| [^|]*\| [^|]*\|$", table, re.MULTILINE)
        views = self.rows("SELECT viewname FROM pg_views WHERE schemaname = 'spotter'")
        self.assertEqual(sorted(listed), sorted(name for name, in views))

    def test_every_file_is_on_the_page_and_no_other(self):
        listed = re.findall(r"`(\w+\.sql)`", PAGE.read_text().split("## Files")[1])
        self.assertEqual(sorted(listed), sorted(file.name for file in schema.FOLDER.iterdir()))

    def test_readers_as_the_page_makes_them_see_their_gyms(self):
        self.store(Batch().session("hamburg", "n2", self.epoch, 1, uuid7())
                   .session("paris", "n3", self.epoch, 1, uuid7()))
        self.refresh()
        owner = connect(self.cluster, "postgres", self.dbname, temporary=False)
        self.connections.append(owner)
        with owner.cursor() as cursor:
            for role, sql in blocks():
                if "CREATE ROLE" in sql:
                    self.assertEqual(role, "postgres")
                    cursor.execute(sql)
            for role, sites in (("berlin_desk", ["berlin"]), ("erika", ["berlin", "hamburg"]),
                                ("dashboards", ["berlin", "hamburg", "paris"])):
                cursor.execute(f"SET LOCAL ROLE {role}")
                cursor.execute("SELECT DISTINCT site FROM spotter.gym_day ORDER BY 1")
                self.assertEqual([site for site, in cursor.fetchall()], sites)
                cursor.execute("RESET ROLE")
        owner.rollback()


if __name__ == "__main__":
    unittest.main()
