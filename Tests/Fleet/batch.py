"""Batches as the sink makes them: COPY into the temporary tables, store_batch, COMMIT.

    connection = connect(cluster)
    batch = Batch()
    batch.session("berlin", "n1", epoch, seq=1, id=id, rev=1)
    streams = batch.store(connection)
"""
import datetime
import io
import json
import os
import time
import uuid

import psycopg2
import psycopg2.extras

import schema

UTC = datetime.timezone.utc
RECORD = ("line", "site", "node", "epoch", "seq", "type", "id", "rev", "final", "made", "synced", "deleted", "camera",
          "started", "ended", "end_reason", "model", "fps", "zone", "excluded", "gap_epoch", "from_seq", "to_seq",
          "gap_reason", "gap_records", "absence_reason")
ACTION = ("line", "label", "frames", "seconds", "reps", "confidence")
SET = ("line", "number", "label", "started", "ended", "reps", "rest_s", "coaching_hint", "zone", "recognised_label",
       "recognised_reps")
WORKOUT = ("line", "plan", "plan_name", "name", "challenge_s")
STEP = ("line", "number", "round", "action", "side", "planned_reps", "planned_s", "planned_rest_s", "started", "ended",
        "reps", "active_s", "rest_before_s", "coaching_hint", "skipped", "complete", "measured", "cues", "pain")
NODE = ("line", "site", "node", "kind", "received", "body")
REJECTED = ("received", "topic", "reason", "payload")


def uuid7(moment=None, random=os.urandom):
    """An id whose first 48 bits are the time in milliseconds."""
    milliseconds = int((moment.timestamp() if moment else time.time()) * 1000)
    rest = bytearray(random(10))
    rest[0], rest[2] = 0x70 | rest[0] & 0x0F, 0x80 | rest[2] & 0x3F
    return str(uuid.UUID(bytes=milliseconds.to_bytes(6, "big") + bytes(rest)))


def instant(text):
    """'2026-11-21 18:00' in UTC."""
    return datetime.datetime.fromisoformat(text).replace(tzinfo=UTC)


def connect(cluster, user="spotter_sink", dbname="spotter", temporary=True):
    connection = psycopg2.connect(cluster.conninfo(dbname, user))
    if temporary:
        with connection.cursor() as cursor:
            cursor.execute(schema.incoming())
        connection.commit()
    return connection


def _field(value):
    """One field of COPY's text format."""
    if value is None:
        return "\\N"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    text = str(value)
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


class Batch:
    """Rows for each of the temporary tables."""

    def __init__(self):
        self.line = 0
        self.rows = {"record": [], "action": [], "set": [], "workout": [], "step": [], "node": [], "rejected": []}

    def _next(self):
        self.line += 1
        return self.line

    def _record(self, kind, site, node, epoch, seq, id, rev, **more):
        row = {"line": self._next(), "site": site, "node": node, "epoch": epoch, "seq": seq, "type": kind, "id": id,
               "rev": rev, "final": True, "synced": True, "deleted": False, **more}
        row.setdefault("made", row.get("ended") or datetime.datetime.now(UTC))
        self.rows["record"].append([row.get(name) for name in RECORD])
        return row["line"]

    def session(self, site, node, epoch, seq, id, rev=1, started=None, seconds=600, actions=None, sets=None, **more):
        """Actions are (label, seconds, reps); sets are (label, offset in seconds, seconds, reps) or dictionaries."""
        started = started or instant("2026-11-21 18:00")
        line = self._record("session", site, node, epoch, seq, id, rev, started=started,
                            ended=started + datetime.timedelta(seconds=seconds),
                            **{"camera": "cam1", "end_reason": "idle", "model": "gym14@9f2c41", "fps": 29.8,
                               "excluded": 44, **more})
        for label, length, reps in [("squat", 40.5, 12)] if actions is None else actions:
            self.rows["action"].append([line, label, min(int(length * 30), 2**31 - 1), length, reps, 0.91])
        for number, one in enumerate([("squat", 30, 20, 12)] if sets is None else sets, 1):
            if not isinstance(one, dict):
                label, offset, length, reps = one
                one = {"label": label, "reps": reps, "started": started + datetime.timedelta(seconds=offset),
                       "ended": started + datetime.timedelta(seconds=offset + length)}
            self.rows["set"].append([{"line": line, "number": number, **one}.get(name) for name in SET])
        return self

    def tombstone(self, site, node, epoch, seq, id, rev):
        self._record("session", site, node, epoch, seq, id, rev, deleted=True)
        return self

    def rollup(self, site, node, epoch, seq, id, rev=1, started=None, actions=(("squat", 40.0),), **more):
        started = started or instant("2026-11-21 18:00")
        line = self._record("rollup", site, node, epoch, seq, id, rev, started=started,
                            ended=started + datetime.timedelta(minutes=5),
                            **{"camera": "cam1", "model": "gym14@9f2c41", "fps": 29.8, **more})
        self.rows["action"] += [[line, label, int(length * 30), length, None, None] for label, length in actions]
        return self

    def workout(self, site, node, epoch, seq, id, rev=1, name="anna", steps=(("squat", 12, 12),), started=None,
                coaching=None, **more):
        """Steps are (action, planned repetitions, repetitions). Coaching has columns of each step: measured, cues, pain."""
        started = started or instant("2026-11-21 18:00")
        line = self._record("workout", site, node, epoch, seq, id, rev, started=started,
                            ended=started + datetime.timedelta(minutes=5),
                            **{"camera": "cam1", "end_reason": "completed", **more})
        values = {"line": line, "plan": f"{site}-legs", "plan_name": "Legs", "name": name}
        self.rows["workout"].append([values.get(key) for key in WORKOUT])
        for number, (action, planned, reps) in enumerate(steps, 1):
            step = {"line": line, "number": number, "round": 1, "action": action, "planned_reps": planned,
                    "planned_rest_s": 60, "started": started, "reps": reps, "active_s": 30.5, "skipped": False,
                    "complete": reps >= planned, **(coaching or {})}
            self.rows["step"].append([step.get(key) for key in STEP])
        return self

    def absence(self, site, node, epoch, seq, id, rev=1, started=None, ended=None, reason="unplugged", **more):
        started = started or instant("2026-11-21 18:00")
        self._record("absence", site, node, epoch, seq, id, rev, started=started, ended=ended,
                     **{"camera": "cam1", "final": ended is not None, "absence_reason": reason, **more})
        return self

    def gap(self, site, node, epoch, seq, from_seq, to_seq, of=None, records=None, id=None, rev=1):
        self._record("gap", site, node, epoch, seq, id or uuid7(), rev, gap_epoch=of, from_seq=from_seq, to_seq=to_seq,
                     gap_reason="retention", gap_records=to_seq - from_seq + 1 if records is None else records)
        return self

    def report(self, site, node, kind, body, received=None):
        received = received or datetime.datetime.now(UTC)
        self.rows["node"].append([self._next(), site, node, kind, received, json.dumps(body)])
        return self

    def rejected(self, topic, reason, payload, received=None):
        self.rows["rejected"].append([received or datetime.datetime.now(UTC), topic, reason, payload])
        return self

    def encoded(self):
        """(table, text of COPY) of the tables that have rows."""
        return [(name, "".join("\t".join(map(_field, row)) + "\n" for row in rows))
                for name, rows in self.rows.items() if rows]

    def copy(self, cursor):
        for name, text in self.encoded():
            cursor.copy_expert(f"COPY incoming_{name} FROM STDIN", io.StringIO(text))

    def store(self, connection, commit=True):
        """Stores the batch; {(node, epoch): row} of what store_batch says."""
        with connection.cursor(cursor_factory=psycopg2.extras.DictCursor) as cursor:
            self.copy(cursor)
            cursor.execute("SELECT * FROM spotter.store_batch()")
            rows = {(row["node"], row["epoch"]): dict(row) for row in cursor.fetchall()}
        if commit:
            connection.commit()
        return rows


def refresh(connection, maximum=1000):
    """Recomputes the sums until none is marked."""
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT spotter.refresh_days(%s)", (maximum,))
            done = cursor.fetchone()[0]
            connection.commit()
            if done == 0:
                return
