#!/usr/bin/env python3
"""Imports Spotter's dashboards into Apache Superset, or writes them as a ZIP file for Superset's own import page.

Run it with Superset's Python, which has the packages it needs:

    SUPERSET_PASSWORD=… import_bundle.py --superset http://127.0.0.1:8088 --user admin \
        --database "host=/var/run/postgresql dbname=spotter user=spotter_dashboards"
    import_bundle.py --zip spotter-dashboards.zip --database "…"

The database is a connection string of libpq. A password in it, or in PGPASSWORD, is sent with the import and kept by
Superset, encrypted with its SECRET_KEY; with ~/.pgpass, peer or certificate authentication Superset needs none.
An import overwrites the dashboards, charts and data sets of an earlier one.
"""
import argparse
import http.cookiejar
import io
import json
import os
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zipfile

BUNDLE = pathlib.Path(__file__).resolve().parent / "superset"
DATABASE_FILE = "databases/Spotter.yaml"
MASK = "XXXXXXXXXX"


class Refused(Exception):
    """Superset did not do what it was asked for; the text is what it said."""


class Superset:
    """Superset's API, as one user."""

    def __init__(self, address, user, password):
        self.address = address.rstrip("/")
        # The session's cookie is marked secure. On this machine it may travel without TLS.
        local = urllib.parse.urlsplit(self.address).hostname in ("127.0.0.1", "::1", "localhost")
        policy = http.cookiejar.DefaultCookiePolicy(secure_protocols=("https", "http") if local else ("https",))
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(policy)))
        self.headers = {"Referer": self.address}
        said = self.call("security/login", {"username": user, "password": password, "provider": "db"})
        self.headers["Authorization"] = f"Bearer {said['access_token']}"
        self.headers["X-CSRFToken"] = self.call("security/csrf_token/")["result"]

    def call(self, path, body=None, kind="application/json"):
        """GET without a body, else POST."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/{path}", data,
                                         self.headers | ({"Content-Type": kind} if data is not None else {}))
        try:
            with self.opener.open(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(f"{path}: {error.code} {error.read().decode(errors='replace')[:2000]}") from error
        except json.JSONDecodeError as error:
            raise Refused(f"{path}: the answer is no JSON; is {self.address} Superset?") from error

    def load(self, bundle, passwords):
        """Imports a ZIP file."""
        border = uuid.uuid4().hex
        parts = [("passwords", "", json.dumps(passwords).encode()), ("bundle", '; filename="bundle.zip"', bundle)]
        body = b"".join(f'--{border}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode()
                        + content + b"\r\n" for name, more, content in parts) + f"--{border}--\r\n".encode()
        return self.call("assets/import/", body, f"multipart/form-data; boundary={border}")


def sqlalchemy_uri(database):
    """(address for SQLAlchemy with its password masked, password or None) of a connection string of libpq."""
    from psycopg2.extensions import parse_dsn
    given = parse_dsn(database)
    password = given.pop("password", os.environ.get("PGPASSWORD"))
    name, user = given.pop("dbname", "spotter"), urllib.parse.quote(given.pop("user", ""), safe="")
    secret = f":{MASK}" if password else ""
    return (f"postgresql+psycopg2://{user}{secret}@/{urllib.parse.quote(name, safe='')}"
            f"?{urllib.parse.urlencode(given)}", password)


def pack(uri, kind="assets"):
    """The bundle as a ZIP file. Superset's import page takes `Dashboard`, its API for assets takes `assets`."""
    import yaml
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as bundle:
        for file in sorted(BUNDLE.rglob("*.yaml")):
            name, content = file.relative_to(BUNDLE).as_posix(), yaml.safe_load(file.read_text())
            if name == "metadata.yaml":
                content["type"] = kind
            if name == DATABASE_FILE:
                content["sqlalchemy_uri"] = uri
            bundle.writestr(f"spotter/{name}", yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
    return memory.getvalue()


def main():
    parser = argparse.ArgumentParser(description="Imports Spotter's dashboards into Apache Superset.")
    parser.add_argument("--database", required=True, help="connection string of libpq, of a role of spotter_reader")
    parser.add_argument("--superset", default="http://127.0.0.1:8088", help="address of Superset")
    parser.add_argument("--user", default="admin", help="who imports; the password is taken from SUPERSET_PASSWORD")
    parser.add_argument("--zip", type=pathlib.Path, help="write this file instead; Superset asks for the password")
    given = parser.parse_args()
    uri, password = sqlalchemy_uri(given.database)
    if given.zip:
        given.zip.write_bytes(pack(uri, "Dashboard"))
        return
    if "SUPERSET_PASSWORD" not in os.environ:
        sys.exit("SUPERSET_PASSWORD is not set; set it to the password of the user of Superset")
    try:
        superset = Superset(given.superset, given.user, os.environ["SUPERSET_PASSWORD"])
        superset.load(pack(uri), {DATABASE_FILE: password} if password else {})
    except (Refused, urllib.error.URLError) as error:
        sys.exit(f"the import failed: {error}")
    print(f"imported; see {given.superset}/superset/dashboard/spotter-gyms/")


if __name__ == "__main__":
    main()
