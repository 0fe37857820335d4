"""Which positions have come, what may be acknowledged, and what a node says about itself."""
import datetime
import unittest

from batch import Batch, uuid7
from schema_case import SchemaCase

NOW = datetime.datetime.now(datetime.timezone.utc)


class Positions(SchemaCase):
    def come(self, *seqs, epoch=None, node="n1"):
        """Rollups at these positions; (prefix, highest, missing_from, missing_to)."""
        epoch, batch = epoch or self.epoch, Batch()
        for seq in seqs:
            batch.rollup("berlin", node, epoch, seq, uuid7())
        return self.place(self.store(batch), epoch, node)

    def place(self, said, epoch=None, node="n1"):
        row = said[node, epoch or self.epoch]
        return row["prefix"], row["highest"], row["missing_from"], row["missing_to"]

    def gap(self, seq, from_seq, to_seq, **more):
        return self.store(Batch().gap("berlin", "n1", self.epoch, seq, from_seq, to_seq, **more))

    def test_the_prefix_ends_at_the_first_hole(self):
        self.assertEqual(self.come(1, 2, 3), (3, 3, None, None))
        self.assertEqual(self.come(6, 7, 9), (3, 9, 4, 5))
        self.assertEqual(self.come(5), (3, 9, 4, 4))
        self.assertEqual(self.come(4), (7, 9, 8, 8))
        self.assertEqual(self.come(8), (9, 9, None, None))

    def test_without_position_1_there_is_no_prefix(self):
        self.assertEqual(self.come(3, 2), (0, 3, 1, 1))
        self.assertEqual(self.come(5, 1), (3, 5, 4, 4))

    def test_positions_come_twice_and_in_any_order(self):
        self.assertEqual(self.come(5, 3, 3, 1, 2, 5), (3, 5, 4, 4))
        self.assertEqual(self.come(1, 2, 3), (3, 5, 4, 4))

    def test_positions_of_known_revisions_count(self):
        id = uuid7()
        self.session(id, 2, seq=1)
        self.assertEqual(self.session(id, 1, seq=2)["prefix"], 2)

    def test_a_declared_gap_is_bridged(self):
        self.come(1, 2, 6)
        self.assertEqual(self.place(self.gap(7, 3, 5)), (7, 7, None, None))
        self.assertEqual(self.rows("SELECT missing, declared_lost FROM spotter.completeness"), [(0, 3)])

    def test_a_gap_may_come_before_the_records_and_reach_beyond_them(self):
        self.assertEqual(self.place(self.gap(9, 1, 20)), (20, 20, None, None))
        self.assertEqual(self.come(21), (21, 21, None, None))

    def test_a_gap_of_another_epoch_is_bridged_there(self):
        old = uuid7()
        self.come(1, 4, epoch=old)
        said = self.gap(1, 2, 3, of=old)
        self.assertEqual(self.place(said), (1, 1, None, None))
        self.assertEqual(self.place(said, old), (4, 4, None, None))
        self.assertEqual(self.rows("SELECT epoch::text, declared_lost FROM spotter.completeness ORDER BY 2"),
                         [(self.epoch, 0), (old, 2)])

    def test_a_gap_of_an_epoch_that_nobody_knows_makes_the_epoch_known(self):
        lost = uuid7()
        self.assertEqual(self.place(self.gap(1, 1, 8, of=lost), lost), (8, 8, None, None))

    def test_a_gap_that_is_the_wrong_way_round_bridges_nothing(self):
        self.assertEqual(self.place(self.gap(1, 5, 4, records=0)), (1, 1, None, None))

    def test_a_gap_counts_once_however_often_it_comes(self):
        id = uuid7()
        for seq in (4, 4, 5):
            self.gap(seq, 1, 3, id=id)
        self.assertEqual(self.value("SELECT declared_lost FROM spotter.completeness"), 3)

    def test_huge_positions(self):
        top = 2**62
        self.assertEqual(self.come(1, top, top - 1), (1, top, 2, top - 2))
        self.assertEqual(self.value("SELECT missing FROM spotter.completeness"), top - 3)
        self.assertEqual(self.come(top + 1, 2**63 - 1, 0, -1), (1, top, 2, top - 2))
        self.assertEqual(self.place(self.gap(2, 2, 2**63 - 1)), (top, top, None, None))

    def test_each_epoch_and_node_has_positions_of_its_own_and_an_epoch_may_come_back(self):
        new = uuid7()
        self.assertEqual(self.come(1, 2), (2, 2, None, None))
        self.assertEqual(self.come(1, epoch=new), (1, 1, None, None))
        self.assertEqual(self.come(2, node="n2"), (0, 2, 1, 1))
        self.assertEqual(self.come(3), (3, 3, None, None))

    def test_one_row_for_each_node_and_epoch_that_the_batch_touched(self):
        new, told = uuid7(), uuid7()
        self.come(1, node="n3")
        said = self.store(Batch().rollup("berlin", "n1", self.epoch, 1, uuid7())
                          .rollup("berlin", "n1", new, 1, uuid7()).rollup("berlin", "n2", new, 1, uuid7())
                          .report("berlin", "n4", "info", {"epoch": told}).report("berlin", "n5", "health", {}))
        self.assertEqual(set(said), {("n1", self.epoch), ("n1", new), ("n2", new), ("n4", told)})
        self.assertEqual([said["n4", told][name] for name in ("prefix", "highest", "stored", "known")], [0, 0, 0, 0])

    def test_a_stream_full_of_holes_stays_small_and_true(self):
        batch = Batch()
        for seq in range(1, 12001, 2):
            batch.gap("berlin", "n1", self.epoch, seq, seq, seq)
        self.assertEqual(self.place(self.store(batch))[0], 1)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.stream, unnest(received)"), 4096)
        self.assertEqual(self.place(self.gap(2, 1, 8191))[0], 8191)
        self.assertEqual(self.come(8193)[0], 8191)
        self.assertEqual(self.place(self.gap(8192, 8192, 12000))[0], 12000)

    def test_lag_is_of_the_newest_record(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        for seq, hours in ((5, 2), (3, 7), (6, 1)):
            self.store(Batch().rollup("berlin", "n1", self.epoch, seq, uuid7(),
                                      made=now - datetime.timedelta(hours=hours)))
        row = self.dictionary("SELECT * FROM spotter.completeness")
        self.assertEqual(row["last_made"], now - datetime.timedelta(hours=1))
        self.assertAlmostEqual(row["lag_s"], 3600, delta=60)


class Current(SchemaCase):
    def current(self, said):
        return {epoch for (_, epoch), row in said.items() if row["is_current"]}

    def record(self, epoch, seq=1):
        return self.store(Batch().rollup("berlin", "n1", epoch, seq, uuid7()))

    def test_without_info_the_epoch_that_appeared_last_is_current(self):
        old, new = uuid7(), uuid7()
        self.assertEqual(self.current(self.record(old)), {old})
        self.assertEqual(self.current(self.record(new)), {new})
        self.assertEqual(self.current(self.record(old, 2)), set())
        both = (uuid7(), uuid7())
        said = self.store(Batch().rollup("berlin", "n1", both[0], 1, uuid7())
                          .rollup("berlin", "n1", both[1], 1, uuid7()).rollup("berlin", "n1", both[0], 2, uuid7()))
        self.assertEqual(self.current(said), {both[1]})

    def test_the_newest_info_says_which_epoch_is_current(self):
        old, new = uuid7(), uuid7()
        self.record(new)
        said = self.store(Batch().report("berlin", "n1", "info", {"epoch": old}, NOW))
        self.assertEqual(self.current(said), {old})
        self.assertEqual(self.current(self.record(new, 2)), set())
        self.assertEqual(self.current(self.record(uuid7())), set())
        # The one that arrived last counts, although the sink's clock has gone back.
        self.store(Batch().report("berlin", "n1", "info", {"epoch": new}, NOW - datetime.timedelta(minutes=1)))
        self.assertEqual(self.current(self.record(new, 3)), {new})
        self.assertEqual(self.rows("SELECT epoch::text FROM spotter.completeness WHERE is_current"), [(new,)])

    def test_an_info_without_a_usable_epoch_changes_nothing(self):
        self.record(self.epoch)
        for number, body in enumerate(({"epoch": "x"}, {"epoch": 7}, {}, [], {"epoch": None})):
            self.assertEqual(self.store(Batch().report("berlin", "n1", "info", body,
                                                       NOW + datetime.timedelta(seconds=number))), {})
        self.assertEqual(self.current(self.record(self.epoch, 2)), {self.epoch})


class Reports(SchemaCase):
    def say(self, kind, body, seconds=0):
        self.store(Batch().report("berlin", "n1", kind, body, NOW + datetime.timedelta(seconds=seconds)))
        return self.dictionary("SELECT * FROM spotter.node_health")

    def test_the_newest_report_of_each_kind_is_kept(self):
        self.say("health", {"cpu_pct": 99}, 5)
        row = self.say("health", {"cpu_pct": 5, "temp_c": 66.5, "disk_free_mb": 11823, "outbox": {"pending": 17},
                                  "problems": [{"code": "b"}, {"code": "a"}, {"code": "b"}]}, 10)
        self.assertEqual((row["cpu_pct"], row["temp_c"], row["disk_free_mb"], row["outbox_pending"], row["problems"],
                          row["problem_codes"]), (5, 66.5, 11823, 17, 3, "a, b"))
        row = self.say("info", {"name": "Rack corner", "sw": "1.4.0", "model": {"id": "gym14"}})
        self.assertEqual((row["name"], row["version"], row["model"], row["state"]),
                         ("Rack corner", "1.4.0", "gym14", "unknown"))

    def test_accuracy_is_told_of_the_node_and_of_each_camera(self):
        def figures(share, camera=None):
            row = {"right": {"share": share, "low": share - 0.1, "high": share + 0.05, "answers": 40}, "hours": 9.5, "sets": 70,
                   "false_sets_an_hour": {"value": 0.5, "low": 0.2, "high": 1.1}}
            return row if camera is None else row | {"group": camera}
        self.say("health", {"accuracy": figures(0.9), "accuracy_by_camera": [figures(0.95, "rack1"), figures(0.7, "mat")]})
        self.assertEqual(
            self.rows("SELECT camera, right_share, right_high, answers, false_low, sets, found_share "
                      "FROM spotter.node_accuracy ORDER BY right_share"),
            [("mat", 0.7, 0.75, 40, 0.2, 70, None), (None, 0.9, 0.9500000000000001, 40, 0.2, 70, None),
             ("rack1", 0.95, 1.0, 40, 0.2, 70, None)])
        # A camera with too few answers has no figures, and a node that asks nothing has no row.
        self.say("health", {"accuracy": figures(0.9), "accuracy_by_camera": [{"group": "mat", "hours": 1, "sets": 0}]}, 1)
        self.assertEqual(self.rows("SELECT camera FROM spotter.node_accuracy"), [(None,)])
        self.say("health", {}, 2)
        self.assertEqual(self.rows("SELECT * FROM spotter.node_accuracy"), [])

    def test_reports_count_although_the_clock_of_the_sink_has_gone_back(self):
        for kind, column, body in (("health", "cpu_pct", lambda value: {"cpu_pct": value}),
                                   ("info", "name", lambda value: {"name": f"n{value}"}),
                                   ("status", "state", lambda value: {"state": f"s{value}", "sid": value})):
            before = self.say(kind, body(1), 3600)[column]
            row = self.say(kind, body(2), 0)
            self.assertNotEqual(row[column], before, kind)
            self.assertEqual(row["last_seen"], NOW, kind)

    def test_a_node_that_is_first_heard_by_its_last_will_is_offline(self):
        row = self.say("status", {"state": "offline", "sid": 4})
        self.assertEqual(row["state"], "offline")
        self.assertEqual((row["last_seen"], row["seconds_silent"]), (None, None))

    def test_a_late_will_of_an_earlier_connection_is_ignored(self):
        row = self.say("status", {"state": "online", "sid": 5, "ts": "2026-11-21T18:03:22.114Z"})
        self.assertEqual((row["state"], row["since"].isoformat()), ("online", "2026-11-21T18:03:22.114000+00:00"))
        self.assertEqual(self.say("status", {"state": "offline", "sid": 4}, 1)["state"], "online")
        row = self.say("status", {"state": "offline", "sid": 5}, 2)
        self.assertEqual((row["state"], row["since"]), ("offline", NOW + datetime.timedelta(seconds=2)))
        self.assertEqual(self.say("status", {"state": "online", "sid": 1}, 3)["state"], "online")

    def test_retained_reports_that_come_again_are_no_sign_of_life(self):
        info = {"sw": "1"}
        self.assertEqual(self.say("info", info)["last_seen"], NOW)
        self.assertEqual(self.say("info", info, 60)["last_seen"], NOW)
        self.assertEqual(self.say("status", {"state": "offline", "sid": 1}, 70)["last_seen"], NOW)
        self.assertEqual(self.say("health", {}, 80)["last_seen"], NOW + datetime.timedelta(seconds=80))
        self.store(Batch().rollup("berlin", "n1", self.epoch, 1, uuid7()))
        self.rows("UPDATE spotter.node SET heard = heard - interval '1 day'")
        self.assertLess(self.dictionary("SELECT * FROM spotter.node_health")["seconds_silent"], 60)

    def test_reports_of_any_shape_break_no_view(self):
        for number, body in enumerate(([], "text", 5, None, {"problems": {}, "cpu_pct": "hot", "temp_c": 1e300,
                                                             "disk_free_mb": -1e300, "outbox": []},
                                       {"problems": [1, None, {}], "ts": "2026-02-30T00:00:00.000Z", "state": {},
                                        "sid": "x", "name": [], "model": "m", "tz": ["Asia/Tokyo"],
                                        "accuracy": {"right": {"share": 1e300}, "sets": 1e300}, "accuracy_by_camera": [7, []]},
                                       {"accuracy": 1, "accuracy_by_camera": {}})):
            for kind in ("status", "info", "health"):
                self.say(kind, body, number)
                self.rows("SELECT * FROM spotter.node_health, spotter.completeness")
                self.rows("SELECT * FROM spotter.node_accuracy")


if __name__ == "__main__":
    unittest.main()
