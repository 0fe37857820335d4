"""Who may do what: readers of one gym, of a team's, of all; the sink; strangers. And whether all is explained."""
import unittest

import psycopg2

import schema
from batch import Batch, connect, instant, uuid7
from schema_case import SchemaCase

VIEWS = ("gym_day", "exercise_day", "camera_hour", "session_list", "session_set", "session_action", "rollup_action",
         "gap_list", "node_health", "node_accuracy", "completeness", "workout_list", "workout_step", "absence_list",
         "gym_week", "zone_day")
# What a reader may ask directly. `%` stands for the text of a gym in the row.
TABLES = ("site", "node", "word", "stream", "session", "rollup", "gap", "gym_sum", "exercise_sum", "hour_sum",
          "workout", "workout_part", "absence")
HIDDEN = ("tombstone", "day_mark", "retention")
READERS = ("anna", "ben", "chief")


class Access(SchemaCase):
    def setUp(self):
        super().setUp()
        for site in ("berlin", "paris"):
            batch, node, id = Batch(), f"node-{site}", uuid7()
            sets = [{"label": f"{site}-lift", "zone": f"{site}-rack", "reps": 3, "started": None, "ended": None}]
            sets[0]["started"] = sets[0]["ended"] = instant("2026-11-21 18:00")
            batch.session(site, node, self.epoch, 1, uuid7(), camera=f"{site}-cam", actions=[(f"{site}-lift", 5, 3)],
                          sets=sets, zone=f"{site}-rack", model=f"{site}-model")
            batch.rollup(site, node, self.epoch, 2, uuid7(), camera=f"{site}-cam", actions=[(f"{site}-lift", 5)])
            batch.workout(site, node, self.epoch, 7, uuid7(), name=f"{site}-name")
            batch.absence(site, node, self.epoch, 8, uuid7(), camera=f"{site}-cam", reason=f"{site}-unplugged")
            batch.gap(site, node, self.epoch, 4, 3, 3).tombstone(site, node, self.epoch, 5, id, 1)
            batch.report(site, node, "info", {"epoch": self.epoch, "name": f"{site}-name", "tz": "Europe/Berlin"})
            batch.report(site, node, "health", {"problems": [{"code": f"{site}_code"}], "accuracy": {"right": {"share": 0.9}}})
            batch.rejected(f"spotter/v1/{site}/{node}/rec/session", f"{site}-reason", f"{site}-payload")
            self.store(batch)
        self.refresh()
        self.store(Batch().session("paris", "node-paris", self.epoch, 6, uuid7()))
        self.rows("INSERT INTO spotter.site_reader VALUES ('anna', 'berlin'), ('team', 'berlin'), ('gone', 'paris')")

    def test_a_reader_of_one_gym_sees_no_other_through_views_and_tables(self):
        for relation in VIEWS + TABLES:
            everything = self.rows(f"SELECT t::text FROM spotter.{relation} t", user="chief")
            texts = " ".join(text for text, in everything)
            for reader in ("anna", "ben"):
                seen = self.rows(f"SELECT t::text FROM spotter.{relation} t", user=reader)
                self.assertTrue(0 < len(seen) < len(everything), (relation, reader))
                self.assertNotIn("paris", str(seen), relation)
            if relation in VIEWS:
                self.assertIn("berlin", texts)
                self.assertIn("paris", texts)

    def test_numbers_of_other_gyms_do_not_show_either(self):
        paris = self.value("SELECT site_id FROM spotter.site WHERE site = 'paris'")
        for table in ("node", "word", "session", "rollup", "gym_sum", "exercise_sum", "hour_sum"):
            sql = f"SELECT count(*) FROM spotter.{table} WHERE site_id = {paris}"
            self.assertEqual(self.value(sql, user="anna"), 0)

    def test_all_readers_see_everything(self):
        for relation in VIEWS + TABLES:
            self.assertEqual(self.value(f"SELECT count(*) FROM spotter.{relation}", user="chief"),
                             self.value(f"SELECT count(*) FROM spotter.{relation}"), relation)

    def test_a_reader_without_gyms_sees_nothing(self):
        self.rows("DELETE FROM spotter.site_reader")
        for relation in VIEWS + TABLES + ("site_reader",):
            self.assertEqual(self.rows(f"SELECT * FROM spotter.{relation}", user="anna"), [], relation)

    def test_a_condition_that_would_tell_is_not_shown_hidden_rows(self):
        # A function that complains would show a row that row-level security hides.
        sql = "SELECT site FROM spotter.gym_day WHERE 1 / (site <> 'paris')::int = 1"
        self.assertEqual(self.rows(sql, user="anna"), [("berlin",)])

    def test_rejected_messages_are_counted_but_not_read(self):
        self.assertEqual(self.rows("SELECT site, node, reason FROM spotter.rejected", user="anna"),
                         [("berlin", "node-berlin", "berlin-reason")])
        for column in ("payload", "topic", "ids", "*"):
            self.refused(f"SELECT {column} FROM spotter.rejected", user="chief")

    def test_readers_see_their_own_line_of_who_reads_what(self):
        self.assertEqual(self.rows("SELECT role_name FROM spotter.site_reader", user="anna"), [("anna",)])
        self.assertEqual(self.rows("SELECT role_name FROM spotter.site_reader", user="ben"), [("team",)])

    def test_readers_and_strangers_write_and_call_nothing(self):
        relations = VIEWS + TABLES + HIDDEN + ("rejected", "site_reader", "migration")
        for reader in READERS:
            for relation in relations:
                self.refused(f"DELETE FROM spotter.{relation}", user=reader)
                self.refused(f"INSERT INTO spotter.{relation} DEFAULT VALUES", user=reader)
            for relation in HIDDEN:
                self.refused(f"SELECT * FROM spotter.{relation}", user=reader)
            self.refused("UPDATE spotter.site SET time_zone = 'UTC'", user=reader)
            self.refused("CREATE TABLE spotter.mine ()", user=reader)
            for call in ("store_batch()", "refresh_days(1)", "ensure_partitions()", "drop_before(1)",
                         "forget_session('node-berlin', gen_random_uuid())", "erase_sessions('{1}', '{}')"):
                self.refused(f"SELECT spotter.{call}", user=reader)
        for relation in relations:
            self.refused(f"SELECT * FROM spotter.{relation}", user="stranger")

    def test_partitions_are_no_way_round(self):
        partitions = self.rows("SELECT inhrelid::regclass::text FROM pg_inherits "
                               "WHERE inhparent IN ('spotter.session'::regclass, 'spotter.rollup'::regclass)")
        self.assertGreater(len(partitions), 30)
        for name, in partitions:
            for user in ("anna", "chief", "spotter_sink"):
                self.refused(f"SELECT * FROM {name}", user=user)

    def test_the_sink_does_its_work_and_no_more(self):
        for sql in ("DELETE FROM spotter.node", "DELETE FROM spotter.stream", "DELETE FROM spotter.tombstone",
                    "DELETE FROM spotter.rollup", "DELETE FROM spotter.gap", "DELETE FROM spotter.absence", "DELETE FROM spotter.site",
                    "DELETE FROM spotter.word", "UPDATE spotter.word SET text = 'x'", "TRUNCATE spotter.session",
                    "DROP TABLE spotter.session", "INSERT INTO spotter.site_reader VALUES ('anna', 'paris')",
                    "SELECT * FROM spotter.site_reader", "UPDATE spotter.migration SET name = 'x'",
                    "INSERT INTO spotter.migration VALUES (99, 'x')", "CREATE TABLE spotter.mine ()",
                    "SELECT spotter.forget_session('node-berlin', gen_random_uuid())",
                    "SELECT spotter.drop_sums('2030-01-01')",
                    "SELECT spotter.make_partition('session', '2030-01-01')", "CREATE ROLE x",
                    "ALTER TABLE spotter.session DISABLE ROW LEVEL SECURITY", "SET ROLE spotter_owner",
                    "DELETE FROM spotter.retention", "SELECT pg_read_file('/etc/passwd')"):
            self.refused(sql, user="spotter_sink")

    def test_functions_with_the_owners_rights_have_a_fixed_path(self):
        rows = self.rows("SELECT proname, proconfig::text FROM pg_proc WHERE prosecdef "
                         "AND pronamespace = 'spotter'::regnamespace ORDER BY 1")
        self.assertEqual([name for name, _ in rows], ["drop_before", "ensure_partitions"])
        for _, settings in rows:
            self.assertIn("search_path=pg_catalog, pg_temp", settings)

    def test_the_sink_cannot_make_the_owner_run_its_code(self):
        sink = connect(self.cluster, "spotter_sink", self.dbname, temporary=False)
        self.connections.append(sink)
        with sink.cursor() as cursor:
            cursor.execute("CREATE FUNCTION pg_temp.evil() RETURNS name LANGUAGE sql AS 'SELECT current_user'")
            for table in ("message", "record", "action", "set", "node", "rejected"):
                cursor.execute(f"CREATE TEMP TABLE incoming_{table} (line int)")
            cursor.execute("CREATE TEMP TABLE seen (who name)")
            # Temporary objects in the place of functions and tables that the owner's functions use.
            cursor.execute("CREATE FUNCTION pg_temp.to_char(date, text) RETURNS text LANGUAGE sql AS "
                           "$$ INSERT INTO seen VALUES (current_user) RETURNING 'x' $$")
            cursor.execute("SELECT spotter.ensure_partitions()")
            cursor.execute("SELECT count(*) FROM seen")
            self.assertEqual(cursor.fetchone()[0], 0)


class Explained(SchemaCase):
    def test_every_view_and_column_and_table_is_explained(self):
        missing = self.rows("""
            SELECT c.relname, a.attname FROM pg_class c
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND c.relkind = 'v'
            WHERE c.relnamespace = 'spotter'::regnamespace AND c.relkind IN ('v', 'r', 'p') AND NOT c.relispartition
              AND (obj_description(c.oid) IS NULL
                   OR c.relkind = 'v' AND coalesce(col_description(c.oid, a.attnum), '') = '')""")
        self.assertEqual(missing, [])
        views = self.rows("SELECT viewname FROM pg_views WHERE schemaname = 'spotter' ORDER BY 1")
        self.assertEqual([name for name, in views], sorted(VIEWS))

    def test_every_view_runs_with_the_readers_rights_and_every_table_has_row_level_security(self):
        self.assertEqual(self.rows("SELECT relname FROM pg_class WHERE relnamespace = 'spotter'::regnamespace AND "
                                   "relkind = 'v' AND NOT 'security_invoker=true' = ANY (reloptions)"), [])
        open_tables = self.rows("SELECT relname FROM pg_class WHERE relnamespace = 'spotter'::regnamespace AND "
                                "relkind IN ('r', 'p') AND NOT relispartition AND NOT relrowsecurity ORDER BY 1")
        # These two say nothing of a gym.
        self.assertEqual([name for name, in open_tables], ["migration", "retention"])

    def test_every_file_is_part_of_one_migration_or_run_by_itself(self):
        listed = [file.name for _, _, files in schema.migrations() for file in files]
        self.assertEqual(sorted(listed + ["incoming.sql", "roles.sql"]),
                         sorted(file.name for file in schema.FOLDER.iterdir()))

    def test_a_second_migration_does_nothing_and_a_repeated_file_is_refused(self):
        def everything():
            return self.rows("SELECT * FROM (SELECT classid, objid, objsubid FROM pg_depend "
                             "UNION ALL SELECT classoid, objoid, objsubid FROM pg_description) d ORDER BY 1, 2, 3")

        before = everything()
        self.assertEqual(self.rows("SELECT number, name FROM spotter.migration ORDER BY 1"),
                         [(number, name) for number, name, _ in schema.migrations()])
        self.assertEqual(schema.migrate(self.cluster, self.dbname), [])
        for file in [file for _, _, files in schema.migrations() for file in files]:
            with self.subTest(file.name), self.assertRaises(psycopg2.Error):
                self.rows(file.read_text())
        self.assertEqual(everything(), before)

    def test_the_roles_may_be_made_again(self):
        self.cluster.psql((schema.FOLDER / "roles.sql").read_text(), dbname="postgres")
        powers = self.rows("SELECT rolname FROM pg_roles WHERE rolname LIKE 'spotter%%' AND "
                           "(rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)")
        self.assertEqual(powers, [])

    def test_the_migrations_have_no_commands_of_psql(self):
        for file in schema.FOLDER.glob("*.sql"):
            for line in file.read_text().splitlines():
                self.assertFalse(line.lstrip().startswith("\\"), file)


if __name__ == "__main__":
    unittest.main()
