#!/usr/bin/python3
"""Checks spotter-sink against a real broker and a real PostgreSQL: acknowledgements, holes, faults, hostile messages.

    Tests/Fleet/sink_test.py [-v] [SinkTests.test_…]
"""
import json
import random
import signal
import subprocess
import threading
import time
import unittest

from scripted_node import SINK, Place, moment, uuid7, wait_until


class SinkTests(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.place.__enter__()
        self.addCleanup(self.place.__exit__, None, None, None)

    def stored(self, node="sp-a"):
        return int(self.place.value("SELECT count(*) FROM spotter.session_list WHERE node = '%s'" % node))

    def test_records_are_stored_and_acknowledged(self):
        self.place.sink()
        node = self.place.node()
        for seq in range(1, 101):
            node.session(seq)
        node.wait_acked(100)
        self.assertEqual(self.stored(), 100)
        self.assertEqual(self.place.value("SELECT time_zone FROM spotter.site"), "Europe/Berlin")
        wait_until(lambda: self.place.value("SELECT reps FROM spotter.gym_day") == "1000", 15, "the sums did not come")

    def test_a_hole_stops_the_acknowledgement_and_is_asked_for(self):
        self.place.sink()
        node = self.place.node(answers=False)
        for seq in [1, 2, 3, 6, 7]:
            node.session(seq)
        for seq in [4, 5]:
            node.session(seq, send=False)
        node.wait_acked(3)
        wait_until(lambda: node.syncs, 10, "nothing was asked for")
        self.assertEqual(node.syncs[0], (4, 5))
        self.assertEqual(node.acked(), 3)
        node.answers = True
        node.wait_acked(7, 30)
        self.assertEqual(self.stored(), 7)
        self.assertLessEqual(len(node.syncs), 4, "the sink is impatient")

    def test_declared_gaps_are_bridged(self):
        self.place.sink()
        node = self.place.node()
        node.session(1)
        node.gap(10, 2, 9)
        node.wait_acked(10)

    def test_workouts_are_stored_and_lose_a_name_that_was_deleted(self):
        self.place.sink()
        node = self.place.node()
        node.session(1)
        workout = node.workout(2)
        node.wait_acked(2)
        self.assertEqual(self.place.value("SELECT name || ' ' || reps FROM spotter.workout_list"), "anna 12")
        self.assertEqual(self.place.value("SELECT action || ' ' || score FROM spotter.workout_step"), "squat 81")
        node.workout(3, workout, rev=2, name=None)
        node.wait_acked(3)
        self.assertEqual(self.place.value("SELECT count(*) FROM spotter.workout_list WHERE name IS NULL"), "1")

    def test_absences_of_cameras_are_stored_and_end(self):
        self.place.sink()
        node = self.place.node()
        absence = node.absence(1)
        node.wait_acked(1)
        self.assertEqual(self.place.rows("SELECT camera, reason, lasts, ended IS NULL FROM spotter.absence_list"),
                         [["rack-1", "unplugged", "t", "t"]])
        node.absence(2, absence, rev=2, ended=True)
        node.absence(1, absence)
        node.absence(3, reason="x" * 129)
        node.absence(4, camera="RACK 1")
        node.absence(5, start="2026-02-30T00:00:00.000Z")
        node.absence(6, reason="un\nplugged")
        node.wait_acked(6)
        self.assertEqual(self.place.rows("SELECT reason, lasts, round(seconds) FROM spotter.absence_list"),
                         [["unplugged", "f", "40"]])
        self.assertEqual(self.place.rows("SELECT missing, declared_lost, rejected FROM spotter.completeness"),
                         [["0", "4", "4"]])

    def test_a_time_zone_that_postgresql_does_not_know_is_told_once(self):
        sink = self.place.sink()
        node = self.place.node()
        node.session(1)
        node.wait_acked(1)
        for name, zone in (("first", "PST"), ("again", "PST"), ("other", "GMT+0200")):
            node.info(tz=zone, name=name)
            wait_until(lambda: self.place.value("SELECT name FROM spotter.node_health") == name, 10, "it did not come")
        wait_until(lambda: "GMT+0200" in sink.text(), 10, "nothing was said of GMT+0200")
        lines = [line for line in sink.text().splitlines() if "time zone" in line]
        self.assertEqual([name for line in lines for name in ("PST", "GMT+0200") if name in line], ["PST", "GMT+0200"])
        self.assertIn("Europe/Berlin", lines[0])
        wait_until(lambda: self.place.rows("SELECT time_zone, zone_problem FROM spotter.node_health")
                   == [["Europe/Berlin", "GMT+0200"]], 10, "the view does not show it")
        asked = subprocess.run([SINK, "doctor"], env=sink.environment, capture_output=True, text=True, timeout=60)
        self.assertIn("GMT+0200", asked.stdout)
        node.info(tz="Asia/Tokyo")
        wait_until(lambda: self.place.rows("SELECT time_zone, zone_problem FROM spotter.node_health")
                   == [["Asia/Tokyo", ""]], 10, "the problem stays")

    def test_a_record_that_does_not_fit_stops_nobody(self):
        self.place.sink()
        node = self.place.node()
        node.session(1)
        node.session(2, clock="perhaps")
        node.session(3)
        # Later than any partition, and all the same nothing that PostgreSQL refuses.
        node.session(4, session_id="ffffffff-ffff-7fff-bfff-ffffffffffff")
        node.session(5, reps=2 ** 40)
        node.wait_acked(5)
        self.assertEqual(self.stored(), 3)
        self.assertEqual(self.place.rows("SELECT missing, declared_lost, rejected FROM spotter.completeness"),
                         [["0", "2", "2"]])
        self.assertEqual(node.syncs, [])

    def test_records_lost_after_the_last_are_found_by_health(self):
        self.place.sink()
        node = self.place.node()
        node.session(1)
        node.wait_acked(1)
        for seq in [2, 3]:
            node.session(seq, send=False)
        node.wait_acked(3, heartbeat=True)

    def test_a_lost_acknowledgement_is_repeated(self):
        self.place.sink()
        node = self.place.node()
        node.session(1)
        node.wait_acked(1)
        node.acks.clear()
        node.health(pending=1, acked={"hq": 0})
        node.wait_acked(1)

    def test_a_new_epoch_counts_alone_and_an_old_one_is_stored_without_acknowledgement(self):
        self.place.sink()
        node = self.place.node()
        old = node.epoch
        for seq in [1, 2]:
            node.session(seq)
        node.wait_acked(2)
        node.epoch = uuid7(5)
        node.info()
        node.session(1)
        node.wait_acked(1)
        node.session(9, epoch=old)
        wait_until(lambda: self.stored() == 4, 10, "the late record was not stored")
        time.sleep(2)
        self.assertNotIn({"epoch": old, "seq": 9}, node.acks)
        self.assertEqual(node.acks[-1]["epoch"], node.epoch)
        # The old disk comes back.
        node.epoch = old
        node.info()
        for seq in range(3, 9):
            node.session(seq)
        node.wait_acked(9)

    def test_a_deleted_session_is_gone_and_stays_gone(self):
        self.place.sink()
        node = self.place.node()
        one = node.session(1)
        node.session(2)
        node.tombstone(3, one, 2)
        node.session(4, one, rev=1)
        node.session(5, one, rev=9)
        node.wait_acked(5)
        self.assertEqual(self.stored(), 1)

    def test_two_sessions_of_one_person_become_one_that_goes_on(self):
        self.place.sink()
        node = self.place.node()
        earlier = node.session(1, reps=5, end_reason="left")
        later = node.session(2, reps=3)
        node.wait_acked(2)
        self.assertEqual(self.stored(), 2)
        node.session(3, earlier, rev=2, reps=8, final=False)
        node.tombstone(4, later, 2, merged_into=earlier)
        node.session(2, later, reps=3)
        node.wait_acked(4)
        self.assertEqual(self.place.rows("SELECT reps, end_reason IS NULL FROM spotter.session_list"), [["8", "t"]])

    def test_equal_result_after_everything_came_twice_and_shuffled(self):
        self.place.sink()
        node = self.place.node()
        dice = random.Random(7)
        ids = [uuid7(number) for number in range(40)]
        seqs = [(seq + 1, ids[seq % 40], seq // 40 + 1) for seq in range(120)]
        order = seqs * 2
        dice.shuffle(order)
        for seq, session_id, rev in order:
            node.session(seq, session_id, rev, reps=rev)
        node.wait_acked(120)
        self.assertEqual(self.place.rows("SELECT count(*), min(reps), max(reps) FROM spotter.session_list"),
                         [["40", "3", "3"]])

    def test_a_killed_sink_loses_nothing(self):
        sink = self.place.sink(sink_batch=20)
        nodes = [self.place.node(f"sp-{number}") for number in range(5)]
        stop = threading.Event()

        def talk():
            for seq in range(1, 301):
                for node in nodes:
                    node.session(seq)
                time.sleep(0.01)
            stop.set()

        threading.Thread(target=talk).start()
        while not stop.is_set():
            time.sleep(0.7)
            sink.stop(signal.SIGKILL)
            sink = self.place.sink(sink_batch=20)
            acked = {node.name: node.acked() for node in nodes}
            for name, position in acked.items():
                self.assertGreaterEqual(self.stored(name), position, "acknowledged but not stored")
        for node in nodes:
            node.wait_acked(300, 40, heartbeat=True)
            self.assertEqual(self.stored(node.name), 300)

    def test_of_two_sinks_one_works_and_the_other_takes_over(self):
        first = self.place.sink()
        second = self.place.sink(ready=False)
        wait_until(lambda: second.metric("database_up") == 1, 10, "the second sink did not start")
        node = self.place.node()
        node.session(1)
        node.wait_acked(1)
        self.assertEqual(second.metric("active"), 0)
        first.stop(signal.SIGKILL)
        node.session(2)
        node.wait_acked(2, 20)
        self.assertEqual(second.metric("active"), 1)

    def test_shards_share_the_nodes(self):
        sinks = [self.place.sink(sink_shard=f"{part}/2") for part in (1, 2)]
        nodes = [self.place.node(f"sp-{number}") for number in range(12)]
        for node in nodes:
            node.session(1)
        for node in nodes:
            node.wait_acked(1)
        shares = [sink.metric("records_stored_total") for sink in sinks]
        self.assertEqual(sum(shares), 12)
        self.assertTrue(all(share > 0 for share in shares), shares)

    def test_postgresql_away_stops_the_acknowledgements_and_nothing_is_lost(self):
        sink = self.place.sink()
        node = self.place.node()
        node.session(1)
        node.wait_acked(1)
        self.place.cluster.stop("immediate")
        for seq in range(2, 2001):
            node.session(seq)
        time.sleep(4)
        self.assertEqual(node.acked(), 1)
        self.assertEqual(sink.metric("database_up"), 0)
        self.place.cluster.start()
        node.wait_acked(2000, 60)
        self.assertEqual(self.stored(), 2000)
        self.assertIsNone(sink.process.poll())

    def test_a_broker_that_is_killed_and_forgets_everything(self):
        self.place.sink()
        node = self.place.node()
        for seq in range(1, 50):
            node.session(seq)
        self.place.broker.stop()
        time.sleep(1)
        self.place.broker.start()
        node.wait_acked(49, 40, heartbeat=True)

    def test_a_database_restored_from_a_backup_gets_back_what_was_acknowledged(self):
        sink = self.place.sink()
        node = self.place.node()
        ids = [node.session(seq) for seq in range(1, 11)]
        node.wait_acked(10)
        sink.stop()
        # The backup knew the first four.
        later = ", ".join(f"'{name}'" for name in ids[4:])
        self.place.cluster.psql(
            f"DELETE FROM spotter.session WHERE id IN ({later}); UPDATE spotter.stream SET received = '{{[1,5)}}'",
            dbname="spotter")
        self.place.sink()
        node.health(pending=0, acked={"hq": 10})
        wait_until(lambda: self.stored() >= 10, 20, "the records did not come back")

    def test_once_ends_when_everything_is_stored(self):
        sink = self.place.sink()
        sink.stop()
        node = self.place.node()
        for seq in range(1, 301):
            node.session(seq)
        time.sleep(0.5)
        sink = self.place.sink("run", "--once", ready=False)
        self.assertEqual(sink.process.wait(40), 0, sink.text())
        self.assertEqual(self.stored(), 300)
        self.assertIn("stored 300 records", sink.text())

    def test_replay_asks_for_everything(self):
        sink = self.place.sink()
        node = self.place.node()
        for seq in range(1, 21):
            node.session(seq)
        node.wait_acked(20)
        sink.stop()
        self.place.cluster.psql("DELETE FROM spotter.session", dbname="spotter")
        self.place.sink("run", "--replay")
        wait_until(lambda: self.stored() == 20, 20, "the records did not come again")

    def test_hostile_messages_store_nothing_wrong_and_stop_nobody(self):
        sink = self.place.sink()
        good, bad = self.place.node("sp-good"), self.place.node("sp-bad")
        dice = random.Random(11)
        template = json.dumps(json.loads(json.dumps(
            {"v": 1, "node": "sp-bad", "site": "berlin", "epoch": bad.epoch, "seq": 1, "type": "session",
             "id": uuid7(), "rev": 1, "final": True, "ts": moment(), "clock": "synced", "hist": False, "body": {}})))
        for seq in range(1, 201):
            good.session(seq)
            for text in [
                dice.randbytes(dice.randrange(200)), template, template.replace("sp-bad", "sp-good"), "[" * 5000,
                template.replace('"seq": 1', '"seq": 1e400'), b"\x00", '{"v":1,"state":"online"}' * 2,
            ]:
                bad.client.publish(f"spotter/v1/berlin/sp-bad/{dice.choice(['rec/session', 'rec/workout', 'rec/absence', 'rec/gap', 'info', 'health'])}",
                                   text, qos=1)
        bad.client.publish("spotter/v1/berlin/sp-bad/rec/session", b"x" * 1_000_000, qos=1)
        bad.session(2 ** 62)
        bad.session(9_223_372_036_854_775_807)
        bad.session(5, ts="2026-02-30T00:00:00.000Z")
        bad.session(6, ts="2099-01-01T00:00:00.000Z")
        bad.gap(7, 1, 2 ** 62)
        bad.session(3, node="sp-good")
        good.wait_acked(200, 60)
        self.assertEqual(self.stored("sp-good"), 200)
        # Each node has a connection of its own, so the bad one's last messages may come after the good one's.
        wait_until(lambda: self.stored("sp-bad") >= 2, 60, "the two good records of the bad node were not stored")
        self.assertEqual(self.stored("sp-bad"), 2)
        self.assertIsNone(sink.process.poll())
        self.assertGreater(sink.metric("rejected_total"), 1000)
        self.assertLessEqual(int(self.place.value("SELECT count(*) FROM spotter.rejected")), 1500)
        self.assertEqual(self.place.value("SELECT count(*) FROM spotter.rejected WHERE reason = ''"), "0")

    def test_a_flood_of_nonsense_does_not_fill_the_memory(self):
        sink = self.place.sink()
        node = self.place.node()
        before = sink.metric("nodes")
        for number in range(20_000):
            node.send("rec/session", f"nonsense {number} " + "x" * 3000)
        node.session(1)
        node.wait_acked(1, 60)
        status = open(f"/proc/{sink.process.pid}/status").read()
        peak = int([line for line in status.splitlines() if line.startswith("VmHWM")][0].split()[1]) / 1000
        self.assertLess(peak, 96, f"{peak} MB; before {before}")

    def test_exit_codes_and_errors_say_what_to_do(self):
        self.place.cluster.psql("CREATE DATABASE early", dbname="postgres")
        self.place.cluster.psql("CREATE SCHEMA spotter; CREATE TABLE spotter.migration (number int, name text);"
                                "INSERT INTO spotter.migration VALUES (1, '0001_tables')", dbname="early")
        early = self.place.cluster.conninfo("early", "postgres")
        cases = [
            (["status"], {"SPOTTER_SINK_DATABASE_CONNECTION": early}, 78, "make a new database"),
            (["migrate", "--connection", early], {}, 78, "make a new database"),
            (["config", "check", "/none.toml"], {}, 78, "cannot read /none.toml"),
            (["status"], {"SPOTTER_SINK_DATABASE_CONNECTION": "host=/nowhere"}, 69, "spotter-sink doctor"),
            (["run", "--once"], {"SPOTTER_SINK_MQTT_PORT": "1",
                                 "SPOTTER_SINK_DATABASE_CONNECTION": self.place.cluster.conninfo("spotter", "spotter_sink"),
                                 "SPOTTER_SINK_METRICS_ENABLED": "false"}, 69, "[mqtt]"),
            (["status"], {"SPOTTER_SINK_DATABASE_CONNECTION": self.place.cluster.conninfo("postgres", "postgres")}, 78,
             "spotter-sink migrate"),
            (["nonsense"], {}, 2, "Usage"), (["config", "check"], {"SPOTTER_SINK_SINK_BATCH": "x"}, 78, "SINK_BATCH"),
        ]
        for arguments, environment, code, words in cases:
            with self.subTest(arguments=arguments):
                result = subprocess.run([SINK, *arguments], env=environment, capture_output=True, text=True,
                                        cwd=self.place.folder, timeout=60)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
