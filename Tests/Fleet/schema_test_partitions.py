"""Partitions by the month of the id, and retention."""
import datetime
import unittest

import psycopg2.errors

from batch import Batch, connect, uuid7
from schema_case import SchemaCase

NOW = datetime.datetime.now(datetime.timezone.utc)


def month(offset):
    """The middle of the month so many months from now."""
    count = NOW.year * 12 + NOW.month - 1 + offset
    return datetime.datetime(count // 12, count % 12 + 1, 15, 12, tzinfo=datetime.timezone.utc)


def name(offset, table="session"):
    return f"{table}_{month(offset):%Y_%m}"


class PartitionCase(SchemaCase):
    def setUp(self):
        super().setUp()
        self.seq = 0

    def at(self, made, started=None, id=None, site="berlin", **more):
        """A session whose id was made at one time, and that began at the same or at another."""
        self.seq += 1
        id = id or uuid7(made)
        self.session(id, rev=more.pop("rev", 1), seq=self.seq, started=started or made, site=site, **more)
        return id

    def partition(self, id, table="session"):
        return self.value(f"SELECT tableoid::regclass::text FROM spotter.{table} WHERE id = %s", id).split(".")[1]

    def partitions(self, table="session"):
        return {row[0] for row in self.rows("SELECT relname FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid "
                                            f"WHERE inhparent = 'spotter.{table}'::regclass")}

    def ensure(self):
        return self.value("SELECT spotter.ensure_partitions()", user="spotter_sink")

    def keep(self, months):
        return self.value("SELECT spotter.drop_before(%s)", months, user="spotter_sink")


class Partitions(PartitionCase):
    def test_from_12_months_back_to_2_ahead(self):
        for table in ("session", "rollup"):
            self.assertEqual(self.partitions(table),
                             {name(offset, table) for offset in range(-12, 3)} | {f"{table}_other"})
        self.assertEqual(self.ensure(), 0)

    def test_a_session_lies_in_the_month_of_its_id(self):
        for offset in (-12, -1, 0, 2):
            self.assertEqual(self.partition(self.at(month(offset))), name(offset))
        for id in (uuid7(month(-13)), uuid7(month(3)), "00000000-0000-0000-0000-000000000000",
                   "ffffffff-ffff-4fff-8fff-ffffffffffff"):
            self.assertEqual(self.partition(self.at(NOW, id=id)), "session_other")

    def test_the_edges_of_a_month(self):
        first = month(0).replace(day=1, hour=0)
        moment = datetime.timedelta(milliseconds=1)
        self.assertEqual(self.partition(self.at(first)), name(0))
        self.assertEqual(self.partition(self.at(first - moment)), name(-1))

    def test_a_corrected_clock_finds_its_predecessor(self):
        id = self.at(month(-2), started=month(-30))
        self.at(None, started=month(0), id=id, rev=2)
        self.assertEqual(self.rows("SELECT started FROM spotter.session"), [(month(0),)])
        self.assertEqual(self.partition(id), name(-2))

    def test_a_month_that_is_made_late_takes_its_rows_from_the_last_partition(self):
        for table in ("session", "rollup"):
            self.rows(f"DROP TABLE spotter.{name(0, table)}")
        id, rollup, other = self.at(month(0)), uuid7(month(0)), self.at(month(5))
        self.store(Batch().rollup("berlin", "n1", self.epoch, 90, rollup))
        self.assertEqual(self.partition(id), "session_other")
        self.assertEqual(self.ensure(), 2)
        self.assertEqual([self.partition(id), self.partition(rollup, "rollup"), self.partition(other)],
                         [name(0), name(0, "rollup"), "session_other"])
        self.assertEqual(self.session(id, 1, seq=99)["known"], 1)
        self.assertEqual(self.session(id, 2, seq=99)["stored"], 1)
        self.refused(f"SELECT * FROM spotter.{name(0)}", user="anna")

    def test_a_long_query_delays_new_partitions_and_no_batch(self):
        self.rows(f"DROP TABLE spotter.{name(2)}")
        reader = connect(self.cluster, "chief", self.dbname, temporary=False)
        self.connections.append(reader)
        with reader.cursor() as cursor:
            cursor.execute("SELECT * FROM spotter.session_list")
            self.assertEqual(self.ensure(), 0)
            self.at(NOW)
            reader.commit()
        self.assertEqual(self.ensure(), 1)

    def test_revisions_are_found_in_one_partition(self):
        plan = "\n".join(row[0] for row in self.rows(
            "EXPLAIN (COSTS OFF) SELECT rev FROM spotter.session WHERE id = %s AND node_id = 1", uuid7(month(0))))
        self.assertIn(name(0), plan)
        self.assertNotIn("other", plan)


class Retention(PartitionCase):
    def test_zero_keeps_everything(self):
        self.at(month(-20))
        self.assertEqual([self.keep(0), self.keep(None)], [0, 0])
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session"), 1)

    def test_old_months_are_dropped_with_their_sums(self):
        for offset in (-30, -8, -7, -6, 0):
            self.at(month(offset))
            self.store(Batch().rollup("berlin", "n1", self.epoch, 100 - offset, uuid7(month(offset)),
                                      started=month(offset)))
        self.refresh()
        self.assertEqual(self.keep(6), 12)
        for table in ("session", "rollup"):
            self.assertEqual(self.partitions(table),
                             {name(offset, table) for offset in range(-6, 3)} | {f"{table}_other"})
            self.assertEqual(self.value(f"SELECT count(*) FROM spotter.{table}"), 2)
        self.assertEqual([row[1] for row in self.sums()[0]], [month(-6).date(), month(0).date()])
        self.assertEqual([self.keep(6), self.ensure()], [0, 0])

    def test_a_month_with_a_younger_session_loses_its_old_rows_only(self):
        old, young = self.at(month(-8)), self.at(month(-8), started=month(-1))
        self.assertEqual(self.keep(6), 11)
        self.assertIn(name(-8), self.partitions())
        self.assertEqual(self.rows("SELECT id::text FROM spotter.session"), [(young,)])
        self.assertEqual(len(self.sums()[0]), 1)
        self.assertNotEqual(old, young)

    def test_an_old_session_with_a_young_id_goes_too(self):
        for offset in (0, 7):
            self.at(month(offset), started=month(-30))
        young = self.at(month(0))
        self.refresh()
        self.keep(6)
        self.assertEqual(self.rows("SELECT id::text FROM spotter.session"), [(young,)])
        self.assertEqual([row[1] for row in self.sums()[0]], [month(0).date()])

    def test_a_long_query_delays_retention(self):
        self.at(month(-9))
        reader = connect(self.cluster, "chief", self.dbname, temporary=False)
        self.connections.append(reader)
        with reader.cursor() as cursor:
            cursor.execute("SELECT * FROM spotter.session_list")
            with self.assertRaises(psycopg2.errors.LockNotAvailable):
                self.keep(6)
            self.assertEqual(self.value("SELECT count(*) FROM spotter.session"), 1)
            reader.commit()
        self.assertEqual(self.keep(6), 12)

    def test_a_day_of_which_retention_takes_a_part_is_recomputed(self):
        limit = month(-6).replace(day=1, hour=0)
        self.store(Batch().report("berlin", "n1", "info", {"tz": "America/New_York"}))
        for minutes in (-1, 0):
            self.at(limit + datetime.timedelta(minutes=minutes))
        self.refresh()
        self.assertEqual([row[2] for row in self.sums()[0]], [2])
        self.keep(6)
        self.assertEqual([row[2] for row in self.sums()[0]], [1])

    def test_what_comes_late_is_stored_and_goes_with_the_next_call(self):
        self.keep(6)
        self.at(month(-9))
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session_other"), 1)
        self.keep(6)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session"), 0)
        self.assertEqual(self.sums()[0], [])

    def test_rejected_messages_and_tombstones_go_too_and_positions_stay(self):
        self.store(Batch().rejected("a", "b", "old", month(-9)).rejected("a", "b", "new")
                   .tombstone("berlin", "n1", self.epoch, 1, uuid7(), 1)
                   .tombstone("berlin", "n1", self.epoch, 2, uuid7(), 2))
        self.rows("UPDATE spotter.tombstone SET deleted = %s WHERE rev = 1", month(-9))
        self.keep(6)
        self.assertEqual(self.rows("SELECT payload FROM spotter.rejected"), [("new",)])
        self.assertEqual(self.rows("SELECT rev FROM spotter.tombstone"), [(2,)])
        self.assertEqual(self.value("SELECT prefix FROM spotter.completeness"), 2)


if __name__ == "__main__":
    unittest.main()
