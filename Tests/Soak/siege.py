"""What besieges the node of a war beside its faults: viewers with the worst questions, and those who measure whether it
still speaks: to a browser, to the broker, and to the watchdog of systemd."""
import http.client
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

# Whole tables over all years, and what is computed for a page.
QUESTIONS = [
    "/api/v1/history/sets?since=5y&limit=5000", "/api/v1/history/sessions?since=5y&limit=5000",
    "/api/v1/history/workouts?limit=500", "/api/v1/history/days?since=5y", "/api/v1/history/zones?since=5y",
    "/api/v1/history/predictions?limit=5000", "/api/v1/doctor", "/api/v1/history/actions?since=5y", "/api/v1/health", "/api/v1/workouts", "/api/v1/info"]


class Pauses:
    """The longest time without a word, in the stretches that count."""

    def __init__(self):
        self.lock, self.heard = threading.Lock(), []

    def hear(self):
        with self.lock:
            self.heard.append(time.monotonic())

    def longest(self, stretches):
        """Seconds of the longest times without a word within the stretches, the longest first; none when none was heard."""
        with self.lock:
            heard = list(self.heard)
        pauses = []
        for start, end in stretches:
            inside = [start, *(at for at in heard if start <= at <= end), end]
            pauses += [later - earlier for earlier, later in zip(inside, inside[1:])]
        return sorted(pauses, reverse=True)[:3] if heard else []


class Stream:
    """A browser that follows the node's events, and connects again when it must."""

    def __init__(self, port):
        self.port, self.pauses = port, Pauses()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
                    connection.settimeout(10)
                    connection.sendall(
                        f"GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
                    while connection.recv(65536):
                        self.pauses.hear()
            except OSError:
                pass
            time.sleep(0.2)


class Viewers:
    """Asks all questions again and again, several at once; some go away before the answer."""

    def __init__(self, port, count):
        self.port, self.answers, self.codes, self.lock = port, 0, {}, threading.Lock()
        for number in range(count):
            threading.Thread(target=self.run, args=(number,), daemon=True).start()

    def run(self, number):
        while True:
            for question in QUESTIONS[number % len(QUESTIONS):] + QUESTIONS[:number % len(QUESTIONS)]:
                code = self.ask(question, leaves=number % 3 == 0)
                with self.lock:
                    self.codes[code] = self.codes.get(code, 0) + 1
                # Who is told to come back later, or finds nobody, waits a moment.
                time.sleep(0.5 if code != 200 else 0.05)

    def ask(self, question, leaves):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", question)
            if leaves:
                time.sleep(0.1)
                return "left"
            response = connection.getresponse()
            response.read()
            return response.status
        except (OSError, http.client.HTTPException):
            return "none"
        finally:
            connection.close()


class Watchdog:
    """Systemd's end of the watchdog: a socket that the node must feed."""

    def __init__(self, folder, seconds=20):
        path = pathlib.Path(folder) / "notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.environment = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": str(seconds * 1_000_000)}
        self.pauses = Pauses()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            if b"WATCHDOG=1" in self.socket.recv(4096):
                self.pauses.hear()


def write_history(scene, years):
    """Imports a history of years, written by the benchmark of histories."""
    export = scene.folder / "years.jsonl"
    root = pathlib.Path(__file__).parents[2]
    subprocess.run([sys.executable, str(root / "Tests/Benchmarks/history.py"), "--write", str(export), str(years)],
                   check=True)
    began = time.monotonic()
    subprocess.run([scene.program, "import", str(export), "--database", str(scene.database)],
                   cwd=root, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, SPOTTER_NODE_TIME_ZONE="UTC",
                            SPOTTER_HISTORY_MAXIMUM_MEGABYTES=str(512 + round(years * 200))))
    export.unlink()
    print(f"a history of {years} years: imported in {time.monotonic() - began:.0f} s")
