"""Workouts: revisions, steps, names that are deleted, retention."""
import datetime
import json
import unittest

from batch import Batch, instant, uuid7
from schema_case import SchemaCase

LIST = "SELECT plan_name, name, steps, completed_steps, reps, end_reason, final FROM spotter.workout_list"
STEPS = "SELECT number, action, planned_reps, reps, complete FROM spotter.workout_step ORDER BY number"


class Workouts(SchemaCase):
    def workout(self, id, rev=1, seq=1, **more):
        return self.store(Batch().workout("berlin", "n1", self.epoch, seq, id, rev, **more))["n1", self.epoch]

    def test_a_workout_is_stored_with_its_steps(self):
        said = self.workout(uuid7(), steps=[("squat", 12, 13), ("lunge", 10, 4)], end_reason=None, final=False)
        self.assertEqual((said["stored"], said["known"], said["prefix"]), (1, 0, 1))
        self.assertEqual(self.rows(LIST), [("Legs", "anna", 2, 1, 17, None, False)])
        self.assertEqual(self.rows(STEPS), [(1, "squat", 12, 13, True), (2, "lunge", 10, 4, False)])

    def test_what_was_measured_and_said_is_in_the_view(self):
        measured = {"range": {"measure": "knee_flexion", "value": 92.5, "uncertainty": 6, "unit": "degrees", "reps": 12},
                    "whole": 88, "primary": 95, "control": 81}
        self.workout(uuid7(), coaching={"measured": measured, "cues": ["Deeper."], "pain": 3})
        self.assertEqual(
            self.rows("SELECT range_measure, range_value, range_uncertainty, tempo_s, score_whole, score_primary, cues, pain "
                      "FROM spotter.workout_step"),
            [("knee_flexion", 92.5, 6.0, None, 88, 95, ["Deeper."], 3)])

    def test_the_highest_revision_counts_whatever_comes_first(self):
        for order in ([1, 2, 3], [3, 1, 2], [2, 3, 1]):
            id = uuid7()
            for seq, rev in enumerate(order, 1):
                self.workout(id, rev, seq, steps=[("squat", 12, rev)] * rev)
            self.assertEqual(self.rows("SELECT reps, steps FROM spotter.workout_list WHERE id = %s", id), [(9, 3)])
            self.assertEqual(self.value("SELECT count(*) FROM spotter.workout_step WHERE id = %s", id), 3)

    def test_several_revisions_in_one_batch(self):
        id = uuid7()
        batch = Batch()
        for rev in (2, 3, 1):
            batch.workout("berlin", "n1", self.epoch, rev, id, rev, steps=[("squat", 12, rev)])
        said = self.store(batch)["n1", self.epoch]
        self.assertEqual((said["stored"], said["known"], said["prefix"]), (1, 2, 3))
        self.assertEqual(self.rows(STEPS), [(1, "squat", 12, 3, False)])

    def test_a_name_that_is_deleted_is_gone_everywhere(self):
        id = uuid7()
        self.workout(id)
        self.store(Batch().rejected("spotter/v1/berlin/n1/rec/workout", "bad", '{"id":"%s","name":"anna"}' % id))
        self.workout(id, 2, 2, name=None)
        self.assertEqual(self.rows("SELECT name, plan_name FROM spotter.workout_list"), [(None, "Legs")])
        self.assertEqual(self.value("SELECT count(*) FROM spotter.rejected"), 0)
        self.workout(id, 1, 1)
        self.assertIsNone(self.value("SELECT name FROM spotter.workout_list"))

    def test_nodes_do_not_share_ids(self):
        id = uuid7()
        for node in ("n1", "n2"):
            self.store(Batch().workout("berlin", node, self.epoch, 1, id, name=node))
        self.assertEqual(self.rows("SELECT node, name FROM spotter.workout_list ORDER BY node"),
                         [("n1", "n1"), ("n2", "n2")])

    def test_retention_deletes_old_workouts(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        self.workout(uuid7(), 1, 1, started=now - datetime.timedelta(days=400))
        self.workout(uuid7(), 1, 2, started=now)
        self.rows("SELECT spotter.drop_before(3)")
        self.assertEqual(self.value("SELECT count(*) FROM spotter.workout_list"), 1)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.workout_part"), 1)


if __name__ == "__main__":
    unittest.main()
