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
MESSAGE = ("line", "site", "node", "epoch", "type", "id", "made", "body", "seq", "rev", "final", "synced", "deleted")
NODE = ("line", "site", "node", "kind", "received", "body")
REJECTED = ("received", "topic", "reason", "payload")
TABLES = {"message": MESSAGE, "node": NODE, "rejected": REJECTED}


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


def _moment(value):
    """A time as the contract has it; any other value stays as it is."""
    if not isinstance(value, datetime.datetime):
        return value
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03d}Z"


def _body(fields):
    """The fields that have a value, with times as the contract has them."""
    return {name: _moment(value) for name, value in fields.items() if value is not None}


class Batch:
    """Rows for each of the temporary tables."""

    def __init__(self):
        self.line = 0
        self.rows = {name: [] for name in TABLES}

    def _next(self):
        self.line += 1
        return self.line

    def _record(self, kind, site, node, epoch, seq, id, rev, body, made=None, final=True, synced=True, deleted=False):
        made = made or body.get("end") or datetime.datetime.now(UTC)
        row = {"line": self._next(), "site": site, "node": node, "epoch": epoch, "seq": seq, "type": kind, "id": id,
               "rev": rev, "final": final, "synced": synced, "deleted": deleted, "made": made,
               "body": json.dumps(_body(body))}
        self.rows["message"].append([row[name] for name in MESSAGE])

    def _split(self, more):
        """What of further arguments belongs to the record itself, and what to its body."""
        own = {name: more.pop(name) for name in ("made", "final", "synced") if name in more}
        return own, more

    def session(self, site, node, epoch, seq, id, rev=1, started=None, seconds=600, actions=None, sets=None,
                excluded=44, **more):
        """Actions are (label, seconds, reps); sets are (label, offset in seconds, seconds, reps) or dictionaries."""
        started = started or instant("2026-11-21 18:00")
        own, more = self._split(more)
        told = [("squat", 40.5, 12)] if actions is None else actions
        body = {
            "start": started, "end": started + datetime.timedelta(seconds=seconds), "camera": "cam1",
            "end_reason": "idle", "model": "gym14@9f2c41", "fps": 29.8, "excluded_frames": {"no_person": excluded},
            "actions": [_body({"label": label, "frames": min(int(length * 30), 2**31 - 1), "seconds": length, "reps": reps,
                               "conf_mean": 0.91}) for label, length, reps in told],
            "sets": [self._set(one, number, started)
                     for number, one in enumerate([("squat", 30, 20, 12)] if sets is None else sets, 1)], **more}
        self._record("session", site, node, epoch, seq, id, rev, body, **own)
        return self

    @staticmethod
    def _set(one, number, started):
        if not isinstance(one, dict):
            label, offset, length, reps = one
            one = {"label": label, "reps": reps, "start": started + datetime.timedelta(seconds=offset),
                   "end": started + datetime.timedelta(seconds=offset + length)}
        one = {{"started": "start", "ended": "end"}.get(name, name): value for name, value in one.items()}
        label, reps = one.pop("recognised_label", None), one.pop("recognised_reps", None)
        return _body({"number": number, **one, "corrected": label and {"label": label, "reps": reps}})

    def tombstone(self, site, node, epoch, seq, id, rev):
        self._record("session", site, node, epoch, seq, id, rev, {}, deleted=True)
        return self

    def rollup(self, site, node, epoch, seq, id, rev=1, started=None, actions=(("squat", 40.0),), **more):
        started = started or instant("2026-11-21 18:00")
        own, more = self._split(more)
        self._record("rollup", site, node, epoch, seq, id, rev, {
            "start": started, "end": started + datetime.timedelta(minutes=5), "camera": "cam1", "model": "gym14@9f2c41",
            "fps": 29.8, "actions": [{"label": label, "frames": int(length * 30), "seconds": length}
                                     for label, length in actions], **more}, **own)
        return self

    def workout(self, site, node, epoch, seq, id, rev=1, name="anna", steps=(("squat", 12, 12),), started=None,
                coaching=None, **more):
        """Steps are (action, planned repetitions, repetitions). Coaching has fields of each step: measured, cues, pain."""
        started = started or instant("2026-11-21 18:00")
        own, more = self._split(more)
        self._record("workout", site, node, epoch, seq, id, rev, {
            "start": started, "end": started + datetime.timedelta(minutes=5), "camera": "cam1", "end_reason": "completed",
            "plan": f"{site}-legs", "plan_name": "Legs", "name": name,
            "steps": [_body({"round": 1, "action": action, "planned_reps": planned, "planned_rest_s": 60, "start": started,
                             "reps": reps, "seconds": 30.5, "skipped": False, "complete": reps >= planned,
                             **(coaching or {})}) for action, planned, reps in steps], **more}, **own)
        return self

    def absence(self, site, node, epoch, seq, id, rev=1, started=None, ended=None, reason="unplugged", **more):
        started = started or instant("2026-11-21 18:00")
        own, more = self._split(more)
        self._record("absence", site, node, epoch, seq, id, rev, {
            "start": started, "end": ended, "camera": "cam1", "reason": reason, **more},
            **{"final": ended is not None, **own})
        return self

    def gap(self, site, node, epoch, seq, from_seq, to_seq, of=None, records=None, id=None, rev=1, made=None):
        self._record("gap", site, node, epoch, seq, id or uuid7(), rev, {
            "epoch": of, "from_seq": from_seq, "to_seq": to_seq, "reason": "retention",
            "records": to_seq - from_seq + 1 if records is None else records}, made=made)
        return self

    def report(self, site, node, kind, body, received=None):
        received = received or datetime.datetime.now(UTC)
        self.rows["node"].append([self._next(), site, node, kind, received, json.dumps(body)])
        return self

    def rejected(self, topic, reason, payload, received=None):
        self.rows["rejected"].append([received or datetime.datetime.now(UTC), topic, reason, payload])
        return self

    def encoded(self):
        """(table with its columns, text of COPY) of the tables that have rows."""
        return [(f"{name} ({', '.join(TABLES[name])})", "".join("\t".join(map(_field, row)) + "\n" for row in rows))
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
