"""Revisions, fields, batches, connections."""
import datetime
import unittest

import psycopg2

from batch import Batch, instant, uuid7
from schema_case import SchemaCase

SESSION = "SELECT * FROM spotter.session_list WHERE id = %s"


class Revisions(SchemaCase):
    def test_the_highest_revision_of_an_id_counts_across_batches(self):
        id = uuid7()
        self.assertEqual(self.session(id, 1, seq=1)["stored"], 1)
        said = self.session(id, 3, seq=2, actions=[("lunge", 5, 2)], sets=[], camera="cam2", final=False, zone="rack1")
        self.assertEqual((said["stored"], said["known"]), (1, 0))
        for rev in (1, 2, 3):
            said = self.session(id, rev, seq=3, actions=[("burpee", 9, 9)], camera="cam9")
            self.assertEqual((said["stored"], said["known"]), (0, 1))
        row = self.dictionary(SESSION, id)
        self.assertEqual((row["camera"], row["final"], row["sets"], row["reps"], row["active_s"], row["zone"]),
                         ("cam2", False, 0, 2, 5.0, "rack1"))
        self.assertEqual(self.rows("SELECT label FROM spotter.session_action"), [("lunge",)])
        self.assertEqual(self.sums()[1], [("berlin", datetime.date(2026, 11, 21), "lunge", 1, 0, 2, 5.0)])

    def test_within_one_batch_the_highest_counts_and_of_equal_ones_the_first(self):
        id, other = uuid7(), uuid7()
        batch = Batch()
        for seq, rev in enumerate((1, 3, 2, 3), 1):
            batch.session("berlin", "n1", self.epoch, seq, id, rev, camera=f"cam{seq}")
        batch.session("berlin", "n1", self.epoch, 5, other)
        said = self.store(batch)["n1", self.epoch]
        self.assertEqual((said["stored"], said["known"], said["prefix"]), (2, 3, 5))
        self.assertEqual(self.dictionary(SESSION, id)["camera"], "cam2")

    def test_revisions_count_across_epochs(self):
        id, newer = uuid7(), uuid7()
        self.session(id, 2)
        said = self.store(Batch().session("berlin", "n1", newer, 1, id, 1, camera="old")
                          .session("berlin", "n1", newer, 2, uuid7()))["n1", newer]
        self.assertEqual((said["stored"], said["known"], said["prefix"]), (1, 1, 2))
        self.assertEqual(self.dictionary(SESSION, id)["camera"], "cam1")
        self.store(Batch().session("berlin", "n1", newer, 3, id, 3, camera="new"))
        self.assertEqual(self.dictionary(SESSION, id)["camera"], "new")

    def test_excluded_frames_are_summed_over_their_reasons(self):
        for seq, (reasons, frames) in enumerate((({}, 0), ({"no_person": 3, "dark": 4}, 7), ({"no_person": 0}, 0),
                                                 ({"no_person": 2**31 - 1, "dark": 1}, 2**31 - 1)), 1):
            with self.subTest(reasons=reasons):
                id = uuid7()
                self.session(id, seq=seq, excluded_frames=reasons)
                self.assertEqual(self.value("SELECT excluded FROM spotter.session WHERE id = %s", id), frames)

    def test_the_key_is_node_type_and_id(self):
        id = uuid7()
        said = self.store(Batch().session("berlin", "n1", self.epoch, 1, id).rollup("berlin", "n1", self.epoch, 2, id)
                          .gap("berlin", "n1", self.epoch, 4, 3, 3, id=id)
                          .session("berlin", "n2", self.epoch, 1, id))
        self.assertEqual([said[node, self.epoch]["stored"] for node in ("n1", "n2")], [3, 1])
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session_list WHERE id = %s", id), 2)

    def test_rollups_and_gaps_keep_their_highest_revision(self):
        rollup, gap = uuid7(), uuid7()
        for rev, seconds in ((1, 10.0), (3, 30.0), (2, 20.0)):
            self.store(Batch().rollup("berlin", "n1", self.epoch, rev, rollup, rev, actions=[("squat", seconds)])
                       .gap("berlin", "n1", self.epoch, 10 + rev, 4, 3 + rev, id=gap, rev=rev))
        self.assertEqual(self.rows("SELECT camera, label, active_s, length_s FROM spotter.rollup_action"),
                         [("cam1", "squat", 30.0, 300.0)])
        self.assertEqual(self.rows("SELECT from_seq, to_seq, records, reason FROM spotter.gap_list"),
                         [(4, 6, 3, "retention")])

    def test_a_node_that_moves_takes_its_positions_along_and_leaves_its_sessions(self):
        self.session(uuid7(), seq=1, site="berlin")
        said = self.session(uuid7(), seq=2, site="paris")
        self.assertEqual((said["site"], said["prefix"]), ("paris", 2))
        self.assertEqual([row[:3] for row in self.sums()[0]],
                         [(site, datetime.date(2026, 11, 21), 1) for site in ("berlin", "paris")])
        self.assertEqual(self.rows("SELECT site, node FROM spotter.node_health"), [("paris", "n1")])


class Fields(SchemaCase):
    def test_every_field_comes_back(self):
        id, started = uuid7(), instant("2026-11-21 18:00:00.250")
        later = started + datetime.timedelta(seconds=61.5)
        sets = [{"number": 7, "label": "squat", "started": started, "ended": later, "reps": 12, "rest_s": None,
                 "score": 93, "zone": "rack-1", "recognised_label": "lunge", "recognised_reps": 11, "load_kg": 62.5,
                 "confidence": 0.93, "reps_margin": 2, "rpe": 8.5, "left_reps": 5, "right_reps": 7},
                {"number": None, "label": "Kniebeuge \\ \t'\"ü", "started": later, "ended": later, "reps": 0,
                 "rest_s": 12.25}]
        self.session(id, started=started, seconds=61.5, sets=sets, zone="rack-2", end_reason=None, final=False,
                     actions=[("squat", 41.6, 20), ("plank", 3.25, None)])
        self.assertEqual(
            self.rows("SELECT number, label, started, ended, reps, rest_s, score, zone, recognised_label, "
                      "recognised_reps, load_kg, round(confidence::numeric, 2)::float8, reps_margin, rpe, left_reps, "
                      "right_reps "
                      "FROM spotter.session_set ORDER BY started, ended DESC"),
            [(7, "squat", started, later, 12, None, 93, "rack-1", "lunge", 11, 62.5, 0.93, 2, 8.5, 5, 7),
             (None, "Kniebeuge \\ \t'\"ü", later, later, 0, 12.25, None, None, None, None, None, None, None, None, None,
              None)])
        self.assertEqual(
            self.rows("SELECT label, frames, active_s, reps, round(confidence::numeric, 2)::text "
                      "FROM spotter.session_action ORDER BY label"),
            [("plank", 97, 3.25, None, "0.91"), ("squat", 1248, 41.6, 20, "0.91")])
        row = self.dictionary(SESSION, id)
        self.assertEqual((row["site"], row["node"], row["started"], row["ended"], row["zone"], row["end_reason"],
                          row["sets"], row["reps"], row["active_s"]),
                         ("berlin", "n1", started, later, "rack-2", None, 2, 20, 44.85))

    def test_sets_of_earlier_versions_have_no_sides_and_keep_the_rest(self):
        id, began = uuid7(), instant("2026-11-21 18:00")
        self.session(id, started=began, sets=[
            {"number": number, "label": "lunge", "started": began, "ended": began, "reps": 12, "rpe": 8.5,
             "left_reps": number, "right_reps": 12 - number} for number in (1, 2)])
        question = ("SELECT number, reps, round(rpe::numeric, 1)::float8, left_reps, right_reps FROM spotter.session_set "
                    "ORDER BY number")
        self.assertEqual(self.rows(question), [(1, 12, 8.5, 1, 11), (2, 12, 8.5, 2, 10)])
        # As the sink of 1.0.0 packed them.
        self.cluster.psql("UPDATE spotter.session SET sets = sets[:][1:14]", dbname=self.dbname)
        self.assertEqual(self.rows(question), [(1, 12, 8.5, None, None), (2, 12, 8.5, None, None)])

    def test_absurd_times_lengths_and_ids_are_stored_and_summed(self):
        epoch, batch = self.epoch, Batch()
        batch.session("berlin", "n1", epoch, 1, "00000000-0000-0000-0000-000000000000", started=instant("2000-01-01"),
                      seconds=86400 * 36500)
        batch.session("berlin", "n1", epoch, 2, "ffffffff-ffff-ffff-ffff-ffffffffffff", started=instant("2099-12-31"),
                      seconds=-5)
        batch.session("berlin", "n1", epoch, 3, "3f2b8c1e-4a5d-4e6f-8a9b-0c1d2e3f4a5b", started=instant("2026-11-21"),
                      seconds=0, actions=[("squat", 3.0e38, 2**31 - 1)], rev=2**31 - 1,
                      sets=[{"label": "squat", "reps": 2**31 - 1, "started": instant("2000-01-01"),
                             "ended": instant("2100-01-01"), "rest_s": 3.0e38}])
        self.assertEqual(self.store(batch)["n1", epoch]["stored"], 3)
        gyms, _, hours = self.sums()
        self.assertEqual([(row[1].year, row[2]) for row in gyms], [(2000, 1), (2026, 1), (2099, 1)])
        # 24 hours of the century, and one each of the sessions without length.
        self.assertEqual(len(hours), 26)
        self.assertEqual(sum(row[6] for row in hours), 86400)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session_set"), 3)


class Batches(SchemaCase):
    def test_a_batch_that_is_rolled_back_leaves_nothing(self):
        tables = ["site", "node", "word", "stream", "session", "rollup", "gap", "tombstone", "rejected", "day_mark"]
        id = uuid7()
        batch = (Batch().session("berlin", "n1", self.epoch, 1, id).rollup("berlin", "n1", self.epoch, 2, uuid7())
                 .gap("berlin", "n1", self.epoch, 4, 3, 3).tombstone("berlin", "n1", self.epoch, 5, uuid7(), 2)
                 .report("berlin", "n1", "info", {"epoch": self.epoch}).rejected("a/v1/berlin/n1/rec/x", "bad", "{}"))
        said = batch.store(self.sink, commit=False)
        self.sink.rollback()
        for table in tables:
            self.assertEqual(self.value(f"SELECT count(*) FROM spotter.{table}"), 0, table)
        self.assertEqual(self.store(batch), said)
        for table in tables:
            self.assertGreater(self.value(f"SELECT count(*) FROM spotter.{table}"), 0, table)

    def test_a_second_call_in_the_transaction_changes_nothing(self):
        batch = Batch().session("berlin", "n1", self.epoch, 1, uuid7()).gap("berlin", "n1", self.epoch, 3, 2, 2)
        batch.store(self.sink, commit=False)
        with self.sink.cursor() as cursor:
            cursor.execute("SELECT stored, known, prefix FROM spotter.store_batch()")
            self.assertEqual(cursor.fetchall(), [(0, 2, 3)])
        self.sink.commit()
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session"), 1)

    def test_an_empty_batch_and_one_with_reports_only(self):
        self.assertEqual(self.store(Batch()), {})
        self.assertEqual(self.store(Batch().report("berlin", "n1", "health", {"ok": True})), {})

    def test_other_isolation_levels_are_refused(self):
        self.sink.set_session(isolation_level="REPEATABLE READ")
        with self.assertRaisesRegex(psycopg2.Error, "READ COMMITTED"):
            self.store(Batch())


if __name__ == "__main__":
    unittest.main()
