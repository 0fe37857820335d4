"""Starts Superset on loopback with Spotter's dashboards, checks every chart, and takes pictures, for dashboards.sh.

Usage: dashboards.py folder-of-superset's-environment folder-for-pictures

    DATABASE  connection string of a role of spotter_reader; without it: a private PostgreSQL with demonstration data
    KEEP=1    keeps Superset running until Ctrl-C, and prints its address and log-in
"""
import contextlib
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import dashboard_bundle as bundle
import dashboard_pictures
import dashboard_rights
import schema
from cluster import Cluster, free_port
from dashboard_seed import Seed

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOYED = ROOT / "deploy" / "fleet" / "dashboards"
sys.path.insert(0, str(DEPLOYED))
import import_bundle  # noqa: E402

# A fleet without losses is a good one. The demonstration data has some.
MAY_BE_EMPTY = {"Declared losses"} if os.environ.get("DATABASE") else set()


class Service:
    """Superset in a private folder: its metadata in SQLite, keys made at random, on loopback only."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.process = pathlib.Path(programs) / "bin", folder, None
        self.port, self.password = free_port(), secrets.token_urlsafe(12)
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()} | {
            "SUPERSET_CONFIG_PATH": str(DEPLOYED / "superset_config.py"), "SUPERSET_HOME": str(folder),
            "SUPERSET_SECRET_KEY": secrets.token_urlsafe(42), "SUPERSET_GUEST_SECRET": secrets.token_urlsafe(42),
            "SUPERSET_METADATA": f"sqlite:///{folder}/superset.db", "FLASK_APP": "superset",
            "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1"}
        self.log = folder / "superset.log"

    def run(self, *command, **more):
        """Runs a program of the environment; its words are in the log."""
        begin = time.monotonic()
        with open(self.log, "ab") as log:
            done = subprocess.run([str(self.programs / command[0]), *map(str, command[1:])], stdin=subprocess.DEVNULL,
                                  stdout=log, stderr=log, env=self.environment | more)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command[:3]))} failed:\n{self.last_words()}")
        return time.monotonic() - begin

    def last_words(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-25:])

    def prepare(self):
        seconds = self.run("superset", "db", "upgrade")
        print(f"superset db upgrade: {seconds:.0f} s")
        seconds = self.run("superset", "fab", "create-admin", "--username", "admin", "--firstname", "A", "--lastname",
                           "Admin", "--email", "admin@localhost", "--password", self.password)
        seconds += self.run("superset", "init")
        seconds += self.run("superset", "fab", "import-roles", "--path", DEPLOYED / "guest_role.json")
        print(f"administrator and roles: {seconds:.0f} s")

    def start(self):
        begin = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(self.programs / "gunicorn"), "--workers", "1", "--worker-class", "gthread", "--threads", "8",
                 "--timeout", "120", "--bind", f"127.0.0.1:{self.port}", "superset.app:create_app()"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment, start_new_session=True)
        while time.monotonic() - begin < 120:
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{self.address}/health"):
                    print(f"start: {time.monotonic() - begin:.0f} s")
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.5)
        raise SystemExit(f"Superset did not start:\n{self.last_words()}")

    def memory(self):
        """Resident megabytes of the server and its worker."""
        pids = [self.process.pid, *map(int, subprocess.run(
            ["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split())]
        pages = [int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") // 2**20

    def stop(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)


def check(superset):
    """Asks Superset for the data of every chart on the dashboards; returns what is wrong."""
    listed = superset.call("dataset/?q=(page_size:100)")["result"]
    ids, faults, rows = {one["table_name"]: one["id"] for one in listed}, [], 0
    charts = {chart.uuid: chart for chart in bundle.charts()}
    for dashboard in bundle.read("dashboards").values():
        for uuid in bundle.placed(dashboard):
            chart = charts[uuid]
            try:
                answer = superset.call("chart/data", chart.query(ids[chart.dataset.content["table_name"]],
                                                                 bundle.time_range(dashboard)))
                fault = bundle.complaint(answer, chart)
                rows += answer["result"][0].get("rowcount") or 0
            except import_bundle.Refused as refused:
                fault = str(refused)
            if fault and not (fault == bundle.EMPTY and chart.name in MAY_BE_EMPTY):
                faults.append(f"{dashboard['dashboard_title']}, {chart.name}: {fault}")
    print(f"{len(charts)} charts asked for their data: {rows} rows, {len(faults)} faults")
    return faults


def database(folder, stack):
    """The connection string of the database to look at."""
    if os.environ.get("DATABASE"):
        return os.environ["DATABASE"]
    cluster = stack.enter_context(Cluster(folder / "pg"))
    schema.install(cluster)
    begin = time.monotonic()
    seed = Seed()
    seed.store(cluster)
    sessions = sum(day["sessions"] for day in seed.gym_day.values())
    print(f"demonstration data: {sessions} sessions of four gyms in {time.monotonic() - begin:.1f} s")
    cluster.psql("CREATE ROLE spotter_dashboards LOGIN IN ROLE spotter_reader_all", dbname="postgres")
    return cluster.conninfo(user="spotter_dashboards")


def main():
    programs, pictures = map(pathlib.Path, sys.argv[1:3])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="spotter-dashboards-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        asked = database(folder, stack)
        service = Service(programs, folder)
        stack.callback(service.stop)
        service.prepare()
        service.start()
        seconds = service.run("python", DEPLOYED / "import_bundle.py", "--superset", service.address, "--database",
                              asked, SUPERSET_PASSWORD=service.password)
        print(f"import: {seconds:.1f} s")
        superset = import_bundle.Superset(service.address, "admin", service.password)
        faults = check(superset) + dashboard_rights.check(superset)
        empty = [one["id"] for one in superset.call("chart/?q=(page_size:100)")["result"]
                 if one["slice_name"] in MAY_BE_EMPTY]
        faults += dashboard_pictures.look(service.address, service.password, folder, pictures, empty)
        print(f"pictures: {pictures}")
        print(f"memory of Superset: {service.memory()} MB", flush=True)
        for fault in faults:
            print(f"FAULT {fault}", file=sys.stderr)
        if os.environ.get("KEEP"):
            print(f"{service.address}/superset/dashboard/spotter-gyms/  user admin, password {service.password}\n"
                  "Ctrl-C stops everything.", flush=True)
            signal.pause()
    return 1 if faults else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
