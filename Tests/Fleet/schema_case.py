"""What the tests of the schema share: one private PostgreSQL, and for each test a fresh database in it."""
import atexit
import itertools
import pathlib
import shutil
import tempfile
import unittest

import psycopg2.errors
import psycopg2.extras

import schema
from batch import Batch, connect, refresh, uuid7
from cluster import Cluster

_numbers = itertools.count(1)
_cluster = None


def cluster():
    """The server of all tests, started by the first one."""
    global _cluster
    if _cluster is None:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="spotter-schema-"))
        _cluster = Cluster(folder / "pg", {"full_page_writes": "off", "statement_timeout": "'60s'"})
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        atexit.register(_cluster.stop, "immediate")
        _cluster.start()
        schema.install(_cluster, "pattern")
        # A reader that is given gyms, one that sees all, and a team whose gyms its members see.
        _cluster.psql("CREATE ROLE anna LOGIN IN ROLE spotter_reader;"
                      "CREATE ROLE chief LOGIN IN ROLE spotter_reader_all;"
                      "CREATE ROLE team IN ROLE spotter_reader; CREATE ROLE ben LOGIN IN ROLE team;"
                      "CREATE ROLE stranger LOGIN", dbname="postgres")
    return _cluster


class SchemaCase(unittest.TestCase):
    """A test with a database of its own, and the sink's connection to it."""

    def setUp(self):
        self.cluster = cluster()
        self.dbname = f"test{next(_numbers)}"
        self.cluster.psql(f"CREATE DATABASE {self.dbname} TEMPLATE pattern OWNER spotter_owner", dbname="postgres")
        self.connections = []
        self.sink = self.connect()
        self.epoch = uuid7()
        self.addCleanup(self.drop)

    def drop(self):
        for connection in self.connections:
            connection.close()
        self.cluster.psql(f"DROP DATABASE {self.dbname} WITH (FORCE)", dbname="postgres")

    def connect(self, user="spotter_sink", temporary=True):
        connection = connect(self.cluster, user, self.dbname, temporary)
        self.connections.append(connection)
        return connection

    def rows(self, sql, *values, user="spotter_owner"):
        """The rows of a query, as tuples, asked over a new connection."""
        connection = connect(self.cluster, user, self.dbname, temporary=False)
        try:
            with connection, connection.cursor() as cursor:
                cursor.execute(sql, values or None)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def value(self, sql, *values, user="spotter_owner"):
        return self.rows(sql, *values, user=user)[0][0]

    def dictionary(self, sql, *values):
        with self.sink.cursor(cursor_factory=psycopg2.extras.DictCursor) as cursor:
            cursor.execute(sql, values)
            row = dict(cursor.fetchone())
        self.sink.commit()
        return row

    def store(self, batch, connection=None):
        return batch.store(connection or self.sink)

    def session(self, id, rev=1, seq=1, node="n1", site="berlin", **more):
        """Stores one session and returns what store_batch said of its stream."""
        return self.store(Batch().session(site, node, self.epoch, seq, id, rev, **more))[node, self.epoch]

    def refresh(self):
        refresh(self.sink)

    def sums(self):
        """All sums, after recomputing what is marked."""
        self.refresh()
        return [self.rows(f"SELECT * FROM spotter.{view} ORDER BY 1, 2, 3, 4")
                for view in ("gym_day", "exercise_day", "camera_hour")]

    def refused(self, sql, *values, user, error=psycopg2.errors.InsufficientPrivilege):
        # Deleting from a view that joins is no question of rights.
        with self.assertRaises((error, psycopg2.errors.ObjectNotInPrerequisiteState), msg=f"{user} was allowed: {sql}"):
            self.rows(sql, *values, user=user)
