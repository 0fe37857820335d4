"""A node with its page: its configuration, its process, its commands and its API."""
import http.client
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "TestSupport"))

from described import Description
from ports import free_port
from report import Missed, until


class Node:
    def __init__(self, spotter, folder, name, configuration, address="127.0.0.1"):
        self.spotter, self.folder, self.name = spotter, pathlib.Path(folder) / name, name
        self.folder.mkdir()
        self.pid_file = pathlib.Path(folder) / f"{name}.pid"
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.database, self.log = self.folder / "spotter.db", self.folder / "node.log"
        self.configuration = self.folder / "config.toml"
        models = pathlib.Path(__file__).resolve().parents[2] / "Models"
        self.configuration.write_text(
            f'history.path = "{self.database}"\nrecognition.pose_models = "{models}"\n'
            f'recognition.model = "{models}/exercises.safetensors"\n'
            f'web.enabled = true\nweb.listen = "{address}:{self.port}"\n' + configuration)
        self.process, self.description = None, Description()

    def start(self, *flags):
        """Starts the node and waits for its page."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [self.spotter, "run", "--config", self.configuration, *flags], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=clean_environment())
        self.pid_file.write_text(str(self.process.pid))

        def look():
            if self.process.poll() is not None:
                return True, None
            try:
                return True, self.request("GET", "/login")[0]
            except OSError as error:
                return False, error
        answered, seen = until(30, look)
        if not answered or seen is None:
            end = self.log.read_text()[-600:]
            raise Missed(f"expected the page of {self.name} at {self.origin} within 30 s, seen {seen}; its log: {end}")
        self.request("GET", "/api/v1/openapi.json")

    def kill(self):
        """kill -9, as if the power were cut."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.pid_file.unlink(missing_ok=True)
            self.process = None

    def stop(self):
        """SIGTERM; returns the exit status."""
        self.process.terminate()
        try:
            return self.process.wait(15)
        except subprocess.TimeoutExpired:
            return "still there after 15 s"
        finally:
            self.kill()

    def command(self, *arguments, status=0):
        """What a command of this node prints."""
        result = subprocess.run(
            [self.spotter, *arguments, "--config", self.configuration], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=60, env=clean_environment())
        if status is not None and result.returncode != status:
            raise Missed(f"spotter {' '.join(arguments)} ended with {result.returncode}: {result.stderr[-400:]}")
        return result.stdout

    def history(self, table, filters):
        flags = [part for name, value in filters.items() for part in (f"--{name}", str(value))]
        return json.loads(self.command("history", table, "--json", *flags))

    def request(self, method, path, body=None, cookie=None, headers=None, seconds=60):
        """Status, headers and text of an answer. It comes from the page itself unless `headers` say otherwise."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            given = {"Sec-Fetch-Site": "same-origin"} | ({"Cookie": cookie} if cookie else {})
            if method == "POST":
                given |= {"Content-Type": "application/json", "Origin": self.origin}
            given |= headers or {}
            content = None if body is None else json.dumps(body)
            connection.request(method, path, content, given)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
            if answer.status == 200 and path == "/api/v1/openapi.json":
                self.description.read(text)
            elif answer.status == 200 and answer.headers.get_content_type() == "application/json":
                self.description.check(method, path, text)
            return answer.status, answer.headers, text
        finally:
            connection.close()

    def get(self, path, cookie=None):
        """The JSON of an answer; another status than 200 ends the part of the test."""
        status, _, text = self.request("GET", "/api/v1/" + path, cookie=cookie)
        if status != 200:
            raise Missed(f"GET /api/v1/{path}: {status} {text[:300]}")
        return json.loads(text)

    def query(self, sql):
        """Reads the database as another program would."""
        result = subprocess.run(
            ["sqlite3", "-readonly", self.database, sql], capture_output=True, text=True, timeout=20, check=True)
        return result.stdout.strip()


class LiveReader(threading.Thread):
    """Reads GET /api/v1/live of a node, as any program may, and keeps the poses by camera and time."""

    def __init__(self, node, seconds):
        super().__init__(daemon=True)
        self.node, self.deadline = node, time.monotonic() + seconds
        self.poses, self.text, self.error = {}, "", None

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.node.port, timeout=10)
        try:
            connection.request("GET", "/api/v1/live")
            answer, event = connection.getresponse(), None
            while time.monotonic() < self.deadline:
                line = answer.readline().decode()
                if not line:
                    break
                if len(self.text) < 500_000:
                    self.text += line
                if line.startswith("event: "):
                    event = line[7:].strip()
                elif line.startswith("data: ") and event == "pose":
                    pose = json.loads(line[6:])
                    self.poses[pose["camera"], pose["time"]] = pose
        except OSError as error:
            self.error = error
        finally:
            connection.close()

    def finish(self):
        """Ends the reading; an event comes at least once a second."""
        self.deadline = 0
        self.join(12)


def clean_environment():
    """No setting of this shell may change the node."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SPOTTER_")}
