"""A private PostgreSQL in a folder, for tests: a socket in the folder, a free port on loopback, fsync on.

    with Cluster(folder) as cluster:
        cluster.psql("SELECT 1")

Whoever reaches the socket is let in under any name. Over TCP a password is asked for, and no role has one.
"""
import os
import pathlib
import pwd
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "TestSupport"))

from ports import free_port

# Debian keeps the server's programs out of the PATH, one folder for each version.
VERSIONS = pathlib.Path("/usr/lib/postgresql")


def programs():
    """The folder of the server's programs: SPOTTER_POSTGRESQL, or the newest version that is installed."""
    named = os.environ.get("SPOTTER_POSTGRESQL")
    if named:
        return pathlib.Path(named)
    found = [folder for folder in VERSIONS.glob("*/bin") if (folder / "initdb").exists()]
    if not found:
        raise SystemExit("PostgreSQL is not installed; run Tests/Fleet/install.sh")
    return max(found, key=lambda folder: int(folder.parent.name))


class Failed(Exception):
    """A program ended with an error; the text is what it said."""


class Cluster:
    """One server. As root it runs as another user, because PostgreSQL refuses to run as root."""

    def __init__(self, folder, settings=None):
        # A server of another user cannot enter a relative or a linked folder.
        self.folder = pathlib.Path(folder).resolve()
        # A socket's path has at most 107 bytes.
        if len(str(self.folder)) > 80:
            raise ValueError(f"the path is too long for a socket: {self.folder}")
        self.bin = programs()
        self.data, self.log = self.folder / "data", self.folder / "server.log"
        self.settings = settings or {}
        self.port = None
        self.account = self._account()

    def _account(self):
        if os.geteuid() != 0:
            return None
        for name in ("postgres", "nobody"):
            try:
                return pwd.getpwnam(name)
            except KeyError:
                continue
        raise SystemExit("PostgreSQL cannot run as root, and there is neither a user postgres nor nobody")

    def _run(self, *command, check=True):
        arguments = [str(part) for part in command]
        if self.account:
            arguments = ["runuser", "-u", self.account.pw_name, "--", *arguments]
        # The server inherits what is open: with a pipe, waiting for its end would be waiting for the server's end.
        with open(self.folder / "commands.log", "a+b") as log:
            begin = log.seek(0, os.SEEK_END)
            done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                                  start_new_session=True)
            if check and done.returncode:
                log.seek(begin)
                raise Failed(f"{arguments[-1]}: {log.read().decode(errors='replace')}\n{self.last_words()}")
        return done.returncode

    def last_words(self):
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])
        except FileNotFoundError:
            return ""

    def create(self):
        """Makes the data folder, unless it is there."""
        if self.data.exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.account:
            os.chown(self.folder, self.account.pw_uid, self.account.pw_gid)
            self._open_parents()
        self._run(self.bin / "initdb", "-D", self.data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8",
                  "--auth-local=trust", "--auth-host=scram-sha-256", "--no-instructions")
        self.port = free_port()
        settings = {
            "listen_addresses": "'127.0.0.1'", "unix_socket_directories": f"'{self.folder}'", "port": self.port,
            "fsync": "on", "synchronous_commit": "on", "max_connections": 60, "shared_buffers": "'128MB'",
            "log_line_prefix": "'%m [%p] %u '", "timezone": "'UTC'", **self.settings,
        }
        with open(self.data / "postgresql.auto.conf", "a") as conf:
            conf.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def _open_parents(self):
        """The server's user must be able to walk to the folder; a temporary folder of root is closed to it."""
        for parent in self.folder.parents:
            if parent.stat().st_mode & 0o001 == 0:
                if parent.stat().st_uid != 0 or parent in (pathlib.Path("/"), pathlib.Path("/root")):
                    raise SystemExit(f"the user {self.account.pw_name} cannot enter {parent}; use a folder below /tmp")
                parent.chmod(parent.stat().st_mode | 0o011)

    def _known_port(self):
        lines = (self.data / "postgresql.auto.conf").read_text().splitlines()
        return int([line for line in lines if line.startswith("port = ")][-1].split("=")[1])

    def start(self):
        """Starts the server and waits until it answers. Another program may have taken the port meanwhile."""
        self.create()
        self.port = self._known_port()
        if self._run(self.bin / "pg_ctl", "-D", self.data, "status", check=False) == 0:
            return self
        for last in (False, False, True):
            try:
                self._run(self.bin / "pg_ctl", "-D", self.data, "-l", self.log, "-w", "-t", "120", "start")
                return self
            except Failed as failure:
                if last or "could not bind" not in str(failure):
                    raise
                self.port = free_port()
                with open(self.data / "postgresql.auto.conf", "a") as conf:
                    conf.write(f"port = {self.port}\n")

    def stop(self, mode="fast"):
        """Stops the server if it runs. `immediate` leaves it as a crash would."""
        if self.pid() is not None:
            self._run(self.bin / "pg_ctl", "-D", self.data, "-m", mode, "-w", "-t", "120", "stop", check=False)

    def restart(self, mode="fast"):
        self.stop(mode)
        self.start()

    def pid(self):
        """The server's process, or None where none runs."""
        try:
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
            os.kill(pid, 0)
            return pid
        except (FileNotFoundError, IndexError, ProcessLookupError):
            return None

    def conninfo(self, dbname="spotter", user="spotter_sink"):
        """A connection string of libpq."""
        return f"host={self.folder} port={self.port} dbname={dbname} user={user}"

    def psql(self, sql, dbname="spotter", user="postgres"):
        """Runs SQL and returns what it prints: rows as lines, columns with a bar between them."""
        own = self.bin / "psql"
        done = subprocess.run(
            [str(own) if own.exists() else "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d",
             self.conninfo(dbname, user)], input=sql, text=True, capture_output=True)
        if done.returncode:
            raise Failed(done.stderr.strip())
        return done.stdout.rstrip("\n")

    def remove(self):
        """Stops the server and deletes the folder."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop("immediate")
