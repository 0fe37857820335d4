"""Deletion: a session's tombstone, an administrator's word, and everything that must be gone."""
import unittest

import psycopg2

from batch import Batch, uuid7
from schema_case import SchemaCase


class Deletion(SchemaCase):
    def tombstone(self, id, rev, seq=9, node="n1"):
        return self.store(Batch().tombstone("berlin", node, self.epoch, seq, id, rev))[node, self.epoch]

    def mentions(self, id):
        """The tables that still hold the id, in any column."""
        tables = self.rows("SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'spotter'::regnamespace "
                           "AND c.relkind = 'r'")
        return [name for name, in tables
                if self.value(f"SELECT count(*) FROM spotter.{name} t WHERE t::text ILIKE %s", f"%{id}%")]

    def test_nothing_of_a_deleted_session_is_left(self):
        id, kept = uuid7(), uuid7()
        self.session(kept, seq=1)
        without = self.sums()
        self.session(id, seq=2, actions=[("lunge", 5, 3)], sets=[("lunge", 1, 2, 3)])
        self.store(Batch().rejected("spotter/v1/berlin/n1/rec/session", "bad", '{"id":"%s"}' % id.upper())
                   .rejected("spotter/v1/berlin/n1/rec/session", "bad", '{"id":"%s"}' % kept))
        self.assertNotEqual(self.sums(), without)
        self.assertIn("rejected", self.mentions(id))
        said = self.tombstone(id, 2)
        self.assertEqual((said["stored"], said["known"]), (1, 0))
        self.assertEqual(self.sums(), without)
        self.assertEqual(self.mentions(id), ["tombstone"])
        self.assertEqual(self.value("SELECT count(*) FROM spotter.rejected"), 1)
        for view in ("session_list", "session_set", "session_action"):
            self.assertEqual(self.value(f"SELECT count(*) FROM spotter.{view}"), 1, view)

    def test_the_last_session_of_a_day_takes_the_day_along(self):
        id = uuid7()
        self.session(id)
        self.assertTrue(all(self.sums()))
        self.tombstone(id, 2)
        self.assertEqual(self.sums(), [[], [], []])

    def test_a_deleted_session_stays_deleted(self):
        id = uuid7()
        self.tombstone(id, 5)
        for rev in (1, 4, 5, 6):
            said = self.session(id, rev)
            self.assertEqual((said["stored"], said["known"]), (0, 1))
        self.assertEqual(self.sums(), [[], [], []])
        self.assertEqual(self.mentions(id), ["tombstone"])

    def test_a_tombstone_that_is_older_than_the_session_deletes_too(self):
        id = uuid7()
        self.session(id, 7)
        self.assertEqual(self.tombstone(id, 2)["stored"], 1)
        self.assertEqual(self.sums(), [[], [], []])

    def test_a_tombstone_comes_again(self):
        id = uuid7()
        self.assertEqual([self.tombstone(id, rev)["stored"] for rev in (3, 3, 2, 4)], [1, 0, 0, 1])
        self.assertEqual(self.rows("SELECT rev FROM spotter.tombstone"), [(4,)])

    def test_within_a_batch_a_tombstone_wins_wherever_it_stands(self):
        first, last = uuid7(), uuid7()
        said = self.store(Batch().tombstone("berlin", "n1", self.epoch, 1, first, 2)
                          .session("berlin", "n1", self.epoch, 2, first, 1)
                          .session("berlin", "n1", self.epoch, 3, first, 3)
                          .session("berlin", "n1", self.epoch, 4, last, 1)
                          .tombstone("berlin", "n1", self.epoch, 5, last, 2))["n1", self.epoch]
        self.assertEqual((said["stored"], said["known"], said["prefix"]), (2, 3, 5))
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session"), 0)

    def test_a_tombstone_concerns_its_own_node_and_sessions_only(self):
        id = uuid7()
        self.session(id, node="n2")
        self.store(Batch().rollup("berlin", "n1", self.epoch, 1, id))
        self.tombstone(id, 2)
        self.assertEqual(self.rows("SELECT node FROM spotter.session_list"), [("n2",)])
        self.assertEqual(self.value("SELECT count(*) FROM spotter.rollup"), 1)

    def test_a_deleted_session_does_not_come_back_as_a_rejected_message(self):
        id = uuid7()
        self.store(Batch().tombstone("berlin", "n1", self.epoch, 1, id, 2)
                   .rejected("spotter/v1/berlin/n1/rec/session", "bad", f'{{"id":"{id}"'))
        self.store(Batch().rejected("spotter/v1/berlin/n1/rec/session", "bad", f'{{"id":"{id}"'))
        self.assertEqual(self.value("SELECT count(*) FROM spotter.rejected"), 0)

    def test_an_administrator_deletes_for_good(self):
        id, unknown = uuid7(), uuid7()
        self.session(id)
        self.assertTrue(all(self.sums()))
        self.assertTrue(self.value("SELECT spotter.forget_session('n1', %s)", id))
        self.assertFalse(self.value("SELECT spotter.forget_session('n1', %s)", id))
        self.assertFalse(self.value("SELECT spotter.forget_session('n1', %s)", unknown))
        self.assertEqual(self.sums(), [[], [], []])
        for one in (id, unknown):
            self.assertEqual(self.session(one, 2**31 - 1)["known"], 1)
        self.assertEqual(self.sums(), [[], [], []])
        with self.assertRaisesRegex(psycopg2.Error, "no node"):
            self.value("SELECT spotter.forget_session('nobody', %s)", id)


class Rejected(SchemaCase):
    def test_a_message_that_comes_again_is_counted_in_its_row(self):
        self.session(uuid7())
        for _ in range(2):
            self.store(Batch().rejected("spotter/v1/berlin/n1/rec/session", "no json", "{")
                       .rejected("spotter/v1/berlin/n1/rec/session", "no json", "{")
                       .rejected("a/b/v1/berlin/n2/rec/session", "too long", "x" * 100000)
                       .rejected("odd", "what", None))
        self.assertEqual(self.rows("SELECT site, node, reason, times FROM spotter.rejected ORDER BY times DESC, node"),
                         [("berlin", "n1", "no json", 4), ("berlin", "n2", "too long", 2), (None, None, "what", 2)])
        self.assertEqual(self.rows("SELECT node, rejected FROM spotter.completeness"), [("n1", 1)])

    def test_only_the_newest_are_kept(self):
        self.rows("INSERT INTO spotter.rejected (received, topic, reason, digest) "
                  "SELECT now(), 't', 'r', int4send(n) FROM generate_series(1, 100005) AS n")
        self.store(Batch().rejected("new", "r", "p"))
        self.assertEqual(self.value("SELECT count(*) FROM spotter.rejected"), 100000)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.rejected WHERE topic = 'new'"), 1)


if __name__ == "__main__":
    unittest.main()
