"""Asks a real Prometheus that reads a real node everything that deploy/grafana/node.json asks, and checks the shipped alerts.

    grafana_test.py path/to/spotter

Needs Debian's prometheus, mosquitto and python3.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/TestSupport"))
from ports import free_port  # noqa: E402

# Grafana puts in four times the scrape's interval, and at least that.
RATE_INTERVAL = "20s"
# This machine may have no sensor; nothing is computed for a pose stream; no session has ended yet.
MAY_BE_EMPTY = {"Temperature", "Time for the poses of a frame", "Sessions that ended"}


def queries(board):
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]


def filled_in(expression, instance):
    text = expression.replace("$__rate_interval", RATE_INTERVAL).replace("$instance", instance)
    assert "$" not in text, f"not known to the test: {text}"
    return text


class Prometheus:
    def __init__(self, folder, node):
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        text = (ROOT / "deploy/grafana/prometheus.yml").read_text()
        assert "127.0.0.1:9469" in text and "15s" in text
        (folder / "prometheus.yml").write_text(text.replace("127.0.0.1:9469", node).replace("15s", "1s"))
        self.child = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, query):
        with urllib.request.urlopen(f"{self.address}/api/v1/query?" + urllib.parse.urlencode({"query": query})) as answer:
            return json.load(answer)["data"]["result"]

    def wait(self, query, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if found := self.ask(query):
                    return found
            except OSError:
                pass
            time.sleep(0.5)
        return []


def main():
    spotter = pathlib.Path(sys.argv[1]).absolute()
    board = json.loads((ROOT / "deploy/grafana/node.json").read_text())
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        broker, metrics = free_port(), free_port()
        subprocess.run([spotter, "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "240", "-o", folder / "made"],
                       check=True, capture_output=True)
        (folder / "mosquitto.conf").write_text(f"listener {broker} 127.0.0.1\nallow_anonymous true\n")
        (folder / "node.toml").write_text(
            f'node.site = "berlin"\nmqtt.host = "127.0.0.1"\nmqtt.port = {broker}\nmetrics.enabled = true\n'
            f'metrics.port = {metrics}\nhistory.path = "{folder}/spotter.db"\n'
            f'[[camera]]\nid = "rack-1"\nsource = "{folder}/made/squat/squat_0.poses.jsonl"\n')
        running = [subprocess.Popen(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for line in (
            ["mosquitto", "-c", folder / "mosquitto.conf"],
            [spotter, "run", "--config", folder / "node.toml", "--realtime", "--quiet"])]
        try:
            prometheus = Prometheus(folder, f"127.0.0.1:{metrics}")
            running.append(prometheus.child)
            # A rate takes some values.
            counted = prometheus.wait("increase(spotter_action_seconds_total[10s]) > 0", 90)
            instance = counted[0]["metric"]["instance"] if counted else ""
            time.sleep(5)
            for title, expression in queries(board):
                found = prometheus.ask(filled_in(expression, instance))
                is_good = bool(found) or title in MAY_BE_EMPTY
                failures += not is_good
                value = found[0]["value"][1] if found else "nothing"
                print(f"{'ok  ' if is_good else 'FAIL'} {title}: {value}", flush=True)
        finally:
            for child in running:
                child.terminate()
            for child in running:
                child.wait()
    for tool in (["config", ROOT / "deploy/grafana/prometheus.yml"],
                 ["rules", ROOT / "deploy/package/examples/prometheus/alerts.yml"]):
        result = subprocess.run(["promtool", "check", *tool], capture_output=True, text=True)
        failures += result.returncode != 0
        print(f"{'FAIL' if result.returncode else 'ok  '} promtool check {tool[0]} {tool[1].name}", result.stderr.strip())
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
