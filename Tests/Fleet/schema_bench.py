#!/usr/bin/python3
"""Measures the schema: speed of batches, bytes a session, and the queries of dashboards on millions of rows.

    schema_bench.py                                 everything, in a folder of its own
    schema_bench.py --folder /tmp/bench fill        one part; the folder is kept for the next
    schema_bench.py --folder /tmp/bench queries

Parts: throughput, size, fill, queries. `queries` needs `fill`. Assumed of a session: 3 revisions, 2 sets, 1.5 actions.
"""
import argparse
import datetime
import io
import os
import pathlib
import shutil
import signal
import statistics
import sys
import tempfile
import time

import schema
from batch import UTC, Batch, connect, refresh, uuid7
from cluster import Cluster
from schema_bench_fleet import LABELS, Fleet

GYMS, DAYS, BIG_GYM = 1000, 92, 150
TODAY = datetime.datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def report(what, value, goal=""):
    print(f"{what:72} {value:>14} {goal}", flush=True)


def store(connection, batches):
    """Records a second through COPY, store_batch and COMMIT; the texts are made before the clock starts."""
    texts = [batch.encoded() for batch in batches]
    begin = time.perf_counter()
    with connection.cursor() as cursor:
        for text in texts:
            for name, rows in text:
                cursor.copy_expert(f"COPY incoming_{name} FROM STDIN", io.StringIO(rows))
            cursor.execute("SELECT * FROM spotter.store_batch()")
            cursor.fetchall()
            connection.commit()
    return sum(batch.line for batch in batches) / (time.perf_counter() - begin)


def fresh(cluster, dbname):
    cluster.psql(f"DROP DATABASE IF EXISTS {dbname}", dbname="postgres")
    schema.install(cluster, dbname)
    return connect(cluster, dbname=dbname)


def throughput(cluster):
    connection, fleet = fresh(cluster, "speed"), Fleet(GYMS)
    store(connection, [fleet.batch(1000, TODAY) for _ in range(5)])  # sites, nodes and words are known then
    for size, count in ((20, 250), (200, 100), (1000, 30)):
        rate = store(connection, [fleet.batch(size, TODAY) for _ in range(count)])
        report(f"records/s, batches of {size}", f"{rate:,.0f}", "≥ 2,000" if size == 200 else "")
    connection.close()


def size(cluster, sessions=100_000):
    """The table grows as in a month: revisions lie among those of others, and vacuum comes by, here 20 times."""
    connection, fleet = fresh(cluster, "size"), Fleet(GYMS)
    moment, batches = TODAY.replace(day=1), sessions * 3 // 500
    for number in range(batches):
        store(connection, [fleet.batch(500, moment, rollups=0)])
        moment += datetime.timedelta(days=28) / batches
        if number % (batches // 20) == 0:
            cluster.psql("VACUUM spotter.session", dbname="size")
    refresh(connection)
    connection.close()
    cluster.psql("VACUUM (ANALYZE)", dbname="size")

    def bytes_of(parent, function):
        return int(cluster.psql(f"SELECT sum({function}(inhrelid)) FROM pg_inherits "
                                f"WHERE inhparent = 'spotter.{parent}'::regclass", dbname="size"))

    count, sets, actions = map(float, cluster.psql(
        "SELECT count(*), avg(coalesce(array_length(sets, 1), 0)), avg(coalesce(array_length(actions, 1), 0)) "
        "FROM spotter.session", dbname="size").split("|"))
    empty = 16 * 3 * 8192  # 16 partitions, the empty pages of their indexes
    report(f"bytes a session, {sets:.1f} sets, {actions:.1f} actions, after VACUUM",
           f"{(bytes_of('session', 'pg_total_relation_size') - empty) / count:.0f}", "≤ 400")
    report("  of these in the table", f"{bytes_of('session', 'pg_table_size') / count:.0f}")
    sums = cluster.psql("SELECT sum(pg_total_relation_size('spotter.' || t)) "
                        "FROM unnest('{gym_sum,exercise_sum,hour_sum}'::text[]) t", dbname="size")
    report("  sums, bytes a session (3.6 sessions a gym and day)", f"{int(sums) / count:.0f}")
    cluster.psql("VACUUM FULL spotter.session", dbname="size")
    report("  bytes a session, packed by VACUUM FULL",
           f"{(bytes_of('session', 'pg_total_relation_size') - empty) / count:.0f}")


FILL = """
INSERT INTO spotter.session
SELECT (lpad(to_hex((extract(epoch FROM started) * 1000)::bigint), 12, '0') || '7' || substr(r, 1, 3) || '8'
        || substr(r, 4, 15))::uuid,
       started, started + interval '10 minutes', n.node_id, n.site_id, started::date, 3, w.ids[1 + k %% 2], w.ids[3],
       w.ids[4], w.ids[5], 44, 29.8, true, true,
       ARRAY[ARRAY[1, w.ids[6 + k %% 6], 0, 40500, 12, NULL, 93, w.ids[3], NULL, NULL],
             ARRAY[2, w.ids[6 + k %% 6], 90000, 40500, 12, 49500, 93, w.ids[3], NULL, NULL]],
       CASE k %% 2 WHEN 0 THEN ARRAY[ARRAY[w.ids[6 + k %% 6], 1200, 40500, 24, 9100]]
                   ELSE ARRAY[ARRAY[w.ids[6 + k %% 6], 1200, 40500, 24, 9100],
                              ARRAY[w.ids[6 + (k / 2) %% 6], 300, 10500, 6, 8800]] END
FROM spotter.node n
JOIN (SELECT site_id, array_agg(word_id ORDER BY array_position(%(words)s, text)) AS ids FROM spotter.word
      WHERE text = ANY (%(words)s) GROUP BY site_id) w USING (site_id)
JOIN spotter.site s USING (site_id)
CROSS JOIN LATERAL generate_series(1, CASE s.site WHEN 'gym-0000' THEN %(big)s ELSE 33 END) AS k
CROSS JOIN LATERAL (SELECT %(day)s + (6 + 16 * random()) * interval '1 hour' AS started,
                           md5(random()::text || k) AS r) AS made
ORDER BY made.started
"""


def fill(cluster):
    connection, fleet = fresh(cluster, "large"), Fleet(GYMS)
    words = ["cam1", "cam2", "rack-1", "gym14@9f2c41", "idle", *LABELS]
    batch = Batch()
    for node in range(GYMS):
        for label in (*LABELS, "cam2"):  # a camera's name is a word as a label is
            fleet.seqs[node] += 1
            batch.rollup(f"gym-{node:04}", f"node-{node}", fleet.epochs[node], fleet.seqs[node], uuid7(TODAY),
                         actions=[(label, 1.0)])
        fleet.session(batch, node, uuid7(TODAY), 3, TODAY)
    store(connection, [batch])
    connection.close()
    begin = time.perf_counter()
    owner = connect(cluster, "spotter_owner", "large", temporary=False)
    with owner.cursor() as cursor:
        for back in range(DAYS, 0, -1):
            cursor.execute(FILL, {"words": words, "big": BIG_GYM, "day": TODAY - datetime.timedelta(days=back)})
            owner.commit()
        cursor.execute("INSERT INTO spotter.day_mark (site_id, day) SELECT DISTINCT site_id, day FROM spotter.session")
        owner.commit()
        cursor.execute("SELECT count(*), count(DISTINCT (site_id, day)) FROM spotter.session")
        rows, pairs = cursor.fetchone()
    report(f"session rows, {GYMS} gyms, {DAYS} days", f"{rows:,}", "≥ 3,000,000")
    print(f"filled in {time.perf_counter() - begin:.0f} s")
    begin = time.perf_counter()
    refresh(owner, 2000)
    report("refresh_days of everything, ms a day of a gym", f"{(time.perf_counter() - begin) / pairs * 1000:.2f}")
    owner.close()
    cluster.psql("VACUUM (ANALYZE)", dbname="large")
    cluster.psql("DO $$ BEGIN CREATE ROLE bench_all LOGIN IN ROLE spotter_reader_all; EXCEPTION WHEN duplicate_object "
                 "THEN NULL; END $$; DO $$ BEGIN CREATE ROLE bench_one LOGIN IN ROLE spotter_reader; EXCEPTION WHEN "
                 "duplicate_object THEN NULL; END $$; INSERT INTO spotter.site_reader VALUES ('bench_one', 'gym-0000')",
                 dbname="large")


def timed(cluster, user, sql, runs=15):
    """The median and the longest time in ms, over a connection of its own, and the rows."""
    connection, times = connect(cluster, user, "large", temporary=False), []
    with connection.cursor() as cursor:
        for _ in range(runs):
            begin = time.perf_counter()
            cursor.execute(sql)
            rows = cursor.fetchall()
            times.append((time.perf_counter() - begin) * 1000)
            connection.commit()
    connection.close()
    return statistics.median(times), max(times), len(rows)


def queries(cluster):
    month = f"day >= '{TODAY - datetime.timedelta(days=30):%F}' AND day < '{TODAY:%F}'"
    quarter = f"site = 'gym-0000' AND day >= '{TODAY - datetime.timedelta(days=DAYS):%F}'"
    asked = (
        ("month of all gyms by day and exercise", "≤ 500", ("bench_all",),
         "SELECT day, label, sum(sessions), sum(sets), sum(reps), sum(active_s) FROM spotter.exercise_day "
         f"WHERE {month} GROUP BY day, label ORDER BY day, label"),
        ("quarter of one gym, gym_day", "≤ 10", ("bench_all", "bench_one"),
         f"SELECT * FROM spotter.gym_day WHERE {quarter} ORDER BY day"),
        ("quarter of one gym, exercise_day", "≤ 10", ("bench_all", "bench_one"),
         f"SELECT * FROM spotter.exercise_day WHERE {quarter} ORDER BY day, label"),
        ("week of one gym, camera_hour", "", ("bench_all", "bench_one"),
         f"SELECT * FROM spotter.camera_hour WHERE site = 'gym-0000' AND hour >= '{TODAY - datetime.timedelta(7):%F}'"),
        ("day of one gym, session_list", "", ("bench_all", "bench_one"),
         f"SELECT * FROM spotter.session_list WHERE site = 'gym-0000' AND day = '{TODAY - datetime.timedelta(7):%F}'"),
        ("all nodes, node_health", "", ("bench_all",), "SELECT * FROM spotter.node_health"),
        ("all nodes, completeness", "", ("bench_all",), "SELECT * FROM spotter.completeness"),
    )
    for what, goal, users, sql in asked:
        for user in users:
            median, longest, rows = timed(cluster, user, sql)
            report(f"{what}, {rows} rows, {user}: ms (longest)", f"{median:.1f} ({longest:.1f})", goal)
    sink = connect(cluster, dbname="large")
    with sink.cursor() as cursor:
        for gym, sessions in (("gym-0001", 33), ("gym-0000", BIG_GYM)):
            cursor.execute("INSERT INTO spotter.day_mark (site_id, day) SELECT site_id, %s FROM spotter.site "
                           "WHERE site = %s", (TODAY - datetime.timedelta(days=5), gym))
            begin = time.perf_counter()
            cursor.execute("SELECT spotter.refresh_days(10)")
            report(f"refresh_days, one day with {sessions} sessions: ms", f"{(time.perf_counter() - begin) * 1000:.1f}")
            sink.commit()
    fleet = Fleet(GYMS, seed=time.time())
    store(sink, [fleet.batch(1000, TODAY) for _ in range(3)])
    for size, count in ((200, 100), (1000, 20)):
        rate = store(sink, [fleet.batch(size, TODAY) for _ in range(count)])
        report(f"records/s on the full table, batches of {size}", f"{rate:,.0f}", "≥ 2,000" if size == 200 else "")
    begin = time.perf_counter()
    with sink.cursor() as cursor:
        cursor.execute("UPDATE spotter.site SET time_zone = 'Asia/Tokyo' WHERE site = 'gym-0000'")
        sink.commit()
        cursor.execute("SELECT spotter.refresh_days(100)")
        sink.commit()
    report(f"a changed time zone, {BIG_GYM * DAYS:,} sessions: ms", f"{(time.perf_counter() - begin) * 1000:.0f}")
    refresh(sink)
    sink.close()


def main():
    parts = {"throughput": throughput, "size": size, "fill": fill, "queries": queries}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--folder", help="keeps the databases here")
    options = parser.parse_args()
    if set(options.parts) - set(parts):
        parser.error(f"the parts are {', '.join(parts)}")
    # Ends as Ctrl-C does, so that the server is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="spotter-bench-"))
    cluster = Cluster(folder / "pg", {"max_wal_size": "'4GB'"})
    try:
        with cluster:
            print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
            for part in options.parts or parts:
                parts[part](cluster)
    finally:
        if not options.folder:
            cluster.remove()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
