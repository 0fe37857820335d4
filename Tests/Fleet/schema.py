"""Applies the schema of Sources/Sink/Sink/Schema to a private PostgreSQL, as an administrator and `spotter-sink migrate` do.

    with Cluster(folder) as cluster:
        schema.install(cluster)
"""
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "Sink" / "Sink" / "Schema"
LIST = FOLDER.parent / "Database" / "SchemaFiles.swift"


def migrations():
    """(number, name, files) of each migration, in order, as SchemaFiles.swift lists them."""
    found = re.findall(r'Migration\(\s*number: (\d+), name: "(\w+)",\s*files: \[(.*?)\]', LIST.read_text(), re.DOTALL)
    return [(int(number), name, [FOLDER / f"{file}.sql" for file in re.findall(r"PackageResources\.(\w+)_sql", files)])
            for number, name, files in found]


def incoming():
    """The SQL that makes the temporary tables, once for each connection."""
    return (FOLDER / "incoming.sql").read_text()


def create_database(cluster, dbname="spotter"):
    cluster.psql((FOLDER / "roles.sql").read_text(), dbname="postgres")
    cluster.psql(f'CREATE DATABASE "{dbname}" OWNER spotter_owner', dbname="postgres")


def applied(cluster, dbname="spotter"):
    """The numbers of the migrations that the database has."""
    if not cluster.psql("SELECT to_regclass('spotter.migration')", dbname=dbname, user="spotter_owner"):
        return set()
    rows = cluster.psql("SELECT number FROM spotter.migration", dbname=dbname, user="spotter_owner")
    return {int(row) for row in rows.splitlines()}


def migrate(cluster, dbname="spotter"):
    """Applies what is missing, each migration in a transaction of its own. Returns the names."""
    done, have = [], applied(cluster, dbname)
    for number, name, files in migrations():
        if number not in have:
            sql = "\n".join(file.read_text() for file in files)
            note = f"INSERT INTO spotter.migration (number, name) VALUES ({number}, '{name}');"
            cluster.psql(f"BEGIN;\n{sql}\n{note}\nCOMMIT;", dbname=dbname, user="spotter_owner")
            done.append(name)
    return done


def install(cluster, dbname="spotter"):
    """Database, roles, schema and partitions."""
    create_database(cluster, dbname)
    migrate(cluster, dbname)
    cluster.psql("SELECT spotter.ensure_partitions()", dbname=dbname, user="spotter_sink")
