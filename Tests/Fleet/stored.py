"""What PostgreSQL holds, as the test reads it: as an administrator, beside the sink."""
import subprocess
import threading
import time
from dataclasses import dataclass, field

import psycopg2

from parts import ROOT

SCHEMA = ROOT / "Sources/Sink/Sink/Schema"


class Unreachable(OSError):
    """The database does not answer now."""


@dataclass
class Row:
    """A session, rollup or absence as it is stored."""
    rev: int
    camera: str
    started: int
    # None where an absence lasts.
    ended: int | None
    zone: str | None = None
    reason: str | None = None
    final: bool = True
    excluded: int = 0
    # By label: frames, milliseconds and repetitions.
    actions: dict = field(default_factory=dict)
    # By number: label and repetitions.
    sets: dict = field(default_factory=dict)


class Stored:
    """`cluster` is the private PostgreSQL. Any thread may ask."""

    def __init__(self, cluster):
        self.cluster, self.lock, self.connection = cluster, threading.Lock(), None

    def prepare(self, sink, folder):
        """Makes the roles as an administrator, the database, and the schema with the sink's own command."""
        self.cluster.psql((SCHEMA / "roles.sql").read_text(), dbname="postgres")
        self.cluster.psql("CREATE DATABASE spotter OWNER spotter_owner", dbname="postgres")
        config = folder / "migrate.toml"
        config.write_text(f'[database]\nconnection = "{self.cluster.conninfo(user="spotter_owner")}"\n')
        done = subprocess.run(
            [sink, "migrate", "--config", str(config)], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"the schema could not be made: {done.stdout}{done.stderr}")

    def ask(self, sql, *values):
        with self.lock:
            try:
                if self.connection is None:
                    self.connection = psycopg2.connect(self.cluster.conninfo(user="postgres"))
                    self.connection.autocommit = True
                with self.connection.cursor() as cursor:
                    cursor.execute(sql, values or None)
                    return cursor.fetchall()
            except psycopg2.Error as error:
                # A server that goes away is reported as several kinds of error, but always without a code of its own.
                if error.pgcode or isinstance(error, psycopg2.ProgrammingError):
                    raise
                self.connection = None
                raise Unreachable(str(error)) from error

    # While the fleet runs

    def missing(self, rows):
        """Those of (node, kind, id, rev) that are stored in no revision as high as this one."""
        nodes, kinds, ids, revs = (list(column) for column in zip(*rows))
        return self.ask(
            """
            SELECT w.node, w.kind, w.id::text, w.rev
            FROM unnest(%s::text[], %s::text[], %s::uuid[], %s::int[]) AS w (node, kind, id, rev)
            LEFT JOIN spotter.node n ON n.node = w.node
            WHERE NOT CASE w.kind
                WHEN 'session' THEN
                    EXISTS (SELECT FROM spotter.session s
                            WHERE s.id = w.id AND s.node_id = n.node_id AND s.rev >= w.rev)
                    OR EXISTS (SELECT FROM spotter.tombstone t WHERE t.id = w.id AND t.node_id = n.node_id)
                WHEN 'rollup' THEN
                    EXISTS (SELECT FROM spotter.rollup r
                            WHERE r.id = w.id AND r.node_id = n.node_id AND r.rev >= w.rev)
                WHEN 'absence' THEN
                    EXISTS (SELECT FROM spotter.absence a
                            WHERE a.id = w.id AND a.node_id = n.node_id AND a.rev >= w.rev)
                ELSE EXISTS (SELECT FROM spotter.gap g WHERE g.id = w.id AND g.node_id = n.node_id)
            END
            """, nodes, kinds, ids, revs)

    def rejected(self, session):
        """How many messages that name a session were put aside."""
        return self.ask("SELECT count(*) FROM spotter.rejected WHERE payload LIKE %s", f"%{session}%")[0][0]

    # Afterwards

    def rows(self):
        """All sessions, rollups, absences and gaps by (node, kind, id), and how many came twice."""
        found, twice = {}, 0
        for node, key, *values in self.ask(
                """
                SELECT n.node, s.id::text, s.rev, c.text, (extract(epoch FROM s.started) * 1000)::bigint,
                       (extract(epoch FROM s.ended) * 1000)::bigint, z.text, r.text, s.final, s.excluded
                FROM spotter.session s JOIN spotter.node n USING (node_id)
                JOIN spotter.word c ON c.word_id = s.camera_id LEFT JOIN spotter.word z ON z.word_id = s.zone_id
                LEFT JOIN spotter.word r ON r.word_id = s.end_reason_id
                """):
            twice += (node, "session", key) in found
            found[(node, "session", key)] = Row(*values)
        for node, key, *values in self.ask(
                """
                SELECT n.node, s.id::text, s.rev, c.text, (extract(epoch FROM s.started) * 1000)::bigint,
                       (extract(epoch FROM s.started) * 1000)::bigint + s.length_ms
                FROM spotter.rollup s JOIN spotter.node n USING (node_id)
                JOIN spotter.word c ON c.word_id = s.camera_id
                """):
            twice += (node, "rollup", key) in found
            found[(node, "rollup", key)] = Row(*values)
        for node, key, *values in self.ask(
                """
                SELECT n.node, a.id::text, a.rev, a.camera, (extract(epoch FROM a.started) * 1000)::bigint,
                       (extract(epoch FROM a.ended) * 1000)::bigint, NULL, a.reason, a.final
                FROM spotter.absence a JOIN spotter.node n USING (node_id)
                """):
            twice += (node, "absence", key) in found
            found[(node, "absence", key)] = Row(*values)
        self._add_parts(found)
        for node, key, rev in self.ask(
                "SELECT n.node, g.id::text, g.rev FROM spotter.gap g JOIN spotter.node n USING (node_id)"):
            found[(node, "gap", key)] = Row(rev, "", 0, 0)
        return found, twice

    def _add_parts(self, found):
        for kind in ("session", "rollup"):
            for node, key, label, *values in self.ask(
                    f"""
                    SELECT n.node, s.id::text, w.text, a.frames, a.ms, a.reps
                    FROM spotter.{kind} s JOIN spotter.node n USING (node_id)
                    CROSS JOIN LATERAL spotter.unpack_actions(s.actions) a JOIN spotter.word w ON w.word_id = a.label_id
                    """):
                found[(node, kind, key)].actions[label] = tuple(values)
        for node, key, number, *values in self.ask(
                """
                SELECT n.node, s.id::text, a.number, w.text, a.reps
                FROM spotter.session s JOIN spotter.node n USING (node_id)
                CROSS JOIN LATERAL spotter.unpack_sets(s.sets) a JOIN spotter.word w ON w.word_id = a.label_id
                """):
            found[(node, "session", key)].sets[number] = tuple(values)

    def tombstones(self):
        return set(self.ask("SELECT n.node, t.id::text FROM spotter.tombstone t JOIN spotter.node n USING (node_id)"))

    def wait_for_sums(self, seconds=90):
        """Whether the sink has recomputed the sums of all days that changed."""
        deadline = time.monotonic() + seconds
        while self.ask("SELECT count(*) FROM spotter.day_mark")[0][0]:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.5)
        return True

    def sums(self):
        """exercise_day by (site, day, label): sessions, sets, repetitions, milliseconds."""
        return {(site, str(day), label): (sessions, sets, reps, round(float(active) * 1000))
                for site, day, label, sessions, sets, reps, active in self.ask(
                    "SELECT site, day, label, sessions, sets, reps, active_s FROM spotter.exercise_day")}

    def prefixes(self):
        """By (node, epoch): the end of what is stored without a hole."""
        return {(node, epoch): prefix for node, epoch, prefix in self.ask(
            "SELECT node, epoch::text, prefix FROM spotter.completeness")}
