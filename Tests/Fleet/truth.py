"""The truth of a run: what the nodes' own databases say was recorded."""
import contextlib
import json
import pathlib
import sqlite3
import urllib.parse
from dataclasses import dataclass, field

from parts import Gym

NODES_PER_SITE = 4


def site_of(node):
    """The site of a simulated node's id, or of the real one."""
    return Gym.site if node == Gym.node_id else f"gym-{int(node.removeprefix('sp-n')) // NODES_PER_SITE:04}"


@dataclass
class Item:
    """A session, rollup, absence or gap of a node, with every revision that the node made."""
    site: str
    node: str
    kind: str
    id: str
    # The bodies of each revision: two where a restored node made another revision of the same number.
    bodies: dict = field(default_factory=dict)
    # The revision that must at least be stored; 0 where nothing was promised.
    promised: int = 0

    @property
    def newest(self):
        return max(self.bodies)

    @property
    def is_deleted(self):
        return any(body.get("deleted") for body in self.bodies[self.newest])


@dataclass
class Life:
    """One epoch of a node: from the first record to the last."""
    site: str
    node: str
    epoch: str
    time_zone: str
    last: int
    acked: int
    is_current: bool


@dataclass
class Truth:
    items: dict = field(default_factory=dict)
    lives: list = field(default_factory=list)
    # Records with all their revisions. What a restored node sends again was made once.
    made: int = 0

    def life(self, node):
        return next(life for life in self.lives if life.node == node and life.is_current)


@contextlib.contextmanager
def history(path):
    # Without `mode` a file that is just being replaced would be made anew.
    connection = sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?mode=rw", uri=True, timeout=20)
    try:
        yield connection
    finally:
        connection.close()


def databases(folder):
    """The histories below a folder: of each node the current one, then those that a restore replaced."""
    for path in sorted(pathlib.Path(folder).glob("*/spotter.db")):
        yield path, True
        for old in sorted(path.parent.glob("spotter.db.before-restore*")):
            if not old.name.endswith(("-wal", "-shm", ".lock")):
                yield old, False


def collect(folder):
    """Reads all histories below a folder."""
    truth = Truth()
    seen = set()
    for path, is_current in databases(folder):
        with history(path) as connection:
            life = _life(connection, is_current)
            truth.lives.append(life)
            for row in connection.execute("SELECT seq, type, id, rev, body FROM record ORDER BY seq"):
                _add(truth, life, row)
                seen.add((life.node, *row[1:]))
    truth.made = len(seen)
    return truth


def _life(connection, is_current):
    meta = dict(connection.execute("SELECT k, v FROM meta"))
    node = meta["node_id"]
    last = connection.execute("SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'record'").fetchone()[0]
    acked = connection.execute(
        "SELECT acked_seq FROM cursor WHERE consumer = 'hq' AND epoch = ?", (meta["epoch"],)).fetchone()
    return Life(
        site=site_of(node), node=node, epoch=meta["epoch"], time_zone=meta["tz"], last=last,
        acked=acked[0] if acked else 0, is_current=is_current)


def _add(truth, life, row):
    seq, kind, identity, rev, text = row
    key = (life.node, kind, identity)
    item = truth.items.get(key)
    if item is None:
        item = truth.items[key] = Item(life.site, life.node, kind, identity)
    body = json.loads(text)
    bodies = item.bodies.setdefault(rev, [])
    if body not in bodies:
        bodies.append(body)
    # What a replaced history had not sent when the node was restored is lost, and nobody said otherwise.
    if life.is_current or seq <= life.acked:
        item.promised = max(item.promised, rev)


def between(path, epoch, first, last):
    """The records of a running node at these positions, as (kind, id, rev); None when it has another epoch by now."""
    with history(path) as connection:
        meta = connection.execute("SELECT v FROM meta WHERE k = 'epoch'").fetchone()
        if meta is None or meta[0] != epoch:
            return None
        return connection.execute(
            "SELECT type, id, rev FROM record WHERE seq BETWEEN ? AND ?", (first, last)).fetchall()


def positions(folder):
    """Of each node of the folder: its epoch and the last position."""
    found = {}
    for path, is_current in databases(folder):
        if is_current:
            with history(path) as connection:
                life = _life(connection, True)
                found[life.node] = (life.epoch, life.last)
    return found
