"""Days and hours in the gym's time zone, and the sums that follow them."""
import datetime
import unittest

import psycopg2

from batch import Batch, instant, uuid7
from schema_case import SchemaCase


def day(text):
    return datetime.date.fromisoformat(text)


def hour(text):
    return datetime.datetime.fromisoformat(text)


class TimeZones(SchemaCase):
    def zone(self, name, site="berlin", node="n1", seconds=0):
        self.store(Batch().report(site, node, "info", {"epoch": self.epoch, "tz": name, "n": seconds},
                                  instant("2026-11-22") + datetime.timedelta(seconds=seconds)))
        return self.value("SELECT time_zone FROM spotter.site WHERE site = %s", site)

    def days(self):
        return [row[1] for row in self.sums()[0]]

    def test_a_late_session_in_tokyo_is_of_the_next_day(self):
        self.assertEqual(self.zone("Asia/Tokyo"), "Asia/Tokyo")
        self.session(uuid7(), started=instant("2026-11-21 23:30"))
        self.assertEqual(self.days(), [day("2026-11-22")])
        self.assertEqual(self.rows("SELECT day, local_start FROM spotter.session_list"),
                         [(day("2026-11-22"), hour("2026-11-22 08:30"))])

    def test_the_zone_counts_for_the_sessions_of_the_same_batch(self):
        self.store(Batch().session("berlin", "n1", self.epoch, 1, uuid7(), started=instant("2026-11-21 23:30"))
                   .report("berlin", "n1", "info", {"tz": "Asia/Tokyo"}))
        self.assertEqual(self.rows("SELECT day FROM spotter.session"), [(day("2026-11-22"),)])

    def test_a_changed_zone_recomputes_the_days_of_its_gym_only(self):
        for number, site in enumerate(("berlin", "paris")):
            self.session(uuid7(), started=instant("2026-11-21 23:30"), site=site, node=f"n{number}")
            self.session(uuid7(), started=instant("2026-11-21 01:00"), site=site, node=f"n{number}", seq=2)
        self.assertEqual(self.days(), [day("2026-11-21")] * 2)
        self.zone("Asia/Tokyo", node="n0")
        self.assertEqual(self.days(), [day("2026-11-21"), day("2026-11-22"), day("2026-11-21")])
        self.assertEqual([row[3] for row in self.sums()[2] if row[0] == "berlin"],
                         [hour("2026-11-21 10:00"), hour("2026-11-22 08:00")])
        self.zone("America/New_York", node="n0", seconds=1)
        self.assertEqual(self.days(), [day("2026-11-20"), day("2026-11-21"), day("2026-11-21")])

    def test_unknown_zones_are_ignored(self):
        self.zone("Europe/Berlin")
        for number, name in enumerate(("Mars/Olympus", "europe/berlin", "UTC+3", "XYZ-3", "", "posix/Asia/Tokyo",
                                       "localtime", "x" * 5000, "'; DROP TABLE spotter.site; --", 7, None), 1):
            self.assertEqual(self.zone(name, seconds=number), "Europe/Berlin", name)

    def test_two_nodes_that_disagree_do_not_turn_the_zone_to_and_fro(self):
        self.zone("Asia/Tokyo", node="n1", seconds=1)
        self.assertEqual(self.zone("Europe/Berlin", node="n2", seconds=2), "Europe/Berlin")
        self.assertEqual(self.zone("Asia/Tokyo", node="n1", seconds=3), "Europe/Berlin")
        self.refresh()
        self.assertEqual(self.zone("Europe/Berlin", node="n2", seconds=4), "Europe/Berlin")
        self.assertEqual(self.value("SELECT count(*) FROM spotter.day_mark"), 0)

    def test_an_administrator_may_set_the_zone(self):
        self.session(uuid7(), started=instant("2026-11-21 23:30"))
        self.refresh()
        self.rows("UPDATE spotter.site SET time_zone = 'Asia/Tokyo'")
        self.assertEqual(self.days(), [day("2026-11-22")])
        with self.assertRaisesRegex(psycopg2.Error, "unknown time zone"):
            self.rows("UPDATE spotter.site SET time_zone = 'Mars/Olympus'")

    def test_days_with_23_and_25_hours(self):
        self.zone("Europe/Berlin")
        for seq, start in enumerate(("2026-03-28 22:59", "2026-03-28 23:00", "2026-03-29 21:59", "2026-03-29 22:00",
                                     "2026-10-24 21:59", "2026-10-24 22:00", "2026-10-25 22:59",
                                     "2026-10-25 23:00"), 1):
            self.session(uuid7(), seq=seq, started=instant(start), seconds=30)
        self.assertEqual([(row[1].isoformat()[5:], row[2]) for row in self.sums()[0]],
                         [("03-28", 1), ("03-29", 2), ("03-30", 1), ("10-24", 1), ("10-25", 2), ("10-26", 1)])

    def test_hours_across_the_change_of_clocks(self):
        self.zone("Europe/Berlin")
        self.session(uuid7(), seq=1, started=instant("2026-03-29 00:30"), seconds=3600, actions=[("squat", 60, 1)])
        self.session(uuid7(), seq=2, started=instant("2026-10-25 00:00"), seconds=7200, actions=[("squat", 60, 1)])
        self.assertEqual([row[3:] for row in self.sums()[2]], [
            (hour("2026-03-29 01:00"), 1, 30.0, 1800.0), (hour("2026-03-29 03:00"), 0, 30.0, 1800.0),
            (hour("2026-10-25 02:00"), 1, 60.0, 7200.0)])

    def test_a_zone_of_half_an_hour(self):
        self.zone("Asia/Kolkata")
        self.session(uuid7(), started=instant("2026-11-21 18:20"), seconds=1200, actions=[("squat", 20, 1)])
        self.assertEqual([row[3:] for row in self.sums()[2]], [
            (hour("2026-11-21 23:00"), 1, 10.0, 600.0), (hour("2026-11-22 00:00"), 0, 10.0, 600.0)])


class Sums(SchemaCase):
    def test_gym_exercise_and_hour(self):
        start = instant("2026-11-21 18:50")
        self.session(uuid7(), seq=1, started=start, seconds=1200, actions=[("squat", 40, 12), ("lunge", 10, None)],
                     sets=[("squat", 1, 20, 6), ("squat", 40, 20, 6), ("push_up", 90, 20, 3)])
        self.session(uuid7(), seq=2, started=start, seconds=600, camera="cam2", actions=[("squat", 7.5, 5)], sets=[])
        self.session(uuid7(), seq=3, started=start, seconds=0, node="n2", actions=[], sets=[])
        gyms, exercises, hours = self.sums()
        date = day("2026-11-21")
        self.assertEqual(gyms, [("berlin", date, 3, 3, 17, 57.5, 3)])
        self.assertEqual(exercises, [("berlin", date, "lunge", 1, 0, 0, 10.0),
                                     ("berlin", date, "push_up", 1, 1, 0, 0.0),
                                     ("berlin", date, "squat", 2, 2, 17, 47.5)])
        self.assertEqual(hours, [
            ("berlin", "n1", "cam1", hour("2026-11-21 18:00"), 1, 25.0, 600.0),
            ("berlin", "n1", "cam1", hour("2026-11-21 19:00"), 0, 25.0, 600.0),
            ("berlin", "n1", "cam2", hour("2026-11-21 18:00"), 1, 7.5, 600.0),
            ("berlin", "n2", "cam1", hour("2026-11-21 18:00"), 1, 0.0, 0.0)])

    def test_an_hour_after_midnight_belongs_to_both_days_sessions(self):
        self.session(uuid7(), seq=1, started=instant("2026-11-21 23:50"), seconds=1200, actions=[])
        self.session(uuid7(), seq=2, started=instant("2026-11-22 00:30"), seconds=60, actions=[])
        self.assertEqual([row[3:] for row in self.sums()[2]], [
            (hour("2026-11-21 23:00"), 1, 0.0, 600.0), (hour("2026-11-22 00:00"), 1, 0.0, 660.0)])

    def test_a_revision_that_moves_a_session_leaves_nothing_behind(self):
        id = uuid7()
        self.session(id, 1, started=instant("2000-01-01"), synced=False)
        self.assertEqual([row[1] for row in self.sums()[0]], [day("2000-01-01")])
        self.session(id, 2, seq=2, started=instant("2026-11-21 18:00"), camera="cam2", actions=[("lunge", 1, 1)])
        gyms, exercises, hours = self.sums()
        self.assertEqual([row[1] for row in gyms], [day("2026-11-21")])
        self.assertEqual({row[2] for row in exercises}, {"lunge", "squat"})
        self.assertEqual([row[2] for row in hours], ["cam2"])

    def test_marks_are_taken_in_order_and_at_most_so_many(self):
        for seq in (1, 2, 3):
            self.session(uuid7(), seq=seq, started=instant(f"2026-11-{24 - seq} 18:00"))
        done = [self.value("SELECT spotter.refresh_days(2)", user="spotter_sink") for _ in range(3)]
        self.assertEqual(done, [2, 1, 0])
        self.session(uuid7(), seq=4, started=instant("2026-11-01 18:00"))
        self.session(uuid7(), seq=5, started=instant("2026-10-01 18:00"))
        self.value("SELECT spotter.refresh_days(1)", user="spotter_sink")
        self.assertEqual(self.value("SELECT min(day) FROM spotter.gym_day"), day("2026-11-01"))

    def test_a_batch_that_commits_late_is_summed_all_the_same(self):
        self.session(uuid7(), seq=1)
        late = self.connect()
        Batch().session("berlin", "n2", self.epoch, 1, uuid7()).store(late, commit=False)
        self.refresh()
        self.assertEqual(self.value("SELECT sessions FROM spotter.gym_day"), 1)
        late.commit()
        self.assertEqual(self.sums()[0][0][2], 2)

    def test_two_that_refresh_at_once_do_not_meet(self):
        self.session(uuid7())
        other = self.connect()
        with other.cursor() as cursor:
            cursor.execute("SELECT spotter.refresh_days(10)")
            self.assertEqual(cursor.fetchone()[0], 1)
            self.assertEqual(self.value("SELECT spotter.refresh_days(10)", user="spotter_sink"), 0)
            other.rollback()
        self.assertEqual(self.value("SELECT spotter.refresh_days(10)", user="spotter_sink"), 1)



class Weeks(SchemaCase):
    def test_the_week_has_the_mean_of_its_days_by_the_gyms_clock(self):
        self.store(Batch().report("berlin", "n1", "info", {"tz": "Europe/Berlin"}))
        # Three Saturdays, on one of which nobody was there at 19:00; and a Sunday. 19:00 in Berlin is 18:00 in UTC.
        for seq, (moment, seconds) in enumerate((
                ("2026-11-07 18:00", 3600), ("2026-11-14 18:00", 1800), ("2026-11-14 18:10", 1800),
                ("2026-11-21 20:00", 600), ("2026-11-22 18:00", 7200)), 1):
            self.session(uuid7(), seq=seq, started=instant(moment), seconds=seconds)
        self.refresh()
        rows = self.rows("SELECT weekday, hour, days, sessions, people FROM spotter.gym_week ORDER BY weekday, hour")
        self.assertEqual(len(rows), 48, "two weekdays with all their hours")
        found = {row[:2]: row[2:] for row in rows if row[4]}
        self.assertEqual(found, {(6, 19): (3, 3, 2 / 3), (6, 21): (3, 1, 600 / 3600 / 3),
                                 (7, 19): (1, 1, 1.0), (7, 20): (1, 0, 1.0)})

    def test_days_that_are_long_past_do_not_count(self):
        for seq, moment in enumerate(("2026-08-29 18:00", "2026-08-30 18:00", "2026-11-21 18:00"), 1):
            self.session(uuid7(), seq=seq, started=instant(moment), seconds=3600)
        self.refresh()
        self.assertEqual(self.rows("SELECT weekday, days, people FROM spotter.gym_week WHERE people > 0 ORDER BY 1"),
                         [(6, 1, 1.0), (7, 1, 1.0)])

    def test_a_deleted_session_leaves_the_week(self):
        id = uuid7()
        self.session(id, seconds=3600)
        self.store(Batch().tombstone("berlin", "n1", self.epoch, 2, id, 2))
        self.refresh()
        self.assertEqual(self.rows("SELECT * FROM spotter.gym_week WHERE people > 0"), [])
        self.assertEqual(self.rows("SELECT * FROM spotter.zone_day"), [])

    def test_a_use_of_a_zone_goes_from_the_first_set_to_the_last(self):
        start = instant("2026-11-21 18:00")

        def one(offset, zone, label="squat"):
            began = start + datetime.timedelta(seconds=offset)
            return {"label": label, "reps": 5, "started": began, "ended": began + datetime.timedelta(seconds=20),
                    "zone": zone}
        self.session(uuid7(), 1, 1, started=start, sets=[
            one(0, "rack-1"), one(100, "rack-1"), one(200, "mat"), one(300, None), one(400, "rack-1", "none")])
        self.session(uuid7(), 1, 2, started=start, sets=[one(500, "rack-1")])
        self.assertEqual(
            self.rows("SELECT camera, zone, day, uses, sets, use_s FROM spotter.zone_day ORDER BY zone"),
            [("cam1", "mat", day("2026-11-21"), 1, 1, 20.0), ("cam1", "rack-1", day("2026-11-21"), 2, 3, 70.0)])


if __name__ == "__main__":
    unittest.main()
