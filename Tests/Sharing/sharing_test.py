"""Reads what a node hands on with the programs of others; see test.sh."""
import csv
import datetime
import http.server
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import fitdecode
import fitparse
import standardwebhooks
from wger_api_client.models.workout_log_request import WorkoutLogRequest
from wger_api_client.models.workout_session_request import WorkoutSessionRequest

SPOTTER = sys.argv.pop()
SECRET = "whsec_c2l4dGVlbiBieXRlcyBvciBtb3JlLCBhIGtleQ=="
PLAN = """name = "Squats and rest"
[[step]]
action = "squat"
repetitions = 5
rest_seconds = 6
[[step]]
action = "squat"
repetitions = 3
"""


class Receiver(http.server.BaseHTTPRequestHandler):
    """Keeps every request, and knows nothing that it is asked for."""

    requests = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.requests.append((self.path, dict(self.headers), body))
        self.send_response(201)
        self.end_headers()

    def do_GET(self):
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


class SharingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{cls.server.server_port}"
        for name, text in {"secret": SECRET, "token": "t1", "plan.toml": PLAN}.items():
            (cls.folder / name).write_text(text)
        cls.config = cls.folder / "config.toml"
        cls.config.write_text(f"""
node.time_zone = "Europe/Berlin"
mqtt.enabled = false
history.path = "{cls.folder}/spotter.db"
workouts.plans = "{cls.folder}"
[[camera]]
id = "rack-1"
source = "{cls.folder}/squat/squat_0.poses.jsonl"
[[share]]
name = "club"
url = "{url}/club"
secret_file = "{cls.folder}/secret"
[[share]]
name = "diary"
kind = "wger"
url = "{url}"
secret_file = "{cls.folder}/token"
people = ["anna"]
exercises = {{ squat = 615 }}
""")
        cls.spotter("synthesize", "--motion", "squat", "--clips", "1", "--seconds", "45", "-o", str(cls.folder))
        # At its own speed, so that the node still runs when the workout has ended.
        cls.spotter(
            "run", "--config", str(cls.config), "--plan", str(cls.folder / "plan.toml"), "--name", "Anna",
            "--realtime", "--quiet")
        cls.workout = json.loads(cls.spotter("history", "workouts", "--json", "--config", str(cls.config)))[0]
        cls.done = [step for step in cls.workout["steps"] if step["reps"]]

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.temporary.cleanup()

    @classmethod
    def spotter(cls, *arguments):
        result = subprocess.run([SPOTTER, *arguments], capture_output=True)
        assert result.returncode == 0, result.stderr.decode()
        return result.stdout

    def file(self, kind):
        return self.spotter(
            "workout", "send", self.workout["id"], "--to", kind, "--output", "-", "--config", str(self.config))

    def test_fitdecode_reads_the_activity(self):
        with fitdecode.FitReader(
                io.BytesIO(self.file("fit")), check_crc=fitdecode.CrcCheck.RAISE,
                error_handling=fitdecode.ErrorHandling.RAISE) as reader:
            messages = [frame for frame in reader if frame.frame_type == fitdecode.FIT_FRAME_DATA]
        names = [message.name for message in messages]
        self.assertEqual(names[:2], ["file_id", "event"])
        self.assertEqual(names[-4:], ["event", "lap", "session", "activity"])
        self.assertEqual(messages[0].get_value("type"), "activity")
        sets = [message for message in messages if message.name == "set"]
        self.assertEqual([one.get_value("set_type") for one in sets], ["active", "rest", "active"])
        active = sets[::2]
        self.assertEqual([one.get_value("repetitions") for one in active], [step["reps"] for step in self.done])
        self.assertTrue(all("squat" in str(one.get_value("category")) for one in active), active)
        begin = datetime.datetime.fromisoformat(self.done[0]["start"].replace("Z", "+00:00"))
        self.assertEqual(active[0].get_value("start_time"), begin.replace(microsecond=0))
        session = next(message for message in messages if message.name == "session")
        self.assertEqual(session.get_value("sport"), "training")
        self.assertEqual(session.get_value("sub_sport"), "strength_training")
        self.assertEqual(session.get_value("total_cycles"), self.workout["reps"])
        activity = messages[-1]
        local = activity.get_value("local_timestamp").replace(tzinfo=None)
        hours = (local - activity.get_value("timestamp").replace(tzinfo=None)).total_seconds() / 3600
        self.assertIn(hours, [1, 2], "Berlin")

    def test_fitparse_reads_the_same(self):
        file = fitparse.FitFile(self.file("fit"), check_crc=True)
        sets = [message.get_values() for message in file.get_messages("set")]
        self.assertEqual([one["repetitions"] for one in sets[::2]], [step["reps"] for step in self.done])
        self.assertEqual(len(list(file.get_messages("record"))), 4)

    def test_the_tables_of_the_apps_have_a_line_for_each_set(self):
        for kind, delimiter, reps in [("strong", ";", "Reps"), ("hevy", ",", "reps")]:
            rows = list(csv.DictReader(io.StringIO(self.file(kind).decode()), delimiter=delimiter))
            self.assertEqual([int(row[reps]) for row in rows], [step["reps"] for step in self.done], kind)

    def test_standardwebhooks_accepts_the_signature(self):
        (_, headers, body), = [one for one in Receiver.requests if one[0] == "/club"]
        payload = standardwebhooks.Webhook(SECRET).verify(body, {name.lower(): value for name, value in headers.items()})
        self.assertEqual((payload["type"], payload["name"], payload["id"]), ("workout", "Anna", self.workout["id"]))
        with self.assertRaises(standardwebhooks.WebhookVerificationError):
            standardwebhooks.Webhook(SECRET).verify(
                body + " ", {name.lower(): value for name, value in headers.items()})

    def test_the_body_has_the_keys_that_the_page_shows(self):
        page = pathlib.Path("Sources/Node/spotter/Spotter.docc/Sharing.md").read_text()
        shown = json.loads(page.split("```json\n")[1].split("```")[0])
        (_, _, body), = [one for one in Receiver.requests if one[0] == "/club"]
        real = json.loads(body)
        self.assertEqual(real.keys(), shown.keys())
        self.assertEqual(real["sets"][0].keys() | {"load_kg", "rpe"}, shown["sets"][0].keys())

    def test_wger_gets_the_fields_of_its_api(self):
        for kind, model, count in [("workoutsession", WorkoutSessionRequest, 1), ("workoutlog", WorkoutLogRequest, 2)]:
            bodies = [json.loads(body) for path, _, body in Receiver.requests if path == f"/api/v2/{kind}/"]
            self.assertEqual(len(bodies), count, kind)
            for body in bodies:
                request = model.from_dict(body)
                self.assertEqual(request.additional_properties, {}, "a field that wger does not know")
                self.assertEqual(str(request.id), body["id"])


if __name__ == "__main__":
    unittest.main()
