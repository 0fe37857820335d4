"""Two sinks at once."""
import datetime
import threading
import unittest

import psycopg2

from batch import Batch, instant, uuid7
from schema_case import SchemaCase

SESSION = "SELECT * FROM spotter.session_list WHERE id = %s"


class Together(SchemaCase):
    def at_once(self, *works):
        """Runs the works in threads and returns the errors of the database."""
        failures = []

        def run(work):
            try:
                work()
            except (psycopg2.Error, threading.BrokenBarrierError) as error:
                failures.append(error)

        threads = [threading.Thread(target=run, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        return failures

    def test_a_second_connection_waits_for_the_first_where_they_meet(self):
        other, id = self.connect(), uuid7()
        Batch().session("berlin", "n1", self.epoch, 1, id, 2, camera="first").store(self.sink, commit=False)
        said = {}
        late = Batch().session("berlin", "n1", self.epoch, 2, id, 1, camera="second")
        thread = threading.Thread(target=lambda: said.update(late.store(other)))
        thread.start()
        thread.join(0.5)
        self.assertTrue(thread.is_alive())
        self.sink.commit()
        thread.join(10)
        self.assertEqual((said["n1", self.epoch]["known"], said["n1", self.epoch]["prefix"]), (1, 2))
        self.assertEqual(self.dictionary(SESSION, id)["camera"], "first")

    def test_two_connections_at_once_store_the_same_as_one(self):
        def batches():
            # The same nodes and words in both, met in another order.
            for number in range(30):
                batch = Batch()
                for step in range(20):
                    node = (number * 7 + step * 3) % 10
                    batch.session(f"gym{node % 3}", f"n{node}", self.epoch, 20 * number + step + 1,
                                  ids[number][step], camera=f"cam{step}", actions=[(f"label{number}", 1, 1)])
                yield batch

        ids = [[uuid7() for _ in range(20)] for _ in range(30)]
        def work(order, connection):
            for batch in order:
                batch.store(connection)

        orders = (list(batches()), list(batches())[::-1])
        self.assertEqual(self.at_once(*(lambda o=order, c=self.connect(): work(o, c) for order in orders)), [])
        self.assertEqual(self.value("SELECT count(*) FROM spotter.session"), 600)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.word WHERE text LIKE 'label%%'"), 90)
        self.assertEqual(sum(row[2] for row in self.sums()[0]), 600)

    def learn(self, batch):
        """Two connections store batch(round, step) at once, in rounds; step is 1 or -1."""
        barrier = threading.Barrier(2, timeout=60)

        def work(connection, step):
            for number in range(8):
                ready = batch(number, step)
                barrier.wait()
                ready.store(connection)

        self.assertEqual(self.at_once(*(lambda c=self.connect(), s=step: work(c, s) for step in (1, -1))), [])

    def test_two_connections_learn_the_same_gyms_and_nodes_at_once(self):
        def batch(number, step):
            batch = Batch()
            for place in range(150)[::step]:
                batch.rollup(f"gym-{number}-{place}", f"node-{number}-{place}", self.epoch, 1, uuid7())
            return batch

        self.learn(batch)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.node"), 8 * 150)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.rollup"), 2 * 8 * 150)

    def test_two_connections_learn_the_same_words_at_once(self):
        # Of nodes that are known, as learning a gym or a node makes the second connection wait for the first.
        for step in (1, -1):
            self.store(Batch().rollup("berlin", f"n{step}", self.epoch, 1, uuid7()))

        def batch(number, step):
            batch = Batch()
            for place in range(150)[::step]:
                batch.rollup("berlin", f"n{step}", self.epoch, 2, uuid7(), actions=[(f"label-{number}-{place}", 1)])
            return batch

        self.learn(batch)
        self.assertEqual(self.value("SELECT count(*) FROM spotter.word WHERE text LIKE 'label%%'"), 8 * 150)

    def test_a_revision_that_meets_an_unfinished_batch_leaves_no_day_behind(self):
        old, new, id, other = uuid7(), uuid7(), uuid7(), self.connect()
        # All words and epochs are known, so that nothing but the node lets the second batch wait.
        self.store(Batch().report("berlin", "n1", "info", {"epoch": old}).rollup("berlin", "n1", new, 1, uuid7())
                   .session("berlin", "n1", old, 1, uuid7(), started=instant("2026-11-10")))
        Batch().session("berlin", "n1", old, 2, id, 1, started=instant("2026-11-01")).store(self.sink, commit=False)
        late = Batch().session("berlin", "n1", new, 2, id, 2, started=instant("2026-11-21"))
        thread = threading.Thread(target=lambda: late.store(other, commit=False))
        thread.start()
        thread.join(0.5)
        self.sink.commit()
        thread.join(20)
        self.assertEqual([row[1] for row in self.sums()[0]], [datetime.date(2026, 11, 1), datetime.date(2026, 11, 10)])
        other.commit()
        self.assertEqual([row[1] for row in self.sums()[0]], [datetime.date(2026, 11, 10), datetime.date(2026, 11, 21)])


if __name__ == "__main__":
    unittest.main()
