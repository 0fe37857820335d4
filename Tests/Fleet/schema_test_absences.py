"""Absences of cameras: revisions, ends that were lost, local times, retention; and time zones nobody knows."""
import datetime
import unittest

from batch import Batch, instant, uuid7
from schema_case import SchemaCase

LIST = "SELECT camera, reason, lasts, seconds FROM spotter.absence_list ORDER BY started"


class Absences(SchemaCase):
    def absence(self, id, rev=1, seq=1, node="n1", **more):
        return self.store(Batch().absence("berlin", node, self.epoch, seq, id, rev, **more))[node, self.epoch]

    def test_an_absence_is_stored_and_ends_with_its_second_revision(self):
        id, started = uuid7(), instant("2026-11-21 18:00")
        said = self.absence(id, started=started)
        self.assertEqual((said["stored"], said["known"], said["prefix"]), (1, 0, 1))
        self.assertEqual(self.rows("SELECT ended, lasts, seconds > 0 FROM spotter.absence_list"), [(None, True, True)])
        said = self.absence(id, 2, 2, started=started, ended=started + datetime.timedelta(seconds=90))
        self.assertEqual((said["stored"], said["prefix"]), (1, 2))
        self.assertEqual(self.rows(LIST), [("cam1", "unplugged", False, 90.0)])

    def test_the_highest_revision_counts_whatever_comes_first(self):
        started = instant("2026-11-21 18:00")
        for order in ([1, 2, 3], [3, 1, 2], [2, 3, 1]):
            id, batch = uuid7(), Batch()
            for seq, rev in enumerate(order, 1):
                self.absence(id, rev, seq, ended=started + datetime.timedelta(seconds=rev))
            for seq, rev in enumerate(order, 4):
                batch.absence("berlin", "n1", self.epoch, seq, id, rev)
            said = self.store(batch)["n1", self.epoch]
            self.assertEqual((said["stored"], said["known"]), (0, 3))
            self.assertEqual(self.rows("SELECT seconds FROM spotter.absence_list WHERE id = %s", id), [(3.0,)])

    def test_one_whose_end_was_lost_does_not_last_for_ever(self):
        self.absence(uuid7(), 1, 1, started=instant("2026-11-20 18:00"))
        later = uuid7()
        self.epoch = uuid7()
        self.absence(later, 1, 1, started=instant("2026-11-21 18:00"))
        self.absence(uuid7(), 1, 2, camera="cam2", started=instant("2026-11-21 18:00"))
        self.assertEqual(self.rows("SELECT lasts, seconds IS NULL FROM spotter.absence_list ORDER BY started, camera"),
                         [(False, True), (True, False), (True, False)])

    def test_times_are_those_of_the_gym(self):
        self.store(Batch().report("berlin", "n1", "info", {"tz": "Europe/Berlin"}))
        self.absence(uuid7(), started=instant("2026-10-25 00:30"), ended=instant("2026-10-25 01:30"))
        row = self.dictionary("SELECT * FROM spotter.absence_list")
        self.assertEqual((str(row["local_start"]), str(row["local_end"]), row["seconds"]),
                         ("2026-10-25 02:30:00", "2026-10-25 02:30:00", 3600.0))

    def test_an_end_before_the_start_is_no_negative_time(self):
        self.absence(uuid7(), started=instant("2026-11-21 18:00"), ended=instant("2026-11-21 17:00"))
        self.assertEqual(self.rows(LIST), [("cam1", "unplugged", False, 0.0)])

    def test_nodes_do_not_share_ids(self):
        id = uuid7()
        for node in ("n1", "n2"):
            self.absence(id, node=node, reason=node)
        self.assertEqual(self.rows("SELECT node, reason FROM spotter.absence_list ORDER BY node"),
                         [("n1", "n1"), ("n2", "n2")])

    def test_an_absence_is_not_deleted_with_a_session_of_its_id(self):
        id = uuid7()
        self.absence(id)
        self.store(Batch().tombstone("berlin", "n1", self.epoch, 2, id, 2))
        self.assertEqual(self.value("SELECT count(*) FROM spotter.absence_list"), 1)

    def test_retention_deletes_what_ended_before_it(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        long_ago = now - datetime.timedelta(days=400)
        self.absence(uuid7(), 1, 1, started=long_ago, ended=long_ago, camera="ended")
        self.absence(uuid7(), 1, 2, started=long_ago, ended=now, camera="reaches")
        self.absence(uuid7(), 1, 3, started=long_ago, camera="lasts")
        self.rows("SELECT spotter.drop_before(3)")
        self.assertEqual(self.rows("SELECT camera FROM spotter.absence_list ORDER BY camera"),
                         [("lasts",), ("reaches",)])


class TimeZones(SchemaCase):
    def info(self, tz, node="n1", **more):
        self.store(Batch().report("berlin", node, "info", {"tz": tz, **more}))

    def zones(self):
        return self.rows("SELECT node, time_zone, zone_problem FROM spotter.node_health ORDER BY node")

    def test_a_zone_that_nobody_knows_stands_with_its_node(self):
        self.info("Europe/Berlin")
        for name in ("PST", "GMT+0200", "Mars/Olympus", "", "x" * 5000, "posix/UTC"):
            self.info(name)
            self.assertEqual(self.zones(), [("n1", "Europe/Berlin", name[:100])])
        self.info("Europe/Berlin")
        self.assertEqual(self.zones(), [("n1", "Europe/Berlin", None)])

    def test_another_node_of_the_gym_does_not_hide_it(self):
        self.info("PST", "n1")
        self.info("Asia/Tokyo", "n2")
        self.assertEqual(self.zones(), [("n1", "Asia/Tokyo", "PST"), ("n2", "Asia/Tokyo", None)])
        self.info("PST", "n1", name="again")
        self.assertEqual(self.zones()[0], ("n1", "Asia/Tokyo", "PST"))

    def test_of_several_in_a_batch_the_last_known_one_counts(self):
        batch = Batch()
        for number, name in enumerate(("Asia/Tokyo", "Europe/Berlin", "BST")):
            batch.report("berlin", f"n{number}", "info", {"tz": name})
        self.store(batch)
        self.assertEqual(self.zones(), [("n0", "Europe/Berlin", None), ("n1", "Europe/Berlin", None),
                                        ("n2", "Europe/Berlin", "BST")])

    def test_what_is_no_text_is_no_zone(self):
        self.info("PST")
        for value in (7, None, ["UTC"], {"a": 1}):
            self.info(value)
            self.assertEqual(self.zones(), [("n1", "UTC", None)])


if __name__ == "__main__":
    unittest.main()
